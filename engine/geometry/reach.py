"""Everywhere a base can walk to with so much allowance: visible fans round every corner."""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
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
    a = closed.edges[:, :2] - centre
    d = closed.edges[:, 2:] - closed.edges[:, :2]
    share = np.clip(-(a * d).sum(-1) / np.maximum((d * d).sum(-1), _TOUCH_MM), 0.0, 1.0)
    edge = np.hypot(*(a + share[:, None] * d).T) <= allowance + _TOUCH_MM
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
    corners = closed.corners
    near = np.hypot(*(corners - centre).T) < allowance
    best = np.full(len(corners), np.inf)
    came = np.full((len(corners), 2), np.nan)
    done = np.zeros(len(corners), dtype=np.bool_)
    queue: list[tuple[float, int]] = []

    def relax(origin: Floats, spent: float, candidates: NDArray[np.int64]) -> None:
        total = spent + np.hypot(*(corners[candidates] - origin).T)
        better = (total < allowance) & (total < best[candidates] - _TOUCH_MM)
        nodes, total = candidates[better], total[better]
        if not len(nodes):
            return
        origins = np.broadcast_to(origin, (len(nodes), 2))
        free = ~blocked(origins, corners[nodes], closed.edges).any(axis=1)
        best[nodes[free]], came[nodes[free]] = total[free], origin
        for cost, node in zip(total[free].tolist(), nodes[free].tolist(), strict=True):
            heapq.heappush(queue, (cost, node))

    relax(centre, 0.0, np.flatnonzero(near & tangent(centre[None, None, :], closed)[:, 0]))
    between = tangent(corners[None, :, :], closed)
    between &= between.T & near
    fans = []
    while queue:
        cost, node = heapq.heappop(queue)
        if done[node] or cost > best[node] + _TOUCH_MM:
            continue
        done[node] = True
        relax(corners[node], cost, np.flatnonzero(between[node] & ~done))
        low, width = _sector(came[node], corners[node], closed.before[node], closed.after[node])
        fans.append((corners[node], cost, low, width))
    return fans


def _sector(came: Floats, corner: Floats, before: Floats, after: Floats) -> tuple[float, float]:
    """First angle and width between going straight on and turning along the far side."""
    on = corner - came
    turns = [
        math.atan2(on[0] * side[1] - on[1] * side[0], on[0] * side[0] + on[1] * side[1])
        for side in (before - corner, after - corner)
    ]
    # The far side is the neighbour less sharply turned to; the near one lies behind.
    turn = min(turns, key=abs)
    ahead = math.atan2(on[1], on[0])
    return min(ahead, ahead + turn) - _LAP, abs(turn) + 2.0 * _LAP
