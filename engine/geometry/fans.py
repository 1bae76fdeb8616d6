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
        chain: (F,) number of the chain each belongs to, never falling. The sectors of a chain lie
            side by side, counter-clockwise, the point of each on the border of the one beside it.
    """

    at: Floats
    radius: Floats
    low: Floats
    width: Floats
    chain: Counts


def seen(fans: Fans, edges: Floats) -> list[BaseGeometry]:
    """The area seen in each chain of sectors, out to their radius or the first edge.

    Args:
        fans: F sectors.
        edges: (M, 4) edges that hide what is behind them.
    """
    near = _near(fans, edges)
    index, turns = _rays(fans, near)
    angles = fans.low[index] + turns
    far = _cast(fans, near, index, turns, angles)
    points = fans.at[index] + far[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])
    # An outline goes along the ends of all rays of a chain, then back over the points looked from.
    _, first, chain = np.unique(fans.chain, return_index=True, return_inverse=True)
    split = np.flatnonzero(fans.width < _FULL - _TOUCH)[::-1]
    begun = points[np.searchsorted(index, first)]
    owner = np.concatenate([chain[index], chain[split], np.arange(len(first))])
    order = np.argsort(owner, kind="stable")
    corners = np.concatenate([points, fans.at[split], begun])[order]
    found = np.asarray(shapely.polygons(shapely.linearrings(corners, indices=owner[order])))
    wrong = ~shapely.is_valid(found)
    found[wrong] = shapely.buffer(found[wrong], 0.0)
    return list(shapely.simplify(found, _FLAT_MM, preserve_topology=False))


@dataclass(frozen=True, slots=True, eq=False)
class _Near:
    """Edges that come within the radius of a fan, one row for each such pair.

    Attributes:
        fan: (P,) index of the fan.
        ax: (P,) start of the edge from the point of the fan.
        ay: (P,) the same along y.
        dx: (P,) from the start of the edge to its end.
        dy: (P,) the same along y.
    """

    fan: Counts
    ax: Floats
    ay: Floats
    dx: Floats
    dy: Floats


def _near(fans: Fans, edges: Floats) -> _Near:
    """All others can be forgotten: they are most of all pairs."""
    # Plain products, since sums over an axis of two are many times as slow.
    ax, ay = edges[:, 0] - fans.at[:, :1], edges[:, 1] - fans.at[:, 1:]
    dx, dy = edges[:, 2] - edges[:, 0], edges[:, 3] - edges[:, 1]
    share = np.clip(-(ax * dx + ay * dy) / np.maximum(dx * dx + dy * dy, _TOUCH), 0.0, 1.0)
    x, y = ax + share * dx, ay + share * dy
    fan, edge = np.nonzero(x * x + y * y <= fans.radius[:, None] ** 2 + _TOUCH)
    return _Near(fan, ax[fan, edge], ay[fan, edge], dx[edge], dy[edge])


def _rays(fans: Fans, near: _Near) -> tuple[Counts, Floats]:
    """Fan and turn of every ray, sorted: even ones, and some beside every corner and crossing."""
    apart = np.minimum(2.0 * np.sqrt(2.0 * _CUT_MM / fans.radius), math.radians(_RAY_DEG))
    counts = np.maximum(2, np.ceil(fans.width / apart).astype(np.int64) + 1)
    index = np.repeat(np.arange(len(counts)), counts)
    first = np.repeat(np.cumsum(counts) - counts, counts)
    share = (np.arange(len(index)) - first) / (counts[index] - 1)
    found = [(index, share * fans.width[index])]
    if len(near.fan):
        starts = np.hypot(near.ax, near.ay) <= fans.radius[near.fan]
        rows = near.fan[starts]
        turn = _turn(fans, rows, near.ax[starts], near.ay[starts])
        found += [(rows, turn - _BESIDE), (rows, turn + _BESIDE)]
        found += _crossings(fans, near)
    rows = np.concatenate([each for each, _ in found])
    turns = np.concatenate([each for _, each in found])
    inside = (turns >= 0.0) & (turns <= fans.width[rows])
    rows, turns = rows[inside], turns[inside]
    order = np.lexsort((turns, rows))
    return rows[order], turns[order]


def _crossings(fans: Fans, near: _Near) -> list[tuple[Counts, Floats]]:
    """Angles at which edges cross the circle of a fan, so that arcs begin exactly there."""
    ax, ay, dx, dy = near.ax, near.ay, near.dx, near.dy
    aa = dx * dx + dy * dy
    bb = ax * dx + ay * dy
    gap = bb * bb - aa * (ax * ax + ay * ay - fans.radius[near.fan] ** 2)
    met = gap > 0.0
    rows, ax, ay, dx, dy = near.fan[met], ax[met], ay[met], dx[met], dy[met]
    root = np.sqrt(gap[met])
    length, along = aa[met], -bb[met]
    found = []
    for sign in (-1.0, 1.0):
        t = (along + sign * root) / length
        hit = (t >= 0.0) & (t <= 1.0)
        x, y = ax[hit] + t[hit] * dx[hit], ay[hit] + t[hit] * dy[hit]
        found.append((rows[hit], _turn(fans, rows[hit], x, y)))
    return found


def _cast(fans: Fans, near: _Near, index: Counts, turns: Floats, angles: Floats) -> Floats:
    """Length of each ray until it meets an edge or its radius."""
    far: Floats = fans.radius[index]
    if not len(near.fan):
        return far
    ray, pair = _candidates(fans, near, index, turns)
    dx, dy = np.cos(angles)[ray], np.sin(angles)[ray]
    ax, ay, ex, ey = near.ax[pair], near.ay[pair], near.dx[pair], near.dy[pair]
    cross = dx * ey - dy * ex
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (ax * ey - ay * ex) / cross
        u = (ax * dy - ay * dx) / cross
        hit = (t > 0.0) & (u >= -_TOUCH) & (u <= 1.0 + _TOUCH)
    np.minimum.at(far, ray[hit], t[hit])
    return far


def _candidates(fans: Fans, near: _Near, index: Counts, turns: Floats) -> tuple[Counts, Counts]:
    """Rays and rows of ``near`` that may meet: the ray points somewhere at the edge.

    All rays against all edges would be a hundred times as many.
    """
    rows, ax, ay = near.fan, near.ax, near.ay
    bx, by = ax + near.dx, ay + near.dy
    sweep = np.arctan2(ax * by - ay * bx, ax * bx + ay * by)
    first = _turn(fans, rows, ax, ay)
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
        met.append(pair)
    return np.concatenate(rays), np.concatenate(met)


def _turn(fans: Fans, rows: Counts, x: Floats, y: Floats) -> Floats:
    """Angles counted from the first ray of each fan, 0 to two pi."""
    turn: Floats = np.mod(np.arctan2(y, x) - fans.low[rows], 2.0 * math.pi)
    return turn
