"""A way of a model, and how long the rules let one be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from engine.geometry.surfaces import Climbs
from engine.table import PointMm


@dataclass(frozen=True, slots=True)
class Route:
    """One way from a start to a goal.

    Attributes:
        points: Start, bends and goal of the centre of the base.
        length_mm: Flat length.
        climbs: What is climbed on it.
    """

    points: tuple[PointMm, ...]
    length_mm: float
    climbs: Climbs


Span: TypeAlias = Callable[[Route], tuple[float, float] | None]
"""Least and greatest flat length in mm at which the rules allow a way that climbs as this one
does; None where they never do."""
