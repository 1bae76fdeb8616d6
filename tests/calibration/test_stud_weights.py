"""Studs count by how like the mean stud they are; what anybody could know is reckoned apart."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.fit import Freedom, fit_camera
from calibration.stud_set import Studs
from tests.calibration.stud_bound import LENS_GIVEN, Seen, quantile, relative_sigma
from tests.calibration.views import camera, look_at, view


def grid(count: int) -> NDArray[np.int64]:
    steps = np.meshgrid(np.arange(count), np.arange(count))
    return np.stack(steps, -1).reshape(-1, 2).astype(np.int64)


def test_the_less_a_stud_is_like_the_mean_stud_the_less_it_counts() -> None:
    nodes = grid(5)
    alike = np.linspace(0.4, 1.0, len(nodes))
    studs = Studs(nodes, nodes * 10.0, alike)
    inside = studs.spread[studs.enclosed]
    assert len(inside) == 9
    assert (np.diff(inside) < 0).all()
    even = Studs(nodes, nodes * 10.0, np.full(len(nodes), 0.85))
    assert even.spread[even.enclosed] == pytest.approx(np.ones(9))
    assert even.spread[~even.enclosed].min() > 1.5


def test_a_choice_of_studs_keeps_what_belongs_together() -> None:
    nodes = grid(40)
    studs = Studs(nodes, nodes * 3.0, nodes[:, 0] / 40)
    some = studs.some(200)
    assert len(some.nodes) == 200
    np.testing.assert_allclose(some.px, some.nodes * 3.0)
    np.testing.assert_allclose(some.alike, some.nodes[:, 0] / 40)


def test_noisy_points_that_are_said_to_be_noisy_do_little_harm() -> None:
    truth = view(look_at((60, 60), 700, 55), camera(1400, -0.05))
    places = np.column_stack([grid(16) * 8.0, np.full(256, 1.7)])
    rng = np.random.default_rng(3)
    spread = np.where(rng.random(256) < 0.5, 1.0, 8.0)
    off: dict[bool, list[float]] = {True: [], False: []}
    for _ in range(8):
        px = truth.to_image(places) + rng.normal(0, 0.1, (256, 2)) * spread[:, None]
        for weighed in (True, False):
            fit = fit_camera(
                places,
                px,
                camera(1300, 0.0),
                look_at((60, 60), 680, 56),
                Freedom(k1=True, k1_doubt=0.1, noise_px=0.1),
                spread=spread if weighed else None,
            )
            off[weighed].append(abs(fit.intrinsics.distortion[0] + 0.05))
    assert np.mean(off[True]) < 0.6 * np.mean(off[False])


def test_the_bound_is_what_many_noisy_fits_come_to() -> None:
    truth = view(look_at((60, 60), 700, 50), camera(1400, -0.05))
    places = np.column_stack([grid(16) * 8.0, np.full(256, 1.6)])
    seen = Seen(places, np.zeros(256, dtype=np.int64))
    ends = truth.to_image(np.array([[0.0, 0.0], [350.0, 100.0]]))[None]
    sigma = relative_sigma(truth, seen, ends)[0]
    rng = np.random.default_rng(5)
    errors = []
    for _ in range(60):
        px = truth.to_image(places) + rng.normal(0, 0.15, (256, 2))
        freedom = Freedom(
            k1=True,
            k1_guess=-0.05 + rng.normal(0, 0.1),
            k1_doubt=0.1,
            noise_px=0.15,
            focal_guess_px=1400 * np.exp(rng.normal(0, 0.25)),
            focal_guess_doubt=0.25,
        )
        fit = fit_camera(places, px, truth.intrinsics, truth.camera_T_table, freedom)
        told = view(fit.camera_T_table, fit.intrinsics).length(ends[0, 0], ends[0, 1])[0]
        errors.append(told / np.hypot(350, 100) - 1)
    assert np.std(errors) == pytest.approx(sigma, rel=0.3)


def test_more_studs_and_a_known_lens_lower_the_bound() -> None:
    truth = view(look_at((60, 60), 900, 60), camera(1300, -0.05))
    few, many = (
        Seen(
            np.column_stack([grid(count) * 8.0, np.full(count**2, 1.6)]),
            np.zeros(count**2, dtype=np.int64),
        )
        for count in (12, 32)
    )
    ends = truth.to_image(np.array([[0.0, 0.0], [400.0, 0.0]]))[None]
    assert relative_sigma(truth, many, ends) < 0.3 * relative_sigma(truth, few, ends)
    assert relative_sigma(truth, few, ends, LENS_GIVEN) < 0.5 * relative_sigma(truth, few, ends)


def test_the_share_of_errors_below_a_bound() -> None:
    assert quantile(np.array([2.0]), 0.95) == pytest.approx(3.92, abs=0.01)
    assert 1.96 < quantile(np.array([1.0, 2.0]), 0.95) < 3.92
