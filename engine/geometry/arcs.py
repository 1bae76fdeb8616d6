"""Bearings between figures and how far off its facing something lies."""

from __future__ import annotations

import math

from engine.table import PointMm


def bearing_deg(here: PointMm, there: PointMm) -> float:
    """Direction from one point to another, 0 to below 360 degrees counter-clockwise from +x."""
    return math.degrees(math.atan2(there[1] - here[1], there[0] - here[0])) % 360.0


def between_deg(a_deg: float, b_deg: float) -> float:
    """Smallest turn from one direction to another, 0 to 180 degrees."""
    apart = abs(a_deg - b_deg) % 360.0
    return min(apart, 360.0 - apart)


def off_axis_deg(here: PointMm, facing_deg: float, there: PointMm) -> float:
    """How far off its facing a figure has a point, 0 (straight ahead) to 180 degrees.

    Args:
        here: Centre of the figure's base.
        facing_deg: The way it looks, of any sign.
        there: The point.
    """
    return between_deg(bearing_deg(here, there), facing_deg)
