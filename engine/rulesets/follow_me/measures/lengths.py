"""Lengths held against limits: gaps, contact, circles, walls between, ways of a push (FM-GEO)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from shapely import LineString
from shapely.geometry.base import BaseGeometry
from shapely.ops import nearest_points

from engine.geometry import bases
from engine.geometry.bases import Standing
from engine.geometry.interval import EXACT_MM, Verdict
from engine.rulesets import limits
from engine.rulesets.follow_me.data import data
from engine.rulesets.follow_me.settings import Settings
from engine.rulesets.limits import Disc, disc
from engine.table import PointMm

__all__ = ["Disc", "disc"]


def edge_gap(a: Standing, b: Standing) -> float:
    """Flat gap between two footprints, 0 where they touch (FM-GEO-04, FM-GEO-16), in mm."""
    return limits.edge_gap(a, b)


def range_mm(a: Standing, b: Standing, settings: Settings) -> float:
    """Distance of a shot or spell (FM-GEO-04): between edges or middles."""
    return limits.range_mm(a, b, settings.range_mode)


def to_point(a: Standing, point: PointMm, settings: Settings) -> float:
    """Distance from a footprint, or its middle, to a point (FM-MAGE-23)."""
    return range_mm(a, disc(point, 0.0), settings)


def is_contact(gap_mm: float, settings: Settings) -> bool:
    """Whether a gap is contact (FM-GEO-05).

    The tolerance is one for placing by hand, so no doubt of measuring comes on top of it.
    """
    return fits(gap_mm, settings.contact_mm)


def close(measured_mm: float, limit_mm: float, sigma_1: float, sigma_2: float) -> Verdict:
    """Hold a length against a limit; near it is too close to call (FM-GEO-13)."""
    rules = data().numbers
    multiplier, least = rules["geometry.sigma_multiplier"], rules["geometry.min_band_mm"]
    return limits.close(measured_mm, limit_mm, (sigma_1, sigma_2), multiplier, least)


def held(
    measured_mm: float, limit_mm: float, settings: Settings, sigma_1: float, sigma_2: float
) -> Verdict:
    """Hold a length against a limit and settle a near thing as agreed (FM-GEO-14).

    Returns:
        Borderline only when the players are to be asked.
    """
    verdict = close(measured_mm, limit_mm, sigma_1, sigma_2)
    return limits.settled(verdict, measured_mm, limit_mm, settings.close_policy)


def fits(length_mm: float, limit_mm: float) -> bool:
    """Whether a length keeps an inclusive limit, as read (FM-GEN-14)."""
    return limits.fits(length_mm, limit_mm)


def within(a: Standing, b: Standing, radius_in: float, settings: Settings) -> bool:
    """Whether a footprint is within a command radius of another (FM-ACT-07, FM-BIG-02)."""
    return fits(edge_gap(a, b), settings.inches(radius_in))


def under_template(
    centre_mm: PointMm, diameter_mm: float, figure: Standing, settings: Settings
) -> bool:
    """Whether a figure is under a round template (FM-GEO-11, FM-GEO-26, FM-SPELL-19)."""
    return limits.under_template(centre_mm, diameter_mm, figure, settings.template_rule)


def across_wall(a: Standing, b: Standing, wall: BaseGeometry, settings: Settings) -> bool:
    """Whether two touch a low wall or hedge right across from each other (FM-GEO-29)."""
    mine, theirs = (bases.inner(one.base, one.position_mm) for one in (a, b))
    for one in (mine, theirs):
        between = one.core.distance(wall) - one.radius_mm
        if not is_contact(between, settings):
            return False
    here, there = nearest_points(mine.polygon(64), theirs.polygon(64))
    line = LineString([here, there])
    through = LineString([a.position_mm, b.position_mm])
    if line.length <= EXACT_MM or not through.crosses(wall) or not line.intersects(wall):
        return False
    outside = line.length - line.intersection(wall).length
    return fits(outside, 2.0 * settings.contact_mm)


def pushed_to(
    winners: Sequence[PointMm], loser: PointMm, way_mm: float, size_mm: tuple[float, float] | None
) -> PointMm | None:
    """Where a loser goes who is pushed straight back (FM-PUSH-01, FM-GEO-25).

    Args:
        winners: Middles of the winners of the fight.
        loser: Middle of the loser.
        way_mm: Length of the push.
        size_mm: Size of the table, for one who stands exactly among his winners.

    Returns:
        The place, None when no direction can be told.
    """
    least = data().numbers["geometry.push_least_mm"]
    middle = (
        sum(x for x, _ in winners) / len(winners),
        sum(y for _, y in winners) / len(winners),
    )
    nearest = min(winners, key=lambda at: math.dist(at, loser))
    table = loser if size_mm is None else (size_mm[0] / 2.0, size_mm[1] / 2.0)
    for source, shortest in ((middle, least), (nearest, EXACT_MM), (table, EXACT_MM)):
        far = math.dist(source, loser)
        if far >= shortest and far > EXACT_MM:
            x, y = ((loser[i] - source[i]) / far * way_mm for i in (0, 1))
            return (loser[0] + x, loser[1] + y)
    return None


def landing_fault(
    start: PointMm, here: Standing, limit_mm: float, others: Sequence[Standing], slack_mm: float
) -> str | None:
    """Why a flight is not legal: ``too_far`` or ``landed_on_figure`` (FM-MOVE-14).

    Args:
        start: Where it started.
        here: The flier where it landed.
        limit_mm: Longest flight.
        others: All other figures.
        slack_mm: Overlap that may just be measured so.
    """
    if not fits(math.dist(start, here.position_mm), limit_mm):
        return "too_far"
    return "landed_on_figure" if landed_on(here, others, slack_mm) is not None else None


def landed_on(here: Standing, others: Sequence[Standing], slack_mm: float) -> Standing | None:
    """A figure on whose place this one stands (FM-MOVE-08, FM-MOVE-14)."""
    mine = bases.inner(here.base, here.position_mm)
    for other in others:
        theirs = bases.inner(other.base, other.position_mm)
        near = mine.core.distance(theirs.core) - mine.radius_mm - theirs.radius_mm
        if near < -slack_mm - EXACT_MM:
            return other
        if mine.radius_mm == 0.0 or theirs.radius_mm == 0.0:
            slim = mine.polygon().buffer(-slack_mm / 2.0)
            if slim.intersection(theirs.polygon().buffer(-slack_mm / 2.0)).area > EXACT_MM:
                return other
    return None


def guarded(post: Standing, enemies: Sequence[Standing], radius_mm: float) -> int | None:
    """Index of the enemy a defending creature goes for (FM-BIG-11, 12, 21), None for nobody."""
    gaps = [edge_gap(post, enemy) for enemy in enemies]
    near = [i for i, gap in enumerate(gaps) if fits(gap, radius_mm)]
    return min(near, key=lambda i: (gaps[i], i), default=None)


def meeting(gap: float, a: float, b: float) -> tuple[bool, float, float]:
    """Whether two who walk at each other meet, and how far each goes (FM-MOVE-11, FM-GEO-24)."""
    if not fits(gap, a + b):
        return False, a, b
    share = gap / (a + b) if a + b > 0.0 else 0.0
    return True, a * share, b * share
