"""What a walking base cannot enter, as polygons for its centre and as edges and corners."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Point, Polygon, prepare, unary_union
from shapely.geometry.base import BaseGeometry

from engine.geometry import bases
from engine.geometry.bases import Standing
from engine.geometry.surfaces import EMPTY, Ground, Surface
from engine.table import PointMm

Floats: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]

QUAD_SEGS: Final = 3
"""Edges a quarter of a grown corner; 8 mm are off by 0.27 mm at most."""
SLACK_MM: Final = 0.02
"""Obstacles are blocked this much inside, so that one may walk along their edge."""
_BARRIER_MM: Final = 0.3
_LEAST_MM: Final = 0.05
_NEAR_MM: Final = 1e-3


@dataclass(frozen=True, slots=True)
class Walker:
    """How a base walks.

    Attributes:
        radius_mm: Radius of the base; that of the circle inside a square one, since it may turn
            on its way.
        step_mm: Highest rise or drop that is walked.
        size_mm: Width and depth of the table, None where it has no edge.
        quad_segs: Edges a quarter of a grown corner; more are slower and nearer to round.
    """

    radius_mm: float
    step_mm: float
    size_mm: tuple[float, float] | None = None
    quad_segs: int = QUAD_SEGS

    def on_table(self, points: Floats) -> Flags:
        """For (N, 2) places of its centre whether the base is wholly on the table."""
        if self.size_mm is None:
            return np.ones(len(points), dtype=np.bool_)
        low = self.radius_mm - SLACK_MM
        high = np.array(self.size_mm) - low
        on: Flags = np.all((points >= low) & (points <= high), axis=1)
        return on

    def inside(self) -> Polygon | None:
        """Where its centre may be for the base to be wholly on the table."""
        if self.size_mm is None:
            return None
        low, (wide, deep) = self.radius_mm, self.size_mm
        if 2.0 * low >= min(wide, deep):
            return EMPTY
        return shapely.box(low, low, wide - low, deep - low)


@dataclass(frozen=True, slots=True, eq=False)
class Obstacles:
    """Areas closed to the centre of a base.

    Attributes:
        areas: Closed areas, each one polygon.
        edges: (M, 4) start and end of every edge.
        edge_owner: (M,) index of its area.
        corners: (N, 2) corners that a shortest path can bend round.
        before: (N, 2) neighbour of each corner along its ring.
        after: (N, 2) the other neighbour.
        corner_owner: (N,) index of its area.
    """

    areas: tuple[Polygon, ...]
    edges: Floats
    edge_owner: NDArray[np.int64]
    corners: Floats
    before: Floats
    after: Floats
    corner_owner: NDArray[np.int64]

    def only(self, owners: Iterable[int]) -> Obstacles:
        """The obstacles with those indices, which they keep."""
        chosen = np.fromiter(owners, dtype=np.int64)
        edge, corner = np.isin(self.edge_owner, chosen), np.isin(self.corner_owner, chosen)
        return Obstacles(
            self.areas,
            self.edges[edge],
            self.edge_owner[edge],
            self.corners[corner],
            self.before[corner],
            self.after[corner],
            self.corner_owner[corner],
        )


def closed_areas(
    ground: Ground,
    others: Sequence[Standing],
    walker: Walker,
    anchors: Sequence[PointMm],
    passable: frozenset[str] = frozenset(),
    within_mm: float | None = None,
) -> list[BaseGeometry]:
    """Areas the centre of a base cannot enter by walking.

    Args:
        ground: Standing surfaces.
        others: Models that stand in the way.
        walker: How the base walks.
        anchors: Places where the base stands for certain (start, end): there the obstacles are
            grown less, since a measured place is not to be doubted.
        passable: Terrain whose edges may be climbed.
        within_mm: Leave out what is farther than this from the first anchor.
    """
    near = None if within_mm is None else Point(anchors[0]).buffer(within_mm + walker.radius_mm)
    strips = [
        _strip(cliff, walker, anchors)
        for cliff in cliffs(ground, walker.step_mm)
        if cliff.terrain_id not in passable and (near is None or near.intersects(cliff.line))
    ]
    areas: list[BaseGeometry] = [unary_union(strips)] if strips else []
    for other in others:
        if within_mm is not None:
            # Far models are most of a table; their outlines are not even made.
            far = within_mm + walker.radius_mm + bases.circumscribed_radius(other.base)
            if math.dist(other.position_mm, anchors[0]) > far:
                continue
        footing = bases.inner(other.base, other.position_mm)
        if near is None or footing.core.distance(near) <= footing.radius_mm:
            areas.append(_model(ground, other, walker, anchors))
    return areas


@dataclass(frozen=True, slots=True, eq=False)
class Cliff:
    """The edges of one piece that are too high to walk over.

    Attributes:
        terrain_id: The piece.
        line: The edges.
        level: Everything that is not lower than a step under the piece.
        mouth: Where stairs lead up to it, empty without stairs.
    """

    terrain_id: str
    line: BaseGeometry
    level: BaseGeometry
    mouth: BaseGeometry


@lru_cache(maxsize=16)
def cliffs(ground: Ground, step_mm: float) -> tuple[Cliff, ...]:
    """Every cliff of a table, for a highest rise that is walked."""
    return tuple(cliff for item in ground.surfaces if (cliff := _cliff(ground, item, step_mm)))


def obstacles(areas: Iterable[BaseGeometry], walker: Walker) -> Obstacles:
    """Edges and corners of closed areas; no way bends round a corner beyond the table."""
    found: list[Polygon] = []
    edges, before, corners, after, owners = [], [], [], [], []
    for area in areas:
        for part in shapely.get_parts(area):
            if not isinstance(part, Polygon) or part.area < _NEAR_MM:
                continue
            index = len(found)
            found.append(part)
            inner = _rings(part.buffer(-SLACK_MM, join_style="mitre"))
            edges += [(np.hstack([ring, np.roll(ring, -1, axis=0)]), index) for ring in inner]
            for ring in _rings(part):
                back, on = np.roll(ring, 1, axis=0), np.roll(ring, -1, axis=0)
                convex = (_cross(ring - back, on - ring) > 0.0) & walker.on_table(ring)
                before.append(back[convex])
                corners.append(ring[convex])
                after.append(on[convex])
                owners.append(np.full(int(convex.sum()), index, dtype=np.int64))
    none = np.empty((0, 2))
    return Obstacles(
        areas=tuple(found),
        edges=np.vstack([np.empty((0, 4)), *(edge for edge, _ in edges)]),
        edge_owner=np.concatenate(
            [np.empty(0, np.int64), *(np.full(len(e), i, np.int64) for e, i in edges)]
        ),
        corners=np.vstack([none, *corners]),
        before=np.vstack([none, *before]),
        after=np.vstack([none, *after]),
        corner_owner=np.concatenate([np.empty(0, np.int64), *owners]),
    )


def blocked(starts: Floats, ends: Floats, edges: Floats) -> NDArray[np.bool_]:
    """Which segments meet which edges.

    Args:
        starts: (N, 2) starts of the segments.
        ends: (N, 2) their ends.
        edges: (M, 4) edges.

    Returns:
        (N, M) true where they meet.
    """
    p, d = starts[:, None, :], (ends - starts)[:, None, :]
    a, b = edges[None, :, :2], edges[None, :, 2:]
    side_a, side_b = _cross(d, a - p), _cross(d, b - p)
    e = b - a
    side_p = _cross(e, p - a)
    side_q = side_p + _cross(e, d)
    met: Flags = (side_a * side_b <= 0.0) & (side_p * side_q <= 0.0)
    return met


def _cliff(ground: Ground, surface: Surface, step_mm: float) -> Cliff | None:
    floor_mm = surface.height_mm - step_mm
    if floor_mm <= _NEAR_MM:
        return None
    level = ground.at_or_over(floor_mm)
    # An edge that pieces of like height share, lying on or beside each other, is a cliff of each.
    line = level.boundary.intersection(surface.area.boundary.buffer(_NEAR_MM))
    mouth: BaseGeometry = EMPTY
    if ground.stairs.intersects(line):
        line = line.difference(ground.stairs)
        mouth = ground.stairs
    if line.is_empty:
        return None
    for area in (line, level):
        prepare(area)
    return Cliff(surface.terrain_id, line, level, mouth)


def _strip(cliff: Cliff, walker: Walker, anchors: Sequence[PointMm]) -> BaseGeometry:
    """The strip in front of a cliff that the centre of a base cannot enter."""
    radius = walker.radius_mm
    for anchor in anchors:
        here = Point(anchor)
        if not cliff.level.intersects(here):
            radius = min(radius, cliff.line.distance(here) - 2.0 * SLACK_MM)
    strip: BaseGeometry = cliff.line.buffer(max(radius, _LEAST_MM), quad_segs=walker.quad_segs)
    if not cliff.mouth.is_empty:
        # The mouth of stairs stays as wide as they are; the wall beside them stays a wall.
        mouth = cliff.mouth.buffer(walker.radius_mm, join_style="mitre")
        strip = strip.difference(mouth).union(cliff.line.buffer(_BARRIER_MM, cap_style="flat"))
    return strip.difference(cliff.level)


def _model(
    ground: Ground, other: Standing, walker: Walker, anchors: Sequence[PointMm]
) -> BaseGeometry:
    """The base of another model, grown, on its own level."""
    footing = bases.inner(other.base, other.position_mm)
    radius = walker.radius_mm
    for anchor in anchors:
        radius = min(
            radius, footing.core.distance(Point(anchor)) - footing.radius_mm - 2.0 * SLACK_MM
        )
    if footing.radius_mm + radius <= _BARRIER_MM or radius < 0.0:
        return EMPTY
    grown: BaseGeometry = footing.core.buffer(
        footing.radius_mm + radius, quad_segs=walker.quad_segs
    )
    if not ground.surfaces:
        return grown
    if other.level_mm > walker.step_mm:
        return grown.intersection(ground.at_or_over(other.level_mm - walker.step_mm))
    return grown.difference(ground.at_or_over(other.level_mm + walker.step_mm + _NEAR_MM))


def _rings(area: BaseGeometry) -> list[Floats]:
    """Rings with the closed area on their left, without the repeated last point."""
    rings: list[Floats] = []
    for part in shapely.get_parts(area):
        if isinstance(part, Polygon) and not part.is_empty:
            turned = shapely.geometry.polygon.orient(part)
            rings += [
                np.asarray(ring.coords, dtype=np.float64)[:-1]
                for ring in (turned.exterior, *turned.interiors)
            ]
    return rings


def _cross(a: Floats, b: Floats) -> Floats:
    out: Floats = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return out
