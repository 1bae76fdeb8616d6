"""A ruler as a camera sees it: from places on it to the picture and back."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Intrinsics
from calibration.rays import meet_plane

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class RulerView:
    """A ruler as a camera sees it.

    Attributes:
        lens: Lens.
        camera_T_ruler: (4, 4) from the ruler's frame: x along it, strokes at whole spaces, mm.
    """

    lens: Intrinsics
    camera_T_ruler: Floats

    def to_image(self, x_mm: Floats, y_mm: Floats) -> Floats:
        """Pixels of points on the ruler, (..., 2)."""
        x, y = np.broadcast_arrays(x_mm, y_mm)
        points = np.column_stack([x.ravel(), y.ravel(), np.zeros(x.size)])
        turned = points @ self.camera_T_ruler[:3, :3].T + self.camera_T_ruler[:3, 3]
        return self.lens.project(turned).reshape(*x.shape, 2)

    def to_ruler(self, px: Floats) -> Floats:
        """Places on the ruler, mm, (N, 2)."""
        return meet_plane(self.lens, self.camera_T_ruler, self.lens.undistort(px), 0.0)


def view_of(lens: Intrinsics, camera_T_table: Floats, place: Floats) -> RulerView:
    """A ruler that lies at (x, y, turn) on the table."""
    cos, sin = np.cos(place[2]), np.sin(place[2])
    table_T_ruler = np.eye(4)
    table_T_ruler[:2, :2] = [[cos, -sin], [sin, cos]]
    table_T_ruler[:2, 3] = place[:2]
    return RulerView(lens, camera_T_table @ table_T_ruler)


def look_up(gray: NDArray[np.float32], grid: Floats) -> Floats:
    """Brightness at pixels, (..., 2) to (...), NaN outside."""
    flat = grid.reshape(len(grid), -1, 2).astype(np.float32)
    values = cv2.remap(
        gray,
        np.ascontiguousarray(flat[..., 0]),
        np.ascontiguousarray(flat[..., 1]),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=(float("nan"),),
    )
    return np.asarray(values, dtype=np.float64).reshape(grid.shape[:-1])
