"""Pinhole camera with OpenCV's five distortion terms."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

Distortion = tuple[float, float, float, float, float]


@dataclass(frozen=True, slots=True)
class Intrinsics:
    """What the lens and sensor do, for one resolution.

    Attributes:
        fx_px: Focal length along x.
        fy_px: Focal length along y.
        cx_px: Principal point, x.
        cy_px: Principal point, y.
        distortion: k1, k2, p1, p2, k3 as in OpenCV.
        focal_doubt: Relative doubt of the focal length where it was measured before; 0 is certain.
        k1_doubt: Doubt of k1, likewise.
    """

    fx_px: float
    fy_px: float
    cx_px: float
    cy_px: float
    distortion: Distortion = (0.0, 0.0, 0.0, 0.0, 0.0)
    focal_doubt: float = 0.0
    k1_doubt: float = 0.0

    @classmethod
    def from_fov(cls, fov_deg: float, size_px: tuple[int, int]) -> Intrinsics:
        """Square pixels, centred principal point and no distortion.

        Args:
            fov_deg: Horizontal field of view.
            size_px: Width and height of the picture.
        """
        return cls.centred(size_px[0] / 2 / math.tan(math.radians(fov_deg) / 2), size_px)

    @classmethod
    def centred(cls, focal_px: float, size_px: tuple[int, int]) -> Intrinsics:
        """Square pixels, no distortion, principal point at half the width and height.

        Half the size, not half of (size - 1): other programs are told 960, 540 for 1920 x 1080.
        The half pixel is far below what real lenses are off centre, and the pose takes it up.

        Args:
            focal_px: Focal length.
            size_px: Width and height of the picture.
        """
        return cls(focal_px, focal_px, size_px[0] / 2, size_px[1] / 2)

    def with_lens(self, focal_px: float, k1: float) -> Intrinsics:
        """The same camera with another focal length and first radial term.

        Args:
            focal_px: New fx; fy keeps its ratio to it.
            k1: New first radial distortion term.
        """
        ratio = self.fy_px / self.fx_px
        return replace(
            self,
            fx_px=focal_px,
            fy_px=focal_px * ratio,
            distortion=(k1, *self.distortion[1:]),
        )

    def scaled(self, scale: float) -> Intrinsics:
        """The same camera for pictures shrunk or enlarged by a factor.

        Args:
            scale: New size over old; pixel centres are whole numbers in both.
        """
        return replace(
            self,
            fx_px=self.fx_px * scale,
            fy_px=self.fy_px * scale,
            cx_px=(self.cx_px + 0.5) * scale - 0.5,
            cy_px=(self.cy_px + 0.5) * scale - 0.5,
        )

    @property
    def matrix(self) -> NDArray[np.float64]:
        """Camera matrix K, (3, 3)."""
        return np.array(
            [[self.fx_px, 0.0, self.cx_px], [0.0, self.fy_px, self.cy_px], [0.0, 0.0, 1.0]]
        )

    @property
    def is_pinhole(self) -> bool:
        """No distortion at all."""
        return not any(self.distortion)

    def undistort(self, px: NDArray[np.float64]) -> NDArray[np.float64]:
        """Where the points would lie without distortion.

        Args:
            px: Original pixels, (N, 2).

        Returns:
            Undistorted pixels with the same camera matrix, (N, 2).
        """
        points = np.asarray(px, dtype=np.float64).reshape(-1, 2)
        if self.is_pinhole or not len(points):
            return points.copy()
        criteria = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 40, 1e-9)
        flat = cv2.undistortPoints(
            points.reshape(-1, 1, 2),
            self.matrix,
            np.array(self.distortion),
            R=np.eye(3),
            P=self.matrix,
            criteria=criteria,
        )
        return np.asarray(flat, dtype=np.float64).reshape(-1, 2)

    def project(self, points_camera: NDArray[np.float64]) -> NDArray[np.float64]:
        """Original pixels of points in the camera frame.

        Args:
            points_camera: x right, y down, z forward, in mm, (N, 3).

        Returns:
            Pixels, (N, 2); NaN for points not in front of the camera.
        """
        points = np.asarray(points_camera, dtype=np.float64).reshape(-1, 3)
        with np.errstate(divide="ignore", invalid="ignore"):
            x, y = points[:, 0] / points[:, 2], points[:, 1] / points[:, 2]
        k1, k2, p1, p2, k3 = self.distortion
        r2 = x * x + y * y
        radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
        xd = x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x)
        yd = y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y
        px = np.stack([self.fx_px * xd + self.cx_px, self.fy_px * yd + self.cy_px], axis=1)
        px[points[:, 2] <= 0] = np.nan
        return px
