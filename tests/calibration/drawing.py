"""Drawn pictures of a baseplate under a known camera, with things standing on it."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import Calibration

STUD_RADIUS = 2.4
STUD_HEIGHT = 1.6
PITCH = 8.0


def _circle(middle: tuple[float, float], height: float, radius: float) -> NDArray[np.float64]:
    turn = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    return np.column_stack(
        [
            middle[0] + radius * np.cos(turn),
            middle[1] + radius * np.sin(turn),
            np.full_like(turn, height),
        ]
    )


class Drawing:
    """A picture that is drawn at twice its size and shrunk."""

    def __init__(
        self, camera: Calibration, background: tuple[int, int, int] = (70, 90, 120)
    ) -> None:
        self.camera = camera
        width, height = camera.image_size_px
        rng = np.random.default_rng(5)
        wood = rng.normal(0, 6, (height * 2, width // 16, 1)).repeat(32, axis=1)
        canvas = np.full((height * 2, width * 2, 3), background, np.float64)
        canvas[:, : wood.shape[1]] += wood[:, : width * 2]
        self.canvas = canvas.clip(0, 255).astype(np.uint8)

    def polygon(self, places: NDArray[np.float64], colour: tuple[float, float, float]) -> None:
        """Fill the convex hull of table points, (N, 3)."""
        px = (self.camera.to_image(places) + 0.5) * 2 - 0.5
        shape = cv2.convexHull(np.round(px * 16).astype(np.int32))
        cv2.fillConvexPoly(self.canvas, shape, colour, cv2.LINE_AA, 4)

    def plate(
        self,
        studs: tuple[int, int],
        colour: tuple[int, int, int] = (80, 140, 70),
        light: tuple[float, float, float] = (-0.5, 0.4, 0.77),
        origin: tuple[float, float] = (0.0, 0.0),
        level: float = 0.0,
    ) -> None:
        """A baseplate whose grid starts at the origin, its face at z = ``level``."""
        across, deep = studs
        base = np.array(colour, float)
        x0, y0 = origin
        x1, y1 = x0 + across * PITCH, y0 + deep * PITCH
        face = np.array([[x0, y0, level], [x1, y0, level], [x1, y1, level], [x0, y1, level]])
        self.polygon(face, tuple(base))
        drop = np.array(light[:2]) / light[2] * -STUD_HEIGHT
        for row in range(deep - 1, -1, -1):
            for column in range(across):
                middle = (x0 + (column + 0.5) * PITCH, y0 + (row + 0.5) * PITCH)
                foot = _circle(middle, level, STUD_RADIUS)
                cast = _circle((middle[0] + drop[0], middle[1] + drop[1]), level, STUD_RADIUS)
                top = _circle(middle, level + STUD_HEIGHT, STUD_RADIUS)
                self.polygon(np.concatenate([foot, cast]), tuple(base * 0.6))
                self.polygon(np.concatenate([foot, top]), tuple(base * 0.8))
                towards = _circle(
                    (middle[0] + light[0] * 0.35, middle[1] + light[1] * 0.35),
                    level + STUD_HEIGHT,
                    STUD_RADIUS * 0.86,
                )
                self.polygon(top, tuple((base * 1.35 + 15).clip(0, 255)))
                self.polygon(towards, tuple((base * 1.08 + 5).clip(0, 255)))

    def block(
        self,
        corner: tuple[float, float],
        size: tuple[float, float, float],
        colour: tuple[int, int, int],
    ) -> None:
        """A box that stands on the plate."""
        (x, y), (width, depth, height) = corner, size
        floor = np.array([[x, y], [x + width, y], [x + width, y + depth], [x, y + depth]])
        low, high = (np.column_stack([floor, np.full(4, level)]) for level in (0.0, height))
        base = np.array(colour, float)
        self.polygon(np.concatenate([low, high]), tuple(base * 0.7))
        self.polygon(high, tuple(base))

    def picture(self, noise: float = 2.0, seed: int = 1) -> NDArray[np.uint8]:
        """(H, W, 3) BGR at the camera's size, with sensor noise."""
        width, height = self.camera.image_size_px
        small = cv2.resize(self.canvas, (width, height), interpolation=cv2.INTER_AREA)
        small = cv2.GaussianBlur(small, (0, 0), 0.6)
        grain = np.random.default_rng(seed).normal(0, noise, small.shape)
        return (small + grain).clip(0, 255).astype(np.uint8)
