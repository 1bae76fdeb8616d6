"""The tracker's parts by themselves."""

from __future__ import annotations

import numpy as np
import pytest

from engine.table import FigureState, Terrain
from tests.vision.tracking.simulator import camera
from vision.contact import Contact, ground
from vision.detection import BoxPx, Detection, Hand
from vision.tracking import Tracker
from vision.tracking.appearance import appearance, blend, unlikeness
from vision.tracking.archive import Archive
from vision.tracking.assign import FORBIDDEN, assign
from vision.tracking.candidate import Candidate
from vision.tracking.doubles import without_doubles
from vision.tracking.levels import levels_under
from vision.tracking.reach import Reach, Trail, hidden_by
from vision.tracking.settings import Settings
from vision.tracking.sighting import Sighting, Spot
from vision.tracking.trace import Trace

RED, BLUE, GREY = (40, 40, 200), (200, 60, 30), (120, 120, 120)


def patch(upper: tuple[int, int, int], lower: tuple[int, int, int], noise: int = 0) -> np.ndarray:
    image = np.zeros((60, 40, 3), dtype=np.uint8)
    image[:30], image[30:] = upper, lower
    random = np.random.default_rng(noise)
    return np.clip(image + random.normal(0, noise, image.shape), 0, 255).astype(np.uint8)


def sighting(
    at: tuple[float, float],
    box: BoxPx,
    score: float = 0.8,
    colours: tuple[tuple[int, int, int], tuple[int, int, int]] = (RED, GREY),
    state: FigureState = FigureState.STANDING,
) -> Sighting:
    detection = Detection("minifig", score, box)
    contact = Contact((0.0, 0.0), at, 1.0, None, state)
    look = appearance(patch(*colours), (0.0, 0.0, 40.0, 60.0))
    return Sighting(detection, (Spot(0.0, contact, at, 1.0),), 1.0, look)


def test_colours_tell_figures_apart_and_forgive_noise_and_light() -> None:
    whole = (0.0, 0.0, 40.0, 60.0)
    red = appearance(patch(RED, GREY), whole)
    assert red.shape == (2, 147)
    assert red.sum(axis=1) == pytest.approx([1.0, 1.0], abs=1e-5)
    noisy = appearance(patch(RED, GREY, noise=8), whole)
    darker = appearance((patch(RED, GREY) * 0.8).astype(np.uint8), whole)
    blue = appearance(patch(BLUE, GREY), whole)
    assert unlikeness(red, red) == pytest.approx(0.0, abs=1e-3)
    assert unlikeness(red, noisy) < 0.25
    assert unlikeness(red, darker) < 0.5
    assert unlikeness(red, blue) > unlikeness(red, darker)
    upside_down = appearance(patch(GREY, RED), whole)
    assert unlikeness(red, upside_down) > 0.8
    assert unlikeness(red, upside_down, turned=True) < 0.05
    assert unlikeness(blend(red, blue, 0.1), red) < unlikeness(blend(red, blue, 0.9), red)


def test_a_box_outside_the_picture_looks_like_nothing() -> None:
    outside = appearance(patch(RED, GREY), (100.0, 0.0, 140.0, 60.0))
    assert np.ptp(outside) == 0.0


def test_assign_leaves_out_forbidden_pairs() -> None:
    cost = np.array([[1.0, 5.0], [0.5, FORBIDDEN], [FORBIDDEN, FORBIDDEN]])
    assert assign(cost) == [(0, 1), (1, 0)]
    assert assign(np.zeros((0, 3))) == []


def test_doubles() -> None:
    one = sighting((0.0, 0.0), (100.0, 100.0, 120.0, 150.0))
    again = sighting((3.0, 1.0), (102.0, 98.0, 121.0, 149.0), 0.5)
    part = sighting((0.0, 15.0), (101.0, 102.0, 119.0, 125.0), 0.6)
    pair = sighting((5.0, 8.0), (98.0, 100.0, 145.0, 150.0), 0.45)
    beside = sighting((17.0, 0.0), (121.0, 100.0, 141.0, 150.0))
    behind = sighting((0.0, 17.0), (100.0, 85.0, 120.0, 135.0), 0.7)
    assert without_doubles([again, one, part, pair]) == [one]
    assert set(map(id, without_doubles([one, beside, behind]))) == {*map(id, (one, beside, behind))}


def test_hands_touch_before_they_cover() -> None:
    settings = Settings()
    figure = (100.0, 100.0, 120.0, 150.0)
    for left, touches, covers in [(150.0, False, False), (130.0, True, False), (110.0, True, True)]:
        reach = Reach.of([Hand((left, 90.0, 300.0, 300.0), 0.9)], settings)
        assert (reach.touches(figure), reach.covers(figure)) == (touches, covers)


def test_only_what_is_in_front_hides() -> None:
    figure = (100.0, 100.0, 120.0, 150.0)
    front = sighting((0.0, 0.0), (95.0, 120.0, 125.0, 175.0))
    back = sighting((0.0, 0.0), (95.0, 80.0, 125.0, 130.0))
    assert hidden_by(figure, [front]) == pytest.approx(0.6)
    assert hidden_by(figure, [back]) == 0.0


def roof(height: float) -> Terrain:
    corners = ((200.0, 150.0), (300.0, 150.0), (300.0, 250.0), (200.0, 250.0))
    return Terrain("t1", "building", corners, height, standable=True)


def detection_at(x: float, y: float, z: float) -> Detection:
    calibration = camera()
    points = np.array([[x - 4, y, z], [x + 4, y, z], [x, y, z + 39.0]])
    left, right, head = (tuple(map(float, p)) for p in calibration.to_image(points))
    box = (left[0] - 3, head[1], right[0] + 3, left[1] + 3)
    return Detection("minifig", 0.9, box, (left, right), head)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ((250.0, 200.0, 28.8), [28.8]),
        ((100.0, 100.0, 0.0), [0.0]),
        ((298.0, 200.0, 28.8), [28.8, 0.0]),
        ((250.0, 120.0, 0.0), [0.0]),
    ],
)
def test_levels(place: tuple[float, float, float], expected: list[float]) -> None:
    levels = levels_under(detection_at(*place), camera(), ground, 0.0, [roof(28.8)])
    assert levels == expected


def test_roofs_that_nobody_can_stand_on_do_not_count() -> None:
    wall = Terrain("t1", "wall", roof(28.8).footprint_mm, 28.8)
    assert levels_under(detection_at(250, 200, 28.8), camera(), ground, 0.0, [wall]) == [0.0]


def test_state_changes_only_after_some_looks() -> None:
    trace = Trace.begin(1, sighting((0.0, 0.0), (0.0, 0.0, 20.0, 50.0)), 0, Settings())
    lying = sighting((1.0, 0.0), (0.0, 0.0, 50.0, 20.0), state=FigureState.LYING)
    states = []
    for look in range(1, 6):
        trace.see(lying, look, frozen=False)
        states.append(trace.state)
    assert states[0] is FigureState.STANDING
    assert states[-1] is FigureState.LYING


def test_a_step_of_the_place_needs_three_looks_and_jitter_none() -> None:
    trace = Trace.begin(1, sighting((0.0, 0.0), (0.0, 0.0, 20.0, 50.0)), 0, Settings())
    moved = [
        trace.see(sighting((x, 0.0), (0.0, 0.0, 20.0, 50.0)), look, frozen=False)
        for look, x in enumerate([2.0, -2.0, 9.0, 1.0, 9.0, 9.0, 9.0], start=1)
    ]
    assert moved == [False] * 6 + [True]
    assert trace.at == (9.0, 0.0)


def test_archive_wants_a_look_of_its_own() -> None:
    box = (0.0, 0.0, 20.0, 50.0)
    red = Trace.begin(1, sighting((0.0, 0.0), box), 0, Settings())
    blue = Trace.begin(2, sighting((0.0, 0.0), box, colours=(BLUE, GREY)), 0, Settings())
    twin = Trace.begin(3, sighting((0.0, 0.0), box, colours=(BLUE, GREY)), 0, Settings())
    archive = Archive()
    archive.keep([red, blue, twin])
    new_blue = sighting((0.0, 0.0), box, colours=(BLUE, GREY))
    assert archive.recall(new_blue, []) is None
    new_red, other_red = sighting((0.0, 0.0), box), sighting((90.0, 0.0), box)
    assert archive.recall(new_red, [Candidate.begin(other_red, 0)]) is None
    assert archive.recall(new_red, [Candidate.begin(new_red, 0)]) == 1
    assert archive.recall(new_red, []) is None


def test_where_a_hand_was_a_moment_ago() -> None:
    settings = Settings()
    trail = Trail(settings)
    trail.note(Reach.of([Hand((100.0, 100.0, 200.0, 200.0), 0.9)], settings), 10)
    trail.note(Reach.of([], settings), 20)
    box = (150.0, 150.0, 170.0, 190.0)
    assert trail.last_at(box) == 10
    assert trail.last_at((400.0, 150.0, 420.0, 190.0)) == -1
    trail.note(Reach.of([], settings), 10 + settings.trail_ns + 1)
    assert trail.last_at(box) == -1


def test_faint_sightings_go_on_with_known_figures_only() -> None:
    tracker = Tracker(Settings(sure_score=0.5))
    known, stranger = (100.0, 100.0, 120.0, 150.0), (300.0, 100.0, 320.0, 150.0)
    for look in range(40):
        score = 0.8 if look == 0 else 0.3
        seen = [sighting((0.0, 0.0), known, score)]
        if look > 0:
            seen.append(sighting((200.0, 0.0), stranger, 0.3))
        tracks = tracker.step(seen, [], look * 100_000_000, (640, 480))
        assert [(track.track_id, track.box_px) for track in tracks] == [(1, known)]


@pytest.mark.parametrize(("gone_ms", "soon"), [(300, True), (4000, False)])
def test_a_figure_first_seen_behind_the_leaving_hand_is_soon_one(gone_ms: int, soon: bool) -> None:
    tracker = Tracker()
    box = (200.0, 100.0, 224.0, 140.0)
    put_down = sighting((100.0, 100.0), box=box)
    tracker.step([], [], 0, (480, 270))
    tracker.step([], [Hand((190.0, 90.0, 260.0, 270.0), 0.9)], 5_000_000_000, (480, 270))
    start = 5_000_000_000 + gone_ms * 1_000_000
    for look in range(1, 30):
        if tracker.step([put_down], [], start + look * 100_000_000, (480, 270)):
            break
    assert look == 3 if soon else look >= 10
