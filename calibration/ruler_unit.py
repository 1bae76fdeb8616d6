"""Which unit a ruler is divided in, by its strokes, by what they are beside, or by its table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.errors import UnitUnknown
from calibration.line_fit import Marks
from calibration.rays import meet_plane
from calibration.ruler_camera import METRIC_MM, Rectangle
from calibration.ruler_find import Strip, coarser_strips
from calibration.ruler_lines import EDGE_SAMPLES
from calibration.ruler_marks import INCH_MM, SPACES_MM, Strokes, read_strokes
from calibration.sheet_camera import SheetView, fit_sheet
from calibration.stud_camera import LensHints

USUAL_DISTANCE_MM = 800.0
QUARTERS_SHOW_PX = 6.0
"""Halves so far apart that a stroke between them would be seen."""

LONGEST_HALF = 1.9
"""Strokes of half a centimetre are no longer than this many spaces; those of half a mm are."""

RATIO_NEAR = 0.06

NEAREST_MM, FARTHEST_MM = 150.0, 1700.0
"""A camera nearer or farther than this is a unit misread."""

LONG_FOCUS = 2.0
"""What a camera of long focal length may be farther away than one of the usual kind."""

TABLE_NEAR = 0.03
"""Strokes on a table of known size stand so near to a usual distance, relatively."""

TABLE_COST = 10.0
"""Of the ways round that a table may lie, one so much less likely is out, squared sigmas."""

Floats = NDArray[np.float64]


def space_of(
    strip: Strip, strokes: Strokes, unit: str | float | None, hints: LensHints, first: bool
) -> tuple[float, str]:
    """Distance of neighbouring strokes in mm and how that is known.

    Raises:
        UnitUnknown: The first ruler's cannot be told.
    """
    if isinstance(unit, float):
        return unit, f"strokes {unit:g} mm apart, as given"
    read = strokes.unit()
    gap = _gap_px(strip)
    if read is not None and (unit is None or (unit == "inch") == ("inch" in read)):
        likely = NEAREST_MM < hints.start.fx_px / gap * SPACES_MM[read] < FARTHEST_MM
        if read not in ("half", "1/2 mm") or (read == "1/2 mm" and likely):
            return SPACES_MM[read], f"strokes {read} apart, read from their lengths"
        # Every other stroke is longer. Were it halves of an inch, quarters would show between.
        far = hints.start.fx_px / gap * INCH_MM / 2
        halves = read == "half" and (gap > QUARTERS_SHOW_PX or far > FARTHEST_MM)
        if unit is None and halves and likely and strokes.reach < LONGEST_HALF:
            return 5.0, "strokes 5 mm apart: halves of a cm, nothing between them"
    if unit in ("mm", "cm"):
        usual = hints.start.fx_px / gap
        space = min(METRIC_MM, key=lambda mm: abs(float(np.log(usual * mm / USUAL_DISTANCE_MM))))
        return space, f"strokes {space:g} mm apart, the likeliest of a {unit} ruler"
    if not first:
        return METRIC_MM[0], "a second ruler across"
    raise UnitUnknown(
        "a ruler is seen, but not whether its strokes are mm, half cm, cm or parts of an inch: "
        "say --unit mm or --unit cm, or --unit with the distance of neighbouring strokes in mm "
        "(a quarter of an inch is 6.35)"
    )


def by_longer(gray: NDArray[np.float32], strip: Strip, hints: LensHints) -> float | None:
    """Distance of the finest strokes, read from the longer ones that stand alone deeper in.

    Every second one is longer on a ruler in parts of an inch, every fifth on one in mm.
    """
    fine = strip.marching
    for coarse in coarser_strips(gray, strip)[:5]:
        middle = float(np.median(coarse.marching.at))
        step = 1.0
        ratio = float(
            (fine.numbers(np.array([middle + step])) - fine.numbers(np.array([middle])))[0]
            / (
                coarse.marching.numbers(np.array([middle + step]))
                - coarse.marching.numbers(np.array([middle]))
            )[0]
        )
        read = read_strokes(gray, coarse)
        if len(read.px) < 30:
            continue
        name = read.unit()
        for times in (1, 2):
            if abs(ratio / times - 1) < RATIO_NEAR and name is not None and "inch" in name:
                return SPACES_MM[name] / times
        space = 1.0
        gap = _gap_px(strip)
        near = NEAREST_MM < hints.start.fx_px / gap * space < FARTHEST_MM * LONG_FOCUS
        if abs(ratio / 5 - 1) < RATIO_NEAR and name == "half" and near:
            return space
    return None


def _gap_px(strip: Strip) -> float:
    """Usual distance of neighbouring strokes in the picture."""
    return float(np.median(np.diff(strip.marching.places(np.arange(*_ends(strip))))))


def _ends(strip: Strip) -> tuple[float, float]:
    """First and last number of a strip's strokes."""
    return float(strip.marching.number[0]), float(strip.marching.number[-1])


def table_views(table: Rectangle, hints: LensHints) -> list[SheetView]:
    """Cameras that see the table's edges so, for both ways round, the likelier first."""
    counts = [len(edge) for edge in table.edges_px]
    marks = Marks(
        np.concatenate(table.edges_px),
        np.repeat(np.arange(4), counts),
        np.concatenate([np.full(count, EDGE_SAMPLES / count) for count in counts]),
    )
    ways = (table.size_mm, (table.size_mm[1], table.size_mm[0]))
    found = [view for way in ways if (view := fit_sheet(table.corners_px, marks, way, hints))]
    found.sort(key=lambda view: view.fitted.cost)
    return [one for one in found if one.fitted.cost < found[0].fitted.cost + TABLE_COST]


def by_table(strip: Strip, views: Sequence[SheetView]) -> float | None:
    """Distance of strokes on a table of known size, None where it is no usual one."""
    usual = sorted({*METRIC_MM, *(mm for name, mm in SPACES_MM.items() if name != "half"), 6.35})
    at = strip.marching.at[[0, -1]]
    ends = strip.point(at, strip.depth_px)
    best: tuple[float, float] | None = None
    for view in views:
        fit = view.fitted.fit
        lens = fit.intrinsics
        places = meet_plane(lens, fit.camera_T_table, lens.undistort(ends), 0.0)
        space = float(np.hypot(*(places[1] - places[0]))) / float(np.ptp(strip.marching.number))
        if not np.isfinite(space) or space <= 0:
            continue
        near = min(usual, key=lambda mm: abs(float(np.log(mm / space))))
        off = abs(float(np.log(near / space)))
        if off < TABLE_NEAR and (best is None or off < best[0]):
            best = off, near
    return None if best is None else best[1]
