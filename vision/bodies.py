"""Sizes of the kinds of figures."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Body:
    """Sizes of a kind of figure, mm.

    Attributes:
        height: Sole to bare top of the head.
        half_thickness: Half of the body's depth: how high a lying one's middle line is.
        radius: Of the block of feet, seen from above.
        sole_gap: Smallest and largest believable distance of the soles' centres.
        can_lie: Whether lying down is told apart at all.
    """

    height: float
    half_thickness: float
    radius: float
    sole_gap: tuple[float, float]
    can_lie: bool = True


BODIES = {
    "minifig": Body(39.0, 5.5, 8.0, (3.0, 24.0)),
    "playmobil": Body(75.0, 10.0, 14.0, (5.0, 40.0)),
    "animal": Body(25.0, 8.0, 15.0, (3.0, 40.0), can_lie=False),
    "vehicle": Body(30.0, 15.0, 30.0, (5.0, 120.0), can_lie=False),
}


def body_of(label: str) -> Body:
    """Sizes for a label; those of a minifigure when it is unknown."""
    return BODIES.get(label, BODIES["minifig"])
