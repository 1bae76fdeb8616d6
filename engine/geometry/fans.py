"""What is seen from points within a radius, for many points at once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from engine.geometry.obstacles import Floats

Counts: TypeAlias = NDArray[np.int64]

_CUT_MM: Final = 0.05
"""By so much the chord between two rays cuts its arc."""
_RAY_DEG: Final = 12.0
"""Rays are never farther apart than this."""
_BESIDE: Final = 1e-5
"""A ray this many radians beside a corner passes it."""
_TOUCH: Final = 1e-9
_FLAT_MM: Final = 1e-3
"""Rays that end on one edge make a straight line of points; those between its ends are dropped."""
_FULL: Final = 2.0 * math.pi
_MARGIN: Final = 1e-4
"""Rays pass this many radians beside the ends of an edge and are still tried."""
_WIDE: Final = 1e-2
_APART: Final = 16.0
"""Keys of neighbouring fans are this far apart, more than a full turn and its margins."""


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
    index, turns = _rays(fans, edges)
    angles = fans.low[index] + turns
    far = _cast(fans, edges, index, turns, angles)
    points = fans.at[index] + far[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])
    # Every outline ends where it began: at the point looked from, or at its first ray.
    split = np.flatnonzero(fans.width < _FULL - _TOUCH)
    first = np.searchsorted(index, np.arange(len(fans.at)))
    last = np.searchsorted(index, np.arange(len(fans.at)), "right")
    owner = np.concatenate([index, split, np.arange(len(fans.at))])
    place = np.concatenate([np.arange(len(index)), np.full(len(split), -1), last])
    ends = points[first]
    ends[split] = fans.at[split]
    order = np.lexsort((place, owner))
    corners = np.concatenate([points, fans.at[split], ends])[order]
    found = np.asarray(shapely.polygons(shapely.linearrings(corners, indices=owner[order])))
    wrong = ~shapely.is_valid(found)
    found[wrong] = shapely.buffer(found[wrong], 0.0)
    return list(shapely.simplify(found, _FLAT_MM, preserve_topology=False))


def _rays(fans: Fans, edges: Floats) -> tuple[Counts, Floats]:
    """Fan and turn of every ray, sorted: even ones, and some beside every corner and crossing."""
    apart = np.minimum(2.0 * np.sqrt(2.0 * _CUT_MM / fans.radius), math.radians(_RAY_DEG))
    counts = np.maximum(2, np.ceil(fans.width / apart).astype(np.int64) + 1)
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
    return rows[order], turns[order]


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


def _cast(fans: Fans, edges: Floats, index: Counts, turns: Floats, angles: Floats) -> Floats:
    """Length of each ray until it meets an edge or its radius."""
    far: Floats = fans.radius[index]
    if not len(edges):
        return far
    ray, column = _candidates(fans, edges, index, turns)
    dx, dy = np.cos(angles[ray]), np.sin(angles[ray])
    ax, ay = (edges[column, :2] - fans.at[index[ray]]).T
    ex, ey = (edges[column, 2:] - edges[column, :2]).T
    cross = dx * ey - dy * ex
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (ax * ey - ay * ex) / cross
        u = (ax * dy - ay * dx) / cross
        hit = (t > 0.0) & (u >= -_TOUCH) & (u <= 1.0 + _TOUCH)
    np.minimum.at(far, ray[hit], t[hit])
    return far


def _candidates(fans: Fans, edges: Floats, index: Counts, turns: Floats) -> tuple[Counts, Counts]:
    """Rays and edges that may meet: the edge is in reach, and the ray points somewhere at it.

    All rays against all edges would be a hundred times as many.
    """
    a = edges[None, :, :2] - fans.at[:, None, :]
    d = edges[:, 2:] - edges[:, :2]
    share = np.clip(-(a * d).sum(-1) / np.maximum((d * d).sum(-1), _TOUCH), 0.0, 1.0)
    near = a + share[..., None] * d
    rows, columns = np.nonzero((near * near).sum(-1) <= fans.radius[:, None] ** 2 + _TOUCH)
    a, b = a[rows, columns], a[rows, columns] + d[columns]
    sweep = np.arctan2(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0], (a * b).sum(-1))
    first = _turn(fans, rows, a)
    low = first + np.minimum(sweep, 0.0) - _MARGIN
    high = first + np.maximum(sweep, 0.0) + _MARGIN
    # Right at an edge its angles mean nothing.
    wide = np.abs(sweep) > math.pi - _WIDE
    low, high = np.where(wide, -_FULL, low), np.where(wide, _FULL, high)
    key = index * _APART + turns
    rays, met = [], []
    for shift in (-_FULL, 0.0, _FULL):
        at = rows * _APART
        start = np.searchsorted(key, at + np.clip(low + shift, 0.0, _FULL))
        stop = np.searchsorted(key, at + np.clip(high + shift, -1.0, _FULL + _MARGIN), "right")
        counts = np.maximum(stop - start, 0)
        counts[wide & (shift != 0.0)] = 0
        pair = np.repeat(np.arange(len(rows)), counts)
        rays.append(np.arange(len(pair)) - np.repeat(np.cumsum(counts) - counts - start, counts))
        met.append(columns[pair])
    return np.concatenate(rays), np.concatenate(met)


def _turn(fans: Fans, rows: Counts, to: Floats) -> Floats:
    """Angles counted from the first ray of each fan, 0 to two pi."""
    turn: Floats = np.mod(np.arctan2(to[:, 1], to[:, 0]) - fans.low[rows], 2.0 * math.pi)
    return turn
