import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.geometry.arcs import bearing_deg, between_deg, off_axis_deg

coordinate = st.floats(-500, 500)
degrees = st.floats(-720, 720)


@pytest.mark.parametrize(
    ("here", "facing", "there", "angle"),
    [
        ((0, 0), 90, (0, 100), 0.0),
        ((0, 0), 90, (100, 0), 90.0),
        ((200, 200), 350, (300, 250), 36.565),
        ((200, 200), 170, (300, 150), 163.435),
        ((0, 0), -135, (-50, 0), 45.0),
    ],
)
def test_angles_by_hand(here, facing, there, angle):
    assert off_axis_deg(here, facing, there) == pytest.approx(angle, abs=1e-3)


@given(coordinate, coordinate, degrees, coordinate, coordinate)
def test_front_and_back_make_a_half_turn(x, y, facing, px, py):
    assume(math.dist((x, y), (px, py)) > 1.0)
    ahead = off_axis_deg((x, y), facing, (px, py))
    behind = off_axis_deg((x, y), facing + 180.0, (px, py))
    assert 0.0 <= ahead <= 180.0
    assert ahead + behind == pytest.approx(180.0, abs=1e-6)


@given(coordinate, coordinate, degrees, coordinate, coordinate, degrees)
def test_turning_the_table_changes_nothing(x, y, facing, px, py, by):
    assume(math.dist((x, y), (px, py)) > 1.0)
    c, s = math.cos(math.radians(by)), math.sin(math.radians(by))
    turned = [(c * a - s * b, s * a + c * b) for a, b in ((x, y), (px, py))]
    assert off_axis_deg(turned[0], facing + by, turned[1]) == pytest.approx(
        off_axis_deg((x, y), facing, (px, py)), abs=1e-6
    )
    assert between_deg(bearing_deg(*turned), bearing_deg((x, y), (px, py)) + by) < 1e-6
