"""Figures that ride, by where their soles are on a mount."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.plane import Calibration
from engine.table import FigureState
from tests.calibration.views import SIZE, camera, look_at, view
from tests.vision.figures import standing, ways
from vision.bodies import body_of
from vision.contact import ground
from vision.detect import look
from vision.detection import Detection
from vision.frames import Frame
from vision.hands import HandFinder
from vision.pipeline import Pipeline
from vision.riding import with_riders
from vision.scripted import ScriptedDetector
from vision.stature import named_by_height

TABLE = view(look_at((0, 0), 900, 40, 20), camera())
NOTHING = np.full((SIZE[1], SIZE[0], 3), 90, dtype=np.uint8)
PLACE = st.floats(-120, 120)
TURN = st.floats(0, 359.9)


def horse(x: float, y: float, turn_deg: float, table: Calibration, score: float = 0.8) -> Detection:
    """A horse of 60 x 18 mm, 45 mm tall with its head."""
    along, left = ways(turn_deg)
    corners = [
        np.array([x, y, z]) + a * along + b * left
        for a in (-30, 30)
        for b in (-9, 9)
        for z in (0, 45)
    ]
    px = table.to_image(np.array(corners))
    (x0, y0), (x1, y1) = px.min(axis=0).tolist(), px.max(axis=0).tolist()
    return Detection("animal", score, (x0, y0, x1, y1))


def rider(x: float, y: float, facing_deg: float, table: Calibration) -> Detection:
    """A minifigure with its soles at the height of the saddle."""
    return standing(x, y, facing_deg, table, body_of("minifig").saddle)


@given(PLACE, PLACE, TURN, st.floats(30, 65))
@settings(max_examples=60, deadline=None)
def test_who_sits_on_a_horse_rides_and_is_where_the_horse_is(
    x: float, y: float, turn: float, elevation: float
) -> None:
    table = view(look_at((0, 0), 900, elevation, 20), camera())
    one, mount = with_riders([rider(x, y, turn, table), horse(x, y, turn, table)])
    assert (one.rides, mount.rides) == (True, False)
    place = ground(one, table)
    assert place.state is FigureState.RIDER
    assert place.position_mm == pytest.approx((x, y), abs=0.01)
    assert place.sigma_mm is not None
    assert place.sigma_mm > 5  # no two saddles are alike
    assert named_by_height(one, table) is one
    on_foot = ground(replace(one, rides=False), table).position_mm
    assert on_foot is not None
    assert math.dist(on_foot, (x, y)) > 8


@given(PLACE, PLACE, TURN, st.floats(0, 360), st.floats(42, 120), st.floats(30, 65))
@settings(max_examples=80, deadline=None)
def test_who_stands_beside_a_horse_does_not_ride(
    x: float, y: float, turn: float, around: float, away: float, elevation: float
) -> None:
    table = view(look_at((0, 0), 900, elevation, 20), camera())
    behind = math.degrees(
        math.atan2(y - table.camera_position_mm[1], x - table.camera_position_mm[0])
    )
    if abs((around - behind + 180) % 360 - 180) < 50:
        return  # hidden by the horse: the picture alone cannot tell
    there = x + away * math.cos(math.radians(around)), y + away * math.sin(math.radians(around))
    one, _ = with_riders([standing(*there, turn, table), horse(x, y, turn, table)])
    assert not one.rides


def test_a_mount_must_be_sure_and_a_rider_must_be_a_figure_with_soles() -> None:
    one, mount = rider(0, 0, 90, TABLE), horse(0, 0, 90, TABLE)
    assert with_riders([one, mount])[0].rides
    assert not with_riders([one, replace(mount, score=0.6)])[0].rides
    assert not with_riders([replace(one, soles_px=None), mount])[0].rides
    assert not with_riders([replace(one, label="animal"), mount])[0].rides
    assert with_riders([one]) == (one,)
    # Its horse is gone: it has got off.
    assert with_riders([replace(one, rides=True)]) == (one,)


@pytest.mark.parametrize("scores", [(0.9, 0.8), (0.8, 0.95)])
def test_rider_and_horse_are_told_and_tracked_both(scores: tuple[float, float]) -> None:
    found = [
        replace(rider(30, 40, 200, TABLE), score=scores[0]),
        replace(horse(30, 40, 200, TABLE), score=scores[1]),
        standing(-90, 60, 10, TABLE),
    ]
    frame = Frame(0, 0, "a.jpg", NOTHING)
    told = look(frame, ScriptedDetector({0: found}), TABLE, HandFinder())
    assert told.states == (FigureState.RIDER, FigureState.STANDING, FigureState.STANDING)
    without = look(frame, ScriptedDetector({0: found}), None, HandFinder())
    assert without.states[0] is FigureState.RIDER
    pipeline = Pipeline(ScriptedDetector(dict.fromkeys(range(12), found)), TABLE)
    for index in range(12):
        tracks = pipeline.step(Frame(index, index * 100_000_000, "a.jpg", NOTHING)).tracks
    by_state = {track.state: track for track in tracks}
    assert len(tracks) == 3
    assert by_state[FigureState.RIDER].position_mm == pytest.approx((30, 40), abs=0.1)
    assert {track.label for track in tracks} == {"minifig", "animal"}
