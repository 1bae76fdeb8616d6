"""What a picture can tell at best, as the measuring tool reckons it."""

from __future__ import annotations

import numpy as np

from calibration.sheet import percentiles
from tests.calibration.bounds import bound
from tests.calibration.measure_flat import KINDS


def test_no_method_is_surer_than_the_bound() -> None:
    case = KINDS["markers"](5000)
    found = case.calibrate()
    free, told = (bound(case.view, case.painted, fov_known) for fov_known in (False, True))
    for px, _ in list(case.view.spans(case.size, 40)):
        best = [one.length(px[0], px[1], pixel_sigma=0.0)[1] for one in (told, free)]
        assert 0 < best[0] <= best[1] * 1.0001
        assert best[1] < found.length(px[0], px[1], pixel_sigma=0.0)[1]


def testpercentiles_by_counting_are_those_by_sorting() -> None:
    rng = np.random.default_rng(3)
    for size in (7, 100, 4321):
        values = rng.integers(0, 256, size, dtype=np.uint8)
        shares = (1.0, 37.5, 98.0, 99.5)
        assert np.allclose(percentiles(values, shares), np.percentile(values, shares))
