"""Which real photographs may be trained on, and which are kept apart, split by source.

The set holds several renderings of some originals; a photograph's source is its file name up to
``.rf.``, so that no original is on both sides. The split is a pure function of the source names
and of ``SPLIT_SEED``.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import cv2
import numpy as np

from vision.training.errors import TrainingError
from vision.training.pictures import read_picture

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

Part = Literal["train", "validation", "apart"]

SPLIT_SEED = 20
APART_SHARE = 0.20
VALIDATION_SHARE = 0.10
SAME_PICTURE_BITS = 12
"""Difference hashes (256 bits) nearer than this show the same scene from the same place."""


@dataclass(frozen=True, slots=True)
class Photograph:
    """One photograph of the set of boxed minifigures.

    Attributes:
        image: the picture file.
        label: its YOLO label file.
        source: name of the original, common to all its renderings.
        part: the part of the split it belongs to.
    """

    image: Path
    label: Path
    source: str
    part: Part


def source_of(name: str) -> str:
    """Return the source of a photograph: its file name up to ``.rf.``."""
    return name.split(".rf.")[0]


def split_sources(sources: set[str]) -> dict[str, Part]:
    """Assign every source to one part.

    Args:
        sources: the names of all sources.

    Returns:
        The part of each source; a fifth is kept apart, a tenth is for choosing the threshold.
    """
    order = sorted(sources)
    random.Random(SPLIT_SEED).shuffle(order)  # noqa: S311 - a split, not a secret
    apart = round(len(order) * APART_SHARE)
    held = apart + round(len(order) * VALIDATION_SHARE)
    parts: dict[str, Part] = {}
    for place, source in enumerate(order):
        parts[source] = "apart" if place < apart else "validation" if place < held else "train"
    return parts


def difference_hash(image: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return the 256 signs of horizontal brightness steps of a (H, W, 3) picture."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, (17, 16), interpolation=cv2.INTER_AREA).astype(np.int16)
    return np.asarray((small[:, 1:] - small[:, :-1] > 0).ravel(), dtype=np.bool_)


def read_photographs(folder: Path) -> list[Photograph]:
    """List the photographs of the set with their part of the split.

    Some sources hold the very same picture. One that a stricter part has too (apart before
    validation before train) is left out of the laxer part, whatever its name says.

    Args:
        folder: holds ``images/`` and ``labels/``.

    Returns:
        The photographs, sorted by name.

    Raises:
        TrainingError: the folder has no pictures, or one cannot be read.
    """
    files = sorted((folder / "images").glob("*.jpg"))
    if not files:
        raise TrainingError(folder, "has no images/*.jpg")
    parts = split_sources({source_of(file.name) for file in files})
    photographs: list[Photograph] = []
    hashes: list[NDArray[np.bool_]] = []
    for file in files:
        image = read_picture(file)
        source = source_of(file.name)
        label = folder / "labels" / (file.stem + ".txt")
        photographs.append(Photograph(file, label, source, parts[source]))
        hashes.append(difference_hash(image))
    rank = {"apart": 0, "validation": 1, "train": 2}
    kept: list[Photograph] = []
    for photograph, own in zip(photographs, hashes, strict=True):
        held = [
            other
            for p, other in zip(photographs, hashes, strict=True)
            if rank[p.part] < rank[photograph.part]
        ]
        if all(int(np.count_nonzero(own != other)) > SAME_PICTURE_BITS for other in held):
            kept.append(photograph)
    return kept
