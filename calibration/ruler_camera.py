"""The camera that sees strokes where a ruler has them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Intrinsics
from calibration.line_fit import LineFit, Lines, Marks, fit_lines
from calibration.rays import meet_plane
from calibration.sheet_camera import EDGE_SAMPLES, prior_of
from calibration.stud_camera import LensHints

Floats = NDArray[np.float64]

STROKE_SAMPLES = 0.05
"""So many independent points a stroke counts for: print and blur put its points off alike."""

ELEVATIONS = (30.0, 50.0, 75.0)
METRIC_MM = (1.0, 5.0, 10.0)
INCHES_MM = (1.5875, 3.175, 6.35, 12.7, 25.4)


@dataclass(frozen=True, slots=True, eq=False)
class Ruler:
    """A ruler with its strokes told apart.

    Attributes:
        number: Stroke of each point, (N,).
        px: Points on strokes, (N, 2).
        edge_px: Points on the edge that the strokes start from, (M, 2).
        space_mm: Distance of neighbouring strokes.
    """

    number: NDArray[np.int64]
    px: Floats
    edge_px: Floats
    space_mm: float


@dataclass(frozen=True, slots=True, eq=False)
class Rectangle:
    """The table's own edges.

    Attributes:
        corners_px: Its corners round from one, (4, 2).
        edges_px: Points on its sides, in order.
        size_mm: First and second side.
    """

    corners_px: Floats
    edges_px: tuple[Floats, Floats, Floats, Floats]
    size_mm: tuple[float, float]


def _ruler_marks(ruler: Ruler) -> tuple[list[Floats], Floats, Floats, Floats]:
    """Points, their line (0 the edge, then one a stroke), weights and numbers of strokes."""
    numbers, line, counts = np.unique(ruler.number, return_inverse=True, return_counts=True)
    px = [ruler.edge_px, ruler.px]
    index = np.concatenate([np.zeros(len(ruler.edge_px)), 1 + line])
    edge = np.full(len(ruler.edge_px), EDGE_SAMPLES / max(len(ruler.edge_px), 1))
    weight = np.concatenate([edge, STROKE_SAMPLES / counts[line]])
    return px, index, weight, numbers.astype(np.float64)


def _lines_of(numbers: Floats, space_mm: float, place: Floats) -> Floats:
    """Edge and strokes of a ruler that lies at (x, y, turn), (1 + N, 4)."""
    cos, sin = np.cos(place[2]), np.sin(place[2])
    origin = place[:2]
    along, across = np.array([cos, sin]), np.array([-sin, cos])
    lines = np.zeros((1 + len(numbers), 4))
    lines[0, :2], lines[0, 2] = across, across @ origin
    lines[1:, :2] = along
    lines[1:, 2] = numbers * space_mm + along @ origin
    return lines


def _sides_of(size_mm: tuple[float, float], place: Floats) -> Floats:
    """Sides of a rectangle that lies at (x, y, turn), (4, 4)."""
    cos, sin = np.cos(place[2]), np.sin(place[2])
    along, across = np.array([cos, sin]), np.array([-sin, cos])
    low, side = along @ place[:2], across @ place[:2]
    return np.array(
        [
            [*across, side, 0.0],
            [*along, low + size_mm[0], 0.0],
            [*across, side + size_mm[1], 0.0],
            [*along, low, 0.0],
        ]
    )


def fit_rulers(
    rulers: Sequence[Ruler], table: Rectangle | None, hints: LensHints
) -> LineFit | None:
    """Fit the camera to one or more rulers and perhaps the table's edges.

    Args:
        rulers: The first gives the frame: x along it, its edge at y = 0.
        table: Edges of a table of known size.
        hints: What is known of the lens.

    Returns:
        The fit; None where no camera above the table sees them so.
    """
    first = rulers[0]
    prior = prior_of(hints)
    px, index, weight, numbers = _ruler_marks(first)
    alone = Marks(np.concatenate(px), index.astype(np.int64), weight)
    own = _lines_of(numbers, first.space_mm, np.zeros(3))
    best: LineFit | None = None
    for pose in _starts(first, hints):
        fitted = fit_lines(alone, lambda _s: own, np.zeros(0), hints.start, pose, prior)
        shown = fitted.fit.camera_T_table
        above = float(-(shown[:3, :3].T @ shown[:3, 3])[2])
        if above > 0 and (best is None or fitted.cost < best.cost):
            best = fitted
    if best is None or (len(rulers) == 1 and table is None):
        return best
    whole = list(rulers[:1])
    whole += [replace(other, space_mm=_agreeing(best, first, other)) for other in rulers[1:]]
    ways = [table]
    if table is not None:  # Which of its sides is which is not known beforehand.
        ways.append(replace(table, size_mm=(table.size_mm[1], table.size_mm[0])))
    fits = [_together(best, whole, way, hints) for way in ways]
    return min(fits, key=lambda fitted: fitted.cost)


def _agreeing(alone: LineFit, first: Ruler, other: Ruler) -> float:
    """Space of another ruler's strokes, of those usual beside the first's, that fits best."""
    lens, pose = alone.fit.intrinsics, alone.fit.camera_T_table
    order = np.argsort(other.number)
    ends = meet_plane(lens, pose, lens.undistort(other.px[order[[0, -1]]]), 0.0)
    seen = float(np.hypot(*(ends[1] - ends[0]))) / max(float(np.ptp(other.number)), 1.0)
    usual = METRIC_MM if any(np.isclose(first.space_mm, METRIC_MM)) else INCHES_MM
    spaces = (*usual, first.space_mm)
    if not np.isfinite(seen) or seen <= 0:
        return other.space_mm
    return float(min(spaces, key=lambda space: abs(float(np.log(space / seen)))))


def _together(
    alone: LineFit, rulers: Sequence[Ruler], table: Rectangle | None, hints: LensHints
) -> LineFit:
    """Fit everything at once from where the first ruler alone puts it."""
    lens, pose = alone.fit.intrinsics, alone.fit.camera_T_table
    points, index, weights, count = [], [], [], 0
    shape: list[float] = []
    parts: list[tuple[int, Floats | None, float]] = []
    for which, ruler in enumerate(rulers):
        px, line, weight, numbers = _ruler_marks(ruler)
        points += px
        index.append(line + count)
        weights.append(weight)
        count += 1 + len(numbers)
        parts.append((len(shape), numbers, ruler.space_mm))
        if which:
            order = np.argsort(ruler.number)
            ends = meet_plane(lens, pose, lens.undistort(ruler.px[order[[0, -1]]]), 0.0)
            way = ends[1] - ends[0]
            turn = float(np.arctan2(way[1], way[0]))
            start = ends[0] - ruler.number.min() * ruler.space_mm * way / np.hypot(*way)
            shape += [float(start[0]), float(start[1]), turn]
    if table is not None:
        corners = meet_plane(lens, pose, lens.undistort(table.corners_px), 0.0)
        way = corners[1] - corners[0] + corners[2] - corners[3]
        for side, edge in enumerate(table.edges_px):
            points.append(edge)
            index.append(np.full(len(edge), count + side, dtype=np.float64))
            weights.append(np.full(len(edge), EDGE_SAMPLES / len(edge)))
        parts.append((len(shape), None, 0.0))
        shape += [float(corners[0, 0]), float(corners[0, 1]), float(np.arctan2(way[1], way[0]))]
    lines = _all_lines(parts, table)
    marks = Marks(
        np.concatenate(points), np.concatenate(index).astype(np.int64), np.concatenate(weights)
    )
    steps = np.tile([1e-2, 1e-2, 1e-5], len(shape) // 3)
    prior = prior_of(hints)
    return fit_lines(
        marks, lines, np.array(shape), lens, pose, prior, shape_step=steps, robust_px=1.0
    )


def _all_lines(parts: list[tuple[int, Floats | None, float]], table: Rectangle | None) -> Lines:
    """Lines of every part by its place: the first ruler lies at the origin."""

    def lines(shape: Floats) -> Floats:
        rows = []
        for which, (start, numbers, space) in enumerate(parts):
            place = np.zeros(3) if which == 0 else shape[start : start + 3]
            if numbers is not None:
                rows.append(_lines_of(numbers, space, place))
            elif table is not None:
                rows.append(_sides_of(table.size_mm, place))
        return np.concatenate(rows)

    return lines


def _starts(ruler: Ruler, hints: LensHints) -> list[Floats]:
    """Poses of cameras held level over the ruler, from low to high."""
    lens: Intrinsics = hints.start
    order = np.argsort(ruler.number)
    ends = lens.undistort(ruler.px[order[[0, -1]]])
    span = float(np.ptp(ruler.number)) * ruler.space_mm
    rays = np.column_stack(
        [
            (ends[:, 0] - lens.cx_px) / lens.fx_px,
            (ends[:, 1] - lens.cy_px) / lens.fy_px,
            np.ones(2),
        ]
    )
    poses = []
    for elevation in np.radians(ELEVATIONS):
        up = np.array([0.0, -np.cos(elevation), -np.sin(elevation)])
        reach = rays @ -up
        if (reach <= 0.02).any():
            continue
        places = rays / reach[:, None]
        scale = span / max(float(np.linalg.norm(places[1] - places[0])), 1e-9)
        if hints.camera_height_mm is not None:
            scale = hints.camera_height_mm
        places *= scale
        along = (places[1] - places[0]) / np.linalg.norm(places[1] - places[0])
        pose = np.eye(4)
        pose[:3, 0], pose[:3, 1], pose[:3, 2] = along, np.cross(up, along), up
        pose[:3, 3] = places[0] - ruler.number.min() * ruler.space_mm * along
        poses.append(pose)
    return poses
