"""Pictures with lines on them: the calibration's grid, and small copies for the page."""

from __future__ import annotations

import math
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import Calibration
from vision.frames import Image

_GRID_MM: Final = 50.0
_GRID_LINES: Final = 60


def jpeg(image: Image, width: int | None = None, quality: int = 82) -> bytes:
    """Encode a picture.

    Args:
        image: (H, W, 3) BGR.
        width: Scale down to at most this width.
        quality: 1 to 100.
    """
    if width is not None and image.shape[1] > width:
        height = round(image.shape[0] * width / image.shape[1])
        image = np.asarray(cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA))
    _ok, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return bytes(data.tobytes())


def png(image: Image) -> bytes:
    """Encode a picture without loss."""
    _ok, data = cv2.imencode(".png", image)
    return bytes(data.tobytes())


def calibration_overlay(image: Image, calibration: Calibration) -> bytes:
    """The picture with a 5 cm grid, the origin and the axes, as PNG.

    Args:
        image: (H, W, 3) BGR.
        calibration: Of this picture.
    """
    canvas = image.copy()
    width = max(1, round(max(image.shape[:2]) / 900))
    for line in grid_lines(calibration):
        cv2.polylines(canvas, [np.rint(line).astype(np.int32)], False, (80, 220, 80), width)
    for end, colour in (((100.0, 0.0), (60, 60, 230)), ((0.0, 100.0), (230, 120, 40))):
        axis = _visible(calibration, np.array([(0.0, 0.0), end]))
        for part in axis:
            cv2.polylines(canvas, [np.rint(part).astype(np.int32)], False, colour, 3 * width)
    return png(canvas)


def grid_lines(calibration: Calibration) -> list[NDArray[np.float64]]:
    """Pixels of the lines every 5 cm over the table, or over what the camera sees of it."""
    x0, y0, x1, y1 = _extent(calibration)
    lines = []
    for x in _steps(x0, x1):
        ys = np.linspace(y0, y1, 64)
        lines.extend(_visible(calibration, np.column_stack([np.full(64, x), ys])))
    for y in _steps(y0, y1):
        xs = np.linspace(x0, x1, 64)
        lines.extend(_visible(calibration, np.column_stack([xs, np.full(64, y)])))
    return lines


def _steps(low: float, high: float) -> list[float]:
    first = math.ceil(low / _GRID_MM)
    count = min(_GRID_LINES, math.floor(high / _GRID_MM) - first + 1)
    return [(first + index) * _GRID_MM for index in range(max(0, count))]


def _extent(calibration: Calibration) -> tuple[float, float, float, float]:
    if calibration.size_mm is not None:
        return 0.0, 0.0, calibration.size_mm[0], calibration.size_mm[1]
    outline = calibration.outline_px
    if len(outline) < 3:
        w, h = calibration.image_size_px
        outline = np.array([(0, 0), (w, 0), (w, h), (0, h)], dtype=np.float64)
    table = calibration.to_table(outline)
    table = table[np.isfinite(table).all(axis=1)]
    if not len(table):
        return 0.0, 0.0, 0.0, 0.0
    low, high = table.min(axis=0), table.max(axis=0)
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def _visible(calibration: Calibration, line_mm: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """Pieces of a line in the picture, as pixels; points far outside or behind split it."""
    px = calibration.to_image(line_mm)
    size = np.array(calibration.image_size_px, dtype=np.float64)
    with np.errstate(invalid="ignore"):
        good = np.isfinite(px).all(axis=1) & (px > -size).all(axis=1) & (px < 2 * size).all(axis=1)
    pieces: list[NDArray[np.float64]] = []
    start: int | None = None
    for index, ok in enumerate([*good.tolist(), False]):
        if ok and start is None:
            start = index
        elif not ok and start is not None:
            if index - start > 1:
                pieces.append(px[start:index])
            start = None
    return pieces
