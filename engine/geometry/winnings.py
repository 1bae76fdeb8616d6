"""What is won by climbing: the parts of an area that nobody walks to, and the ways into them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from engine.geometry import paths
from engine.geometry.known import (
    Spot,
    areas_gained,
    areas_on_foot,
    sound_parts_each,
    spreads_from,
)
from engine.geometry.routes import Route
from engine.geometry.surfaces import Ground
from engine.memo import each_kept


class Winning(NamedTuple):
    """A part of an area, all on one surface.

    Attributes:
        part: Its outline.
        route: The shortest way into its middle.
    """

    part: Polygon
    route: Route


@each_kept(1024)
def winnings(wanted: Sequence[tuple[Spot, Spot, float]]) -> list[tuple[Winning, ...]]:
    """What is won by opening pieces, of which all that is walked to is known.

    Args:
        wanted: The spot with pieces open, that with them closed, and the allowance.
    """
    gained = areas_gained(wanted)
    walked = areas_on_foot([(foot, most_mm) for _, foot, most_mm in wanted])
    return winnings_beyond(
        [
            (spot, area, (known,))
            for (spot, _, _), area, known in zip(wanted, gained, walked, strict=True)
        ]
    )


def winnings_beyond(
    wanted: Sequence[tuple[Spot, BaseGeometry, Sequence[BaseGeometry]]],
) -> list[tuple[Winning, ...]]:
    """What is won of some areas besides the known.

    What lies before a wall, too near for the base, is won by nobody.

    Args:
        wanted: The spot, the area that is come to from there, and what of it is known.
    """
    pieces = []
    for spot, area, known in wanted:
        there = {id(one) for one in spot.closed.areas}
        shut = spot._replace(passable=frozenset()).closed.areas
        for one in (*known, *(one for one in shut if id(one) not in there)):
            area = area.difference(one)
        pieces.append(_by_surface(spot.ground, area))
    parts, ways = [], []
    spreads = spreads_from([spot for spot, _, _ in wanted])
    for which, (spread, found) in enumerate(zip(spreads, sound_parts_each(pieces), strict=True)):
        for part in found:
            inside = part.representative_point()
            path = spread.way_to((inside.x, inside.y))
            if path is not None:
                parts.append((which, part))
                ways.append(path)
    # All over one table, most often.
    won: list[list[Winning]] = [[] for _ in wanted]
    floors = {id(wanted[which][0].ground): wanted[which][0] for which, _ in parts}
    for key, spot in floors.items():
        mine = [k for k, (which, _) in enumerate(parts) if id(wanted[which][0].ground) == key]
        climbs = spot.ground.all_climbs([ways[k] for k in mine], spot.walker.step_mm)
        for k, climbed in zip(mine, climbs, strict=True):
            which, part = parts[k]
            won[which].append(Winning(part, Route(ways[k], paths.length(ways[k]), climbed)))
    return [tuple(one) for one in won]


def _by_surface(ground: Ground, area: BaseGeometry) -> list[BaseGeometry]:
    """The parts of an area, each on one surface."""
    parts = []
    for surface in ground.met_by(area):
        parts.append(area.intersection(surface.area))
        area = area.difference(surface.area)
    return [*parts, area]
