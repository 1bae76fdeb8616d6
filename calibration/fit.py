"""Pose and lens from reference points: least squares on the reprojection, with covariance."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.apart import Apart
from calibration.camera import Intrinsics
from calibration.rays import rotate

NOISE_FLOOR_PX = 0.3
"""No reference point is believed to be better than this."""

NOISE_GUESS_PX = 0.6
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
        focal_guess_px: Where a free focal length is likely to lie; 0 for anywhere.
        focal_guess_doubt: Relative doubt of that.
        alike: So many points count as one: what puts them off, they have in common.
        k1_guess: Where a free k1 is likely to lie.
        noise_px: How far off points usually are: weighs them against what is known.
        floor_px: No point is believed to be better than this.
    """

    focal: bool = True
    k1: bool = False
    focal_doubt: float = 0.0
    camera_height_mm: float | None = None
    height_doubt: float = 0.005
    k1_doubt: float = 0.0
    focal_guess_px: float = 0.0
    focal_guess_doubt: float = 0.3
    alike: float = 1.0
    k1_guess: float = 0.0
    noise_px: float = NOISE_GUESS_PX
    floor_px: float = NOISE_FLOOR_PX


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
        change: Turn in the camera frame (radians), shift in mm, logarithm of the focal length,
            k1; (8,).

    Returns:
        Both, after.
    """
    pose = rotate(camera_T_table, change[:3])
    pose[:3, 3] += change[3:6]
    focal = intrinsics.fx_px * float(np.exp(np.clip(change[6], -1, 1)))
    return intrinsics.with_lens(focal, intrinsics.distortion[0] + float(change[7])), pose


def project_with_jacobian(
    intrinsics: Intrinsics, pose: NDArray[np.float64], points_mm: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Pixels of table points and their derivatives by the eight parameters of ``moved``.

    Args:
        intrinsics: Lens.
        pose: (4, 4) camera_T_table.
        points_mm: (N, 3).

    Returns:
        Pixels, (N, 2), far away for points behind the camera, and (N, 2, 8).
    """
    turned = points_mm @ pose[:3, :3].T
    camera = turned + pose[:3, 3]
    depth = np.maximum(camera[:, 2], 1e-6)
    x, y = camera[:, 0] / depth, camera[:, 1] / depth
    k1, k2, p1, p2, k3 = intrinsics.distortion
    r2 = x * x + y * y
    radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
    slope = 2 * (k1 + r2 * (2 * k2 + r2 * 3 * k3))
    xd = x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x)
    yd = y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y
    mixed = x * y * slope + 2 * p1 * x + 2 * p2 * y
    by_xy = np.empty((len(x), 2, 2))
    by_xy[:, 0, 0] = intrinsics.fx_px * (radial + x * x * slope + 2 * p1 * y + 6 * p2 * x)
    by_xy[:, 0, 1] = intrinsics.fx_px * mixed
    by_xy[:, 1, 0] = intrinsics.fy_px * mixed
    by_xy[:, 1, 1] = intrinsics.fy_px * (radial + y * y * slope + 6 * p1 * y + 2 * p2 * x)
    by_camera = np.empty((len(x), 2, 3))
    by_camera[:, :, :2] = by_xy / depth[:, None, None]
    by_camera[:, :, 2] = -(by_xy[:, :, 0] * x[:, None] + by_xy[:, :, 1] * y[:, None])
    by_camera[:, :, 2] /= depth[:, None]
    jacobian = np.empty((len(x), 2, 8))
    jacobian[:, :, :3] = np.cross(turned[:, None, :], by_camera)
    jacobian[:, :, 3:6] = by_camera
    jacobian[:, :, 6] = np.column_stack([intrinsics.fx_px * xd, intrinsics.fy_px * yd])
    jacobian[:, :, 7] = np.column_stack([intrinsics.fx_px * x * r2, intrinsics.fy_px * y * r2])
    px = jacobian[:, :, 6] + np.array([intrinsics.cx_px, intrinsics.cy_px])
    return px, jacobian


def _known(
    intrinsics: Intrinsics, pose: NDArray[np.float64], freedom: Freedom, more: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What was known besides the points: sigmas off, (K,), and their derivatives, (K, 8 + more)."""
    off: list[float] = []
    slopes: list[NDArray[np.float64]] = []
    if freedom.camera_height_mm is not None:
        normal, shift = pose[:3, 2], pose[:3, 3]
        doubt = freedom.height_doubt * freedom.camera_height_mm
        off.append(float(-normal @ shift - freedom.camera_height_mm) / doubt)
        slopes.append(np.concatenate([-np.cross(normal, shift), -normal, [0, 0]]) / doubt)
    if freedom.k1_doubt > 0:
        away = intrinsics.distortion[0] - freedom.k1_guess
        off.append(away / freedom.k1_doubt if freedom.k1 else 0.0)
        slopes.append(np.eye(8)[7] / freedom.k1_doubt)
    if freedom.focal and freedom.focal_guess_px > 0:
        off.append(math.log(intrinsics.fx_px / freedom.focal_guess_px) / freedom.focal_guess_doubt)
        slopes.append(np.eye(8)[6] / freedom.focal_guess_doubt)
    else:
        # Nothing at all known of the focal length still means within a factor of a few.
        off.append(0.0)
        slopes.append(np.eye(8)[6] / (freedom.focal_doubt or NO_FOCAL_DOUBT))
    return np.array(off), np.hstack([np.array(slopes), np.zeros((len(off), more))])


def fit_camera(
    points_mm: NDArray[np.float64],
    px: NDArray[np.float64],
    intrinsics: Intrinsics,
    camera_T_table: NDArray[np.float64],
    freedom: Freedom,
    robust_px: float | None = None,
    thing: NDArray[np.int64] | None = None,
    spread: NDArray[np.float64] | None = None,
) -> Fit:
    """Move the camera until the points project where they are seen (Levenberg-Marquardt).

    Args:
        points_mm: Table points, (N, 3).
        px: Original pixels, (N, 2).
        intrinsics: Start.
        camera_T_table: (4, 4), start.
        freedom: What may move.
        robust_px: Points farther off than this pull only linearly (Huber); None for squares.
        thing: Which of several things on the table each point belongs to, (N,): those of 0 stay,
            others move together in the plane; None where all are of one.
        spread: How many times less sure each point is than a usual one, (N,); None for alike.

    Returns:
        The best fit.
    """
    lens, pose = intrinsics, camera_T_table
    apart = Apart(points_mm, np.zeros(len(px), dtype=np.int64) if thing is None else thing)
    moves = np.zeros((apart.count, 3))
    free = np.array([True] * 6 + [freedom.focal, freedom.k1] + [True] * moves.size)
    noise_guess = freedom.noise_px * math.sqrt(freedom.alike)
    less = np.ones(len(px)) if spread is None else spread

    def cost_of(off: NDArray[np.float64], known: NDArray[np.float64]) -> float:
        size = np.hypot(*off.T) / less
        squares = size**2
        if robust_px is not None:
            squares = np.where(size > robust_px, robust_px * (2 * size - robust_px), squares)
        return float(squares.sum()) / noise_guess**2 + float(known @ known)

    def look(
        lens: Intrinsics, pose: NDArray[np.float64], moves: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        seen, own = project_with_jacobian(lens, pose, apart.moved(moves))
        others = apart.jacobian(own[:, :, 3:6], pose[:3, :3], moves)
        return seen, np.concatenate([own, others], axis=2)

    seen, jacobian = look(lens, pose, moves)
    known, known_slope = _known(lens, pose, freedom, moves.size)
    cost = cost_of(px - seen, known)
    damping = 1e-4
    for _ in range(60):
        off = px - seen
        weight = 1 / (noise_guess * less)
        if robust_px is not None:
            size = np.hypot(*off.T) / less
            weight = weight * np.sqrt(np.minimum(1, robust_px / np.maximum(size, 1e-9)))
        rows = (jacobian * weight[:, None, None]).reshape(-1, len(free))[:, free]
        right = rows.T @ (off * weight[:, None]).ravel() - known_slope[:, free].T @ known
        normal = rows.T @ rows + known_slope[:, free].T @ known_slope[:, free]
        scale = np.sqrt(np.diag(normal)) + 1e-30
        normal = normal / np.outer(scale, scale)
        better = False
        while damping < 1e8:
            step = np.linalg.solve(normal + damping * np.eye(len(scale)), right / scale)
            change = np.zeros(len(free))
            change[free] = step / scale
            new_lens, new_pose = moved(lens, pose, change)
            new_moves = moves + change[8:].reshape(-1, 3)
            new_seen, new_jacobian = look(new_lens, new_pose, new_moves)
            new_known, new_slope = _known(new_lens, new_pose, freedom, moves.size)
            new_cost = cost_of(px - new_seen, new_known)
            if new_cost < cost:
                better = True
                break
            damping *= 8
        if not better:
            break
        gain = cost - new_cost
        lens, pose, moves = new_lens, new_pose, new_moves
        seen, jacobian = new_seen, new_jacobian
        known, known_slope, cost = new_known, new_slope, new_cost
        damping = max(damping / 8, 1e-12)
        if gain < 1e-10 * cost or cost < 1e-20:
            break
    residuals = px - seen
    scaled, rows = residuals / less[:, None], jacobian / less[:, None, None]
    if robust_px is not None:
        # What lies farther off pulls less, and tells less of the noise of all others.
        pull = np.minimum(1, robust_px / np.maximum(np.hypot(*scaled.T), 1e-9))
        scaled, rows = scaled * pull[:, None], rows * np.sqrt(pull)[:, None, None]
    noise_px = _noise(scaled, int(free.sum()), freedom.floor_px)
    covariance = _covariance(rows, lens, pose, freedom, noise_px)
    return Fit(lens, pose, covariance, residuals, noise_px)


def _noise(residuals: NDArray[np.float64], parameters: int, floor_px: float) -> float:
    """Noise of one coordinate in px from (N, 2) residuals, never below the floor."""
    spare = max(residuals.size - parameters, 0)
    squares = float((residuals**2).sum()) + NOISE_GUESS_WEIGHT * NOISE_GUESS_PX**2
    return max(floor_px, float(np.sqrt(squares / (spare + NOISE_GUESS_WEIGHT))))


def _covariance(
    jacobian: NDArray[np.float64],
    lens: Intrinsics,
    pose: NDArray[np.float64],
    freedom: Freedom,
    noise_px: float,
) -> NDArray[np.float64]:
    """(8, 8) covariance in radians, mm, px of focal length and k1.

    A focal length or k1 that was not fitted but is doubtful takes part as an observation of
    itself, so that the pose shares its doubt.
    """
    more = jacobian.shape[2] - 8
    counted = np.array(
        [True] * 6
        + [freedom.focal or freedom.focal_doubt > 0, freedom.k1 or freedom.k1_doubt > 0]
        + [True] * more
    )
    rows = jacobian.reshape(-1, 8 + more)[:, counted] / (noise_px * math.sqrt(freedom.alike))
    slopes = _known(lens, pose, freedom, more)[1][:, counted]
    information = rows.T @ rows + slopes.T @ slopes
    scale = np.sqrt(np.maximum(np.diag(information), 1e-300))
    inner = np.linalg.pinv(information / np.outer(scale, scale), hermitian=True, rcond=1e-14)
    whole = np.zeros((8 + more, 8 + more))
    whole[np.ix_(counted, counted)] = inner / np.outer(scale, scale)
    covariance = whole[:8, :8].copy()
    covariance[6] *= lens.fx_px
    covariance[:, 6] *= lens.fx_px
    return covariance
