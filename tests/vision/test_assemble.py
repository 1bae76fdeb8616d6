"""Tracks, names and corrections become figures."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.table import Base, FigureState, Seen, Terrain
from vision.assemble import Correction, Roster, assemble, base_rotation
from vision.look import Look
from vision.track import Track

SECOND = 1_000_000_000


def track(
    track_id: int,
    at: tuple[float, float] | None = (10.0, 20.0),
    state: FigureState = FigureState.STANDING,
    seen_ns: int = 0,
    facing: float | None = None,
) -> Track:
    return Track(
        track_id, "minifig", at, None if at is None else 0.7, facing, state, 0.0,
        None, seen_ns, 0.9, None if facing is None else 4.0,
    )  # fmt: skip


def look(*tracks: Track, t_ns: int = 0) -> Look:
    return Look(0, t_ns, (), (), tracks, settled=True)


def test_a_plain_figure_is_rounded() -> None:
    state = assemble(
        look(track(3, (10.12345, -0.0001), facing=359.97)), Roster(), (300.0, 200.0), ()
    )
    figure = state.figure("f3")
    assert figure.position_mm == (10.12, 0.0)
    assert str(figure.position_mm[1]) == "0.0"
    assert figure.facing_deg == 0.0
    assert figure.base.rotation_deg == 0.0
    assert (figure.seen, figure.sigma_mm, figure.height_mm) == (Seen.SEEN, 0.7, 40.0)
    assert (state.size_mm, state.settled, state.doubts) == ((300.0, 200.0), True, ())


def test_sides_bases_and_profiles() -> None:
    roster = Roster(
        sides={"f1": "red"}, bases={"f1": Base(size_mm=20.0, height_mm=3.2)}, profiles={"f1": "big"}
    )
    figure = assemble(look(track(1, facing=100.0)), roster, None, ()).figure("f1")
    assert (figure.side, figure.profile) == ("red", "big")
    assert figure.base == Base(size_mm=20.0, height_mm=3.2, rotation_deg=10.0)


@pytest.mark.parametrize(
    ("facing", "sigma", "expected"),
    [(None, None, None), (45.0, 12.0, None), (135.0, 3.0, 45.0), (-10.0, 3.0, 80.0)],
)
def test_base_rotation(facing: float | None, sigma: float | None, expected: float | None) -> None:
    assert base_rotation(facing, sigma) == expected


def test_named_track_and_its_old_place() -> None:
    old = track(3, (1.0, 1.0), FigureState.HIDDEN, 0)
    new = track(7, (50.0, 50.0), seen_ns=9)
    state = assemble(look(old, new, t_ns=9), Roster(identities={7: "f3"}), None, ())
    assert [(f.figure_id, f.position_mm) for f in state.figures] == [("f3", (50.0, 50.0))]


def test_two_seen_figures_swap_names() -> None:
    state = assemble(
        look(track(3, (1.0, 1.0)), track(7, (50.0, 50.0))), Roster(identities={7: "f3"}), None, ()
    )
    assert {f.figure_id: f.position_mm for f in state.figures} == {
        "f3": (50.0, 50.0),
        "f7": (1.0, 1.0),
    }


def test_unseen_for_long_is_said_in_steps() -> None:
    hidden = track(3, state=FigureState.HIDDEN, seen_ns=SECOND)
    said = [
        assemble(look(hidden, t_ns=t * SECOND), Roster(), None, ()).doubts
        for t in (5, 11, 20, 21, 25)
    ]
    assert said == [
        (),
        ("f3 has not been seen for 10 s",),
        ("f3 has not been seen for 10 s",),
        ("f3 has not been seen for 20 s",),
        ("f3 has not been seen for 20 s",),
    ]
    assert assemble(look(hidden), Roster(), None, ()).figure("f3").seen is Seen.HIDDEN


def test_correction_beats_the_camera_until_a_hand_moves_the_figure() -> None:
    correction = Correction((30.0, 40.0), 90.0, FigureState.LYING, 9.6, 3, (10.0, 20.0))
    roster = Roster(corrections={"f3": correction})
    figure = assemble(look(track(3, (11.0, 21.0))), roster, None, ()).figure("f3")
    assert figure.position_mm == (30.0, 40.0)
    assert (figure.state, figure.level_mm, figure.facing_deg) == (FigureState.LYING, 9.6, 90.0)
    assert figure.seen is Seen.CORRECTED
    held = track(3, (11.0, 21.0), FigureState.IN_HAND)
    assert assemble(look(held), roster, None, ()).figure("f3").seen is Seen.SEEN
    moved = assemble(look(track(3, (60.0, 20.0))), roster, None, ()).figure("f3")
    assert (moved.position_mm, moved.seen) == ((60.0, 20.0), Seen.SEEN)


def test_partial_correction_keeps_the_rest() -> None:
    correction = Correction(state=FigureState.LYING, track_id_at=3, position_then_mm=(10.0, 20.0))
    figure = assemble(look(track(3)), Roster(corrections={"f3": correction}), None, ()).figure("f3")
    assert (figure.position_mm, figure.state) == ((10.0, 20.0), FigureState.LYING)


def test_a_figure_by_word_only() -> None:
    roster = Roster(corrections={"f9": Correction((5.0, 6.0))}, sides={"f9": "blue"})
    figure = assemble(look(), roster, None, ()).figure("f9")
    assert (figure.position_mm, figure.side, figure.seen) == ((5.0, 6.0), "blue", Seen.CORRECTED)


def test_without_calibration_there_are_doubts_not_figures() -> None:
    state = assemble(look(track(1, None), track(2, None)), Roster(), None, ())
    assert state.figures == ()
    assert state.doubts == ("the table is not calibrated: figures have no places",)


def test_order() -> None:
    square = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0))
    pieces = [Terrain("t2", "wall", square, 9.6), Terrain("t1", "wall", square, 9.6)]
    state = assemble(look(*(track(n) for n in (10, 2, 1))), Roster(), None, pieces)
    assert [f.figure_id for f in state.figures] == sorted(["f10", "f2", "f1"])
    assert [t.terrain_id for t in state.terrain] == ["t1", "t2"]
    assert replace(state) == state
