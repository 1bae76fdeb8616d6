"""Lengths held against limits: gaps, contact, near things, corridors, steps (PM-GEO)."""

from __future__ import annotations

import math
from collections.abc import Iterable

from shapely import LineString, Point
from shapely.geometry.base import BaseGeometry
from shapely.ops import nearest_points

from engine.geometry import bases
from engine.geometry.arcs import bearing_deg, between_deg, off_axis_deg
from engine.geometry.bases import Standing
from engine.geometry.interval import EXACT_MM, Verdict
from engine.geometry.surfaces import outline
from engine.rulesets import limits
from engine.rulesets.limits import fits
from engine.rulesets.playmobil.data import data
from engine.rulesets.playmobil.measures.attacks import FRONT, REAR
from engine.rulesets.playmobil.settings import Settings
from engine.table import PointMm, Terrain


def edge_gap(a: Standing, b: Standing) -> float:
    """Flat gap between two footprints, 0 where they touch (PM-GEO-04, PM-GEO-16), in mm."""
    return limits.edge_gap(a, b)


def range_mm(a: Standing, b: Standing, settings: Settings) -> float:
    """Distance of a shot (PM-GEO-04), from edge to edge or from middle to middle."""
    return limits.range_mm(a, b, settings.range_mode)


def is_contact(gap_mm: float, settings: Settings) -> bool:
    """Whether a gap is contact (PM-GEO-05).

    The tolerance is one for placing by hand, so no doubt of measuring comes on top of it.
    """
    return fits(gap_mm, settings.contact_mm)


def close(measured_mm: float, limit_mm: float, sigma_1: float, sigma_2: float) -> Verdict:
    """Hold a length against a limit; near it is too close to call (PM-GEO-13)."""
    rules = data().numbers
    multiplier, least = rules["geometry.sigma_multiplier"], rules["geometry.min_band_mm"]
    return limits.close(measured_mm, limit_mm, (sigma_1, sigma_2), multiplier, least)


def held(
    measured_mm: float, limit_mm: float, settings: Settings, sigma_1: float, sigma_2: float
) -> Verdict:
    """Hold a length against a limit and settle a near thing as agreed (PM-GEO-14).

    Returns:
        Borderline only when the players are to be asked.
    """
    verdict = close(measured_mm, limit_mm, sigma_1, sigma_2)
    return limits.settled(verdict, measured_mm, limit_mm, settings.close_policy)


def arc(
    defender_mm: PointMm,
    facing_deg: float,
    attacker_mm: PointMm,
    settings: Settings,
    spotter_mm: PointMm | None = None,
) -> tuple[float, str]:
    """Angle of an attack off the facing of the defender, and front or rear (PM-FACE-04, 05).

    In the circle the shot comes from the shooter's own place, unless agreed otherwise
    (PM-CIRC-05). Exactly at the limit is front (PM-GEO-10, PM-GEO-23).
    """
    origin = attacker_mm
    if spotter_mm is not None and settings.circle_arc_from == "spotter":
        origin = spotter_mm
    angle = off_axis_deg(defender_mm, facing_deg, origin)
    limit = settings.face_front_half_deg
    return angle, FRONT if angle <= limit + EXACT_MM else REAR


def corridor(a: Standing, b: Standing, width_mm: float) -> BaseGeometry:
    """The strip along the shortest line between two footprints (PM-ATT-12, PM-GEO-22)."""
    mine, theirs = (bases.inner(one.base, one.position_mm) for one in (a, b))
    here, there = nearest_points(mine.polygon(), theirs.polygon())
    if here.distance(there) <= EXACT_MM:
        return Point(here)
    return LineString([here, there]).buffer(width_mm / 2.0, cap_style="flat")


def between(
    a: Standing,
    b: Standing,
    others: Iterable[Standing],
    terrain: Iterable[Terrain],
    height_mm: float,
    width_mm: float,
) -> Standing | Terrain | None:
    """What stands in the corridor between attacker and defender, None when it is free.

    Args:
        a: The attacker.
        b: The defender.
        others: Other standing figures, friends among them (PM-ATT-12).
        terrain: All terrain; only what is higher than a third of the attacker counts.
        height_mm: Height of the attacker.
        width_mm: Width of the corridor.
    """
    strip = corridor(a, b, width_mm)
    if strip.area <= EXACT_MM:
        return None
    for other in others:
        footing = bases.inner(other.base, other.position_mm)
        if strip.distance(footing.core) < footing.radius_mm - EXACT_MM or (
            footing.radius_mm == 0.0 and strip.intersection(footing.core).area > EXACT_MM
        ):
            return other
    lowest = a.level_mm + height_mm * data().numbers["melee.between_height"]
    for piece in terrain:
        if piece.height_mm > lowest and strip.intersects(outline(piece.footprint_mm)):
            return piece
    return None


def is_step(start: PointMm, here: PointMm, target: PointMm, gap_mm: float, tol_mm: float) -> bool:
    """Whether a shift is the step up to the next victim (PM-ATT-10, PM-GEO-25).

    Args:
        start: Where the attacker stood.
        here: Where he stands now.
        target: Middle of the next victim.
        gap_mm: Gap to it before the step.
        tol_mm: Tolerance of placing by hand.
    """
    way = math.dist(start, here)
    if way > gap_mm + tol_mm:
        return False
    off = between_deg(bearing_deg(start, here), bearing_deg(start, target))
    return way <= tol_mm or off <= data().numbers["facing.step_deg"]


def under_template(
    centre_mm: PointMm, diameter_mm: float, figure: Standing, settings: Settings
) -> bool:
    """Whether a figure is under a round template (PM-GEO-11); no rule of this game lays one."""
    return limits.under_template(centre_mm, diameter_mm, figure, settings.template_rule)
