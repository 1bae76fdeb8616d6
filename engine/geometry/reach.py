"""Everywhere a base can walk to with so much allowance: visible fans round every corner."""

from __future__ import annotations

import heapq
import math
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
    if allowance_mm <= 0.0:
        return EMPTY
    centre = np.array(start, dtype=np.float64)
    fans = [(centre, allowance_mm, 0.0, 2.0 * math.pi)]
    if not straight and len(closed.corners):
        fans += _bends(centre, allowance_mm, closed)
    at, radius, low, width = (np.array(column) for column in zip(*fans, strict=True))
    return shapely.union_all(seen(Fans(at, radius, low, width), closed.edges))


def _bends(
    centre: Floats, allowance: float, closed: Obstacles
) -> list[tuple[Floats, float, float, float]]:
    """Fans round the corners, each only where a way coming to the corner bends round it."""
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
        fans.append((corners[node], allowance - cost, low, width))
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
