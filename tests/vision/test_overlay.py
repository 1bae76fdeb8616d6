"""What is drawn shows on any ground and spares the picture it is drawn on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.calibration.views import SIZE, camera, look_at, view
from tests.vision.figures import standing
from vision.detection import Hand
from vision.overlay import HAND, Label, detection_labels, draw

TABLE = replace(view(look_at((0, 0), 1200, 65), camera()), size_mm=(300.0, 200.0))


@pytest.mark.parametrize("ground", [0, 128, 255])
def test_everything_shows_on_any_ground(ground: int) -> None:
    image = np.full((SIZE[1], SIZE[0], 3), ground, dtype=np.uint8)
    before = image.copy()
    figure = standing(30, 40, 123, TABLE)
    label = Label(figure.box_px, "f3", position_mm=(30, 40), facing_deg=123)
    out = draw(image, [label], [figure], [Hand((10, 10, 200, 90), 0.8)], TABLE, grid=True)
    np.testing.assert_array_equal(image, before)
    assert out.shape == image.shape
    changed = np.abs(out.astype(int) - ground).max(axis=2) > 60
    x0, y0, x1 = (round(edge) for edge in figure.box_px[:3])
    assert changed[y0, x0:x1].mean() > 0.7  # its name may cross the line
    assert changed[y0 - 20 : y0 - 3, x0 : x0 + 20].any()  # its name
    assert changed[10, 10:200].mean() > 0.9
    assert (out[10, 150] == HAND).all() or (out[9:12, 150] == HAND).all(axis=1).any()
    grid = TABLE.to_image(np.array([[100.0, 20.0], [200.0, 150.0], [250.0, 100.0]]))
    for x, y in np.rint(grid).astype(int):
        assert changed[y - 2 : y + 3, x - 2 : x + 3].any()
    if figure.soles_px is not None:
        for x, y in np.rint(np.array(figure.soles_px)).astype(int):
            assert changed[y, x]


def test_words_stay_in_the_picture() -> None:
    image = np.zeros((100, 120, 3), dtype=np.uint8)
    for box in ((0.0, 0.0, 20.0, 30.0), (110.0, 90.0, 119.0, 99.0)):
        out = draw(image, [Label(box, "figure 12")])
        assert (out.max(axis=2) > 200).sum() > 60


def test_labels_of_plain_detections() -> None:
    figure = standing(0, 0, 0, TABLE)
    labels = detection_labels([figure, figure], ["standing", "lying"])
    assert [label.text for label in labels] == ["0.90", "0.90 lying"]
