"""The doubt that is told is the doubt there is: simulated clicks with known noise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.points import PointPairs, calibrate_points
from calibration.quality import sigma_summary
from tests.calibration.views import SIZE, camera, look_at, view

CORNERS = np.array([[0, 0], [600, 0], [600, 400], [0, 400.0]])
NOISE = 0.6


@pytest.mark.parametrize(
    ("elevation", "extra", "fov"), [(50, 0, None), (50, 8, None), (86, 4, 68.9), (70, 20, None)]
)
def test_two_of_three_errors_are_within_one_sigma(
    elevation: float, extra: int, fov: float | None
) -> None:
    """The lens is one of those there are: nobody has told how it bends lines."""
    pose = look_at((300, 200), 1300, elevation, -80)
    rng = np.random.default_rng(7)
    off = []
    for _ in range(120):
        truth = view(pose, camera(1400.0, float(np.clip(rng.normal(0, 0.09), -0.25, 0.2))))
        mm = np.concatenate([CORNERS, rng.uniform([0, 0], [600, 400], (extra, 2))])
        seen = truth.to_image(mm) + rng.normal(0, NOISE, mm.shape)
        found = calibrate_points(PointPairs(seen, mm), SIZE, fov_deg=fov)
        for _ in range(4):
            ends = rng.uniform([0, 0], [600, 400], (2, 2))
            clicks = truth.to_image(ends) + rng.normal(0, 0.5, (2, 2))
            length, sigma = found.length(clicks[0], clicks[1])
            off.append((length - np.hypot(*(ends[1] - ends[0]))) / sigma)
    pulls = np.abs(off)
    assert 0.60 <= (pulls < 1).mean() <= 0.78
    assert 0.90 <= (pulls < 2).mean() <= 0.99
    assert 0.8 < np.std(off) < 1.25


def test_sigma_of_a_point_covers_its_worst_direction() -> None:
    truth = view(look_at((300, 200), 1300, 40, -80), camera())
    rng = np.random.default_rng(11)
    place = np.array([[550.0, 380.0]])
    click = truth.to_image(place)
    errors, told = [], []
    for _ in range(120):
        mm = np.concatenate([CORNERS, [[300, 200], [100, 300], [500, 100], [50, 50]]])
        seen = truth.to_image(mm) + rng.normal(0, NOISE, mm.shape)
        found = calibrate_points(PointPairs(seen, mm), SIZE)
        noisy = click + rng.normal(0, 0.5, (1, 2))
        errors.append((found.to_table(noisy) - place)[0])
        told.append(found.sigma_mm(noisy)[0])
    spread = np.linalg.eigvalsh(np.cov(np.array(errors).T))[-1] ** 0.5
    assert 0.8 < np.median(told) / spread < 1.25


def test_scale_doubt_grows_with_length() -> None:
    truth = view(look_at((300, 200), 1300, 60), camera())
    found = calibrate_points(PointPairs(truth.to_image(CORNERS), CORNERS), SIZE)
    px = truth.to_image(CORNERS)
    _, plain = found.length(px[0], px[1])
    _, doubted = replace(found, scale_sigma=0.01).length(px[0], px[1])
    assert doubted == pytest.approx(np.hypot(plain, 6.0), rel=1e-3)


def test_neighbours_share_their_error() -> None:
    """A short length is surer than two independent points would be."""
    truth = view(look_at((300, 200), 1300, 45), camera())
    mm = np.concatenate([CORNERS, [[300, 200], [100, 300]]])
    found = calibrate_points(PointPairs(truth.to_image(mm), mm), SIZE)
    ends = truth.to_image(np.array([[590.0, 390.0], [600.0, 390.0]]))
    _, together = found.length(ends[0], ends[1], pixel_sigma=0.0)
    alone = found.sigma_mm(ends, pixel_sigma=0.0)
    assert together < 0.2 * alone.max()


def test_the_summary_is_of_the_table() -> None:
    truth = view(look_at((300, 200), 1300, 45), camera())
    found = calibrate_points(PointPairs(truth.to_image(CORNERS), CORNERS), SIZE)
    summary = sigma_summary(found)
    assert 0 < summary["median"] < summary["p95"] <= summary["max"]  # type: ignore[operator]
    with_size = calibrate_points(
        PointPairs(truth.to_image(CORNERS), CORNERS), SIZE, table_size_mm=(600, 400)
    )
    assert sigma_summary(with_size)["median"] == pytest.approx(summary["median"], rel=0.1)
    assert sigma_summary(truth) == {"median": None, "p95": None, "max": None}
