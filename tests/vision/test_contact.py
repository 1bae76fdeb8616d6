"""Positions and facings are exact for a known camera and known soles."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.table import FigureState
from tests.calibration.views import camera, look_at, view
from tests.vision.figures import lying, standing
from vision.contact import (
    HEAD_SIGMA_SHARE,
    MIN_SOLE_SIGMA_PX,
    SOLE_SIGMA_SHARE,
    facing_from_soles,
    ground,
)
from vision.detection import Detection

PLACE = st.floats(-250, 250)
ANGLE = st.floats(0, 359.9)
ELEVATION = st.floats(35, 89)
ABOVE = view(look_at((0, 0), 1200, 60, 20), camera(k1=-0.15))


def turn_between(a: float, b: float) -> float:
    return abs((a - b + 180) % 360 - 180)


@pytest.mark.parametrize(
    ("left", "right", "facing"),
    [
        ((-4, 0), (4, 0), 90),  # looks along +y: its left is at smaller x
        ((0, 4), (0, -4), 0),
        ((4, 0), (-4, 0), 270),
        ((0, -4), (0, 4), 180),
    ],
)
def test_facing_by_hand(
    left: tuple[float, float], right: tuple[float, float], facing: float
) -> None:
    assert facing_from_soles(left, right) == pytest.approx(facing)


@given(PLACE, PLACE, ANGLE, ELEVATION, ANGLE, st.floats(0, 60), st.floats(0, 10))
@settings(max_examples=200, deadline=None)
def test_standing_figure_is_where_it_stands(
    x: float, y: float, facing: float, up: float, around: float, level: float, base: float
) -> None:
    calibration = view(look_at((0, 0), 1200, up, around), camera(k1=-0.15))
    found = ground(standing(x, y, facing, calibration, level + base), calibration, level, base)
    assert found.state is FigureState.STANDING
    assert found.position_mm == pytest.approx((x, y), abs=1e-4)
    assert found.facing_deg is not None
    assert turn_between(found.facing_deg, facing) < 0.01
    assert found.sigma_mm is not None
    assert 0.3 < found.sigma_mm < 8


@given(PLACE, PLACE, ANGLE, st.floats(60, 89), ANGLE, st.floats(0, 30))
@settings(max_examples=200, deadline=None)
def test_lying_figure_is_below_its_middle(
    x: float, y: float, facing: float, up: float, around: float, level: float
) -> None:
    calibration = view(look_at((0, 0), 1200, up, around), camera(k1=-0.15))
    found = ground(lying(x, y, facing, calibration, level), calibration, level)
    away = np.array([x, y]) - calibration.camera_position_mm[:2]
    seen_under = np.degrees(np.arctan2(calibration.camera_position_mm[2], np.hypot(*away)))
    towards = np.degrees(np.arctan2(away[1], away[0]))
    if turn_between(facing, float(towards)) < 30 and seen_under < 65:
        return  # foreshortened like one that stands
    assert found.state is FigureState.LYING
    assert found.position_mm == pytest.approx((x, y), abs=1e-4)
    assert found.facing_deg is not None
    assert turn_between(found.facing_deg, facing) < 0.01
    on_table = calibration.to_table(np.array([found.contact_px]), level)[0]
    np.testing.assert_allclose(on_table, (x, y), atol=1e-4)


@given(PLACE, PLACE, ANGLE, st.integers(0, 10_000))
@settings(max_examples=150, deadline=None)
def test_a_pixel_of_noise_changes_no_state(x: float, y: float, facing: float, seed: int) -> None:
    noise = np.random.default_rng(seed)

    def shaken(detection: Detection) -> Detection:
        assert detection.soles_px is not None
        assert detection.head_px is not None
        a, b, c = (
            tuple(np.array(p) + noise.normal(0, 1, 2).clip(-2, 2))
            for p in (*detection.soles_px, detection.head_px)
        )
        return replace(detection, soles_px=(a, b), head_px=c)

    for make in (standing, lying):
        detection = make(x, y, facing, ABOVE)
        away = np.array([x, y]) - ABOVE.camera_position_mm[:2]
        if make is lying and turn_between(facing, float(np.degrees(np.arctan2(*away[::-1])))) < 45:
            continue
        found = ground(shaken(detection), ABOVE)
        assert found.state.value == make.__name__
        assert found.position_mm is not None
        assert found.sigma_mm is not None
        assert np.hypot(found.position_mm[0] - x, found.position_mm[1] - y) < 6 * found.sigma_mm


def test_sigma_tells_the_truth() -> None:
    noise = np.random.default_rng(5)
    detection = standing(40, -60, 130, ABOVE)
    assert detection.soles_px is not None
    misses = []
    told = 0.0
    box_side = max(
        detection.box_px[2] - detection.box_px[0], detection.box_px[3] - detection.box_px[1]
    )
    spread = max(MIN_SOLE_SIGMA_PX, SOLE_SIGMA_SHARE * box_side)
    head_spread = max(MIN_SOLE_SIGMA_PX, HEAD_SIGMA_SHARE * box_side)
    for _ in range(400):
        a, b = (tuple(np.array(sole) + noise.normal(0, spread, 2)) for sole in detection.soles_px)
        top = np.array(detection.head_px) + noise.normal(0, head_spread, 2)
        head = (float(top[0]), float(top[1]))
        found = ground(replace(detection, soles_px=(a, b), head_px=head), ABOVE)
        assert found.position_mm is not None
        assert found.sigma_mm is not None
        misses.append((found.position_mm[0] - 40, found.position_mm[1] + 60))
        told = found.sigma_mm
    worst = np.sqrt(np.linalg.eigvalsh(np.cov(np.array(misses).T)).max())
    assert worst < told < worst + 0.5


@pytest.mark.parametrize(("x", "y"), [(0, 0), (-200, 120), (180, -150)])
def test_without_soles_the_head_is_used_even_behind_a_wall(x: float, y: float) -> None:
    whole = standing(x, y, 70, ABOVE)
    x0, y0, x1, y1 = whole.box_px
    for lower in (y1, (y0 + y1) / 2 + 3):
        detection = replace(whole, soles_px=None, box_px=(x0, y0, x1, lower))
        found = ground(detection, ABOVE)
        assert found.state is FigureState.STANDING
        assert found.position_mm == pytest.approx((x, y), abs=0.01)
        assert found.facing_deg is None
        exact = ground(whole, ABOVE)
        assert found.sigma_mm is not None
        assert exact.sigma_mm is not None
        assert found.sigma_mm > 1.3 * exact.sigma_mm


def test_box_alone_gives_a_rough_place() -> None:
    for x, y in ((0, 0), (-200, 120), (180, -150)):
        body = [
            [x + dx, y + dy, dz] for dx in (-8, 8) for dy in (-6, 6) for dz in (0.0, 30.0, 39.0)
        ]
        px = ABOVE.to_image(np.array(body))
        box = (*px.min(axis=0).tolist(), *(px.max(axis=0) + 1).tolist())
        found = ground(Detection("minifig", 0.5, box), ABOVE)
        assert found.state is FigureState.STANDING
        assert found.position_mm == pytest.approx((x, y), abs=6)
        assert found.sigma_mm is not None
        assert found.sigma_mm > 3


def test_box_alone_of_a_lying_figure() -> None:
    calibration = view(look_at((0, 0), 1200, 80), camera())
    body = [[dx, dy, dz] for dx in (-20, 20) for dy in (-8, 8) for dz in (0.0, 10.0)]
    px = calibration.to_image(np.array(body))
    box = (*px.min(axis=0).tolist(), *(px.max(axis=0) + 1).tolist())
    found = ground(Detection("minifig", 0.5, box), calibration)
    assert found.state is FigureState.LYING
    assert found.position_mm == pytest.approx((0, 0), abs=3)
    assert found.facing_deg is None


def test_without_a_calibration_positions_are_open() -> None:
    low = view(look_at((0, 0), 600, 30), camera())
    for make, state in ((standing, FigureState.STANDING), (lying, FigureState.LYING)):
        found = ground(make(0, 0, 0, low), None)
        assert (found.position_mm, found.sigma_mm, found.facing_deg) == (None, None, None)
        assert found.state is state
    upright, flat = (0.0, 0.0, 30.0, 60.0), (0.0, 0.0, 60.0, 30.0)
    assert ground(Detection("minifig", 0.5, upright), None).state is FigureState.STANDING
    assert ground(Detection("minifig", 0.5, upright), None).contact_px == (14.5, 59.0)
    assert ground(Detection("minifig", 0.5, flat), None).state is FigureState.LYING
    assert ground(Detection("vehicle", 0.5, flat), None).state is FigureState.STANDING


def test_above_the_horizon_there_is_no_place() -> None:
    low = view(look_at((0, 0), 800, 5), camera())
    sky = Detection("minifig", 0.5, (900, 0, 940, 60), ((910, 20), (920, 20)), (915, 2))
    found = ground(sky, low)
    assert found.position_mm is None
    assert found.sigma_mm is None


def test_soles_too_close_or_too_far_apart_give_no_facing() -> None:
    detection = standing(0, 0, 0, ABOVE)
    assert detection.soles_px is not None
    a, b = np.array(detection.soles_px)
    for stretch in (0.1, 4.0):
        left, right = (a + b) / 2 + stretch * (a - b) / 2, (a + b) / 2 - stretch * (a - b) / 2
        found = ground(replace(detection, soles_px=(tuple(left), tuple(right))), ABOVE)
        assert found.facing_deg is None
        assert found.position_mm == pytest.approx((0, 0), abs=0.05)


def test_a_figure_that_lies_away_at_45_degrees_passes_for_standing() -> None:
    """The known blind spot: one that lies like this looks just like one that stands."""
    calibration = view(look_at((0, 0), 1200, 45), camera())
    assert ground(lying(0, 0, 90, calibration), calibration).state is FigureState.STANDING
    assert ground(lying(0, 0, 270, calibration), calibration).state is FigureState.LYING
    assert ground(lying(0, 0, 0, calibration), calibration).state is FigureState.LYING
