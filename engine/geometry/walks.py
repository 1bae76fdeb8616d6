"""Ways of one model over one table: on foot, by stairs and by climbing."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final, TypeAlias

import shapely
from shapely import Point, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import nearest_points

from engine.geometry import bases, paths
from engine.geometry.bases import Standing
from engine.geometry.closed import Cliff, cliffs, closed, walls
from engine.geometry.known import (
    area_on_foot,
    forbidden,
    obstacles_near,
    sound_parts,
    wide,
    without_stairs,
)
from engine.geometry.obstacles import Obstacles, Walker, blocked
from engine.geometry.surfaces import EMPTY, Climbs, Ground
from engine.table import PointMm

_MOST_ROUTES: Final = 16
_TOUCH_MM: Final = 0.5
_INSIDE_MM: Final = 0.5


@dataclass(frozen=True, slots=True)
class Route:
    """One way from a start to a goal.

    Attributes:
        points: Start, bends and goal of the centre of the base.
        length_mm: Flat length.
        climbs: What is climbed on it.
    """

    points: tuple[PointMm, ...]
    length_mm: float
    climbs: Climbs


Span: TypeAlias = Callable[[Route], tuple[float, float] | None]
"""Least and greatest flat length in mm at which the rules allow a way that climbs as this one
does; None where they never do."""


@dataclass(frozen=True, slots=True, eq=False)
class Walk:
    """A model about to walk.

    Attributes:
        ground: Standing surfaces.
        walker: How its base walks.
        blockers: Models it cannot walk through.
        occupied: Models on whose bases it cannot end, blockers or not.
        straight: Only straight ways count.
        stairs_count: Height on stairs is not free, so that ways round them are worth comparing.
        longest_mm: Longest way that will be asked for, so that shorter reaches come out of the
            same search; None where there is one only.
    """

    ground: Ground
    walker: Walker
    blockers: tuple[Standing, ...] = ()
    occupied: tuple[Standing, ...] = ()
    straight: bool = False
    stairs_count: bool = False
    longest_mm: float | None = None

    def routes(self, start: PointMm, goal: PointMm) -> tuple[Route, ...]:
        """Ways worth comparing, shortest first: climbing over more is shorter, or it is left out.

        Empty when there is no way at all, not even by climbing.
        """
        found = self._choices(start, goal, self.ground)
        if self.stairs_count and not self.ground.stairs.is_empty:
            found += self._choices(start, goal, without_stairs(self.ground))
        found.sort(key=lambda route: (route.length_mm, self._effort(route)))
        kept: list[Route] = []
        for route in found:
            if all(self._effort(route) < self._effort(other) - 1e-6 for other in kept):
                kept.append(route)
        return tuple(kept)

    def on_foot(self, start: PointMm, goal: PointMm) -> Route | None:
        """The shortest way without climbing, None where there is none."""
        path = self.path_on_foot(start, goal)
        return None if path is None else self._route(path)

    def path_on_foot(
        self, start: PointMm, goal: PointMm, most_mm: float = math.inf
    ) -> tuple[PointMm, ...] | None:
        """The same as bare points; None where it is longer than ``most_mm``."""
        near = 2.0 * math.dist(start, goal) + 4.0 * self.walker.radius_mm
        # What lies farther off than a way is long is not met on it.
        for within in (near, None) if math.isinf(most_mm) else (most_mm,):
            path = self._path(start, goal, self._closed((start, goal), frozenset(), within))
            if path is not None and (within is None or paths.length(path) <= within):
                return path
        return None

    def reach(self, start: PointMm, allowance_mm: float, span: Span | None = None) -> BaseGeometry:
        """Where the model can end without climbing, as area of its centre.

        Args:
            start: Centre of its base.
            allowance_mm: Longest flat way.
            span: How long a way by stairs may be; None where all are free.
        """
        return self._ends(self._walked(start, allowance_mm, span))

    def climb_reach(
        self,
        start: PointMm,
        allowance_mm: float,
        span: Span,
        on_foot: Span | None = None,
        closed_from_mm: float = math.inf,
    ) -> BaseGeometry:
        """Where the model can end by climbing, as area of its centre.

        Each piece in reach is opened by itself, each two of which one is met from the other, and
        with those what is met from there; a part of the area so won counts as far as the rules
        allow a way into it. What lies before a wall, too near for the base, is won by nobody.

        Args:
            start: Centre of its base.
            allowance_mm: Longest flat way.
            span: How long a way may be.
            on_foot: The same for a way by stairs, None where it is one of climbing; left out, all
                stairs are walked.
            closed_from_mm: Rises and drops of so much and more are allowed to nobody, so that ways
                over them need not be looked for.
        """
        here = Point(start)
        near = [
            cliff
            for cliff in cliffs(self.ground, self.walker.step_mm)
            if cliff.least_mm < closed_from_mm and cliff.line.distance(here) <= allowance_mm
        ]
        if not near and on_foot is None:
            return EMPTY
        free = self._area(start, allowance_mm, frozenset())
        walked = free if on_foot is None else self._walked(start, allowance_mm, on_foot)
        met = [cliff for cliff in near if free.distance(cliff.line) <= self._touch_mm]
        won: dict[frozenset[str], BaseGeometry] = {}

        def open_up(*names: str) -> None:
            known = [walked, *(area for key, area in won.items() if key <= {*names})]
            won[frozenset(names)] = self._won(start, allowance_mm, frozenset(names), known, span)

        for cliff in met:
            open_up(cliff.terrain_id)
        if on_foot is not None:
            open_up()
        for a, b in combinations(near, 2):
            if (a in met or b in met) and self._meet(a, b, won):
                open_up(a.terrain_id, b.terrain_id)
        longer = [key for key in won if len(key) > 1]
        for passed in longer:  # more come as long as the last one climbed leads somewhere
            for cliff in near if len(won) < _MOST_ROUTES**2 else ():
                names = passed | {cliff.terrain_id}
                if names not in won and won[passed].distance(cliff.line) <= self._touch_mm:
                    open_up(*names)
                    longer.append(names)
        return self._ends(shapely.union_all([*won.values()]))

    def may_end(self, point: PointMm) -> bool:
        """Whether the model may stand there: on a standable surface and on no other base."""
        if not self.ground.standable_at(point, self.walker.step_mm):
            return False
        return not any(area.contains(Point(point)) for area in self._bases_of(self.occupied))

    @property
    def _touch_mm(self) -> float:
        """Who stands so near to a cliff stands at it."""
        return self.walker.radius_mm + _TOUCH_MM

    def _choices(self, start: PointMm, goal: PointMm, ground: Ground) -> list[Route]:
        """The shortest way of all, and the shortest without each piece that it climbs.

        A piece that is open to climbers lets them squeeze past it as well, which is no way.
        """
        found: list[Route] = []
        high = frozenset(cliff.terrain_id for cliff in cliffs(ground, self.walker.step_mm))
        waiting, seen = [high], {high}
        while waiting and len(seen) <= _MOST_ROUTES:
            passable = waiting.pop(0)
            path = self._path(start, goal, self._closed((start, goal), passable, None, ground))
            if path is None:
                continue
            line = shapely.LineString(path)
            climbed = self._climbed(line, passable, ground)
            squeezed = self._squeezed(line, (start, goal), passable - climbed, climbed, ground)
            if squeezed:
                found += self._over(line, (start, goal), squeezed, ground)
                further = [passable - squeezed, frozenset[str]()]
            else:
                found.append(self._route(path))
                further = []
            further += [passable - {name} for name in sorted(climbed | squeezed)]
            for without in further:
                if without not in seen:
                    seen.add(without)
                    waiting.append(without)
        return found

    def _climbed(
        self, line: BaseGeometry, passable: frozenset[str], ground: Ground
    ) -> frozenset[str]:
        """Which of some pieces a way goes up or down."""
        return frozenset(
            cliff.terrain_id
            for cliff in cliffs(ground, self.walker.step_mm)
            if cliff.terrain_id in passable and cliff.line.intersects(line)
        )

    def _squeezed(
        self,
        line: BaseGeometry,
        anchors: tuple[PointMm, PointMm],
        others: frozenset[str],
        climbed: frozenset[str],
        ground: Ground,
    ) -> frozenset[str]:
        """Pieces that a way passes nearer than half a base without climbing them."""
        beside = walls(ground, self.walker).beside(line) & others
        if not beside:
            return beside
        # Where it stands at the start or goal it is believed to stand.
        shut = self._closed(anchors, climbed, None, ground)
        points = shapely.get_coordinates(line)
        met = blocked(points[:-1], points[1:], shut.edges).any()
        return beside if met else frozenset()

    def _over(
        self,
        line: BaseGeometry,
        ends: tuple[PointMm, PointMm],
        squeezed: frozenset[str],
        ground: Ground,
    ) -> Iterator[Route]:
        """Over the end of each piece that a way would squeeze past, as near to it as can be."""
        for surface in ground.surfaces:
            if surface.terrain_id not in squeezed:
                continue
            top = surface.area.buffer(-_INSIDE_MM)
            near, _ = nearest_points(surface.area if top.is_empty else top, line)
            closed = self._closed(ends, frozenset({surface.terrain_id}), None, ground)
            up = self._path(ends[0], (near.x, near.y), closed)
            down = self._path((near.x, near.y), ends[1], closed)
            if up is not None and down is not None:
                yield self._route((*up, *down[1:]))

    def _effort(self, route: Route) -> float:
        climbs = route.climbs
        stairs = climbs.stairs_up_mm + climbs.stairs_down_mm if self.stairs_count else 0.0
        return climbs.total_mm + stairs

    def _walked(self, start: PointMm, allowance_mm: float, span: Span | None) -> BaseGeometry:
        if span is None or self.ground.stairs.is_empty:
            return self._area(start, allowance_mm, frozenset())
        level = replace(self, ground=without_stairs(self.ground))
        free = level._area(start, allowance_mm, frozenset())
        return free.union(self._won(start, allowance_mm, frozenset(), [free], span))

    def _area(self, start: PointMm, allowance_mm: float, passable: frozenset[str]) -> BaseGeometry:
        """Where the model comes when some pieces are open to it."""
        return area_on_foot(*self._key(start, passable, allowance_mm), allowance_mm)

    def _shut(self, start: PointMm, passable: frozenset[str], allowance_mm: float) -> Obstacles:
        """What is closed to it then."""
        ground, walker, near, _, *more = self._key(start, passable, allowance_mm)
        return obstacles_near(ground, walker, near, *more)

    def _key(
        self, start: PointMm, passable: frozenset[str], allowance_mm: float
    ) -> tuple[Ground, Walker, tuple[Standing, ...], bool, PointMm, float, frozenset[str]]:
        """What a spread depends on."""
        longest = max(allowance_mm, self.longest_mm or 0.0)
        near = self._near(self.blockers, start, longest)
        return self.ground, self.walker, near, self.straight, start, longest, passable

    def _near(
        self, models: tuple[Standing, ...], start: PointMm, allowance_mm: float
    ) -> tuple[Standing, ...]:
        """Models whose base the walker could come upon."""
        reached = allowance_mm + self.walker.radius_mm
        return tuple(
            model
            for model in models
            if math.dist(model.position_mm, start)
            <= reached + bases.circumscribed_radius(model.base)
        )

    def _meet(self, a: Cliff, b: Cliff, won: Mapping[frozenset[str], BaseGeometry]) -> bool:
        """Whether one of two cliffs is met by who stands at or has passed the other."""
        if a.line.distance(b.line) <= self.walker.radius_mm:
            return True
        return any(
            not area.is_empty and area.distance(other.line) <= self._touch_mm
            for passed, other in ((a, b), (b, a))
            if (area := won.get(frozenset({passed.terrain_id}), EMPTY))
        )

    def _won(
        self,
        start: PointMm,
        allowance_mm: float,
        opened: frozenset[str],
        known: Sequence[BaseGeometry],
        span: Span,
    ) -> BaseGeometry:
        """What is won beyond the known by opening some pieces to climbers."""
        area = self._area(start, allowance_mm, opened)
        closed = self._shut(start, opened, allowance_mm)
        there = {id(one) for one in closed.areas}
        shut = self._shut(start, frozenset(), allowance_mm).areas
        for one in (*known, *(one for one in shut if id(one) not in there)):
            area = area.difference(one)
        if area.is_empty:
            return EMPTY
        kept: list[BaseGeometry] = []
        for piece in self._parts(area):
            part: BaseGeometry = piece
            inside = part.representative_point()
            path = self._path(start, (inside.x, inside.y), closed)
            lengths = None if path is None else span(self._route(path))
            if lengths is None:
                continue
            least, most = lengths
            # Its nearer places may be in reach where its middle is not.
            if most < allowance_mm:
                part = part.intersection(self._area(start, most, opened))
            if least > 0.0:
                part = part.difference(self._area(start, least, opened))
            kept.append(part)
        return shapely.union_all(kept) if kept else EMPTY

    def _parts(self, area: BaseGeometry) -> list[Polygon]:
        """The parts of an area, each on one surface."""
        parts = []
        for surface in self.ground.surfaces:
            if surface.area.intersects(area):
                parts.append(area.intersection(surface.area))
                area = area.difference(surface.area)
        return sound_parts([*parts, area])

    def _ends(self, area: BaseGeometry) -> BaseGeometry:
        """The part of an area where the model may stand at last."""
        if area.is_empty:
            return EMPTY
        inside = self.walker.inside()
        if inside is not None and not shapely.box(*area.bounds).within(inside):
            area = area.intersection(inside)
        bad = [*forbidden(self.ground, self.walker.step_mm)]
        bad += self._bases_of(self.occupied, area)
        bad = [item for item in bad if item.intersects(area)]
        if bad:
            area = area.difference(shapely.union_all(bad))
        parts = sound_parts([area])
        return parts[0] if len(parts) == 1 else shapely.union_all(parts)

    def _bases_of(
        self, models: Sequence[Standing], near: BaseGeometry | None = None
    ) -> list[BaseGeometry]:
        """Bases grown by the walker's own; those surely beyond ``near`` are left out."""
        grown: list[BaseGeometry] = []
        for model in models:
            if near is not None and self._beyond(model, near):
                continue
            grown.append(wide(model.base, model.position_mm, self.walker.radius_mm))
        return grown

    def _beyond(self, model: Standing, area: BaseGeometry) -> bool:
        """A model is so far from an area's box that its grown base cannot touch it."""
        if area.is_empty:
            return True
        (x, y), (x0, y0, x1, y1) = model.position_mm, area.bounds
        away = max(x0 - x, x - x1, y0 - y, y - y1)
        return bool(away > bases.circumscribed_radius(model.base) + self.walker.radius_mm)

    def _closed(
        self,
        anchors: Sequence[PointMm],
        passable: frozenset[str],
        within_mm: float | None,
        ground: Ground | None = None,
    ) -> Obstacles:
        floor = ground or self.ground
        return closed(floor, self.blockers, self.walker, anchors, passable, within_mm)

    def _path(self, start: PointMm, goal: PointMm, closed: Obstacles) -> tuple[PointMm, ...] | None:
        find = paths.straight if self.straight else paths.shortest
        return find(start, goal, closed)

    def _route(self, path: tuple[PointMm, ...]) -> Route:
        climbs = self.ground.climbs(path, self.walker.step_mm)
        return Route(path, paths.length(path), climbs)
