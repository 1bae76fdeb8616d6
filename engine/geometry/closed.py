"""What is closed to a walking base: the edges of terrain, and other models."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Point, prepare, unary_union
from shapely.geometry.base import BaseGeometry

from engine.geometry import bases
from engine.geometry.bases import Standing
from engine.geometry.obstacles import SLACK_MM, Floats, Obstacles, Piece, Walker, joined, pieces_of
from engine.geometry.surfaces import EMPTY, TREAD_MM, Ground, Surface
from engine.table import Base, PointMm

_BARRIER_MM: Final = 0.3
_LEAST_MM: Final = 0.05
_NEAR_MM: Final = 1e-3


@dataclass(frozen=True, slots=True, eq=False)
class Cliff:
    """The edges of one piece that are too high to walk over.

    Attributes:
        terrain_id: The piece.
        line: The edges.
        level: Everything that is not lower than a step under the piece.
        mouth: Where stairs lead up to it, empty without stairs.
        least_mm: Least rise from what lies beside it.
    """

    terrain_id: str
    line: BaseGeometry
    level: BaseGeometry
    mouth: BaseGeometry
    least_mm: float


@lru_cache(maxsize=16)
def cliffs(ground: Ground, step_mm: float) -> tuple[Cliff, ...]:
    """Every cliff of a table, for a highest rise that is walked."""
    return tuple(cliff for item in ground.surfaces if (cliff := _cliff(ground, item, step_mm)))


@lru_cache(maxsize=16)
def edge_tree(ground: Ground, step_mm: float) -> shapely.STRtree:
    """The edges of the cliffs of a table, to be asked what is near."""
    return shapely.STRtree([cliff.line for cliff in cliffs(ground, step_mm)])


@dataclass(frozen=True, slots=True, eq=False)
class Walls:
    """The cliffs of a table grown by a base, made once for all who walk on it.

    Attributes:
        walker: How the base walks.
        cliffs: All of them.
        strips: What each closes when nobody stands right at it.
        pieces: All strips together; touching ones are one piece.
        bounds: (N, 4) box of each piece.
        parts: Indices of the pieces that each cliff belongs to.
        tree: The strips, to be asked what touches them.
        lines: The cliffs, to be asked what is near.
    """

    walker: Walker
    cliffs: tuple[Cliff, ...]
    strips: tuple[BaseGeometry, ...]
    pieces: tuple[Piece, ...]
    bounds: Floats
    parts: tuple[frozenset[int], ...]
    tree: shapely.STRtree
    lines: shapely.STRtree

    def near(
        self, anchors: Sequence[PointMm], passable: frozenset[str], within_mm: float | None
    ) -> Iterator[Piece]:
        """What is closed, made anew where it is not as for everybody.

        That is where somebody stands nearer to a cliff than his base is wide, and where a cliff
        may be climbed.

        Args:
            anchors: Where he stands.
            passable: Pieces of terrain that may be climbed.
            within_mm: Leave out what a way of that length does not come to.
        """
        points, whole = shapely.points(anchors).tolist(), self.walker.radius_mm
        reach = self._within(anchors, within_mm)
        # Most stand at no cliff.
        _, beside = self.lines.query(points, "dwithin", whole + 2.0 * SLACK_MM)
        radius = {
            index: _radius(self.cliffs[index], self.walker, points) for index in beside.tolist()
        }
        changed = frozenset[int]()
        if passable or radius:
            changed = changed.union(
                *(
                    self.parts[index]
                    for index, cliff in enumerate(self.cliffs)
                    if cliff.terrain_id in passable or radius.get(index, whole) < whole
                )
            )
        if changed:
            here = {*reach.tolist()}
            strips = [
                self.strips[index]
                if (grown := radius.get(index, whole)) >= whole
                else _strip(cliff, self.walker, grown)
                for index, (cliff, parts) in enumerate(zip(self.cliffs, self.parts, strict=True))
                if parts & here and parts & changed and cliff.terrain_id not in passable
            ]
            if strips:
                yield from pieces_of(unary_union(strips), self.walker)
        yield from (self.pieces[index] for index in reach.tolist() if index not in changed)

    def beside(self, line: BaseGeometry) -> frozenset[str]:
        """Pieces of terrain that a line passes nearer than the base is wide."""
        near = self.tree.query(line, "intersects").tolist()
        return frozenset(self.cliffs[index].terrain_id for index in near)

    def _within(self, anchors: Sequence[PointMm], within_mm: float | None) -> NDArray[np.int64]:
        if within_mm is None:
            return np.arange(len(self.pieces))
        box, far = self.bounds, np.zeros(len(self.pieces))
        for x, y in anchors:
            dx = np.maximum(0.0, np.maximum(box[:, 0] - x, x - box[:, 2]))
            dy = np.maximum(0.0, np.maximum(box[:, 1] - y, y - box[:, 3]))
            far += np.hypot(dx, dy)
        return np.flatnonzero(far <= within_mm)


def closed(
    ground: Ground,
    others: Sequence[Standing],
    walker: Walker,
    anchors: Sequence[PointMm],
    passable: frozenset[str] = frozenset(),
    within_mm: float | None = None,
) -> Obstacles:
    """What the centre of a base cannot enter by walking.

    Args:
        ground: Standing surfaces.
        others: Models that stand in the way.
        walker: How the base walks.
        anchors: Places where the base stands for certain (start, end): there the obstacles are
            grown less, since a measured place is not to be doubted.
        passable: Terrain whose edges may be climbed.
        within_mm: Leave out what a way of that length from the start, on to the end if there is
            one, does not come to.
    """
    found = list(walls(ground, walker).near(anchors, passable, within_mm))
    for other in others:
        if within_mm is not None:
            # Far models are most of a table; their outlines are not even made.
            wide = walker.radius_mm + bases.circumscribed_radius(other.base)
            far = sum(math.dist(other.position_mm, anchor) for anchor in anchors)
            if far > within_mm + len(anchors) * wide:
                continue
        found += _model(ground, other, walker, anchors)
    return joined(found)


def _cliff(ground: Ground, surface: Surface, step_mm: float) -> Cliff | None:
    floor_mm = surface.height_mm - step_mm
    if floor_mm <= _NEAR_MM:
        return None
    level = _at_or_over(ground, floor_mm)
    # An edge that pieces of like height share, lying on or beside each other, is a cliff of each.
    line = level.boundary.intersection(surface.area.boundary.buffer(_NEAR_MM))
    mouth: BaseGeometry = EMPTY
    if ground.stairs.intersects(line):
        line = line.difference(ground.stairs)
        mouth = ground.stairs
    if line.is_empty:
        return None
    prepare(line)
    beside = [
        other.height_mm
        for other in ground.surfaces
        if other.height_mm < floor_mm and other.area.distance(line) <= TREAD_MM
    ]
    least = surface.height_mm - max(beside, default=0.0)
    return Cliff(surface.terrain_id, line, level, mouth, least)


def _radius(cliff: Cliff, walker: Walker, anchors: Iterable[Point]) -> float:
    """By how much a cliff is grown: less where somebody stands nearer to it than his base."""
    radius = walker.radius_mm
    for here in anchors:
        between = cliff.line.distance(here) - 2.0 * SLACK_MM
        if between < radius and not cliff.level.intersects(here):
            radius = between
    return radius


def _strip(cliff: Cliff, walker: Walker, radius_mm: float) -> BaseGeometry:
    """The strip in front of a cliff that the centre of a base cannot enter."""
    strip: BaseGeometry = cliff.line.buffer(max(radius_mm, _LEAST_MM), quad_segs=walker.quad_segs)
    if not cliff.mouth.is_empty:
        # The mouth of stairs stays as wide as they are; the wall beside them stays a wall.
        mouth = cliff.mouth.buffer(walker.radius_mm, join_style="mitre")
        strip = strip.difference(mouth).union(cliff.line.buffer(_BARRIER_MM, cap_style="flat"))
    return strip.difference(cliff.level)


@lru_cache(maxsize=64)
def walls(ground: Ground, walker: Walker) -> Walls:
    """The cliffs of a table, grown by a base."""
    found = cliffs(ground, walker.step_mm)
    strips = tuple(_strip(cliff, walker, walker.radius_mm) for cliff in found)
    pieces = tuple(pieces_of(unary_union(strips), walker)) if strips else ()
    areas = [piece.area for piece in pieces]
    tree = shapely.STRtree(areas)
    return Walls(
        walker,
        found,
        strips,
        pieces,
        shapely.bounds(areas).reshape(-1, 4),
        tuple(frozenset(tree.query(strip, "intersects").tolist()) for strip in strips),
        shapely.STRtree(strips),
        edge_tree(ground, walker.step_mm),
    )


def _model(
    ground: Ground, other: Standing, walker: Walker, anchors: Sequence[PointMm]
) -> tuple[Piece, ...]:
    """The base of another model, grown, on its own level."""
    footing = bases.inner(other.base, other.position_mm)
    radius = walker.radius_mm
    for anchor in anchors:
        # Its middle is nearer than its edge, so that most are told apart by their middles.
        beyond = math.dist(anchor, other.position_mm) - bases.circumscribed_radius(other.base)
        if beyond < radius + 2.0 * SLACK_MM:
            between = footing.core.distance(Point(anchor)) - footing.radius_mm
            radius = min(radius, between - 2.0 * SLACK_MM)
    if footing.radius_mm + radius <= _BARRIER_MM or radius < 0.0:
        return ()
    return _grown(ground, other.base, other.position_mm, other.level_mm, walker, radius)


@lru_cache(maxsize=4096)
def _grown(
    ground: Ground,
    base: Base,
    position_mm: PointMm,
    level_mm: float,
    walker: Walker,
    radius_mm: float,
) -> tuple[Piece, ...]:
    footing = bases.inner(base, position_mm)
    grown: BaseGeometry = footing.core.buffer(
        footing.radius_mm + radius_mm, quad_segs=walker.quad_segs
    )
    if ground.surfaces and level_mm > walker.step_mm:
        grown = grown.intersection(_at_or_over(ground, level_mm - walker.step_mm))
    elif ground.surfaces:
        higher = _at_or_over(ground, level_mm + walker.step_mm + _NEAR_MM)
        if higher.intersects(grown):
            grown = grown.difference(higher)
    return tuple(pieces_of(grown, walker))


@lru_cache(maxsize=64)
def _at_or_over(ground: Ground, height_mm: float) -> BaseGeometry:
    area = ground.at_or_over(height_mm)
    prepare(area)
    return area
