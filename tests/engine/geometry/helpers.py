"""Small tables for tests of geometry."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.geometry import closed as closing
from engine.geometry.obstacles import Walker
from engine.geometry.surfaces import ground
from engine.table import Base, BaseShape, PointMm, Terrain


@dataclass(frozen=True)
class Stand:
    """A base on the table."""

    position_mm: PointMm
    base: Base = field(default_factory=lambda: Base(BaseShape.SQUARE, 16.0, 0.0))
    level_mm: float = 0.0
    sigma_mm: float = 0.0


def square(x: float, y: float, turn: float | None = 0.0, side: float = 16.0) -> Stand:
    return Stand((x, y), Base(BaseShape.SQUARE, side, turn))


def disc(x: float, y: float, diameter: float = 28.0) -> Stand:
    return Stand((x, y), Base(BaseShape.CIRCLE, diameter))


def oblong(
    x: float, y: float, facing: float | None = 0.0, length: float = 110.0, width: float = 36.0
) -> Stand:
    return Stand((x, y), Base(BaseShape.OBLONG, width, facing, 0.0, length))


def rect(x: float, y: float, w: float, h: float) -> tuple[PointMm, ...]:
    return ((x, y), (x + w, y), (x + w, y + h), (x, y + h))


def piece(name, outline, height, *, standable=False, kind="wall", marks=(), lego=True) -> Terrain:
    return Terrain(name, kind, outline, height, standable, lego, marks)


def closed(terrain, others, walker: Walker, *anchors: PointMm, within=None):
    return closing.closed(ground(terrain), others, walker, anchors, frozenset(), within)
