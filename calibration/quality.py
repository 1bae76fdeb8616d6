"""How far off a table point or a length may be: first-order propagation of all doubts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.rays import homogeneous, meet_plane, rotate

if TYPE_CHECKING:
    from calibration.plane import Calibration

POSE_STEP = np.array([1e-6, 1e-6, 1e-6, 1e-3, 1e-3, 1e-3])
"""Steps of the numeric derivatives: radians, then mm."""


def _locate(
    calibration: Calibration,
    change: NDArray[np.float64],
    px: NDArray[np.float64],
    heights: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Table points with the pose and lens changed by a small step of each parameter."""
    pose = rotate(calibration.camera_T_table, change[:3])
    pose[:3, 3] += change[3:6]
    intrinsics = calibration.intrinsics
    if len(change) == 8:
        k1 = intrinsics.distortion[0] + float(change[7])
        intrinsics = intrinsics.with_lens(intrinsics.fx_px + float(change[6]), k1)
    flat = intrinsics.undistort(px)
    if calibration.pose_H_image is not None:
        flat = homogeneous(calibration.pose_H_image, flat)
    return meet_plane(intrinsics, pose, flat, heights)


def parameter_jacobian(
    calibration: Calibration, px: NDArray[np.float64], heights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Derivative of table points by the parameters of ``calibration.covariance``.

    Args:
        calibration: Where to look.
        px: Original pixels, (N, 2).
        heights: Heights over z = 0 in mm, (N,).

    Returns:
        (N, 2, P) in mm per parameter unit, P is 6 or 8.
    """
    count = len(calibration.covariance)
    steps = np.append(POSE_STEP, [1e-3 * calibration.intrinsics.fx_px, 1e-5])[:count]
    jacobian = np.zeros((len(px), 2, count))
    for index in range(count):
        if calibration.covariance[index, index] <= 0:
            continue
        change = np.zeros(count)
        change[index] = steps[index]
        ahead = _locate(calibration, change, px, heights)
        behind = _locate(calibration, -change, px, heights)
        jacobian[:, :, index] = (ahead - behind) / (2 * steps[index])
    return jacobian


def pixel_jacobian(
    calibration: Calibration, px: NDArray[np.float64], heights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Derivative of table points by their own pixel.

    Args:
        calibration: Where to look.
        px: Original pixels, (N, 2).
        heights: Heights over z = 0 in mm, (N,).

    Returns:
        (N, 2, 2) in mm per pixel.
    """
    jacobian = np.zeros((len(px), 2, 2))
    for axis in range(2):
        step = np.zeros(2)
        step[axis] = 0.05
        ahead = calibration.to_table(px + step, heights)
        behind = calibration.to_table(px - step, heights)
        jacobian[:, :, axis] = (ahead - behind) / 0.1
    return jacobian


def point_sigma(
    calibration: Calibration,
    px: NDArray[np.float64],
    height_mm: float | NDArray[np.float64],
    pixel_sigma: float,
) -> NDArray[np.float64]:
    """One standard deviation of table points along their worst direction.

    Args:
        calibration: Where to look.
        px: Original pixels, (N, 2).
        height_mm: Height over z = 0, one for all or (N,).
        pixel_sigma: How well each pixel is known, px.

    Returns:
        (N,) mm; NaN where there is no table point.
    """
    heights = np.broadcast_to(np.asarray(height_mm, dtype=np.float64), (len(px),))
    places = calibration.to_table(px, heights)
    by_parameter = parameter_jacobian(calibration, px, heights)
    by_pixel = pixel_jacobian(calibration, px, heights)
    covariance = by_parameter @ calibration.covariance @ by_parameter.transpose(0, 2, 1)
    covariance += pixel_sigma**2 * by_pixel @ by_pixel.transpose(0, 2, 1)
    stretched = calibration.scale_sigma * places
    covariance += stretched[:, :, None] * stretched[:, None, :]
    a, b, c = covariance[:, 0, 0], covariance[:, 0, 1], covariance[:, 1, 1]
    worst = (a + c) / 2 + np.hypot((a - c) / 2, b)
    return np.asarray(np.sqrt(worst), dtype=np.float64)


def length_with_sigma(
    calibration: Calibration,
    ends_px: NDArray[np.float64],
    heights_mm: NDArray[np.float64],
    pixel_sigma: float,
) -> tuple[float, float]:
    """A length on the table and its doubt, with what both ends have in common counted once.

    Args:
        calibration: Where to look.
        ends_px: Original pixels of both ends, (2, 2).
        heights_mm: Heights of both ends over z = 0, (2,).
        pixel_sigma: How well each pixel is known, px.

    Returns:
        Length in the table plane and one standard deviation along it, mm; NaN both where an end
        has no table point.
    """
    places = calibration.to_table(ends_px, heights_mm)
    apart = places[1] - places[0]
    length = float(np.hypot(*apart))
    if not np.isfinite(length):
        return float("nan"), float("nan")
    by_parameter = parameter_jacobian(calibration, ends_px, heights_mm)
    by_pixel = pixel_jacobian(calibration, ends_px, heights_mm)
    if length > 0:
        along = apart / length
        common = along @ (by_parameter[1] - by_parameter[0])
        own = np.concatenate([along @ by_pixel[0], along @ by_pixel[1]])
        variance = common @ calibration.covariance @ common + pixel_sigma**2 * own @ own
    else:
        variance = pixel_sigma**2 * float(np.linalg.norm(by_pixel[0], 2)) ** 2 * 2
    variance += (calibration.scale_sigma * length) ** 2
    return length, float(np.sqrt(variance))


def table_samples(calibration: Calibration, steps: int = 15) -> NDArray[np.float64]:
    """Pixels spread over the table as far as the picture shows it.

    The table is ``size_mm`` where its edges are known and the outline of the reference otherwise.

    Args:
        calibration: Where to look.
        steps: Samples along each side.

    Returns:
        Original pixels, (N, 2), possibly empty.
    """
    if calibration.size_mm is not None:
        low, high = np.zeros(2), np.array(calibration.size_mm)
        polygon = None
    elif len(calibration.outline_px) >= 3:
        polygon = calibration.to_table(calibration.outline_px)
        polygon = polygon[np.isfinite(polygon).all(axis=1)]
        if len(polygon) < 3:
            return np.zeros((0, 2))
        low, high = polygon.min(axis=0), polygon.max(axis=0)
    else:
        return np.zeros((0, 2))
    across, deep = (np.linspace(low[axis], high[axis], steps) for axis in range(2))
    places = np.array([(x, y) for x in across for y in deep])
    if polygon is not None:
        hull = cv2.convexHull(polygon.astype(np.float32))
        inside = [cv2.pointPolygonTest(hull, (float(x), float(y)), False) >= 0 for x, y in places]
        places = places[np.array(inside)]
    px = calibration.to_image(places)
    width, height = calibration.image_size_px
    with np.errstate(invalid="ignore"):
        seen = (px >= -0.5).all(axis=1) & (px[:, 0] < width) & (px[:, 1] < height)
    return px[seen]


def sigma_summary(calibration: Calibration) -> dict[str, float | None]:
    """Doubt of points over the table, as ``median``, ``p95`` and ``max`` in mm.

    Args:
        calibration: Where to look.

    Returns:
        The three numbers; None each where nothing of the table is in the picture.
    """
    px = table_samples(calibration)
    sigma = calibration.sigma_mm(px) if len(px) else np.zeros(0)
    sigma = sigma[np.isfinite(sigma)]
    if not len(sigma):
        return {"median": None, "p95": None, "max": None}
    return {
        "median": round(float(np.median(sigma)), 4),
        "p95": round(float(np.percentile(sigma, 95)), 4),
        "max": round(float(sigma.max()), 4),
    }
