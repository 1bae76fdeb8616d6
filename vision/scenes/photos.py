"""Renders the random pictures of a recipe with their labels."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.scenes import coco, labels, lens
from vision.scenes.company import random_company
from vision.scenes.draw import HAND_ID, Artist
from vision.scenes.figure import Figure
from vision.scenes.hand import Grip
from vision.scenes.ldraw import Library
from vision.scenes.mesh import surface_points
from vision.scenes.plan import PlacedHand, Plan
from vision.scenes.recipe import RandomRecipe, Split
from vision.scenes.scatter import HANDS, Scatter
from vision.scenes.sensor import expose
from vision.scenes.stage import Stage
from vision.scenes.tabletop import Tabletop, wide_grips
from vision.scenes.wardrobe import random_figures

BLOCK = 40
WARDROBE = 64
CLOUD = 16000


def hand_grips(rng: np.random.Generator) -> list[Grip]:
    """Hands of all kinds: the first half pinching, the rest open or stretched."""
    grips = []
    for number in range(HANDS):
        pinching = number < HANDS // 2
        spread = 1.0 if pinching else float(rng.uniform(0.0, 0.6))
        elbow = (float(rng.normal(0, 100)), -620.0, float(rng.uniform(110, 420)))
        sleeve = float(rng.uniform(0.15, 0.7)) if rng.random() < 0.5 else 1.0
        opening = float(rng.exponential(3)) if pinching else 0.0
        grips.append(Grip(spread, opening, float(rng.uniform(0.5, 3)), elbow, sleeve))
    return grips


def render(
    recipe: RandomRecipe,
    library: Library,
    stage: Stage,
    out: Path,
    split: Split,
    limit: int | None,
    part: tuple[int, int] = (1, 1),
    pictures: bool = True,
) -> Iterator[str]:
    """Render what is not there yet of a split; yields the name of each picture written.

    A block of BLOCK pictures shares one wardrobe; picture i depends on the seed, the split and i
    alone, so that a broken run goes on where it stopped, and several runs can share the work:
    `part` (k, n) takes every n-th block from the k-th on. Without `pictures` only what is known
    of them is written, labels and truth, at a fraction of the cost.

    Raises:
        SceneError: a part is missing.
    """
    for folder in ("images", "labels", "truth"):
        (out / folder / split.name).mkdir(parents=True, exist_ok=True)
    artist = Artist(stage, library)
    place = sum(map(ord, split.name))
    hand_rng = np.random.default_rng((recipe.seed, place, 1))
    grips = hand_grips(hand_rng)
    if recipe.mix is not None:
        grips += wide_grips(hand_rng)
    artist.raise_hands(grips, hand_rng)
    arms = [surface_points(shape, CLOUD, hand_rng) for shape in artist.hand_shapes]
    has_part = frozenset(library.parts())
    count = split.images if limit is None else min(limit, split.images)
    for number, block in enumerate(range(0, count, BLOCK)):
        if number % part[1] != part[0] - 1:
            continue
        todo = [
            i
            for i in range(block, min(block + BLOCK, count))
            if not (out / "labels" / split.name / f"{i:05d}.txt").exists()
        ]
        if not todo:
            continue
        rng = np.random.default_rng((recipe.seed, place, 2, block))
        if recipe.mix is None:
            figures = random_figures(library, split, WARDROBE, rng)
        else:
            figures = random_company(library, split, rng)
        clouds = [surface_points(f.body, CLOUD, rng) for f in figures]
        artist.dress(figures)
        for i in todo:
            rng = np.random.default_rng((recipe.seed, place, 3, i))
            plan = _plan(recipe, split, i, figures, has_part, rng)
            picture, ids = _shoot(artist, stage, plan, recipe.samples if pictures else 0, rng)
            seen = [
                labels.look(plan.camera, ids, n, figures[p.look], p, clouds[p.look])
                for n, p in enumerate(plan.figures, 1)
            ]
            hands = [
                labels.look_at_hand(plan.camera, ids, HAND_ID + n, _moved(arms[h.look], h))
                for n, h in enumerate(plan.hands)
            ]
            kinds = [figures[p.look].kind for p in plan.figures] + ["hand"] * len(hands)
            lines = [
                text
                for s, kind in zip([*seen, *hands], kinds, strict=True)
                if (text := labels.line(s, plan.camera, kind)) is not None
            ]
            name = f"{split.name}/{i:05d}"
            if pictures:
                stage.write_jpeg(picture, out / "images" / f"{name}.jpg", plan.sensor.quality)
            known = labels.truth(plan, figures, seen, hands)
            _write(out / "truth" / f"{name}.json", json.dumps({**known, "seed": recipe.seed}))
            _write(out / "labels" / f"{name}.txt", "".join(f"{text}\n" for text in lines))
            yield name
    coco.write(out, split.name)


def _plan(
    recipe: RandomRecipe,
    split: Split,
    number: int,
    figures: list[Figure],
    has_part: frozenset[str],
    rng: np.random.Generator,
) -> Plan:
    sizes = split.sizes_px or ((recipe.width_px, recipe.height_px),)
    size = sizes[number % len(sizes)]
    if recipe.mix is None:
        return Scatter(rng, figures, split.tables, size, has_part, recipe.emphasis).plan()
    return Tabletop(rng, figures, split, size, has_part, recipe.emphasis, recipe.mix).plan()


def _shoot(
    artist: Artist, stage: Stage, plan: Plan, samples: int, rng: np.random.Generator
) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """Picture (sRGB 0..1) and ids of a plan, behind its lens."""
    camera = plan.camera
    source = lens.canvas(camera, camera.k1) if camera.k1 else camera
    artist.show(replace(plan, camera=source), rng)
    light, ids = stage.picture(samples)
    artist.clear()
    if camera.k1:
        light = lens.distort(light, source, camera, camera.k1)
        ids = lens.distort_ids(ids, source, camera, camera.k1)
    return expose(light, plan.sensor, rng), ids


def _moved(cloud: NDArray[np.float64], hand: PlacedHand) -> NDArray[np.float64]:
    points = cloud * np.array([-1.0, 1.0, 1.0]) if hand.mirrored else cloud
    moved: NDArray[np.float64] = points @ hand.matrix[:3, :3].T + hand.matrix[:3, 3]
    return moved


def _write(path: Path, text: str) -> None:
    """Write in one step that never leaves half a file."""
    part = path.with_suffix(".part")
    part.write_text(text, "utf-8")
    part.replace(path)
