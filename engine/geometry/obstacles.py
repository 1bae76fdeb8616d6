"""Areas closed to the centre of a walking base, as edges and corners."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from engine.geometry.surfaces import EMPTY
from engine.table import PointMm

Floats: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]

QUAD_SEGS: Final = 3
"""Edges a quarter of a grown corner; 8 mm are off by 0.27 mm at most."""
SLACK_MM: Final = 0.02
"""Obstacles are blocked this much inside, so that one may walk along their edge."""
_NEAR_MM: Final = 1e-3
_POLYGON: Final = shapely.GeometryType.POLYGON.value


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
        chosen = np.zeros(len(self.areas), dtype=np.bool_)
        chosen[list(owners)] = True
        return self.part(chosen[self.edge_owner], chosen[self.corner_owner])

    def between(self, one: PointMm, other: PointMm, most_mm: float) -> Obstacles:
        """Only the corners that a way of up to ``most_mm`` between two places can bend round."""
        if math.isinf(most_mm):
            return self
        (ax, ay), (bx, by) = (self.corners - one).T, (self.corners - other).T
        near = np.hypot(ax, ay) + np.hypot(bx, by) <= most_mm + _NEAR_MM
        return self.part(np.ones(len(self.edges), dtype=np.bool_), near)

    def part(self, edge: Flags, corner: Flags) -> Obstacles:
        """Some of the edges and corners."""
        return Obstacles(
            self.areas,
            self.edges[edge],
            self.edge_owner[edge],
            self.corners[corner],
            self.before[corner],
            self.after[corner],
            self.corner_owner[corner],
        )


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """One closed area with its edges and corners, as in :class:`Obstacles`."""

    area: Polygon
    edges: Floats
    corners: Floats
    before: Floats
    after: Floats


def blocked(starts: Floats, ends: Floats, edges: Floats) -> NDArray[np.bool_]:
    """Which segments meet which edges.

    Args:
        starts: (N, 2) starts of the segments.
        ends: (N, 2) their ends.
        edges: (M, 4) edges.

    Returns:
        (N, M) true where they meet.
    """
    if not len(starts) or not len(edges):
        return np.zeros((len(starts), len(edges)), dtype=np.bool_)
    # Counted from a start, so that products of coordinates stay small.
    (px, py), (qx, qy) = (starts - starts[0]).T, (ends - starts[0]).T
    (ax, ay), (bx, by) = (edges[:, :2] - starts[0]).T, (edges[:, 2:] - starts[0]).T
    dx, dy = qx - px, qy - py
    # On which side of each line the ends of each edge are: small matrices are multiplied many
    # times as fast as each pair is reckoned.
    line, one = np.array((-dy, dx, dy * px - dx * py)).T, np.ones(len(edges))
    met: Flags = (line @ np.array((ax, ay, one))) * (line @ np.array((bx, by, one))) <= 0.0
    # Few edges lie across a line; only of those it matters on which side its ends are.
    rows, columns = np.nonzero(met)
    ex, ey = (bx - ax)[columns], (by - ay)[columns]
    wx, wy = px[rows] - ax[columns], py[rows] - ay[columns]
    side_p = ex * wy - ey * wx
    side_q = side_p + (ex * dy[rows] - ey * dx[rows])
    met[rows, columns] = side_p * side_q <= 0.0
    return met


def pieces_of(area: BaseGeometry, walker: Walker) -> list[Piece]:
    """Each polygon of a closed area with its edges and corners."""
    parts = shapely.get_parts(area)
    parts = parts[(shapely.get_type_id(parts) == _POLYGON) & (shapely.area(parts) >= _NEAR_MM)]
    if not len(parts):
        return []
    inner, owner = shapely.get_parts(
        shapely.buffer(parts, -SLACK_MM, join_style="mitre"), return_index=True
    )
    sides, outer = _rings(inner), _rings(parts)
    edges = np.hstack([sides.points, sides.after])
    edge_ends = np.searchsorted(owner[sides.owner], np.arange(1, len(parts)))
    turned = _cross(outer.points - outer.before, outer.after - outer.points)
    convex = (turned > 0.0) & walker.on_table(outer.points)
    corner_ends = np.searchsorted(outer.owner[convex], np.arange(1, len(parts)))
    found = [np.split(edges, edge_ends)]
    found += [
        np.split(points[convex], corner_ends)
        for points in (outer.points, outer.before, outer.after)
    ]
    return [Piece(part, *lines) for part, *lines in zip(parts.tolist(), *found, strict=True)]


def joined(pieces: Sequence[Piece]) -> Obstacles:
    """All pieces as one set of edges and corners."""
    none = np.empty((0, 2))
    edges, corners = [len(piece.edges) for piece in pieces], [len(p.corners) for p in pieces]
    return Obstacles(
        areas=tuple(piece.area for piece in pieces),
        edges=np.vstack([np.empty((0, 4)), *(piece.edges for piece in pieces)]),
        edge_owner=np.repeat(np.arange(len(pieces)), edges),
        corners=np.vstack([none, *(piece.corners for piece in pieces)]),
        before=np.vstack([none, *(piece.before for piece in pieces)]),
        after=np.vstack([none, *(piece.after for piece in pieces)]),
        corner_owner=np.repeat(np.arange(len(pieces)), corners),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Rings:
    """Points of all rings of some polygons, the polygon on their left.

    Attributes:
        points: (N, 2) each point once.
        before: (N, 2) the point before it on its ring.
        after: (N, 2) the point after it.
        owner: (N,) index of its polygon.
    """

    points: Floats
    before: Floats
    after: Floats
    owner: NDArray[np.int64]


def _rings(polygons: NDArray[np.object_]) -> _Rings:
    rings, owner = shapely.get_rings(polygons, return_index=True)
    outside = np.diff(owner, prepend=-1) > 0
    wrong = shapely.is_ccw(rings) != outside
    rings[wrong] = shapely.reverse(rings[wrong])
    points, ring = shapely.get_coordinates(rings, return_index=True)
    repeated = np.diff(ring, append=-1) != 0
    points, ring = points[~repeated], ring[~repeated]
    first = np.searchsorted(ring, np.arange(len(rings)))
    last = np.searchsorted(ring, np.arange(len(rings)), "right") - 1
    before, after = np.arange(len(ring)) - 1, np.arange(len(ring)) + 1
    before[first], after[last] = last, first
    return _Rings(points, points[before], points[after], owner[ring])


def _cross(a: Floats, b: Floats) -> Floats:
    out: Floats = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return out
