"""What is known of areas and obstacles from one look to the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
import shapely
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from engine.geometry import bases
from engine.geometry.bases import Standing
from engine.geometry.closed import closed
from engine.geometry.obstacles import Obstacles, Walker
from engine.geometry.reach import areas, gains
from engine.geometry.spreads import Outset, Spread, spreads
from engine.geometry.surfaces import EMPTY, Ground
from engine.memo import each_kept
from engine.table import Base, PointMm

_SPECK_MM2: Final = 1.0
_THREAD_MM: Final = 0.2
_ROUND_SEGS: Final = 6
"""Edges a quarter of a grown base."""
_LOSS_MM2: Final = 0.5
_SKETCH_MM: Final = 0.05
"""Outlines are so exact when threads are looked for; all points would take ten times as long."""


class Spot(NamedTuple):
    """All that a spread depends on.

    Attributes:
        ground: Standing surfaces.
        walker: How the base walks.
        blockers: Models it cannot walk through.
        straight: Only straight ways count.
        start: Centre of the base.
        longest_mm: Longest way.
        passable: Terrain that is open to climbers.
    """

    ground: Ground
    walker: Walker
    blockers: tuple[Standing, ...]
    straight: bool
    start: PointMm
    longest_mm: float
    passable: frozenset[str]

    @property
    def closed(self) -> Obstacles:
        """What is in the way there."""
        return obstacles_near(
            self.ground, self.walker, self.blockers, self.start, self.longest_mm, self.passable
        )


@each_kept(1024)
def areas_on_foot(wanted: Sequence[tuple[Spot, float]]) -> list[BaseGeometry]:
    """Where models come on foot with some allowance each.

    Kept, since most stand still from one look to the next.
    """
    found = spreads_from([spot for spot, _ in wanted])
    return areas([(one, most_mm) for one, (_, most_mm) in zip(found, wanted, strict=True)])


@each_kept(1024)
def areas_gained(wanted: Sequence[tuple[Spot, Spot, float]]) -> list[BaseGeometry]:
    """What models come to that is open to them, and not where it is closed.

    Places to which they come all the same may be among it.

    Args:
        wanted: The spot with pieces open, that with them closed, and the allowance.
    """
    fewer = spreads_from([opened for opened, _, _ in wanted])
    more = spreads_from([shut for _, shut, _ in wanted])
    return gains(
        [(one, two, most_mm) for one, two, (_, _, most_mm) in zip(fewer, more, wanted, strict=True)]
    )


@each_kept(1024)
def spreads_from(spots: Sequence[Spot]) -> list[Spread]:
    """How models spread from where they stand."""
    return spreads([Outset(one.start, one.longest_mm, one.closed, one.straight) for one in spots])


@lru_cache(maxsize=1024)
def obstacles_near(
    ground: Ground,
    walker: Walker,
    blockers: tuple[Standing, ...],
    start: PointMm,
    longest_mm: float,
    passable: frozenset[str],
) -> Obstacles:
    """What is closed to a model that starts there; kept for ways and areas alike."""
    return closed(ground, blockers, walker, (start,), passable, longest_mm)


@lru_cache(maxsize=16)
def without_stairs(ground: Ground) -> Ground:
    """The same table without its stairs; kept, so that what is known of it is found again."""
    return replace(ground, stairs=EMPTY)


@lru_cache(maxsize=4096)
def wide(base: Base, position_mm: PointMm, radius_mm: float) -> BaseGeometry:
    """A base grown by a radius."""
    footing = bases.inner(base, position_mm)
    grown: BaseGeometry = footing.core.buffer(footing.radius_mm + radius_mm, quad_segs=_ROUND_SEGS)
    return grown


@lru_cache(maxsize=16)
def forbidden(ground: Ground, step_mm: float) -> tuple[BaseGeometry, ...]:
    """Tops that no model may stand on at last, each by itself."""
    bad: list[BaseGeometry] = []
    higher: BaseGeometry = EMPTY
    for surface in ground.surfaces:
        if not surface.standable and surface.height_mm > step_mm:
            bad.append(surface.area.difference(higher).difference(ground.stairs))
        higher = higher.union(surface.area)
    parts = tuple(shapely.get_parts(shapely.union_all(bad)))
    shapely.prepare(parts)
    return parts


def sound_parts(areas: Sequence[BaseGeometry]) -> list[Polygon]:
    """The polygons of some areas without threads and specks, which only rounding makes."""
    return sound_parts_each([areas])[0]


def sound_parts_each(groups: Sequence[Sequence[BaseGeometry]]) -> list[list[Polygon]]:
    """The same for some groups of areas, each by itself."""
    group = np.repeat(np.arange(len(groups)), [len(areas) for areas in groups])
    parts, area = shapely.get_parts([one for areas in groups for one in areas], return_index=True)
    large = shapely.area(parts) > _SPECK_MM2
    parts, group = parts[large], group[area[large]]
    sketch = shapely.simplify(parts, _SKETCH_MM, preserve_topology=False)
    less = shapely.buffer(sketch, -_THREAD_MM, join_style="mitre")
    # A sound part loses a seam of that width all round; a thread loses less, since it has less.
    lost = shapely.area(sketch) - shapely.area(less)
    thin = lost < _THREAD_MM * shapely.length(sketch) - _LOSS_MM2
    thin |= shapely.is_empty(sketch)
    found: list[list[Polygon]] = [[] for _ in groups]
    for part, owner in zip(parts[~thin].tolist(), group[~thin].tolist(), strict=True):
        found[owner].append(part)
    if thin.any():
        less = shapely.buffer(parts[thin], -_THREAD_MM, join_style="mitre")
        opened, index = shapely.get_parts(
            shapely.buffer(less, _THREAD_MM, join_style="mitre"), return_index=True
        )
        for part, owner in zip(opened.tolist(), group[thin][index].tolist(), strict=True):
            if isinstance(part, Polygon) and part.area > _SPECK_MM2:
                found[owner].append(part)
    return [[one for one in parts if isinstance(one, Polygon)] for parts in found]
