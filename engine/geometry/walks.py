"""Ways of one model over one table: on foot, by stairs and by climbing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, TypeAlias

import shapely
from shapely import Point, Polygon
from shapely.geometry.base import BaseGeometry

from engine.geometry import bases, paths
from engine.geometry.bases import Standing
from engine.geometry.obstacles import Obstacles, Walker, cliffs, closed_areas, obstacles
from engine.geometry.reach import reach
from engine.geometry.surfaces import EMPTY, Climbs, Ground
from engine.table import PointMm

_MOST_ROUTES: Final = 16
_SPECK_MM2: Final = 1.0
_THREAD_MM: Final = 0.2


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


Fits: TypeAlias = Callable[[Route], bool]
"""Whether the rules allow a way."""


@dataclass(frozen=True, slots=True, eq=False)
class Walk:
    """A model about to walk.

    Attributes:
        ground: Standing surfaces.
        walker: How its base walks.
        blockers: Models it cannot walk through.
        occupied: Models on whose bases it cannot end, blockers or not.
        straight: Only straight ways count.
    """

    ground: Ground
    walker: Walker
    blockers: tuple[Standing, ...] = ()
    occupied: tuple[Standing, ...] = ()
    straight: bool = False

    def routes(self, start: PointMm, goal: PointMm) -> tuple[Route, ...]:
        """Ways worth comparing, shortest first: climbing over more is shorter, or it is left out.

        Empty when there is no way at all, not even by climbing.
        """
        found: list[Route] = []
        high = frozenset(cliff.terrain_id for cliff in cliffs(self.ground, self.walker.step_mm))
        waiting, seen = [high], {high}
        while waiting and len(seen) <= _MOST_ROUTES:
            passable = waiting.pop(0)
            path = self._path(start, goal, self._closed((start, goal), passable, None))
            if path is None:
                continue
            found.append(self._route(path))
            for piece in passable:
                without = passable - {piece}
                if without not in seen and self._climbed(path, piece):
                    seen.add(without)
                    waiting.append(without)
        found.sort(key=lambda route: (route.length_mm, route.climbs.total_mm))
        kept: list[Route] = []
        for route in found:
            if all(route.climbs.total_mm < other.climbs.total_mm - 1e-6 for other in kept):
                kept.append(route)
        return tuple(kept)

    def reach(self, start: PointMm, allowance_mm: float) -> BaseGeometry:
        """Where the model can end without climbing, as area of its centre."""
        closed = self._closed((start,), frozenset(), allowance_mm)
        area = reach(start, allowance_mm, closed, straight=self.straight)
        return self._ends(area)

    def climb_reach(self, start: PointMm, allowance_mm: float, fits: Fits) -> BaseGeometry:
        """Where the model can end by climbing, as area of its centre.

        Each piece in reach is opened by itself, and each two that touch together; a part of the
        area so won counts when the rules allow the way to it.

        Args:
            start: Centre of its base.
            allowance_mm: Longest flat way.
            fits: Whether the rules allow a way.
        """
        here = Point(start)
        near = [
            cliff
            for cliff in cliffs(self.ground, self.walker.step_mm)
            if cliff.line.distance(here) <= allowance_mm
        ]
        sets = [frozenset({cliff.terrain_id}) for cliff in near]
        sets += [
            frozenset({a.terrain_id, b.terrain_id})
            for a, b in combinations(near, 2)
            if a.line.distance(b.line) <= self.walker.radius_mm
        ]
        walked = self.reach(start, allowance_mm) if sets else EMPTY
        won = [self._won(start, allowance_mm, opened, walked, fits) for opened in sets]
        return self._ends(shapely.union_all(won)) if won else EMPTY

    def may_end(self, point: PointMm) -> bool:
        """Whether the model may stand there: on a standable surface and on no other base."""
        if not self.ground.standable_at(point, self.walker.step_mm):
            return False
        return not any(area.contains(Point(point)) for area in self._bases_of(self.occupied))

    def _won(
        self,
        start: PointMm,
        allowance_mm: float,
        opened: frozenset[str],
        walked: BaseGeometry,
        fits: Fits,
    ) -> BaseGeometry:
        closed = self._closed((start,), opened, allowance_mm)
        area = reach(start, allowance_mm, closed, straight=self.straight).difference(walked)
        parts = []
        for surface in self.ground.surfaces:
            parts.append(area.intersection(surface.area))
            area = area.difference(surface.area)
        kept = []
        for part in _polygons([*parts, area]):
            inside = part.representative_point()
            path = self._path(start, (inside.x, inside.y), closed)
            if path is not None and fits(self._route(path)):
                kept.append(part)
        return shapely.union_all(kept)

    def _ends(self, area: BaseGeometry) -> BaseGeometry:
        """The part of an area where the model may stand at last."""
        inside = self.walker.inside()
        if inside is not None:
            area = area.intersection(inside)
        bad = []
        higher: BaseGeometry = EMPTY
        for surface in self.ground.surfaces:
            if not surface.standable and surface.height_mm > self.walker.step_mm:
                bad.append(surface.area.difference(higher).difference(self.ground.stairs))
            higher = higher.union(surface.area)
        bad += [item for item in self._bases_of(self.occupied) if item.intersects(area)]
        return shapely.union_all(_polygons([area.difference(shapely.union_all(bad))]))

    def _bases_of(self, models: Sequence[Standing]) -> list[BaseGeometry]:
        grown: list[BaseGeometry] = []
        for model in models:
            footing = bases.inner(model.base, model.position_mm)
            grown.append(footing.core.buffer(footing.radius_mm + self.walker.radius_mm))
        return grown

    def _closed(
        self, anchors: Sequence[PointMm], passable: frozenset[str], within_mm: float | None
    ) -> Obstacles:
        areas = closed_areas(self.ground, self.blockers, self.walker, anchors, passable, within_mm)
        return obstacles(areas, self.walker)

    def _path(self, start: PointMm, goal: PointMm, closed: Obstacles) -> tuple[PointMm, ...] | None:
        find = paths.straight if self.straight else paths.shortest
        return find(start, goal, closed)

    def _route(self, path: tuple[PointMm, ...]) -> Route:
        climbs = self.ground.climbs(path, self.walker.step_mm)
        return Route(path, paths.length(path), climbs)

    def _climbed(self, path: Sequence[PointMm], terrain_id: str) -> bool:
        line = shapely.LineString(path)
        return any(
            cliff.terrain_id == terrain_id and cliff.line.intersects(line)
            for cliff in cliffs(self.ground, self.walker.step_mm)
        )


def _polygons(areas: Sequence[BaseGeometry]) -> list[Polygon]:
    """The polygons of some areas without threads and specks, which only rounding makes."""
    opened = shapely.buffer(
        shapely.buffer(areas, -_THREAD_MM, join_style="mitre"), _THREAD_MM, join_style="mitre"
    )
    return [
        part
        for part in shapely.get_parts(opened)
        if isinstance(part, Polygon) and part.area > _SPECK_MM2
    ]
