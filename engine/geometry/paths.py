"""The shortest way on foot: a visibility graph over the corners of what is in the way."""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from engine.geometry.obstacles import Flags, Floats, Obstacles, blocked
from engine.table import PointMm

_TOUCH_MM = 1e-6


def length(path: Sequence[PointMm]) -> float:
    """Length of a path in mm."""
    return sum(math.dist(a, b) for a, b in pairwise(path))


def straight(start: PointMm, goal: PointMm, closed: Obstacles) -> tuple[PointMm, ...] | None:
    """The straight way from start to goal, None when something is in the way."""
    ends = np.array([start, goal], dtype=np.float64)
    return None if blocked(ends[:1], ends[1:], closed.edges).any() else (start, goal)


def shortest(
    start: PointMm, goal: PointMm, closed: Obstacles, most_mm: float = math.inf
) -> tuple[PointMm, ...] | None:
    """The shortest way round what is closed, None when there is none.

    Only obstacles met so far are looked at: a shortest way round some of them that meets no other
    is the shortest round all of them.

    Args:
        start: Where it starts.
        goal: Where it ends.
        closed: What is in the way.
        most_mm: A longer way need not be found.
    """
    if math.dist(start, goal) > most_mm:
        return None
    met: set[int] = set()
    path: tuple[PointMm, ...] | None = (start, goal)
    while True:
        if met:
            path = _round(start, goal, closed.only(met).between(start, goal, most_mm))
        if path is None:
            return None
        points = np.array(path, dtype=np.float64)
        hits = blocked(points[:-1], points[1:], closed.edges).any(axis=0)
        new = set(closed.edge_owner[hits].tolist()) - met
        if not new:
            return path
        met |= new


def _round(start: PointMm, goal: PointMm, closed: Obstacles) -> tuple[PointMm, ...] | None:
    """The shortest way round all the obstacles given (Dijkstra with a straight-line guess)."""
    points = np.vstack([[start, goal], closed.corners])
    links = links_between(points, closed)
    rest = np.hypot(*(points - points[1]).T)
    best = np.full(len(points), np.inf)
    best[0] = 0.0
    came = np.full(len(points), -1)
    queue = [(float(rest[0]), 0)]
    while queue:
        guess, node = heapq.heappop(queue)
        if node == 1:
            return _trace(points, came)
        if guess > best[node] + rest[node] + _TOUCH_MM:
            continue
        to = np.flatnonzero(links[node])
        cost = best[node] + np.hypot(*(points[to] - points[node]).T)
        better = cost < best[to] - _TOUCH_MM
        for nxt, total in zip(to[better].tolist(), cost[better].tolist(), strict=True):
            best[nxt], came[nxt] = total, node
            heapq.heappush(queue, (total + float(rest[nxt]), nxt))
    return None


def links_between(points: Floats, closed: Obstacles) -> Flags:
    """Which points see each other and lie on a way that could be shortest.

    Args:
        points: (2 + N, 2): start, goal, then the corners of ``closed``.
        closed: The obstacles.

    Returns:
        (2 + N, 2 + N) symmetric.
    """
    count = len(points)
    ways = np.ones((count, count), dtype=np.bool_)
    ways[2:, :] &= tangent(points, closed)
    ways &= ways.T
    first, second = np.nonzero(np.triu(ways, 1))
    free = ~blocked(points[first], points[second], closed.edges).any(axis=1)
    links = np.zeros_like(ways)
    links[first[free], second[free]] = True
    return links | links.T


def tangent(points: Floats, closed: Obstacles) -> Flags:
    """Whether the line from each corner to each point leaves its obstacle on one side.

    Args:
        points: (P, 2).
        closed: N corners.

    Returns:
        (N, P).
    """
    if not len(points) or not len(closed.corners):
        return np.zeros((len(closed.corners), len(points)), dtype=np.bool_)
    origin = points[0]
    to = np.array((*(points - origin).T, np.ones(len(points))))
    corner = closed.corners - origin
    left, right = (
        _beside(corner, near - closed.corners) @ to for near in (closed.before, closed.after)
    )
    touch: Flags = left * right >= -_TOUCH_MM
    return touch


def _beside(corner: Floats, side: Floats) -> Floats:
    """Rows that, times a point, tell how far it is beside the line through a corner."""
    (x, y), (along, up) = corner.T, side.T
    found: Floats = np.array((up, -along, y * along - x * up)).T
    return found


def _trace(points: Floats, came: Floats) -> tuple[PointMm, ...]:
    node, path = 1, []
    while node >= 0:
        path.append((float(points[node, 0]), float(points[node, 1])))
        node = int(came[node])
    return tuple(reversed(path))
