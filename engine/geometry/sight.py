"""How much of a target an eye sees: exact upwards, in narrow columns across."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import shapely
from shapely import Polygon, affinity
from shapely.geometry.base import BaseGeometry

from engine.geometry.obstacles import Floats
from engine.table import PointMm

COLUMNS: Final = 24
"""Columns across a silhouette, besides cuts at every corner of what hides it."""
_NEAR: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Eye:
    """Where one looks from.

    Attributes:
        at_mm: Place on the table.
        height_mm: Height over the table.
    """

    at_mm: PointMm
    height_mm: float


@dataclass(frozen=True, slots=True)
class Panel:
    """An upright rectangle that faces the eye.

    Attributes:
        at_mm: Middle of its foot.
        width_mm: Width.
        low_mm: Height of its lower edge over the table.
        high_mm: Height of its upper edge.
    """

    at_mm: PointMm
    width_mm: float
    low_mm: float
    high_mm: float


@dataclass(frozen=True, slots=True, eq=False)
class Prism:
    """Something upright that hides what is behind it.

    Attributes:
        area: Outline seen from above.
        low_mm: Height of its underside.
        high_mm: Height of its top.
    """

    area: BaseGeometry
    low_mm: float
    high_mm: float


def box(at_mm: PointMm, width_mm: float, depth_mm: float, eye: Eye) -> Polygon:
    """Outline of a box that turns its width to the eye."""
    across, along = _axes(eye.at_mm, at_mm)
    x, y = at_mm
    w, d = width_mm / 2.0, depth_mm / 2.0
    return Polygon(
        [
            (x + across[0] * i * w + along[0] * j * d, y + across[1] * i * w + along[1] * j * d)
            for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        ]
    )


def turned_box(at_mm: PointMm, length_mm: float, width_mm: float, turn_deg: float) -> Polygon:
    """Outline of a box whose length lies along ``turn_deg``, counter-clockwise from +x."""
    x, y = at_mm
    flat = shapely.box(
        x - length_mm / 2.0, y - width_mm / 2.0, x + length_mm / 2.0, y + width_mm / 2.0
    )
    return affinity.rotate(flat, turn_deg, origin=(x, y))


def in_front(
    at_mm: PointMm, facing_deg: float | None, point_mm: PointMm, half_angle_deg: float
) -> bool:
    """Whether a place lies within so many degrees of the way something looks.

    Unknown facing sees all round, and a place under its own feet is always seen.
    """
    dx, dy = point_mm[0] - at_mm[0], point_mm[1] - at_mm[1]
    if facing_deg is None or math.hypot(dx, dy) < _NEAR:
        return True
    off = math.remainder(math.degrees(math.atan2(dy, dx)) - facing_deg, 360.0)
    return abs(off) <= half_angle_deg + _NEAR


def visible_share(eye: Eye, target: Sequence[Panel], blockers: Iterable[Prism]) -> float:
    """Share of the area of a target that is seen.

    Args:
        eye: Where one looks from.
        target: Parts of the silhouette.
        blockers: What may hide it.

    Returns:
        0 to 1.
    """
    outlines = [(loops, item) for item in blockers for loops in rings(item.area)]
    whole = sum(panel.width_mm * (panel.high_mm - panel.low_mm) for panel in target)
    return sum(_seen(eye, panel, outlines) for panel in target) / whole


def wall_visible(
    eye_mm: float, wall_mm: float, wall_at_mm: float, target_at_mm: float, target_mm: float
) -> float:
    """Closed form for a long straight wall on the same floor (5.6).

    Args:
        eye_mm: Height of the eye.
        wall_mm: Height of the wall's top.
        wall_at_mm: Distance from the eye to the wall.
        target_at_mm: Distance from the eye to the target.
        target_mm: Height of the target.

    Raises:
        ValueError: A distance or the target's height is not positive.
    """
    if min(wall_at_mm, target_at_mm, target_mm) <= 0.0:
        raise ValueError("distances and the height of the target are more than 0")
    lowest = eye_mm + (wall_mm - eye_mm) * target_at_mm / wall_at_mm
    return min(1.0, max(0.0, (target_mm - max(0.0, lowest)) / target_mm))


def _seen(eye: Eye, panel: Panel, outlines: Sequence[tuple[list[Floats], Prism]]) -> float:
    """Seen area of one panel in mm²."""
    height = panel.high_mm - panel.low_mm
    origin = np.array(eye.at_mm)
    middle = np.array(panel.at_mm) - origin
    if np.hypot(*middle) < _NEAR:
        return panel.width_mm * height
    across = np.array(_axes(eye.at_mm, panel.at_mm)[0])
    half = panel.width_mm / 2.0
    near = [
        (loops, prism)
        for loops, prism in outlines
        if shapely.LineString(
            [eye.at_mm, *(tuple(origin + middle + across * s) for s in (-half, half)), eye.at_mm]
        ).envelope.intersects(prism.area.envelope)
    ]
    if not near:
        return panel.width_mm * height
    cuts = _cuts(origin, middle, across, half, [loop for loops, _ in near for loop in loops])
    at, width = (cuts[1:] + cuts[:-1]) / 2.0, np.diff(cuts)
    ends = origin + middle + at[:, None] * across
    hidden: list[list[tuple[float, float]]] = [[] for _ in at]
    for loops, prism in near:
        for column, t_in, t_out in spans(origin, ends, loops):
            low, high = _shadow(eye.height_mm, prism, t_in, t_out)
            hidden[column].append((max(low, panel.low_mm), min(high, panel.high_mm)))
    seen: list[float] = [
        w * (height - _covered(spans)) for w, spans in zip(width.tolist(), hidden, strict=True)
    ]
    return sum(seen)


def _axes(origin: PointMm, at: PointMm) -> tuple[tuple[float, float], tuple[float, float]]:
    """Unit vectors across and along the line of sight."""
    dx, dy = at[0] - origin[0], at[1] - origin[1]
    far = math.hypot(dx, dy)
    along = (dx / far, dy / far) if far > _NEAR else (1.0, 0.0)
    return (-along[1], along[0]), along


def rings(area: BaseGeometry) -> list[list[Floats]]:
    """Outline and holes of each polygon of an area."""
    return [
        [np.asarray(ring.coords)[:-1] for ring in (part.exterior, *part.interiors)]
        for part in shapely.get_parts(area)
        if isinstance(part, Polygon) and not part.is_empty
    ]


def _cuts(
    origin: Floats, middle: Floats, across: Floats, half: float, loops: Sequence[Floats]
) -> Floats:
    """Column borders: even ones, and one where the line of sight passes a corner."""
    even = np.linspace(-half, half, COLUMNS + 1)
    corners = np.vstack(loops) - origin
    far = np.hypot(*middle)
    ahead = corners @ (middle / far)
    aside = corners @ across
    front = ahead > _NEAR
    at = aside[front] * far / ahead[front]
    cuts: Floats = np.unique(np.concatenate([even, at[(at > -half) & (at < half)]]))
    return cuts


def spans(origin: Floats, ends: Floats, loops: Sequence[Floats]) -> list[tuple[int, float, float]]:
    """Where lines of sight are inside an outline, as shares of their length.

    Returns:
        Index of the line, share at which it enters, share at which it leaves.
    """
    a = np.vstack(loops) - origin
    b = np.vstack([np.roll(loop, -1, axis=0) for loop in loops]) - origin
    d = ends - origin
    side_a = d[:, :1] * a[None, :, 1] - d[:, 1:] * a[None, :, 0]
    side_b = d[:, :1] * b[None, :, 1] - d[:, 1:] * b[None, :, 0]
    # Half-open, so that a line through a corner crosses one of its two edges.
    crosses = (side_a > 0.0) != (side_b > 0.0)
    e = b - a
    turn = d[:, :1] * e[None, :, 1] - d[:, 1:] * e[None, :, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (a[None, :, 0] * e[None, :, 1] - a[None, :, 1] * e[None, :, 0]) / turn
    found = []
    for column in np.flatnonzero(crosses.any(axis=1)).tolist():
        at = np.sort(t[column, crosses[column]])
        for t_in, t_out in zip(at[::2].tolist(), at[1::2].tolist(), strict=True):
            low, high = max(t_in, 0.0), min(t_out, 1.0)
            if high > low:
                found.append((column, low, high))
    return found


def _shadow(eye_mm: float, prism: Prism, t_in: float, t_out: float) -> tuple[float, float]:
    """Heights at the target that a prism hides between two shares of the way."""
    t_in = max(t_in, _NEAR)
    under, over = prism.low_mm - eye_mm, prism.high_mm - eye_mm
    low = eye_mm + (under / t_in if under < 0.0 else under / t_out)
    high = eye_mm + (over / t_in if over > 0.0 else over / t_out)
    return low, high


def _covered(spans: list[tuple[float, float]]) -> float:
    """Length covered by spans that may overlap."""
    covered, top = 0.0, -math.inf
    for low, high in sorted(spans):
        if high > max(low, top):
            covered += high - max(low, top)
            top = high
    return covered
