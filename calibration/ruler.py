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
from calibration.plane import Calibration
from calibration.points import ASSUMED_FOV_DEG
from calibration.ruler_camera import BIAS_PX, Rectangle, RulerFit, fit_rulers
from calibration.ruler_find import Strip, brightness, find_strips
from calibration.ruler_lines import Ruler
from calibration.ruler_marks import Strokes, read_strokes
from calibration.ruler_reading import CLEAR, evidence, likeliest
from calibration.ruler_sharpen import sharpen, stroke_lengths
from calibration.ruler_unit import by_longer, by_table, space_of, table_views
from calibration.ruler_view import view_of
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

FAINT_WORTH = 6.0
"""A strip clearer than this may be one, where something else speaks for it."""

LEAST_TURN_DEG = 20.0
MOST_ALIKE = float(np.cos(np.radians(LEAST_TURN_DEG)))
"""Two rulers lie across each other when their directions have less in common."""

MOST_COST = 12.0
"""Squared sigmas where all of an outline is the ruler's own: 1 to 7 on drawn ones."""

STRAINED = 0.6
"""An edge without which so little of that is left did not belong to the ruler."""

UNIT_NEAR = 0.01
UNITS = ("mm", "cm", "inch")
EDGE_PX = 3.0
"""A side nearer to the picture's border is the border's own."""

MOST_OFF_PX = 1.2
FIRST_POINTS = 800
ROUNDS = 2
"""So often strokes and edges are looked at again with the camera that they told before."""


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
    gray = brightness(image)
    linear = linear_light(image)
    table = None if table_size_mm is None else _table(image, linear, table_size_mm, hints)
    views = [] if table is None else table_views(table, hints)
    found = find_strips(image)
    strips = [one for one in found if one.worth > LEAST_WORTH]
    if not strips and unit is None:
        # On a table of known size a faint one is believed where its strokes stand at a usual space.
        faint = (one for one in found if one.worth > FAINT_WORTH and by_table(one, views))
        strips = list(faint)[:1]
    if not strips:
        raise NotFound(
            "no ruler: no line with evenly spaced strokes; lay the ruler flat with its strokes "
            "towards the camera, at least a hand's length of it uncovered"
        )
    rulers: list[Ruler] = []
    later: list[tuple[Strip, Ruler]] = []
    unknown: NotFound | None = None
    ways: list[Floats] = []
    names: list[str] = []
    for strip in strips[:6]:
        turns = [abs(float(strip.way @ way)) for way in ways]
        if any(turn > MOST_ALIKE for turn in turns) or len(rulers) == 2:
            continue
        strokes = read_strokes(gray, strip)
        if len(strokes.px) < 30:
            continue
        try:
            known = by_table(strip, views) if unit is None and not rulers else None
            if known is None or (strokes.unit() is not None and strip.worth > LEAST_WORTH):
                space, name = space_of(strip, strokes, unit, hints, first=not rulers)
            else:
                space, name = known, f"strokes {known:g} mm apart, as the table's size tells"
        except UnitUnknown as error:
            # It takes long, and only the clearest strips are likely to be rulers at all.
            worth_it = unit is None and strip.worth > 0.5 * strips[0].worth
            deeper = by_longer(gray, strip, hints) if worth_it else None
            if deeper is not None:
                rulers.append(_ruler(linear, strip, strokes, deeper))
                ways.append(strip.way)
                names.append(f"strokes {deeper:g} mm apart, read from the longer ones")
                continue
            # Deeper in on the same ruler only the longer strokes stand, which may tell it.
            unknown = unknown or error
            later.append((strip, _ruler(linear, strip, strokes, 1.0)))
            continue
        rulers.append(_ruler(linear, strip, strokes, space))
        ways.append(strip.way)
        names.append(name)
    if not rulers and unknown is not None:
        raise unknown
    if not rulers:
        raise NotFound("no ruler: its strokes are too small to follow; bring the camera nearer")
    for strip, ruler in later:
        if len(rulers) == 1 and abs(float(strip.way @ ways[0])) < MOST_ALIKE:
            rulers.append(ruler)
            names.append("a second ruler across")
    seen = fit_rulers(rulers, table, hints)
    if seen is not None and seen.lines.strain > MOST_STRAIN and (table or len(rulers) > 1):
        # What was taken for the table or a second ruler is none.
        names, table = names[:1], None
        seen = fit_rulers(rulers[:1], None, hints)
    if seen is None or seen.lines.strain > MOST_STRAIN:
        raise NotFound("no ruler: no camera above a table would see its strokes like this")
    seen = _sharper(gray, linear, seen, hints)
    if len(seen.rulers) > 1 and table is None and unit is None:
        seen, names = _one_unit(gray, seen, names, hints)
    # Now that marks have shown their noise, they weigh rightly against what is known of the lens.
    noise = float(np.hypot(seen.lines.fit.noise_px, BIAS_PX))
    seen = fit_rulers(seen.rulers, seen.table, hints, seen.start, noise) or seen
    off = float(np.median(np.abs(seen.lines.off_px)))
    if off > MOST_OFF_PX:
        raise NotFound(
            f"no ruler: its strokes are {off:.1f} px off evenly spaced ones; lay it flat, and "
            "check the field of view, lens and table size if you gave them"
        )
    return _calibration(seen, names, hints, table_size_mm)


def _one_unit(
    gray: NDArray[np.float32], seen: RulerFit, names: list[str], hints: LensHints
) -> tuple[RulerFit, list[str]]:
    """The unit that two rulers under one camera make likeliest together.

    Raises:
        UnitUnknown: Another unit is about as likely.
    """
    lens, pose = seen.start
    known = [
        evidence(*stroke_lengths(gray, ruler, view_of(lens, pose, seen.place(which))))
        for which, ruler in enumerate(seen.rulers)
    ]
    distance = float(np.linalg.norm(pose[:3, 3]))
    times, lead = likeliest([ruler.space_mm for ruler in seen.rulers], known, distance)
    if lead < CLEAR:
        raise UnitUnknown(
            "two rulers are seen, but what both say together leaves their unit open: say --unit "
            "mm, cm or inch, or --unit with the distance of neighbouring strokes in mm"
        )
    if abs(times - 1) < UNIT_NEAR:
        return seen, names
    rulers = [ruler.in_spaces_of(ruler.space_mm * times) for ruler in seen.rulers]
    pose = pose.copy()
    pose[:3, 3] *= times
    again = fit_rulers(rulers, None, hints, (lens, pose))
    if again is None or again.lines.strain > MOST_STRAIN:
        raise NotFound("no ruler: no camera above a table would see both rulers like this")
    space = again.rulers[0].space_mm
    return again, [f"strokes {space:g} mm apart, read from both rulers together", *names[1:]]


def _sharper(
    gray: NDArray[np.float32], linear: NDArray[np.float32], seen: RulerFit, hints: LensHints
) -> RulerFit:
    """Look at every stroke and edge once more where the camera so far puts them, and fit again."""
    light = np.asarray(linear.mean(axis=2), dtype=np.float32)
    for _ in range(ROUNDS):
        sharp = [
            sharpen(gray, light, ruler, view_of(*seen.start, seen.place(which)))
            for which, ruler in enumerate(seen.rulers)
        ]
        again = fit_rulers(sharp, seen.table, hints, seen.start)
        if again is None or again.lines.strain > MOST_STRAIN:
            break
        square = again.in_square()
        if any(len(a.sides) < len(b.sides) for a, b in zip(square, again.rulers, strict=True)):
            again = fit_rulers(square, seen.table, hints, seen.start) or again
        seen = _agreeing(again, hints)
    return seen


def _agreeing(seen: RulerFit, hints: LensHints) -> RulerFit:
    """The fit without an end or far edge that strains against all else: it is another thing's."""
    while seen.lines.cost > MOST_COST:
        fewer = [
            [
                replace(one, sides=one.sides[:side] + one.sides[side + 1 :])
                if index == which
                else one
                for index, one in enumerate(seen.rulers)
            ]
            for which, ruler in enumerate(seen.rulers)
            for side in range(len(ruler.sides))
        ]
        fits = [fit_rulers(rulers, seen.table, hints, seen.start) for rulers in fewer]
        whole = [fit for fit in fits if fit is not None]
        best = min(whole, key=lambda fit: fit.lines.cost, default=None)
        if best is None or best.lines.cost > STRAINED * seen.lines.cost:
            break
        seen = best
    return seen


def _ruler(linear: NDArray[np.float32], strip: Strip, strokes: Strokes, space_mm: float) -> Ruler:
    """A ruler as first seen, of no more points than a first fit takes."""
    some = slice(None, None, max(1, len(strokes.px) // FIRST_POINTS))
    return Ruler(strokes.number[some], strokes.px[some], _edge(linear, strip), space_mm)


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
    seen: RulerFit,
    names: list[str],
    hints: LensHints,
    table_size_mm: tuple[float, float] | None,
) -> Calibration:
    """Gather what was found and say what it rests on."""
    fitted, rulers, table = seen.lines, seen.rulers, seen.table
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
            f"{across:.1f} mm; a second ruler across, the table's size or the field of view "
            "makes it surer"
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
