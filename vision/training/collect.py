"""Turn the raw material into a folder of training pictures: cutouts, composites, photographs."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from vision.training.backgrounds import surroundings
from vision.training.composite import compose
from vision.training.cutout import Cutout, cut_out
from vision.training.errors import TrainingError
from vision.training.labels import Labels, boxes_only, read_labels, write_labels
from vision.training.photographs import Photograph, read_photographs
from vision.training.pictures import read_picture, shrunk, write_picture

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Picture = NDArray[np.uint8]

LOG = logging.getLogger(__name__)

SOURCES = Path(__file__).resolve().parents[2] / "models" / "sources.json"
"""The committed split by source and the cutouts that the eye turned down."""

PICTURE_SIZE = (360, 640)
LOOSE = 0.05
"""Share of a photograph's box that is margin, where no cutout says it exactly."""
BASEPLATES = ("horiz1", "schedule1", "schedule2", "schedule3", "schedule4", "test1", "test2")
"""The baseplate photographs under the MIT licence; the others are never read here."""
PLAIN = 21.0
"""Grey spread below which a photograph's surroundings are an empty table."""


def turned_down(file: Path = SOURCES) -> set[str]:
    """Return the names of the cutouts that looked wrong.

    Raises:
        TrainingError: the file is missing or not the expected JSON.
    """
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
        return {str(name) for name in document["turned_down_cutouts"]}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise TrainingError(file, "is not the list of sources") from error


def cutouts_of(photograph: Photograph) -> list[tuple[str, NDArray[np.float32], Cutout]]:
    """Cut every boxed figure of a photograph; returns name, label's box, cutout."""
    picture = read_picture(photograph.image)
    labels = read_labels(photograph.label, picture.shape[1], picture.shape[0])
    found: list[tuple[str, NDArray[np.float32], Cutout]] = []
    for index, box in enumerate(labels.boxes):
        cut = cut_out(picture, box)
        if cut is not None:
            found.append((f"{photograph.image.stem}_{index}", box, cut))
    return found


def tightened(labels: Labels) -> Labels:
    """Return the loose hand-drawn boxes of the photographs drawn in by their usual margin."""
    boxes = labels.boxes.copy()
    inset = LOOSE * (boxes[:, 2:] - boxes[:, :2])
    boxes[:, :2] += inset
    boxes[:, 2:] -= inset
    return boxes_only(boxes)


def collect(material: Path, out: Path, count: int, seed: int = 1) -> None:
    """Write composites and tightened photographs as YOLO-pose pictures.

    Args:
        material: folder with ``real/minifig_boxes`` and ``real/baseplates``.
        out: gets ``images/train``, ``labels/train`` (composites), ``images/val`` (composites of
            validation sources), and ``photographs/{images,labels}/{train,val}``.
        count: number of composites for training; a tenth as many for validation.
        seed: changes all composites.

    Raises:
        TrainingError: material is missing or unreadable.
    """
    dropped = turned_down()
    photographs = read_photographs(material / "real" / "minifig_boxes")
    backgrounds: list[Picture] = []
    for name in BASEPLATES:
        file = material / "real" / "baseplates" / f"{name}.jpg"
        backgrounds.append(shrunk(read_picture(file), 0.4))
    for part, folder, wanted in (("train", "train", count), ("validation", "val", count // 10)):
        cutouts: list[tuple[Picture, Picture]] = []
        tables = list(backgrounds)
        own = [photograph for photograph in photographs if photograph.part == part]
        for photograph in own:
            tables += _add_photograph(photograph, out / "photographs", folder, dropped, cutouts)
        if not cutouts:
            raise TrainingError(material, f"gives no sound cutout for {part}")
        LOG.info("%s: %d photographs, %d cutouts", part, len(own), len(cutouts))
        for kind in ("images", "labels"):
            (out / kind / folder).mkdir(parents=True, exist_ok=True)
        for number in range(wanted):
            rng = np.random.default_rng((seed, part == "train", number))
            picture, labels = compose(rng, cutouts, tables, *PICTURE_SIZE)
            name = f"{number:05d}"
            write_picture(out / "images" / folder / f"{name}.jpg", picture)
            height, width = PICTURE_SIZE
            write_labels(out / "labels" / folder / f"{name}.txt", labels, width, height)


def _add_photograph(
    photograph: Photograph,
    out: Path,
    folder: str,
    dropped: set[str],
    cutouts: list[tuple[Picture, Picture]],
) -> list[Picture]:
    """Write one photograph with tight boxes, collect its cutouts, return its empty table."""
    image = read_picture(photograph.image)
    height, width = image.shape[:2]
    labels = read_labels(photograph.label, width, height)
    tables: list[Picture] = []
    for name, box, cut in cutouts_of(photograph):
        if cut.sound and name not in dropped:
            cutouts.append((cut.colour, cut.alpha))
        room = max(box[0], width - box[2])
        if len(labels) == 1 and cut.plain < PLAIN and room > 120:
            tables.append(surroundings(image, box))
    for kind in ("images", "labels"):
        (out / kind / folder).mkdir(parents=True, exist_ok=True)
    write_picture(out / "images" / folder / f"{photograph.image.stem}.jpg", image)
    target = out / "labels" / folder / f"{photograph.image.stem}.txt"
    write_labels(target, tightened(labels), width, height)
    return tables
