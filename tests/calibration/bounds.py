"""What no method can do better on a drawn scene: the Cramer-Rao bound from its pixels.

The reference is drawn again under cameras that differ a little, and as it might be made a little
differently. How much the pixels change against their noise is all that a picture can tell of each;
what stands in front of the reference is left out. With what is known of the lens beforehand this
gives the least possible doubt of every length.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.fit import moved, project_with_jacobian
from calibration.plane import Calibration
from calibration.sheet_camera import FOCAL_GUESS_DOUBT, FOV_DOUBT, USUAL_K1_DOUBT
from tests.calibration.drawing import Drawing
from tests.calibration.flat import Scene

GRAIN = 2.0
"""Noise of every colour of a pixel, as ``Drawing.picture`` makes it."""

SHIFT_PX = 0.5
MADE_MM = 0.3

Paint = Callable[[Drawing, NDArray[np.float64]], None]
"""Draws the reference; the numbers are what is unknown of how it is made or lies, 0 as it is."""


@dataclass(frozen=True, slots=True, eq=False)
class Painted:
    """A reference that can be drawn again.

    Attributes:
        paint: Draws it and nothing else.
        steps: By how much each of its unknowns is changed, (E,).
        corners: Table points that it lies between, (N, 2).
    """

    paint: Paint
    steps: NDArray[np.float64]
    corners: NDArray[np.float64]


def _picture(
    view: Scene, truth: Calibration, painted: Painted, made: NDArray[np.float64]
) -> NDArray[np.float32]:
    """The reference under a camera, without noise."""
    drawing = Drawing(truth, view.background)
    painted.paint(drawing, made)
    size = truth.image_size_px
    small = cv2.resize(drawing.canvas, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small.astype(np.float32), (0, 0), 0.6))


def bound(view: Scene, painted: Painted, fov_known: bool) -> Calibration:
    """The scene's own camera with the least doubt that its picture leaves.

    Args:
        view: The scene, drawn.
        painted: Its reference.
        fov_known: The field of view is told.

    Returns:
        The truth with the covariance of the bound.
    """
    truth = view.truth
    usual = np.zeros(len(painted.steps))
    base = _picture(view, truth, painted, usual)
    shown = cv2.resize(view.drawing.canvas, truth.image_size_px, interpolation=cv2.INTER_AREA)
    shown = cv2.GaussianBlur(shown.astype(np.float32), (0, 0), 0.6)
    hidden = (np.abs(shown - base).max(axis=2) > 3).astype(np.uint8)
    free = cv2.dilate(hidden, np.ones((5, 5), np.uint8)) == 0
    lens, pose = truth.intrinsics, truth.camera_T_table
    corners = np.column_stack([painted.corners, np.zeros(len(painted.corners))])
    run = np.abs(project_with_jacobian(lens, pose, corners)[1]).max(axis=(0, 1))
    rows = []
    for index in range(8 + len(usual)):
        both = []
        step = SHIFT_PX / run[index] if index < 8 else painted.steps[index - 8]
        for sign in (1.0, -1.0):
            made, change = usual.copy(), np.zeros(8)
            if index < 8:
                change[index] = sign * step
            else:
                made[index - 8] = sign * step
            new_lens, new_pose = moved(lens, pose, change)
            other = replace(truth, intrinsics=new_lens, camera_T_table=new_pose)
            both.append(_picture(view, other, painted, made)[free])
        rows.append(((both[0] - both[1]) / (2 * step * GRAIN)).ravel())
    slopes = np.stack(rows)
    information = np.asarray(slopes @ slopes.T, dtype=np.float64)
    information[6, 6] += 1 / (FOV_DOUBT if fov_known else FOCAL_GUESS_DOUBT) ** 2
    information[7, 7] += 1 / USUAL_K1_DOUBT**2
    scale = np.sqrt(np.maximum(np.diag(information), 1e-12))
    inner = np.linalg.pinv(information / np.outer(scale, scale), hermitian=True, rcond=1e-12)
    covariance = (inner / np.outer(scale, scale))[:8, :8]
    covariance[6] *= lens.fx_px
    covariance[:, 6] *= lens.fx_px
    return replace(truth, covariance=covariance)


def bound_errors(
    view: Scene, least: Calibration, size: tuple[float, float], seed: int
) -> NDArray[np.float64]:
    """Relative errors of the scene's lengths as the bound lets them be.

    Args:
        view: The scene.
        least: Of ``bound``.
        size: What lengths lie about.
        seed: Of the draw.
    """
    rng = np.random.default_rng(seed)
    found = []
    for px, true in view.spans(size, 200):
        sigma = least.length(px[0], px[1], pixel_sigma=0.0)[1]
        found.append(np.abs(rng.normal(0, sigma / true, 5)))
    return np.concatenate(found)
