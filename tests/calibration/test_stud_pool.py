"""Faint studs are matched together with their neighbours, and must prove to be studs."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.lattice import Lattice, foretold, grow
from calibration.peaks import peak_shifts
from calibration.stud_look import PLAIN, POOLED
from calibration.stud_pool import pooled_shifts
from calibration.stud_proof import in_blocks
from calibration.stud_seeds import Gray, Seed

SIDE = 11
STEP = 9.0


def bumps(shifts: NDArray[np.float64]) -> NDArray[np.float32]:
    """Correlation fields with a peak so far from the middle, (N, 2) to (N, SIDE, SIDE)."""
    y, x = np.mgrid[:SIDE, :SIDE] - SIDE // 2
    far = (x - shifts[:, 0, None, None]) ** 2 + (y - shifts[:, 1, None, None]) ** 2
    return np.exp(-far / 8).astype(np.float32)


def test_neighbours_together_are_placed_better_than_each_by_itself() -> None:
    rng = np.random.default_rng(2)
    true = np.tile([1.3, -0.6], (12 * 10, 1))
    fields = 0.5 * bumps(true) + rng.normal(0, 0.12, (120, SIDE, SIDE)).astype(np.float32)
    off = [np.hypot(*(way - true).T) for way in (peak_shifts(fields)[0],
                                                pooled_shifts(fields, (12, 10))[0])]  # fmt: skip
    assert np.median(off[1]) < 0.6 * np.median(off[0])


def test_a_place_that_shows_nothing_itself_is_no_stud() -> None:
    fields = 0.6 * bumps(np.zeros((25, 2)))
    fields[12] = 0.0
    _, height = pooled_shifts(fields, (5, 5))
    assert height[12] == 0.0
    assert height[np.arange(25) != 12].min() > 0.5


@cache
def faint(contrast: float) -> tuple[Gray, Seed]:
    """Rings on a grid, fainter than the grain of the picture, and where to start."""
    y, x = np.mgrid[:300, :300].astype(np.float64)
    ring = np.hypot((x + STEP / 2) % STEP - STEP / 2, (y + STEP / 2) % STEP - STEP / 2)
    wave = np.exp(-((ring - 2.6) ** 2) / 1.5)
    wave[(x < 60) | (x > 220) | (y < 60) | (y > 220)] = 0.4
    noise = np.random.default_rng(4).normal(0, 1, wave.shape)
    flat = (contrast * (wave - wave.mean()) / wave.std() + noise).astype(np.float32)
    return flat, Seed(np.array([15 * STEP, 15 * STEP]), np.eye(2) * STEP, 0.5)


def test_together_they_are_followed_where_each_by_itself_is_lost() -> None:
    flat, seed = faint(0.2)
    alone, together = (grow(flat, seed, look=look) for look in (PLAIN, POOLED))
    assert together is not None
    assert len(together.nodes) > 200
    assert alone is None or len(alone.nodes) < 20
    assert foretold(flat, together) > 0.75


def test_places_that_were_only_picked_in_noise_foretell_nothing() -> None:
    rng = np.random.default_rng(6)
    grain = cv2.GaussianBlur(rng.normal(0, 1, (300, 300)), (0, 0), 1.5)
    nodes = np.stack(np.meshgrid(np.arange(12), np.arange(12)), -1).reshape(-1, 2)
    px = 60.0 + nodes * STEP + rng.uniform(-1, 1, (144, 2))
    matrix = np.array([[STEP, 0, 60], [0, STEP, 60], [0, 0, 1.0]])
    pattern = np.zeros((16, 16), dtype=np.float32)
    lattice = Lattice(matrix, nodes, px, pattern, np.full(144, 0.5), 1.0)
    assert foretold(np.asarray(grain / grain.std(), dtype=np.float32), lattice) < 0.3


@pytest.mark.parametrize("step", [8.0, 16.0])
def test_the_squares_of_a_compressed_picture_are_told_from_studs(step: float) -> None:
    grid = np.stack(np.meshgrid(np.arange(16), np.arange(16)), -1).reshape(-1, 2)
    rng = np.random.default_rng(0)
    assert in_blocks(grid * step + 3.3 + rng.normal(0, 0.3, (256, 2)))
    turned = np.array([[np.cos(0.2), -np.sin(0.2)], [np.sin(0.2), np.cos(0.2)]])
    assert not in_blocks(grid @ turned.T * step)
    assert not in_blocks(grid * (step * 1.03))
