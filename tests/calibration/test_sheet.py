"""A sheet gives the camera by its four edges, and says so when it does not."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.errors import BadReference, NotFound
from calibration.sheet import SHEETS, calibrate_sheet, parse_sheet
from tests.calibration.flat import PAPER, box, fill, rounded, scene

A4 = SHEETS["A4"]


@pytest.mark.parametrize("seed", range(8))
def test_lengths_by_a_sheet_with_figures_on_it(seed: int) -> None:
    size = A4 if seed % 3 else (A4[1], A4[0])
    view = scene(seed, size)
    fill(view.drawing, box(0, 0, *size), PAPER)
    view.clutter(5, (-100, -100), (size[0] + 80, size[1] + 80))
    found = calibrate_sheet(view.drawing.picture(seed=seed))
    off, pulls = view.length_errors(found, size)
    assert np.median(np.abs(off)) < 0.005
    assert np.sqrt((pulls**2).mean()) < 1.5
    sides = found.assumed[-1]
    near = found.to_image(np.array([[0.0, 0.0]]))[0]
    apart = view.truth.to_image(box(0, 0, *size)) - near
    assert np.hypot(*apart.T).min() < 2.0
    assert sides.startswith("sheet of") and found.reference == "sheet"


@pytest.mark.parametrize("seed", [1, 3, 5])
def test_a_bank_card_has_rounded_corners(seed: int) -> None:
    size = SHEETS["card"]
    view = scene(seed, size, (45, 80), (250, 450))
    fill(view.drawing, rounded(*size, 3.18), (150, 60, 40))
    found = calibrate_sheet(view.drawing.picture(seed=seed), size_mm=size)
    off, _ = view.length_errors(found, size)
    assert np.median(np.abs(off)) < 0.01


def test_a_dark_sheet_on_a_light_table() -> None:
    view = scene(7, A4)
    view.drawing.canvas[:] = 205
    fill(view.drawing, box(0, 0, *A4), (60, 60, 60))
    found = calibrate_sheet(view.drawing.picture())
    off, _ = view.length_errors(found, A4)
    assert np.median(np.abs(off)) < 0.01


def test_a_known_field_of_view_is_kept() -> None:
    view = scene(2, A4)
    fill(view.drawing, box(0, 0, *A4), PAPER)
    fov = float(np.degrees(2 * np.arctan(640 / view.truth.intrinsics.fx_px)))
    found = calibrate_sheet(view.drawing.picture(), fov_deg=fov)
    assert found.intrinsics.fx_px == pytest.approx(view.truth.intrinsics.fx_px, rel=0.02)
    assert not any("field of view" in text for text in found.assumed)


def test_a_square_is_no_a4() -> None:
    view = scene(4, (250.0, 250.0), (65, 80))
    fill(view.drawing, box(0, 0, 250, 250), PAPER)
    with pytest.raises(NotFound, match="297 x 210"):
        calibrate_sheet(view.drawing.picture())
    found = calibrate_sheet(view.drawing.picture(), size_mm=(250, 250))
    off, _ = view.length_errors(found, (250, 250))
    assert np.median(np.abs(off)) < 0.01


def test_a_curled_sheet_is_refused() -> None:
    view = scene(6, A4, (50, 60))
    bulge = np.sin(np.linspace(0, np.pi, 40)) * 25
    along = np.linspace(0, A4[0], 40)
    low = np.column_stack([along, 0 - bulge])
    high = np.column_stack([along[::-1], A4[1] - bulge])
    fill(view.drawing, np.concatenate([low, high]), PAPER)
    with pytest.raises(NotFound, match="flat"):
        calibrate_sheet(view.drawing.picture())


def test_what_the_border_cuts_off_is_no_sheet() -> None:
    view = scene(6, A4, (70, 80))
    fill(view.drawing, box(0, 0, *A4), PAPER)
    image = view.drawing.picture()
    assert calibrate_sheet(image).reference == "sheet"
    left, right = np.sort(view.truth.to_image(box(0, 0, *A4))[:, 0])[[0, 3]]
    cut = image[:, : int(0.55 * left + 0.45 * right)]
    with pytest.raises(NotFound, match="no sheet"):
        calibrate_sheet(cut)
    with pytest.raises(NotFound, match="no sheet"):  # the part that is left is four-sided too
        calibrate_sheet(cut, size_mm=(210.0, 120.0))


def test_a_block_is_no_sheet_far_away() -> None:
    view = scene(21, (300.0, 200.0), (50, 60), (800, 900))
    view.clutter(8, (-100, -100), (300, 300))
    with pytest.raises(NotFound, match="over 4 m away"):
        calibrate_sheet(view.drawing.picture(seed=4))


@pytest.mark.parametrize(("level", "words"), [(4, "too dark"), (140, "one colour")])
def test_nothing_to_see(level: int, words: str) -> None:
    with pytest.raises(NotFound, match=words):
        calibrate_sheet(np.full((480, 640, 3), level, np.uint8))


def test_an_empty_table() -> None:
    view = scene(1, A4)
    with pytest.raises(NotFound, match="no sheet"):
        calibrate_sheet(view.drawing.picture())


def test_sizes_by_name_and_number() -> None:
    assert parse_sheet("a4") == (297.0, 210.0)
    assert parse_sheet("Letter") == (279.4, 215.9)
    assert parse_sheet("100x250.5") == (250.5, 100.0)
    for text in ("A5", "10", "axb", "1x1", "nanx10", "infx20", ""):
        with pytest.raises(BadReference):
            parse_sheet(text)
