"""Everywhere a base can walk to with so much allowance: visible fans round every corner."""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from engine.geometry.fans import Fans, seen
from engine.geometry.obstacles import Floats, Obstacles, blocked
from engine.geometry.paths import tangent
from engine.geometry.surfaces import EMPTY
from engine.table import PointMm

_TOUCH_MM: Final = 1e-6
_MOST_CELLS: Final = 1 << 18
_LAP: Final = 2e-3
"""Neighbouring fans overlap by this many radians, so that no seam stays open."""


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """How a base spreads over the table from one place.

    Attributes:
        centre: Where it starts.
        longest_mm: Longest way looked for.
        edges: (M, 4) edges in the way.
        bends: Corner, length of the shortest way there, first angle and width of the fan behind
            it, of every corner that a shortest way bends round.
    """

    centre: Floats
    longest_mm: float
    edges: Floats
    bends: tuple[tuple[Floats, float, float, float], ...]

    def area(self, allowance_mm: float) -> BaseGeometry:
        """The area whose every point is within so much walking, at most ``longest_mm``.

        Returns:
            A polygon, several, or an empty one.
        """
        if allowance_mm <= 0.0:
            return EMPTY
        fans = [(self.centre, allowance_mm, 0.0, 2.0 * math.pi)]
        fans += [
            (corner, allowance_mm - cost, low, width)
            for corner, cost, low, width in self.bends
            if cost < allowance_mm
        ]
        at, radius, low, width = (np.array(column) for column in zip(*fans, strict=True))
        return shapely.union_all(seen(Fans(at, radius, low, width), self.edges))


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
    bends = [] if straight or not len(closed.corners) else _bends(centre, longest_mm, closed)
    return Spread(centre, longest_mm, closed.edges, tuple(bends))


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


def _bends(
    centre: Floats, allowance: float, closed: Obstacles
) -> list[tuple[Floats, float, float, float]]:
    """Corners with the length of the way there, and the fan behind each round which it bends."""
    links = _links(centre, allowance, closed)
    points = np.vstack([centre[None, :], closed.corners])
    best = np.full(len(points), np.inf)
    best[0] = 0.0
    came = np.zeros(len(points), dtype=np.int64)
    done = np.zeros(len(points), dtype=np.bool_)
    order: list[int] = []
    queue: list[tuple[float, int]] = [(0.0, 0)]
    while queue:
        cost, node = heapq.heappop(queue)
        if done[node] or cost > best[node] + _TOUCH_MM:
            continue
        done[node] = True
        order.append(node)
        to, far = links[node]
        total = cost + far
        better = (total < allowance) & (total < best[to] - _TOUCH_MM)
        to, total = to[better], total[better]
        best[to], came[to] = total, node
        for pair in zip(total.tolist(), to.tolist(), strict=True):
            heapq.heappush(queue, pair)
    bent = np.array(order[1:], dtype=np.int64)
    if not len(bent):
        return []
    corners = points[bent]
    low, width = _sectors(
        points[came[bent]], corners, closed.before[bent - 1], closed.after[bent - 1]
    )
    lengths = best[bent].tolist()
    return list(zip(corners, lengths, low.tolist(), width.tolist(), strict=True))


def _links(
    centre: Floats, allowance: float, closed: Obstacles
) -> list[tuple[NDArray[np.int64], Floats]]:
    """For the centre and each corner, the corners that a way goes on to and how far they are."""
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
    to, far = np.concatenate([others, ones])[order], np.concatenate([lengths, lengths])[order]
    ends = np.searchsorted(both[order], np.arange(len(points) + 1))
    return [(to[i:j], far[i:j]) for i, j in pairwise(ends.tolist())]


def _free(starts: Floats, ends: Floats, edges: Floats) -> NDArray[np.bool_]:
    """Which segments meet no edge, a bounded number at a time."""
    step = max(1, _MOST_CELLS // max(1, len(edges)))
    parts = [
        ~blocked(starts[i : i + step], ends[i : i + step], edges).any(axis=1)
        for i in range(0, len(starts), step)
    ]
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.bool_)


def _sectors(came: Floats, corners: Floats, before: Floats, after: Floats) -> tuple[Floats, Floats]:
    """First angle and width between going straight on and turning along the far side, of each."""
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
    ahead = np.arctan2(on[:, 1], on[:, 0])
    return np.minimum(ahead, ahead + turn) - _LAP, np.abs(turn) + 2.0 * _LAP
