"""Drawn pictures of flat things on a table: sheets and boards, under random cameras."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import COLUMNS, ROWS, SQUARE_MM, marker_cells
from calibration.plane import Calibration
from tests.calibration.drawing import Drawing
from tests.calibration.views import camera, look_at, view

PAPER = (225, 232, 235)
INK = (25, 25, 25)


def fill(drawing: Drawing, places: NDArray[np.float64], colour: tuple[int, int, int]) -> None:
    """Fill a polygon of table points, (N, 2), its sides bent as the lens bends them."""
    sides = np.roll(places, -1, axis=0)
    along = np.linspace(0, 1, 24, endpoint=False)[None, :, None]
    path = (places[:, None] + along * (sides - places)[:, None]).reshape(-1, 2)
    px = (drawing.camera.to_image(path) + 0.5) * 2 - 0.5
    cv2.fillPoly(drawing.canvas, [np.round(px * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)


def box(x: float, y: float, width: float, depth: float) -> NDArray[np.float64]:
    """Corners of a rectangle of the table, (4, 2)."""
    return np.array([[x, y], [x + width, y], [x + width, y + depth], [x, y + depth]])


def rounded(width: float, depth: float, radius: float) -> NDArray[np.float64]:
    """A rectangle with rounded corners, (N, 2)."""
    turn = np.linspace(0, np.pi / 2, 8)
    parts = [
        np.array([x, y]) + radius * np.column_stack([np.cos(turn + start), np.sin(turn + start)])
        for x, y, start in (
            (width - radius, depth - radius, 0.0),
            (radius, depth - radius, np.pi / 2),
            (radius, radius, np.pi),
            (width - radius, radius, 3 * np.pi / 2),
        )
    ]
    return np.concatenate(parts)


def draw_board(drawing: Drawing) -> None:
    """The printed board on its page, lower left corner of the pattern at the origin."""
    fill(drawing, box(-15, -42, 210, 297), PAPER)
    for x, y, side in marker_cells():
        fill(drawing, box(x, y, side, side), INK)


BOARD = (COLUMNS * SQUARE_MM, ROWS * SQUARE_MM)


@dataclass(frozen=True, slots=True)
class Scene:
    """A drawing to be filled, and the camera that sees it."""

    truth: Calibration
    drawing: Drawing
    rng: np.random.Generator
    background: tuple[int, int, int]

    def clutter(self, count: int, low: tuple[float, float], high: tuple[float, float]) -> None:
        """Stand blocks of a figure's size about, some of them in front."""
        for _ in range(count):
            corner = self.rng.uniform(low, high)
            colour = tuple(int(value) for value in self.rng.integers(0, 255, 3))
            self.drawing.block((corner[0], corner[1]), (16, 16, 40), colour)  # type: ignore[arg-type]

    def length_errors(
        self, found: Calibration, size: tuple[float, float], count: int = 200
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Relative errors of lengths of 100 to 400 mm near something, and the same in sigmas."""
        off, pulls = [], []
        for px, true in self.spans(size, count):
            length, sigma = found.length(px[0], px[1], pixel_sigma=0.0)
            off.append(length / true - 1)
            pulls.append((length - true) / sigma)
        return np.array(off), np.array(pulls)

    def spans(
        self, size: tuple[float, float], count: int
    ) -> Iterator[tuple[NDArray[np.float64], float]]:
        """Random lengths in view: the pixels of both ends, (2, 2), and the mm between them."""
        width, height = self.truth.image_size_px
        for _ in range(count):
            start = self.rng.uniform([-200, -200], np.array(size) + 200)
            turn = self.rng.uniform(0, 2 * np.pi)
            true = self.rng.uniform(100, 400)
            end = start + true * np.array([np.cos(turn), np.sin(turn)])
            px = self.truth.to_image(np.array([start, end]))
            if (px < 0).any() or (px >= [width, height]).any():
                continue
            if np.abs(self.truth.to_table(px) - [start, end]).max() > 0.1:
                continue  # so far outside that the drawn lens folds it back into the picture
            yield px, true


def scene(
    seed: int,
    size: tuple[float, float],
    elevation: tuple[float, float] = (35, 85),
    distance: tuple[float, float] = (500, 1200),
) -> Scene:
    """A random camera over something of a size that lies at the origin; whole in view."""
    rng = np.random.default_rng(seed)
    picture = (1920, 1080) if seed % 2 else (1280, 720)
    corners = box(-5, -5, size[0] + 10, size[1] + 10)
    while True:
        lens = camera(picture[0] * rng.uniform(0.6, 1.2), rng.uniform(-0.2, 0.1), picture)
        target = (size[0] / 2 + rng.uniform(-60, 60), size[1] / 2 + rng.uniform(-60, 60))
        pose = look_at(
            target,
            rng.uniform(*distance),
            rng.uniform(*elevation),
            rng.uniform(-180, 180),
            rng.uniform(-8, 8),
        )
        truth = view(pose, lens, picture)
        px = truth.to_image(corners)
        if (px > 2).all() and (px < np.array(picture) - 3).all():
            break
    shade = tuple(int(value) for value in rng.integers(30, 140, 3))
    background = (shade[0], shade[1], shade[2])
    return Scene(truth, Drawing(truth, background), rng, background)
