"""Scores of small hand-made clips."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from calibration.camera import Intrinsics
from calibration.plane import Calibration
from tests.calibration.views import look_at
from vision.errors import BadSource
from vision.evaluation.mot import Item, score
from vision.evaluation.truth import Truth, align, load_truth, move


def still(names: dict[str, tuple[float, float]], count: int) -> list[list[Item]]:
    return [[Item(name, at) for name, at in names.items()] for _ in range(count)]


def test_perfect_and_empty() -> None:
    truth = still({"a": (0, 0), "b": (100, 0)}, 5)
    perfect = score(zip(truth, still({"1": (1, 0), "2": (100, 2)}, 5), strict=True))
    assert (perfect.idf1, perfect.switches, perfect.misses, perfect.false) == (1.0, 0, 0, 0)
    assert (perfect.found, perfect.median_mm, perfect.max_mm) == (1.0, 1.5, 2.0)
    nothing = score((t, []) for t in truth)
    assert (nothing.idf1, nothing.misses, nothing.found) == (0.0, 10, 0.0)
    assert math.isnan(nothing.median_mm)


def test_a_switch_costs_identity() -> None:
    truth = still({"a": (0, 0)}, 10)
    tracks = [[Item("1" if n < 6 else "2", (0.0, 0.0))] for n in range(10)]
    result = score(zip(truth, tracks, strict=True))
    assert result.switches == 1
    # Six of ten frames under the better identity: 2 * 6 / (10 + 10).
    assert result.idf1 == pytest.approx(0.6)


def test_swapped_tracks_are_two_switches() -> None:
    truth = still({"a": (0, 0), "b": (100, 0)}, 4)
    one, other = {"1": (0.0, 0.0), "2": (100.0, 0.0)}, {"2": (0.0, 0.0), "1": (100.0, 0.0)}
    tracks = still(one, 2) + still(other, 2)
    result = score(zip(truth, tracks, strict=True))
    assert (result.switches, result.idf1) == (2, pytest.approx(0.5))


def test_the_gate_and_false_tracks() -> None:
    truth = still({"a": (0, 0)}, 4)
    tracks = still({"1": (21.0, 0.0), "2": (300.0, 0.0)}, 4)
    result = score(zip(truth, tracks, strict=True))
    assert (result.misses, result.false, result.idf1) == (4, 8, 0.0)
    assert score(zip(truth, tracks, strict=True), gate_mm=25).misses == 0


def test_who_was_followed_stays_followed() -> None:
    truth = still({"a": (0, 0)}, 3)
    tracks = [
        [Item("1", (5.0, 0.0))],
        [Item("1", (9.0, 0.0)), Item("2", (1.0, 0.0))],
        [Item("1", (5.0, 0.0))],
    ]
    assert score(zip(truth, tracks, strict=True)).switches == 0


def test_what_is_in_a_hand_counts_neither_way() -> None:
    truth = [[Item("a", (0.0, 0.0), ignore=n > 1)] for n in range(4)]
    tracks = [[Item("1", (0.0, 0.0) if n < 2 else (80.0, 0.0), ignore=n > 1)] for n in range(4)]
    result = score(zip(truth, tracks, strict=True))
    assert (result.idf1, result.misses, result.false) == (1.0, 0, 0)


def test_only_measured_figures_count_as_found() -> None:
    truth = [[Item("a", (0.0, 0.0), measured=n < 3), Item("b", (90.0, 0.0))] for n in range(4)]
    tracks = still({"2": (90.0, 0.0)}, 4)
    result = score(zip(truth, tracks, strict=True))
    assert result.found == pytest.approx(4 / 7)
    assert result.found_each == {"a": 0.0, "b": 1.0}


def camera(shift: tuple[float, float] = (0.0, 0.0), turn_deg: float = 0.0) -> Calibration:
    """One and the same camera, its table frame moved and turned."""
    pose = look_at((190.0, 190.0), 700.0, 55.0)
    turn = np.radians(turn_deg)
    move_frame = np.eye(4)
    move_frame[:2, :2] = [[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]
    move_frame[:2, 3] = shift
    lens = Intrinsics(900.0, 900.0, 479.5, 269.5)
    return Calibration("points", "first point", (960, 540), lens, pose @ move_frame)


def test_align_finds_the_other_origin() -> None:
    truth = Truth(camera(), (384.0, 384.0), ())
    motion, rms = align(truth, camera((384.0, 10.0), 90.0))
    assert rms < 1e-6
    # Frame b is frame a turned by 90 degrees round (384, 10).
    assert move(motion, (384.0, 10.0)) == pytest.approx((0.0, 0.0), abs=1e-6)
    assert move(motion, (384.0, 60.0)) == pytest.approx((50.0, 0.0), abs=1e-6)


@pytest.mark.parametrize("text", ["", "{", "{}", '{"K": 3}'])
def test_bad_truth(tmp_path: Path, text: str) -> None:
    path = tmp_path / "truth.json"
    with pytest.raises(BadSource, match="cannot be read"):
        load_truth(path)
    path.write_text(text)
    with pytest.raises(BadSource, match="is not"):
        load_truth(path)
