"""Hands and arms of players over the table, from motion, skin and entry at the border."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.background import Background
from vision.detection import BoxPx, Hand
from vision.entering import entering_skin
from vision.frames import Image
from vision.skin import Mask, skin

WORK_SIDE_PX = 480
"""The longer side is brought near this: enough for a hand, cheap enough for every frame."""
MIN_SHARE = 0.003
"""A hand is larger than this share of the picture ..."""
MAX_SHARE = 0.5
FIGURES = 2.5
"""... and than this many figures."""
LOOSE_SKIN = 0.35
"""A blob away from the border needs this share of skin."""
YOUNG_FRAMES = 45
TRAIL_FRAMES = 12
"""While the background is young, what moved within the last frames counts as not table."""
STATIC_FRAMES = 90
"""A blob in which nothing has moved for this long belongs to the table now."""
DOUBTFUL_FRAMES = 25
"""The same for what was there from the first picture on."""
CUT_SHARE = 0.6
GHOST = 1.4
"""Where a hand has left, the remembered picture has this much more of an outline than today's."""
JOIN = 7
"""Gaps up to this many working pixels inside a hand are closed."""


@dataclass(frozen=True, slots=True)
class Blob:
    """A connected part that is not the table.

    Attributes:
        mask: (h, w), within ``box`` only.
        box: x0, y0, x1, y1 in working pixels.
        area: Working pixels.
        border: How many of its pixels lie on the picture's border.
        skin: Share of it that has the colour of skin.
        moving: Share of it that moved since the last picture.
    """

    mask: Mask
    box: tuple[int, int, int, int]
    area: int
    border: int
    skin: float
    moving: float

    @property
    def window(self) -> tuple[slice, slice]:
        """Its box as an index of the working picture."""
        x0, y0, x1, y1 = self.box
        return slice(y0, y1), slice(x0, x1)


class HandFinder:
    """Keeps its picture of the table between calls; one for each camera or video."""

    def __init__(self) -> None:
        self._background = Background(np.zeros((1, 1, 3), dtype=np.uint8))
        self._frames = 0
        self._trail = np.zeros((0, 0), dtype=np.uint8)
        self._quiet = np.zeros((0, 0), dtype=np.uint8)
        self._covered = np.zeros((0, 0), dtype=np.uint8)
        self._scale = 1.0

    def find(self, image: Image, figures: Sequence[BoxPx] = ()) -> list[Hand]:
        """Hands in the next picture.

        Args:
            image: (H, W, 3) BGR.
            figures: Boxes of the figures in it: what is no larger than they are is no hand.

        Returns:
            Boxes around hand and forearm as far as they are in the picture, best first.
        """
        small = self._shrink(image)
        colour = skin(small)
        if self._covered.shape != small.shape[:2]:
            return self._first(small, colour, figures)
        self._frames += 1
        motion = self._background.motion(small)
        apart = self._background.different(small, colour)
        if cv2.countNonZero(apart) > CUT_SHARE * apart.size:
            return self._first(small, colour, figures)
        self._trail[self._trail > 0] -= 1
        self._trail[motion > 0] = TRAIL_FRAMES
        if self._frames < YOUNG_FRAMES:
            apart[self._trail > 0] = 255
        return self._judge(small, apart, colour, motion, figures)

    def covered(self, box: BoxPx) -> float:
        """Share of a box that hands of the last picture cover, 0 to 1."""
        x0, y0, x1, y1 = (round(edge * self._scale) for edge in box)
        part = self._covered[max(y0, 0) : max(y1, y0 + 1), max(x0, 0) : max(x1, x0 + 1)]
        return float(np.count_nonzero(part)) / part.size if part.size else 0.0

    def _shrink(self, image: Image) -> Image:
        small, self._scale = image, 1.0
        while max(small.shape[:2]) >= 1.5 * WORK_SIDE_PX:
            size = (small.shape[1] // 2, small.shape[0] // 2)
            # At one half, bilinear is the mean of four pixels, at a fraction of area's cost.
            small = np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_LINEAR), np.uint8)
            self._scale /= 2
        return small

    def _first(self, small: Image, colour: Mask, figures: Sequence[BoxPx]) -> list[Hand]:
        """Start anew: only colour and shape can tell a hand that is there already."""
        self._background = Background(small)
        self._frames = 0
        self._trail = np.zeros(small.shape[:2], dtype=np.uint8)
        self._quiet = np.zeros(small.shape[:2], dtype=np.uint8)
        self._covered = np.zeros(small.shape[:2], dtype=np.uint8)
        limit = self._min_area(small, figures)
        for mask in entering_skin(small, colour, limit):
            self._covered |= mask
        self._background.hide(_mask(cv2.dilate(self._covered, _disc(JOIN))))
        found = [
            self._blob(self._covered, part, colour, colour * 0) for part in parts_of(self._covered)
        ]
        return self._hands([(blob, 0.4) for blob in found])

    def _judge(
        self, small: Image, apart: Mask, colour: Mask, motion: Mask, figures: Sequence[BoxPx]
    ) -> list[Hand]:
        """Tell hands from figures, shadows and ghosts, and learn the rest."""
        opened = cv2.morphologyEx(apart, cv2.MORPH_OPEN, _disc(3))
        solid = _mask(cv2.morphologyEx(opened, cv2.MORPH_CLOSE, _disc(JOIN)))
        self._quiet = np.minimum(self._quiet, 254) + np.uint8(1)
        self._quiet[motion > 0] = 0
        bare = np.zeros_like(apart)
        covered = np.zeros_like(apart)
        toys = self._figure_mask(apart.shape, figures)
        limit = self._min_area(small, figures)
        kept: list[tuple[Blob, float]] = []
        for part in parts_of(solid):
            blob = self._blob(solid, part, colour, motion)
            outside = cv2.countNonZero(blob.mask & ~toys[blob.window])
            if outside < limit or blob.area > MAX_SHARE * apart.size:
                continue
            if self._is_table(blob, small):
                bare[blob.window] |= blob.mask
            elif blob.border or (blob.skin >= LOOSE_SKIN and outside >= 1.5 * limit):
                covered[blob.window] |= blob.mask
                kept.append((blob, _score(blob)))
        self._covered = covered
        still = _mask(cv2.bitwise_not(cv2.dilate(covered, _disc(JOIN))))
        self._background.learn(small, still, bare)
        return self._hands(kept)

    def _is_table(self, blob: Blob, small: Image) -> bool:
        """Whether the blob is table that a hand has left, or has become part of the table."""
        doubtful = self._background.unknown(blob.window, blob.mask) > 0.5
        patience = DOUBTFUL_FRAMES if doubtful else STATIC_FRAMES
        recent = np.count_nonzero((self._quiet[blob.window] < patience) & (blob.mask > 0))
        if recent < 0.01 * blob.area:
            return True
        if blob.moving > 0.03:
            return False
        outline = cv2.morphologyEx(blob.mask, cv2.MORPH_GRADIENT, _disc(5)) > 0
        now = _edges(small[blob.window])[outline].sum()
        before = _edges(self._background.picture[blob.window])[outline].sum()
        return bool(before > GHOST * now)

    def _blob(
        self, solid: Mask, part: tuple[Mask, tuple[int, int, int, int]], colour: Mask, motion: Mask
    ) -> Blob:
        mask, box = part
        window = (slice(box[1], box[3]), slice(box[0], box[2]))
        area = cv2.countNonZero(mask)
        height, width = solid.shape
        border = 0
        if box[0] <= 1:
            border += cv2.countNonZero(mask[:, 0])
        if box[1] <= 1:
            border += cv2.countNonZero(mask[0, :])
        if box[2] >= width - 1:
            border += cv2.countNonZero(mask[:, -1])
        if box[3] >= height - 1:
            border += cv2.countNonZero(mask[-1, :])
        toned = cv2.countNonZero(mask & colour[window]) / area
        moving = cv2.countNonZero(mask & motion[window]) / area
        return Blob(mask, box, area, border, toned, moving)

    def _min_area(self, small: Image, figures: Sequence[BoxPx]) -> float:
        least = float(MIN_SHARE * small.shape[0] * small.shape[1])
        if figures:
            areas = [(x1 - x0) * (y1 - y0) * self._scale**2 for x0, y0, x1, y1 in figures]
            least = max(least, FIGURES * float(np.median(areas)))
        return least

    def _figure_mask(self, shape: tuple[int, ...], figures: Sequence[BoxPx]) -> Mask:
        mask = np.zeros(shape, dtype=np.uint8)
        for figure in figures:
            x0, y0, x1, y1 = (round(edge * self._scale) for edge in figure)
            mask[max(y0, 0) : max(y1, 0), max(x0, 0) : max(x1, 0)] = 255
        return mask

    def _hands(self, blobs: Sequence[tuple[Blob, float]]) -> list[Hand]:
        ordered = sorted(blobs, key=lambda item: (-item[1], item[0].box))
        up = 1 / self._scale
        return [
            Hand((blob.box[0] * up, blob.box[1] * up, blob.box[2] * up, blob.box[3] * up), score)
            for blob, score in ordered
        ]


def _mask(array: NDArray[Any]) -> Mask:
    return np.asarray(array, dtype=np.uint8)


def parts_of(mask: Mask) -> list[tuple[Mask, tuple[int, int, int, int]]]:
    """Connected parts: each one's mask cut to its box, and the box."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    parts = []
    for index in range(1, count):
        x, y, width, height, area = (int(value) for value in stats[index])
        if area < 50:
            continue
        cut = labels[y : y + height, x : x + width] == index
        parts.append(((cut * np.uint8(255)).astype(np.uint8), (x, y, x + width, y + height)))
    return parts


def _score(blob: Blob) -> float:
    border = 0.2 if blob.border else 0.0
    return 0.4 + border + 0.2 * min(1.0, blob.skin / 0.5) + 0.2 * min(1.0, blob.moving / 0.05)


def _edges(part: Image) -> NDArray[np.float32]:
    grey = cv2.cvtColor(part, cv2.COLOR_BGR2GRAY)
    across = cv2.Sobel(grey, cv2.CV_32F, 1, 0)
    down = cv2.Sobel(grey, cv2.CV_32F, 0, 1)
    return np.asarray(cv2.magnitude(across, down), dtype=np.float32)


def _disc(size: int) -> Mask:
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), dtype=np.uint8)
