"""Whole clips on a simulated table: identities, states and places, frame by frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from engine.table import FigureState
from tests.vision.tracking.simulator import SIZE, Carry, Cover, Faults, Shot, Toy, World
from vision.contact import ground
from vision.evaluation.mot import Item, MotScore, score
from vision.track import Track
from vision.tracking import Tracker, sight


@dataclass
class Run:
    """A clip with what the tracker made of it."""

    shots: list[Shot]
    tracks: list[tuple[Track, ...]]
    score: MotScore

    def at(self, second: float) -> dict[int, Track]:
        for shot, tracks in zip(self.shots, self.tracks, strict=True):
            if shot.t_ns >= second * 1e9:
                return {track.track_id: track for track in tracks}
        raise AssertionError(second)

    def nearest(self, second: float, at: tuple[float, float]) -> Track:
        return min(
            self.at(second).values(),
            key=lambda t: (t.position_mm[0] - at[0]) ** 2 + (t.position_mm[1] - at[1]) ** 2,
        )


def run(world: World) -> Run:
    tracker = Tracker()
    shots, looks, frames = [], [], []
    for shot in world.play():
        sightings = [
            s for d in shot.detections if (s := sight(d, shot.image, world.calibration, ground))
        ]
        tracks = tracker.step(sightings, shot.hands, shot.t_ns, SIZE)
        shots.append(shot)
        looks.append(tracks)
        items = [
            Item(str(t.track_id), t.position_mm, ignore=t.state is FigureState.IN_HAND)
            for t in tracks
        ]
        frames.append((shot.truth, items))
    return Run(shots, looks, score(frames))


SIX = ["red", "blue", "green", "yellow", "white", "black"]
PLACES = [(100, 100), (160, 260), (260, 140), (340, 300), (440, 120), (520, 240)]


def six(same: bool = False) -> list[Toy]:
    return [
        Toy(colour, "red" if same else colour, (float(x), float(y)))
        for colour, (x, y) in zip(SIX, PLACES, strict=True)
    ]


def test_still_table_with_faults() -> None:
    result = run(World(six(), 20, faults=Faults(miss=0.1, false=0.1, double=0.1))).score
    assert result.switches == 0
    assert result.idf1 > 0.97
    assert result.found > 0.99
    assert result.median_mm < 1.0
    assert result.p95_mm < 2.0


@pytest.mark.parametrize(
    ("same", "soles", "seed"),
    [(False, True, 1), (True, True, 2), (False, False, 3), (True, False, 4)],
)
def test_three_carried_one_after_another(same: bool, soles: bool, seed: int) -> None:
    acts = [
        Carry("red", 3, 5, (220.0, 320.0)),
        Carry("green", 7, 9, (300.0, 60.0)),
        Carry("blue", 11, 13, (480.0, 330.0)),
    ]
    faults = Faults(soles=soles)
    result = run(World(six(same), 16, acts, faults=faults, seed=seed)).score
    assert result.switches == 0, result
    assert result.idf1 >= 0.95, result
    assert result.found > 0.95


def test_hand_over_several_moves_only_one() -> None:
    toys = [
        Toy("a", "red", (250.0, 180.0)),
        Toy("b", "red", (285.0, 180.0)),
        Toy("c", "red", (320.0, 180.0)),
        Toy("d", "blue", (420.0, 300.0)),
    ]
    acts = [Carry("b", 3, 6, (285.0, 290.0), width_mm=150.0, over_mm=60.0)]
    result = run(World(toys, 10, acts))
    assert result.score.switches == 0, result.score
    assert result.score.idf1 >= 0.95
    before, after = result.nearest(2, (285, 180)), result.nearest(9, (285, 290))
    assert before.track_id == after.track_id


def test_hidden_figures_keep_their_place() -> None:
    acts = [Cover(3, 8, (250.0, 150.0), 160.0)]
    result = run(World(six(), 12, acts))
    hidden = result.nearest(6, (260, 140))
    assert hidden.state is FigureState.HIDDEN
    assert hidden.box_px is None
    assert hidden.position_mm == pytest.approx((260, 140), abs=3)
    assert result.nearest(11, (260, 140)).state is FigureState.STANDING
    assert result.nearest(11, (260, 140)).track_id == hidden.track_id
    assert result.score.switches == 0


def test_carried_figure_is_in_hand() -> None:
    acts = [Carry("red", 3, 6, (400.0, 200.0), over_mm=4.0)]
    result = run(World(six(), 9, acts, faults=Faults(0.3, 0, 0, 0)))
    red = result.nearest(2, (100, 100)).track_id
    states = [result.at(second)[red].state for second in (2.0, 4.0, 5.0, 8.5)]
    assert states[0] is FigureState.STANDING
    assert FigureState.IN_HAND in states[1:3]
    assert states[3] is FigureState.STANDING
    assert result.at(8.5)[red].position_mm == pytest.approx((400, 200), abs=3)


def test_laid_down_keeps_its_identity() -> None:
    acts = [Carry("green", 3, 4, (270.0, 140.0), lay_down=True, lift=10.0)]
    result = run(World(six(), 8, acts))
    before, after = result.nearest(2, (260, 140)), result.nearest(7, (270, 140))
    assert before.track_id == after.track_id
    assert after.state is FigureState.LYING
    assert result.score.switches == 0


def test_stop_motion_without_hands() -> None:
    jumps = [(2 + 0.6 * k, "blue", (160.0 + 25 * k, 260.0 - 5 * k)) for k in range(8)]
    result = run(World(six(), 9, jumps=jumps))
    assert result.score.switches == 0
    assert result.score.idf1 > 0.96


def test_unseen_hand_is_followed_by_appearance() -> None:
    acts = [Carry("red", 3, 5, (220.0, 320.0)), Carry("green", 7, 9, (300.0, 60.0))]
    result = run(World(six(), 12, acts, hands_seen=False))
    assert result.score.switches == 0
    assert result.score.idf1 > 0.9


def test_taken_off_and_another_put_down() -> None:
    toys = [*six()[:4], Toy("new", "white", (300.0, -40.0), on_table=False)]
    acts = [
        Carry("red", 2, 4, (100.0, -60.0), remove=True),
        Carry("new", 6, 8, (420.0, 220.0)),
    ]
    result = run(World(toys, 12, acts))
    red = result.nearest(1, (100, 100))
    new = result.nearest(11, (420, 220))
    assert new.position_mm == pytest.approx((420, 220), abs=3)
    assert new.track_id not in result.at(1)
    assert result.at(11)[red.track_id].state is FigureState.HIDDEN


def test_two_alike_carried_past_each_other() -> None:
    toys = [
        Toy("a", "red", (150.0, 150.0)),
        Toy("b", "red", (400.0, 160.0)),
        Toy("c", "blue", (300.0, 300.0)),
    ]
    acts = [Carry("a", 2, 4, (450.0, 190.0)), Carry("b", 6, 8, (120.0, 130.0))]
    result = run(World(toys, 11, acts))
    assert result.score.switches == 0, result.score
    assert result.score.idf1 > 0.95


def test_doubt_shrinks_with_looks_but_not_below_the_calibration() -> None:
    world = World(six(), 6, faults=Faults(0.4, 0.0, 0.0, 0.0))
    result = run(world)
    first, later = result.nearest(0, (260, 140)), result.nearest(5, (260, 140))
    floor = world.calibration.sigma_mm(world.calibration.to_image(np.array([[260.0, 140.0]])))[0]
    assert later.sigma_mm < 0.75 * first.sigma_mm
    bare = world.calibration.sigma_mm(
        world.calibration.to_image(np.array([[260.0, 140.0]])), 0.0, 0.0
    )[0]
    assert bare < later.sigma_mm < floor + 0.5
