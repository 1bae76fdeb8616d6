"""A calibration from what somebody did on the page."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import numpy as np

from calibration.calibrate import calibrate
from calibration.camera import Intrinsics
from calibration.errors import NotFound
from calibration.plane import Calibration
from calibration.points import PointPairs, calibrate_points
from calibration.ruler import parse_unit
from calibration.sheet import parse_sheet
from calibration.studs import STUD_PITCH_MM
from server.schema import CalibrateBody, PointBody, TryBody
from server.tabletop import with_edges
from vision.frames import Image


def recalibrated(body: CalibrateBody, image: Image, old: Calibration | None) -> Calibration:
    """The calibration that the page asks for.

    Args:
        body: What was dragged and typed.
        image: The newest picture, (H, W, 3) BGR.
        old: The calibration so far.

    Raises:
        calibration.errors.NotFound: No reference is in the picture.
        calibration.errors.BadReference: The points contradict each other.
    """
    size = image.shape[1], image.shape[0]
    if body.reference is not None:
        return calibrate(image, reference="studs", table_size_mm=body.size_mm)
    if body.points is not None:
        return _by_points(body.points, size, body.size_mm)
    return _by_corners(body.corners_px or [], size, body.size_mm, old)


def tried(
    body: TryBody,
    image: Image,
    base: Calibration | None,
    lens: Intrinsics | None = None,
    reference: str | None = None,
) -> Calibration:
    """The calibration that is to be tried.

    Args:
        body: What to go by.
        image: The newest picture, (H, W, 3) BGR.
        base: What corners without a size are put on.
        lens: If it is known.
        reference: To go by instead of that of ``body``.

    Raises:
        calibration.errors.NotFound: No reference is in the picture.
        calibration.errors.BadReference: What was given contradicts itself.
    """
    size = image.shape[1], image.shape[0]
    if body.points is not None:
        return _by_points(body.points, size, body.size_mm, body.fov_deg, lens)
    if body.corners_px is not None:
        return _by_corners(body.corners_px, size, body.size_mm, base, body.fov_deg, lens)
    if body.quick and reference is None and body.reference == "auto":
        for first in ("studs", "markers"):
            with suppress(NotFound):
                return tried(body, image, base, lens, first)
    return calibrate(
        image,
        reference=reference or body.reference,
        intrinsics=lens,
        stud_pitch_mm=body.stud_pitch_mm or STUD_PITCH_MM,
        fov_deg=body.fov_deg,
        table_size_mm=body.size_mm,
        sheet_mm=None if body.sheet is None else parse_sheet(body.sheet),
        square_mm=body.square_mm,
        unit=None if body.unit is None else parse_unit(body.unit),
    )


def _by_points(
    points: Sequence[PointBody],
    image_size_px: tuple[int, int],
    size_mm: tuple[float, float] | None,
    fov_deg: float | None = None,
    lens: Intrinsics | None = None,
) -> Calibration:
    pairs = PointPairs(
        np.array([point.px for point in points]), np.array([point.mm for point in points])
    )
    return calibrate_points(
        pairs, image_size_px, fov_deg=fov_deg, intrinsics=lens, table_size_mm=size_mm
    )


def _by_corners(
    corners_px: Sequence[tuple[float, float]],
    image_size_px: tuple[int, int],
    size_mm: tuple[float, float] | None,
    base: Calibration | None,
    fov_deg: float | None = None,
    lens: Intrinsics | None = None,
) -> Calibration:
    """The table's corners: with its size they give the scale, without it they lie on ``base``."""
    if size_mm is None:
        if base is None:
            raise NotFound("without a scale yet, type the table's width and depth as well")
        return with_edges(base, corners_px)
    width, depth = size_mm
    places = np.array([(0.0, 0.0), (width, 0.0), (width, depth), (0.0, depth)])
    pairs = PointPairs(np.array(corners_px), places, "corners")
    return calibrate_points(
        pairs, image_size_px, fov_deg=fov_deg, intrinsics=lens, table_size_mm=size_mm
    )
