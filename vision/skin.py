"""Colour of skin, from pale to dark, in warm and cool light."""

from __future__ import annotations

from functools import cache
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Image

Mask: TypeAlias = NDArray[np.uint8]
"""(H, W), 0 or 255."""


BITS = 6
"""Colours are looked up with this many bits each."""


def skin(image: Image) -> Mask:
    """Pixels whose colour at least two of three models call skin.

    The models see hue against brightness differently: chroma (YCrCb) holds in even light, hue and
    saturation (HSV) in dim light, and the share of each colour (rg) for dark skin.

    Args:
        image: (H, W, 3) BGR.
    """
    coarse = (image >> (8 - BITS)).astype(np.int32)
    index = (coarse[..., 0] << (2 * BITS)) | (coarse[..., 1] << BITS) | coarse[..., 2]
    return np.asarray(_table()[index], dtype=np.uint8)


@cache
def _table() -> NDArray[np.uint8]:
    """The verdict on every colour."""
    steps = (np.arange(1 << BITS) << (8 - BITS)) + (1 << (7 - BITS))
    blue, green, red = np.meshgrid(steps, steps, steps, indexing="ij")
    colours = np.stack([blue, green, red], axis=-1).reshape(-1, 1, 3).astype(np.uint8)
    votes = (_chroma(colours) > 0).astype(np.uint8)
    votes += _hue(colours) > 0
    votes += _share(colours)
    return np.asarray((votes >= 2) * np.uint8(255), dtype=np.uint8).reshape(-1)


def _chroma(image: Image) -> Mask:
    ycc = cv2.cvtColor(image, cv2.COLOR_BGR2YCrCb)
    return np.asarray(cv2.inRange(ycc, (25, 136, 80), (255, 176, 127)), dtype=np.uint8)


def _hue(image: Image) -> Mask:
    hsv = cv2.cvtColor(image, cv2.COLOR_BGR2HSV)
    red_up = cv2.inRange(hsv, (0, 28, 30), (20, 180, 255))
    red_down = cv2.inRange(hsv, (167, 28, 30), (180, 180, 255))
    return np.asarray(cv2.bitwise_or(red_up, red_down), dtype=np.uint8)


def _share(image: Image) -> NDArray[np.bool_]:
    blue, green, red = (plane.astype(np.int32) for plane in cv2.split(image))
    total = blue + green + red
    bright = total > 75
    red_share = (red * 100 > 36 * total) & (red * 100 < 53 * total)
    green_share = (green * 100 > 26 * total) & (green * 100 < 36 * total)
    return np.asarray(bright & red_share & green_share & (red > green + 3), dtype=np.bool_)
