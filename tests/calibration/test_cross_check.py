"""Several references in one picture."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.calibrate import calibrate
from calibration.cross_check import best_of, compare, with_measured_pitch
from calibration.errors import NotFound
from calibration.plane import Calibration, Studs
from tests.calibration.flat import PAPER, box, draw_board, fill, scene
from tests.calibration.views import camera, look_at, view


def known(reference: str, stretch: float = 1.0, doubt: float = 0.001) -> Calibration:
    """A calibration of one view whose lengths are too long by a factor."""
    pose = look_at((100, 100), 900, 60)
    pose[:3, 3] *= stretch
    true = view(look_at((100, 100), 900, 60), camera())
    outline = true.to_image(box(0, 0, 200, 200))
    found = view(pose, camera())
    return replace(found, reference=reference, scale_sigma=doubt, outline_px=outline)


def test_the_most_certain_is_taken() -> None:
    best = best_of([known("sheet", doubt=0.003), known("markers", doubt=0.001)], frozenset())
    assert best.reference == "markers" and best.warnings == ()


def test_a_small_difference_is_said_with_both_values() -> None:
    best = best_of([known("markers"), known("sheet", 1.02, 0.003)], frozenset())
    assert best.reference == "markers"
    assert "differ by 2.0 %" in best.warnings[0]
    first, second = (float(part.split(" mm")[0]) for part in best.warnings[0].split(" is ")[1:3])
    assert second / first == pytest.approx(1.02, rel=1e-3)


def test_references_that_contradict_each_other_are_no_answer() -> None:
    pair = [known("markers"), known("sheet", 1.4, 0.003)]
    with pytest.raises(NotFound, match="check the sizes"):
        best_of(pair, frozenset({"sheet"}))
    assert best_of(pair, frozenset()).reference == "markers"


def test_a_ruler_measures_the_pitch() -> None:
    studs = replace(
        known("studs", 8.0 / 7.984, 0.0015),
        studs=Studs(400, 8.0),
        assumed=("stud pitch 8 mm",),
        reference_plane_mm=0.0,
    )
    ruler = known("ruler", doubt=0.0002)
    # Lying beside the plate: the ruler's own pictures are read 1.6 mm lower in the studs' frame.
    mended = with_measured_pitch(studs, ruler)
    assert mended.studs is not None
    assert mended.studs.pitch_mm == pytest.approx(7.984, abs=0.02)
    assert "measured by the ruler" in mended.assumed[-1]
    assert mended.scale_sigma < studs.scale_sigma
    after = compare(ruler, mended)
    before = compare(ruler, studs)
    assert after is not None and before is not None
    assert abs(after.ratio - 1) < abs(before.ratio - 1)


def test_auto_finds_the_board_and_the_sheet() -> None:
    seen = scene(2, (500.0, 260.0), (55, 80), (900, 1200))
    draw_board(seen.drawing)
    fill(seen.drawing, box(220, 0, 210, 297), PAPER)
    image = seen.drawing.picture()
    found = calibrate(image)
    assert found.reference in ("markers", "sheet")
    off, _ = seen.length_errors(found, (400, 250))
    assert np.median(np.abs(off)) < 0.006
    with pytest.raises(NotFound, match="differ by"):
        calibrate(image, sheet_mm=(420.0, 297.0))


def test_auto_says_what_it_missed() -> None:
    with pytest.raises(NotFound, match=r"no reference.*no markers.*no stud.*no sheet"):
        calibrate(scene(1, (300.0, 200.0)).drawing.picture())
    with pytest.raises(NotFound, match="too dark"):
        calibrate(np.zeros((480, 640, 3), np.uint8))
