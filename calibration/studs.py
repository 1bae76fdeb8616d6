"""The reference ``studs``: a toy baseplate, whose studs stand 8 mm apart."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Intrinsics
from calibration.edges import moved_covariance
from calibration.errors import BadReference, NotFound
from calibration.homography import hull
from calibration.plane import Calibration, Studs
from calibration.sheet import check_light
from calibration.stud_border import USUAL
from calibration.stud_camera import LensHints
from calibration.stud_height import RIM_DOUBT
from calibration.stud_search import find_studs, look_again
from calibration.stud_settle import Found

STUD_PITCH_MM = 8.0
STUD_TOP_MM = 1.7
"""Height of stud tops over the plate: 1.7 to 1.8 mm on real ones, 1.6 (4 units) in LDraw."""

DOUBT_TOLD, DOUBT_ASKED, DOUBT_REFUSED = 0.004, 0.01, 0.02
"""Lengths beside the plate less sure than this are warned of, to be confirmed, or no answer."""

NEARER = (400.0, 250.0, 150.0, 75.0)
"""As far as that beside the plate, mm; less where the picture ends before."""

PITCH_DOUBT = 0.001
"""Relative doubt of the pitch: builders measured 7.986 mm on long walls, drawings say 8."""


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
    check_light(image)
    size_px = (image.shape[1], image.shape[0])
    hints = LensHints(size_px, fov_deg, intrinsics, camera_height_mm)
    top_mm = STUD_TOP_MM * stud_pitch_mm / STUD_PITCH_MM
    found = find_studs(image, hints, stud_pitch_mm, top_mm)
    calibration = _calibration(found, size_px, stud_pitch_mm, top_mm, table_size_mm)
    doubt = _doubt_beside(calibration)
    if doubt > DOUBT_ASKED and not found.sight.look.pooled:
        try:
            found = look_again(image, found, hints, stud_pitch_mm, top_mm)
        except NotFound:
            return _judged(calibration, doubt, hints)
        again = _calibration(found, size_px, stud_pitch_mm, top_mm, table_size_mm)
        doubt_again = _doubt_beside(again)
        if doubt_again < doubt:
            calibration, doubt = again, doubt_again
    return _judged(calibration, doubt, hints)


def _corners(found: Found) -> NDArray[np.float64]:
    """Outer corners of the plate in steps, half a step beyond its studs, (4, 2)."""
    low, high = found.extent.low - 0.5, found.extent.high + 0.5
    return np.array([low, [high[0], low[1]], high, [low[0], high[1]]])


def _calibration(
    found: Found,
    size_px: tuple[int, int],
    pitch_mm: float,
    top_mm: float,
    table_size_mm: tuple[float, float] | None,
) -> Calibration:
    """Put the table frame at the plate's corner nearest the picture's bottom left."""
    pose = found.fit.camera_T_table
    corners = _corners(found)
    outline = np.column_stack([corners * pitch_mm, np.zeros(4)])
    px = found.fit.intrinsics.project(outline @ pose[:3, :3].T + pose[:3, 3])
    first = int(np.argmin(px[:, 0] - px[:, 1]))
    x_axis = corners[(first + 1) % 4] - corners[first]
    y_axis = corners[(first + 3) % 4] - corners[first]
    old_T_new = np.eye(4)
    old_T_new[:2, 0] = x_axis / np.linalg.norm(x_axis)
    old_T_new[:2, 1] = y_axis / np.linalg.norm(y_axis)
    old_T_new[:2, 3] = corners[first] * pitch_mm
    matched = found.matched
    places = found.studs.nodes * pitch_mm + matched.offset_mm
    heights = np.full((len(places), 1), top_mm - matched.drop_mm)
    back = np.linalg.inv(old_T_new)
    seen = np.hstack([places, heights]) @ back[:3, :3].T + back[:3, 3]
    shared = found.fit.covariance.copy()
    doubts = np.array([RIM_DOUBT, RIM_DOUBT, matched.drop_sigma])
    shared[3:6, 3:6] += (pose[:3, :3] * doubts**2) @ pose[:3, :3].T
    size, warnings = table_size_mm, []
    if found.extent.closed:
        whole = (float(np.linalg.norm(axis)) * pitch_mm for axis in (x_axis, y_axis))
        size = size or (next(whole), next(whole))
        counts = found.extent.high - found.extent.low + 1
        if any(count + 1 in USUAL or count - 1 in USUAL for count in counts.tolist()):
            warnings.append(
                f"the plate shows {counts[0]} by {counts[1]} studs, one off what is usual; "
                "check its edges on the overlay"
            )
    else:
        warnings.append("not every edge of the plate is in the picture")
    if found.others:
        warnings.append("other plates are in view too; the table is that of the largest")
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
        reference_plane_mm=top_mm,
        studs=Studs(len(found.studs.nodes), pitch_mm),
        assumed=(*found.assumed, f"stud pitch {pitch_mm:g} mm"),
        warnings=tuple(warnings),
        outline_px=hull(found.studs.px),
        seen_px=found.studs.px,
        seen_mm=seen,
    )


def _judged(calibration: Calibration, doubt: float, hints: LensHints) -> Calibration:
    """The same with a warning where lengths beside the plate are not sure.

    Args:
        calibration: What was found.
        doubt: Relative, see ``_doubt_beside``.
        hints: What was known of the lens: who gave it already is not asked for it.

    Raises:
        NotFound: They are so little sure that it is no answer.
    """
    small = (
        f"too few studs are seen, or too small: lengths beside may be {200 * doubt:.1f} % "
        "off (19 of 20 are less); move closer, or clear the plate"
    )
    if not hints.known:
        small += "; a lens measured before, or how wide the camera sees, helps too"
    if doubt > DOUBT_REFUSED:
        raise NotFound(small)
    if doubt > DOUBT_ASKED:
        small = f"please confirm: {small}"
    if doubt > DOUBT_TOLD:
        calibration = replace(calibration, warnings=(*calibration.warnings, small))
    return calibration


def _doubt_beside(calibration: Calibration) -> float:
    """Relative doubt of lengths that reach from the plate far into the picture; 0 for none."""
    width, height = calibration.image_size_px
    middle = calibration.to_table(calibration.outline_px.mean(axis=0)[None])[0]
    for reach in NEARER:
        doubts = []
        for turn in np.linspace(0, 2 * np.pi, 12, endpoint=False):
            away = middle + reach * np.array([np.cos(turn), np.sin(turn)])
            ends = calibration.to_image(np.array([middle, away]))
            if not ((ends >= 0) & (ends < [width, height])).all():
                continue
            length, sigma = calibration.length(ends[0], ends[1], pixel_sigma=0.0)
            doubts.append(sigma / length)
        if doubts:
            return float(np.median(doubts))
    return 0.0
