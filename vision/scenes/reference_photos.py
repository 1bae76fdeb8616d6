"""Renders calibration scenes with the truth of camera, lens and references."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from vision.scenes.draw import Artist
from vision.scenes.ldraw import Library
from vision.scenes.lens import canvas, distort
from vision.scenes.recipe import CalibrationRecipe
from vision.scenes.reference_truth import seen, truth
from vision.scenes.references import draw, part
from vision.scenes.sensor import expose
from vision.scenes.stage import Stage
from vision.scenes.wardrobe import random_figures

WARDROBE = 16
_FIRST_ID = 101
"""Id of the first reference in the id picture; figures come below."""


def render(
    recipe: CalibrationRecipe, library: Library, stage: Stage, out: Path, limit: int | None
) -> Iterator[str]:
    """Render what is not there yet; yields the name of each picture written.

    NNN.jpg and NNN.json, see `truth`. A picture depends on the recipe and its number alone.

    Raises:
        SceneError: a part or a picture file is missing.
    """
    out.mkdir(parents=True, exist_ok=True)
    artist = Artist(stage, library)
    rng = np.random.default_rng((recipe.seed, 3))
    figures = random_figures(library, recipe.parts, WARDROBE, rng)
    artist.dress(figures)
    count = recipe.images if limit is None else min(limit, recipe.images)
    for number in range(count):
        name = f"{number:03d}"
        target = out / f"{name}.json"
        if target.exists():
            continue
        scene = draw(recipe, number, WARDROBE)
        rng = np.random.default_rng((recipe.seed, 4, number))
        wide = canvas(scene.plan.camera, scene.k1)
        artist.show(scene.plan, rng)
        stage.look(wide)
        for place, reference in enumerate(scene.references):
            index = _FIRST_ID + place
            if reference.kind == "studs":
                artist.brick(part(reference), index)
            else:
                size = (*reference.size_mm, reference.thickness_mm)
                artist.flat(
                    recipe.folder / reference.name, size, reference.table_T_reference, index
                )
        light, ids = stage.picture(recipe.samples)
        artist.clear()
        light = distort(light, wide, scene.plan.camera, scene.k1)
        picture = expose(light, scene.plan.sensor, rng)
        stage.write_jpeg(picture, out / f"{name}.jpg", scene.plan.sensor.quality)
        document = truth(
            scene, [seen(r, ids, wide, _FIRST_ID + i) for i, r in enumerate(scene.references)]
        )
        unfinished = target.with_suffix(".part")
        unfinished.write_text(json.dumps(document, indent=1) + "\n", "utf-8")
        unfinished.replace(target)
        yield name
