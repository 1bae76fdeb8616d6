"""Dragging the table's corners."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.edges import with_table
from calibration.errors import BadReference
from calibration.points import PointPairs, calibrate_points
from tests.calibration.views import SIZE, camera, look_at, view

TRUTH = view(look_at((300, 200), 1300, 45, -70), camera())
MM = np.array([[0, 0], [600, 0], [600, 400], [0, 400.0]])
FOUND = calibrate_points(PointPairs(TRUTH.to_image(MM), MM), SIZE)
TABLE = np.array([[100, 50], [500, 150], [425, 450], [25, 350.0]])
"""A rectangle that stands askew: 412.3 by 309.2 mm."""


def test_the_frame_moves_to_the_near_left_corner() -> None:
    moved = with_table(FOUND, TRUTH.to_image(TABLE))
    assert moved.size_mm == pytest.approx((np.hypot(400, 100), np.hypot(75, 300)), abs=1e-3)
    corners = moved.to_table(TRUTH.to_image(TABLE))
    width, depth = moved.size_mm or (0, 0)
    np.testing.assert_allclose(corners, [[0, 0], [width, 0], [width, depth], [0, depth]], atol=1e-2)
    assert moved.camera_position_mm[2] == pytest.approx(FOUND.camera_position_mm[2])
    assert "near left" in moved.origin
    assert moved.warnings == ()


def test_lengths_and_their_doubt_do_not_depend_on_the_frame() -> None:
    moved = with_table(FOUND, TRUTH.to_image(TABLE))
    ends = TRUTH.to_image(np.array([[150.0, 100], [420, 380]]))
    assert moved.length(*ends, 12.0) == pytest.approx(FOUND.length(*ends, 12.0), rel=1e-3)
    np.testing.assert_allclose(moved.sigma_mm(ends), FOUND.sigma_mm(ends), rtol=1e-3)


@pytest.mark.parametrize(
    ("corners", "fault"),
    [
        (TABLE[::-1], "go round"),
        (TABLE[[0, 1, 3, 2]], "go round"),
        (TABLE[:3], "four"),
        (TABLE * np.nan, "four"),
        (TABLE[0] + (TABLE - TABLE[0]) * 0.01, "less than"),
    ],
)
def test_wrong_corners(corners: np.ndarray, fault: str) -> None:
    px = TRUTH.to_image(corners)
    with pytest.raises(BadReference, match=fault):
        with_table(FOUND, px)


def test_corners_above_the_horizon() -> None:
    low = view(look_at((300, 200), 1300, 10), camera())
    px = np.array([[100, 1000], [1800, 1000], [1800, 0], [100, 0.0]])
    with pytest.raises(BadReference, match="horizon"):
        with_table(low, px)


def test_a_crooked_table_is_told() -> None:
    crooked = TABLE + np.array([[0, 0], [0, 0], [60, 0], [0, 0]])
    assert any(
        "no rectangle" in text for text in with_table(FOUND, TRUTH.to_image(crooked)).warnings
    )
