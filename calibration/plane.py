"""A calibrated table: pixels to table millimetres and back, with the doubt of every point."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Intrinsics
from calibration.quality import length_with_sigma, point_sigma
from calibration.rays import homogeneous, meet_plane

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
        covariance: (6, 6) covariance of the pose (small turn in the camera frame applied to the
            rotation of camera_T_table, radians; then its translation, mm), or (8, 8) with focal
            length (px) and k1 appended.
        scale_sigma: Relative doubt of the reference's own size (stud pitch, sheet), added to
            every length.
        reference_plane_mm: Height of the reference over z = 0.
        studs: For ``studs`` only.
        assumed: What was taken for granted, in words.
        warnings: For the user.
        outline_px: Convex outline of the reference in original pixels, (M, 2).
        pose_H_image: (3, 3) homography near the identity from undistorted pixels to where the
            pose alone would put them; None when there is nothing to mend. It keeps the plane of
            four given points exact where no square-pixel camera could see them just so.
        seen_px: Reference points as seen, original pixels, (N, 2); not kept in files.
        seen_mm: Where these are on the table, (N, 3).
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
    pose_H_image: NDArray[np.float64] | None = None
    seen_px: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 2)))
    seen_mm: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 3)))
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
        plane_H_image: NDArray[np.float64] = np.linalg.inv(image_H_plane).astype(np.float64)
        if self.pose_H_image is not None:
            plane_H_image = plane_H_image @ self.pose_H_image
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
        if self.pose_H_image is not None:
            flat = homogeneous(self.pose_H_image, flat)
        return meet_plane(self.intrinsics, self.camera_T_table, flat, height_mm)

    def sigma_mm(
        self,
        px: NDArray[np.float64],
        height_mm: float | NDArray[np.float64] = 0.0,
        pixel_sigma: float = 0.5,
    ) -> NDArray[np.float64]:
        """One standard deviation of table points along their worst direction.

        Args:
            px: Original pixels, (N, 2).
            height_mm: Height over z = 0, one for all or (N,).
            pixel_sigma: How well each pixel is known, px.

        Returns:
            (N,) mm; NaN where ``to_table`` is NaN.
        """
        points = np.asarray(px, dtype=np.float64).reshape(-1, 2)
        return point_sigma(self, points, height_mm, pixel_sigma)

    def length(
        self,
        px_a: tuple[float, float] | NDArray[np.float64],
        px_b: tuple[float, float] | NDArray[np.float64],
        height_mm: float | NDArray[np.float64] = 0.0,
        pixel_sigma: float = 0.5,
    ) -> tuple[float, float]:
        """Length in the table plane between what two pixels show, and its doubt.

        Args:
            px_a: Original pixel of one end, (2,).
            px_b: Original pixel of the other end, (2,).
            height_mm: Height over z = 0 of both ends, or one for each, (2,).
            pixel_sigma: How well each pixel is known, px.

        Returns:
            mm and one standard deviation along the length in mm, correlations included; both NaN
            where an end is above the horizon.
        """
        ends = np.array([px_a, px_b], dtype=np.float64).reshape(2, 2)
        heights = np.broadcast_to(np.asarray(height_mm, dtype=np.float64), (2,))
        return length_with_sigma(self, ends, heights, pixel_sigma)

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
        if self.pose_H_image is None:
            return self.intrinsics.project(camera)
        straight = replace(self.intrinsics, distortion=(0.0, 0.0, 0.0, 0.0, 0.0)).project(camera)
        flat = homogeneous(np.linalg.inv(self.pose_H_image).astype(np.float64), straight)
        K = self.intrinsics
        rays = np.column_stack(
            [
                (flat[:, 0] - K.cx_px) / K.fx_px,
                (flat[:, 1] - K.cy_px) / K.fy_px,
                np.ones(len(flat)),
            ]
        )
        return K.project(rays)

    @property
    def camera_position_mm(self) -> NDArray[np.float64]:
        """Camera centre in the table frame, (3,)."""
        rotation, shift = self.camera_T_table[:3, :3], self.camera_T_table[:3, 3]
        return np.asarray(-rotation.T @ shift, dtype=np.float64)
