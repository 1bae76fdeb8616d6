"""Pose and lens from seen points that lie on known straight lines of the table.

An edge of a sheet or a mark of a ruler shows where a line is, not which of its points is seen. The
distance from the line as the camera would picture it is what is made small.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Intrinsics
from calibration.fit import Fit, moved, project_with_jacobian
from calibration.rays import meet_plane

Floats = NDArray[np.float64]

NOISE_FLOOR_PX = 0.05
"""No edge is believed to be better placed than this."""


@dataclass(frozen=True, slots=True)
class Prior:
    """What is known of the camera before looking.

    Attributes:
        focal_px: Expected focal length.
        focal_doubt: Relative doubt of it, 0 when it is certain.
        k1: Expected first radial term.
        k1_doubt: Doubt of it, 0 when it is certain.
        camera_height_mm: Measured height over z = 0, None when unknown.
        height_doubt: Relative doubt of that height.
    """

    focal_px: float
    focal_doubt: float = 0.0
    k1: float = 0.0
    k1_doubt: float = 0.0
    camera_height_mm: float | None = None
    height_doubt: float = 0.005


@dataclass(frozen=True, slots=True, eq=False)
class Marks:
    """Seen points, each on one line of the table.

    Attributes:
        px: Original pixels, (N, 2).
        line: Which line each lies on, (N,).
        weight: How many independent ones each counts for, (N,); below 1 for close neighbours.
    """

    px: Floats
    line: NDArray[np.int64]
    weight: Floats


NOISE_GUESS_PX = 0.15
NOISE_GUESS_WEIGHT = 4.0

Lines = Callable[[Floats], Floats]
"""From free shape parameters, (E,), to lines, (L, 4): unit normal x and y, offset along it and
height over z = 0."""


@dataclass(frozen=True, slots=True, eq=False)
class LineFit:
    """A camera fitted to lines.

    Attributes:
        fit: The camera; its covariance takes every mark as independent.
        shape: The shape parameters, (E,).
        off_px: Signed distance of each mark from its line, (N,).
        cost: Squares of what is left over, marks and priors, in sigmas of ``noise_px``.
        strain: The part of it that comes from the priors: how unusual the camera is.
        log_focal_sigma: Relative doubt of the focal length.
    """

    fit: Fit
    shape: Floats
    off_px: Floats
    cost: float
    strain: float
    log_focal_sigma: float


@dataclass(frozen=True, slots=True, eq=False)
class _Sight:
    """Marks as one camera sees them against their lines.

    Attributes:
        off: Distances in px, (N,).
        slope: Their derivatives by the camera, (N, 8).
        across: Picture normals of the lines, (N, 2).
        places: Where the marks lie on the table, (N, 2).
        gain: Pixels for every mm across the line, (N,).
    """

    off: Floats
    slope: Floats
    across: Floats
    places: Floats
    gain: Floats

    def by_shape(self, marks: Marks, lines: Lines, shape: Floats, steps: Floats) -> Floats:
        """Derivatives of the distances by the shape, (N, E)."""
        found = np.zeros((len(self.off), len(shape)))
        for index in range(len(shape)):
            change = np.zeros(len(shape))
            change[index] = steps[index]
            by = ((lines(shape + change) - lines(shape - change)) / (2 * steps[index]))[marks.line]
            found[:, index] = self.gain * ((by[:, :2] * self.places).sum(axis=1) - by[:, 2])
        return found


def _look(marks: Marks, lines: Floats, lens: Intrinsics, pose: Floats) -> _Sight:
    """Marks against their lines."""
    line = lines[marks.line]
    normal, offset, height = line[:, :2], line[:, 2], line[:, 3]
    places = meet_plane(lens, pose, lens.undistort(marks.px), height)
    lost = ~np.isfinite(places).all(axis=1)
    places[lost] = 0.0
    away = (places * normal).sum(axis=1) - offset
    feet = np.column_stack([places - away[:, None] * normal, height])
    seen, jacobian = project_with_jacobian(lens, pose, feet)
    along = np.column_stack([-normal[:, 1], normal[:, 0]])
    run = jacobian[:, :, 3:6] @ pose[:3, :2] @ along[:, :, None]
    across = np.column_stack([-run[:, 1, 0], run[:, 0, 0]])
    length = np.hypot(*across.T)
    across /= np.maximum(length, 1e-12)[:, None]
    rise = (jacobian[:, :, 3:6] @ pose[:3, :2] @ normal[:, :, None])[:, :, 0]
    across *= np.where((across * rise).sum(axis=1) < 0, -1.0, 1.0)[:, None]
    off = ((marks.px - seen) * across).sum(axis=1)
    slope = -(across[:, None, :] @ jacobian)[:, 0, :]
    off[lost] = 1e3
    slope[lost] = 0.0
    gain = np.where(lost, 0.0, (across * rise).sum(axis=1))
    return _Sight(off, slope, across, places, gain)


def known_of(prior: Prior, lens: Intrinsics, pose: Floats) -> tuple[Floats, Floats]:
    """Priors in sigmas, (K,), and their derivatives by the camera, (K, 8)."""
    off: list[float] = []
    slopes: list[Floats] = []
    if prior.focal_doubt > 0:
        off.append(float(np.log(lens.fx_px / prior.focal_px)) / prior.focal_doubt)
        slopes.append(np.eye(8)[6] / prior.focal_doubt)
    if prior.k1_doubt > 0:
        off.append((lens.distortion[0] - prior.k1) / prior.k1_doubt)
        slopes.append(np.eye(8)[7] / prior.k1_doubt)
    if prior.camera_height_mm is not None:
        normal, shift = pose[:3, 2], pose[:3, 3]
        doubt = prior.height_doubt * prior.camera_height_mm
        off.append(float(-normal @ shift - prior.camera_height_mm) / doubt)
        slopes.append(np.concatenate([-np.cross(normal, shift), -normal, [0, 0]]) / doubt)
    return np.array(off), np.array(slopes).reshape(-1, 8)


def fit_lines(
    marks: Marks,
    lines: Lines,
    shape: Floats,
    lens: Intrinsics,
    pose: Floats,
    prior: Prior,
    *,
    shape_step: Floats | None = None,
    shape_doubt: Floats | None = None,
    noise_px: float = 0.3,
    robust_px: float = 0.6,
    hold: tuple[int, ...] = (),
    bias_px: float = 0.0,
) -> LineFit:
    """Move camera and shape until every line passes through its marks (Levenberg-Marquardt).

    Args:
        marks: What is seen.
        lines: The table's lines.
        shape: Start of their free parameters, (E,).
        lens: Start.
        pose: (4, 4) camera_T_table, start.
        prior: What is known of the camera.
        shape_step: Steps of the numeric derivatives by the shape, (E,); 1e-3 each when None.
        shape_doubt: How far the shape may be from its start, (E,); None for anywhere.
        noise_px: Expected noise of a mark, to weigh marks against the prior.
        robust_px: Marks farther off than this pull only linearly.
        hold: Parameters of ``fit.moved`` that stay, for a table frame that nothing fixes.
        bias_px: What scatter does not show but counts in the doubt like noise of every mark.

    Returns:
        The best fit.
    """
    steps = np.full(len(shape), 1e-3) if shape_step is None else shape_step
    usual = shape
    sure = np.zeros(len(shape)) if shape_doubt is None else 1 / shape_doubt
    free = np.ones(8 + len(shape), dtype=bool)
    free[6], free[7] = prior.focal_doubt > 0, prior.k1_doubt > 0
    free[list(hold)] = False

    def state(lens: Intrinsics, pose: Floats, shape: Floats) -> tuple[_Sight, Floats, float]:
        sight = _look(marks, lines(shape), lens, pose)
        size = np.abs(sight.off)
        bent = np.where(size > robust_px, robust_px * (2 * size - robust_px), size**2)
        known, _ = known_of(prior, lens, pose)
        known = np.concatenate([known, (shape - usual) * sure])
        cost = float((bent * marks.weight).sum()) / noise_px**2 + float(known @ known)
        return sight, known, cost

    sight, known, cost = state(lens, pose, shape)
    damping = 1e-3
    for _ in range(80):
        off = sight.off
        full = np.hstack([sight.slope, sight.by_shape(marks, lines, shape, steps)])
        pull = np.minimum(1.0, robust_px / np.maximum(np.abs(off), 1e-9)) * marks.weight
        root = np.sqrt(pull) / noise_px
        known_slope = _known_slope(prior, lens, pose, sure)
        rows = np.vstack([full * root[:, None], known_slope])[:, free]
        left = np.concatenate([off * root, known])
        normal, right = rows.T @ rows, -rows.T @ left
        scale = np.sqrt(np.diag(normal)) + 1e-30
        normal = normal / np.outer(scale, scale)
        better = False
        while damping < 1e8:
            step = np.zeros(8 + len(shape))
            step[free] = np.linalg.solve(normal + damping * np.eye(len(scale)), right / scale)
            step[free] /= scale
            new_lens, new_pose = moved(lens, pose, step[:8])
            new_shape = shape + step[8:]
            trial = state(new_lens, new_pose, new_shape)
            if trial[2] < cost:
                better = True
                break
            damping *= 6
        if not better:
            break
        gain = cost - trial[2]
        lens, pose, shape = new_lens, new_pose, new_shape
        sight, known, cost = trial
        damping = max(damping / 6, 1e-12)
        if gain < 1e-6 * cost + 1e-6:
            break
    return _result(marks, lines, lens, pose, shape, prior, sure, free, steps, cost, bias_px)


def _known_slope(prior: Prior, lens: Intrinsics, pose: Floats, sure: Floats) -> Floats:
    """Derivatives of all that is known by camera and shape, (K + E, 8 + E)."""
    by_camera = known_of(prior, lens, pose)[1]
    slope = np.zeros((len(by_camera) + len(sure), 8 + len(sure)))
    slope[: len(by_camera), :8] = by_camera
    slope[len(by_camera) :, 8:] = np.diag(sure)
    return slope


def _result(
    marks: Marks,
    lines: Lines,
    lens: Intrinsics,
    pose: Floats,
    shape: Floats,
    prior: Prior,
    sure: Floats,
    free: NDArray[np.bool_],
    steps: Floats,
    cost: float,
    bias_px: float,
) -> LineFit:
    """Gather the fit and its covariance."""
    sight = _look(marks, lines(shape), lens, pose)
    off, across = sight.off, sight.across
    full = np.hstack([sight.slope, sight.by_shape(marks, lines, shape, steps)])
    near = np.abs(off) < 3 * max(float(np.median(np.abs(off))) * 1.48, NOISE_FLOOR_PX)
    # Marks that say little each leave their noise open: as if four were known to be as expected.
    spare = max(float(marks.weight[near].sum()) - int(free.sum()), 0.0) + NOISE_GUESS_WEIGHT
    squares = float((off[near] ** 2 * marks.weight[near]).sum())
    squares += NOISE_GUESS_WEIGHT * NOISE_GUESS_PX**2
    noise = max(float(np.sqrt(squares / spare)), NOISE_FLOOR_PX)
    rows = full[near] * np.sqrt(marks.weight[near])[:, None] / np.hypot(noise, bias_px)
    rows = np.vstack([rows, _known_slope(prior, lens, pose, sure)])[:, free]
    information = rows.T @ rows
    scale = np.sqrt(np.maximum(np.diag(information), 1e-300))
    inner = np.linalg.pinv(information / np.outer(scale, scale), hermitian=True, rcond=1e-14)
    covariance = np.zeros((full.shape[1], full.shape[1]))
    covariance[np.ix_(free, free)] = inner / np.outer(scale, scale)
    camera = covariance[:8, :8].copy()
    log_focal_sigma = float(np.sqrt(max(camera[6, 6], 0.0)))
    camera[6] *= lens.fx_px
    camera[:, 6] *= lens.fx_px
    fit = Fit(lens, pose, camera, off[:, None] * across, noise)
    known, _ = known_of(prior, lens, pose)
    return LineFit(fit, shape, off, cost, float(known @ known), log_focal_sigma)
