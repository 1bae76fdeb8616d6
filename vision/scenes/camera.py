"""Camera over the table: a pinhole, or a lens with one radial term.

Camera frame: x right, y down, z forward. Pixel (0, 0) is the centre of the first pixel.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Camera:
    """Where the camera is and how it sees.

    Attributes:
        width_px: Picture width.
        height_px: Picture height.
        focal_px: Focal length, the same both ways; the principal point is the middle.
        camera_T_table: (4, 4) float64, table mm to camera mm.
        k1: First radial term of the lens, after OpenCV.
    """

    width_px: int
    height_px: int
    focal_px: float
    camera_T_table: NDArray[np.float64]
    k1: float = 0.0

    @property
    def K(self) -> NDArray[np.float64]:
        """(3, 3) intrinsic matrix."""
        cx, cy = (self.width_px - 1) / 2, (self.height_px - 1) / 2
        return np.array([[self.focal_px, 0, cx], [0, self.focal_px, cy], [0, 0, 1.0]])

    @property
    def eye_mm(self) -> NDArray[np.float64]:
        """(3,) place of the camera in table mm."""
        rotation, shift = self.camera_T_table[:3, :3], self.camera_T_table[:3, 3]
        eye: NDArray[np.float64] = -rotation.T @ shift
        return eye

    def depth_mm(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """(N,) distance along the optical axis of (N, 3) table points."""
        depth: NDArray[np.float64] = points @ self.camera_T_table[2, :3] + self.camera_T_table[2, 3]
        return depth

    def project(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """(N, 2) pixels of (N, 3) table mm; meaningless for points behind the camera."""
        seen = points @ self.camera_T_table[:3, :3].T + self.camera_T_table[:3, 3]
        seen[:, 2] = np.maximum(seen[:, 2], 1e-6)
        centre = np.array([(self.width_px - 1) / 2, (self.height_px - 1) / 2])
        away = seen[:, :2] / seen[:, 2:]
        if self.k1:
            square = (away**2).sum(axis=1, keepdims=True)
            # far outside the picture a barrel lens would fold back: there it goes on straight
            fold = 0.8 / (3 * -self.k1) if self.k1 < 0 else 4.0
            away = away * (1 + self.k1 * np.minimum(square, fold))
        pixels: NDArray[np.float64] = away * self.focal_px + centre
        return pixels


def look_at(
    width_px: int,
    height_px: int,
    hfov_deg: float,
    target_mm: tuple[float, float, float],
    distance_mm: float,
    elevation_deg: float,
    azimuth_deg: float,
    roll_deg: float = 0.0,
) -> Camera:
    """Camera at a distance from a target, seen along azimuth (0 = looks along +y).

    elevation is the angle of the line of sight under the horizon; roll turns the picture.
    """
    e, a, r = (math.radians(v) for v in (elevation_deg, azimuth_deg, roll_deg))
    forward = np.array([math.sin(a) * math.cos(e), math.cos(a) * math.cos(e), -math.sin(e)])
    right = np.array([math.cos(a), -math.sin(a), 0.0])
    down = np.cross(forward, right)
    rolled = right * math.cos(r) + down * math.sin(r)
    rotation = np.stack([rolled, np.cross(forward, rolled), forward])
    eye = np.asarray(target_mm) - distance_mm * forward
    matrix = np.eye(4)
    matrix[:3, :3] = rotation
    matrix[:3, 3] = -rotation @ eye
    focal = width_px / 2 / math.tan(math.radians(hfov_deg) / 2)
    return Camera(width_px, height_px, focal, matrix)
