"""Everywhere a base can walk to with so much allowance: visible fans round every corner."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from engine.geometry.fans import Fans, chosen, joined, seen, towards
from engine.geometry.obstacles import Flags, Floats, Obstacles
from engine.geometry.spreads import LAP, Spread, spread
from engine.geometry.surfaces import EMPTY
from engine.table import PointMm

_SAME_MM: Final = 1e-9


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
    found = spread(start, allowance_mm, closed, straight=straight)
    return areas([(found, allowance_mm)])[0]


def areas(wanted: Sequence[tuple[Spread, float]]) -> list[BaseGeometry]:
    """The areas whose every point is within so much walking: several together take less long.

    Args:
        wanted: Spreads with an allowance of at most their longest way.

    Returns:
        A polygon, several, or an empty one for each.
    """
    found: list[BaseGeometry] = [EMPTY] * len(wanted)
    some = [index for index, (_, allowance_mm) in enumerate(wanted) if allowance_mm > 0.0]
    if some:
        scenes = [(_fans(*wanted[index]), wanted[index][0].closed.edges) for index in some]
        for index, parts in zip(some, seen(scenes), strict=True):
            found[index] = parts[0] if len(parts) == 1 else shapely.union_all(parts)
    return found


def gains(wanted: Sequence[tuple[Spread, Spread, float]]) -> list[BaseGeometry]:
    """What areas have more than others: some of their parts, no place of which is missing.

    Only sectors that are others, or that the obstacles left out of one spread had hidden, are
    looked into.

    Args:
        wanted: A spread among fewer obstacles, the spread from the same place among more, and the
            allowance.
    """
    found: list[BaseGeometry] = [EMPTY] * len(wanted)
    some = [index for index, (_, _, allowance_mm) in enumerate(wanted) if allowance_mm > 0.0]
    if not some:
        return found
    fans = [_fans(wanted[index][0], wanted[index][2]) for index in some]
    known = [_known(one, *wanted[index][1:]) for index, one in zip(some, fans, strict=True)]
    old = towards(
        [
            (chosen(one, np.flatnonzero(both)), _gone(*wanted[index][:2]))
            for index, one, both in zip(some, fans, known, strict=True)
        ]
    )
    scenes = [
        (joined([before, _new(one, both)]), wanted[index][0].closed.edges)
        for index, before, one, both in zip(some, old, fans, known, strict=True)
    ]
    there = [k for k, (one, _) in enumerate(scenes) if len(one.at)]
    if there:
        for k, parts in zip(there, seen([scenes[k] for k in there]), strict=True):
            found[some[k]] = parts[0] if len(parts) == 1 else shapely.union_all(parts)
    return found


def _known(fans: Fans, spread: Spread, allowance_mm: float) -> Flags:
    """Which sectors those of another spread are, too."""
    others = _fans(spread, allowance_mm)
    places = {place: index for index, place in enumerate(map(tuple, others.at.tolist()))}
    same = np.array([places.get(place, -1) for place in map(tuple, fans.at.tolist())])
    known: Flags = (
        (same >= 0)
        & (np.abs(fans.radius - others.radius[same]) < _SAME_MM)
        & (np.abs(fans.low - others.low[same]) < _SAME_MM)
        & (np.abs(fans.width - others.width[same]) < _SAME_MM)
    )
    return known


def _gone(fewer: Spread, more: Spread) -> Floats:
    """Edges of one spread that are not in the other."""
    there = {id(area) for area in fewer.closed.areas}
    gone = np.array([id(area) not in there for area in more.closed.areas], dtype=np.bool_)
    return more.closed.edges[gone[more.closed.edge_owner]]


def _new(fans: Fans, known: Flags) -> Fans:
    """The sectors that are not known; where a chain is torn, they overlap what was beside them."""
    new = np.flatnonzero(~known)
    whole, chain = chosen(fans, new), fans.chain
    begins = np.diff(chain, prepend=chain[0] - 1) > 0
    torn_before = known[new - 1] & ~begins[new]
    torn_after = np.append(known, False)[new + 1] & ~np.append(begins, True)[new + 1]
    return Fans(
        whole.at,
        whole.radius,
        whole.low - LAP * torn_before,
        whole.width + LAP * torn_before + LAP * torn_after,
        np.cumsum(torn_before | begins[new]),
    )


def _fans(spread: Spread, allowance_mm: float) -> Fans:
    """The fan round the centre and those behind every corner that is near enough."""
    bends = spread.bends
    near = bends.cost < allowance_mm
    return Fans(
        np.vstack([spread.centre, bends.at[near]]),
        np.concatenate([[allowance_mm], allowance_mm - bends.cost[near]]),
        np.concatenate([[0.0], bends.low[near]]),
        np.concatenate([[2.0 * math.pi], bends.width[near]]),
        np.concatenate([[-1], bends.chain[near]]),
    )
