"""Units told from the lengths of strokes, and by two rulers together."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.ruler_reading import CLEAR, evidence, likeliest
from tests.calibration.measure_flat import ruler
from tests.calibration.rulers import stroke_mm

SIXTEENTH = 25.4 / 16


@pytest.mark.parametrize(
    ("unit", "every", "space"),
    [("mm", 1, 1.0), ("mm", 5, 5.0), ("inch", 1, SIXTEENTH), ("inch", 2, 2 * SIXTEENTH)],
)
def test_lengths_of_strokes_speak_for_their_unit(unit: str, every: int, space: float) -> None:
    rng = np.random.default_rng(7)
    number = np.arange(100)
    length = np.array([stroke_mm(every * int(one), unit) for one in number + 3], dtype=np.float64)
    known = evidence(number, length + rng.normal(0, 0.3, len(length)))
    assert max(known, key=lambda one: known[one]) == pytest.approx(space)
    assert known[max(known)] <= known[min(known, key=lambda one: abs(one - space))]


def test_strokes_all_alike_speak_for_nothing() -> None:
    rng = np.random.default_rng(8)
    known = evidence(np.arange(60), 5 + rng.normal(0, 0.2, 60))
    assert max(known.values(), default=0.0) < CLEAR


def test_two_rulers_correct_a_unit_read_wrong_by_two() -> None:
    first = {SIXTEENTH: 66.0, 2 * SIXTEENTH: 60.0, 4 * SIXTEENTH: 55.0}
    times, lead = likeliest([2 * SIXTEENTH, 4 * SIXTEENTH], [first, {}], 1600.0)
    assert times == pytest.approx(0.5) and lead > CLEAR


def test_two_rulers_that_say_nothing_leave_the_unit_open() -> None:
    _, lead = likeliest([5.0, 5.0], [{}, {}], 800.0)
    assert lead < CLEAR


def test_two_rulers_in_a_picture_are_not_wrong_by_a_factor() -> None:
    case = ruler(3011, "two")
    view, size, calibrate = case.view, case.size, case.calibrate
    off, _ = view.length_errors(calibrate(), size)
    assert np.median(np.abs(off)) < 0.005


def test_the_tables_size_tells_a_rulers_unit() -> None:
    case = ruler(7006, "table")
    view, size, calibrate = case.view, case.size, case.calibrate
    found = calibrate()
    assert any("as the table's size tells" in text for text in found.assumed)
    off, _ = view.length_errors(found, size)
    assert np.median(np.abs(off)) < 0.005
