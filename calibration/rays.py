"""Where the rays of pixels meet a plane over the table."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Intrinsics


def rotate(camera_T_table: NDArray[np.float64], turn: NDArray[np.float64]) -> NDArray[np.float64]:
    """Turn the table in the camera frame and leave where its origin is.

    Small turns of this kind have no singular pose, unlike a rotation vector of the whole pose,
    which breaks down for a camera straight above (half a turn).

    Args:
        camera_T_table: (4, 4) pose.
        turn: Rotation vector in the camera frame, radians, (3,).

    Returns:
        (4, 4) pose with the rotation turned and the same translation.
    """
    turned = camera_T_table.copy()
    turned[:3, :3] = cv2.Rodrigues(np.asarray(turn, dtype=np.float64))[0] @ camera_T_table[:3, :3]
    return turned


def meet_plane(
    intrinsics: Intrinsics,
    camera_T_table: NDArray[np.float64],
    flat_px: NDArray[np.float64],
    height_mm: float | NDArray[np.float64],
) -> NDArray[np.float64]:
    """Table points under undistorted pixels at a known height.

    Args:
        intrinsics: Only the camera matrix is used.
        camera_T_table: (4, 4) pose in mm.
        flat_px: Undistorted pixels, (N, 2).
        height_mm: Height over z = 0, one for all or (N,).

    Returns:
        x and y in table mm, (N, 2); NaN where the ray never comes to that height.
    """
    rays = np.column_stack(
        [
            (flat_px[:, 0] - intrinsics.cx_px) / intrinsics.fx_px,
            (flat_px[:, 1] - intrinsics.cy_px) / intrinsics.fy_px,
            np.ones(len(flat_px)),
        ]
    )
    rotation, shift = camera_T_table[:3, :3], camera_T_table[:3, 3]
    centre = -rotation.T @ shift
    directions = rays @ rotation
    heights = np.broadcast_to(np.asarray(height_mm, dtype=np.float64), (len(flat_px),))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        along = (heights - centre[2]) / directions[:, 2]
        table: NDArray[np.float64] = centre[None, :2] + along[:, None] * directions[:, :2]
    table[~(np.isfinite(along) & (along > 0))] = np.nan
    return table


def homogeneous(matrix: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Apply a homography.

    Args:
        matrix: (3, 3).
        points: (N, 2).

    Returns:
        (N, 2).
    """
    mapped = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(mapped[:, :2] / mapped[:, 2:], dtype=np.float64)
