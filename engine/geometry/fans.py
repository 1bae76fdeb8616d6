"""What is seen from points within a radius, for many points at once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from engine.geometry.obstacles import Floats

Counts: TypeAlias = NDArray[np.int64]

_RAY_DEG: Final = 3.0
"""Between rays; an arc of 150 mm is cut by 0.05 mm."""
_BESIDE: Final = 1e-5
"""A ray this many radians beside a corner passes it."""
_TOUCH: Final = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Fans:
    """Sectors to look into.

    Attributes:
        at: (F, 2) points looked from.
        radius: (F,) how far.
        low: (F,) angle of the first ray in radians.
        width: (F,) angle between the first and the last ray, two pi for all round.
    """

    at: Floats
    radius: Floats
    low: Floats
    width: Floats


def seen(fans: Fans, edges: Floats) -> list[BaseGeometry]:
    """The area seen in each sector, from its point out to its radius or the first edge.

    Args:
        fans: F sectors.
        edges: (M, 4) edges that hide what is behind them.
    """
    index, angles = _rays(fans, edges)
    far = _cast(fans, edges, index, angles)
    points = fans.at[index] + far[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])
    found: list[BaseGeometry] = []
    bounds = np.searchsorted(index, np.arange(len(fans.at) + 1))
    for i, (start, stop) in enumerate(pairwise(bounds.tolist())):
        rim = points[start:stop]
        fan = Polygon(rim if _whole(fans.width[i]) else np.vstack([fans.at[i], rim]))
        found.append(fan if fan.is_valid else fan.buffer(0.0))
    return found


def _rays(fans: Fans, edges: Floats) -> tuple[Counts, Floats]:
    """Fan and angle of every ray, sorted: even ones, and some beside every corner and crossing."""
    counts = np.maximum(2, np.ceil(fans.width / math.radians(_RAY_DEG)).astype(np.int64) + 1)
    index = np.repeat(np.arange(len(counts)), counts)
    first = np.repeat(np.cumsum(counts) - counts, counts)
    share = (np.arange(len(index)) - first) / (counts[index] - 1)
    found = [(index, share * fans.width[index])]
    if len(edges):
        a = edges[None, :, :2] - fans.at[:, None, :]
        rows, columns = np.nonzero(np.hypot(a[..., 0], a[..., 1]) <= fans.radius[:, None])
        turn = _turn(fans, rows, a[rows, columns])
        found += [(rows, turn - _BESIDE), (rows, turn + _BESIDE)]
        found += _crossings(fans, edges, a)
    rows = np.concatenate([each for each, _ in found])
    turns = np.concatenate([each for _, each in found])
    inside = (turns >= 0.0) & (turns <= fans.width[rows])
    rows, turns = rows[inside], turns[inside]
    order = np.lexsort((turns, rows))
    return rows[order], fans.low[rows[order]] + turns[order]


def _crossings(fans: Fans, edges: Floats, a: Floats) -> list[tuple[Counts, Floats]]:
    """Angles at which edges cross the circle of a fan, so that arcs begin exactly there."""
    d = (edges[:, 2:] - edges[:, :2])[None, :, :]
    aa = (d * d).sum(-1)
    bb = (a * d).sum(-1)
    gap = bb * bb - aa * ((a * a).sum(-1) - fans.radius[:, None] ** 2)
    rows, columns = np.nonzero(gap > 0.0)
    root = np.sqrt(gap[rows, columns])
    length, along = aa[0, columns], -bb[rows, columns]
    found = []
    for sign in (-1.0, 1.0):
        t = (along + sign * root) / length
        hit = (t >= 0.0) & (t <= 1.0)
        points = a[rows[hit], columns[hit]] + t[hit, None] * d[0, columns[hit]]
        found.append((rows[hit], _turn(fans, rows[hit], points)))
    return found


def _cast(fans: Fans, edges: Floats, index: Counts, angles: Floats) -> Floats:
    """Length of each ray until it meets an edge or its radius."""
    far = fans.radius[index]
    if not len(edges):
        return far
    dx, dy = np.cos(angles)[:, None], np.sin(angles)[:, None]
    ax = edges[None, :, 0] - fans.at[index, 0][:, None]
    ay = edges[None, :, 1] - fans.at[index, 1][:, None]
    ex, ey = edges[None, :, 2] - edges[None, :, 0], edges[None, :, 3] - edges[None, :, 1]
    cross = dx * ey - dy * ex
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (ax * ey - ay * ex) / cross
        u = (ax * dy - ay * dx) / cross
        hit = (t > 0.0) & (u >= -_TOUCH) & (u <= 1.0 + _TOUCH)
    lengths: Floats = np.minimum(far, np.where(hit, t, np.inf).min(axis=1))
    return lengths


def _turn(fans: Fans, rows: Counts, to: Floats) -> Floats:
    """Angles counted from the first ray of each fan, 0 to two pi."""
    turn: Floats = np.mod(np.arctan2(to[:, 1], to[:, 0]) - fans.low[rows], 2.0 * math.pi)
    return turn


def _whole(width: float) -> bool:
    return bool(width >= 2.0 * math.pi - _TOUCH)
