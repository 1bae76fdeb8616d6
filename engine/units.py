"""Length units of players and rule texts, in millimetres."""

from __future__ import annotations

from typing import Final

MM_PER_CM: Final = 10.0
MM_PER_INCH: Final = 25.4
MM_PER_FOOT: Final = 304.8
STUD_PITCH_MM: Final = 8.0
"""Nominal stud pitch; LDraw geometry has exactly this (20 LDU of 0.4 mm)."""
PLATE_MM: Final = 3.2
BRICK_MM: Final = 9.6
SEGMENT_MM: Final = 50.0
"""A quarter of the 20 cm plant stick of Figurslag."""

MM_PER_UNIT: Final[dict[str, float]] = {
    "mm": 1.0,
    "cm": MM_PER_CM,
    "in": MM_PER_INCH,
    "feet": MM_PER_FOOT,
    "studs": STUD_PITCH_MM,
    "segments": SEGMENT_MM,
    "plates": PLATE_MM,
    "bricks": BRICK_MM,
}


def to_mm(value: float, unit: str) -> float:
    """Convert a length in a named unit to millimetres.

    Args:
        value: Length in ``unit``.
        unit: A key of :data:`MM_PER_UNIT`.

    Raises:
        KeyError: The unit is unknown.
    """
    return value * MM_PER_UNIT[unit]


def from_mm(value_mm: float, unit: str) -> float:
    """Convert a length in millimetres to a named unit (see :func:`to_mm`)."""
    return value_mm / MM_PER_UNIT[unit]
