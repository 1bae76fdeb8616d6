"""Renders the random pictures of a recipe with their labels."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from vision.scenes import labels
from vision.scenes.draw import Artist
from vision.scenes.hand import Grip
from vision.scenes.ldraw import Library
from vision.scenes.mesh import surface_points
from vision.scenes.recipe import RandomRecipe, Split
from vision.scenes.scatter import HANDS, Scatter
from vision.scenes.sensor import expose
from vision.scenes.stage import Stage
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
    recipe: RandomRecipe, library: Library, stage: Stage, out: Path, split: Split, limit: int | None
) -> Iterator[str]:
    """Render what is not there yet of a split; yields the name of each picture written.

    A block of BLOCK pictures shares one wardrobe; picture i depends on the seed, the split and i
    alone, so that a broken run goes on where it stopped.

    Raises:
        SceneError: a part is missing.
    """
    pictures, texts = out / "images" / split.name, out / "labels" / split.name
    for folder in (pictures, texts):
        folder.mkdir(parents=True, exist_ok=True)
    artist = Artist(stage, library)
    place = sum(map(ord, split.name))
    hand_rng = np.random.default_rng((recipe.seed, place, 1))
    artist.raise_hands(hand_grips(hand_rng), hand_rng)
    has_part = frozenset(library.parts())
    count = split.images if limit is None else min(limit, split.images)
    for block in range(0, count, BLOCK):
        todo = [
            i
            for i in range(block, min(block + BLOCK, count))
            if not (texts / f"{i:05d}.txt").exists()
        ]
        if not todo:
            continue
        rng = np.random.default_rng((recipe.seed, place, 2, block))
        figures = random_figures(library, split, WARDROBE, rng)
        clouds = [surface_points(f.body, CLOUD, rng) for f in figures]
        artist.dress(figures)
        for i in todo:
            rng = np.random.default_rng((recipe.seed, place, 3, i))
            size = (recipe.width_px, recipe.height_px)
            plan = Scatter(rng, figures, split.tables, size, has_part, recipe.emphasis).plan()
            artist.show(plan, rng)
            light, ids = stage.picture(recipe.samples)
            artist.clear()
            picture = expose(light, plan.sensor, rng)
            seen = [
                labels.look(plan.camera, ids, n, figures[p.look], p, clouds[p.look])
                for n, p in enumerate(plan.figures, 1)
            ]
            name = f"{i:05d}"
            lines = [text for s in seen if (text := labels.line(s, plan.camera)) is not None]
            stage.write_jpeg(picture, pictures / f"{name}.jpg", plan.sensor.quality)
            with (out / f"truth-{split.name}.jsonl").open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(labels.truth(f"{name}.jpg", plan, seen)) + "\n")
            part = texts / f"{name}.part"
            part.write_text("".join(f"{text}\n" for text in lines), "utf-8")
            part.replace(texts / f"{name}.txt")
            yield f"{split.name}/{name}"
