"""What a detector takes for something on labelled pictures, cut out and called by its true name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from zipfile import BadZipFile

import numpy as np

from vision.boxes import as_boxes, iou
from vision.crops import crop
from vision.families import KINDS, families_of
from vision.training.errors import TrainingError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from vision.detection import Detector
    from vision.training.mixture import Example

NOTHING = len(KINDS)
"""Index of what is no kind."""
SIDE_PX = 96
MARGIN = 1.8
"""More than the network sees, so that views can be shifted and scaled."""
SAME, OTHER = 0.5, 0.3
"""IoU from which a find is the labelled thing, and below which it is nothing; between, it is
left out."""
MISSED_SHARE = 0.5
"""Share of the labelled things that the detector missed that are cut out too."""


@dataclass(frozen=True, slots=True)
class Crops:
    """Finds of one set of pictures.

    Attributes:
        pictures: (N, SIDE_PX, SIDE_PX, 3) uint8 BGR.
        kinds: (N,) int64, index into ``KINDS``, or ``NOTHING``.
        scores: (N,) float32 of the detector; 1 for what it missed.
        found: (N,) int64 kind that the detector named; -1 for what it missed.
        heights: (N,) float32 of the box, px.
    """

    pictures: NDArray[np.uint8]
    kinds: NDArray[np.int64]
    scores: NDArray[np.float32]
    found: NDArray[np.int64]
    heights: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.kinds)

    def save(self, file: Path) -> None:
        """Write them, whole or not at all."""
        part = file.with_suffix(".part.npz")
        np.savez(
            part,
            pictures=self.pictures,
            kinds=self.kinds,
            scores=self.scores,
            found=self.found,
            heights=self.heights,
        )
        part.replace(file)


def read_crops(file: Path) -> Crops:
    """Read what ``Crops.save`` wrote.

    Raises:
        TrainingError: the file is missing or none of these.
    """
    try:
        with np.load(file, allow_pickle=False) as arrays:
            return Crops(*(arrays[name] for name in Crops.__dataclass_fields__))
    except (
        OSError,
        ValueError,
        KeyError,
        EOFError,
        TypeError,
        AttributeError,
        BadZipFile,
    ) as error:
        raise TrainingError(file, "is no file of crops") from error


def mine(
    detector: Detector,
    examples: Sequence[Example],
    seed: int,
    done: Callable[[int], None] = lambda _count: None,
    same: float = SAME,
) -> Crops:
    """Cut out what a detector finds, right or wrong, and some of what it misses.

    Args:
        detector: with a low threshold.
        examples: labelled pictures.
        seed: of the choice among what is missed.
        done: told the number of pictures done.
        same: IoU from which a find is the labelled thing: lower where boxes are drawn loosely.

    Raises:
        TrainingError: a picture or a label cannot be read.
    """
    rng = np.random.default_rng(seed)
    families = families_of(KINDS)
    rows: list[tuple[NDArray[np.uint8], int, float, int, float]] = []
    for count, example in enumerate(examples, 1):
        image, labels = example.read()
        finds = detector.detect(image)
        boxes = np.asarray(labels.boxes, np.float64)
        overlap = iou(as_boxes([f.box_px for f in finds]), boxes) if finds else None
        met = np.zeros(len(boxes), np.bool_)
        for at, find in enumerate(finds):
            named = KINDS.index(find.label)
            shared = np.zeros(0) if overlap is None else overlap[at]
            best = int(shared.argmax()) if len(shared) else -1
            share = float(shared[best]) if best >= 0 else 0.0
            if share >= same:
                truth = int(labels.kinds[best])
            elif share < OTHER:
                truth = NOTHING
            else:
                continue
            # a figure in the same place as a horse or a hand is judged by its own kin first
            if truth != NOTHING and families[truth] != families[named]:
                kin = [j for j in range(len(boxes)) if families[labels.kinds[j]] == families[named]]
                nearest = max((float(shared[j]) for j in kin), default=0.0)
                if nearest >= same:
                    best = max(kin, key=lambda j: float(shared[j]))
                    truth = int(labels.kinds[best])
                elif nearest >= OTHER:
                    continue
            if truth != NOTHING:
                met[best] = True
            x0, y0, x1, y1 = find.box_px
            square = crop(image, (x0, y0, x1, y1), SIDE_PX, MARGIN)
            rows.append((square, truth, find.score, named, y1 - y0))
        for missed in np.flatnonzero(~met).tolist():
            if rng.random() < MISSED_SHARE:
                x0, y0, x1, y1 = (float(v) for v in boxes[missed])
                square = crop(image, (x0, y0, x1, y1), SIDE_PX, MARGIN)
                rows.append((square, int(labels.kinds[missed]), 1.0, -1, y1 - y0))
        done(count)
    if not rows:
        raise TrainingError("crops", "the detector finds nothing, and nothing is labelled")
    return Crops(
        np.stack([row[0] for row in rows]),
        np.array([row[1] for row in rows], np.int64),
        np.array([row[2] for row in rows], np.float32),
        np.array([row[3] for row in rows], np.int64),
        np.array([row[4] for row in rows], np.float32),
    )
