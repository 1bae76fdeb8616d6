"""The steps on the way to studs, each alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.fit import moved, project_with_jacobian
from calibration.stud_camera import LensHints, upright
from calibration.stud_points import rim_centre, squareness
from calibration.stud_seeds import lattice_of, reduce_basis, self_correlation
from tests.calibration.views import SIZE, camera, look_at, view


@given(
    st.floats(3, 30), st.floats(3, 30), st.floats(0.4, 2.7),
    st.lists(st.tuples(st.integers(-3, 3), st.booleans()), max_size=5),
)  # fmt: skip
def test_any_basis_reduces_to_the_shortest(
    a: float, b: float, angle: float, shears: list[tuple[int, bool]]
) -> None:
    basis = np.array([[a, b * np.cos(angle)], [0, b * np.sin(angle)]])
    shortest = min(
        np.hypot(*(basis @ step))
        for step in np.stack(np.meshgrid(range(-9, 10), range(-9, 10)), -1).reshape(-1, 2)
        if step.any()
    )
    sheared = basis.copy()
    for times, first in shears:
        sheared[:, 0 if first else 1] += times * sheared[:, 1 if first else 0]
    reduced = reduce_basis(sheared)
    assert np.hypot(*reduced[:, 0]) == pytest.approx(shortest, rel=1e-6)
    assert abs(np.linalg.det(reduced)) == pytest.approx(abs(np.linalg.det(basis)), rel=1e-6)


def test_a_repeating_window_tells_its_steps() -> None:
    y, x = np.mgrid[:64, :64].astype(float)
    inverse = np.linalg.inv(np.array([[11.0, 2.0], [-1.5, 8.0]]))
    phase = np.einsum("ij,jyx->iyx", inverse, np.stack([x, y]))
    wave = np.cos(2 * np.pi * phase).sum(axis=0) ** 3
    noise = np.random.default_rng(0).normal(0, 0.5, wave.shape)
    correlation = self_correlation((wave + noise)[None].astype(np.float32))[0]
    basis, score = lattice_of(correlation, 25)
    assert score > 0.7
    expected = reduce_basis(np.array([[11.0, 2.0], [-1.5, 8.0]]))
    for step in expected.T:
        near = min(np.hypot(*(sign * basis[:, k] - step)) for sign in (1, -1) for k in (0, 1))
        assert near < 0.5


def test_noise_tells_no_steps() -> None:
    noise = np.random.default_rng(1).normal(0, 1, (20, 64, 64)).astype(np.float32)
    scores = [lattice_of(correlation, 25)[1] for correlation in self_correlation(noise)]
    assert max(scores) < 0.35


@given(st.floats(30, 80), st.floats(-180, 180))
@settings(max_examples=30, deadline=None)
def test_the_sides_of_the_squares_are_found(elevation: float, azimuth: float) -> None:
    """From the shortest steps in the picture, which at a slant are often diagonals."""
    truth = view(look_at((150, 150), 650, elevation, azimuth), camera())
    grid = np.stack(np.meshgrid(np.arange(38), np.arange(38)), -1).reshape(-1, 2)
    px = truth.to_image(grid * 8.0)
    px += np.random.default_rng(4).normal(0, 0.15, px.shape)
    sides = truth.to_image(np.array([[150.0, 150], [158, 150], [150, 158]]))
    sides = (sides[1:] - sides[0]).T
    shortest = np.round(np.linalg.inv(sides) @ reduce_basis(sides))
    mixed = grid @ np.round(np.linalg.inv(shortest)).astype(int).T
    found = upright(mixed, px, LensHints(SIZE))
    turn = np.linalg.lstsq(grid - grid[0], found - found[0], rcond=None)[0]
    np.testing.assert_allclose(turn @ turn.T, np.eye(2), atol=1e-6)
    assert np.linalg.det(turn) == pytest.approx(1)


@pytest.mark.parametrize("side", range(0, 360, 45))
def test_side_light_does_not_pull_the_rim(side: int) -> None:
    """A dark crescent beside the disc, as light from one side makes it."""
    size, fine = 24, 10
    y, x = (np.mgrid[: size * fine, : size * fine] + 0.5) / (size * fine) - 0.5
    middle = np.array([0.07, -0.12])
    away = np.radians(side)
    shade = np.hypot(x - middle[0] - 0.13 * np.cos(away), y - middle[1] - 0.13 * np.sin(away))
    disc = np.hypot(x - middle[0], y - middle[1]) < 0.3
    cell = np.where(disc, 0.6, np.where(shade < 0.3, -2.0, 0.4))
    small = cell.reshape(size, fine, size, fine).mean(axis=(1, 3)).astype(np.float32)
    centre, contrast = rim_centre(small)
    assert np.hypot(*(centre - middle)) < 0.03
    assert contrast > 1.3
    assert squareness(small) < 0.2


def test_squares_are_told_from_discs() -> None:
    y, x = np.mgrid[:24, :24] / 24 - 0.5
    square = ((np.abs(x) < 0.3) & (np.abs(y) < 0.3)).astype(np.float32)
    disc = (1 / (1 + np.exp(80 * (np.hypot(x, y) - 0.3)))).astype(np.float32)
    assert squareness(square) > 0.4
    assert squareness(disc) < 0.2


def test_jacobian_agrees_with_small_steps() -> None:
    lens = camera(1400, -0.1)
    pose = look_at((200, 150), 900, 50, -70)
    points = np.random.default_rng(0).uniform(0, 300, (6, 3))
    _, jacobian = project_with_jacobian(lens, pose, points)
    for index in range(8):
        change = np.zeros(8)
        change[index] = 1e-2 if index in (3, 4, 5) else 1e-5
        ahead = project_with_jacobian(*moved(lens, pose, change), points)[0]
        behind = project_with_jacobian(*moved(lens, pose, -change), points)[0]
        slope = (ahead - behind) / (2 * change[index])
        np.testing.assert_allclose(jacobian[:, :, index], slope, rtol=1e-5, atol=1e-5)
