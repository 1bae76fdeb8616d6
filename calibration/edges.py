"""The table's edges, dragged by hand on the picture."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.errors import BadReference
from calibration.plane import Calibration

LEAST_SIDE_MM = 20.0
ORIGIN = "near left corner of the table, x along the near edge"


def moved_covariance(
    covariance: NDArray[np.float64],
    camera_T_table: NDArray[np.float64],
    old_T_new: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Covariance of a pose for a table frame with another origin.

    The new translation is the old one plus the turned way to the new origin, so the doubt of the
    turn moves it too.

    Args:
        covariance: (P, P), see ``Calibration.covariance``.
        camera_T_table: (4, 4) pose of the old frame.
        old_T_new: (4, 4) new frame in the old one.

    Returns:
        (P, P).
    """
    way = camera_T_table[:3, :3] @ old_T_new[:3, 3]
    cross = np.array([[0, -way[2], way[1]], [way[2], 0, -way[0]], [-way[1], way[0], 0]])
    change = np.eye(len(covariance))
    change[3:6, :3] = -cross
    return np.asarray(change @ covariance @ change.T, dtype=np.float64)


def with_table(calibration: Calibration, corners_px: NDArray[np.float64]) -> Calibration:
    """The same camera with the table's corners where somebody dragged them.

    Args:
        calibration: How the camera sees the table plane.
        corners_px: Near left, near right, far right and far left corner in original pixels,
            (4, 2).

    Returns:
        A calibration whose origin is the near left corner, whose x runs along the near edge and
        whose size is the mean of opposite sides.

    Raises:
        BadReference: The corners are not on the table plane, cross over, or span nothing.
    """
    corners = np.asarray(corners_px, dtype=np.float64)
    if corners.shape != (4, 2) or not np.isfinite(corners).all():
        raise BadReference("corners", "must be four pixels")
    places = calibration.to_table(corners)
    if not np.isfinite(places).all():
        raise BadReference("corners", "one of them is above the horizon")
    near, right = places[1] - places[0], places[2] - places[1]
    far, left = places[2] - places[3], places[3] - places[0]
    turns = [
        a[0] * b[1] - a[1] * b[0]
        for a, b in ((near, right), (right, -far), (-far, -left), (-left, near))
    ]
    if min(turns) <= 0:
        raise BadReference(
            "corners", "must go round the table: near left, near right, far right, far left"
        )
    width = (np.hypot(*near) + np.hypot(*far)) / 2
    depth = (np.hypot(*left) + np.hypot(*right)) / 2
    if min(width, depth) < LEAST_SIDE_MM:
        raise BadReference("corners", f"span less than {LEAST_SIDE_MM:.0f} mm")
    along = near / np.hypot(*near)
    old_T_new = np.eye(4)
    old_T_new[:2, 0] = along
    old_T_new[:2, 1] = (-along[1], along[0])
    old_T_new[:2, 3] = places[0]
    warnings = list(calibration.warnings)
    square = abs(float(along @ left)) / np.hypot(*left)
    if square > 0.03 or abs(np.hypot(*near) - np.hypot(*far)) > 0.03 * width:
        warnings.append("the corners make no rectangle; the table is taken from the near edge")
    seen = calibration.seen_mm
    if len(seen):
        back = np.linalg.inv(old_T_new)
        seen = seen @ back[:3, :3].T + back[:3, 3]
    return replace(
        calibration,
        origin=ORIGIN,
        size_mm=(float(width), float(depth)),
        camera_T_table=calibration.camera_T_table @ old_T_new,
        covariance=moved_covariance(calibration.covariance, calibration.camera_T_table, old_T_new),
        warnings=tuple(warnings),
        seen_mm=seen,
    )
