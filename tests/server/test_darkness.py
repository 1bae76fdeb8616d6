from __future__ import annotations

import numpy as np
import pytest

from server.darkness import Darkness
from vision.frames import Frame

SECOND = 1_000_000_000


def picture(level: float, spread: float, t_s: float) -> Frame:
    """Noise around a grey level."""
    noise = np.random.default_rng(int(t_s * 10)).normal(level, spread, (240, 320, 3))
    return Frame(0, int(t_s * SECOND), "x", noise.clip(0, 255).astype(np.uint8))


@pytest.mark.parametrize(("level", "spread", "dark"), [(0, 0, True), (3, 2, True), (45, 12, False)])
def test_a_second_of_darkness_is_noticed(level: float, spread: float, dark: bool) -> None:
    watch = Darkness()
    for t_s in (0.0, 0.4, 0.8):
        watch.step(picture(level, spread, t_s))
        assert not watch.dark
    watch.step(picture(level, spread, 1.1))
    assert watch.dark is dark
    watch.step(picture(120, 30, 1.2))
    assert not watch.dark


def test_a_lamp_in_the_dark_is_light_enough() -> None:
    watch = Darkness()
    for t_s in (0.0, 2.0):
        frame = picture(4, 2, t_s)
        frame.image[40:80, 40:90] = 200
        watch.step(frame)
    assert not watch.dark


def test_time_that_begins_anew_is_no_darkness() -> None:
    watch = Darkness()
    watch.step(picture(2, 1, 50.0))
    watch.step(picture(2, 1, 0.0))
    assert not watch.dark
