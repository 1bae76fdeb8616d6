"""Ways on foot over a real table: what a move costs and where it can lead (DZ-MOVE, DZ-GEO-07)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from shapely import Point, union_all
from shapely.geometry.base import BaseGeometry

from engine.geometry.bases import inner, inscribed_radius
from engine.geometry.interval import EXACT_MM
from engine.geometry.obstacles import Walker
from engine.geometry.routes import Route
from engine.geometry.surfaces import Ground, ground
from engine.geometry.walks import Walk
from engine.rulesets.deathzap.measures.lengths import charge_offered, edge_gap
from engine.rulesets.deathzap.settings import Settings
from engine.table import Figure, PointMm, Terrain

_SLACK_MM: Final = 0.5
"""Areas of reach are drawn with corners; so much is lost at their round edge."""
_CORNER_SEGS: Final = 8
"""Edges a quarter of a grown corner: off by less than 0.1 mm for a figure of 10 mm."""


@dataclass(frozen=True, slots=True)
class Mover:
    """A fighter about to move.

    Attributes:
        walk: How it walks among terrain and other fighters (DZ-MOVE-03).
        height_mm: Its own height: the highest it climbs (DZ-MOVE-05).
    """

    walk: Walk
    height_mm: float

    def cost(self, route: Route) -> float | None:
        """Length of a way with the heights climbed (DZ-GEO-26), None when it is not passable."""
        climbs = route.climbs
        if any(rise > self.height_mm + EXACT_MM for rise in (*climbs.up_mm, *climbs.down_mm)):
            return None
        return route.length_mm + sum(climbs.up_mm)

    def shortest(self, start: PointMm, goal: PointMm) -> float | None:
        """Cost of the cheapest way (DZ-GEO-06, DZ-GEO-07) in mm, None without any."""
        costs = [self.cost(route) for route in self.walk.routes(start, goal)]
        return min((cost for cost in costs if cost is not None), default=None)

    def reach(self, start: PointMm, move: float) -> BaseGeometry:
        """Where a move can end, as area of the middle of the base."""

        def span(route: Route) -> tuple[float, float] | None:
            cost = self.cost(route)
            return None if cost is None else (0.0, move - cost + route.length_mm)

        walked = self.walk.reach(start, move)
        highest = self.height_mm + 2.0 * EXACT_MM
        return union_all([walked, self.walk.climb_reach(start, move, span, None, highest)])


def mover(
    figure: Figure,
    others: Iterable[Figure],
    terrain: tuple[Terrain, ...],
    size_mm: tuple[float, float] | None,
    settings: Settings,
) -> Mover:
    """A fighter about to move.

    Args:
        figure: The fighter.
        others: Fighters that may not be moved through; itself among them does not count.
        terrain: Everything that stands in the way.
        size_mm: Size of the table, None where its edges are unknown (DZ-MOVE-08).
        settings: Options of the game.
    """
    blockers = tuple(other for other in others if other.figure_id != figure.figure_id)
    step_mm = settings.mm(settings.terrain_step_over_in)
    return Mover(
        Walk(
            ground=surfaces(terrain),
            walker=Walker(inscribed_radius(figure.base), step_mm, size_mm, _CORNER_SEGS),
            blockers=blockers,
            occupied=blockers,
        ),
        figure.height_mm,
    )


@lru_cache(maxsize=8)
def surfaces(terrain: tuple[Terrain, ...]) -> Ground:
    """Standing surfaces; one goes up a ladder like up stairs, the height is free (DZ-MOVE-05)."""
    return ground(
        replace(
            piece,
            standable=True,
            marks=tuple(
                replace(mark, kind="stairs") if mark.kind == "ladder" else mark
                for mark in piece.marks
            ),
        )
        for piece in terrain
    )


def may_charge(
    charger: Figure,
    target: Figure,
    going: Mover,
    area: BaseGeometry,
    move: float,
    settings: Settings,
) -> bool:
    """Whether a charge is offered (DZ-CHG-07, DZ-GEO-24, DZ-GEO-25).

    Args:
        charger: Who charges.
        target: Who is charged.
        going: The charger about to move.
        area: Where its move can end.
        move: Longest move in mm.
        settings: Options of the game.
    """
    gap = edge_gap(charger, target)
    if not charge_offered(gap, move, settings):
        return False
    if _straight_free(charger, target, going):
        return True
    footing = inner(target.base, target.position_mm)
    near = Point(target.position_mm) if footing.radius_mm else footing.core
    between = area.distance(near) - footing.radius_mm - inscribed_radius(charger.base)
    tolerance = 0.0 if settings.charge_reach == "gap" else settings.contact_mm
    return not area.is_empty and between <= tolerance + _SLACK_MM


def _straight_free(charger: Figure, target: Figure, going: Mover) -> bool:
    """Whether nothing is in the way of the straight line to the target."""
    others = tuple(o for o in going.walk.blockers if o != target)
    alone = replace(going, walk=replace(going.walk, blockers=others, occupied=()))
    gap = edge_gap(charger, target)
    ax, ay = charger.position_mm
    bx, by = target.position_mm
    far = max(((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5, EXACT_MM)
    goal = (ax + (bx - ax) * gap / far, ay + (by - ay) * gap / far)
    if gap <= EXACT_MM:
        return True
    cost = alone.shortest(charger.position_mm, goal)
    return cost is not None and cost <= gap + EXACT_MM
