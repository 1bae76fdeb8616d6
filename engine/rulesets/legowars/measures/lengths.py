"""Gaps, reaches and bands (LW-MEL-02, LW-RNG-01 to 05, sections 5.2 to 5.4)."""

from __future__ import annotations

import math
from typing import Final

from engine.geometry import bases, interval
from engine.geometry.bases import Standing
from engine.geometry.interval import EXACT_MM, Interval, Verdict
from engine.rulesets.legowars.data import data
from engine.rulesets.legowars.settings import Settings
from engine.units import MM_PER_CM

OUT: Final = "out"
NONE: Final = "none"
SHORT: Final = "short"
LONG: Final = "long"
_NEAR: Final = 1e-9


def studs(cm: float, settings: Settings) -> float:
    """A length in studs, as a courtesy (LW-GEN-03)."""
    return cm / settings.dot_cm


def slant(flat: Interval, dz_mm: float, settings: Settings) -> Interval:
    """A flat distance with its difference in height (section 5.2)."""
    return flat if settings.vertical_mode == "ignore" else flat.slant(dz_mm)


def gap(a: Standing, b: Standing, settings: Settings) -> Interval:
    """Distance between two bases in mm (LW-RNG-01, LW-MEL-02)."""
    flat = bases.centre_distance(a, b) if settings.distance_mode == "centre" else bases.gap(a, b)
    return slant(flat, a.level_mm - b.level_mm, settings)


def held(length: Interval, limit_mm: float, settings: Settings) -> Verdict:
    """Hold a length against an inclusive limit, as agreed for near things (section 5.3).

    Borderline only when the players are to be asked.
    """
    if settings.boundary_policy == "strict_reading":
        return interval.cmp(length.middle, limit_mm)
    verdict = interval.cmp_interval(length.lo, length.hi, limit_mm, settings.measure_tol_mm)
    if verdict is Verdict.BORDERLINE and settings.boundary_policy == "favour_actor":
        return Verdict.YES
    return verdict


def in_reach(d_cm: float, settings: Settings) -> bool:
    """Whether a gap as read is within melee reach (LW-MEL-02)."""
    return d_cm <= settings.melee_reach_cm + EXACT_MM


def band(weapon: str, d_cm: float, settings: Settings) -> str:
    """Range band of a distance as read: ``short``, ``long``, ``none`` or ``out`` (LW-RNG-03 to 05).

    Short begins at 0 (LW-RNG-12).
    """
    row = data().ranged[weapon]
    limit_short, limit_long = row.short_cm, row.long_cm
    gap_mode = settings.range_gap
    if gap_mode == "round_half_up":
        d_cm = math.floor(d_cm + 0.5 + _NEAR)
    elif gap_mode == "floor":
        d_cm = math.floor(d_cm + _NEAR)
    if d_cm <= limit_short + _NEAR:
        return SHORT
    if d_cm > limit_long + _NEAR:
        return OUT
    if gap_mode == "dead_zone" and d_cm < limit_short + 1.0 - _NEAR:
        return NONE
    return LONG


def band_limits_mm(weapon: str, settings: Settings) -> tuple[float, float]:
    """Distances in mm up to which the bands of a weapon reach, for near things."""
    row = data().ranged[weapon]
    more = {"round_half_up": 0.5, "floor": 1.0}.get(settings.range_gap, 0.0)
    return (row.short_cm + more) * MM_PER_CM, (row.long_cm + more) * MM_PER_CM
