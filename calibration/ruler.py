"""The reference ``ruler``: one that lies on the table, by its strokes.

One ruler tells lengths along itself. How the table leans shows only in how its strokes run
together and in its perspective, so that other directions are known less well; the doubt says how
much less. A known lens, a second ruler or the table's edges make up for it.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Intrinsics
from calibration.errors import BadReference, NotFound, UnitUnknown
from calibration.homography import hull
from calibration.line_fit import LineFit
from calibration.plane import Calibration
from calibration.points import ASSUMED_FOV_DEG
from calibration.ruler_camera import METRIC_MM, Rectangle, Ruler, fit_rulers
from calibration.ruler_find import Strip, brightness, coarser_strips, find_strips
from calibration.ruler_marks import INCH_MM, SPACES_MM, Strokes, read_strokes
from calibration.sheet import check_light, follow
from calibration.sheet_camera import FOCAL_GUESS_DOUBT, MOST_STRAIN
from calibration.sheet_edges import find_edge, linear_light
from calibration.sheet_find import find_shapes
from calibration.stud_camera import LensHints

Floats = NDArray[np.float64]

LEAST_WORTH = 22.0
"""A strip less clear than this is no ruler: tiles, boards and print stay below it."""

SCALE_DOUBT = 0.0015
"""Relative doubt of a ruler's scale: it is thick, and made to about half a millimetre."""

LEAST_TURN_DEG = 20.0
UNITS = ("mm", "cm", "inch")
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

EDGE_PX = 3.0
"""A side nearer to the picture's border is the border's own."""

MOST_OFF_PX = 1.2


def parse_unit(text: str) -> str | float:
    """What ``--unit`` says: a unit, or the distance of neighbouring strokes in mm.

    Raises:
        BadReference: It is neither.
    """
    if text.lower() in UNITS:
        return text.lower()
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not 0.1 <= value <= 200:
        raise BadReference("--unit", f"{text!r} is none of {', '.join(UNITS)}, nor a number of mm")
    return value


def calibrate_ruler(
    image: NDArray[np.uint8],
    *,
    unit: str | float | None = None,
    fov_deg: float | None = None,
    intrinsics: Intrinsics | None = None,
    camera_height_mm: float | None = None,
    table_size_mm: tuple[float, float] | None = None,
) -> Calibration:
    """Calibrate by a ruler or two that lie on the table.

    Args:
        image: (H, W, 3) BGR.
        unit: ``mm``, ``cm``, ``inch``, or the distance of neighbouring strokes in mm; None reads
            it from the strokes.
        fov_deg: Horizontal field of view, if known.
        intrinsics: The whole lens, if known.
        camera_height_mm: Height of the camera over the table, if known.
        table_size_mm: Width and depth of the table, whose edges are used where they are seen.

    Returns:
        The calibration with z = 0 on the ruler's face and x along it.

    Raises:
        NotFound: No ruler is seen clearly enough, or its unit cannot be told.
    """
    check_light(image)
    hints = LensHints((image.shape[1], image.shape[0]), fov_deg, intrinsics, camera_height_mm)
    strips = [strip for strip in find_strips(image) if strip.worth > LEAST_WORTH]
    if not strips:
        raise NotFound(
            "no ruler: no line with evenly spaced strokes; lay the ruler flat with its strokes "
            "towards the camera, at least a hand's length of it uncovered"
        )
    gray = brightness(image)
    linear = linear_light(image)
    rulers: list[Ruler] = []
    unknown: NotFound | None = None
    ways: list[Floats] = []
    names: list[str] = []
    for strip in strips[:6]:
        turns = [abs(float(strip.way @ way)) for way in ways]
        if any(turn > np.cos(np.radians(LEAST_TURN_DEG)) for turn in turns) or len(rulers) == 2:
            continue
        strokes = read_strokes(gray, strip)
        if len(strokes.px) < 30:
            continue
        try:
            space, name = _space(strip, strokes, unit, hints, first=not rulers)
        except UnitUnknown as error:
            # It takes long, and only the clearest strips are likely to be rulers at all.
            worth_it = unit is None and strip.worth > 0.5 * strips[0].worth
            deeper = _by_longer(gray, strip, hints) if worth_it else None
            if deeper is not None:
                rulers.append(Ruler(strokes.number, strokes.px, _edge(linear, strip), deeper))
                ways.append(strip.way)
                names.append(f"strokes {deeper:g} mm apart, read from the longer ones")
                continue
            # Deeper in on the same ruler only the longer strokes stand, which may tell it.
            unknown = unknown or error
            continue
        rulers.append(Ruler(strokes.number, strokes.px, _edge(linear, strip), space))
        ways.append(strip.way)
        names.append(name)
    if not rulers and unknown is not None:
        raise unknown
    if not rulers:
        raise NotFound("no ruler: its strokes are too small to follow; bring the camera nearer")
    table = None if table_size_mm is None else _table(image, linear, table_size_mm, hints)
    fitted = fit_rulers(rulers, table, hints)
    if fitted is not None and fitted.strain > MOST_STRAIN and (table or len(rulers) > 1):
        # What was taken for the table or a second ruler is none.
        rulers, names, table = rulers[:1], names[:1], None
        fitted = fit_rulers(rulers, None, hints)
    if fitted is None or fitted.strain > MOST_STRAIN:
        raise NotFound("no ruler: no camera above a table would see its strokes like this")
    off = float(np.median(np.abs(fitted.off_px)))
    if off > MOST_OFF_PX:
        raise NotFound(
            f"no ruler: its strokes are {off:.1f} px off evenly spaced ones; lay it flat, and "
            "check --fov, --intrinsics and --table if you gave them"
        )
    return _calibration(fitted, rulers, names, table, hints, table_size_mm)


def _space(
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


def _by_longer(gray: NDArray[np.float32], strip: Strip, hints: LensHints) -> float | None:
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


def _edge(linear: NDArray[np.float32], strip: Strip) -> Floats:
    """Points on the edge that the strokes start from, (N, 2)."""
    at = strip.marching.at
    path = strip.point(np.linspace(at[0], at[-1], 200), 0.0)
    light = np.asarray(linear.mean(axis=2), dtype=np.float32)
    edge = find_edge(light, path, 4.0, 0.02)
    if edge is not None and edge.support > 0.4:
        return edge.px
    return path


def _table(
    image: NDArray[np.uint8],
    linear: NDArray[np.float32],
    size_mm: tuple[float, float],
    hints: LensHints,
) -> Rectangle | None:
    """The table's own edges where all four are seen: the largest four-sided shape."""
    best: Rectangle | None = None
    largest = 0.12 * hints.image_size_px[0] * hints.image_size_px[1]
    for corners in find_shapes(image)[:16]:
        area = cv2.contourArea(corners.astype(np.float32))
        inside = (corners > EDGE_PX).all() and (
            corners < np.array(hints.image_size_px) - 1 - EDGE_PX
        ).all()
        if area <= largest or not inside:
            continue
        shape = follow(image, linear, corners)
        if shape is None:
            continue
        largest = area
        sides = [edge.px for edge in shape.edges]
        best = Rectangle(shape.corners_px, (sides[0], sides[1], sides[2], sides[3]), size_mm)
    return best


def _calibration(
    fitted: LineFit,
    rulers: list[Ruler],
    names: list[str],
    table: Rectangle | None,
    hints: LensHints,
    table_size_mm: tuple[float, float] | None,
) -> Calibration:
    """Gather what was found and say what it rests on."""
    fit = fitted.fit
    assumed = [] if hints.intrinsics else ["square pixels", "centre principal point"]
    assumed += names
    if not hints.known and fitted.log_focal_sigma > 0.5 * FOCAL_GUESS_DOUBT:
        assumed.append(f"horizontal field of view about {ASSUMED_FOV_DEG:.0f} degrees")
    px = np.concatenate([ruler.px for ruler in rulers])
    found = Calibration(
        reference="ruler",
        origin="on the ruler's edge at a stroke, x along the ruler",
        image_size_px=hints.image_size_px,
        intrinsics=fit.intrinsics,
        camera_T_table=fit.camera_T_table,
        size_mm=table_size_mm if table is None else None,
        rms_px=float(np.median(np.abs(fitted.off_px)) * 1.48),
        covariance=fit.covariance,
        scale_sigma=SCALE_DOUBT,
        assumed=tuple(assumed),
        outline_px=hull(px if table is None else np.concatenate([px, table.corners_px])),
    )
    warnings = []
    if len(rulers) == 1 and table is None and not hints.known and hints.camera_height_mm is None:
        along, across = _costs(found, rulers[0])
        warnings.append(
            f"one ruler alone: 300 mm along it are known to {along:.1f} mm, across it to "
            f"{across:.1f} mm; give --fov, --camera-height or --table, or lay a second ruler "
            "across"
        )
    # Along the first ruler every stroke has its place; across it only the picture tells.
    first = rulers[0]
    some = slice(None, None, max(1, len(first.px) // 160))
    places = found.to_table(first.px[some])
    places[:, 0] = first.number[some] * first.space_mm
    return replace(
        found,
        warnings=tuple(warnings),
        seen_px=first.px[some],
        seen_mm=np.column_stack([places, np.zeros(len(places))]),
    )


def _costs(found: Calibration, ruler: Ruler) -> tuple[float, float]:
    """Doubt of 300 mm along the ruler and across it, mm."""
    middle = found.to_table(np.median(ruler.px, axis=0)[None])[0]
    doubts = []
    for way in (np.array([150.0, 0.0]), np.array([0.0, 150.0])):
        ends = found.to_image(np.array([middle - way, middle + way]))
        doubts.append(found.length(ends[0], ends[1], pixel_sigma=0.3)[1])
    return doubts[0], doubts[1]
