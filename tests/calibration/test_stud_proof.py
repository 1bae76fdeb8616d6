"""What was found must prove to be studs; other plates are looked for beside the first."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from calibration.errors import NotFound
from calibration.plane import Calibration
from calibration.stud_camera import LensHints
from calibration.stud_plates import like_studs
from calibration.stud_points import View
from calibration.stud_proof import check_proof, foretold
from calibration.stud_search import find_studs, look_again
from calibration.stud_settle import Found, Plane
from tests.calibration.drawing import Drawing
from tests.calibration.views import camera, look_at, view

SIZE = (960, 540)
PLANE = Plane(LensHints(SIZE), 8.0, 1.7)
OTHER = np.array([[150.0, 10.0], [278.0, 138.0]])
"""Corners of the second plate, mm."""


@cache
def two_plates() -> tuple[Calibration, Found]:
    """The true camera over a plate of 16 studs a side and another beside it, and what was found."""
    truth = view(look_at((140, 70), 420, 55, -80), camera(800, size=SIZE), SIZE)
    drawing = Drawing(truth)
    drawing.plate((16, 16))
    drawing.plate((16, 16), colour=(150, 100, 60), origin=(150.0, 10.0))
    drawing.block((20, 30), (30, 20, 20), (40, 40, 200))
    return truth, find_studs(drawing.picture(), PLANE.hints, PLANE.pitch_mm, PLANE.top_mm)


def test_studs_are_seen_where_the_others_say() -> None:
    found = two_plates()[1]
    assert foretold(found, PLANE) > 0.9
    check_proof(found, PLANE)


def test_a_grid_that_the_picture_does_not_show_is_refused() -> None:
    found = two_plates()[1]
    noise = np.random.default_rng(0).normal(0, 1, found.sight.exact.shape).astype(np.float32)
    blind = replace(found, sight=replace(found.sight, exact=noise))
    assert foretold(blind, PLANE) < 0.2
    with pytest.raises(NotFound, match="too few studs are clear"):
        check_proof(blind, PLANE)


def test_studs_far_off_their_places_are_refused() -> None:
    found = two_plates()[1]
    off = 0.2 * np.random.default_rng(1).normal(0, 10, found.fit.residuals_px.shape)
    loose = replace(found, fit=replace(found.fit, residuals_px=off))
    with pytest.raises(NotFound, match="too few studs are clear"):
        check_proof(loose, PLANE)


def test_another_plate_is_looked_for_where_its_studs_repeat() -> None:
    truth, found = two_plates()
    fit, height = found.fit, PLANE.top_mm - found.matched.drop_mm
    own = View(fit.intrinsics, fit.camera_T_table, PLANE.pitch_mm, PLANE.top_mm)
    seeds = like_studs(found.sight, own, found.studs.nodes, height)
    assert seeds
    px = found.sight.level.to_picture(np.array([seed.middle_px for seed in seeds]))
    places = truth.to_table(px)
    first = ((places > -20) & (places < 148)).all(axis=1)
    other = ((places > OTHER[0] - 20) & (places < OTHER[1] + 20)).all(axis=1)
    assert (first | other).all()
    assert other.any()
    assert found.others == 1


def test_looking_again_finds_the_same_plate() -> None:
    truth, found = two_plates()
    drawing = Drawing(truth)
    drawing.plate((16, 16))
    drawing.block((20, 30), (30, 20, 20), (40, 40, 200))
    hints = PLANE.hints
    again = look_again(drawing.picture(), found, hints, PLANE.pitch_mm, PLANE.top_mm)
    assert again.sight.look.pooled
    assert len(again.studs.nodes) > 0.9 * len(found.studs.nodes)
    ratio = again.fit.intrinsics.fx_px / truth.intrinsics.fx_px
    assert ratio == pytest.approx(1.0, abs=0.05)
