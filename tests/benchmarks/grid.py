"""Reach by a grid, to hold the reach polygon against: ``python -m tests.benchmarks.grid``.

The shortest ways over the points of a grid, in steps of many directions, are found by Dijkstra's
method; the area is that of the points that are near enough. It knows nothing of corners or fans.
"""

from __future__ import annotations

import json
import math
import random
from time import process_time

import numpy as np
import shapely
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import dijkstra
from shapely.geometry.base import BaseGeometry

from engine.geometry.bases import Standing
from engine.geometry.closed import closed
from engine.geometry.obstacles import Walker
from engine.geometry.reach import reach
from engine.geometry.surfaces import Ground, ground
from engine.table import Base, BaseShape, PointMm
from tests.benchmarks.crowd import clear, pieces

STEP_MM = 2.0
FAR = 7
"""Steps go to points up to so many cells away; a way is too long by 0.3 % at most."""
ALLOWANCE_MM = 150.0
RADIUS_MM = 8.0


def reach_area(
    start: PointMm, allowance_mm: float, shut: BaseGeometry, step_mm: float = STEP_MM
) -> float:
    """Area in mm2 that a point comes to on ways round what is shut.

    Args:
        start: Where it starts.
        allowance_mm: Longest way.
        shut: What is in the way, grown already.
        step_mm: Between points of the grid.
    """
    half = math.ceil(allowance_mm / step_mm) + 1
    side = 2 * half + 1
    axis = step_mm * (np.arange(side) - half)
    x, y = np.meshgrid(start[0] + axis, start[1] + axis, indexing="ij")
    outside = ~shapely.contains_xy(shut, x, y)
    # A way that hugs a wall goes from point to point, half a step off it on average; where points
    # may lie half a step within what is shut, it is as often too near as too far.
    free = ~shapely.contains_xy(shut.buffer(-step_mm / 2.0), x, y)
    number = np.arange(side * side).reshape(side, side)
    rows, columns, lengths = [], [], []
    for dx in range(FAR + 1):
        for dy in range(-FAR, FAR + 1):
            if math.gcd(dx, dy) != 1 or (dx == 0 and dy < 0):
                continue
            a, b = _both(dx, dy, side)
            way = free[a] & free[b]
            for k in range(1, max(dx, abs(dy))):
                share = k / max(dx, abs(dy))
                way &= free[_between(a, round(share * dx), round(share * dy))]
            rows.append(number[a][way])
            columns.append(number[b][way])
            lengths.append(np.full(int(way.sum()), step_mm * math.hypot(dx, dy)))
    graph = coo_matrix(
        (np.concatenate(lengths), (np.concatenate(rows), np.concatenate(columns))),
        shape=(side * side, side * side),
    ).tocsr()
    found = dijkstra(graph, directed=False, indices=number[half, half], limit=allowance_mm)
    return float((np.isfinite(found) & outside.ravel()).sum() * step_mm**2)


def _both(dx: int, dy: int, side: int) -> tuple[tuple[slice, slice], tuple[slice, slice]]:
    low, high = max(0, -dy), side - max(0, dy)
    return (
        (slice(0, side - dx), slice(low, high)),
        (slice(dx, side), slice(low + dy, high + dy)),
    )


def _between(a: tuple[slice, slice], dx: int, dy: int) -> tuple[slice, slice]:
    return (
        slice(a[0].start + dx, a[0].stop + dx),
        slice(a[1].start + dy, a[1].stop + dy),
    )


def shut_for(
    floor: Ground, others: list[Standing], radius_mm: float, step_mm: float
) -> BaseGeometry:
    """Pieces too high to be walked over and models, grown by a base, as round as can be."""
    tall = [one.area for one in floor.surfaces if one.height_mm > step_mm]
    found = [area.buffer(radius_mm, quad_segs=32) for area in tall]
    found += [
        shapely.Point(one.position_mm).buffer(radius_mm + one.base.size_mm / 2.0, quad_segs=32)
        for one in others
    ]
    shut = shapely.union_all(found)
    shapely.prepare(shut)
    return shut


class Stand:
    """A round base on the table."""

    base = Base(BaseShape.CIRCLE, 2.0 * RADIUS_MM)
    level_mm = 0.0
    sigma_mm = 0.0

    def __init__(self, at: PointMm) -> None:
        self.position_mm = at


def main() -> None:
    """Print the areas by polygon and by grid for forty places, and how long both took.

    ``fine`` holds the polygon against a grid of half the step, and ``grid_worst`` the grid itself.
    """
    dice = random.Random(8)  # noqa: S311
    terrain = pieces(1.0)
    floor, walker = ground(terrain), Walker(RADIUS_MM, 8.0)
    at = [(dice.uniform(200, 1000), dice.uniform(250, 700)) for _ in range(60)]
    places = clear(at, terrain, 11.0, 450.0)
    starts, others = places[:40], [Stand(one) for one in places[40:]]
    starts = [s for s in starts if all(math.dist(s, o.position_mm) > 20.0 for o in others)]
    shut = shut_for(floor, others, RADIUS_MM, 8.0)
    ways = {"polygon": 0.0, "grid": 0.0}
    off, fine, own, narrow = [], [], [], 0
    wider, tighter = (shut.buffer(way * STEP_MM / 2.0) for way in (-1.0, 1.0))
    for start in starts:
        ends = [reach_area(start, ALLOWANCE_MM, one) for one in (wider, tighter)]
        if ends[0] > 1.05 * ends[1]:  # a passage hardly wider than the grid: that tells nothing
            narrow += 1
            continue
        begun = process_time()
        polygon = reach(
            start, ALLOWANCE_MM, closed(floor, others, walker, (start,), within_mm=ALLOWANCE_MM)
        ).difference(shapely.union_all([one.area for one in floor.surfaces if one.height_mm > 8.0]))
        ways["polygon"] += process_time() - begun
        begun = process_time()
        grid = reach_area(start, ALLOWANCE_MM, shut)
        ways["grid"] += process_time() - begun
        off.append(polygon.area / grid - 1.0)
        finer = reach_area(start, ALLOWANCE_MM, shut, STEP_MM / 2.0)
        fine.append(polygon.area / finer - 1.0)
        own.append(grid / finer - 1.0)
    told = {
        "places": len(off),
        "left_out": narrow,
        "worst": round(max(off, key=abs), 4),
        "mean": round(sum(off) / len(off), 4),
        "worst_fine": round(max(fine, key=abs), 4),
        "mean_fine": round(sum(fine) / len(fine), 4),
        "grid_worst": round(max(own, key=abs), 4),
        "polygon_ms": round(1000.0 * ways["polygon"] / len(off), 1),
        "grid_ms": round(1000.0 * ways["grid"] / len(off), 1),
        "times_faster": round(ways["grid"] / ways["polygon"], 1),
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main()
