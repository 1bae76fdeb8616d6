"""Box and keypoint labels of one training picture, read and written as YOLO-pose lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from vision.families import KINDS, families_of
from vision.training.errors import TrainingError

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

FAMILIES = families_of(KINDS)
"""(5,) number of each kind's family: boxes of one family that overlap are the same thing."""

KEYPOINTS = ("left_sole", "right_sole", "head_top", "left_hand", "right_hand")
"""Order of the keypoints; left and right are the figure's own."""

FLIP = (1, 0, 2, 4, 3)
"""Order of the keypoints after a picture is mirrored left to right."""


@dataclass(frozen=True, slots=True)
class Labels:
    """What one picture shows.

    Attributes:
        kinds: (N,) int64, index into ``KINDS``.
        boxes: (N, 4) float32, x0 y0 x1 y1 in pixels; the first pixel spans 0 to 1.
        points: (N, 5, 3) float32, x y in the same pixels and visibility: 2 seen, 1 hidden but
            known, 0 unknown. A figure whose points are all 0 has a box only.
    """

    kinds: NDArray[np.int64]
    boxes: NDArray[np.float32]
    points: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.boxes)

    def take(self, keep: NDArray[np.bool_] | list[int]) -> Labels:
        """Return the figures named by a mask or by indices."""
        return Labels(self.kinds[keep], self.boxes[keep], self.points[keep])


def no_labels() -> Labels:
    """Return the labels of a picture without figures."""
    return boxes_only(np.zeros((0, 4), np.float32))


def boxes_only(boxes: NDArray[np.float32]) -> Labels:
    """Return minifigures with the given (N, 4) pixel boxes and no keypoints."""
    return Labels(
        np.zeros(len(boxes), np.int64),
        boxes.astype(np.float32).reshape(-1, 4),
        np.zeros((len(boxes), len(KEYPOINTS), 3), np.float32),
    )


def read_labels(path: Path, width: int, height: int) -> Labels:
    """Read a label file with 5 (box) or 20 (box and keypoints) numbers a line.

    Args:
        path: the text file; an empty one is a picture without figures.
        width: width of the picture in pixels.
        height: height of the picture in pixels.

    Returns:
        The labels in pixels.

    Raises:
        TrainingError: the file is missing, or a line has another count of numbers or a kind
            that there is not.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise TrainingError(path, "cannot be read") from error
    kinds: list[int] = []
    boxes: list[list[float]] = []
    points: list[list[list[float]]] = []
    for line in text.splitlines():
        if not line.strip():
            continue
        try:
            numbers = [float(word) for word in line.split()]
        except ValueError as error:
            raise TrainingError(path, "holds a word that is not a number") from error
        if len(numbers) not in (5, 5 + 3 * len(KEYPOINTS)):
            raise TrainingError(path, f"has a line of {len(numbers)} numbers")
        if numbers[0] not in range(len(KINDS)):
            raise TrainingError(path, f"has a line of kind {numbers[0]:g}")
        kinds.append(int(numbers[0]))
        x, y, w, h = numbers[1:5]
        boxes.append(
            [
                (x - w / 2) * width,
                (y - h / 2) * height,
                (x + w / 2) * width,
                (y + h / 2) * height,
            ]
        )
        rest = numbers[5:] or [0.0] * (3 * len(KEYPOINTS))
        points.append(
            [[rest[i] * width, rest[i + 1] * height, rest[i + 2]] for i in range(0, len(rest), 3)]
        )
    if not boxes:
        return no_labels()
    return Labels(
        np.array(kinds, np.int64), np.array(boxes, np.float32), np.array(points, np.float32)
    )


def write_labels(path: Path, labels: Labels, width: int, height: int) -> None:
    """Write labels as YOLO-pose lines, relative to the picture's size."""
    lines: list[str] = []
    for kind, box, points in zip(labels.kinds, labels.boxes, labels.points, strict=True):
        x0, y0, x1, y1 = (float(v) for v in box)
        numbers = [
            (x0 + x1) / 2 / width,
            (y0 + y1) / 2 / height,
            (x1 - x0) / width,
            (y1 - y0) / height,
        ]
        words = [str(int(kind)), *(f"{n:.6f}" for n in numbers)]
        for px, py, seen in points:
            words += [f"{px / width:.6f}", f"{py / height:.6f}", str(int(seen))]
        lines.append(" ".join(words))
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")


def mirror(labels: Labels, width: int) -> Labels:
    """Return the labels of the picture mirrored left to right, sides swapped."""
    boxes = labels.boxes.copy()
    boxes[:, [0, 2]] = width - labels.boxes[:, [2, 0]]
    points = labels.points[:, list(FLIP)].copy()
    points[..., 0] = np.where(points[..., 2] > 0, width - points[..., 0], 0)
    return Labels(labels.kinds, boxes, points)
