"""The table as it looks without hands, learned slowly."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Image
from vision.skin import Mask

SLOW = 0.02
MOTION_STEP = 10
"""Grey levels a pixel must change by between two pictures to count as moving."""
NOISE = 14
STEP_NOISES = 4.0
TABLE_NOISES = 3.0
"""Both limits are at least this many times the usual step between two pictures."""
RELATIVE_NOISE = 0.06
"""A pixel differs from the table by more than NOISE grey levels plus this share of its own."""
SHADOW_DARKEST = 0.3
SKIN_SHADOW_DARKEST = 0.66
SHADOW_BRIGHTER = 1.1
SHADOW_TINT = 0.08
SKIN_SHADOW_TINT = 0.02
"""A shadow leaves a pixel no less of its light than DARKEST, makes no colour BRIGHTER than that,
and moves the colours' shares of the light by less than TINT; tighter for the colour of skin."""


class Background:
    """Running picture of the table at the finder's resolution."""

    def __init__(self, small: Image) -> None:
        """Start from the first picture.

        Args:
            small: (h, w, 3) BGR.
        """
        self._mean = small.astype(np.float32)
        self._previous = small.copy()
        self._unknown = np.zeros(small.shape[:2], dtype=np.uint8)
        self._noise: float | None = None

    def hide(self, mask: Mask) -> None:
        """Mark where something stands before the table, so that the table is not known there."""
        self._unknown |= mask

    def unknown(self, window: tuple[slice, slice], mask: Mask) -> float:
        """Share of a part, given by its mask in a window, where the table is not known."""
        area = np.count_nonzero(mask)
        return np.count_nonzero(self._unknown[window] & mask) / area if area else 0.0

    @property
    def picture(self) -> Image:
        """(h, w, 3) BGR as it is thought to be."""
        return np.asarray(cv2.convertScaleAbs(self._mean), dtype=np.uint8)

    def motion(self, small: Image) -> Mask:
        """Pixels that changed since the last picture; remembers this one."""
        step = _largest(cv2.absdiff(small, self._previous))
        self._previous = small.copy()
        # Most of the picture is still, so the usual step is the camera's noise.
        noise = float(np.median(step[::4, ::4]))
        self._noise = noise if self._noise is None else 0.8 * self._noise + 0.2 * noise
        limit = max(MOTION_STEP, STEP_NOISES * self._noise)
        return np.asarray(cv2.threshold(step, limit, 255, cv2.THRESH_BINARY)[1], dtype=np.uint8)

    def different(self, small: Image, colour: Mask) -> Mask:
        """Pixels that are not the table, shadows on it left out.

        Args:
            small: (h, w, 3) BGR.
            colour: Skin, which decides where the table is not known.
        """
        table = self._lit_like(small)
        change = _largest(cv2.absdiff(small, table))
        bright = _largest(table)
        floor = max(NOISE, TABLE_NOISES * (self._noise or 0.0))
        limit = cv2.addWeighted(bright, RELATIVE_NOISE, bright, 0, floor)
        apart = change > limit
        rows, columns = np.nonzero(apart)
        now = small[rows, columns].astype(np.float32) + 1
        was = table[rows, columns].astype(np.float32) + 1
        light_now = now.sum(axis=1, keepdims=True)
        light_was = was.sum(axis=1, keepdims=True)
        dimmed = (light_now / light_was)[:, 0]
        tint = np.abs(now / light_now - was / light_was).max(axis=1)
        # A shadow on wood and a dark arm on wood differ by little: there the limits are tighter.
        toned = colour[rows, columns] > 0
        shadow = (dimmed < 1.0) & (dimmed > np.where(toned, SKIN_SHADOW_DARKEST, SHADOW_DARKEST))
        shadow &= (now < SHADOW_BRIGHTER * was).all(axis=1)
        shadow &= tint < np.where(toned, SKIN_SHADOW_TINT, SHADOW_TINT) + 3 / light_now[:, 0]
        apart[rows[shadow], columns[shadow]] = False
        if self._unknown.any():
            apart = np.where(self._unknown > 0, colour > 0, apart)
        return np.asarray(apart * np.uint8(255), dtype=np.uint8)

    def _lit_like(self, small: Image) -> Image:
        """The table as it would look in this picture's light, judged by the usual pixel."""
        now = small[::8, ::8].reshape(-1, 3).astype(np.float32) + 1
        was = self._mean[::8, ::8].reshape(-1, 3) + 1
        gain = np.median(now / was, axis=0)
        if np.all(np.abs(gain - 1) < 0.02):
            return self.picture
        return np.asarray(np.clip(self._mean * gain, 0, 255), dtype=np.uint8)

    def learn(self, small: Image, still: Mask, at_once: Mask) -> None:
        """Take in a picture.

        Args:
            small: (h, w, 3) BGR.
            still: Where nothing but the table is, to be taken in slowly.
            at_once: Where the table has been laid bare or changed, to be taken in whole.
        """
        cv2.accumulateWeighted(small, self._mean, SLOW, mask=still)
        bare = (at_once > 0) | ((self._unknown > 0) & (still > 0))
        if bare.any():
            self._mean[bare] = small[bare]
            self._unknown[bare] = 0


def _largest(image: NDArray[Any]) -> Mask:
    """Largest of the three colours of each pixel."""
    blue, green, red = cv2.split(image)
    return np.asarray(cv2.max(cv2.max(blue, green), red), dtype=np.uint8)
