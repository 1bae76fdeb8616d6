"""Ways of one model over one table: on foot, by stairs and by climbing."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

import numpy as np
import shapely
from shapely import Point
from shapely.geometry.base import BaseGeometry
from shapely.ops import nearest_points

from engine.geometry import bases, paths
from engine.geometry.bases import Standing
from engine.geometry.closed import Cliff, cliffs, closed, edge_tree, walls
from engine.geometry.endings import bases_of, ends
from engine.geometry.known import (
    Spot,
    areas_gained,
    areas_on_foot,
    without_stairs,
)
from engine.geometry.obstacles import Obstacles, Walker, blocked
from engine.geometry.routes import Route, Span
from engine.geometry.surfaces import EMPTY, Ground
from engine.geometry.winnings import winnings, winnings_beyond
from engine.table import PointMm

_MOST_ROUTES: Final = 16
_TOUCH_MM: Final = 0.5
_INSIDE_MM: Final = 0.5


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
        # What lies farther off than a way is long is not met on it.
        near = 2.0 * math.dist(start, goal) + 4.0 * self.walker.radius_mm
        for within in (near, None) if math.isinf(most_mm) else (most_mm,):
            closed = self._closed((start, goal), frozenset(), within)
            path = self._path(start, goal, closed, most_mm)
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
        near = self.cliffs_near(start, allowance_mm, closed_from_mm)
        if not near and on_foot is None:
            return EMPTY
        met = self.met(start, allowance_mm, near)
        free = self._area(start, allowance_mm, frozenset())
        walked = free if on_foot is None else self._walked(start, allowance_mm, on_foot)
        won: dict[frozenset[str], BaseGeometry] = {}
        foot = self.asked(start, allowance_mm)[0] if walked is free else None

        def open_up(*names: str) -> None:
            known = [walked, *(area for key, area in won.items() if key <= {*names})]
            spot = self.asked(start, allowance_mm, names)[0]
            won[frozenset(names)] = self._won(spot, allowance_mm, known, span, foot)

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
        taken = bases_of(self.occupied, self.walker)
        return not any(area.contains(Point(point)) for area in taken)

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
        spot = self.asked(start, allowance_mm)[0]
        return free.union(self._won(spot, allowance_mm, [free], span))

    def cliffs_near(
        self, start: PointMm, allowance_mm: float, closed_from_mm: float = math.inf
    ) -> list[Cliff]:
        """Cliffs lower than ``closed_from_mm`` that a way could come to."""
        every = cliffs(self.ground, self.walker.step_mm)
        tree = edge_tree(self.ground, self.walker.step_mm)
        near = np.sort(tree.query(Point(start), "dwithin", allowance_mm)).tolist()
        return [every[index] for index in near if every[index].least_mm < closed_from_mm]

    def met(self, start: PointMm, allowance_mm: float, near: Sequence[Cliff]) -> list[Cliff]:
        """Those of some cliffs that it comes to on foot."""
        if not near:
            return []
        free = self._area(start, allowance_mm, frozenset())
        touched = shapely.dwithin([cliff.line for cliff in near], free, self._touch_mm)
        return [cliff for cliff, one in zip(near, touched.tolist(), strict=True) if one]

    def asked(
        self, start: PointMm, allowance_mm: float, passable: Iterable[str] = ()
    ) -> tuple[Spot, float]:
        """What its area on foot depends on when some pieces are open to it."""
        longest = max(allowance_mm, self.longest_mm or 0.0)
        near = self._near(self.blockers, start, longest)
        return Spot(
            self.ground, self.walker, near, self.straight, start, longest, frozenset(passable)
        ), allowance_mm

    def _area(self, start: PointMm, allowance_mm: float, passable: frozenset[str]) -> BaseGeometry:
        """Where the model comes when some pieces are open to it."""
        return areas_on_foot([self.asked(start, allowance_mm, passable)])[0]

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
        spot: Spot,
        allowance_mm: float,
        known: Sequence[BaseGeometry],
        span: Span,
        foot: Spot | None = None,
    ) -> BaseGeometry:
        """What is won beyond the known from a spot.

        Args:
            spot: Where it starts, some pieces open.
            allowance_mm: Longest flat way.
            known: What need not be won.
            span: How long a way may be.
            foot: The same spot with all closed, if all that is walked from there is known.
        """

        def within(some_mm: Iterable[float]) -> list[BaseGeometry]:
            if foot is None:
                return areas_on_foot([(spot, most_mm) for most_mm in some_mm])
            return areas_gained([(spot, foot, most_mm) for most_mm in some_mm])

        if foot is not None and len(known) == 1:
            (won,) = winnings([(spot, foot, allowance_mm)])
        else:
            (area,) = within([allowance_mm])
            (won,) = winnings_beyond([(spot, area, known)])
        found = [(one.part, *lengths) for one in won if (lengths := span(one.route)) is not None]
        # Its nearer places may be in reach where its middle is not.
        nearer = {most for _, _, most in found if most < allowance_mm}
        farther = {least for _, least, _ in found if least > 0.0}
        limits = [*(nearer | farther)]
        areas = dict(zip(limits, within(limits), strict=True))
        kept: list[BaseGeometry] = []
        for part, least, most in found:
            near: BaseGeometry = part.intersection(areas[most]) if most < allowance_mm else part
            kept.append(near.difference(areas[least]) if least > 0.0 else near)
        if len(kept) == 1:
            return kept[0]
        return shapely.union_all(kept) if kept else EMPTY

    def _ends(self, area: BaseGeometry) -> BaseGeometry:
        """The part of an area where the model may stand at last."""
        return ends(area, self.ground, self.walker, self.occupied)

    def _closed(
        self,
        anchors: Sequence[PointMm],
        passable: frozenset[str],
        within_mm: float | None,
        ground: Ground | None = None,
    ) -> Obstacles:
        floor = ground or self.ground
        return closed(floor, self.blockers, self.walker, anchors, passable, within_mm)

    def _path(
        self, start: PointMm, goal: PointMm, closed: Obstacles, most_mm: float = math.inf
    ) -> tuple[PointMm, ...] | None:
        if self.straight:
            return paths.straight(start, goal, closed)
        return paths.shortest(start, goal, closed, most_mm)

    def _route(self, path: tuple[PointMm, ...]) -> Route:
        climbs = self.ground.climbs(path, self.walker.step_mm)
        return Route(path, paths.length(path), climbs)
