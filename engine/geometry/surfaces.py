"""Standing surfaces: how high the table is at each place, and where it goes by stairs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import (
    LineString,
    MultiPolygon,
    Point,
    Polygon,
    STRtree,
    make_valid,
    prepare,
    unary_union,
)
from shapely.geometry.base import BaseGeometry

from engine.table import PointMm, Terrain

EMPTY: Final = Polygon()
_NEAR_MM: Final = 1e-6
_BESIDE_MM: Final = 2.5
_POINT: Final = shapely.GeometryType.POINT.value
_LINE: Final = shapely.GeometryType.LINESTRING.value
TREAD_MM: Final = 5.0
"""Two rises closer than this along a path are one: nobody stands on a tread so narrow."""


@dataclass(frozen=True, slots=True)
class Surface:
    """The top of one piece of terrain.

    Attributes:
        terrain_id: The piece.
        area: Its outline in table mm.
        height_mm: Height of its top, as settled.
        standable: A model may end its move on it.
    """

    terrain_id: str
    area: BaseGeometry
    height_mm: float
    standable: bool


@dataclass(frozen=True, slots=True)
class Change:
    """One rise or drop along a path.

    Attributes:
        at_mm: Distance from the start of the path.
        dz_mm: Rise, negative for a drop.
        stairs: It happens on stairs.
    """

    at_mm: float
    dz_mm: float
    stairs: bool


@dataclass(frozen=True, slots=True)
class Climbs:
    """Heights along a path, sorted by how they are won.

    Attributes:
        up_mm: Rises outside of stairs higher than a step, in order.
        down_mm: Drops outside of stairs higher than a step, positive, in order.
        stairs_up_mm: Height gained on stairs.
        stairs_down_mm: Height lost on stairs, positive.
    """

    up_mm: tuple[float, ...] = ()
    down_mm: tuple[float, ...] = ()
    stairs_up_mm: float = 0.0
    stairs_down_mm: float = 0.0

    @property
    def total_mm(self) -> float:
        """All climbing outside of stairs, up and down."""
        return sum(self.up_mm) + sum(self.down_mm)


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """The table with everything one can stand on.

    Attributes:
        surfaces: Highest first.
        stairs: All stairs.
    """

    surfaces: tuple[Surface, ...]
    stairs: BaseGeometry

    def level_at(self, point: PointMm) -> float:
        """Height in mm of the surface at a place, 0 on the bare table."""
        return self._top(point)[0]

    def standable_at(self, point: PointMm, step_mm: float) -> bool:
        """Whether a model may stand at a place: on a top marked for it, or on a mere step."""
        height, surface = self._top(point)
        if surface is None or surface.standable or height <= step_mm + _NEAR_MM:
            return True
        return bool(self.stairs.intersects(Point(point)))

    def at_or_over(self, height_mm: float) -> BaseGeometry:
        """Area of everything at least so high."""
        return unary_union(
            [item.area for item in self.surfaces if item.height_mm >= height_mm - _NEAR_MM]
        )

    def met_by(self, area: BaseGeometry) -> list[Surface]:
        """Surfaces that an area touches, highest first."""
        return [self.surfaces[i] for i in np.sort(_tops(self).query(area, "intersects")).tolist()]

    def changes(self, path: Sequence[PointMm]) -> tuple[Change, ...]:
        """Rises and drops along a path (5.4), exact: at the edges of the pieces.

        Changes the same way less than a tread apart are one change.
        """
        return self.all_changes([path])[0]

    def all_changes(self, ways: Sequence[Sequence[PointMm]]) -> list[tuple[Change, ...]]:
        """The same along several paths: together they take less long."""
        if not self.surfaces or not len(ways):
            return [()] * len(ways)
        lines = np.array([LineString(path) for path in ways])
        cuts = self._cuts(lines)
        counts = [len(cut) - 1 for cut in cuts]
        middles = [(a + b) / 2.0 for cut in cuts for a, b in pairwise(cut)]
        points = shapely.line_interpolate_point(np.repeat(lines, counts), middles)
        levels = iter(self._levels(points))
        climbed = iter([False] * len(middles))
        if not self.stairs.is_empty:
            climbed = iter(shapely.intersects(self.stairs, points).tolist())
        found = []
        for cut in cuts:
            stretches = _without_gaps(
                [_Stretch(a, b, next(levels), next(climbed)) for a, b in pairwise(cut)]
            )
            changes = [
                Change(b.start_mm, b.level_mm - a.level_mm, a.stairs or b.stairs)
                for a, b in pairwise(stretches)
                if abs(b.level_mm - a.level_mm) > _NEAR_MM
            ]
            found.append(_merged(changes))
        return found

    def climbs(self, path: Sequence[PointMm], step_mm: float) -> Climbs:
        """What has to be climbed along a path; steps of up to ``step_mm`` are walked."""
        return self.all_climbs([path], step_mm)[0]

    def all_climbs(self, ways: Sequence[Sequence[PointMm]], step_mm: float) -> list[Climbs]:
        """The same along several paths."""
        return [_climbs(changes, step_mm) for changes in self.all_changes(ways)]

    def _top(self, point: PointMm) -> tuple[float, Surface | None]:
        # The highest comes first.
        found = _tops(self).query(Point(point), "intersects")
        if not len(found):
            return 0.0, None
        surface = self.surfaces[int(found.min())]
        return surface.height_mm, surface

    def _levels(self, points: NDArray[np.object_]) -> list[float]:
        """Height of the surface at each point, 0 on the bare table."""
        heights = [0.0] * len(points)
        for here, found in _tops(self).query(points, "intersects").T.tolist():
            heights[here] = max(heights[here], self.surfaces[found].height_mm)
        return heights

    def _cuts(self, lines: NDArray[np.object_]) -> list[list[float]]:
        """Distances along each line at which it may change its surface, from 0 to its length."""
        edges = _edges(self)
        which, crossed = edges.query(lines, "intersects")
        points, index = _points(shapely.intersection(lines[which], edges.geometries[crossed]))
        which = which[index]
        lengths = shapely.length(lines)
        every = np.concatenate([shapely.line_locate_point(lines[which], points), lengths])
        cuts: list[list[float]] = [[0.0] for _ in lines]
        order = np.argsort(every, kind="stable")
        owner = np.concatenate([which, np.arange(len(lines))])[order]
        for one, at in zip(owner.tolist(), every[order].tolist(), strict=True):
            if at - cuts[one][-1] > _NEAR_MM:
                cuts[one].append(at)
        return cuts


@dataclass(frozen=True, slots=True)
class _Stretch:
    """A part of a path on one level."""

    start_mm: float
    end_mm: float
    level_mm: float
    stairs: bool


def ground(
    terrain: Iterable[Terrain],
    height_of: Callable[[Terrain], float] = lambda piece: piece.height_mm,
) -> Ground:
    """The standing surfaces of a table.

    A piece of kind ``stairs`` is stairs all over, marks of that kind are stairs on their piece,
    and marks of kind ``door`` are openings through which one walks at the height of the table.

    Args:
        terrain: The pieces.
        height_of: Settled height of a piece in mm, for example in whole plates.
    """
    surfaces = []
    stairs = []
    for piece in terrain:
        area = outline(piece.footprint_mm)
        doors = [outline(m.footprint_mm) for m in piece.marks if m.kind == "door"]
        if doors:
            area = area.difference(unary_union(doors))
        stairs += [outline(m.footprint_mm) for m in piece.marks if m.kind == "stairs"]
        if piece.kind == "stairs":
            stairs.append(area)
        prepare(area)
        standable = piece.standable or piece.kind == "stairs"
        surfaces.append(Surface(piece.terrain_id, area, height_of(piece), standable))
    surfaces.sort(key=lambda surface: (-surface.height_mm, surface.terrain_id))
    # Grown a little, so that stairs drawn just beside their building still lead onto it.
    steps = unary_union(stairs).buffer(_BESIDE_MM, join_style="mitre") if stairs else EMPTY
    prepare(steps)
    return Ground(tuple(surfaces), steps)


@lru_cache(maxsize=64)
def _tops(ground: Ground) -> STRtree:
    """The surfaces of a table, to be asked what lies where."""
    return STRtree([surface.area for surface in ground.surfaces])


@lru_cache(maxsize=64)
def _edges(ground: Ground) -> STRtree:
    """Every edge at which a path may change its surface."""
    areas = [surface.area for surface in ground.surfaces]
    return STRtree(shapely.boundary([*areas, ground.stairs]))


@lru_cache(maxsize=1024)
def outline(points: tuple[PointMm, ...]) -> BaseGeometry:
    """A valid area from an outline as drawn by hand, crossings resolved."""
    drawn = Polygon(points)
    if drawn.is_valid:
        return drawn
    parts = getattr(make_valid(drawn), "geoms", [make_valid(drawn)])
    areas = [part for part in parts if isinstance(part, Polygon | MultiPolygon)]
    return unary_union(areas) if areas else EMPTY


def crosses_itself(points: tuple[PointMm, ...]) -> bool:
    """Whether lines of an outline meet anywhere but at their common corner."""
    return not Polygon(points).is_valid


def _climbs(changes: Sequence[Change], step_mm: float) -> Climbs:
    """Changes of height sorted by how they are won."""
    high = [c for c in changes if not c.stairs and abs(c.dz_mm) > step_mm + _NEAR_MM]
    return Climbs(
        up_mm=tuple(c.dz_mm for c in high if c.dz_mm > 0.0),
        down_mm=tuple(-c.dz_mm for c in high if c.dz_mm < 0.0),
        stairs_up_mm=sum(c.dz_mm for c in changes if c.stairs and c.dz_mm > 0.0),
        stairs_down_mm=sum(-c.dz_mm for c in changes if c.stairs and c.dz_mm < 0.0),
    )


def _points(found: NDArray[np.object_]) -> tuple[NDArray[np.object_], NDArray[np.int64]]:
    """Points of intersections, of a stretch in common its two ends; and whose each is."""
    parts, index = shapely.get_parts(found, return_index=True)
    kind = shapely.get_type_id(parts)
    point, line = kind == _POINT, kind == _LINE
    points = [parts[point], shapely.get_point(parts[line], 0), shapely.get_point(parts[line], -1)]
    return np.concatenate(points), np.concatenate([index[point], index[line], index[line]])


def _without_gaps(stretches: list[_Stretch]) -> list[_Stretch]:
    """Bridge gaps between pieces that a base does not even notice."""
    filled = list(stretches)
    for i in range(1, len(filled) - 1):
        here, floor = filled[i], min(filled[i - 1].level_mm, filled[i + 1].level_mm)
        if here.level_mm < floor and here.end_mm - here.start_mm < TREAD_MM:
            filled[i] = replace(here, level_mm=floor)
    return filled


def _merged(changes: list[Change]) -> tuple[Change, ...]:
    merged: list[Change] = []
    for change in changes:
        last = merged[-1] if merged else None
        if (
            last is not None
            and last.stairs == change.stairs
            and (last.dz_mm > 0.0) == (change.dz_mm > 0.0)
            and change.at_mm - last.at_mm < TREAD_MM
        ):
            merged[-1] = Change(change.at_mm, last.dz_mm + change.dz_mm, change.stairs)
        else:
            merged.append(change)
    return tuple(merged)
