"""Lengths held against limits: gaps, contact, near things, strips (DZ-GEO-04 to DZ-GEO-06)."""

from __future__ import annotations

from engine.geometry.bases import Standing
from engine.geometry.interval import EXACT_MM, Verdict
from engine.rulesets import limits
from engine.rulesets.deathzap.data import FighterClass, data
from engine.rulesets.deathzap.settings import Settings
from engine.rulesets.limits import fits
from engine.table import PointMm


def edge_gap(a: Standing, b: Standing) -> float:
    """Flat gap between two footprints, 0 where they touch (DZ-GEO-04, DZ-GEO-16), in mm."""
    return limits.edge_gap(a, b)


def range_mm(a: Standing, b: Standing, settings: Settings) -> float:
    """Distance of a shot (DZ-GEO-04), from edge to edge or from middle to middle."""
    return limits.range_mm(a, b, settings.range_mode)


def is_contact(gap_mm: float, settings: Settings) -> bool:
    """Whether a gap is base contact (DZ-GEO-05, DZ-GEO-23).

    The tolerance is one for placing by hand, so no doubt of measuring comes on top of it.
    """
    return fits(gap_mm, settings.contact_mm)


def move_mm(kind: FighterClass, settings: Settings) -> float:
    """Longest move and charge of a class (DZ-MOVE-01, DZ-MOVE-02, DZ-CHG-02), in mm."""
    return settings.mm(kind.move_in)


def close(measured_mm: float, limit_mm: float, sigma_1: float, sigma_2: float) -> Verdict:
    """Hold a length against a limit; near it is too close to call (DZ-GEO-13)."""
    rules = data()
    sigmas = (sigma_1, sigma_2)
    return limits.close(measured_mm, limit_mm, sigmas, rules.sigma_multiplier, rules.min_band_mm)


def held(
    measured_mm: float, limit_mm: float, settings: Settings, sigma_1: float, sigma_2: float
) -> Verdict:
    """Hold a length against a limit and settle a near thing as agreed (DZ-GEO-14).

    Returns:
        Borderline only when the players are to be asked.
    """
    verdict = close(measured_mm, limit_mm, sigma_1, sigma_2)
    return limits.settled(verdict, measured_mm, limit_mm, settings.close_policy)


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


def may_shoot_at(gap_mm: float, settings: Settings) -> bool:
    """Whether contact with the shooter forbids a shot (DZ-RNG-08); others never matter."""
    return settings.ranged_in_contact == "allow" or not is_contact(gap_mm, settings)


def under_template(
    centre_mm: PointMm, diameter_mm: float, figure: Standing, settings: Settings
) -> bool:
    """Whether a figure is under a round template (DZ-GEO-11); no rule of this version lays one."""
    return limits.under_template(centre_mm, diameter_mm, figure, settings.template_rule)
