"""Projection and its inverse, and cameras found again from exact points."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.points import PointPairs, calibrate_points
from tests.calibration.views import SIZE, camera, look_at, view

ELEVATIONS = st.floats(25, 89.5)
AZIMUTHS = st.floats(-180, 180)
FOCALS = st.floats(900, 2600)


@given(ELEVATIONS, AZIMUTHS, FOCALS, st.floats(-0.2, 0.1), st.floats(0, 80), st.floats(-20, 20))
@settings(max_examples=60, deadline=None)
def test_to_image_and_back(
    elevation: float, azimuth: float, focal: float, k1: float, height: float, roll: float
) -> None:
    pose = look_at((200, 150), 1100 * focal / 1400, elevation, azimuth, roll)
    calibration = view(pose, camera(focal, k1))
    places = np.array([[0, 0, 0], [400, 300, height], [200, 150, height], [350, 20, 0.0]])
    px = calibration.to_image(places)
    np.testing.assert_allclose(calibration.to_table(px, places[:, 2]), places[:, :2], atol=1e-3)


def test_above_the_horizon_is_no_place() -> None:
    calibration = view(look_at((200, 150), 1100, 10), camera())
    assert np.isnan(calibration.to_table(np.array([[960.0, 0.0]]))).all()
    assert np.isnan(calibration.sigma_mm(np.array([[960.0, 0.0]]))).all()
    assert np.isnan(calibration.length((960.0, 0.0), (960.0, 1000.0))).all()
    assert np.isfinite(calibration.to_table(np.array([[960.0, 1000.0]]))).all()


@given(st.floats(30, 75), AZIMUTHS, FOCALS, st.integers(4, 9), st.integers(0, 2**32 - 1))
@settings(max_examples=60, deadline=None)
def test_a_camera_is_found_again(
    elevation: float, azimuth: float, focal: float, count: int, seed: int
) -> None:
    pose = look_at((200, 150), 1100 * focal / 1400, elevation, azimuth)
    truth = view(pose, camera(focal))
    rng = np.random.default_rng(seed)
    corners = np.array([[0, 0], [400, 0], [400, 300], [0, 300.0]])
    mm = np.concatenate([corners, rng.uniform(0, 300, (count - 4, 2))])
    found = calibrate_points(PointPairs(truth.to_image(mm), mm), SIZE)
    px = rng.uniform([400, 250], [1500, 850], (20, 2))
    np.testing.assert_allclose(found.to_table(px), truth.to_table(px), atol=1e-3)
    if not any("field of view" in text for text in found.assumed):
        np.testing.assert_allclose(found.intrinsics.fx_px, focal, rtol=1e-4)
        np.testing.assert_allclose(found.camera_position_mm, truth.camera_position_mm, atol=0.5)
        np.testing.assert_allclose(found.to_table(px, 40.0), truth.to_table(px, 40.0), atol=0.05)


def test_a_tilted_view_needs_no_guess() -> None:
    truth = view(look_at((200, 150), 1100, 55), camera())
    mm = np.array([[0, 0], [400, 0], [400, 300], [0, 300.0]])
    found = calibrate_points(PointPairs(truth.to_image(mm), mm), SIZE)
    assert found.assumed == ("square pixels", "centre principal point")


def test_four_points_stay_exact_where_no_pinhole_fits() -> None:
    mm = np.array([[0, 0], [400, 0], [400, 300], [0, 300.0]])
    px = np.array([[300.0, 950], [1650, 930], [1400, 260], [510, 310]])
    found = calibrate_points(PointPairs(px, mm), SIZE)
    np.testing.assert_allclose(found.to_table(px), mm, atol=1e-6)
    np.testing.assert_allclose(found.to_image(mm), px, atol=1e-6)
    flat = np.column_stack([px, np.ones(4)]) @ found.table_H_image.T
    np.testing.assert_allclose(flat[:, :2] / flat[:, 2:], mm, atol=1e-6)
    assert found.table_H_image[2, 2] == 1
    raised = found.to_table(px, 30.0)
    back = found.to_image(np.column_stack([raised, np.full(4, 30.0)]))
    np.testing.assert_allclose(back, px, atol=1e-6)


def test_a_known_lens_is_kept() -> None:
    lens = camera(1500, -0.12)
    truth = view(look_at((200, 150), 1100, 50), lens)
    mm = np.array([[0, 0], [400, 0], [400, 300], [0, 300.0], [100, 200]])
    found = calibrate_points(PointPairs(truth.to_image(mm), mm), SIZE, intrinsics=lens)
    assert found.intrinsics == lens
    assert found.assumed == ()
    np.testing.assert_allclose(found.camera_T_table, truth.camera_T_table, atol=1e-3)
