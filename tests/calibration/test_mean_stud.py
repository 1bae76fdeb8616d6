"""All studs together must look like a stud, however faint each of them is."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.camera import Intrinsics
from calibration.errors import NotFound
from calibration.stud_points import View
from calibration.stud_settle import FlatPattern, check_mean_stud
from calibration.studs import calibrate_studs
from tests.calibration.drawing import Drawing
from tests.calibration.flat import box, fill
from tests.calibration.views import camera, look_at, view

SIZE = (400, 400)
STEP = 20.0
NODES = np.stack(np.meshgrid(np.arange(12), np.arange(12)), -1).reshape(-1, 2)


def straight_down() -> View:
    """A camera that sees places 20 px apart, the first at pixel (80, 80)."""
    pose = np.eye(4)
    pose[:3, 3] = [(80 - 199.5) / STEP * 8, (80 - 199.5) / STEP * 8, 400 * 8 / STEP]
    return View(Intrinsics(400.0, 400.0, 199.5, 199.5), pose, 8.0, 0.0)


def repeated(kind: str) -> NDArray[np.float32]:
    """Squares or lit bumps at these places, each of them lost in grain."""
    y, x = np.mgrid[: SIZE[1], : SIZE[0]].astype(np.float64)
    u, v = ((axis - 80 + STEP / 2) % STEP - STEP / 2 for axis in (x, y))
    square = (np.abs(u) < 5) & (np.abs(v) < 5)
    bump = np.where(np.hypot(u, v) < 6, 0.5 + (u + v) / 12, 0.0)
    wave = square.astype(np.float64) if kind == "squares" else bump
    grain = np.random.default_rng(3).normal(0, 1.0, wave.shape)
    return np.asarray(wave - wave.mean() + grain, dtype=np.float32)


def test_faint_squares_are_no_studs() -> None:
    with pytest.raises(FlatPattern, match="square, not round"):
        check_mean_stud(repeated("squares"), straight_down(), 1.0, NODES)


def test_faint_bumps_lit_from_a_side_are_studs() -> None:
    check_mean_stud(repeated("bumps"), straight_down(), 1.0, NODES)


def test_dots_too_small_to_tell_are_not_said_to_be_printed() -> None:
    """At 7 px a step a plate that is lit evenly looks the same: what would help is to be nearer."""
    truth = view(look_at((96, 96), 1080, 80), camera(950, size=(1280, 720)), (1280, 720))
    drawing = Drawing(truth)
    fill(drawing, box(0, 0, 192, 192), (60, 70, 60))
    turn = np.linspace(0, 2 * np.pi, 20, endpoint=False)
    dot = np.column_stack([np.cos(turn), np.sin(turn)]) * 2.4
    for row, column in np.ndindex(24, 24):
        fill(drawing, dot + np.array([4 + 8 * column, 4 + 8 * row]), (90, 170, 200))
    with pytest.raises(NotFound, match="too small to tell studs from printed dots; move closer"):
        calibrate_studs(drawing.picture(noise=1.0))
