"""Ways over a real table: round what is impassable and round enemies (FM-OBS, FM-GEO-07)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import shapely
from shapely import Point
from shapely.geometry.base import BaseGeometry
from shapely.ops import nearest_points

from engine.geometry import bases
from engine.geometry.bases import Outline, circumscribed_radius, inscribed_radius
from engine.geometry.interval import EXACT_MM
from engine.geometry.obstacles import Walker
from engine.geometry.surfaces import Ground, ground, outline
from engine.geometry.walks import Walk
from engine.rulesets.follow_me.measures.lengths import Disc
from engine.table import Figure, PointMm, Terrain

_CORNER_SEGS: Final = 8
"""Edges a quarter of a grown corner: off by less than 0.1 mm for a figure of 10 mm."""
_TALL_MM: Final = 10_000.0
_STEP_MM: Final = 1.0
_LEAST_MM: Final = 1.0


@dataclass(frozen=True, slots=True)
class Lay:
    """The terrain of a table by what it does to one kind of mover.

    Attributes:
        closed: What cannot be entered (FM-OBS-08).
        walls: Low walls and hedges (FM-OBS-02).
        water: What is waded through (FM-OBS-04).
    """

    closed: tuple[Terrain, ...] = ()
    walls: tuple[Terrain, ...] = ()
    water: tuple[Terrain, ...] = ()


@dataclass(frozen=True, slots=True)
class Mover:
    """A figure about to move.

    Attributes:
        walk: How it walks dry-shod among terrain and enemies.
        wade: The same through water; None where there is none.
        flies: It goes straight over everything (FM-MOVE-14).
    """

    walk: Walk
    wade: Walk | None
    flies: bool = False

    def shortest(self, start: PointMm, goal: PointMm) -> float | None:
        """Length of the most direct dry way (FM-GEO-06, 07, 23) in mm, None without any."""
        if self.flies:
            return math.dist(start, goal)
        return _length(self.walk, start, goal)

    def waded(self, start: PointMm, goal: PointMm) -> float | None:
        """Length of the shortest way through water too, None without any or without water."""
        return None if self.wade is None else _length(self.wade, start, goal)


def mover(
    figure: Figure,
    enemies: Iterable[Figure],
    others: Iterable[Figure],
    lay: Lay,
    size_mm: tuple[float, float] | None,
    *,
    flies: bool = False,
) -> Mover:
    """A figure about to move.

    Args:
        figure: Who moves.
        enemies: Those that may not be passed; friends may (FM-MOVE-08).
        others: All whose place cannot be taken.
        lay: Terrain, as it is for this mover.
        size_mm: Size of the table, None where its edges are unknown (FM-GEO-20).
        flies: It flies over all of them.
    """
    walker = Walker(inscribed_radius(figure.base), _STEP_MM, size_mm, _CORNER_SEGS)
    blockers = () if flies else tuple(e for e in enemies if e.figure_id != figure.figure_id)
    taken = tuple(o for o in others if o.figure_id != figure.figure_id)
    walk = Walk(_ground((*lay.closed, *lay.walls, *lay.water)), walker, blockers, taken)
    if flies:
        return Mover(replace(walk, ground=_ground(())), None, flies=True)
    wade = replace(walk, ground=_ground((*lay.closed, *lay.walls))) if lay.water else None
    return Mover(walk, wade)


def reach(
    figure: Figure,
    enemies: Iterable[Figure],
    others: Iterable[Figure],
    lay: Lay,
    size_mm: tuple[float, float] | None,
    moves: tuple[PointMm, float, float],
    *,
    flies: bool = False,
) -> BaseGeometry:
    """Where a move can end, as area of the middle of the base.

    Only who is near enough to matter is looked at, so that a move elsewhere changes nothing.

    Args:
        figure: Who moves.
        enemies: As for :func:`mover`.
        others: As for :func:`mover`.
        lay: Terrain, as it is for this mover.
        size_mm: Size of the table, None where its edges are unknown.
        moves: Where the move starts, its longest dry way and its longest way through water.
        flies: It flies over all of them.
    """
    (x, y), far, _ = moves
    room = far + circumscribed_radius(figure.base) + _LEAST_MM

    def near(figures: Iterable[Figure]) -> tuple[Disc, ...]:
        return tuple(
            Disc(f.position_mm, f.base, f.level_mm)
            for f in figures
            if f.figure_id != figure.figure_id
            and math.dist((x, y), f.position_mm) <= room + circumscribed_radius(f.base)
        )

    walker = Walker(inscribed_radius(figure.base), _STEP_MM, size_mm)
    return _reach(walker, () if flies else near(enemies), near(others), lay, moves, flies)


@lru_cache(maxsize=2048)
def _reach(
    walker: Walker,
    blockers: tuple[Disc, ...],
    taken: tuple[Disc, ...],
    lay: Lay,
    moves: tuple[PointMm, float, float],
    flies: bool,
) -> BaseGeometry:
    start, dry_mm, wading_mm = moves
    closed = () if flies else (*lay.closed, *lay.walls, *lay.water)
    dry = Walk(_ground(closed), walker, blockers, taken).reach(start, dry_mm)
    if flies or not lay.water:
        return dry
    wade = Walk(_ground((*lay.closed, *lay.walls)), walker, blockers, taken)
    return dry.union(wade.reach(start, wading_mm))


def swept(
    start: PointMm,
    goal: PointMm,
    figure: Figure,
    others: Sequence[Figure],
    closed: Sequence[Terrain],
    size_mm: tuple[float, float] | None,
) -> PointMm:
    """Where a figure stops that is moved in a straight line (FM-GEO-12, FM-PUSH-02).

    It stops at the first touch of closed terrain, another figure or the edge of the table; what
    it touches at the start is only in its way when it moves into it.
    """
    far = math.dist(start, goal)
    if far <= EXACT_MM:
        return start
    steps = max(1, math.ceil(far))
    at = start
    bodies = [bases.inner(o.base, o.position_mm) for o in others]
    bodies += [Outline(outline(p.footprint_mm)) for p in closed]
    gaps = [_room(figure, start, body) for body in bodies]
    for i in range(1, steps + 1):
        share = min(1.0, i / far) if i < steps else 1.0
        there = (start[0] + (goal[0] - start[0]) * share, start[1] + (goal[1] - start[1]) * share)
        now = [_room(figure, there, body) for body in bodies]
        if any(new < -EXACT_MM and new < old for new, old in zip(now, gaps, strict=True)):
            return at
        if size_mm is not None and not on_table(figure, there, size_mm):
            return at
        at, gaps = there, now
    return at


def on_table(figure: Figure, at: PointMm, size_mm: tuple[float, float]) -> bool:
    """Whether a footprint is wholly on the table at a place (FM-GEO-20)."""
    x0, y0, x1, y1 = bases.inner(figure.base, at).polygon().bounds
    return min(x0, y0, size_mm[0] - x1, size_mm[1] - y1) >= -EXACT_MM


def moved(figure: Figure, at: PointMm) -> Figure:
    """The same figure somewhere else on the table."""
    return replace(figure, position_mm=at, level_mm=0.0)


def inside(figure: Figure, closed: Sequence[Terrain]) -> bool:
    """Whether a footprint is partly within closed terrain (FM-OBS-08)."""
    body = [Outline(outline(piece.footprint_mm)) for piece in closed]
    return any(_room(figure, figure.position_mm, one) < -EXACT_MM for one in body)


def free_near(
    figure: Figure, spot: PointMm, others: Sequence[Figure], closed: Sequence[Terrain]
) -> PointMm:
    """The nearest place to a spot where a figure can stand (FM-SPELL-17a)."""
    radius = bases.inscribed_radius(figure.base)
    taken = [bases.inner(o.base, o.position_mm).polygon().buffer(radius + EXACT_MM) for o in others]
    taken += [outline(p.footprint_mm).buffer(radius) for p in closed]
    area = shapely.union_all(taken) if taken else None
    if area is None or not area.contains(Point(spot)):
        return spot
    near, _ = nearest_points(area.boundary, Point(spot))
    return (float(near.x), float(near.y))


def _room(figure: Figure, at: PointMm, body: Outline) -> float:
    """Gap to a body; below 0 the depth of the overlap as far as circles can tell."""
    mine = bases.inner(figure.base, at)
    between = mine.core.distance(body.core)
    if between > 0.0 or mine.radius_mm + body.radius_mm > 0.0:
        return float(between - mine.radius_mm - body.radius_mm)
    return -float(mine.core.intersection(body.core).area)


def _length(walk: Walk, start: PointMm, goal: PointMm) -> float | None:
    route = walk.on_foot(start, goal)
    return None if route is None else route.length_mm


@lru_cache(maxsize=64)
def _ground(terrain: tuple[Terrain, ...]) -> Ground:
    """Terrain as cliffs that nobody climbs; doors and gates in it lead through (FM-OBS-08)."""
    return ground(
        replace(
            piece,
            height_mm=_TALL_MM,
            standable=False,
            lego=False,
            marks=tuple(replace(m, kind="stairs") for m in piece.marks if m.kind == "door"),
        )
        for piece in terrain
    )
