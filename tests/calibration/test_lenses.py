"""Lenses are measured from several views, kept for each camera and resolution, and never lost."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from calibration.camera import Intrinsics
from calibration.errors import BadReference, NotFound
from calibration.lenses import LensStore, alike, measured_lens
from calibration.many_views import lens_of
from calibration.plane import Calibration
from calibration.sheet import SHEETS, calibrate_sheet
from tests.calibration.flat import PAPER, box, fill, scene
from tests.calibration.views import camera, look_at, view

SIZE = (1280, 720)
LENS = Intrinsics(1000.0, 1000.0, 640.0, 360.0, (-0.1, 0, 0, 0, 0), 0.01, 0.02)


def seen(seed: int, focal: float = 1100.0, k1: float = -0.12, noise: float = 0.15) -> Calibration:
    """A board of 5 by 7 corners as a camera sees it from somewhere, its lens guessed."""
    rng = np.random.default_rng(seed)
    pose = look_at((90, 120), 450, rng.uniform(40, 85), rng.uniform(-180, 180), rng.uniform(-9, 9))
    truth = view(pose, camera(focal, k1, SIZE), SIZE)
    places = np.array([(30.0 * x, 30.0 * y, 0.0) for x in range(5) for y in range(7)])
    px = truth.to_image(places) + rng.normal(0, noise, (len(places), 2))
    return replace(
        truth, intrinsics=camera(900.0, 0.0, SIZE), seen_px=px, seen_mm=places, outline_px=px[:4]
    )


def test_several_views_tell_the_lens() -> None:
    off, pulls = [], []
    for first in range(0, 60, 6):
        found = lens_of([seen(first + index) for index in range(6)])
        off.append(abs(found.fx_px / 1100 - 1))
        pulls.append((found.fx_px / 1100 - 1) / found.focal_doubt)
        assert found.distortion[0] == pytest.approx(-0.12, abs=4 * found.k1_doubt)
    assert np.median(off) < 0.005
    assert np.sqrt(np.mean(np.square(pulls))) < 1.4


def test_views_from_one_side_tell_nothing() -> None:
    with pytest.raises(NotFound, match="1 view "):
        lens_of([seen(1)] * 5)
    with pytest.raises(NotFound, match="one lens does not show"):
        lens_of([seen(1), seen(2, noise=9.0), seen(3, noise=9.0), seen(4)])


def test_a_lens_is_kept_for_its_camera_and_resolution(tmp_path: Path) -> None:
    store = LensStore(tmp_path / "deep" / "lenses.json")
    assert store.find("camera:0", SIZE) is None
    assert store.keep("camera:0", SIZE, LENS, "markers")
    assert store.find("camera:0", SIZE) == LENS
    assert store.find("camera:1", SIZE) is None
    assert store.find("camera:0", (640, 360)) is None
    other = replace(LENS, fx_px=500.0, fy_px=500.0)
    assert store.keep("camera:0", (640, 360), other, "sheet")
    assert store.find("camera:0", SIZE) == LENS
    assert store.find("camera:0", (640, 360)) == other


def test_a_surer_lens_stays_and_a_changed_one_goes(tmp_path: Path) -> None:
    store = LensStore(tmp_path / "lenses.json")
    store.keep("c", SIZE, LENS, "markers")
    vague = replace(LENS, fx_px=1010.0, focal_doubt=0.03)
    assert not store.keep("c", SIZE, vague, "ruler")
    assert store.find("c", SIZE) == LENS
    zoomed = replace(LENS, fx_px=1300.0, focal_doubt=0.02)
    assert not alike(LENS, zoomed)
    assert store.keep("c", SIZE, zoomed, "studs")
    assert store.find("c", SIZE) == zoomed


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"schema_version": 2, "lenses": []}',
        '{"schema_version": 1, "lenses": [{"camera": "c"}]}',
        "\xff",
    ],
)
def test_a_broken_file_is_said_and_never_lost(tmp_path: Path, text: str) -> None:
    path = tmp_path / "lenses.json"
    path.write_bytes(text.encode("latin-1"))
    store = LensStore(path)
    for use in (
        lambda: store.find("c", SIZE),
        lambda: store.keep("c", SIZE, LENS, "markers"),
    ):
        with pytest.raises(BadReference) as caught:
            use()
        assert caught.value.name == str(path)
        assert "\n" not in str(caught.value)
        assert "move it away" in caught.value.fault
    assert path.read_bytes() == text.encode("latin-1")
    assert list(tmp_path.iterdir()) == [path]


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadReference, match="cannot be"):
        LensStore(tmp_path / "file" / "lenses.json").keep("c", SIZE, LENS, "markers")


@lru_cache(maxsize=1)
def sheet() -> tuple[Calibration, np.ndarray]:
    size = SHEETS["A4"]
    drawn = scene(8, size, (80, 84), (700, 900))
    fill(drawn.drawing, box(0, 0, *size), PAPER)
    return drawn.truth, drawn.drawing.picture(seed=8)


def test_a_kept_lens_makes_a_steep_view_surer() -> None:
    truth, image = sheet()
    free = calibrate_sheet(image)
    true = truth.intrinsics
    kept = replace(true, fx_px=true.fx_px * 1.004, fy_px=true.fy_px * 1.004,
                   focal_doubt=0.005, k1_doubt=0.01)  # fmt: skip
    known = calibrate_sheet(image, intrinsics=kept)
    vague = np.sqrt(free.covariance[6, 6]) / free.intrinsics.fx_px
    assert abs(known.intrinsics.fx_px / true.fx_px - 1) < 0.01
    told = np.sqrt(known.covariance[6, 6]) / known.intrinsics.fx_px
    assert 0.001 < told < 0.006 < vague / 3
    seen = measured_lens(free)
    assert seen is not None and abs(seen.fx_px / true.fx_px - 1) < 3 * seen.focal_doubt
    assert measured_lens(replace(free, covariance=4 * free.covariance)) is None
    assert measured_lens(replace(free, covariance=np.zeros((6, 6)))) is None
