"""Everywhere a base can walk to with so much allowance: visible fans round every corner."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra
from shapely.geometry.base import BaseGeometry

from engine.geometry.fans import Counts, Fans, seen
from engine.geometry.obstacles import Floats, Obstacles, blocked
from engine.geometry.paths import tangent
from engine.geometry.surfaces import EMPTY
from engine.table import PointMm

_TOUCH_MM: Final = 1e-6
_MOST_CELLS: Final = 1 << 18
_LAP: Final = 2e-3
"""Neighbouring chains of fans overlap by this many radians, so that no seam stays open."""
_SAME: Final = 1e-6
_MOST_TURN: Final = 3.0
"""Fans of a chain turn no farther, in radians, so that none comes to lie over another."""


@dataclass(frozen=True, slots=True, eq=False)
class Bends:
    """The corners that a shortest way bends round, and the fan behind each.

    Those of a chain follow one another round an obstacle, counter-clockwise.

    Attributes:
        at: (N, 2) corners.
        cost: (N,) length of the shortest way to each.
        low: (N,) first angle of its fan.
        width: (N,) width of its fan.
        chain: (N,) number of its chain, never falling.
    """

    at: Floats
    cost: Floats
    low: Floats
    width: Floats
    chain: Counts


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """How a base spreads over the table from one place.

    Attributes:
        centre: Where it starts.
        longest_mm: Longest way looked for.
        edges: (M, 4) edges in the way.
        bends: Every corner that a shortest way bends round; None where all ways are straight.
    """

    centre: Floats
    longest_mm: float
    edges: Floats
    bends: Bends | None

    def area(self, allowance_mm: float) -> BaseGeometry:
        """The area whose every point is within so much walking, at most ``longest_mm``.

        Returns:
            A polygon, several, or an empty one.
        """
        if allowance_mm <= 0.0:
            return EMPTY
        fans = Fans(
            self.centre[None, :],
            np.array([allowance_mm]),
            np.zeros(1),
            np.full(1, 2.0 * math.pi),
            np.full(1, -1),
        )
        if self.bends is not None:
            fans = _behind(fans, self.bends, allowance_mm)
        return shapely.union_all(seen(fans, self.edges))


def spread(
    start: PointMm, longest_mm: float, closed: Obstacles, *, straight: bool = False
) -> Spread:
    """Every way of up to ``longest_mm`` from a place.

    Args:
        start: Centre of the base.
        longest_mm: Longest way.
        closed: What is in the way.
        straight: Only straight ways.
    """
    centre = np.array(start, dtype=np.float64)
    closed = _within(centre, longest_mm, closed)
    bends = None if straight or not len(closed.corners) else _bends(centre, longest_mm, closed)
    return Spread(centre, longest_mm, closed.edges, bends)


def reach(
    start: PointMm, allowance_mm: float, closed: Obstacles, *, straight: bool = False
) -> BaseGeometry:
    """The area whose every point is within ``allowance_mm`` of walking.

    Args:
        start: Centre of the base.
        allowance_mm: Longest way.
        closed: What is in the way.
        straight: Only straight ways.

    Returns:
        A polygon, several, or an empty one.
    """
    return spread(start, allowance_mm, closed, straight=straight).area(allowance_mm)


def _within(centre: Floats, allowance: float, closed: Obstacles) -> Obstacles:
    """Only edges and corners that a way from there can come to."""
    ax, ay = (closed.edges[:, :2] - centre).T
    dx, dy = (closed.edges[:, 2:] - closed.edges[:, :2]).T
    share = np.clip(-(ax * dx + ay * dy) / np.maximum(dx * dx + dy * dy, _TOUCH_MM), 0.0, 1.0)
    edge = np.hypot(ax + share * dx, ay + share * dy) <= allowance + _TOUCH_MM
    corner = np.hypot(*(closed.corners - centre).T) < allowance
    return Obstacles(
        closed.areas,
        closed.edges[edge],
        closed.edge_owner[edge],
        closed.corners[corner],
        closed.before[corner],
        closed.after[corner],
        closed.corner_owner[corner],
    )


def _behind(centre: Fans, bends: Bends, allowance_mm: float) -> Fans:
    """The fan round the centre and those behind every corner that is near enough."""
    near = bends.cost < allowance_mm
    return Fans(
        np.vstack([centre.at, bends.at[near]]),
        np.concatenate([centre.radius, allowance_mm - bends.cost[near]]),
        np.concatenate([centre.low, bends.low[near]]),
        np.concatenate([centre.width, bends.width[near]]),
        np.concatenate([centre.chain, bends.chain[near]]),
    )


def _bends(centre: Floats, allowance: float, closed: Obstacles) -> Bends | None:
    """Corners with the length of the way there, and the fan behind each round which it bends."""
    graph = _links(centre, allowance, closed)
    best, came = dijkstra(graph, indices=0, limit=allowance, return_predecessors=True)
    points = np.vstack([centre[None, :], closed.corners])
    order = np.argsort(best, kind="stable")
    bent = order[1 : np.count_nonzero(best < allowance)]
    if not len(bent):
        return None
    corners = points[bent]
    ahead, turn = _turns(
        points[came[bent]], corners, closed.before[bent - 1], closed.after[bent - 1]
    )
    row = np.full(len(points), -1)
    row[bent] = np.arange(len(bent))
    chain, place = _chains(row[came[bent]], ahead, turn)
    first, width = np.minimum(ahead, ahead + turn), np.abs(turn)
    order = np.lexsort((place, chain))
    begins = np.diff(chain[order], prepend=-1) > 0
    ends = np.append(begins[1:], True)
    return Bends(
        corners[order],
        best[bent][order],
        first[order] - _LAP * begins,
        width[order] + _LAP * begins + _LAP * ends,
        chain[order],
    )


def _chains(before: Counts, ahead: Floats, turn: Floats) -> tuple[Counts, Counts]:
    """Which fans go on where the one before ends: the chain of each and its place in it.

    Args:
        before: (N,) index of the corner from which the way comes, always a lower one; -1 for the
            centre.
        ahead: (N,) angle straight on.
        turn: (N,) angle from there to the far side, with its sign.
    """
    off = np.remainder(ahead - ahead[before] - turn[before] + _SAME, 2.0 * math.pi)
    goes_on = (before >= 0) & (off < 2.0 * _SAME) & (turn * turn[before] > 0.0)
    chain, place, turned = np.arange(len(turn)), np.zeros(len(turn), dtype=np.int64), np.abs(turn)
    followed: set[int] = set()
    for here in np.flatnonzero(goes_on).tolist():
        last = int(before[here])
        if last in followed or turned[last] + turned[here] > _MOST_TURN:
            continue
        followed.add(last)
        chain[here] = chain[last]
        turned[here] += turned[last]
        place[here] = place[last] + (1 if turn[here] > 0.0 else -1)
    return chain, place


def _links(centre: Floats, allowance: float, closed: Obstacles) -> csr_array:
    """How far it is from the centre and each corner to every corner that a way goes on to."""
    corners = closed.corners
    away = np.hypot(*(corners - centre).T)
    seen_first = tangent(centre[None, None, :], closed)[:, 0] & (away < allowance)
    between = tangent(corners[None, :, :], closed)
    first, second = np.nonzero(np.triu(between & between.T, 1))
    apart = np.hypot(*(corners[first] - corners[second]).T)
    near = np.minimum(away[first], away[second]) + apart < allowance
    first, second, apart = first[near], second[near], apart[near]
    start = np.flatnonzero(seen_first)
    # From the centre, then between corners; the centre is point 0.
    ones = np.concatenate([np.zeros(len(start), dtype=np.int64), first + 1])
    others = np.concatenate([start, second]) + 1
    lengths = np.concatenate([away[start], apart])
    points = np.vstack([centre[None, :], corners])
    free = _free(points[ones], points[others], closed.edges)
    ones, others, lengths = ones[free], others[free], lengths[free]
    both = np.concatenate([ones, others])
    order = np.argsort(both, kind="stable")
    begins = np.searchsorted(both[order], np.arange(len(points) + 1))
    to, far = np.concatenate([others, ones])[order], np.concatenate([lengths, lengths])[order]
    return csr_array((far, to, begins), (len(points), len(points)))


def _free(starts: Floats, ends: Floats, edges: Floats) -> NDArray[np.bool_]:
    """Which segments meet no edge, a bounded number at a time."""
    step = max(1, _MOST_CELLS // max(1, len(edges)))
    parts = [
        ~blocked(starts[i : i + step], ends[i : i + step], edges).any(axis=1)
        for i in range(0, len(starts), step)
    ]
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.bool_)


def _turns(came: Floats, corners: Floats, before: Floats, after: Floats) -> tuple[Floats, Floats]:
    """Angle of going straight on, and turn from there along the far side, of each."""
    on = corners - came
    one, other = (
        np.arctan2(
            on[:, 0] * side[:, 1] - on[:, 1] * side[:, 0],
            on[:, 0] * side[:, 0] + on[:, 1] * side[:, 1],
        )
        for side in (before - corners, after - corners)
    )
    # The far side is the neighbour less sharply turned to; the near one lies behind.
    turn = np.where(np.abs(other) < np.abs(one), other, one)
    return np.arctan2(on[:, 1], on[:, 0]), turn
