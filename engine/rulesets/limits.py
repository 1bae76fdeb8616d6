"""Lengths on the table held against limits, and near things settled as agreed."""

from __future__ import annotations

import math
from dataclasses import dataclass

from engine.geometry import bases, interval
from engine.geometry.bases import Outline, Standing
from engine.geometry.interval import EXACT_MM, Verdict
from engine.table import Base, BaseShape, PointMm


@dataclass(frozen=True, slots=True)
class Disc:
    """A round footprint on the table."""

    position_mm: PointMm
    base: Base
    level_mm: float = 0.0
    sigma_mm: float = 0.0


def disc(at_mm: PointMm, radius_mm: float, level_mm: float = 0.0) -> Disc:
    """A round footprint of that radius."""
    return Disc(at_mm, Base(BaseShape.CIRCLE, 2.0 * radius_mm), level_mm)


def edge_gap(a: Standing, b: Standing) -> float:
    """Flat gap between two footprints, 0 where they touch, in mm."""
    if a.base.shape is BaseShape.CIRCLE and b.base.shape is BaseShape.CIRCLE:
        # Most are, and a table of forty asks many hundred times: without doubts and intervals.
        x, y = a.position_mm[0] - b.position_mm[0], a.position_mm[1] - b.position_mm[1]
        return max(0.0, math.sqrt(x * x + y * y) - a.base.size_mm / 2.0 - b.base.size_mm / 2.0)
    return bases.gap(a, b).middle


def range_mm(a: Standing, b: Standing, mode: str) -> float:
    """Distance in mm, from middle to middle where ``mode`` is ``centre``, else between edges."""
    return bases.centre_distance(a, b).middle if mode == "centre" else edge_gap(a, b)


def fits(length_mm: float, limit_mm: float) -> bool:
    """Whether a length keeps an inclusive limit, as read."""
    return length_mm <= limit_mm + EXACT_MM


def close(
    measured_mm: float,
    limit_mm: float,
    sigmas_mm: tuple[float, float],
    multiplier: float,
    least_mm: float,
) -> Verdict:
    """Hold a length against a limit; near it is too close to call.

    Args:
        measured_mm: The length.
        limit_mm: The limit, included.
        sigmas_mm: One standard deviation of each of its ends.
        multiplier: So many of them make the doubt.
        least_mm: Least doubt.
    """
    doubt = multiplier * math.hypot(*sigmas_mm)
    return interval.cmp(measured_mm, limit_mm, max(doubt, least_mm))


def settled(verdict: Verdict, measured_mm: float, limit_mm: float, policy: str) -> Verdict:
    """A near thing settled as agreed: ``strict``, ``favour_actor``, or asked.

    Returns:
        Borderline only when the players are to be asked.
    """
    if policy == "strict":
        return interval.cmp(measured_mm, limit_mm)
    if verdict is Verdict.BORDERLINE and policy == "favour_actor":
        return Verdict.YES
    return verdict


def under_template(centre_mm: PointMm, diameter_mm: float, figure: Standing, rule: str) -> bool:
    """Whether a figure is under a round template.

    Args:
        centre_mm: Middle of the template.
        diameter_mm: Its size.
        figure: Who may be under it.
        rule: ``centre``, ``any_part``, or the whole footprint has to be.
    """
    radius = diameter_mm / 2.0
    if rule == "centre":
        return math.dist(centre_mm, figure.position_mm) <= radius + EXACT_MM
    here = bases.inner(figure.base, figure.position_mm)
    if rule == "any_part":
        template = bases.outer(Base(BaseShape.CIRCLE, diameter_mm), centre_mm)
        return here.distance(template) <= EXACT_MM
    return _farthest(centre_mm, here) <= radius + EXACT_MM


def _farthest(point: PointMm, footing: Outline) -> float:
    if footing.radius_mm > 0.0:
        at = footing.core.centroid
        return math.dist(point, (at.x, at.y)) + footing.radius_mm
    return max(math.dist(point, (x, y)) for x, y in footing.polygon().exterior.coords)
