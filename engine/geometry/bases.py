"""Bases on the table: outlines, gaps and overlaps, also where the turn of a base is unknown."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Protocol

from shapely import Point, Polygon, affinity, box
from shapely.geometry.base import BaseGeometry

from engine.geometry.interval import EXACT_MM, Interval, Verdict
from engine.table import Base, BaseShape, PointMm


class Standing(Protocol):
    """Anything that stands on a base; ``engine.table.Figure`` is one."""

    @property
    def position_mm(self) -> PointMm:
        """Centre of the base."""

    @property
    def base(self) -> Base:
        """Outline of the base."""

    @property
    def level_mm(self) -> float:
        """Height of the surface the base stands on."""

    @property
    def sigma_mm(self) -> float:
        """One standard deviation of the position."""


@dataclass(frozen=True, slots=True)
class Outline:
    """A point or polygon grown by a radius, so that circles stay exact.

    Attributes:
        core: Point or polygon in table mm.
        radius_mm: Growth, 0 for a polygon as it is.
    """

    core: BaseGeometry
    radius_mm: float = 0.0

    def distance(self, other: Outline) -> float:
        """Gap to another outline in mm, 0 when they touch or overlap."""
        between = self.core.distance(other.core)
        return max(0.0, between - self.radius_mm - other.radius_mm)

    def polygon(self, quad_segs: int = 16) -> Polygon:
        """The outline as a polygon; circles get ``quad_segs`` edges a quarter."""
        if self.radius_mm == 0.0 and isinstance(self.core, Polygon):
            return self.core
        grown = self.core.buffer(self.radius_mm, quad_segs=quad_segs)
        assert isinstance(grown, Polygon)  # noqa: S101  a grown point or convex polygon is one
        return grown


def inscribed_radius(base: Base) -> float:
    """Radius in mm of the largest circle inside the base, however it is turned."""
    if base.shape is BaseShape.OBLONG:
        return min(base.size_mm, base.length_mm) / 2.0
    return base.size_mm / 2.0


def circumscribed_radius(base: Base) -> float:
    """Radius in mm of the smallest circle round the base."""
    if base.shape is BaseShape.CIRCLE:
        return base.size_mm / 2.0
    return math.hypot(*_sides(base)) / 2.0


def turned_base(base: Base, facing_deg: float | None) -> Base:
    """An oblong base lying along the facing of its figure; any other base as it is.

    Args:
        base: Outline of the base.
        facing_deg: The way the figure looks, None when unknown: then so is the turn of the base.
    """
    if base.shape is not BaseShape.OBLONG:
        return base
    return replace(base, rotation_deg=None if facing_deg is None else facing_deg % 360.0)


def square(centre: PointMm, side_mm: float, rotation_deg: float) -> Polygon:
    """A square round ``centre``, turned counter-clockwise against the table's axes."""
    return oblong(centre, side_mm, side_mm, rotation_deg)


def oblong(centre: PointMm, length_mm: float, width_mm: float, rotation_deg: float) -> Polygon:
    """A rectangle round ``centre``, its length turned counter-clockwise from the x axis."""
    x, y = centre
    half, across = length_mm / 2.0, width_mm / 2.0
    turned = affinity.rotate(
        box(x - half, y - across, x + half, y + across), rotation_deg, origin=(x, y)
    )
    assert isinstance(turned, Polygon)  # noqa: S101  turning keeps the type
    return turned


def _is_round(base: Base) -> bool:
    """All its outlines are circles: that of the base, or those inside and round it."""
    return base.shape is BaseShape.CIRCLE or base.rotation_deg is None


def _is_known(base: Base) -> bool:
    """It has one outline only."""
    return base.shape is BaseShape.CIRCLE or base.rotation_deg is not None


def _sides(base: Base) -> tuple[float, float]:
    """Length and width of a square or oblong."""
    along = base.length_mm if base.shape is BaseShape.OBLONG else base.size_mm
    return along, base.size_mm


def outer(base: Base, centre: PointMm) -> Outline:
    """The largest outline the base can have: the circle round it where its turn is unknown."""
    return _outline(base, centre, circumscribed_radius(base))


def inner(base: Base, centre: PointMm) -> Outline:
    """The outline the base has for certain: the circle inside it where its turn is unknown."""
    return _outline(base, centre, inscribed_radius(base))


@lru_cache(maxsize=1024)
def _outline(base: Base, centre: PointMm, unknown_radius_mm: float) -> Outline:
    if base.shape is BaseShape.CIRCLE:
        return Outline(Point(centre), base.size_mm / 2.0)
    if base.rotation_deg is None:
        return Outline(Point(centre), unknown_radius_mm)
    return Outline(oblong(centre, *_sides(base), base.rotation_deg))


def base_polygon(figure: Standing) -> Polygon:
    """Base of a figure as a polygon, for drawing; the circle round it if its turn is unknown."""
    return outer(figure.base, figure.position_mm).polygon()


def gap(a: Standing, b: Standing) -> Interval:
    """Flat gap between two bases, edge to edge.

    Returns:
        Bounds in mm; they differ only where the turn of a base with corners is unknown.
    """
    sigma_mm = math.hypot(a.sigma_mm, b.sigma_mm)
    if _is_round(a.base) and _is_round(b.base):
        # Most bases are; no outline has to be made of them.
        x, y = a.position_mm[0] - b.position_mm[0], a.position_mm[1] - b.position_mm[1]
        between = math.sqrt(x * x + y * y)  # as Shapely does it, to the last bit
        most = between - circumscribed_radius(a.base) - circumscribed_radius(b.base)
        least = between - inscribed_radius(a.base) - inscribed_radius(b.base)
        return Interval(max(0.0, most), max(0.0, least), sigma_mm)
    most = inner(a.base, a.position_mm).distance(inner(b.base, b.position_mm))
    if _is_known(a.base) and _is_known(b.base):
        return Interval(most, most, sigma_mm)
    least = outer(a.base, a.position_mm).distance(outer(b.base, b.position_mm))
    return Interval(least, most, sigma_mm)


def centre_distance(a: Standing, b: Standing) -> Interval:
    """Flat distance between the centres of two bases."""
    between = math.dist(a.position_mm, b.position_mm)
    return Interval(between, between, math.hypot(a.sigma_mm, b.sigma_mm))


def overlap(a: Standing, b: Standing) -> Verdict:
    """Whether two bases overlap; touching is no overlap.

    Returns:
        Yes or no when the turn of the bases cannot change it, otherwise borderline.
    """
    if _apart(outer(a.base, a.position_mm), outer(b.base, b.position_mm)):
        return Verdict.NO
    if _apart(inner(a.base, a.position_mm), inner(b.base, b.position_mm)):
        return Verdict.BORDERLINE
    return Verdict.YES


def _apart(a: Outline, b: Outline) -> bool:
    reach = a.radius_mm + b.radius_mm
    if reach > 0.0:
        return a.core.distance(b.core) >= reach - EXACT_MM
    return a.core.intersection(b.core).area <= EXACT_MM
