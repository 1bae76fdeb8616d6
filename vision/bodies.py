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
        saddle: Height of its soles over the ground when it rides: the middle one of the rendered
            riders, most of which are within 5 mm (LEGO) and 10 mm (Playmobil) of it.
    """

    height: float
    half_thickness: float
    radius: float
    sole_gap: tuple[float, float]
    can_lie: bool = True
    saddle: float = 24.0


BODIES = {
    "minifig": Body(39.0, 5.5, 8.0, (3.0, 24.0)),
    "playmobil": Body(75.0, 10.0, 14.0, (5.0, 40.0), saddle=36.0),
    "animal": Body(25.0, 8.0, 15.0, (3.0, 40.0), can_lie=False),
    "vehicle": Body(30.0, 15.0, 30.0, (5.0, 120.0), can_lie=False),
}

CHILD = Body(55.0, 8.0, 12.0, (4.0, 34.0), saddle=42.0)
"""A Playmobil child."""


def body_of(label: str, child: bool = False) -> Body:
    """Sizes for a label; those of a minifigure when it is unknown.

    Args:
        label: As the detector gives it.
        child: Whether a Playmobil figure is a child.
    """
    return CHILD if child and label == "playmobil" else BODIES.get(label, BODIES["minifig"])
