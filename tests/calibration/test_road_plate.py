"""Plates without a whole grid of studs are refused."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.errors import NotFound
from calibration.studs import calibrate_studs
from tests.calibration.drawing import Drawing
from tests.calibration.views import camera, look_at, view

SIZE = (1280, 720)


def test_a_road_plate_without_studs_in_the_middle_is_refused() -> None:
    truth = view(look_at((128, 128), 480, 60), camera(950, size=SIZE), SIZE)
    drawing = Drawing(truth)
    drawing.plate((32, 32), colour=(90, 130, 90))
    road = np.array([[40, 0, 0], [216, 0, 0], [216, 256, 0], [40, 256, 0.0]])
    drawing.polygon(road, (90.0, 90.0, 95.0))
    with pytest.raises(NotFound, match="no stud grid: "):
        calibrate_studs(drawing.picture())
