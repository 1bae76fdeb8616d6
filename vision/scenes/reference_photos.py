"""Renders calibration scenes with the truth of camera, lens and references."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.scenes.camera import Camera
from vision.scenes.draw import Artist
from vision.scenes.ldraw import Library
from vision.scenes.lens import canvas, distort, distorted
from vision.scenes.recipe import CalibrationRecipe
from vision.scenes.references import Reference, ReferenceScene, draw, part, pitch_px
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


def seen(
    reference: Reference, ids: NDArray[np.int32], wide: Camera, index: int
) -> NDArray[np.bool_]:
    """Which sample points of a reference the id picture shows, (N,)."""
    points = reference.samples()
    px = np.rint(wide.project(points)).astype(int)
    inside = np.all((px >= 0) & (px < [wide.width_px, wide.height_px]), axis=1)
    inside &= wide.depth_mm(points) > 0
    found = np.zeros(len(points), dtype=bool)
    found[inside] = ids[px[inside, 1], px[inside, 0]] == index
    return found


def truth(scene: ReferenceScene, shown: list[NDArray[np.bool_]]) -> dict[str, Any]:
    """The truth of a picture in the frames of the program's own calibration file.

    z = 0 is the plates' upper face or, with flat things, the table top. `covered` is the share of
    a reference's points in the picture that other things hide, `seen` how many are seen.
    """
    camera, k1 = scene.plan.camera, scene.k1
    references = []
    for reference, found in zip(scene.references, shown, strict=True):
        points = reference.samples()
        px = distorted(camera.project(points), camera, k1)
        inside = np.all((px >= 0) & (px < [camera.width_px, camera.height_px]), axis=1)
        inside &= camera.depth_mm(points) > 0
        references.append(
            {
                "kind": reference.kind,
                "name": reference.name,
                "colour": reference.colour,
                "size_mm": list(reference.size_mm),
                "thickness_mm": reference.thickness_mm,
                "table_T_reference": np.round(reference.table_T_reference, 9).tolist(),
                "in_picture": int(inside.sum()),
                "seen": int((found & inside).sum()),
                "covered": round(1 - float((found & inside).sum()) / max(1, int(inside.sum())), 4),
            }
        )
    return {
        "image_size_px": [camera.width_px, camera.height_px],
        "intrinsics": {
            "fx_px": camera.focal_px,
            "fy_px": camera.focal_px,
            "cx_px": (camera.width_px - 1) / 2,
            "cy_px": (camera.height_px - 1) / 2,
            "distortion": [k1, 0, 0, 0, 0],
        },
        "camera_T_table": camera.camera_T_table.tolist(),
        "table_level_mm": scene.plan.table_level_mm,
        "pitch_px": pitch_px(camera, scene.plan.target_mm),
        "references": references,
    }
