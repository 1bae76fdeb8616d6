"""The packaged game, judged from the truth of its pictures instead of from the pictures."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from engine.referee import Referee
from engine.table import FigureState
from server.demo import demo_calibration, demo_game
from server.script import Script
from server.session import Session
from vision.data import data_path
from vision.errors import BadSource
from vision.look import Look
from vision.track import Track


def true_looks() -> Iterator[Look]:
    """What a pipeline without any error would see."""
    truth = json.loads(data_path("datasets/demo/truth.json").read_text())
    ids = [figure["id"] for figure in truth["figures"]]
    last, quiet = "", 0
    for number, frame in enumerate(truth["frames"]):
        tracks = [
            Track(
                ids.index(figure["id"]) + 1,
                "minifig",
                (figure["position_mm"][0], figure["position_mm"][1]),
                0.6,
                figure["facing_deg"],
                FigureState(figure["state"]),
                figure["level_mm"],
                None,
                frame["t_ms"] * 1_000_000,
                0.9,
            )
            for figure in frame["figures"]
            if figure["state"] != "absent"
        ]
        places = json.dumps([figure.get("position_mm") for figure in frame["figures"]])
        quiet = 0 if frame["hands"] or places != last else quiet + 1
        last = places
        yield Look(number, frame["t_ms"] * 1_000_000, (), (), tuple(tracks), quiet >= 5)


@pytest.fixture(scope="module")
def judged() -> Session:
    try:
        game = demo_game()
        size_mm = demo_calibration().size_mm
    except BadSource as error:
        pytest.skip(str(error))
    session = Session(Referee(), size_mm=size_mm, script=Script(game))
    session.run(true_looks())
    return session


def test_every_tap_of_the_game_is_allowed(judged: Session) -> None:
    assert judged.notes == ()


def test_the_game_is_told_as_it_happened(judged: Session) -> None:
    said = "\n".join(one.text for one in judged.referee.announcements())
    too_far = re.search(r"Red 3: ([0-9.]+) cm, limit 15", said)
    assert too_far is not None
    assert float(too_far[1]) == pytest.approx(16.8, abs=0.3)
    for words in (
        "Red begins",
        "Red 1: 9.6 cm, may shoot",
        "Red 2: 12.8 cm, no shooting",
        "Red 1 at Blue 3: 2. Miss.",
        "Struck: Red 2 is dead",
        "Struck: Blue 1 is dead",
    ):
        assert words in said


def test_the_game_ends_with_a_winner(judged: Session) -> None:
    assert judged.referee.state.outcome == "red"
