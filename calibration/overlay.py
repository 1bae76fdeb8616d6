"""A picture with the table's grid drawn over it, to see by eye whether a calibration is right."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import Calibration

FINE, COARSE = (255, 220, 120), (255, 255, 255)
X_AXIS, Y_AXIS = (60, 60, 255), (80, 220, 80)
DOT, OFF = (0, 200, 255), (0, 0, 255)
COARSE_MM = 50.0
LEAST_GAP_PX = 5.0
LEAST_SIDE_MM = 300.0
"""The grid about a reference is at least so wide and deep: on a ruler alone nobody could see it."""

ENLARGED = 20.0
"""How many times longer than it is a residual is drawn."""


def _bounds(calibration: Calibration) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Lowest and highest table point the grid is drawn for, each (2,)."""
    if calibration.size_mm is not None:
        return np.zeros(2), np.array(calibration.size_mm)
    if len(calibration.outline_px):
        places = calibration.to_table(calibration.outline_px)
        places = places[np.isfinite(places).all(axis=1)]
        if len(places):
            low, high = places.min(axis=0), places.max(axis=0)
            more = np.maximum(LEAST_SIDE_MM - (high - low), 0) / 2
            return low - more, high + more
    width, height = calibration.image_size_px
    middle = calibration.to_table(np.array([[width / 2, height / 2]]))[0]
    if not np.isfinite(middle).all():
        return np.zeros(2), np.zeros(2)
    return middle - 250, middle + 250


def _path(
    calibration: Calibration, start: tuple[float, float], end: tuple[float, float]
) -> list[NDArray[np.float64]]:
    """A straight line of the table as the lens bends it, (N, 2) px each part that can be drawn."""
    px = calibration.to_image(np.linspace(start, end, 33))
    limit = 4.0 * max(calibration.image_size_px)
    with np.errstate(invalid="ignore"):
        good = np.isfinite(px).all(axis=1) & (np.abs(px) < limit).all(axis=1)
    breaks = np.flatnonzero(np.diff(good.astype(int))) + 1
    parts = zip(np.split(px, breaks), np.split(good, breaks), strict=True)
    return [part for part, whole in parts if whole[0] and len(part) > 1]


def _line(
    canvas: NDArray[np.uint8],
    calibration: Calibration,
    start: tuple[float, float],
    end: tuple[float, float],
    colour: tuple[int, int, int],
    thick: int,
) -> None:
    """Draw a straight line of the table, bent as the lens bends it."""
    for part in _path(calibration, start, end):
        for a, b in pairwise(part):
            ends = [(round(16 * float(x)), round(16 * float(y))) for x, y in (a, b)]
            cv2.line(canvas, ends[0], ends[1], colour, thick, cv2.LINE_AA, 4)


def grid_paths(calibration: Calibration, gap_mm: float = COARSE_MM) -> list[NDArray[np.float64]]:
    """The table's grid as the picture shows it, its edges included.

    Args:
        calibration: How the camera sees the table.
        gap_mm: From line to line.

    Returns:
        Polylines in original pixels, (N, 2) each.
    """
    low, high = _bounds(calibration)
    if (high <= low).any():
        return []
    paths = []
    for x in np.unique([low[0], *_lines(low[0], high[0], gap_mm), high[0]]):
        paths += _path(calibration, (x, low[1]), (x, high[1]))
    for y in np.unique([low[1], *_lines(low[1], high[1], gap_mm), high[1]]):
        paths += _path(calibration, (low[0], y), (high[0], y))
    return paths


def _lines(low: float, high: float, gap: float) -> NDArray[np.float64]:
    """Multiples of a gap between two numbers, both ends included."""
    return np.arange(np.ceil(low / gap - 1e-6), np.floor(high / gap + 1e-6) + 1) * gap


def _gap_px(calibration: Calibration, middle: NDArray[np.float64], gap: float) -> float:
    """Smallest distance of neighbouring grid lines in the middle of the table, px."""
    around = middle + np.array([[0, 0], [gap, 0], [0, gap]])
    px = calibration.to_image(around)
    return float(np.hypot(*(px[1:] - px[0]).T).min())


def grid_overlay(image: NDArray[np.uint8], calibration: Calibration) -> NDArray[np.uint8]:
    """Draw the table's grid, its axes, and how far the reference is off.

    Lines stand a stud apart (where there are studs and room) and every 50 mm; a red stroke at a
    reference point is its residual, enlarged.

    Args:
        image: (H, W, 3) BGR, the picture that was calibrated.
        calibration: How it sees the table.

    Returns:
        A new picture of the same size.
    """
    canvas = image.copy()
    low, high = _bounds(calibration)
    if (high <= low).any():
        return canvas
    thick = max(1, round(max(image.shape) / 1400))
    gaps: list[tuple[float, tuple[int, int, int]]] = [(COARSE_MM, COARSE)]
    if calibration.studs is not None:
        pitch = calibration.studs.pitch_mm
        if _gap_px(calibration, (low + high) / 2, pitch) >= LEAST_GAP_PX:
            gaps.insert(0, (pitch, FINE))
    for gap, colour in gaps:
        for x in _lines(low[0], high[0], gap):
            _line(canvas, calibration, (x, low[1]), (x, high[1]), colour, thick)
        for y in _lines(low[1], high[1], gap):
            _line(canvas, calibration, (low[0], y), (high[0], y), colour, thick)
    _line(canvas, calibration, (0, 0), (float(high[0]), 0), X_AXIS, 3 * thick)
    _line(canvas, calibration, (0, 0), (0, float(high[1])), Y_AXIS, 3 * thick)
    if len(calibration.seen_px):
        expected = calibration.to_image(calibration.seen_mm)
        for seen, place in zip(calibration.seen_px, expected, strict=True):
            tip = place + ENLARGED * (seen - place)
            at, to = (tuple(int(v) for v in np.round(16 * p)) for p in (place, tip))
            cv2.line(canvas, (at[0], at[1]), (to[0], to[1]), OFF, thick, cv2.LINE_AA, 4)
            centre = (round(float(seen[0])), round(float(seen[1])))
            cv2.circle(canvas, centre, thick, DOT, -1, cv2.LINE_AA)
    return canvas
