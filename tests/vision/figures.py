"""Figures of known size on a known table, seen by a known camera."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.plane import Calibration
from vision.detection import Detection

HEIGHT = 39.0
LYING_MIDDLE = 5.5
HALF_STANCE = 4.0


def _detection(
    left: NDArray[np.float64],
    right: NDArray[np.float64],
    head: NDArray[np.float64],
    calibration: Calibration,
) -> Detection:
    px = calibration.to_image(np.array([left, right, head]))
    low, high = px.min(axis=0) - 4, px.max(axis=0) + 4
    (lx, ly), (rx, ry), (hx, hy) = px.tolist()
    box = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
    return Detection("minifig", 0.9, box, ((lx, ly), (rx, ry)), (hx, hy), soles_score=0.9)


def ways(facing_deg: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Forward and to the figure's left, both of length 1 on the table."""
    turn = np.radians(facing_deg)
    return np.array([np.cos(turn), np.sin(turn), 0.0]), np.array([-np.sin(turn), np.cos(turn), 0.0])


def standing(
    x: float, y: float, facing_deg: float, calibration: Calibration, sole_height: float = 0.0
) -> Detection:
    """A figure on its feet."""
    _, left = ways(facing_deg)
    foot = np.array([x, y, sole_height])
    head = foot + np.array([0.0, 0.0, HEIGHT])
    return _detection(foot + HALF_STANCE * left, foot - HALF_STANCE * left, head, calibration)


def lying(
    x: float, y: float, facing_deg: float, calibration: Calibration, level: float = 0.0
) -> Detection:
    """A figure on its back or front, its middle over a place, its head towards a direction."""
    along, left = ways(facing_deg)
    middle = np.array([x, y, level + LYING_MIDDLE])
    feet, head = middle - along * HEIGHT / 2, middle + along * HEIGHT / 2
    return _detection(feet + HALF_STANCE * left, feet - HALF_STANCE * left, head, calibration)
