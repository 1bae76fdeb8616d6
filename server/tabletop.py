"""Where the edges of a calibrated table are, from its four corners in the picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.errors import NotFound
from calibration.plane import Calibration


def with_edges(calibration: Calibration, corners_px: Sequence[tuple[float, float]]) -> Calibration:
    """The same calibration with the table's first corner as origin and its size known.

    The four corners are made the nearest rectangle, since a table is one and a dragged corner
    never is.

    Args:
        calibration: Already in millimetres.
        corners_px: Counter-clockwise seen from above; the first becomes the origin, the second
            lies along +x.

    Raises:
        NotFound: The corners are no table.
    """
    corners = calibration.to_table(np.array(corners_px, dtype=np.float64))
    if not np.isfinite(corners).all():
        raise NotFound("a corner lies above the horizon")
    if _area(corners) < 0:
        corners = corners[[1, 0, 3, 2]]
    along = (corners[1] - corners[0]) + (corners[2] - corners[3])
    length = float(np.hypot(*along))
    if length < 20.0 or abs(_area(corners)) < 400.0:
        raise NotFound("the corners lie too close together")
    x_axis = along / length
    y_axis = np.array([-x_axis[1], x_axis[0]])
    width = length / 2
    depth = float(((corners[3] - corners[0]) + (corners[2] - corners[1])) @ y_axis) / 2
    if depth < 10.0:
        raise NotFound("the corners lie too close together")
    origin = corners.mean(axis=0) - width / 2 * x_axis - depth / 2 * y_axis
    old_T_new = np.eye(4)
    old_T_new[:2, 0], old_T_new[:2, 1], old_T_new[:2, 3] = x_axis, y_axis, origin
    return replace(
        calibration,
        origin="first corner of the table",
        camera_T_table=calibration.camera_T_table @ old_T_new,
        size_mm=(round(width, 2), round(depth, 2)),
        covariance=_moved_covariance(calibration, np.array([*origin, 0.0])),
    )


def _area(corners: NDArray[np.float64]) -> float:
    x, y = corners[:, 0], corners[:, 1]
    return float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2


def _moved_covariance(
    calibration: Calibration, origin_mm: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Doubt of the pose when its origin moves: turning it then also shifts it."""
    ahead = calibration.camera_T_table[:3, :3] @ origin_mm
    cross = np.array(
        [[0.0, -ahead[2], ahead[1]], [ahead[2], 0.0, -ahead[0]], [-ahead[1], ahead[0], 0.0]]
    )
    jacobian = np.eye(len(calibration.covariance))
    jacobian[3:6, 0:3] = -cross
    return np.asarray(jacobian @ calibration.covariance @ jacobian.T, dtype=np.float64)
