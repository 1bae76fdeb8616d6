"""What a detector takes for something on labelled pictures, cut out and called by its true name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from zipfile import BadZipFile

import numpy as np

from vision.boxes import as_boxes, iou
from vision.crops import crop, square_around
from vision.families import KINDS
from vision.training.errors import TrainingError
from vision.training.labels import FAMILIES, KEYPOINTS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from vision.detection import BoxPx, Detection
    from vision.frames import Image
    from vision.training.labels import Labels
    from vision.training.mixture import Example

NOTHING = len(KINDS)
"""Index of what is no kind."""
SIDE_PX = 96
MARGIN = 1.8
"""More than the network sees, so that views can be shifted and scaled."""
SAME, OTHER = 0.5, 0.3
"""IoU from which a find is the labelled thing, and below which it is nothing; between, it is a bad
find of it."""
MISSED_SHARE = 0.5
"""Share of the labelled things that the detector missed that are cut out too."""


@dataclass(frozen=True, slots=True)
class Crops:
    """Finds of one set of pictures.

    Attributes:
        pictures: (N, SIDE_PX, SIDE_PX, 3) uint8 BGR.
        kinds: (N,) int64, index into ``KINDS`` of the labelled thing it is, well found or badly,
            or ``NOTHING``.
        overlaps: (N,) float32 IoU of the find and the thing; 1 where it is drawn loosely.
        scores: (N,) float32 of the detector; 1 for what it missed.
        found: (N,) int64 kind that the detector named; -1 for what it missed.
        heights: (N,) float32 of the box, px.
        boxes: (N, 4) float32 of the labelled thing, in sides of the square from its upper left
            corner; not a number where there is none or it is drawn loosely.
        points: (N, K, 3) float32 keypoints of the thing likewise, and their visibility, 0 where
            unknown.
    """

    pictures: NDArray[np.uint8]
    kinds: NDArray[np.int64]
    overlaps: NDArray[np.float32]
    scores: NDArray[np.float32]
    found: NDArray[np.int64]
    heights: NDArray[np.float32]
    boxes: NDArray[np.float32]
    points: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.kinds)

    def save(self, file: Path) -> None:
        """Write them, whole or not at all."""
        part = file.with_suffix(".part.npz")
        np.savez(
            part,
            pictures=self.pictures,
            kinds=self.kinds,
            overlaps=self.overlaps,
            scores=self.scores,
            found=self.found,
            heights=self.heights,
            boxes=self.boxes,
            points=self.points,
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
    propose: Callable[[Image], Sequence[Detection]],
    examples: Sequence[Example],
    seed: int,
    done: Callable[[int], None] = lambda _count: None,
    same: float = SAME,
) -> Crops:
    """Cut out what a detector finds, right or wrong, and some of what it misses.

    Args:
        propose: what a detector with a low threshold proposes in a picture.
        examples: labelled pictures.
        seed: of the choice among what is missed.
        done: told the number of pictures done.
        same: IoU from which a find is the labelled thing: lower than usual where boxes are drawn
            loosely, and then nobody learns from the boxes.

    Raises:
        TrainingError: a picture or a label cannot be read.
    """
    rng = np.random.default_rng(seed)
    rows = _Rows(loose=same < SAME)
    for count, example in enumerate(examples, 1):
        image, labels = example.read()
        met = np.zeros(len(labels), np.bool_)
        for find in propose(image):
            truth, overlap = _truth(find, labels)
            if rows.loose and OTHER <= overlap < same:
                continue
            if overlap >= same:
                met[truth] = True
            rows.add(image, find.box_px, labels, truth, overlap, find)
        for missed in np.flatnonzero(~met).tolist():
            if rng.random() < MISSED_SHARE:
                x0, y0, x1, y1 = (float(v) for v in labels.boxes[missed])
                rows.add(image, (x0, y0, x1, y1), labels, missed, 1.0)
        done(count)
    return rows.crops()


def _truth(find: Detection, labels: Labels) -> tuple[int, float]:
    """Which labelled thing a find is, -1 for nothing, and the IoU of the two."""
    if not len(labels):
        return -1, 0.0
    shared = iou(as_boxes([find.box_px]), labels.boxes.astype(np.float64))[0]
    # a figure in the same place as a horse or a hand is judged by its own kin first
    own = np.where(FAMILIES[labels.kinds] == FAMILIES[KINDS.index(find.label)], shared, 0.0)
    best = int((own if own.max() >= OTHER else shared).argmax())
    overlap = float(shared[best])
    return (best if overlap >= OTHER else -1), overlap


class _Rows:
    """What has been cut out so far."""

    def __init__(self, loose: bool) -> None:
        self.loose = loose
        self._overlaps: list[float] = []
        self._pictures: list[NDArray[np.uint8]] = []
        self._kinds: list[int] = []
        self._scores: list[float] = []
        self._found: list[int] = []
        self._heights: list[float] = []
        self._boxes: list[NDArray[np.float32]] = []
        self._points: list[NDArray[np.float32]] = []

    def add(
        self,
        image: Image,
        box: BoxPx,
        labels: Labels,
        truth: int,
        overlap: float,
        find: Detection | None = None,
    ) -> None:
        """Cut out a box; ``truth`` is the number of its label, -1 for nothing."""
        left, top, side = square_around(box, MARGIN)
        corner = np.array([left, top], np.float32)
        own = np.full(4, np.nan, np.float32)
        points = np.zeros((len(KEYPOINTS), 3), np.float32)
        if truth >= 0 and not self.loose:
            own = ((labels.boxes[truth].reshape(2, 2) - corner) / side).reshape(4)
            points = labels.points[truth].copy()
            points[:, :2] = (points[:, :2] - corner) / side
        self._pictures.append(crop(image, box, SIDE_PX, MARGIN))
        self._kinds.append(int(labels.kinds[truth]) if truth >= 0 else NOTHING)
        self._overlaps.append(1.0 if self.loose and truth >= 0 else overlap)
        self._scores.append(1.0 if find is None else find.score)
        self._found.append(-1 if find is None else KINDS.index(find.label))
        self._heights.append(box[3] - box[1])
        self._boxes.append(own)
        self._points.append(points)

    def crops(self) -> Crops:
        """All of them.

        Raises:
            TrainingError: there are none.
        """
        if not self._kinds:
            raise TrainingError("crops", "the detector finds nothing, and nothing is labelled")
        return Crops(
            np.stack(self._pictures),
            np.array(self._kinds, np.int64),
            np.array(self._overlaps, np.float32),
            np.array(self._scores, np.float32),
            np.array(self._found, np.int64),
            np.array(self._heights, np.float32),
            np.stack(self._boxes),
            np.stack(self._points),
        )
