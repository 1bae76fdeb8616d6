"""The example of the contract: a camera straight above, 0.735294 mm a pixel."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.points import PointPairs, calibrate_points
from calibration.store import document

SCALE = 1000 / 1360
SIZE = (1920, 1080)
PX = np.array([[0, 1080], [1900, 1080], [1900, 100], [0, 100]], dtype=float)
PAIRS = PointPairs(px=PX, mm=(PX - [0, 1080]) * [SCALE, -SCALE])


def test_camera_height_gives_the_whole_document() -> None:
    told = document(calibrate_points(PAIRS, SIZE, camera_height_mm=1000))
    lens = told["intrinsics"]
    assert lens["fx_px"] == pytest.approx(1360, abs=1e-3)
    assert lens["fy_px"] == pytest.approx(1360, abs=1e-3)
    assert (lens["cx_px"], lens["cy_px"]) == (960, 540)
    assert lens["distortion"] == [0, 0, 0, 0, 0]
    wanted = [[0.735294, 0, 0], [0, -0.735294, 794.1176], [0, 0, 1]]
    np.testing.assert_allclose(told["table_H_image"], wanted, atol=1e-4)
    pose = [[1, 0, 0, -705.8824], [0, -1, 0, 397.0588], [0, 0, -1, 1000], [0, 0, 0, 1]]
    np.testing.assert_allclose(told["camera_T_table"], pose, atol=1e-3)
    assert told["ok"] is True
    assert told["origin"] == "first point"
    assert told["reference_plane_mm"] == 0
    assert told["studs"] is None
    assert told["size_mm"] is None
    assert told["assumed"] == ["square pixels", "centre principal point"]
    assert told["warnings"] == []
    assert told["rms_px"] < 1e-6


def test_field_of_view_gives_the_same_pose() -> None:
    fov = float(np.degrees(2 * np.arctan(960 / 1360)))
    calibration = calibrate_points(PAIRS, SIZE, fov_deg=fov)
    np.testing.assert_allclose(
        calibration.camera_position_mm, [705.8824, 397.0588, 1000], atol=1e-3
    )


def test_without_either_the_plane_is_exact_and_the_guess_is_named() -> None:
    calibration = calibrate_points(PAIRS, SIZE)
    np.testing.assert_allclose(calibration.to_table(PX), PAIRS.mm, atol=1e-6)
    assert any("field of view" in text for text in calibration.assumed)
    tops, soles = calibration.sigma_mm(PX, 40.0), calibration.sigma_mm(PX, 0.0)
    assert (tops > soles + 0.5).all()
