"""Plane-to-picture homographies and the pose and focal length hidden in them."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Intrinsics
from calibration.rays import homogeneous


def normaliser(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """(3, 3) map that moves points, (N, 2), to mean 0 and mean distance sqrt 2."""
    middle = points.mean(axis=0)
    spread = float(np.hypot(*(points - middle).T).mean())
    scale = np.sqrt(2) / spread if spread > 0 else 1.0
    return np.array(
        [[scale, 0, -scale * middle[0]], [0, scale, -scale * middle[1]], [0.0, 0.0, 1.0]]
    )


def fit_homography(
    source: NDArray[np.float64], target: NDArray[np.float64]
) -> tuple[NDArray[np.float64], float]:
    """Homography by the normalised direct linear transform.

    Args:
        source: (N, 2), N at least 4.
        target: (N, 2).

    Returns:
        The (3, 3) homography with source normalised to target, its sign such that the points
        have positive depth where that is possible, and how well the points determine it: the
        second smallest singular value over the largest, 0 for a degenerate set.
    """
    from_source, from_target = normaliser(source), normaliser(target)
    a, b = homogeneous(from_source, source), homogeneous(from_target, target)
    rows = np.zeros((2 * len(a), 9))
    ones = np.ones(len(a))
    rows[0::2, :3] = -np.column_stack([a, ones])
    rows[1::2, 3:6] = rows[0::2, :3]
    rows[0::2, 6:] = -rows[0::2, :3] * b[:, :1]
    rows[1::2, 6:] = -rows[0::2, :3] * b[:, 1:]
    if len(a) < 50:
        _, values, vectors = np.linalg.svd(rows)
        last = vectors[8]
    else:  # the same at a fraction of the cost; what it loses in digits is far below any pixel
        squares, columns = np.linalg.eigh(rows.T @ rows)
        values, last = np.sqrt(np.maximum(squares[::-1], 0)), columns[:, 0]
    matrix = np.linalg.inv(from_target) @ last.reshape(3, 3) @ from_source
    depth = np.column_stack([source, ones]) @ matrix[2]
    if np.median(depth) < 0:
        matrix = -matrix
    return matrix / np.linalg.norm(matrix[:, :2]), float(values[7] / values[0])


def focal_of(image_H_table: NDArray[np.float64], centre: tuple[float, float]) -> float | None:
    """Focal length of the square-pixel camera that sees a plane this way.

    The first two columns are rotation columns seen through the camera: equally long and at right
    angles. Both facts are linear in the squared focal length (Zhang 2000).

    Args:
        image_H_table: (3, 3) from table to undistorted pixels.
        centre: Principal point in px.

    Returns:
        Focal length in px, None where the view does not show it.
    """
    shift = np.array([[1, 0, -centre[0]], [0, 1, -centre[1]], [0, 0, 1.0]])
    moved = shift @ image_H_table
    first, second = moved[:, 0], moved[:, 1]
    depth = np.array([first[2] * second[2], first[2] ** 2 - second[2] ** 2])
    flat = np.array([first[:2] @ second[:2], first[:2] @ first[:2] - second[:2] @ second[:2]])
    weight = float(depth @ depth)
    if weight <= 0:
        return None
    squared = -float(depth @ flat) / weight
    return float(np.sqrt(squared)) if squared > 0 and np.isfinite(squared) else None


def pose_of(image_H_table: NDArray[np.float64], intrinsics: Intrinsics) -> NDArray[np.float64]:
    """Nearest pose to a homography.

    Args:
        image_H_table: (3, 3) from the plane z = 0 to undistorted pixels, positive depth.
        intrinsics: The camera.

    Returns:
        (4, 4) camera_T_table.
    """
    columns = np.linalg.inv(intrinsics.matrix) @ image_H_table
    scale = np.sqrt(np.linalg.norm(columns[:, 0]) * np.linalg.norm(columns[:, 1]))
    columns = columns / scale
    u, _, v = np.linalg.svd(np.column_stack([columns[:, :2], np.cross(*columns[:, :2].T)]))
    rotation = u @ np.diag([1.0, 1.0, np.linalg.det(u @ v)]) @ v
    pose = np.eye(4)
    pose[:3, :3] = rotation
    pose[:3, 3] = columns[:, 2]
    return pose


def hull(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Convex hull of points, (N, 2) to (M, 2)."""
    return np.asarray(cv2.convexHull(points.astype(np.float32)).reshape(-1, 2), dtype=np.float64)
