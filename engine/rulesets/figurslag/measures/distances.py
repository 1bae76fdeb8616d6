"""The length of a shot, and how it is held against a limit."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from engine.geometry import bases, interval
from engine.geometry.bases import Standing
from engine.geometry.interval import EXACT_MM, Interval, Verdict
from engine.rulesets.figurslag.data import data
from engine.rulesets.figurslag.settings import Settings
from engine.table import Base, PointMm


class Model(Standing):
    """A standing figure with a size class."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place where a model could stand; measured like a figure.

    Attributes:
        position_mm: Centre of its base.
        base: Outline of its base.
        level_mm: Height of the surface the base stands on.
        sigma_mm: One standard deviation of the position.
    """

    position_mm: PointMm
    base: Base
    level_mm: float = 0.0
    sigma_mm: float = 0.0
