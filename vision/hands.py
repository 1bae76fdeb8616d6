"""Hands and arms of players over the table, from motion, skin and entry at the border."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.background import Background
from vision.blobs import Blob, blobs_of
from vision.detection import BoxPx, Hand
from vision.entering import entering_skin
from vision.frames import Image
from vision.skin import Mask, skin

WORK_SIDE_PX = 480
"""The longer side is brought near this: enough for a hand, cheap enough for every frame."""
BRIGHTNESS = 120
MAX_GAIN = 6.0
"""A dim picture is brightened so that its lighter quarter comes near this grey."""
MIN_SHARE = 0.003
"""A hand is larger than this share of the picture ..."""
FIGURES = 2.5
"""... and than this many figures ..."""
BORDER_PART = 0.05
"""... or this part of that where it comes in over the border, since less of it is seen."""
MAX_SHARE = 0.5
LOOSE_SKIN = 0.35
"""A blob away from the border needs this share of skin."""
MOVING = 0.01
MOVES = 2
SMALL = 0.2
"""A hand moves by and by: this share of it in so many of the last four pictures. What jumps once
and stands is a toy between two pictures of a stop-motion film, or the light. What is smaller than
this part of a hand must move in one more."""
KEPT = 0.3
"""What covers this share of its place in the picture before is the same hand."""
SETTLED_FRAMES = 5
"""What is no hand and has been still for this long is part of the table."""
STATIC_FRAMES = 90
"""A hand in which nothing has moved for this long is part of the table."""
DOUBTFUL_FRAMES = 25
"""The same for what was taken for a hand in the first picture."""
CONFIRMED_FRAMES = 4
"""Where nothing has been still for this long yet, what has moved lately counts as not table: it
may have been there from the first picture on."""
RELEARN_FRAMES = 45
"""How often the table is searched for the colour of skin."""
CUT_SHARE = 0.6
GHOST_OUTLINE = 0.5
GHOST_CONTRAST = 0.7
GHOST_FRAMES = 3
"""Where a hand has left, the remembered picture has its outline on at least this share of the
way round, today's picture on less than this share of that, for so many pictures."""
EDGE = 40.0
"""Grey levels (Sobel) that make an edge."""
JOIN = 7
"""Gaps up to this many working pixels inside a hand are closed."""
FIRST_SCORE = 0.4


class HandFinder:
    """Keeps its picture of the table between calls; one for each camera or video."""

    def __init__(self) -> None:
        nothing = np.zeros((1, 1), dtype=np.uint8)
        self._background = Background(np.zeros((1, 1, 3), dtype=np.uint8))
        self._table_skin = nothing
        self._frames = 0
        self._history = nothing
        self._quiet = nothing
        self._unseen = nothing
        self._covered = nothing
        self._ghost = nothing
        self._scale = 1.0
        self._gain = 1.0

    def find(self, image: Image, figures: Sequence[BoxPx] = ()) -> list[Hand]:
        """Hands in the next picture.

        Args:
            image: (H, W, 3) BGR.
            figures: Boxes of the figures in it: what is no larger than they are is no hand.

        Returns:
            Boxes around hand and forearm as far as they are in the picture, best first.
        """
        small = self._shrink(image)
        if self._covered.shape != small.shape[:2]:
            return self._first(small, figures)
        self._frames += 1
        small = self._brighten(small)
        colour = skin(small)
        motion = self._background.motion(small)
        apart = self._background.different(small, colour)
        if cv2.countNonZero(apart) > CUT_SHARE * apart.size:
            return self._first(self._shrink(image), figures)
        self._history = (self._history << np.uint8(1)) | (motion > 0)
        self._quiet = np.minimum(self._quiet, 254) + np.uint8(1)
        self._quiet[motion > 0] = 0
        self._unseen &= _mask(self._quiet < CONFIRMED_FRAMES)
        apart[(self._history > 0) & (self._unseen > 0)] = 255
        if self._frames % RELEARN_FRAMES == 0:
            self._table_skin = skin(self._background.picture)
        return self._judge(small, apart, colour, figures)

    def covered(self, box: BoxPx) -> float:
        """Share of a box that hands of the last picture cover, 0 to 1."""
        part = self._part(self._covered, box)
        return float(np.count_nonzero(part)) / part.size if part.size else 0.0

    def stirred(self, box: BoxPx) -> bool:
        """Whether something in a box has moved lately, or may have before the first picture."""
        part = self._part(self._quiet, box)
        return int(np.count_nonzero(part < STATIC_FRAMES)) > MOVING * part.size

    def _part(self, mask: Mask, box: BoxPx) -> Mask:
        x0, y0, x1, y1 = (round(edge * self._scale) for edge in box)
        return mask[max(y0, 0) : max(y1, y0 + 1, 0), max(x0, 0) : max(x1, x0 + 1, 0)]

    def _shrink(self, image: Image) -> Image:
        small, self._scale = image, 1.0
        while max(small.shape[:2]) >= 1.5 * WORK_SIDE_PX:
            size = (small.shape[1] // 2, small.shape[0] // 2)
            # At one half, bilinear is the mean of four pixels, at a fraction of area's cost.
            small = np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_LINEAR), np.uint8)
            self._scale /= 2
        return small

    def _brighten(self, small: Image) -> Image:
        if self._gain < 1.25:
            return small
        calm = cv2.blur(small, (3, 3))  # noise is brightened as well
        return np.asarray(cv2.convertScaleAbs(calm, alpha=self._gain), dtype=np.uint8)

    def _first(self, small: Image, figures: Sequence[BoxPx]) -> list[Hand]:
        """Start anew: only colour and shape can tell a hand that is there already."""
        light = float(np.percentile(small[::4, ::4].max(axis=2), 75))
        self._gain = min(max(BRIGHTNESS / max(light, 1.0), 1.0), MAX_GAIN)
        small = self._brighten(small)
        colour = skin(small)
        self._background = Background(small)
        self._table_skin = colour
        self._frames = 0
        self._history = np.zeros(small.shape[:2], dtype=np.uint8)
        self._quiet = np.zeros(small.shape[:2], dtype=np.uint8)
        self._unseen = np.ones(small.shape[:2], dtype=np.uint8)
        self._covered = np.zeros(small.shape[:2], dtype=np.uint8)
        self._ghost = np.zeros(small.shape[:2], dtype=np.uint8)
        for mask in entering_skin(small, colour, self._min_area(small, figures)):
            self._covered |= mask
        hidden = _mask(cv2.dilate(self._covered, _disc(JOIN)))
        self._background.hide(hidden)
        self._table_skin = colour & ~hidden
        return self._hands([(blob, FIRST_SCORE) for blob in blobs_of(self._covered)])

    def _judge(
        self, small: Image, apart: Mask, colour: Mask, figures: Sequence[BoxPx]
    ) -> list[Hand]:
        """Tell hands from figures, shadows and ghosts, and learn the rest."""
        opened = cv2.morphologyEx(apart, cv2.MORPH_OPEN, _disc(3))
        solid = _mask(cv2.morphologyEx(opened, cv2.MORPH_CLOSE, _disc(JOIN)))
        new_skin = colour & ~self._table_skin
        bare, covered = np.zeros_like(apart), np.zeros_like(apart)
        toys = self._figure_mask(apart.shape, figures)
        limit = self._min_area(small, figures)
        kept: list[tuple[Blob, float]] = []
        for blob in blobs_of(solid):
            outside = cv2.countNonZero(blob.mask & ~toys[blob.window])
            least = limit * BORDER_PART if blob.border else limit
            if outside < least or blob.area > MAX_SHARE * apart.size:
                continue
            if self._is_table(blob, small):
                bare[blob.window] |= blob.mask
                continue
            toned = blob.share(new_skin)
            if self._is_hand(blob, toned, outside / limit):
                covered[blob.window] |= blob.mask
                kept.append((blob, self._score(blob, toned)))
        self._covered = covered
        still = self._away_from(kept, apart.shape)
        bare |= _mask((self._quiet >= SETTLED_FRAMES) & (still > 0) & (apart > 0)) * np.uint8(255)
        self._background.learn(small, still, bare)
        return self._hands(kept)

    def _is_hand(self, blob: Blob, toned: float, size: float) -> bool:
        """Whether what is not table is a hand.

        Args:
            blob: Not table.
            toned: Share of it that is skin where the table is not.
            size: Its area in smallest hands.
        """
        if not blob.border and (toned < LOOSE_SKIN or size < 1.5):
            return False
        if blob.share(self._covered) >= KEPT:
            return True
        return blob.moves(self._history, MOVING) >= (MOVES if size >= SMALL else MOVES + 1)

    def _away_from(self, kept: Sequence[tuple[Blob, float]], shape: tuple[int, ...]) -> Mask:
        """Everything but the boxes of hands: a hand may be missed in parts."""
        still = np.full(shape, 255, dtype=np.uint8)
        for blob, _ in kept:
            x0, y0, x1, y1 = blob.box
            still[max(y0 - JOIN, 0) : y1 + JOIN, max(x0 - JOIN, 0) : x1 + JOIN] = 0
        return still

    def _is_table(self, blob: Blob, small: Image) -> bool:
        """Whether the blob is table that a hand has left, or has become part of the table."""
        doubtful = self._background.unknown(blob.window, blob.mask) > 0.5
        patience = DOUBTFUL_FRAMES if doubtful else STATIC_FRAMES
        recent = np.count_nonzero((self._quiet[blob.window] < patience) & (blob.mask > 0))
        if recent < MOVING * blob.area:
            return True
        own = (self._history[blob.window] & 1) & (blob.mask & 1)
        if doubtful or np.count_nonzero(own) > 3 * MOVING * blob.area:
            return False
        now = _outlined(blob.mask, small[blob.window])
        before = _outlined(blob.mask, self._background.picture[blob.window])
        ghost = self._ghost[blob.window]
        if before < GHOST_OUTLINE or now > GHOST_CONTRAST * before:
            ghost[blob.mask > 0] = 0
            return False
        ghost[blob.mask > 0] += 1
        return int(np.median(ghost[blob.mask > 0])) >= GHOST_FRAMES

    def _score(self, blob: Blob, toned: float) -> float:
        moving = blob.moves(self._history, 5 * MOVING) / 4
        return 0.4 + (0.2 if blob.border else 0.0) + 0.2 * min(1.0, toned / 0.5) + 0.2 * moving

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


def _outlined(mask: Mask, part: Image) -> float:
    """Share of a blob's outline along which a picture has an edge, 0 to 1."""
    grey = cv2.cvtColor(part, cv2.COLOR_BGR2GRAY)
    across = cv2.Sobel(grey, cv2.CV_32F, 1, 0)
    down = cv2.Sobel(grey, cv2.CV_32F, 0, 1)
    edges = _mask(cv2.dilate(_mask(cv2.magnitude(across, down) > EDGE), _disc(5)))
    # The picture's border is no outline: pad with the blob's own outermost pixels.
    padded = cv2.copyMakeBorder(mask, 1, 1, 1, 1, cv2.BORDER_REPLICATE)
    outline = (mask > 0) & (cv2.erode(padded, _disc(3))[1:-1, 1:-1] == 0)
    count = np.count_nonzero(outline)
    return float(np.count_nonzero(edges[outline])) / count if count else 0.0


def _disc(size: int) -> Mask:
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), dtype=np.uint8)
