"""A calibrated table: pixels to table millimetres and back, with the doubt of every point."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Intrinsics

SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True)
class Studs:
    """What the stud lattice looked like."""

    count: int
    pitch_mm: float


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """How one camera sees one table.

    Attributes:
        reference: ``points``, ``studs``, ...
        origin: What the table frame starts from, in words.
        image_size_px: Width and height of the pictures it holds for.
        intrinsics: Lens and sensor.
        camera_T_table: (4, 4) table points to camera points (x right, y down, z forward), mm.
        size_mm: Width and depth of the table from the origin, None when its edges are unknown.
        rms_px: Residual of the reference points.
        covariance: (6, 6) covariance of the pose (rotation vector of camera_T_table in radians,
            then translation in mm), or (8, 8) with focal length and k1 appended.
        scale_sigma: Relative doubt of the reference's own size (stud pitch, sheet), added to
            every length.
        reference_plane_mm: Height of the reference over z = 0.
        studs: For ``studs`` only.
        assumed: What was taken for granted, in words.
        warnings: For the user.
        outline_px: Convex outline of the reference in original pixels, (M, 2).
    """

    reference: str
    origin: str
    image_size_px: tuple[int, int]
    intrinsics: Intrinsics
    camera_T_table: NDArray[np.float64]
    size_mm: tuple[float, float] | None = None
    rms_px: float = 0.0
    covariance: NDArray[np.float64] = field(default_factory=lambda: np.zeros((6, 6)))
    scale_sigma: float = 0.0
    reference_plane_mm: float = 0.0
    studs: Studs | None = None
    assumed: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    outline_px: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 2)))
    schema_version: int = SCHEMA_VERSION

    @property
    def table_H_image(self) -> NDArray[np.float64]:
        """(3, 3) homography from undistorted pixels to table mm at z = 0."""
        return self._plane_H_image(0.0)

    def _plane_H_image(self, height_mm: float) -> NDArray[np.float64]:
        rotation, shift = self.camera_T_table[:3, :3], self.camera_T_table[:3, 3]
        image_H_plane = self.intrinsics.matrix @ np.column_stack(
            [rotation[:, 0], rotation[:, 1], rotation[:, 2] * height_mm + shift]
        )
        plane_H_image = np.linalg.inv(image_H_plane)
        return np.asarray(plane_H_image / plane_H_image[2, 2], dtype=np.float64)

    def to_table(
        self, px: NDArray[np.float64], height_mm: float | NDArray[np.float64] = 0.0
    ) -> NDArray[np.float64]:
        """Table points under pixels of something at a known height.

        Args:
            px: Original pixels, (N, 2).
            height_mm: Height over z = 0, one for all or (N,).

        Returns:
            x and y in table mm, (N, 2); NaN where the ray never comes down to that height.
        """
        flat = self.intrinsics.undistort(np.asarray(px, dtype=np.float64).reshape(-1, 2))
        K = self.intrinsics
        rays = np.stack(
            [
                (flat[:, 0] - K.cx_px) / K.fx_px,
                (flat[:, 1] - K.cy_px) / K.fy_px,
                np.ones(len(flat)),
            ],
            axis=1,
        )
        rotation, shift = self.camera_T_table[:3, :3], self.camera_T_table[:3, 3]
        centre = -rotation.T @ shift
        directions = rays @ rotation
        heights = np.broadcast_to(np.asarray(height_mm, dtype=np.float64), (len(flat),))
        with np.errstate(divide="ignore", invalid="ignore"):
            along = (heights - centre[2]) / directions[:, 2]
        table: NDArray[np.float64] = centre[None, :2] + along[:, None] * directions[:, :2]
        table[~(along > 0)] = np.nan
        return table

    def to_image(self, points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
        """Original pixels of table points.

        Args:
            points_mm: (N, 2) at z = 0, or (N, 3).

        Returns:
            (N, 2); NaN for points not in front of the camera.
        """
        points = np.asarray(points_mm, dtype=np.float64)
        points = points.reshape(-1, points.shape[-1])
        if points.shape[1] == 2:
            points = np.column_stack([points, np.zeros(len(points))])
        camera = points @ self.camera_T_table[:3, :3].T + self.camera_T_table[:3, 3]
        return self.intrinsics.project(camera)

    @property
    def camera_position_mm(self) -> NDArray[np.float64]:
        """Camera centre in the table frame, (3,)."""
        rotation, shift = self.camera_T_table[:3, :3], self.camera_T_table[:3, 3]
        return np.asarray(-rotation.T @ shift, dtype=np.float64)
