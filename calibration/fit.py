"""Pose and lens from reference points: least squares on the reprojection, with covariance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from calibration.camera import Intrinsics
from calibration.rays import rotate

NOISE_FLOOR_PX = 0.3
"""No reference point is believed to be better than this."""

NOISE_GUESS_PX = 0.5
NOISE_GUESS_WEIGHT = 4
"""With few points their residuals hardly tell the noise: as if this many more were known."""


NO_FOCAL_DOUBT = 2.0
"""Doubt of the logarithm of a focal length that nothing is known of."""


@dataclass(frozen=True, slots=True)
class Freedom:
    """What may move besides the pose, and what is known about it.

    Attributes:
        focal: The focal length is fitted.
        k1: The first radial term is fitted.
        focal_doubt: Relative doubt of a focal length that is not fitted.
        camera_height_mm: Measured height of the camera over z = 0.
        height_doubt: Relative doubt of that height.
        k1_doubt: Doubt of k1: holds it where it is free, is counted where it is not.
    """

    focal: bool = True
    k1: bool = False
    focal_doubt: float = 0.0
    camera_height_mm: float | None = None
    height_doubt: float = 0.005
    k1_doubt: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """A fitted camera.

    Attributes:
        intrinsics: Lens and sensor.
        camera_T_table: (4, 4) pose, mm.
        covariance: (8, 8), see ``Calibration.covariance``.
        residuals_px: Seen minus projected, (N, 2).
        noise_px: Noise of one coordinate that the covariance stands on.
    """

    intrinsics: Intrinsics
    camera_T_table: NDArray[np.float64]
    covariance: NDArray[np.float64]
    residuals_px: NDArray[np.float64]
    noise_px: float

    @property
    def rms_px(self) -> float:
        """Root mean square distance between seen and projected points."""
        return float(np.sqrt((self.residuals_px**2).sum(axis=1).mean()))

    @property
    def focal_sigma(self) -> float:
        """Relative doubt of the focal length."""
        return float(np.sqrt(max(self.covariance[6, 6], 0.0))) / self.intrinsics.fx_px


def moved(
    intrinsics: Intrinsics, camera_T_table: NDArray[np.float64], change: NDArray[np.float64]
) -> tuple[Intrinsics, NDArray[np.float64]]:
    """A camera after a change of its eight parameters.

    Args:
        intrinsics: Before.
        camera_T_table: (4, 4), before.
        change: Turn in the camera frame, shift in units of the camera's distance, logarithm of
            the focal length, k1; (8,).

    Returns:
        Both, after.
    """
    distance = float(np.linalg.norm(camera_T_table[:3, 3])) or 1.0
    pose = rotate(camera_T_table, change[:3])
    pose[:3, 3] += change[3:6] * distance
    focal = intrinsics.fx_px * float(np.exp(np.clip(change[6], -5, 5)))
    return intrinsics.with_lens(focal, intrinsics.distortion[0] + float(change[7])), pose


def _project(
    intrinsics: Intrinsics, pose: NDArray[np.float64], points: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Pixels of table points, far away instead of NaN for points behind the camera."""
    camera = points @ pose[:3, :3].T + pose[:3, 3]
    camera[:, 2] = np.maximum(camera[:, 2], 1e-6)
    return intrinsics.project(camera)


def fit_camera(
    points_mm: NDArray[np.float64],
    px: NDArray[np.float64],
    intrinsics: Intrinsics,
    camera_T_table: NDArray[np.float64],
    freedom: Freedom,
    noise_px: float | None = None,
    robust_px: float | None = None,
) -> Fit:
    """Move the camera until the points project where they are seen.

    Args:
        points_mm: Table points, (N, 3).
        px: Original pixels, (N, 2).
        intrinsics: Start.
        camera_T_table: (4, 4), start.
        freedom: What may move.
        noise_px: Noise of one coordinate if known; from the residuals otherwise.
        robust_px: Residuals well above this pull only linearly; None for plain squares.

    Returns:
        The best fit.
    """
    free = np.array([True] * 6 + [freedom.focal, freedom.k1])
    scale = noise_px or NOISE_GUESS_PX
    start_k1 = intrinsics.distortion[0]

    def spread(change: NDArray[np.float64]) -> NDArray[np.float64]:
        full = np.zeros(8)
        full[free] = change
        return full

    def known(full: NDArray[np.float64], pose: NDArray[np.float64]) -> list[float]:
        """What was known besides the points, in sigmas off."""
        rows = []
        if freedom.camera_height_mm is not None:
            height = float(-(pose[:3, :3].T @ pose[:3, 3])[2])
            doubt = freedom.height_doubt * freedom.camera_height_mm
            rows.append((height - freedom.camera_height_mm) / doubt)
        if freedom.k1 and freedom.k1_doubt > 0:
            rows.append((start_k1 + float(full[7])) / freedom.k1_doubt)
        return rows

    def misfit(change: NDArray[np.float64]) -> NDArray[np.float64]:
        full = spread(change)
        lens, pose = moved(intrinsics, camera_T_table, full)
        pulls = ((px - _project(lens, pose, points_mm)) / scale).ravel()
        if robust_px is not None:
            limit = robust_px / scale
            size = np.abs(pulls) / limit
            soft = (
                np.sign(pulls)
                * limit
                * np.sqrt(2 * size - 1, where=size > 1, out=np.ones_like(size))
            )
            pulls = np.where(size > 1, soft, pulls)
        return np.concatenate([pulls, known(full, pose)])

    steps = np.array([1e-2] * 6 + [1e-1, 1e-1])[free]
    found = least_squares(
        misfit, np.zeros(int(free.sum())), method="lm", x_scale=steps, jac="3-point",
        xtol=1e-11, ftol=1e-11, gtol=1e-11, max_nfev=600,
    )  # fmt: skip
    lens, pose = moved(intrinsics, camera_T_table, spread(found.x))
    residuals = px - _project(lens, pose, points_mm)
    if noise_px is None:
        noise_px = _noise(residuals, int(free.sum()))
    covariance = _covariance(points_mm, lens, pose, freedom, noise_px)
    return Fit(lens, pose, covariance, residuals, noise_px)


def _noise(residuals: NDArray[np.float64], parameters: int) -> float:
    """Noise of one coordinate in px from (N, 2) residuals, never below the floor."""
    spare = max(residuals.size - parameters, 0)
    squares = float((residuals**2).sum()) + NOISE_GUESS_WEIGHT * NOISE_GUESS_PX**2
    return max(NOISE_FLOOR_PX, float(np.sqrt(squares / (spare + NOISE_GUESS_WEIGHT))))


def _covariance(
    points_mm: NDArray[np.float64],
    lens: Intrinsics,
    pose: NDArray[np.float64],
    freedom: Freedom,
    noise_px: float,
) -> NDArray[np.float64]:
    """(8, 8) covariance in radians, mm, px of focal length and k1.

    A focal length or k1 that was not fitted but is doubtful takes part as an observation of
    itself, so that the pose shares its doubt.
    """
    distance = float(np.linalg.norm(pose[:3, 3])) or 1.0
    counted = np.array(
        [True] * 6 + [freedom.focal or freedom.focal_doubt > 0, freedom.k1 or freedom.k1_doubt > 0]
    )
    step = 1e-6
    columns = []
    heights = []
    for index in range(8):
        change = np.zeros(8)
        change[index] = step
        (lens_a, pose_a), (lens_b, pose_b) = moved(lens, pose, change), moved(lens, pose, -change)
        apart = _project(lens_a, pose_a, points_mm) - _project(lens_b, pose_b, points_mm)
        columns.append(apart.ravel() / (2 * step))
        rise = -(pose_a[:3, :3].T @ pose_a[:3, 3])[2] + (pose_b[:3, :3].T @ pose_b[:3, 3])[2]
        heights.append(rise / (2 * step))
    jacobian = np.column_stack(columns)
    information = jacobian.T @ jacobian / noise_px**2
    if freedom.camera_height_mm is not None:
        row = np.array(heights) / (freedom.height_doubt * freedom.camera_height_mm)
        information += np.outer(row, row)
    # Nothing at all known of the focal length still means within a factor of a few.
    information[6, 6] += 1 / (freedom.focal_doubt or NO_FOCAL_DOUBT) ** 2
    if freedom.k1_doubt > 0:
        information[7, 7] += 1 / freedom.k1_doubt**2
    chosen = np.ix_(counted, counted)
    scale = np.sqrt(np.maximum(np.diag(information[chosen]), 1e-300))
    inner = np.linalg.pinv(
        information[chosen] / np.outer(scale, scale), hermitian=True, rcond=1e-14
    )
    covariance = np.zeros((8, 8))
    covariance[chosen] = inner / np.outer(scale, scale)
    units = np.array([1, 1, 1, distance, distance, distance, lens.fx_px, 1.0])
    return covariance * np.outer(units, units)
