"""How a base spreads from one place: the shortest way to every corner it bends round."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from engine.geometry.fans import Counts
from engine.geometry.obstacles import Flags, Floats, Obstacles, blocked
from engine.geometry.paths import tangent
from engine.table import PointMm

_TOUCH_MM: Final = 1e-6
_MOST_CELLS: Final = 1 << 18
LAP: Final = 2e-3
"""Neighbouring chains of fans overlap by this many radians, so that no seam stays open."""
_SAME: Final = 1e-6
_MOST_TURN: Final = 3.0
"""Fans of a chain turn no farther, in radians, so that none comes to lie over another."""


@dataclass(frozen=True, slots=True, eq=False)
class Outset:
    """Where a base starts, and what is in its way.

    Attributes:
        start: Centre of the base.
        longest_mm: Longest way looked for.
        closed: What is in the way.
        straight: Only straight ways.
    """

    start: PointMm
    longest_mm: float
    closed: Obstacles
    straight: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Bends:
    """The corners that a shortest way bends round, and the fan behind each.

    Those of a chain follow one another round an obstacle, counter-clockwise.

    Attributes:
        index: (N,) which point each is.
        at: (N, 2) corners.
        cost: (N,) length of the shortest way to each.
        low: (N,) first angle of its fan.
        width: (N,) width of its fan.
        chain: (N,) number of its chain, never falling.
    """

    index: Counts
    at: Floats
    cost: Floats
    low: Floats
    width: Floats
    chain: Counts

    def only(self, those: Flags) -> Bends:
        """Some of them."""
        return Bends(
            self.index[those],
            self.at[those],
            self.cost[those],
            self.low[those],
            self.width[those],
            self.chain[those],
        )


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """How a base spreads over the table from one place.

    Attributes:
        centre: Where it starts.
        longest_mm: Longest way looked for.
        closed: What is in the way, as far as a way comes to it.
        cost: (N,) length of the shortest way to each corner of ``closed``, without end where
            there is none; empty where all ways are straight.
        came: (N,) index of the corner before it on that way, -1 for the centre.
        bends: Every corner that a shortest way bends round.
    """

    centre: Floats
    longest_mm: float
    closed: Obstacles
    cost: Floats
    came: Counts
    bends: Bends

    def way_to(self, goal: PointMm) -> tuple[PointMm, ...] | None:
        """The shortest way to a place, None where none of up to ``longest_mm`` was found."""
        end, here = np.array([goal], dtype=np.float64), self.centre[None, :]
        if not blocked(here, end, self.closed.edges).any():
            return ((float(here[0, 0]), float(here[0, 1])), goal)
        if not len(self.cost):
            return None
        away = self.closed.corners - end
        total = self.cost + np.hypot(away[:, 0], away[:, 1])
        ways = np.flatnonzero(tangent(end, self.closed)[:, 0] & (total <= self.longest_mm))
        ways = ways[np.argsort(total[ways], kind="stable")]
        free = _free(self.closed.corners[ways], np.repeat(end, len(ways), axis=0), self.closed)
        if not free.any():
            return None
        path, corner = [goal], int(ways[free.argmax()])
        while corner >= 0:
            x, y = self.closed.corners[corner].tolist()
            path.append((x, y))
            corner = int(self.came[corner])
        x, y = self.centre.tolist()
        return ((x, y), *reversed(path))


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
    return spreads([Outset(start, longest_mm, closed, straight)])[0]


def spreads(outsets: Sequence[Outset]) -> list[Spread]:
    """Every way from several places, each by itself: together they take less long."""
    near = [_within(np.array(one.start), one.longest_mm, one.closed) for one in outsets]
    # Points are the centre of each outset and then its corners, unless all its ways are straight.
    round_them = [
        replace(shut, corners=shut.corners[:0], before=shut.before[:0], after=shut.after[:0])
        if one.straight
        else shut
        for one, shut in zip(outsets, near, strict=True)
    ]
    starts = [np.array([one.start], dtype=np.float64) for one in outsets]
    points, before, after = (
        np.vstack([part for pair in zip(starts, sides, strict=True) for part in pair])
        for sides in (
            [shut.corners for shut in round_them],
            [shut.before for shut in round_them],
            [shut.after for shut in round_them],
        )
    )
    counts = np.array([1 + len(shut.corners) for shut in round_them])
    first = np.cumsum(counts) - counts
    graph = _graph(starts, outsets, round_them, first)
    longest = np.array([one.longest_mm for one in outsets])
    cost, previous, _ = dijkstra(
        graph, indices=first, limit=longest.max(), return_predecessors=True, min_only=True
    )
    came = previous.astype(np.int64)
    cost[cost >= np.repeat(longest, counts)] = np.inf
    bent = np.argsort(cost, kind="stable")
    bent = bent[: np.count_nonzero(np.isfinite(cost))]
    bent = bent[np.isin(bent, first, invert=True)]
    bends = _bends(points, cost, came, (before, after), bent)
    owner = np.searchsorted(first, bends.index, "right") - 1
    found = []
    for k, outset in enumerate(outsets):
        mine = slice(first[k] + 1, first[k] + counts[k])
        found.append(
            Spread(
                starts[k][0],
                outset.longest_mm,
                near[k],
                cost[mine],
                came[mine] - first[k] - 1,
                bends.only(owner == k),
            )
        )
    return found


def _within(centre: Floats, allowance: float, closed: Obstacles) -> Obstacles:
    """Only edges and corners that a way from there can come to."""
    ax, ay = (closed.edges[:, :2] - centre).T
    dx, dy = (closed.edges[:, 2:] - closed.edges[:, :2]).T
    share = np.clip(-(ax * dx + ay * dy) / np.maximum(dx * dx + dy * dy, _TOUCH_MM), 0.0, 1.0)
    edge = np.hypot(ax + share * dx, ay + share * dy) <= allowance + _TOUCH_MM
    corner = np.hypot(*(closed.corners - centre).T) < allowance
    return closed.part(edge, corner)


def _bends(
    points: Floats, cost: Floats, came: Counts, sides: tuple[Floats, Floats], bent: Counts
) -> Bends:
    """The corners that ways bend round, nearest first, with the fan behind each."""
    corners = points[bent]
    ahead, turn = _turns(points[came[bent]], corners, sides[0][bent], sides[1][bent])
    row = np.full(len(points), -1)
    row[bent] = np.arange(len(bent))
    chain, place = _chains(row[came[bent]], ahead, turn)
    low, width = np.minimum(ahead, ahead + turn), np.abs(turn)
    order = np.lexsort((place, chain))
    begins = np.diff(chain[order], prepend=-1) > 0
    ends = np.append(begins[1:], True)[: len(order)]
    return Bends(
        bent[order],
        corners[order],
        cost[bent][order],
        low[order] - LAP * begins,
        width[order] + LAP * begins + LAP * ends,
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


def _graph(
    starts: Sequence[Floats],
    outsets: Sequence[Outset],
    closed: Sequence[Obstacles],
    first: Counts,
) -> csr_array:
    """How far it is from each centre and corner to every corner that a way goes on to."""
    links = [
        _links(start[0], outset.longest_mm, shut)
        for start, outset, shut in zip(starts, outsets, closed, strict=True)
    ]
    ones = np.concatenate([one + at for (one, _, _), at in zip(links, first, strict=True)])
    others = np.concatenate([other + at for (_, other, _), at in zip(links, first, strict=True)])
    lengths = np.concatenate([length for _, _, length in links])
    both = np.concatenate([ones, others])
    order = np.argsort(both, kind="stable")
    count = int(first[-1]) + 1 + len(closed[-1].corners)
    begins = np.searchsorted(both[order], np.arange(count + 1))
    to, far = np.concatenate([others, ones])[order], np.concatenate([lengths, lengths])[order]
    return csr_array((far, to, begins), (count, count))


def _links(centre: Floats, allowance: float, closed: Obstacles) -> tuple[Counts, Counts, Floats]:
    """Which points a way goes between, the centre being 0 and then the corners, and how far."""
    corners = closed.corners
    away = np.hypot(*(corners - centre).T)
    start = np.flatnonzero(tangent(centre[None, :], closed)[:, 0] & (away < allowance))
    between = tangent(corners, closed)
    first, second = np.nonzero(np.triu(between & between.T, 1))
    apart = np.hypot(*(corners[first] - corners[second]).T)
    near = np.minimum(away[first], away[second]) + apart < allowance
    first, second, apart = first[near], second[near], apart[near]
    ones = np.concatenate([np.zeros(len(start), dtype=np.int64), first + 1])
    others = np.concatenate([start, second]) + 1
    lengths = np.concatenate([away[start], apart])
    points = np.vstack([centre[None, :], corners])
    free = _free(points[ones], points[others], closed)
    return ones[free], others[free], lengths[free]


def _free(starts: Floats, ends: Floats, closed: Obstacles) -> Flags:
    """Which segments meet no edge, a bounded number at a time."""
    step = max(1, _MOST_CELLS // max(1, len(closed.edges)))
    parts = [
        ~blocked(starts[i : i + step], ends[i : i + step], closed.edges).any(axis=1)
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
