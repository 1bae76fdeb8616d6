"""The steps on the way to studs, each alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.apart import Apart
from calibration.fit import Freedom, fit_camera, moved, project_with_jacobian
from calibration.stud_camera import LensHints, upright
from calibration.stud_points import rim_centre, roundness, squareness
from calibration.stud_seeds import lattice_of, reduce_basis, self_correlation
from tests.calibration.views import SIZE, camera, look_at, view


@given(
    st.floats(3, 30), st.floats(3, 30), st.floats(0.4, 2.7),
    st.lists(st.tuples(st.integers(-3, 3), st.booleans()), max_size=5),
)  # fmt: skip
@settings(deadline=None)
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


def test_plates_apart_move_as_their_derivatives_say() -> None:
    rng = np.random.default_rng(2)
    pose = look_at((200, 150), 900, 50, -70)
    apart = Apart(rng.uniform(0, 300, (9, 3)), np.repeat([0, 1, 2], 3))
    moves = rng.normal(0, 0.1, (2, 3))
    camera_frame = np.broadcast_to(np.eye(3)[:2], (9, 2, 3)).copy()
    jacobian = apart.jacobian(camera_frame, pose[:3, :3], moves)
    for index in range(6):
        step = np.zeros(6)
        step[index] = 1e-5
        ahead, behind = (apart.moved(moves + sign * step.reshape(2, 3)) for sign in (1, -1))
        slope = ((ahead - behind) / 2e-5 @ pose[:3, :3].T)[:, :2]
        np.testing.assert_allclose(jacobian[:, :, index], slope, atol=1e-6)


def test_two_plates_at_an_angle_tell_the_lens_better_than_one() -> None:
    rng = np.random.default_rng(0)
    truth = view(look_at((200, 150), 900, 50, -70), camera(1400, -0.1))
    grid = np.stack(np.meshgrid(np.arange(16), np.arange(16)), -1).reshape(-1, 2) * 8.0
    turned = grid @ np.array([[0.88, 0.48], [-0.48, 0.88]]) / np.hypot(0.88, 0.48) + [250, 100]
    places = np.column_stack([np.vstack([grid, turned]), np.full(2 * len(grid), 1.7)])
    px = truth.to_image(places) + rng.normal(0, 0.1, (len(places), 2))
    rough = places.copy()
    rough[len(grid) :, :2] += [1.5, -2.0]
    start, lens = look_at((200, 150), 880, 52, -70), camera(1300, 0.0)
    freedom = Freedom(k1=True, k1_doubt=0.12)
    thing = np.repeat([0, 1], len(grid))
    one = fit_camera(rough[: len(grid)], px[: len(grid)], lens, start, freedom)
    both = fit_camera(rough, px, lens, start, freedom, thing=thing)
    assert both.covariance[7, 7] < 0.5 * one.covariance[7, 7]
    assert both.rms_px < 0.2
    assert both.intrinsics.fx_px == pytest.approx(1400, rel=0.005)
    assert both.intrinsics.distortion[0] == pytest.approx(-0.1, abs=0.01)


def test_dots_are_all_round_and_shaded_studs_are_not() -> None:
    y, x = np.mgrid[:24, :24] / 24 - 0.5
    dot = (1 / (1 + np.exp(60 * (np.hypot(x, y) - 0.25)))).astype(np.float32)
    same, sides = roundness(np.roll(dot, (5, -3), axis=(0, 1)))
    assert same > 0.94
    assert sides < 0.005
    shadow = 1 / (1 + np.exp(60 * (np.hypot(x - 0.12, y - 0.1) - 0.3)))
    same, sides = roundness((0.2 * dot - shadow * (1 - dot)).astype(np.float32))
    assert same < 0.85
    assert sides > 0.02
