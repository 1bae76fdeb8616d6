"""LEGO and Playmobil told apart by height."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from calibration.camera import Intrinsics
from calibration.plane import Calibration
from engine.table import FigureState
from vision.contact import ground
from vision.detection import Detection
from vision.scenes.camera import look_at
from vision.stature import STEEPEST_DEG, named_by_height


def calibrated(elevation: float, azimuth: float = 30.0) -> Calibration:
    camera = look_at(1280, 720, 60.0, (0.0, 0.0, 0.0), 700.0, elevation, azimuth, 0.0)
    lens = Intrinsics(camera.K[0, 0], camera.K[1, 1], camera.K[0, 2], camera.K[1, 2])
    return Calibration("points", "four points", (1280, 720), lens, camera.camera_T_table)


def figure(
    table: Calibration, label: str, height: float, at: tuple[float, float], level: float = 0.0
) -> Detection:
    """A figure that stands there, its keypoints where the camera sees them."""
    x, y = at
    points = np.array([[x - 4, y, level], [x + 4, y, level], [x, y, level + height]])
    left, right, head = (tuple(p) for p in table.to_image(points).tolist())
    return Detection(label, 0.8, (0, 0, 50, 90), (left, right), head)


def is_steep(table: Calibration, at: tuple[float, float]) -> bool:
    """Whether the camera sees a place from too much above to tell a height there.

    It does so at the near side of a table whose middle it sees less steeply.
    """
    x, y, z = table.camera_position_mm.tolist()
    return math.degrees(math.atan2(z, math.hypot(x - at[0], y - at[1]))) > STEEPEST_DEG


PLACES = st.tuples(st.floats(-150, 150), st.floats(-120, 120))


@given(PLACES, st.floats(20, 60), st.floats(0, 360), st.sampled_from([39.0, 75.0]))
@example((0.0, -108.0), 57.0, 0.0, 75.0)
@settings(max_examples=80, deadline=None)
def test_a_height_names_its_maker(
    at: tuple[float, float], elevation: float, azimuth: float, height: float
) -> None:
    table = calibrated(elevation, azimuth)
    true = "minifig" if height < 45 else "playmobil"
    for said in ("minifig", "playmobil"):
        told = said if is_steep(table, at) else true
        assert named_by_height(figure(table, said, height, at), table).label == told


@given(PLACES, st.floats(20, 60), st.floats(0, 360), st.floats(47, 57))
@example((0.0, -108.0), 57.0, 0.0, 47.0)
@settings(max_examples=60, deadline=None)
def test_a_small_playmobil_figure_is_a_child(
    at: tuple[float, float], elevation: float, azimuth: float, height: float
) -> None:
    table = calibrated(elevation, azimuth)
    child = named_by_height(figure(table, "playmobil", height, at), table)
    assert (child.label, child.child) == ("playmobil", not is_steep(table, at))
    adult = named_by_height(figure(table, "playmobil", 75.0, at), table)
    assert (adult.label, adult.child) == ("playmobil", False)


@given(PLACES, st.floats(25, 45))
@settings(max_examples=40, deadline=None)
def test_a_child_stands_where_its_head_and_soles_say(
    at: tuple[float, float], elevation: float
) -> None:
    table = calibrated(elevation)
    child = named_by_height(figure(table, "playmobil", 55.0, at), table)
    place = ground(child, table)
    assert place.position_mm == pytest.approx(at, abs=0.1)
    assert place.state is FigureState.STANDING
    as_adult = ground(replace(child, child=False), table).position_mm
    assert as_adult is not None
    assert math.dist(as_adult, at) > 1.0  # whoever takes it for an adult puts it elsewhere


@given(PLACES, st.sampled_from(["minifig", "playmobil"]), st.floats(15, 60))
@settings(max_examples=60, deadline=None)
def test_on_a_wall_a_figure_is_no_taller(at: tuple[float, float], label: str, level: float) -> None:
    table = calibrated(40)
    height = 39.0 if label == "minifig" else 75.0
    assert named_by_height(figure(table, label, height, at, level), table).label == label


def test_what_does_not_tell_leaves_the_name() -> None:
    table = calibrated(40)
    for height in (46.5, 50.0, 55.0, 60.0):  # a child, or a tall hat
        between = figure(table, "minifig", height, (0, 0))
        assert named_by_height(between, table) is between
    between = figure(table, "playmobil", 64.0, (0, 0))  # a child, or an adult that bends
    assert named_by_height(between, table) is between
    tall = figure(table, "minifig", 75.0, (0, 0))
    assert named_by_height(tall, None) is tall
    horse = figure(table, "animal", 75.0, (0, 0))
    assert named_by_height(horse, table) is horse
    headless = Detection("minifig", 0.8, (0, 0, 50, 90), tall.soles_px, None)
    assert named_by_height(headless, table) is headless
    above = calibrated(75)
    steep = figure(above, "minifig", 75.0, (0, 0))
    assert named_by_height(steep, above) is steep
    # It lies: the head is beside the feet, on the table.
    flat = table.to_image(np.array([[75.0, 20.0, 8.0]]))[0]
    lying = Detection("minifig", 0.8, (0, 0, 50, 90), tall.soles_px, (flat[0], flat[1]))
    assert named_by_height(lying, table) is lying


def test_a_base_under_the_soles_is_not_height() -> None:
    table = calibrated(35)
    on_base = figure(table, "minifig", 39.0, (20, 10), 9.6)
    assert named_by_height(on_base, table, 9.6).label == "minifig"


def test_a_minifigure_on_a_known_tower_keeps_its_name() -> None:
    table = calibrated(30)
    on_tower = figure(table, "minifig", 39.0, (0, 0), 150.0)
    assert named_by_height(on_tower, table, 150.0) is on_tower
    assert named_by_height(on_tower, table).label == "playmobil"  # where nobody tells of the tower
