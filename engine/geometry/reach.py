"""Everywhere a base can walk to with so much allowance: visible fans round every corner."""

from __future__ import annotations

import heapq
import math
from typing import Final

import numpy as np
import shapely
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from engine.geometry.obstacles import Floats, Obstacles, blocked
from engine.geometry.paths import tangent
from engine.geometry.surfaces import EMPTY
from engine.table import PointMm

_RAY_DEG: Final = 3.0
"""Between rays; an arc of 150 mm is cut by 0.05 mm."""
_BESIDE: Final = 1e-5
"""A ray this many radians beside a corner passes it."""
_TOUCH_MM: Final = 1e-6
_SEAM_MM: Final = 0.02


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
        A polygon, or several where the seams of the fans do not close.
    """
    if allowance_mm <= 0.0:
        return EMPTY
    centre = np.array(start, dtype=np.float64)
    fans = [_fan(centre, allowance_mm, closed.edges, None)]
    if not straight and len(closed.corners):
        fans += _bends(centre, allowance_mm, closed)
    if len(fans) == 1:
        return fans[0]
    seamed = shapely.union_all([fan.buffer(_SEAM_MM, join_style="mitre") for fan in fans])
    return seamed.buffer(-_SEAM_MM, join_style="mitre")


def _bends(centre: Floats, allowance: float, closed: Obstacles) -> list[Polygon]:
    """Fans round the corners, each only where a way coming to the corner bends round it."""
    corners = closed.corners
    near = np.hypot(*(corners - centre).T) < allowance
    best = np.full(len(corners), np.inf)
    came = np.full((len(corners), 2), np.nan)
    done = np.zeros(len(corners), dtype=np.bool_)
    queue: list[tuple[float, int]] = []

    def relax(origin: Floats, spent: float, candidates: np.ndarray) -> None:
        far = np.hypot(*(corners[candidates] - origin).T)
        total = spent + far
        open_ = candidates[(total < allowance) & (total < best[candidates] - _TOUCH_MM)]
        if not len(open_):
            return
        free = ~blocked(np.broadcast_to(origin, (len(open_), 2)), corners[open_], closed.edges).any(
            axis=1
        )
        for node in open_[free].tolist():
            cost = spent + math.dist(origin, corners[node])
            best[node], came[node] = cost, origin
            heapq.heappush(queue, (cost, node))

    into = tangent(centre[None, None, :], closed)[:, 0]
    relax(centre, 0.0, np.flatnonzero(near & into))
    between = tangent(corners[None, :, :], closed) if near.any() else np.empty((0, 0), np.bool_)
    between = between & between.T
    fans = []
    while queue:
        cost, node = heapq.heappop(queue)
        if done[node] or cost > best[node] + _TOUCH_MM:
            continue
        done[node] = True
        relax(corners[node], cost, np.flatnonzero(near & between[node] & ~done))
        sector = _sector(came[node], corners[node], closed.before[node], closed.after[node])
        if sector is not None:
            fans.append(_fan(corners[node], allowance - cost, closed.edges, sector))
    return fans


def _sector(
    came: Floats, corner: Floats, before: Floats, after: Floats
) -> tuple[float, float] | None:
    """Angles between going straight on past a corner and turning along its far side."""
    on = corner - came
    ahead = math.atan2(on[1], on[0])
    turns = []
    for side in (before - corner, after - corner):
        turn = math.atan2(on[0] * side[1] - on[1] * side[0], on[0] * side[0] + on[1] * side[1])
        turns.append(turn)
    # The far side is the neighbour less sharply turned to; the near one lies behind.
    turn = min(turns, key=abs)
    if abs(turn) < _BESIDE:
        return None
    return (ahead, ahead + turn) if turn > 0.0 else (ahead + turn, ahead)


def _fan(
    centre: Floats, radius: float, edges: Floats, sector: tuple[float, float] | None
) -> Polygon:
    """What is seen from a point within a radius, all round or between two angles."""
    near = edges[_near(centre, radius, edges)]
    low, high = sector or (-math.pi, math.pi)
    count = max(2, math.ceil((high - low) / math.radians(_RAY_DEG)) + 1)
    angles = [np.linspace(low, high, count)]
    if len(near):
        to = near[:, :2] - centre
        to = to[np.hypot(to[:, 0], to[:, 1]) <= radius + _TOUCH_MM]
        turn = np.arctan2(to[:, 1], to[:, 0])
        turn = low + np.mod(turn - low, 2.0 * math.pi)
        critical = np.concatenate([turn - _BESIDE, turn + _BESIDE])
        angles.append(critical[(critical > low) & (critical < high)])
        angles.append(_circle_cuts(centre, radius, near, low, high))
    rays = np.unique(np.concatenate(angles))
    far = _cast(centre, rays, radius, near)
    points = centre + far[:, None] * np.column_stack([np.cos(rays), np.sin(rays)])
    if sector is not None:
        points = np.vstack([centre, points])
    fan = Polygon(points)
    return fan if fan.is_valid else fan.buffer(0.0)


def _circle_cuts(centre: Floats, radius: float, edges: Floats, low: float, high: float) -> Floats:
    """Angles at which edges cross the circle, so that arcs begin exactly there."""
    a, d = edges[:, :2] - centre, edges[:, 2:] - edges[:, :2]
    aa, bb, cc = (d * d).sum(1), 2.0 * (a * d).sum(1), (a * a).sum(1) - radius * radius
    root = np.sqrt(np.maximum(bb * bb - 4.0 * aa * cc, 0.0))
    found = []
    for sign in (-1.0, 1.0):
        t = (-bb + sign * root) / (2.0 * aa)
        hit = (bb * bb - 4.0 * aa * cc > 0.0) & (t >= 0.0) & (t <= 1.0)
        points = a[hit] + t[hit, None] * d[hit]
        turn = np.arctan2(points[:, 1], points[:, 0])
        found.append(low + np.mod(turn - low, 2.0 * math.pi))
    cuts: Floats = np.concatenate(found)
    return cuts[(cuts > low) & (cuts < high)]


def _cast(centre: Floats, rays: Floats, radius: float, edges: Floats) -> Floats:
    """Length of each ray until it meets an edge or its radius."""
    far = np.full(len(rays), radius)
    if not len(edges):
        return far
    d = np.column_stack([np.cos(rays), np.sin(rays)])[:, None, :]
    a, e = edges[None, :, :2] - centre, (edges[:, 2:] - edges[:, :2])[None, :, :]
    cross = d[..., 0] * e[..., 1] - d[..., 1] * e[..., 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (a[..., 0] * e[..., 1] - a[..., 1] * e[..., 0]) / cross
        u = (a[..., 0] * d[..., 1] - a[..., 1] * d[..., 0]) / cross
    hit = (np.abs(cross) > 1e-12) & (t > 0.0) & (u >= -1e-9) & (u <= 1.0 + 1e-9)
    lengths: Floats = np.minimum(far, np.where(hit, t, np.inf).min(axis=1))
    return lengths


def _near(
    centre: Floats, radius: float, edges: Floats
) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Edges that come within a radius."""
    a, d = edges[:, :2] - centre, edges[:, 2:] - edges[:, :2]
    t = np.clip(-(a * d).sum(1) / np.maximum((d * d).sum(1), 1e-12), 0.0, 1.0)
    foot = a + t[:, None] * d
    close: np.ndarray[tuple[int], np.dtype[np.bool_]] = np.hypot(foot[:, 0], foot[:, 1]) <= radius
    return close
