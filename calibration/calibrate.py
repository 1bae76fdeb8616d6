"""One call for all references."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Intrinsics
from calibration.errors import BadReference, NotFound
from calibration.plane import Calibration
from calibration.points import PointPairs, calibrate_points
from calibration.studs import STUD_PITCH_MM, calibrate_studs

REFERENCES = ("auto", "studs", "points")
"""What ``calibrate`` can go by today; ``auto`` is studs, then points."""


def calibrate(
    image: NDArray[np.uint8],
    reference: str = "auto",
    points: PointPairs | None = None,
    stud_pitch_mm: float = STUD_PITCH_MM,
    fov_deg: float | None = None,
    intrinsics: Intrinsics | None = None,
    camera_height_mm: float | None = None,
    table_size_mm: tuple[float, float] | None = None,
) -> Calibration:
    """Find out how a picture sees the table.

    Args:
        image: (H, W, 3) BGR.
        reference: One of ``REFERENCES``.
        points: Measured points, for ``points`` and, after studs, for ``auto``.
        stud_pitch_mm: Distance of neighbouring studs.
        fov_deg: Horizontal field of view, if known.
        intrinsics: The whole lens, if known.
        camera_height_mm: Height of the camera over z = 0, if known.
        table_size_mm: Width and depth of the table from its origin, if known.

    Returns:
        The calibration.

    Raises:
        BadReference: An argument cannot be used.
        NotFound: The picture does not show the reference; the message says why.
    """
    _check(reference, points, fov_deg, intrinsics, camera_height_mm, table_size_mm)
    size_px = (image.shape[1], image.shape[0])
    if reference != "points":
        try:
            return calibrate_studs(
                image,
                stud_pitch_mm=stud_pitch_mm,
                fov_deg=fov_deg,
                intrinsics=intrinsics,
                camera_height_mm=camera_height_mm,
                table_size_mm=table_size_mm,
            )
        except NotFound:
            if reference == "studs" or points is None:
                raise
    if points is None:
        raise BadReference("--points", "the reference points needs a points file")
    return calibrate_points(
        points,
        size_px,
        fov_deg=fov_deg,
        intrinsics=intrinsics,
        camera_height_mm=camera_height_mm,
        table_size_mm=table_size_mm,
    )


def _check(
    reference: str,
    points: PointPairs | None,
    fov_deg: float | None,
    intrinsics: Intrinsics | None,
    camera_height_mm: float | None,
    table_size_mm: tuple[float, float] | None,
) -> None:
    """Refuse what cannot be used before any work is done.

    Raises:
        BadReference: It cannot be used.
    """
    if reference not in REFERENCES:
        raise BadReference("--reference", f"must be one of {', '.join(REFERENCES)}")
    if reference == "points" and points is None:
        raise BadReference("--points", "the reference points needs a points file")
    if fov_deg is not None and not 5 <= fov_deg <= 150:
        raise BadReference("--fov", "must be between 5 and 150 degrees")
    if fov_deg is not None and intrinsics is not None:
        raise BadReference("--fov", "cannot be given together with --intrinsics")
    if camera_height_mm is not None and not 10 <= camera_height_mm <= 20000:
        raise BadReference("--camera-height", "must be between 10 and 20000 mm")
    if table_size_mm is not None and not all(1 <= side <= 20000 for side in table_size_mm):
        raise BadReference("--table", "must be between 1 and 20000 mm a side")
