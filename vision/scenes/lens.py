"""Radial distortion put on a picture of a pinhole camera, after OpenCV's k1."""

import numpy as np
from numpy.typing import NDArray

from vision.scenes.camera import Camera

STEEPEST = 0.4
"""Least slope of the seen over the true radius in the corners: real lenses do not fold."""


def undistorted(radius: NDArray[np.float64], k1: float) -> NDArray[np.float64]:
    """True radii of seen ones, both in focal lengths (Newton's method)."""
    true = np.array(radius, dtype=float)
    for _ in range(30):
        slope = np.maximum(1 + 3 * k1 * true**2, 0.05)
        true = np.clip(true - (true * (1 + k1 * true**2) - radius) / slope, 0.0, 10.0)
    return true


def possible(width_px: int, height_px: int, focal_px: float, k1: float) -> bool:
    """Whether a lens with this k1 still maps one to one as far as the corners."""
    corner = np.array([np.hypot(width_px, height_px) / 2 / focal_px])
    true = float(undistorted(corner, k1)[0])
    folds = 1 + 3 * k1 * true**2 < STEEPEST
    return bool(not folds and abs(true * (1 + k1 * true**2) - corner[0]) < 1e-6)


def _true_places(camera: Camera, k1: float) -> NDArray[np.float64]:
    """(H, W, 2) place of every pixel without distortion, px from the principal point."""
    x = np.arange(camera.width_px) - (camera.width_px - 1) / 2
    y = np.arange(camera.height_px) - (camera.height_px - 1) / 2
    seen = np.stack(np.meshgrid(x, y), axis=2)
    radius = np.maximum(np.hypot(seen[:, :, 0], seen[:, :, 1]) / camera.focal_px, 1e-9)
    places: NDArray[np.float64] = seen * (undistorted(radius, k1) / radius)[:, :, None]
    return places


def canvas(camera: Camera, k1: float) -> Camera:
    """The pinhole camera whose picture holds all a distorted one sees."""
    places = np.abs(_true_places(camera, k1))
    wide, high = (2 * int(np.ceil(places[:, :, i].max())) + 6 for i in (0, 1))
    return Camera(wide, high, camera.focal_px, camera.camera_T_table)


def distort(
    pixels: NDArray[np.float32], source: Camera, camera: Camera, k1: float
) -> NDArray[np.float32]:
    """Resample a pinhole picture as a lens with k1 shows it (Catmull-Rom cubic).

    Args:
        pixels: (H, W, 3) of `source`, from `canvas`.
        source: The pinhole camera.
        camera: Size and focal length of the result.
        k1: First radial term.

    Returns:
        (H, W, 3) of `camera`.
    """
    centre = np.array([(source.width_px - 1) / 2, (source.height_px - 1) / 2])
    at = _true_places(camera, k1) + centre
    low = np.floor(at).astype(np.int64)
    rest = (at - low).astype(np.float32)
    taps = [_cubic(rest[:, :, i]) for i in (0, 1)]
    result = np.zeros((*at.shape[:2], 3), dtype=np.float32)
    for j in range(4):
        y = np.clip(low[:, :, 1] + j - 1, 0, source.height_px - 1)
        row = np.zeros_like(result)
        for i in range(4):
            x = np.clip(low[:, :, 0] + i - 1, 0, source.width_px - 1)
            row += taps[0][i][:, :, None] * pixels[y, x]
        result += taps[1][j][:, :, None] * row
    return np.maximum(result, 0)


def distort_ids(
    ids: NDArray[np.int32], source: Camera, camera: Camera, k1: float
) -> NDArray[np.int32]:
    """Ids (H, W) of `source` as a lens with k1 shows them, the nearest one for each pixel."""
    centre = np.array([(source.width_px - 1) / 2, (source.height_px - 1) / 2])
    at = np.rint(_true_places(camera, k1) + centre).astype(np.int64)
    rows = np.clip(at[:, :, 1], 0, source.height_px - 1)
    seen: NDArray[np.int32] = ids[rows, np.clip(at[:, :, 0], 0, source.width_px - 1)]
    return seen


def distorted(places: NDArray[np.float64], camera: Camera, k1: float) -> NDArray[np.float64]:
    """(N, 2) pinhole pixels of `camera` to those behind a lens with k1."""
    centre = np.array([(camera.width_px - 1) / 2, (camera.height_px - 1) / 2])
    away = (places - centre) / camera.focal_px
    scaled = away * (1 + k1 * (away**2).sum(axis=1, keepdims=True))
    seen: NDArray[np.float64] = scaled * camera.focal_px + centre
    return seen


def _cubic(t: NDArray[np.float32]) -> list[NDArray[np.float32]]:
    t2, t3 = t * t, t * t * t
    return [
        -0.5 * t3 + t2 - 0.5 * t,
        1.5 * t3 - 2.5 * t2 + 1,
        -1.5 * t3 + 2 * t2 + 0.5 * t,
        0.5 * t3 - 0.5 * t2,
    ]
