"""Arithmetic on boxes: overlap, and whether one is the same thing as another."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.detection import BoxPx

Boxes = NDArray[np.float64]
"""(N, 4) x0, y0, x1, y1."""


def as_boxes(boxes: list[BoxPx] | tuple[BoxPx, ...] | Boxes) -> Boxes:
    """Boxes as an array, (0, 4) when there are none."""
    return np.asarray(boxes, dtype=np.float64).reshape(-1, 4)


def areas(boxes: Boxes) -> NDArray[np.float64]:
    """Area of each box, (N,) square pixels; 0 where it is inside out."""
    sides = np.clip(boxes[:, 2:] - boxes[:, :2], 0.0, None)
    return np.asarray(sides[:, 0] * sides[:, 1], dtype=np.float64)


def shared_areas(a: Boxes, b: Boxes) -> NDArray[np.float64]:
    """Area that each pair of boxes shares, (N, M) square pixels."""
    low = np.maximum(a[:, None, :2], b[None, :, :2])
    high = np.minimum(a[:, None, 2:], b[None, :, 2:])
    sides = np.clip(high - low, 0.0, None)
    return np.asarray(sides[..., 0] * sides[..., 1], dtype=np.float64)


def iou(a: Boxes, b: Boxes) -> NDArray[np.float64]:
    """Shared area over joint area of each pair, (N, M)."""
    shared = shared_areas(a, b)
    union = areas(a)[:, None] + areas(b)[None, :] - shared
    return np.asarray(shared / np.maximum(union, 1e-9), dtype=np.float64)
