"""Raised baseplates: studs at two heights, either of which might be taken for the table."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.calibrate import calibrate
from calibration.errors import NotFound
from calibration.plane import Calibration
from calibration.raised import other_level
from calibration.studs import calibrate_studs
from tests.calibration.drawing import Drawing
from tests.calibration.views import camera, look_at, view
from vision.frames import Image

SIZE = (1280, 720)
GREEN = (60, 140, 70)


def plate(
    elevation: float, hill: tuple[int, int, int, int] | None, height: float
) -> tuple[Calibration, Image]:
    """A plate of 32 by 32 studs; part of it, x, y, width and depth in studs, is raised."""
    truth = view(look_at((128, 128), 520, elevation), camera(950, -0.05, SIZE), SIZE)
    drawing = Drawing(truth)
    drawing.plate((32, 32), colour=GREEN)
    if hill is not None:
        x, y, width, depth = hill
        drawing.block((x * 8, y * 8), (width * 8, depth * 8, height), GREEN)
        drawing.plate((width, depth), colour=GREEN, origin=(x * 8, y * 8), level=height)
    return truth, drawing.picture()


@pytest.mark.parametrize("elevation", [40, 55, 70, 85])
def test_the_raised_part_is_not_taken_for_the_table(elevation: float) -> None:
    _, image = plate(elevation, (4, 4, 24, 24), 57.6)
    with pytest.raises(NotFound, match=r"58 mm higher than \d+ others, as on a raised baseplate"):
        calibrate(image, reference="studs")
    with pytest.raises(NotFound, match="raised baseplate"):
        calibrate(image)


def test_two_halves_of_one_plate_contradict_each_other() -> None:
    _, image = plate(55, (6, 6, 20, 20), 28.8)
    with pytest.raises(NotFound, match="raised baseplate; lay a flat"):
        calibrate(image, reference="studs")


@pytest.mark.parametrize("elevation", [40, 70])
def test_a_wide_roof_is_said_and_the_plate_below_measured(elevation: float) -> None:
    truth, image = plate(elevation, (10, 10, 13, 13), 57.6)
    found = calibrate(image, reference="studs")
    assert any("58 mm higher than the plate that was measured" in one for one in found.warnings)
    low = truth.to_image(np.array([[16.0, 16], [240, 40]]))
    assert found.length(*low)[0] == pytest.approx(np.hypot(224, 24), rel=0.003)
    high = truth.to_image(np.array([[90.0, 90, 57.6], [170, 170, 57.6]]))
    assert found.length(*high, height_mm=57.6)[0] == pytest.approx(np.hypot(80, 80), rel=0.005)


@pytest.mark.parametrize("elevation", [35, 60, 88])
def test_a_flat_plate_has_no_other_level(elevation: float) -> None:
    _, image = plate(elevation, None, 0.0)
    assert other_level(image, calibrate_studs(image)) is None
    assert calibrate(image, reference="studs").warnings == ()
