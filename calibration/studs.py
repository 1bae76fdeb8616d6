"""The reference ``studs``: a toy baseplate, whose studs stand 8 mm apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Intrinsics
from calibration.edges import moved_covariance
from calibration.errors import BadReference, NotFound
from calibration.fit import Fit
from calibration.homography import hull
from calibration.lattice import Lattice, grow
from calibration.plane import Calibration, Studs
from calibration.stud_border import Extent, PlateColour, find_extent
from calibration.stud_camera import LensHints, fit_studs, upright
from calibration.stud_height import RIM_DOUBT, Matched, matched_place
from calibration.stud_points import View, place_all
from calibration.stud_seeds import Gray, find_seeds, flatten

STUD_PITCH_MM = 8.0
STUD_TOP_MM = 1.7
"""Height of stud tops over the plate: 1.7 to 1.8 mm on real ones, 1.6 (4 units) in LDraw."""

PITCH_DOUBT = 0.0015
"""Relative doubt of the pitch: builders measured 7.986 mm on long walls, drawings say 8."""

STUDS_ALIKE = 64
"""So many neighbouring studs count as one: light and lens put them off alike."""

LONGEST_SIDE_PX = 2000
LEAST_STUDS = 100
LEAST_SHARE = 0.3
LEAST_RIM = 1.15
MANY_STUDS = 150
"""So many in one lattice need no clear rim."""

MOST_SQUARE = 0.33
SQUARE = "what repeats is square, not round like studs"

LEAST_RISE = 0.3
"""Sine of the lowest elevation trusted, 17 degrees."""

TRIES = 4
ROUNDS = 2
SHORTEST_SIDE_PX = 150
WINDOW_PX = 64


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Studs in a picture.

    Attributes:
        fit: Camera over them, in steps times pitch from the lattice's own zero.
        nodes: Stud places in steps, (N, 2).
        px: Their centres, (N, 2).
        extent: The plate.
        matched: Where what was matched on every stud lies.
        assumed: What was assumed.
    """

    fit: Fit
    nodes: NDArray[np.int64]
    px: NDArray[np.float64]
    extent: Extent
    matched: Matched
    assumed: tuple[str, ...]


def calibrate_studs(
    image: NDArray[np.uint8],
    *,
    stud_pitch_mm: float = STUD_PITCH_MM,
    fov_deg: float | None = None,
    intrinsics: Intrinsics | None = None,
    camera_height_mm: float | None = None,
    table_size_mm: tuple[float, float] | None = None,
) -> Calibration:
    """Calibrate by the studs of one baseplate.

    Args:
        image: (H, W, 3) BGR.
        stud_pitch_mm: Distance of neighbouring studs.
        fov_deg: Horizontal field of view, if known.
        intrinsics: The whole lens, if known.
        camera_height_mm: Height of the camera over the plate, if known.
        table_size_mm: Width and depth of the table, if it is not the plate.

    Returns:
        The calibration with z = 0 on the plate between the studs.

    Raises:
        NotFound: No stud grid is seen clearly enough; the message says why.
        BadReference: The pitch is no length.
    """
    if not 1.0 <= stud_pitch_mm <= 100.0:
        raise BadReference("--stud-pitch", "must be between 1 and 100 mm")
    size_px = (image.shape[1], image.shape[0])
    hints = LensHints(size_px, fov_deg, intrinsics, camera_height_mm)
    found = find_studs(image, hints, stud_pitch_mm)
    return _calibration(found, size_px, stud_pitch_mm, table_size_mm)


def _levels(image: NDArray[np.uint8]) -> Iterator[tuple[float, NDArray[np.uint8], Gray]]:
    """The picture at sizes among which studs are 5 to 25 px apart.

    Yields:
        Scale against the picture, the shrunk picture, (H, W, 3), and its flattened brightness.
    """
    sides = image.shape[:2]
    scale = min(1.0, LONGEST_SIDE_PX / max(sides))
    while min(sides) * scale >= SHORTEST_SIDE_PX:
        small = image
        if scale < 1:
            shrunk = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            small = np.asarray(shrunk, dtype=np.uint8)
        gray = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
        yield scale, small, flatten(gray, WINDOW_PX * 2 / 3)
        scale /= 2


def from_level(px: NDArray[np.float64], scale: float) -> NDArray[np.float64]:
    """Pixels of a shrunk copy as pixels of the picture."""
    return (px + 0.5) / scale - 0.5


def find_studs(image: NDArray[np.uint8], hints: LensHints, pitch_mm: float) -> Found:
    """Look for a stud grid.

    Args:
        image: (H, W, 3) BGR.
        hints: What is known of the lens.
        pitch_mm: Distance of neighbouring studs.

    Raises:
        NotFound: There is none, or it is not clear enough.
    """
    reasons: list[str] = []
    refused: list[NDArray[np.float64]] = []
    for scale, small, flat in _levels(image):
        tried: list[NDArray[np.float64]] = []
        for seed in find_seeds(flat, WINDOW_PX)[:TRIES]:
            middle = from_level(seed.middle_px, scale)
            if any(_covers(shape, middle) for shape in (*tried, *refused)):
                continue
            lattice = grow(flat, seed)
            if lattice is None or len(lattice.nodes) < LEAST_STUDS:
                reasons.append("what repeats does not go on far enough")
                continue
            tried.append(hull(from_level(lattice.px, scale)))
            found = _settle(small, flat, lattice, scale, hints, pitch_mm)
            if isinstance(found, Found):
                return found
            reasons.append(found)
            if found == SQUARE:  # a shrunk picture would only hide its corners
                refused.append(tried[-1])
    if SQUARE in reasons:
        reasons.append(SQUARE)
    reason = reasons[-1] if reasons else "nothing repeats regularly in the picture"
    raise NotFound(f"no stud grid: {reason}")


def _covers(shape: NDArray[np.float64], middle: NDArray[np.float64]) -> bool:
    """Whether a point lies in a convex shape, both in px."""
    at = (float(middle[0]), float(middle[1]))
    return bool(cv2.pointPolygonTest(shape.astype(np.float32), at, False) >= 0)


def _settle(
    small: NDArray[np.uint8],
    flat: Gray,
    lattice: Lattice,
    scale: float,
    hints: LensHints,
    pitch_mm: float,
) -> Found | str:
    """From a lattice to exact stud centres, the camera and the plate.

    Args:
        small: The picture at the lattice's scale, (H, W, 3) BGR.
        flat: Flattened brightness at the lattice's scale.
        lattice: What repeats.
        scale: Its pixels over the picture's.
        hints: What is known of the lens.
        pitch_mm: Distance of neighbouring studs.

    Returns:
        What was found, or why it is no stud grid.
    """
    if lattice.share < LEAST_SHARE:
        return "too little of what repeats is there"
    px = from_level(lattice.px, scale)
    nodes = upright(lattice.nodes, px, hints)
    if nodes is None:
        return "no camera would see a square grid like this"
    for _ in range(ROUNDS):
        fitted = fit_studs(nodes, px, hints, pitch_mm, STUD_TOP_MM)
        if fitted is None:
            return "no camera would see a square grid like this"
        fit = fitted[0]
        view = View(fit.intrinsics, fit.camera_T_table, pitch_mm, STUD_TOP_MM).scaled(scale)
        placed = place_all(flat, view, nodes)
        if placed.squareness > MOST_SQUARE:
            return SQUARE
        if placed.rim < LEAST_RIM and len(nodes) < MANY_STUDS:
            return "what repeats is not round like studs"
        extent = find_extent(placed, PlateColour(small, view, nodes))
        if extent is None:
            return "too few studs are clear"
        nodes, px = placed.nodes[extent.good], from_level(placed.px[extent.good], scale)
        if len(nodes) < LEAST_STUDS:
            return "too few studs are clear"
    fitted = fit_studs(nodes, px, hints, pitch_mm, STUD_TOP_MM)
    if fitted is None:
        return "no camera would see a square grid like this"
    area = int(np.prod(extent.high - extent.low + 1))
    if len(nodes) < LEAST_SHARE * area:
        return "too little of what repeats is there"
    if abs(fitted[0].camera_T_table[2, 2]) < LEAST_RISE:
        return "it is seen too flat"
    view = View(fitted[0].intrinsics, fitted[0].camera_T_table, pitch_mm, STUD_TOP_MM)
    matched = matched_place(flat, view.scaled(scale), nodes)
    height = STUD_TOP_MM - matched.drop_mm
    fitted = fit_studs(nodes, px, hints, pitch_mm, height, matched.offset_mm)
    if fitted is None:
        return "no camera would see a square grid like this"
    return Found(fitted[0], nodes, px, extent, matched, fitted[1])


def _calibration(
    found: Found,
    size_px: tuple[int, int],
    pitch_mm: float,
    table_size_mm: tuple[float, float] | None,
) -> Calibration:
    """Put the table frame at the plate's corner nearest the picture's bottom left."""
    low, high = found.extent.low, found.extent.high
    corners = np.array(
        [[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]]
    ) + np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    pose = found.fit.camera_T_table
    raised = np.column_stack([corners * pitch_mm, np.zeros(4)])
    px = found.fit.intrinsics.project(raised @ pose[:3, :3].T + pose[:3, 3])
    first = int(np.argmin(px[:, 0] - px[:, 1]))
    x_axis = corners[(first + 1) % 4] - corners[first]
    y_axis = corners[(first + 3) % 4] - corners[first]
    counts = np.round([np.abs(x_axis).max(), np.abs(y_axis).max()]).astype(int)
    old_T_new = np.eye(4)
    old_T_new[:2, 0] = x_axis / np.linalg.norm(x_axis)
    old_T_new[:2, 1] = y_axis / np.linalg.norm(y_axis)
    old_T_new[:2, 3] = corners[first] * pitch_mm
    matched = found.matched
    places = found.nodes * pitch_mm + matched.offset_mm
    heights = np.full((len(places), 1), STUD_TOP_MM - matched.drop_mm)
    back = np.linalg.inv(old_T_new)
    seen = np.hstack([places, heights]) @ back[:3, :3].T + back[:3, 3]
    shared = found.fit.covariance * STUDS_ALIKE
    doubts = np.array([RIM_DOUBT, RIM_DOUBT, matched.drop_sigma])
    shared[3:6, 3:6] += (pose[:3, :3] * doubts**2) @ pose[:3, :3].T
    whole = found.extent.closed
    warnings = []
    size: tuple[float, float] | None = table_size_mm
    if size is None and whole:
        size = (float(counts[0] * pitch_mm), float(counts[1] * pitch_mm))
    if not whole:
        warnings.append("not every edge of the plate is in the picture")
    return Calibration(
        reference="studs",
        origin="corner of the stud grid nearest the picture's bottom left, "
        "x to the right, y away from the camera",
        image_size_px=size_px,
        intrinsics=found.fit.intrinsics,
        camera_T_table=pose @ old_T_new,
        size_mm=size,
        rms_px=found.fit.rms_px,
        covariance=moved_covariance(shared, pose, old_T_new),
        scale_sigma=PITCH_DOUBT,
        reference_plane_mm=STUD_TOP_MM,
        studs=Studs(len(found.nodes), pitch_mm),
        assumed=(*found.assumed, f"stud pitch {pitch_mm:g} mm"),
        warnings=tuple(warnings),
        outline_px=hull(px),
        seen_px=found.px,
        seen_mm=seen,
    )
