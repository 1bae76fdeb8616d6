"""Cut a figure out of a photograph with GrabCut, and judge the cut."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

WORK_PX = 320
"""GrabCut runs on the box and its surroundings at this size: finer is slow and no better."""

FEATHER_PX = 1.2


@dataclass(frozen=True, slots=True)
class Cutout:
    """A figure without its background.

    Attributes:
        colour: (H, W, 3) uint8 BGR, tight around the figure.
        alpha: (H, W) uint8, 255 inside the figure.
        plain: how even the background around the figure is: standard deviation of its grey.
        filled: share of the label's box that the figure covers.
        cut_sides: how many of the box's sides (not the lower) the mask runs along.
    """

    colour: NDArray[np.uint8]
    alpha: NDArray[np.uint8]
    plain: float
    filled: float
    cut_sides: int

    @property
    def sound(self) -> bool:
        """Whether the cut has the proportions of a figure; the last word is the eye's."""
        height, width = self.alpha.shape
        return (
            0.22 <= self.filled <= 0.85 and self.cut_sides == 0 and 0.28 <= width / height <= 1.25
        )


def _largest(mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the largest connected part of a 0/1 mask, its holes closed."""
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
    if count < 2:
        return mask
    keep = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
    part = np.asarray(labels == keep, np.uint8)
    contours, _ = cv2.findContours(part, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    filled = part.copy()
    limit = 0.004 * part.size
    for contour in contours:
        # Small holes are glints and prints; large ones are the gap between arm and body.
        if cv2.contourArea(contour) < limit:
            cv2.drawContours(filled, [contour], -1, 1, cv2.FILLED)
    return filled


def cut_out(image: NDArray[np.uint8], box: NDArray[np.float32]) -> Cutout | None:
    """Cut the figure in a box out of a picture.

    Args:
        image: (H, W, 3) uint8 BGR.
        box: x0 y0 x1 y1 in pixels, loose around the figure.

    Returns:
        The cutout at the picture's own resolution, or None when nothing was left.
    """
    height, width = image.shape[:2]
    x0, y0, x1, y1 = (float(v) for v in box)
    pad = 0.12 * max(x1 - x0, y1 - y0)
    left, top = max(0, int(x0 - pad)), max(0, int(y0 - pad))
    right, bottom = min(width, int(x1 + pad)), min(height, int(y1 + pad))
    crop = np.ascontiguousarray(image[top:bottom, left:right])
    scale = WORK_PX / max(crop.shape[:2])
    small = np.asarray(cv2.resize(crop, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))
    rect = (
        max(1, round((x0 - left) * scale)),
        max(1, round((y0 - top) * scale)),
        max(2, round((x1 - x0) * scale)),
        max(2, round((y1 - y0) * scale)),
    )
    rect = (
        rect[0],
        rect[1],
        min(rect[2], small.shape[1] - rect[0] - 1),
        min(rect[3], small.shape[0] - rect[1] - 1),
    )
    marks = np.zeros(small.shape[:2], np.uint8)
    models = np.zeros((1, 65), np.float64), np.zeros((1, 65), np.float64)
    cv2.setRNGSeed(1)  # GrabCut seeds its mixtures from OpenCV's generator
    cv2.grabCut(small, marks, rect, models[0], models[1], 6, cv2.GC_INIT_WITH_RECT)
    found = np.asarray((marks == cv2.GC_FGD) | (marks == cv2.GC_PR_FGD), np.uint8)
    mask = _largest(found)
    if int(mask.sum()) < 400:
        return None
    inner = mask[rect[1] : rect[1] + rect[3], rect[0] : rect[0] + rect[2]]
    sides = (inner[0], inner[:, 0], inner[:, -1])
    cut_sides = sum(float(side.mean()) > 0.12 for side in sides)
    ring = np.ones(mask.shape, np.bool_)
    ring[rect[1] : rect[1] + rect[3], rect[0] : rect[0] + rect[2]] = False
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    plain = float(grey[ring].std()) if ring.any() else 255.0
    filled = float(inner.mean())

    soft = cv2.GaussianBlur(mask.astype(np.float32), (0, 0), FEATHER_PX)
    # Pull the edge inwards by about a pixel: the rim of a cut carries the old background.
    soft = np.clip((soft - 0.45) / 0.5, 0, 1)
    alpha = cv2.resize(soft, (crop.shape[1], crop.shape[0]), interpolation=cv2.INTER_LINEAR)
    rows, columns = np.where(alpha > 0.5)
    if rows.size == 0:
        return None
    window = np.s_[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
    return Cutout(
        colour=np.asarray(crop[window], np.uint8),
        alpha=np.asarray(alpha[window] * 255, np.uint8),
        plain=plain,
        filled=filled,
        cut_sides=cut_sides,
    )
