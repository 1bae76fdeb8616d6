"""Lengths held against limits: gaps, contact, near things, strips (DZ-GEO-04 to DZ-GEO-06)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from engine.geometry import bases, interval
from engine.geometry.bases import Outline, Standing
from engine.geometry.interval import EXACT_MM, Verdict
from engine.rulesets.deathzap.data import FighterClass, data
from engine.rulesets.deathzap.settings import Settings
from engine.table import Base, BaseShape, PointMm


@dataclass(frozen=True, slots=True)
class Disc:
    """A round footprint on the table (DZ-GEO-03)."""

    position_mm: PointMm
    base: Base
    level_mm: float = 0.0
    sigma_mm: float = 0.0


def disc(at_mm: PointMm, radius_mm: float) -> Disc:
    """A round footprint of that radius."""
    return Disc(at_mm, Base(BaseShape.CIRCLE, 2.0 * radius_mm))


def edge_gap(a: Standing, b: Standing) -> float:
    """Flat gap between two footprints, 0 where they touch (DZ-GEO-04, DZ-GEO-16), in mm."""
    return bases.gap(a, b).middle


def range_mm(a: Standing, b: Standing, settings: Settings) -> float:
    """Distance of a shot (DZ-GEO-04), from edge to edge or from middle to middle."""
    if settings.range_mode == "centre":
        return bases.centre_distance(a, b).middle
    return edge_gap(a, b)


def is_contact(gap_mm: float, settings: Settings) -> bool:
    """Whether a gap is base contact (DZ-GEO-05, DZ-GEO-23).

    The tolerance is one for placing by hand, so no doubt of measuring comes on top of it.
    """
    return gap_mm <= settings.contact_mm + EXACT_MM


def move_mm(kind: FighterClass, settings: Settings) -> float:
    """Longest move and charge of a class (DZ-MOVE-01, DZ-MOVE-02, DZ-CHG-02), in mm."""
    return settings.mm(kind.move_in)


def close(measured_mm: float, limit_mm: float, sigma_1: float, sigma_2: float) -> Verdict:
    """Hold a length against a limit; near it is too close to call (DZ-GEO-13)."""
    rules = data()
    band = max(rules.sigma_multiplier * math.hypot(sigma_1, sigma_2), rules.min_band_mm)
    return interval.cmp(measured_mm, limit_mm, band)


def held(
    measured_mm: float, limit_mm: float, settings: Settings, sigma_1: float, sigma_2: float
) -> Verdict:
    """Hold a length against a limit and settle a near thing as agreed (DZ-GEO-14).

    Returns:
        Borderline only when the players are to be asked.
    """
    if settings.close_policy == "strict":
        return interval.cmp(measured_mm, limit_mm)
    verdict = close(measured_mm, limit_mm, sigma_1, sigma_2)
    if verdict is Verdict.BORDERLINE and settings.close_policy == "favour_actor":
        return Verdict.YES
    return verdict


def charge_way_mm(gap_mm: float, settings: Settings) -> float:
    """Straight way of a charge over a gap (DZ-CHG-07, DZ-GEO-25), 0 in contact."""
    if settings.charge_reach == "gap":
        return gap_mm
    return max(0.0, gap_mm - settings.contact_mm)


def charge_offered(gap_mm: float, move: float, settings: Settings) -> bool:
    """Whether a charge over a free gap is offered (DZ-CHG-07)."""
    return fits(charge_way_mm(gap_mm, settings), move)


def strip_mm(near_mm: float, far_mm: float, settings: Settings) -> float:
    """How far in a footprint counts as standing along its edge (DZ-DEP-04, DZ-GEO-22).

    Args:
        near_mm: Distance of its nearest point from the edge.
        far_mm: Distance of its farthest point.
        settings: Options of the game.
    """
    return far_mm if settings.deploy_rule == "wholly" else (near_mm + far_mm) / 2.0


def strip_depth_mm(settings: Settings) -> float:
    """Depth of the strip (DZ-DEP-01)."""
    return settings.mm(settings.deploy_depth_in)


def in_strip(near_mm: float, far_mm: float, settings: Settings) -> bool:
    """Whether a footprint stands in its strip, as read (DZ-DEP-01, DZ-DEP-04)."""
    reach = strip_mm(near_mm, far_mm, settings)
    inside = near_mm >= -EXACT_MM if settings.deploy_rule == "wholly" else reach >= -EXACT_MM
    return inside and fits(reach, strip_depth_mm(settings))


def fits(length_mm: float, limit_mm: float) -> bool:
    """Whether a length keeps an inclusive limit, as read."""
    return length_mm <= limit_mm + EXACT_MM


def may_shoot_at(gap_mm: float, settings: Settings) -> bool:
    """Whether contact with the shooter forbids a shot (DZ-RNG-08); others never matter."""
    return settings.ranged_in_contact == "allow" or not is_contact(gap_mm, settings)


def under_template(
    centre_mm: PointMm, diameter_mm: float, figure: Standing, settings: Settings
) -> bool:
    """Whether a figure is under a round template (DZ-GEO-11); no rule of this version lays one."""
    radius = diameter_mm / 2.0
    if settings.template_rule == "centre":
        return math.dist(centre_mm, figure.position_mm) <= radius + EXACT_MM
    here = bases.inner(figure.base, figure.position_mm)
    if settings.template_rule == "any_part":
        template = bases.outer(Base(BaseShape.CIRCLE, diameter_mm), centre_mm)
        return here.distance(template) <= EXACT_MM
    return _farthest(centre_mm, here) <= radius + EXACT_MM


def _farthest(point: PointMm, footing: Outline) -> float:
    if footing.radius_mm > 0.0:
        at = footing.core.centroid
        return math.dist(point, (at.x, at.y)) + footing.radius_mm
    return max(math.dist(point, (x, y)) for x, y in footing.polygon().exterior.coords)
