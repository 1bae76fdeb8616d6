"""Where exactly the stud tops are: one mean stud, its centre, and every stud placed by it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Intrinsics
from calibration.lattice import peak_shifts
from calibration.stud_seeds import Gray

CELL = 24
"""Rectified pixels a stud."""

RIM = 2.4 / 8.0
"""Radius of a stud in steps: 6 of the 20 LDraw units between studs."""


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A camera over the plane of the stud tops.

    Attributes:
        intrinsics: The lens.
        camera_T_table: (4, 4) pose, mm.
        pitch_mm: One step.
        height_mm: Height of the stud tops over z = 0.
    """

    intrinsics: Intrinsics
    camera_T_table: NDArray[np.float64]
    pitch_mm: float
    height_mm: float

    def project(self, places: NDArray[np.float64]) -> NDArray[np.float64]:
        """Pixels of places in steps, (N, 2), NaN behind the camera."""
        points = np.column_stack([places * self.pitch_mm, np.full(len(places), self.height_mm)])
        camera = points @ self.camera_T_table[:3, :3].T + self.camera_T_table[:3, 3]
        return self.intrinsics.project(camera)

    def step_px(self, places: NDArray[np.float64]) -> NDArray[np.float64]:
        """Pixels a step along both axes, columns of (N, 2, 2)."""
        ahead = [self.project(places + 0.5 * np.eye(2)[axis]) for axis in range(2)]
        behind = [self.project(places - 0.5 * np.eye(2)[axis]) for axis in range(2)]
        return np.stack([ahead[0] - behind[0], ahead[1] - behind[1]], axis=2)


def rectify_view(
    flat: Gray, view: View, low: NDArray[np.float64], shape: tuple[int, int], cell: int = CELL
) -> Gray:
    """The plane of the stud tops seen from straight above.

    Args:
        flat: Flattened brightness, (H, W).
        view: The camera.
        low: Place of the first pixel's centre, (2,).
        shape: Width and height of the result in px.
        cell: Pixels a step.

    Returns:
        (height, width); 0 where the picture ends.
    """
    coarse = 4
    xs = np.arange(0, shape[0] + coarse, coarse)
    ys = np.arange(0, shape[1] + coarse, coarse)
    grid = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    px = view.project(low + grid / cell).reshape(len(ys), len(xs), 2).astype(np.float32)
    # Between every fourth pixel the map is straight enough; the grid starts half a cell early.
    big = (len(xs) * coarse, len(ys) * coarse)
    shift = np.array([[1 / coarse, 0, 0], [0, 1 / coarse, 0]], dtype=np.float32)
    maps = [
        cv2.warpAffine(
            np.ascontiguousarray(px[:, :, axis]), shift, big,
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE,
        )[: shape[1], : shape[0]]
        for axis in range(2)
    ]  # fmt: skip
    return np.asarray(cv2.remap(flat, maps[0], maps[1], cv2.INTER_LINEAR, borderValue=0))


def windows(rect: Gray, at: NDArray[np.int64], half: int) -> NDArray[np.float32]:
    """Square windows around pixels, (N, 2) to (N, 2 half + 1, 2 half + 1)."""
    views = np.lib.stride_tricks.sliding_window_view(rect, (2 * half + 1, 2 * half + 1))
    return np.asarray(views[at[:, 1] - half, at[:, 0] - half], dtype=np.float32)


def mean_cell(patches: NDArray[np.float32]) -> NDArray[np.float32]:
    """Mean of windows with outliers left out, (N, S, S) to (S, S)."""
    mean = patches.mean(axis=0)
    off = ((patches - mean) ** 2).mean(axis=(1, 2))
    return np.asarray(patches[off <= np.median(off) * 1.5].mean(axis=0), dtype=np.float32)


def rim_centre(cell: NDArray[np.float32], upsample: int = 4) -> tuple[NDArray[np.float64], float]:
    """Where the centre of the round top is in a mean stud.

    The rim of a stud top is an edge all round it, whatever the light makes of it: bright against
    a shadow on one side, dark against a highlight on the other. So the strength of the edge
    across a circle is summed, not its sign, and side light does not pull the centre.

    Args:
        cell: Mean stud over one period, (CELL, CELL), periodic.
        upsample: Finer pixels to search at.

    Returns:
        Shift of the rim's centre from the middle of the cell in steps, (2,), and its contrast:
        edge strength on the rim over the mean edge strength.
    """
    tiled = np.tile(cell, (3, 3))
    size = cell.shape[0] * upsample
    fine = cv2.resize(tiled, None, fx=upsample, fy=upsample, interpolation=cv2.INTER_CUBIC)
    dx = np.gradient(fine, axis=1)[size : 2 * size, size : 2 * size]
    dy = np.gradient(fine, axis=0)[size : 2 * size, size : 2 * size]
    votes = np.zeros((size, size))
    angles = np.linspace(0, 2 * np.pi, 32, endpoint=False)
    for angle in angles:
        c, s = np.cos(angle), np.sin(angle)
        across = np.abs(dx * c + dy * s)
        x, y = round(RIM * size * c), round(RIM * size * s)
        votes += np.sqrt(np.roll(across, (-y, -x), axis=(0, 1)))
    votes = cv2.GaussianBlur(np.tile(votes, (3, 3)), (0, 0), upsample * 0.75)
    votes = votes[size : 2 * size, size : 2 * size]
    y, x = np.unravel_index(int(votes.argmax()), votes.shape)
    ring = votes[y, x] / max(float(votes.mean()), 1e-9)
    centre = (np.array([x, y]) + 0.5) / size - 0.5
    return centre, float(ring)


def place_studs(
    rect: Gray, pattern: NDArray[np.float32], at: NDArray[np.int64], reach: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Find the mean stud near every expected place.

    Args:
        rect: Rectified picture.
        pattern: Mean stud, odd side.
        at: Expected pixels, (N, 2), far enough inside.
        reach: How far to look in px.

    Returns:
        Shifts from there in px, (N, 2), and correlations, (N,).
    """
    half = pattern.shape[0] // 2
    score = cv2.matchTemplate(rect, pattern, cv2.TM_CCOEFF_NORMED)
    np.nan_to_num(score, copy=False, nan=-1.0, posinf=-1.0, neginf=-1.0)
    fields = windows(score, at - half, reach + 1)
    return peak_shifts(fields)
