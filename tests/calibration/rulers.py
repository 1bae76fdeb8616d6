"""Drawn rulers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tests.calibration.drawing import Drawing
from tests.calibration.flat import box, fill

WOOD, WHITE, BLACK, GREY = (110, 160, 200), (235, 235, 235), (35, 35, 35), (200, 220, 225)


@dataclass(frozen=True, slots=True)
class Made:
    """How a ruler is made that nobody is told, in mm more than usual.

    Attributes:
        width: Of the body.
        left: Beyond the first stroke.
        right: Beyond the last.
        start: From the edge to where strokes begin.
        strokes: Length of all strokes.
    """

    width: float = 0.0
    left: float = 0.0
    right: float = 0.0
    start: float = 0.0
    strokes: float = 0.0


EXACT = Made()


def stroke_mm(number: int, unit: str) -> float:
    """Length of a stroke of a ruler in mm or 1/16 inch."""
    if unit == "mm":
        return 10.0 if number % 10 == 0 else 7.0 if number % 5 == 0 else 4.5
    steps = ((16, 12.0), (8, 9.5), (4, 7.5), (2, 5.5))
    return next((length for period, length in steps if number % period == 0), 3.5)


def draw_ruler(
    drawing: Drawing,
    length_mm: float,
    unit: str = "mm",
    place: tuple[float, float, float] = (0.0, 0.0, 0.0),
    body: tuple[int, int, int] = WHITE,
    width_mm: float = 30.0,
    more: Made = EXACT,
) -> None:
    """A ruler with its strokes along its lower edge, from (x, y) in a direction in radians."""
    cos, sin = np.cos(place[2]), np.sin(place[2])
    turn = np.array([[cos, -sin], [sin, cos]])

    def put(shape: NDArray[np.float64]) -> NDArray[np.float64]:
        return shape @ turn.T + np.array(place[:2])

    ink = (225, 225, 225) if sum(body) < 300 else (20, 20, 20)
    fill(
        drawing,
        put(box(-4 - more.left, 0, length_mm + 8 + more.left + more.right, width_mm + more.width)),
        body,
    )
    space = 1.0 if unit == "mm" else 25.4 / 16
    for number in range(int(length_mm / space + 0.5) + 1):
        at = number * space
        fill(
            drawing,
            put(box(at - 0.13, 0.3 + more.start, 0.26, stroke_mm(number, unit) + more.strokes)),
            ink,
        )
