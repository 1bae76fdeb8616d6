from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.training.backgrounds import DRAWN, background, noise, surroundings
from vision.training.composite import Placed, compose, paste, shape_cutout, tight_box
from vision.training.cutout import cut_out


def block(height: int = 60, width: int = 30) -> tuple[np.ndarray, np.ndarray]:
    colour = np.full((height, width, 3), (0, 0, 255), np.uint8)
    alpha = np.full((height, width), 255, np.uint8)
    return colour, alpha


def placed(x: int, y: int, height: int = 40, width: int = 20) -> Placed:
    colour = np.full((height, width, 3), 255, np.float32)
    return Placed(colour, np.ones((height, width), np.float32), x, y)


def test_a_pasted_figure_lies_where_its_box_says() -> None:
    plane = np.zeros((100, 200, 3), np.float32)
    figure = placed(30, 10)
    paste(plane, figure)
    box = tight_box(figure, 100, 200)
    assert box is not None
    np.testing.assert_array_equal(box, [30, 10, 50, 50])
    rows, columns = np.where(plane[..., 0] > 0)
    assert (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1) == (30, 10, 50, 50)


@pytest.mark.parametrize(
    ("x", "y", "box"),
    [(-5, 10, [0, 10, 15, 50]), (190, 10, [190, 10, 200, 50]), (30, -20, [30, 0, 50, 20])],
)
def test_a_figure_over_the_edge_is_clipped(x: int, y: int, box: list[int]) -> None:
    plane = np.zeros((100, 200, 3), np.float32)
    figure = placed(x, y)
    paste(plane, figure)
    found = tight_box(figure, 100, 200)
    assert found is not None
    np.testing.assert_array_equal(found, box)
    assert np.count_nonzero(plane[..., 0]) == (box[2] - box[0]) * (box[3] - box[1])


@pytest.mark.parametrize(("x", "y"), [(-15, 10), (195, 10), (30, -30), (300, 10)])
def test_a_figure_mostly_outside_has_no_box(x: int, y: int) -> None:
    figure = placed(x, y)
    paste(np.zeros((100, 200, 3), np.float32), figure)
    assert tight_box(figure, 100, 200) is None


def test_a_shaped_cutout_has_the_height_asked_for() -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        tint, mask = shape_cutout(rng, *block(), 50.0)
        assert tint.shape[:2] == mask.shape
        # Turned up to 15 degrees, a 50 x 31 px block is at most 50 cos + 31 sin tall.
        assert 46 <= mask.shape[0] <= 60


def test_a_composite_is_the_same_for_the_same_seed() -> None:
    first, labels = compose(np.random.default_rng(5), [block()], [], 180, 320)
    again, others = compose(np.random.default_rng(5), [block()], [], 180, 320)
    np.testing.assert_array_equal(first, again)
    np.testing.assert_array_equal(labels.boxes, others.boxes)


def test_composites_have_boxes_inside_and_no_keypoints() -> None:
    total = 0
    for seed in range(12):
        picture, labels = compose(np.random.default_rng(seed), [block()], [], 180, 320)
        assert picture.shape == (180, 320, 3)
        assert picture.dtype == np.uint8
        assert not labels.points.any()
        total += len(labels)
        for x0, y0, x1, y1 in labels.boxes:
            assert 0 <= x0 < x1 <= 320
            assert 0 <= y0 < y1 <= 180
    assert total > 10


def test_backgrounds_are_finite_and_of_the_size() -> None:
    for index, draw in enumerate(DRAWN):
        plane = draw(np.random.default_rng(index), 90, 160)
        assert plane.shape == (90, 160, 3)
        assert np.isfinite(plane).all()
    photo = np.random.default_rng(0).integers(0, 255, (400, 600, 3), dtype=np.uint8)
    assert background(np.random.default_rng(1), 90, 160, [photo]).shape == (90, 160, 3)


def test_noise_spans_nought_to_one() -> None:
    field = noise(np.random.default_rng(0), 40, 50, (3, 4), 3)
    assert field.min() == pytest.approx(0)
    assert field.max() == pytest.approx(1)


def test_surroundings_hold_no_pixel_of_the_figure() -> None:
    photo = np.full((100, 200, 3), 90, np.uint8)
    photo[20:80, 60:90] = 255
    table = surroundings(photo, np.array([60, 20, 90, 80], np.float32))
    assert table.max() == 90
    assert table.shape[1] >= 200


def test_a_figure_on_a_plain_table_is_cut_out() -> None:
    rng = np.random.default_rng(3)
    photo = rng.normal(170, 4, (300, 300, 3)).clip(0, 255).astype(np.uint8)
    cv2.rectangle(photo, (120, 90), (170, 210), (40, 30, 200), -1)
    cut = cut_out(photo, np.array([105, 75, 186, 226], np.float32))
    assert cut is not None
    height, width = cut.alpha.shape
    assert abs(height - 121) <= 6
    assert abs(width - 51) <= 6
    assert cut.sound
    inside = cut.colour[cut.alpha > 200]
    assert inside[:, 2].mean() > 180
    assert inside[:, 0].mean() < 60


def test_an_empty_box_is_not_sound() -> None:
    photo = np.full((200, 200, 3), 128, np.uint8)
    cut = cut_out(photo, np.array([50, 50, 150, 150], np.float32))
    assert cut is None or not cut.sound
