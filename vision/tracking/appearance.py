"""What a figure looks like: soft colour histograms of its upper and lower half."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detection import BoxPx
from vision.frames import Image

Appearance = NDArray[np.float32]
"""(2, BINS): colour histogram of the upper and the lower half, each adding up to 1."""

_COLOURS = 7
_LIGHTS = 3
BINS = _COLOURS * _COLOURS * _LIGHTS
_WIDTH, _HEIGHT = 12, 24
_SPREAD = 14.0


def appearance(image: Image, box: BoxPx) -> Appearance:
    """Colours of what the box shows.

    The outer fifth on each side is left out, since it shows mostly table. Colour (a, b of Lab)
    weighs more than lightness, which changes with every shadow.

    Args:
        image: (H, W, 3) BGR.
        box: Pixels; parts outside the picture are passed over.

    Returns:
        (2, BINS) float32; flat where the box shows nothing.
    """
    height, width = image.shape[:2]
    side = 0.2 * (box[2] - box[0])
    x0, x1 = round(max(0.0, box[0] + side)), round(min(float(width), box[2] - side))
    y0, y1 = round(max(0.0, box[1])), round(min(float(height), box[3]))
    if x1 - x0 < 2 or y1 - y0 < 2:
        return np.full((2, BINS), 1.0 / BINS, dtype=np.float32)
    patch = cv2.resize(image[y0:y1, x0:x1], (_WIDTH, _HEIGHT), interpolation=cv2.INTER_AREA)
    lab = cv2.cvtColor(patch, cv2.COLOR_BGR2LAB).reshape(2, -1, 3).astype(np.float32)
    light = _soft((lab[:, :, 0] - 30.0) / 195.0 * (_LIGHTS - 1), _LIGHTS)
    a = _soft((lab[:, :, 1] - 128.0) / _SPREAD + (_COLOURS - 1) / 2, _COLOURS)
    b = _soft((lab[:, :, 2] - 128.0) / _SPREAD + (_COLOURS - 1) / 2, _COLOURS)
    bins = np.einsum("hpl,hpa,hpb->hlab", light, a, b).reshape(2, BINS)
    return np.asarray(bins / bins.sum(axis=1, keepdims=True), dtype=np.float32)


def _soft(values: NDArray[np.float32], bins: int) -> NDArray[np.float32]:
    """Share of each value in its two nearest bins, (..., bins)."""
    at = np.clip(values, 0.0, bins - 1.0)[..., None]
    return np.clip(1.0 - np.abs(at - np.arange(bins, dtype=np.float32)), 0.0, 1.0)


def unlikeness(a: Appearance, b: Appearance, turned: bool = False) -> float:
    """How different two looks are: mean Hellinger distance of the halves.

    Args:
        a: One look.
        b: The other.
        turned: One of them lies down, so that its halves say little; compare the wholes.

    Returns:
        0 for the same colours to 1 for none in common.
    """
    if turned:
        a, b = a.mean(axis=0, keepdims=True), b.mean(axis=0, keepdims=True)
    common = np.sqrt(a * b).sum(axis=1)
    return float(np.sqrt(np.clip(1.0 - common, 0.0, 1.0)).mean())


def blend(old: Appearance, new: Appearance, share: float) -> Appearance:
    """Running mean of looks."""
    return np.asarray((1.0 - share) * old + share * new, dtype=np.float32)
