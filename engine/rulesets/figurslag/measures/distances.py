"""The length of a shot, and how a length is held against a limit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Protocol

from engine.geometry import bases, interval
from engine.geometry.bases import Standing
from engine.geometry.interval import EXACT_MM, Interval, Verdict
from engine.rulesets.figurslag.data import Footprint, data
from engine.rulesets.figurslag.settings import Settings
from engine.table import Base, BaseShape, PointMm

LEGO: Final = "lego_model"


class Model(Standing, Protocol):
    """A standing figure of a size class; ``engine.table.Figure`` is one."""

    @property
    def profile(self) -> str:
        """Size class, a key of the footprints."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place where a model could stand; measured like a figure.

    Attributes:
        position_mm: Centre of its base.
        base: Outline of its base.
        level_mm: Height of the surface the base stands on.
        sigma_mm: One standard deviation of the position.
        profile: Size class.
    """

    position_mm: PointMm
    base: Base
    level_mm: float = 0.0
    sigma_mm: float = 0.0
    profile: str = LEGO


def footprint(profile: str) -> Footprint:
    """Size of a size class; that of a LEGO figure when nobody knows it."""
    footprints = data().footprints
    return footprints.get(profile, footprints[LEGO])


def measured(model: Model, settings: Settings) -> Spot:
    """A model with its base as this game reckons it (FS-GEN-06)."""
    base = model.base
    if settings.base_rotation == "inscribed_circle" and base.shape is BaseShape.SQUARE:
        base = replace(base, shape=BaseShape.CIRCLE)
    return Spot(model.position_mm, base, model.level_mm, model.sigma_mm, model.profile)


def flat_gap(a: Model, b: Model, settings: Settings) -> Interval:
    """Flat length from one model to another (FS-AMB-27), in mm."""
    if settings.distance_mode == "centre":
        return bases.centre_distance(a, b)
    if settings.distance_mode == "any_part_of_model":
        return bases.gap(_whole(a), _whole(b))
    return bases.gap(measured(a, settings), measured(b, settings))


def gap(a: Model, b: Model, settings: Settings) -> Interval:
    """Length of a shot from one model to another, height included as agreed (5.1), in mm."""
    flat = flat_gap(a, b, settings)
    if settings.vertical_mode == "ignore":
        return flat
    return flat.slant(b.level_mm - a.level_mm)


def cmp(d: float, limit: float, tol: float, settings: Settings) -> Verdict:
    """Hold a length against a limit (5.2); see :func:`cmp_interval`."""
    return cmp_interval(d, d, limit, tol, settings)


def cmp_interval(lo: float, hi: float, limit: float, tol: float, settings: Settings) -> Verdict:
    """Hold an interval against an inclusive limit, and settle a near thing as agreed (5.2).

    Args:
        lo: Shortest possible length.
        hi: Longest possible length, in the same unit.
        limit: Limit in the same unit.
        tol: Tolerance in the same unit.
        settings: Options of the game; with ``ask`` a near thing stays borderline.
    """
    verdict = interval.cmp_interval(lo, hi, limit, tol)
    if verdict is not Verdict.BORDERLINE or settings.boundary_policy == "ask":
        return verdict
    if settings.boundary_policy == "favour_actor":
        return Verdict.YES
    return Verdict.YES if (lo + hi) / 2.0 <= limit + EXACT_MM else Verdict.NO


def tolerance_mm(measured_mm: Interval, settings: Settings) -> float:
    """How near to a limit a length is too close to call: the agreed tolerance or its own error."""
    return max(settings.measure_tol_mm, 2.0 * measured_mm.sigma_mm)


def within(length: Interval, limit_mm: float, settings: Settings) -> Verdict:
    """Hold a measured length against a limit in mm, with its measuring error."""
    tol = tolerance_mm(length, settings)
    return cmp_interval(length.lo, length.hi, limit_mm, tol, settings)


def _whole(model: Model) -> Spot:
    """The model with everything that sticks out: a circle as wide as its body and its base."""
    wide = footprint(model.profile).silhouette_mm
    size_mm = max(wide, 2.0 * bases.circumscribed_radius(model.base))
    return Spot(
        model.position_mm,
        Base(BaseShape.CIRCLE, size_mm, None, model.base.height_mm),
        model.level_mm,
        model.sigma_mm,
        model.profile,
    )
