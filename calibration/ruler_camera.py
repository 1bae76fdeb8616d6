"""The camera that sees strokes where a ruler has them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Intrinsics
from calibration.line_fit import LineFit, Marks, fit_lines
from calibration.rays import meet_plane
from calibration.ruler_lines import ANYWHERE, EDGE_SAMPLES, Ruler, RulerLines
from calibration.sheet_camera import prior_of
from calibration.stud_camera import LensHints

Floats = NDArray[np.float64]

ELEVATIONS = (30.0, 50.0, 75.0)
METRIC_MM = (1.0, 5.0, 10.0)
USUAL_NOISE_PX = 0.3
BIAS_PX = 0.07
"""How far blur and gamma put whole edges and strokes off, counted as noise of every mark."""

MOST_TURN = 2.0
"""An end turned by so many of its doubts is none."""

RATIO_DOUBT = 0.5
"""How far, as a logarithm, one ruler alone may be wrong across itself."""

INCHES_MM = (1.5875, 3.175, 6.35, 12.7, 25.4)


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


@dataclass(frozen=True, slots=True, eq=False)
class RulerFit:
    """A camera fitted to rulers.

    Attributes:
        lines: The fit.
        rulers: The rulers, their strokes as far apart as the fit takes them to be.
        table: The table's edges, its sides in the order that fits.
    """

    lines: LineFit
    rulers: list[Ruler]
    table: Rectangle | None

    @property
    def start(self) -> tuple[Intrinsics, Floats]:
        """Lens and camera_T_table, to begin another fit with."""
        return self.lines.fit.intrinsics, self.lines.fit.camera_T_table

    def place(self, which: int) -> Floats:
        """Where one of the rulers lies: x, y, turn."""
        if which == 0:
            return np.zeros(3)
        at = sum(RulerLines(self.rulers[one], fixed=one == 0).size for one in range(which))
        return self.lines.shape[at : at + 3]

    def in_square(self) -> list[Ruler]:
        """The rulers without ends out of square: what lies across a ruler is no end of it."""
        kept, at = [], 0
        for which, ruler in enumerate(self.rulers):
            own = RulerLines(ruler, fixed=which == 0)
            turns = own.out_of_square(self.lines.shape[at : at + own.size])
            at += own.size
            sides = zip(ruler.sides, turns, strict=True)
            square = tuple(side for side, turn in sides if abs(turn) < MOST_TURN)
            kept.append(replace(ruler, sides=square))
        return kept


def fit_rulers(
    rulers: Sequence[Ruler],
    table: Rectangle | None,
    hints: LensHints,
    start: tuple[Intrinsics, Floats] | None = None,
    noise_px: float = USUAL_NOISE_PX,
) -> RulerFit | None:
    """Fit the camera to one or more rulers and perhaps the table's edges.

    Args:
        rulers: The first gives the frame: x along it, its edge at y = 0.
        table: Edges of a table of known size.
        hints: What is known of the lens.
        start: Lens and camera_T_table to begin with, the table's sides being in the right order;
            None tries several.
        noise_px: Expected noise of a mark, to weigh marks against what is known of the lens.

    Returns:
        The fit; None where no camera above the table sees them so.
    """
    first = rulers[0]
    prior = prior_of(hints)
    own = RulerLines(first, fixed=True)
    shape, steps, doubts = own.start(None)
    marks = Marks(own.px, own.line, own.weight)
    best: LineFit | None = None
    for pose in _starts(first, hints) if start is None else [start[1]]:
        lens = hints.start if start is None else start[0]
        fitted = fit_lines(
            marks,
            own.lines,
            shape,
            lens,
            pose,
            prior,
            shape_step=steps,
            shape_doubt=doubts,
            noise_px=noise_px,
            bias_px=BIAS_PX,
        )
        shown = fitted.fit.camera_T_table
        above = float(-(shown[:3, :3].T @ shown[:3, 3])[2])
        if above > 0 and (best is None or fitted.cost < best.cost):
            best = fitted
    if best is None:
        return None
    if len(rulers) == 1 and table is None:
        return RulerFit(best, [first], None)
    ways = [table]
    if table is not None and start is None:  # Which of its sides is which is not known.
        ways.append(replace(table, size_mm=(table.size_mm[1], table.size_mm[0])))
    fits = []
    for whole in _agreeing(best, rulers):
        fits += [RulerFit(_together(best, whole, way, hints, noise_px), whole, way) for way in ways]
    return min(fits, key=lambda one: one.lines.cost)


def _agreeing(alone: LineFit, rulers: Sequence[Ruler]) -> list[list[Ruler]]:
    """The rulers with spaces of the second's strokes that are usual and fit the first's camera."""
    first = rulers[0]
    if len(rulers) == 1:
        return [[first]]
    other = rulers[1]
    lens, pose = alone.fit.intrinsics, alone.fit.camera_T_table
    order = np.argsort(other.number)
    ends = meet_plane(lens, pose, lens.undistort(other.px[order[[0, -1]]]), 0.0)
    seen = float(np.hypot(*(ends[1] - ends[0]))) / max(float(np.ptp(other.number)), 1.0)
    usual = METRIC_MM if any(np.isclose(first.space_mm, METRIC_MM)) else INCHES_MM
    spaces = {*usual, first.space_mm}
    if not np.isfinite(seen) or seen <= 0:
        return [[first, other]]
    near = sorted((abs(float(np.log(space / seen))), space) for space in spaces)
    return [
        [first, other.in_spaces_of(space)]
        for off, space in near[:2]
        if off < RATIO_DOUBT or space == near[0][1]
    ]


def _together(
    alone: LineFit,
    rulers: Sequence[Ruler],
    table: Rectangle | None,
    hints: LensHints,
    noise_px: float,
) -> LineFit:
    """Fit everything at once from where the first ruler alone puts it."""
    lens, pose = alone.fit.intrinsics, alone.fit.camera_T_table
    all_px, index, weights, count = [], [], [], 0
    starts: list[tuple[Floats, Floats, Floats]] = []
    parts = []
    for which, ruler in enumerate(rulers):
        own = RulerLines(ruler, fixed=which == 0)
        all_px.append(own.px)
        index.append(own.line + count)
        weights.append(own.weight)
        count += own.count
        starts.append(own.start(_lies(ruler, lens, pose)))
        parts.append(own)
    if table is not None:
        corners = meet_plane(lens, pose, lens.undistort(table.corners_px), 0.0)
        way = corners[1] - corners[0] + corners[2] - corners[3]
        for side, edge in enumerate(table.edges_px):
            all_px.append(edge)
            index.append(np.full(len(edge), count + side))
            weights.append(np.full(len(edge), EDGE_SAMPLES / len(edge)))
        turn = float(np.arctan2(way[1], way[0]))
        place = np.array([float(corners[0, 0]), float(corners[0, 1]), turn])
        starts.append((place, np.array([1e-2, 1e-2, 1e-5]), np.full(3, ANYWHERE)))
    sizes = np.cumsum([0, *(len(start[0]) for start in starts)])

    def lines(shape: Floats) -> Floats:
        rows = [
            own.lines(shape[low:high])
            for own, low, high in zip(parts, sizes[:-1], sizes[1:], strict=False)
        ]
        if table is not None:
            rows.append(_sides_of(table.size_mm, shape[sizes[-2] :]))
        return np.concatenate(rows)

    shape, steps, doubts = (np.concatenate(column) for column in zip(*starts, strict=True))
    return fit_lines(
        Marks(np.concatenate(all_px), np.concatenate(index), np.concatenate(weights)),
        lines,
        shape,
        lens,
        pose,
        prior_of(hints),
        shape_step=steps,
        shape_doubt=doubts,
        noise_px=noise_px,
        robust_px=1.0,
        bias_px=BIAS_PX,
    )


def _lies(ruler: Ruler, lens: Intrinsics, pose: Floats) -> Floats:
    """Where a ruler lies as far as a camera by another one tells: x, y, turn."""
    order = np.argsort(ruler.number)
    ends = meet_plane(lens, pose, lens.undistort(ruler.px[order[[0, -1]]]), 0.0)
    way = ends[1] - ends[0]
    start = ends[0] - ruler.number.min() * ruler.space_mm * way / np.hypot(*way)
    return np.array([float(start[0]), float(start[1]), float(np.arctan2(way[1], way[0]))])


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
