"""Connected parts of a mask, with what tells a hand from other things."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.skin import Mask

BoxCells = tuple[int, int, int, int]
LEAST_AREA = 40
RECENT_BITS = (1, 2, 4, 8)


@dataclass(frozen=True, slots=True)
class Blob:
    """A connected part that is not the table.

    Attributes:
        mask: (y1 - y0, x1 - x0), its pixels within ``box``.
        box: x0, y0, x1, y1 in working pixels.
        area: Working pixels.
        border: How many of its pixels lie on the picture's border.
    """

    mask: Mask
    box: BoxCells
    area: int
    border: int

    @property
    def window(self) -> tuple[slice, slice]:
        """Its box as an index of the working picture."""
        x0, y0, x1, y1 = self.box
        return slice(y0, y1), slice(x0, x1)

    def share(self, other: Mask) -> float:
        """Share of the blob that another mask of the whole picture covers."""
        return cv2.countNonZero(self.mask & other[self.window]) / self.area

    def moves(self, history: Mask, least: float) -> int:
        """In how many of the last four pictures at least that share of it moved.

        Args:
            history: Of each pixel, one bit for each of the last pictures in which it changed,
                the newest lowest, (h, w).
            least: Share of the blob.
        """
        own = history[self.window][self.mask > 0]
        return sum(bool(np.count_nonzero(own & bit) >= least * self.area) for bit in RECENT_BITS)


def blobs_of(mask: Mask) -> list[Blob]:
    """Connected parts, tiny ones left out.

    Args:
        mask: (h, w), 0 or 255.
    """
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    found = []
    for index in range(1, count):
        x, y, width, height, area = (int(value) for value in stats[index])
        if area < LEAST_AREA:
            continue
        part = labels[y : y + height, x : x + width] == index
        own = (part * np.uint8(255)).astype(np.uint8)
        box = (x, y, x + width, y + height)
        found.append(Blob(own, box, area, _on_border(own, box, mask.shape)))
    return found


def _on_border(mask: Mask, box: BoxCells, shape: tuple[int, ...]) -> int:
    height, width = shape[:2]
    count = 0
    if box[0] <= 1:
        count += cv2.countNonZero(np.ascontiguousarray(mask[:, 0]))
    if box[1] <= 1:
        count += cv2.countNonZero(np.ascontiguousarray(mask[0]))
    if box[2] >= width - 1:
        count += cv2.countNonZero(np.ascontiguousarray(mask[:, -1]))
    if box[3] >= height - 1:
        count += cv2.countNonZero(np.ascontiguousarray(mask[-1]))
    return count
