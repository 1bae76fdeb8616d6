"""The reference ``sheet``: paper or a card of known size, by its four edges."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Intrinsics
from calibration.errors import BadReference, NotFound
from calibration.plane import Calibration
from calibration.points import ASSUMED_FOV_DEG
from calibration.sheet_camera import (
    FOCAL_GUESS_DOUBT,
    SheetView,
    fit_sheet,
    marks_of,
)
from calibration.sheet_edges import Edge, contrast_light, find_edge, linear_light
from calibration.sheet_find import find_shapes
from calibration.stud_camera import LensHints

Floats = NDArray[np.float64]
Size = tuple[float, float]

SHEETS: dict[str, Size] = {
    "A4": (297.0, 210.0),
    "A3": (420.0, 297.0),
    "letter": (279.4, 215.9),
    "card": (85.6, 53.98),
}
"""ISO 216, ANSI/ASME Y14.1, and ISO/IEC 7810 ID-1; long side first."""

SIZE_DOUBT = 0.0005
"""Relative doubt of a sheet's own size: paper is cut to some 0.15 mm in 300 (one sigma)."""

TRIES = 24
LEAST_SUPPORT = 0.4
"""Of every side so much must show, the rest may be covered."""

MOST_OFF_PX = 0.8
AMBIGUOUS = 6.0
"""Ways round whose squared sigmas are nearer than this are not told apart."""

PAPER_WHITE, PAPER_AREA, PAPER_SUPPORT = 0.45, 0.015, 0.6
"""What a sheet must look like that is taken without being named."""

ROUGHLY = 0.6
"""A shape whose rough outline is less white than this part of it is not followed at all."""

MOST_COST = 100.0
"""Squared sigmas of a flat sheet at most, beyond its edges' own noise."""

FARTHEST_MM = 4000.0
"""A camera over a table is nearer; what looks like a small sheet far away is another thing."""

BORDER_PX = 3.0
"""A side all of which is nearer to the picture's border is the border's own."""

COST_SCALE = 20.0
"""Squared sigmas that make a sheet less likely by a factor of e."""


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """Four followed edges.

    Attributes:
        corners_px: Where they meet, (4, 2).
        edges: The edges in order.
        white: How light and colourless the inside is, 0 to 1.
    """

    corners_px: Floats
    edges: tuple[Edge, Edge, Edge, Edge]
    white: float

    @property
    def support(self) -> float:
        """How much of the side that shows least is seen."""
        return min(edge.support for edge in self.edges)


def parse_sheet(text: str) -> Size:
    """Size of a sheet by its name or ``WxH`` in mm.

    Raises:
        BadReference: It is neither.
    """
    for name, size in SHEETS.items():
        if text.lower() == name.lower():
            return size
    parts = text.lower().split("x")
    try:
        width, depth = (float(part) for part in parts)
    except ValueError:
        known = ", ".join(SHEETS)
        raise BadReference("--sheet", f"{text!r} is none of {known}, nor WxH in mm") from None
    if not (10 <= width <= 5000 and 10 <= depth <= 5000):
        raise BadReference("--sheet", "must be between 10 and 5000 mm a side")
    return max(width, depth), min(width, depth)


def calibrate_sheet(
    image: NDArray[np.uint8],
    *,
    size_mm: Size = SHEETS["A4"],
    fov_deg: float | None = None,
    intrinsics: Intrinsics | None = None,
    camera_height_mm: float | None = None,
    table_size_mm: Size | None = None,
    only_white: bool = False,
) -> Calibration:
    """Calibrate by a sheet that lies flat on the table.

    Args:
        image: (H, W, 3) BGR.
        size_mm: Its sides, in any order.
        fov_deg: Horizontal field of view, if known.
        intrinsics: The whole lens, if known.
        camera_height_mm: Height of the camera over the table, if known.
        table_size_mm: Width and depth of the table from the sheet's corner, if known.
        only_white: Take nothing but white paper; for looking without being told of a sheet.

    Returns:
        The calibration with z = 0 on the table and the origin at a corner of the sheet.

    Raises:
        NotFound: No such sheet is seen clearly enough; the message says why.
    """
    check_light(image)
    hints = LensHints((image.shape[1], image.shape[0]), fov_deg, intrinsics, camera_height_mm)
    long_mm, short_mm = max(size_mm), min(size_mm)
    linear = linear_light(image)
    best: tuple[float, SheetView, Shape, float] | None = None
    seen, curled, far = 0, 0, 0
    bright = _brightest(image)
    for corners in find_shapes(image)[:TRIES]:
        if only_white and _white(image, corners, bright) < ROUGHLY * PAPER_WHITE:
            continue
        shape = follow(image, linear, corners, bright)
        if shape is None or (only_white and not _is_paper(shape, hints)):
            continue
        if _cut_off(shape.corners_px, hints.image_size_px):
            continue
        seen += 1
        ways = [
            view
            for way in ((long_mm, short_mm), (short_mm, long_mm))
            if (view := fit_sheet(shape.corners_px, marks_of(shape.edges), way, hints))
        ]
        ways.sort(key=lambda view: view.fitted.cost)
        if not ways:
            continue
        limit = max(MOST_OFF_PX, 0.0006 * max(hints.image_size_px))
        if _off(ways[0]) > limit or ways[0].fitted.cost > MOST_COST:
            curled += 1
            continue
        if float(np.linalg.norm(ways[0].fitted.fit.camera_T_table[:3, 3])) > FARTHEST_MM:
            far += 1
            continue
        gap = ways[1].fitted.cost - ways[0].fitted.cost if len(ways) > 1 else np.inf
        worth = _worth(shape, ways[0], hints)
        if best is None or worth > best[0]:
            best = (worth, ways[0], shape, gap)
    if best is None:
        raise NotFound(_reason(seen, curled, far, (long_mm, short_mm)))
    return _calibration(best[1], best[2], best[3], hints, table_size_mm)


def _is_paper(shape: Shape, hints: LensHints) -> bool:
    """Whether a shape is white, large and whole enough to be a sheet nobody spoke of."""
    part = cv2.contourArea(shape.corners_px.astype(np.float32))
    part /= hints.image_size_px[0] * hints.image_size_px[1]
    return shape.white > PAPER_WHITE and part > PAPER_AREA and shape.support > PAPER_SUPPORT


def _worth(shape: Shape, view: SheetView, hints: LensHints) -> float:
    """How much a shape looks like a sheet: lies so, shows its edges, is white, is large."""
    area = cv2.contourArea(shape.corners_px.astype(np.float32))
    part = area / (hints.image_size_px[0] * hints.image_size_px[1])
    likely = float(np.exp(-view.fitted.cost / COST_SCALE))
    return shape.support * (0.3 + shape.white) * float(part**0.25) * likely


def check_light(image: NDArray[np.uint8]) -> None:
    """See whether there is anything to see.

    Raises:
        NotFound: The picture is black, white or without any detail.
    """
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    low, high = percentiles(np.asarray(gray, dtype=np.uint8), (1.0, 99.5))
    if high < 25:
        raise NotFound("the picture is too dark to see anything; put on a light")
    if high - low < 12:
        raise NotFound("the picture shows nothing but one colour; is the lens covered?")


def percentiles(values: NDArray[np.uint8], shares: tuple[float, ...]) -> list[float]:
    """Percentiles by counting, far quicker than by sorting; the same numbers."""
    total = np.cumsum(np.bincount(values.ravel(), minlength=256))
    found = []
    for share in shares:
        at = share / 100 * (values.size - 1)
        low, high = (
            int(np.searchsorted(total, rank, side="right")) for rank in (int(at), math.ceil(at))
        )
        found.append(low + (at - int(at)) * (high - low))
    return found


def _off(view: SheetView) -> float:
    """How far the edges stand off their lines, px: the worst side's median."""
    off = np.abs(view.fitted.off_px)
    return max(float(np.median(off[view.marks.line == side])) for side in range(4))


def follow(
    image: NDArray[np.uint8],
    linear: NDArray[np.float32],
    corners_px: Floats,
    bright: float | None = None,
) -> Shape | None:
    """Follow the sides of a rough shape to a fraction of a pixel.

    Args:
        image: (H, W, 3) BGR.
        linear: Its colours in linear light, (H, W, 3).
        corners_px: Rough corners, (4, 2).
        bright: What counts as white, if it was told before.

    Returns:
        The shape; None where too little of a side shows an edge.
    """
    light = contrast_light(linear, corners_px)
    corners = corners_px
    bows: list[Floats] = [np.zeros(2)] * 4
    edges: list[Edge] = []
    shortest = float(np.hypot(*(np.roll(corners, -1, axis=0) - corners).T).min())
    wide = float(np.clip(0.012 * max(light.shape), 5, shortest / 5))
    for reach in (wide, max(3.0, wide / 3), 2.5):
        edges = []
        for side in range(4):
            start, end = corners[side], corners[(side + 1) % 4]
            count = int(np.clip(np.hypot(*(end - start)) / 1.5, 24, 500))
            at = np.linspace(0, 1, count)[:, None]
            path = start + at * (end - start) + 4 * at * (1 - at) * bows[side]
            edge = find_edge(light, path, reach)
            if edge is None or edge.support < LEAST_SUPPORT * 0.7:
                return None
            edges.append(edge)
        moved = _corners(edges, corners)
        if moved is None:
            return None
        corners, bows = moved
    # A sheet is lighter than what is round it on all sides, or darker on all.
    if min(edge.support for edge in edges) < LEAST_SUPPORT or len({e.rising for e in edges}) > 1:
        return None
    white = _white(image, corners, bright or _brightest(image))
    return Shape(corners, (edges[0], edges[1], edges[2], edges[3]), white)


def _corners(edges: list[Edge], old: Floats) -> tuple[Floats, list[Floats]] | None:
    """Where slightly bent edges meet, (4, 2), and each one's bow off its chord, (2,)."""
    bends = []
    for side, edge in enumerate(edges):
        start, end = old[side], old[(side + 1) % 4]
        along = (end - start) / np.hypot(*(end - start))
        normal = np.array([-along[1], along[0]])
        s, t = (edge.px - start) @ along, (edge.px - start) @ normal
        bends.append((start, along, normal, np.polyfit(s, t, 2)))

    def point(side: int, s: float) -> Floats:
        start, along, normal, bend = bends[side]
        return np.asarray(start + s * along + float(np.polyval(bend, s)) * normal)

    corners = []
    for side in range(4):
        place = old[side]
        for _ in range(8):  # The two tangents nearest the corner meet ever closer to it
            ends = []
            for index in (side - 1, side):
                start, along, normal, bend = bends[index]
                s = float((place - start) @ along)
                way = along + float(np.polyval(np.polyder(bend), s)) * normal
                ends.append((point(index, s), way))
            (a, first), (b, second) = ends
            turn = first[0] * second[1] - first[1] * second[0]
            if abs(turn) < 1e-6:
                return None
            gap = b - a
            place = a + (gap[0] * second[1] - gap[1] * second[0]) / turn * first
        if not np.isfinite(place).all() or np.hypot(*(place - old[side])) > 60:
            return None
        corners.append(place)
    bows = []
    for side in range(4):
        start, along, _, _ = bends[side]
        middle = (corners[side] + corners[(side + 1) % 4]) / 2
        bows.append(point(side, float((middle - start) @ along)) - middle)
    return np.array(corners), bows


def _brightest(image: NDArray[np.uint8]) -> float:
    """What counts as white in a picture."""
    return percentiles(image, (98.0,))[0] + 1.0


def _white(image: NDArray[np.uint8], corners: Floats, bright: float) -> float:
    """How light and colourless most of the inside is, against the picture's brightest parts."""
    middle = corners.mean(axis=0)
    inner = middle + 0.85 * (corners - middle)
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(inner).astype(np.int32), (255,))
    pixels = image[mask > 0][::7].astype(np.float64)
    if not len(pixels):
        return 0.0
    value = np.median(pixels.max(axis=1)) / bright
    grey = 1 - np.median((pixels.max(axis=1) - pixels.min(axis=1)) / (pixels.max(axis=1) + 1))
    return float(np.clip(value, 0, 1) * np.clip(grey, 0, 1))


def _cut_off(corners_px: Floats, image_size_px: tuple[int, int]) -> bool:
    """Whether a side runs along the picture's border: the rest of the thing is out of view."""
    sides = np.stack([corners_px, np.roll(corners_px, -1, axis=0)])
    beyond = np.array(image_size_px) - 1 - sides
    return bool((np.concatenate([sides, beyond], axis=2) < BORDER_PX).all(axis=0).any())


def _reason(seen: int, unlike: int, far: int, size_mm: Size) -> str:
    """Why no sheet was found."""
    what = f"{size_mm[0]:g} x {size_mm[1]:g} mm"
    if far:
        return (
            f"no sheet: what is seen would be over {FARTHEST_MM / 1000:g} m away were it a sheet "
            f"of {what}; bring the sheet into view, or give the size of what lies there"
        )
    if unlike:
        return (
            f"no sheet: {unlike} four-sided shape{'s' if unlike > 1 else ''} seen, but none that "
            f"a flat sheet of {what} would make; press it flat, and check the size you gave"
        )
    if seen:
        return f"no sheet: no camera would see a sheet of {what} like what is in the picture"
    return (
        "no sheet: no four clear edges in the picture; lay the sheet flat where it stands out "
        "from the table, and leave most of every edge uncovered"
    )


def _calibration(
    view: SheetView, shape: Shape, gap: float, hints: LensHints, table_size_mm: Size | None
) -> Calibration:
    """Gather what was found."""
    fit = view.fitted.fit
    assumed = [] if hints.intrinsics else ["square pixels", "centre principal point"]
    if not hints.known and view.fitted.log_focal_sigma > 0.5 * FOCAL_GUESS_DOUBT:
        assumed.append(f"horizontal field of view about {ASSUMED_FOV_DEG:.0f} degrees")
    assumed.append(f"sheet of {view.size_mm[0]:g} x {view.size_mm[1]:g} mm, flat on the table")
    warnings = []
    if gap < AMBIGUOUS:
        warnings.append(
            "it can hardly be seen which side of the sheet is the long one; look at it from "
            "higher up, or give the camera's field of view"
        )
    px = view.marks.px
    some = slice(None, None, max(1, len(px) // 160))
    width, depth = view.size_mm
    normals = np.array([[0, 1.0], [1, 0], [0, 1], [1, 0]])[view.marks.line]
    offsets = np.array([0, width, depth, 0])[view.marks.line]
    found = Calibration(
        reference="sheet",
        origin="corner of the sheet nearest the picture's bottom left, "
        "x along its edge to the right",
        image_size_px=hints.image_size_px,
        intrinsics=fit.intrinsics,
        camera_T_table=fit.camera_T_table,
        size_mm=table_size_mm,
        rms_px=float(np.sqrt(np.median(view.fitted.off_px**2)) * 1.48),
        covariance=fit.covariance,
        scale_sigma=SIZE_DOUBT,
        assumed=tuple(assumed),
        warnings=tuple(warnings),
        outline_px=shape.corners_px,
    )
    places = found.to_table(px)
    places -= ((places * normals).sum(axis=1) - offsets)[:, None] * normals
    return replace(
        found,
        seen_px=px[some],
        seen_mm=np.column_stack([places, np.zeros(len(places))])[some],
    )
