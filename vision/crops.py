"""Square pictures of single finds, all of one size."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detection import BoxPx
from vision.frames import Image

GREY = 114
"""What lies beyond the picture."""


LARGEST_PX = 4096
"""A larger square is not laid out at the picture's scale: it would not fit into memory."""


def square_around(box: BoxPx, margin: float) -> tuple[int, int, int]:
    """Which square of a picture is cut out for a box.

    Args:
        box: x0, y0, x1, y1 in edge-based pixels.
        margin: Side of the square, as a multiple of the box's longer side.

    Returns:
        Left edge, upper edge and side, whole pixels; it may reach beyond the picture.
    """
    x0, y0, x1, y1 = box
    half = max(x1 - x0, y1 - y0, 2.0) * margin / 2
    left, top = round((x0 + x1) / 2 - half), round((y0 + y1) / 2 - half)
    return left, top, max(2, round(2 * half))


def crop(image: Image, box: BoxPx, side_px: int, margin: float) -> NDArray[np.uint8]:
    """Cut out the square around a box.

    Args:
        image: (H, W, 3) BGR.
        box: x0, y0, x1, y1 in edge-based pixels.
        side_px: Side of what is returned.
        margin: Side of the square in the picture, as a multiple of the box's longer side.

    Returns:
        (side_px, side_px, 3) BGR.
    """
    left, top, size = square_around(box, margin)
    height, width = image.shape[:2]
    a, b = max(0, left), max(0, top)
    c, d = min(width, left + size), min(height, top + size)
    if size > LARGEST_PX:
        return _shrunk(image, (left, top), size, side_px)
    square = np.full((size, size, 3), GREY, dtype=np.uint8)
    if c > a and d > b:
        square[b - top : d - top, a - left : c - left] = image[b:d, a:c]
    how = cv2.INTER_AREA if size > side_px else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(square, (side_px, side_px), interpolation=how), dtype=np.uint8)


def _shrunk(image: Image, corner: tuple[int, int], size: int, side_px: int) -> NDArray[np.uint8]:
    """The same for a huge square: what the picture has of it is shrunk into its place."""
    height, width = image.shape[:2]
    square = np.full((side_px, side_px, 3), GREY, dtype=np.uint8)
    left, top = corner
    a, b = max(0, left), max(0, top)
    c, d = min(width, left + size), min(height, top + size)
    u, v, w, z = (round(n * side_px / size) for n in (a - left, b - top, c - left, d - top))
    if w > u and z > v:
        square[v:z, u:w] = cv2.resize(image[b:d, a:c], (w - u, z - v), interpolation=cv2.INTER_AREA)
    return square
