"""A ruler's outline: the edge its strokes start from, its far edge and its two ends."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.ruler_lines import Side
from calibration.ruler_view import RulerView, look_up
from calibration.sheet_edges import find_edge

Floats = NDArray[np.float64]

WIDEST_MM, LEAST_ACROSS_MM = 80.0, 3.0
"""Where a ruler's far edge is looked for, from its strokes."""

BEYOND_MM = 45.0
"""How far beyond the last strokes a ruler may end."""

NEAR_EDGE_MM = 3.0
"""The edge that the strokes start from is looked for so near to y = 0."""

CLEAR_MM = 2.0
"""No edge is believed so near to the tips of strokes: they end in a line as well."""

SLACK_MM = 0.5
FAR_EDGE_MM = 8.0
"""Strokes that begin farther from y = 0 start from the other side of the ruler."""

CORNER_PX = 3.0
LEAST_BODY = 0.3
"""Of the ruler's width so much must be free of strokes for its ends to be used."""

GOES_ON_MM, ALIKE_STEP = 12.0, 0.35
"""So much of the far edge beyond an end, as clear as elsewhere, and it is no end."""

LEAST_STEP = 0.02
"""Of full linear brightness, an edge of the body changes by so much."""

LEAST_SUPPORT = 0.55
SEARCH_PX = 0.6
SIDE_REACH_PX = 4.0


def outline(
    light: NDArray[np.float32],
    view: RulerView,
    ends: tuple[float, float],
    inside: float,
    depth: tuple[float, float],
) -> tuple[Side | None, tuple[Side, ...]]:
    """The edge at y = 0, and the far edge and both ends of the ruler: those of them that are seen.

    Args:
        light: Linear brightness.
        view: The camera.
        ends: First and last stroke, mm.
        inside: Whether strokes lie towards +y or -y.
        depth: Where they begin and end that way, mm.
    """
    inner = np.linspace(ends[0], ends[1], 120)
    front = _best(light, view, inner, inside, (-NEAR_EDGE_MM, max(NEAR_EDGE_MM / 2, 0.0)), True)
    # The line the strokes were found along may be the ruler's far edge.
    near = depth[0] < FAR_EDGE_MM
    reach = (max(depth[1] + (CLEAR_MM if near else -1.0), LEAST_ACROSS_MM), WIDEST_MM)
    back = _best(light, view, inner, inside, reach, along=True)
    if back is None:
        return front, ()
    found = [back]
    width = abs(back.offset_mm)
    tips = view.to_image(np.array([ends[0], ends[0]]), inside * np.array([0.0, width]))
    margin = max(0.08 * width, CORNER_PX * width / max(float(np.hypot(*(tips[1] - tips[0]))), 1.0))
    # Where strokes stand, the last of them blur into the end.
    free = (depth[1] + CLEAR_MM, width - margin) if near else (margin, depth[0] - CLEAR_MM)
    if free[1] - free[0] < LEAST_BODY * width:
        return front, tuple(found)
    body = inside * np.linspace(*free, 40)
    for start, way in ((ends[0], -1.0), (ends[1], 1.0)):
        end = _best(light, view, body, way, (0.3, BEYOND_MM), False, start)
        # The ruler is lighter than the table at all its edges, or darker at all.
        if end is None or end.darker != back.darker:
            continue
        if not _goes_on(light, view, back, end.offset_mm, way, inner):
            found.append(end)
    return front, tuple(found)


def _goes_on(
    light: NDArray[np.float32], view: RulerView, back: Side, end: float, way: float, inner: Floats
) -> bool:
    """Whether the far edge is still there beyond an end: something only lies across the ruler."""
    beyond = end + way * np.arange(3.0, BEYOND_MM * 2, 1.5)
    inward = -np.sign(back.offset_mm)
    steps = []
    for where in (inner, beyond):
        pair = back.offset_mm + inward * np.array([1.5, -1.5])
        values = look_up(light, view.to_image(where[:, None], pair[None, :]))
        steps.append(values[:, 0] - values[:, 1])
    usual = float(np.nanmedian(steps[0]))
    alike = np.abs(steps[1] / usual - 1) < ALIKE_STEP if abs(usual) > 1e-6 else np.zeros(1)
    return bool(np.count_nonzero(alike) * 1.5 > GOES_ON_MM)


def _best(
    light: NDArray[np.float32],
    view: RulerView,
    where: Floats,
    way: float,
    reach_mm: tuple[float, float],
    along: bool,
    start: float = 0.0,
) -> Side | None:
    """The clearest edge among those at some distance, None without one.

    Args:
        light: Linear brightness.
        view: The camera.
        where: Places along the edge, mm.
        way: Direction in which it is looked for, 1 or -1.
        reach_mm: Where, from the start.
        along: It runs along the ruler.
        start: Where from.
    """
    for offset, step in _steps_at(light, view, where, way, reach_mm, along, start)[:3]:
        side = _follow(light, view, where, start + way * offset, along)
        if side is None:
            continue
        away = way * (side.offset_mm - start)
        if reach_mm[0] - SLACK_MM < away < reach_mm[1] + SLACK_MM:
            return replace(side, darker=step < 0)
    return None


def _steps_at(
    light: NDArray[np.float32],
    view: RulerView,
    where: Floats,
    way: float,
    reach_mm: tuple[float, float],
    along: bool,
    start: float = 0.0,
) -> list[tuple[float, float]]:
    """Offsets at which brightness changes all along a line, the clearest first, and by what."""
    middle = float(np.median(where))
    pair = np.array([start, start + way])
    ends = view.to_image(*((middle, pair) if along else (pair, middle)))
    per_mm = float(np.hypot(*(ends[1] - ends[0])))
    if not np.isfinite(per_mm) or per_mm <= 0:
        return []
    step = SEARCH_PX / per_mm
    offset = np.arange(reach_mm[0], reach_mm[1], step)
    if len(offset) < 8:
        return []
    a, b = where[:, None], (start + way * offset)[None, :]
    values = look_up(light, view.to_image(*((a, b) if along else (b, a))))
    values[:, np.isfinite(values).mean(axis=0) < 0.7] = 0.0
    slope = values[:, 3:] - values[:, :-3]
    with np.errstate(invalid="ignore"):
        usual = np.nan_to_num(np.nanmedian(slope, axis=0))
    step_size = np.pad(usual, (1, 2))
    size = np.abs(step_size)
    order = []
    for index in np.argsort(-size):
        if size[index] < LEAST_STEP:
            break
        if all(abs(index - other) > 4 for other in order):
            order.append(int(index))
    return [(float(offset[index] + 0.5 * step), float(step_size[index])) for index in order[:4]]


def _follow(
    light: NDArray[np.float32], view: RulerView, where: Floats, offset: float, along: bool
) -> Side | None:
    """Sub-pixel points of an edge, None where it is not clear enough."""
    count = max(len(where), 24)
    inner = np.linspace(where[0], where[-1], count)
    path = view.to_image(*((inner, offset) if along else (offset, inner)))
    if not np.isfinite(path).all():
        return None
    edge = find_edge(light, path, SIDE_REACH_PX, 0.02)
    if edge is None or edge.support < LEAST_SUPPORT:
        return None
    places = view.to_ruler(edge.px)
    return Side(edge.px, along, float(np.median(places[:, 1 if along else 0])))
