"""Known cameras over a table, for tests."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Intrinsics
from calibration.plane import Calibration

SIZE = (1920, 1080)


def look_at(
    target: tuple[float, float],
    distance: float,
    elevation_deg: float,
    azimuth_deg: float = -90.0,
    roll_deg: float = 0.0,
) -> NDArray[np.float64]:
    """camera_T_table of a camera that looks at a table point."""
    up, around = np.radians(elevation_deg), np.radians(azimuth_deg)
    towards = np.array([np.cos(up) * np.cos(around), np.cos(up) * np.sin(around), np.sin(up)])
    centre = np.array([*target, 0.0]) + distance * towards
    forward = -towards
    right = np.array([-np.sin(around), np.cos(around), 0.0])
    down = np.cross(forward, right)
    roll = np.radians(roll_deg)
    right, down = (
        np.cos(roll) * right + np.sin(roll) * down,
        -np.sin(roll) * right + np.cos(roll) * down,
    )
    pose = np.eye(4)
    pose[:3, :3] = np.stack([right, down, forward])
    pose[:3, 3] = -pose[:3, :3] @ centre
    return pose


def camera(focal: float = 1400.0, k1: float = 0.0, size: tuple[int, int] = SIZE) -> Intrinsics:
    """A centred camera."""
    return Intrinsics.centred(focal, size).with_lens(focal, k1)


def view(pose: NDArray[np.float64], lens: Intrinsics, size: tuple[int, int] = SIZE) -> Calibration:
    """A calibration without doubt."""
    return Calibration("points", "test", size, lens, pose)
