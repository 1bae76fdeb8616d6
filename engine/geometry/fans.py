"""What is seen from points within a radius, for many points at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import shapely
from numpy.typing import NDArray

from engine.geometry.obstacles import Floats

Counts: TypeAlias = NDArray[np.int64]

_CUT_MM: Final = 0.05
"""By so much the chord between two rays cuts its arc."""
_RAY_DEG: Final = 12.0
"""Rays are never farther apart than this."""
_BESIDE: Final = 1e-5
"""A ray this many radians beside a corner passes it."""
_TOUCH: Final = 1e-9
_NEAR_MM2: Final = 1e-3
"""Products of lengths that are left out for certain are wrong by less than this."""
_FLAT_MM: Final = 1e-3
"""Rays that end on one edge make a straight line of points; those between its ends are dropped."""
_FULL: Final = 2.0 * math.pi
_MARGIN: Final = 1e-4
"""Rays pass this many radians beside the ends of an edge and are still tried."""
_ROOM: Final = 1e-3
"""Rays pass this many radians beside an edge whose shadow is looked for."""
_WIDE: Final = 1e-2
_ROUND: Final = 4.0
"""More than half a turn."""
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
        first: (F,) turn from the middle, in radians, at which looking begins; None for the whole
            width. The rays of a part are those of the whole, but for its borders.
        last: (F,) turn at which it ends.
    """

    at: Floats
    radius: Floats
    low: Floats
    width: Floats
    chain: Counts
    first: Floats | None = None
    last: Floats | None = None

    @property
    def middle(self) -> Floats:
        """(F,) angle of the middle of each, from which turns are counted."""
        return self.low + self.width / 2.0

    @property
    def borders(self) -> tuple[Floats, Floats]:
        """(F,) turns at which looking begins and ends."""
        if self.first is None or self.last is None:
            return -self.width / 2.0, self.width / 2.0
        return self.first, self.last


def seen(scenes: Sequence[tuple[Fans, Floats]]) -> list[NDArray[np.object_]]:
    """The area seen in each chain of sectors, out to their radius or the first edge.

    All scenes are reckoned at once: by itself each takes about as long as a dozen together.

    Args:
        scenes: F sectors each, and the (M, 4) edges that hide what is behind them.

    Returns:
        The polygons of each scene.
    """
    counts = [len(fans.at) for fans, _ in scenes]
    fans = scenes[0][0] if len(scenes) == 1 else joined([fans for fans, _ in scenes])
    new = np.empty(len(fans.at), dtype=np.bool_)
    np.not_equal(fans.chain[1:], fans.chain[:-1], out=new[1:])
    new[np.cumsum(counts) - counts] = True
    chain = np.cumsum(new) - 1
    near = _near(fans, counts, [edges for _, edges in scenes])
    rays = _rays(fans, near)
    far = _cast(fans, near, rays)
    points = fans.at[rays.fan] + far[:, None] * np.column_stack([rays.cos, rays.sin])
    # An outline goes along the ends of all rays of a chain, then back over the points looked from.
    first, last = fans.borders
    split = np.flatnonzero(last - first < _FULL - _TOUCH)[::-1]
    owner = np.concatenate([chain[rays.fan], chain[split]])
    order = np.argsort(owner, kind="stable")
    corners = np.concatenate([points, fans.at[split]])[order]
    found = np.asarray(shapely.polygons(shapely.linearrings(corners, indices=owner[order])))
    # That makes sound what crosses itself, too.
    found = shapely.simplify(found, _FLAT_MM, preserve_topology=False)
    if len(scenes) == 1:
        return [found]
    return np.split(found, chain[np.cumsum(counts) - 1][:-1] + 1)


def towards(scenes: Sequence[tuple[Fans, Floats]]) -> list[Fans]:
    """Those sectors that see some edges, as wide as these are seen, each a chain of its own.

    Every place to which one of the edges hides the ray lies in them.

    Args:
        scenes: F sectors each, and (M, 4) edges.

    Returns:
        Some of the sectors of each, their chains numbered below 0.
    """
    fans = joined([one for one, _ in scenes])
    counts = [len(one.at) for one, _ in scenes]
    near = _near(fans, counts, [edges for _, edges in scenes])
    low, high = np.minimum(near.start, near.end), np.maximum(near.start, near.end)
    unclear = high - low > math.pi - _WIDE
    first, last = np.full(len(fans.at), _ROUND), np.full(len(fans.at), -_ROUND)
    np.minimum.at(first, near.fan, np.where(unclear, -_ROUND, low - _ROOM))
    np.maximum.at(last, near.fan, np.where(unclear, _ROUND, high + _ROOM))
    half = fans.width / 2.0
    first, last = np.maximum(first, -half), np.minimum(last, half)
    each = np.arange(-len(first), 0)
    fans = Fans(fans.at, fans.radius, fans.low, fans.width, each, first, last)
    facing = np.flatnonzero(last - first > 0.0)
    ends = np.cumsum(counts)
    return [chosen(fans, some) for some in np.split(facing, np.searchsorted(facing, ends[:-1]))]


def chosen(fans: Fans, those: Counts) -> Fans:
    """Some of the sectors."""
    first, last = fans.borders
    return Fans(
        fans.at[those],
        fans.radius[those],
        fans.low[those],
        fans.width[those],
        fans.chain[those],
        first[those],
        last[those],
    )


def joined(fans: Sequence[Fans]) -> Fans:
    """All sectors after one another; their chains stay as they are numbered."""
    borders = [one.borders for one in fans]
    return Fans(
        np.concatenate([one.at for one in fans]),
        np.concatenate([one.radius for one in fans]),
        np.concatenate([one.low for one in fans]),
        np.concatenate([one.width for one in fans]),
        np.concatenate([one.chain for one in fans]),
        np.concatenate([first for first, _ in borders]),
        np.concatenate([last for _, last in borders]),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Near:
    """Edges that come within the radius of a fan, one row for each such pair.

    Attributes:
        fan: (P,) index of the fan.
        ax: (P,) start of the edge from the point of the fan.
        ay: (P,) the same along y.
        dx: (P,) from the start of the edge to its end.
        dy: (P,) the same along y.
        start: (P,) turn from the middle of the fan to the start of the edge.
        end: (P,) the same to its end.
    """

    fan: Counts
    ax: Floats
    ay: Floats
    dx: Floats
    dy: Floats
    start: Floats
    end: Floats


@dataclass(frozen=True, slots=True, eq=False)
class _Rays:
    """Rays by fan and turn.

    Attributes:
        fan: (R,) index of the fan.
        key: (R,) turn from the middle of the fan, apart for each fan, rising.
        cos: (R,) along x.
        sin: (R,) along y.
    """

    fan: Counts
    key: Floats
    cos: Floats
    sin: Floats


def _near(fans: Fans, counts: Sequence[int], screens: Sequence[Floats]) -> _Near:
    """All others can be forgotten: they are most of all pairs."""
    edges = screens[0] if len(screens) == 1 else np.concatenate(screens)
    fan, edge = _facing(fans, counts, edges, [len(one) for one in screens])
    ends = edges[edge]
    # Plain products, since sums over an axis of two are many times as slow.
    ax, ay = ends[:, 0] - fans.at[fan, 0], ends[:, 1] - fans.at[fan, 1]
    dx, dy = ends[:, 2] - ends[:, 0], ends[:, 3] - ends[:, 1]
    share = -(ax * dx + ay * dy) / np.maximum(dx * dx + dy * dy, _TOUCH)
    share = np.minimum(np.maximum(share, 0.0), 1.0)
    x, y = ax + share * dx, ay + share * dy
    near = x * x + y * y <= fans.radius[fan] ** 2 + _TOUCH
    fan, ax, ay, dx, dy = fan[near], ax[near], ay[near], dx[near], dy[near]
    middle = fans.middle[fan]
    start, end = _turn(middle, ax, ay), _turn(middle, ax + dx, ay + dy)
    return _Near(fan, ax, ay, dx, dy, start, end)


def _facing(
    fans: Fans, counts: Sequence[int], edges: Floats, more: Sequence[int]
) -> tuple[Counts, Counts]:
    """Fans and edges of their scene that may meet; others lie too far off or beside the sector.

    Three products of small matrices, in place of many sums for each pair.
    """
    origin = fans.at[0]
    (x, y), (ax, ay) = (fans.at - origin).T, (edges[:, :2] - origin).T
    bx, by = (edges[:, 2:] - origin).T
    mx, my, half = (ax + bx) / 2.0, (ay + by) / 2.0, np.hypot(bx - ax, by - ay) / 2.0
    # The middle of an edge is nearer than the radius and half the edge.
    ones, radius = np.ones(len(x)), fans.radius
    here = np.array((x, y, ones, radius, x * x + y * y - radius * radius)).T
    there = np.array((-2.0 * mx, -2.0 * my, mx * mx + my * my - half * half, -2.0 * half,
                      np.ones(len(mx))))  # fmt: skip
    # A sector of less than half a turn lies on one side of each of its borders.
    first, last = fans.borders
    low, high = fans.middle + first - _MARGIN, fans.middle + last + _MARGIN
    narrow = last - first < math.pi - _WIDE
    borders = []
    for angle, sign in ((low, 1.0 * narrow), (high, -1.0 * narrow)):
        cos, sin = sign * np.cos(angle), sign * np.sin(angle)
        borders.append(np.array((-sin, cos, sin * x - cos * y)).T)
    starts, ends = np.array((ax, ay, there[4])), np.array((bx, by, there[4]))
    found, before, begun = [], 0, 0
    for count, many in zip(counts, more, strict=True):
        mine, its = slice(before, before + count), slice(begun, begun + many)
        met = here[mine] @ there[:, its] <= _NEAR_MM2
        for border in borders:
            side = border[mine]
            met &= np.maximum(side @ starts[:, its], side @ ends[:, its]) >= -_TOUCH
        fan, edge = np.nonzero(met)
        found.append((fan + before, edge + begun))
        before, begun = before + count, begun + many
    if len(found) == 1:
        return found[0]
    return np.concatenate([one for one, _ in found]), np.concatenate([one for _, one in found])


def _rays(fans: Fans, near: _Near) -> _Rays:
    """Every ray: even ones, and some beside every corner and crossing."""
    apart = np.minimum(2.0 * np.sqrt(2.0 * _CUT_MM / fans.radius), math.radians(_RAY_DEG))
    counts = np.maximum(2, np.ceil(fans.width / apart).astype(np.int64) + 1)
    even = np.repeat(np.arange(len(counts)), counts)
    begins = np.cumsum(counts) - counts
    share = (np.arange(len(even)) - begins[even]) / (counts - 1)[even]
    starts = near.ax * near.ax + near.ay * near.ay <= fans.radius[near.fan] ** 2
    rows, turn = near.fan[starts], near.start[starts]
    crossed, at = _crossings(fans, near)
    rows = np.concatenate([rows, rows, crossed])
    turns = np.concatenate([turn - _BESIDE, turn + _BESIDE, at])
    rows = np.concatenate([even, rows])
    turns = np.concatenate([(share - 0.5) * fans.width[even], turns])
    first, last = fans.borders
    inside = (turns > first[rows]) & (turns < last[rows])
    ends = np.arange(len(counts))
    fan = np.concatenate([rows[inside], ends, ends])
    turns = np.concatenate([turns[inside], first, last])
    # Not by their keys, whose last digits depend on what else is reckoned.
    order = np.lexsort((turns, fan))
    fan, turns = fan[order], turns[order]
    angle = turns + fans.middle[fan]
    return _Rays(fan, turns + fan * _APART, np.cos(angle), np.sin(angle))


def _crossings(fans: Fans, near: _Near) -> tuple[Counts, Floats]:
    """Turns at which edges cross the circle of a fan, so that arcs begin exactly there."""
    aa = near.dx * near.dx + near.dy * near.dy
    bb = near.ax * near.dx + near.ay * near.dy
    gap = bb * bb - aa * (near.ax**2 + near.ay**2 - fans.radius[near.fan] ** 2)
    row = np.flatnonzero(gap > 0.0)
    root, along, length = np.sqrt(gap[row]), -bb[row], aa[row]
    row = np.concatenate([row, row])
    t = np.concatenate([along - root, along + root]) / np.concatenate([length, length])
    hit = (t >= 0.0) & (t <= 1.0)
    row, t = row[hit], t[hit]
    fan = near.fan[row]
    x, y = near.ax[row] + t * near.dx[row], near.ay[row] + t * near.dy[row]
    return fan, _turn(fans.middle[fan], x, y)


def _cast(fans: Fans, near: _Near, rays: _Rays) -> Floats:
    """Length of each ray until it meets an edge or its radius."""
    far: Floats = fans.radius[rays.fan]
    ray, pair = _candidates(near, rays)
    dx, dy = rays.cos[ray], rays.sin[ray]
    ax, ay, ex, ey = near.ax[pair], near.ay[pair], near.dx[pair], near.dy[pair]
    cross = dx * ey - dy * ex
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (ax * ey - ay * ex) / cross
        u = (ax * dy - ay * dx) / cross
        hit = (t > 0.0) & (u >= -_TOUCH) & (u <= 1.0 + _TOUCH)
    np.minimum.at(far, ray[hit], t[hit])
    return far


def _candidates(near: _Near, rays: _Rays) -> tuple[Counts, Counts]:
    """Rays and rows of ``near`` that may meet: the ray points somewhere at the edge.

    All rays against all edges would be a hundred times as many.
    """
    low, high = np.minimum(near.start, near.end), np.maximum(near.start, near.end)
    # Right at an edge its angles mean nothing; the way past one behind is round the back.
    wide = np.abs(high - low - math.pi) < _WIDE
    back = np.flatnonzero((high - low > math.pi) & ~wide)
    first, last = low - _MARGIN, high + _MARGIN
    first[wide], last[wide] = -_ROUND, _ROUND
    first[back], last[back] = high[back] - _MARGIN, _ROUND
    pair = np.concatenate([np.arange(len(low)), back])
    at = near.fan[pair] * _APART
    start = np.searchsorted(rays.key, at + np.concatenate([first, np.full(len(back), -_ROUND)]))
    stop = np.searchsorted(rays.key, at + np.concatenate([last, low[back] + _MARGIN]), "right")
    counts = stop - start
    ray = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts - start, counts)
    return ray, np.repeat(pair, counts)


def _turn(middle: Floats, x: Floats, y: Floats) -> Floats:
    """Angles counted from the middle of each fan, minus pi to pi."""
    turn: Floats = np.arctan2(y, x) - middle
    return turn - _FULL * np.rint(turn / _FULL)
