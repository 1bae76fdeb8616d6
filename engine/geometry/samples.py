"""How many sample points of a target an eye sees past upright bodies."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.geometry.bases import Outline
from engine.geometry.obstacles import Floats
from engine.geometry.sight import Eye, rings, spans
from engine.table import PointMm

_NEAR: Final = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """Something upright from the table to its top.

    Attributes:
        outline: Seen from above; circles stay exact.
        top_mm: Height of its top over the table.
    """

    outline: Outline
    top_mm: float


@dataclass(frozen=True, slots=True)
class Figurine:
    """A target as upright samples that face the eye.

    Attributes:
        at_mm: Middle of its foot.
        radius_mm: Half its width.
        low_mm: Height of its foot over the table.
        height_mm: Its height.
    """

    at_mm: PointMm
    radius_mm: float
    low_mm: float
    height_mm: float


def free_samples(
    eye: Eye, target: Figurine, columns: int, rows: Sequence[float], bodies: Iterable[Body]
) -> int:
    """Samples of a target to which no body hides the ray.

    The columns stand evenly from edge to edge at right angles to the line of sight; a ray is
    hidden where it runs below the top of a body inside its outline.

    Args:
        eye: Where one looks from.
        target: Who is looked at.
        columns: Columns of samples.
        rows: Heights of the samples as shares of the target's height.
        bodies: What may hide it.

    Returns:
        0 to ``columns * len(rows)``.
    """
    origin = np.array(eye.at_mm)
    middle = np.array(target.at_mm) - origin
    far = float(np.hypot(*middle))
    across = np.array([-middle[1], middle[0]]) / far if far > _NEAR else np.array([0.0, 1.0])
    offsets = np.linspace(-target.radius_mm, target.radius_mm, columns)
    ends: Floats = origin + middle + offsets[:, None] * across
    heights = target.low_mm + np.array(rows) * target.height_mm
    free = np.ones((columns, len(rows)), dtype=np.bool_)
    low, high = np.minimum(origin, ends.min(axis=0)), np.maximum(origin, ends.max(axis=0))
    for body in bodies:
        x0, y0, x1, y1 = body.outline.core.bounds
        grown = body.outline.radius_mm
        if x0 - grown > high[0] or x1 + grown < low[0]:
            continue
        if y0 - grown > high[1] or y1 + grown < low[1]:
            continue
        for column, t_in, t_out in _inside(origin, ends, body.outline):
            rise = heights - eye.height_mm
            lowest = eye.height_mm + np.minimum(t_in * rise, t_out * rise)
            free[column] &= lowest >= body.top_mm - _NEAR
    return int(free.sum())


def _inside(origin: Floats, ends: Floats, outline: Outline) -> list[tuple[int, float, float]]:
    """Index of each ray that is inside an outline, with the shares at which it is."""
    if outline.core.geom_type == "Point":
        centre = np.array([outline.core.centroid.x, outline.core.centroid.y])
        return _in_circle(origin, ends, centre, outline.radius_mm)
    area = outline.core if outline.radius_mm == 0.0 else outline.polygon()
    return [span for loops in rings(area) for span in spans(origin, ends, loops)]


def _in_circle(
    origin: Floats, ends: Floats, centre: Floats, radius_mm: float
) -> list[tuple[int, float, float]]:
    found = []
    for column, end in enumerate(ends):
        d, f = end - origin, origin - centre
        a, b = float(d @ d), float(f @ d)
        root = b * b - a * (float(f @ f) - radius_mm * radius_mm)
        if a <= _NEAR or root <= _NEAR:
            continue
        low = max(0.0, (-b - math.sqrt(root)) / a)
        high = min(1.0, (-b + math.sqrt(root)) / a)
        if high - low > _NEAR:
            found.append((column, low, high))
    return found
