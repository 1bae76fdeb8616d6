"""Views of crops: what is drawn in a crop is where its carried label says."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.training.judge_views import Affine, carried, random_affine, seen

HAS_TORCH = importlib.util.find_spec("torch") is not None
BOX = np.array([[0.3, 0.25, 0.65, 0.8]], np.float32)
POINTS = np.array(
    [[(0.4, 0.8, 2), (0.6, 0.75, 1), (0.5, 0.25, 2), (0.35, 0.5, 2), (0, 0, 0)]], np.float32
)


def test_a_view_of_the_whole_crop_changes_nothing() -> None:
    same = Affine(np.eye(2)[None], np.zeros((1, 2)), np.array([False]))
    boxes, points = carried(same, BOX, POINTS)
    np.testing.assert_allclose(boxes, BOX, atol=1e-6)
    np.testing.assert_allclose(points, POINTS, atol=1e-6)


def test_a_mirrored_view_exchanges_left_and_right() -> None:
    mirror = Affine(np.array([[[-1.0, 0], [0, 1]]]), np.zeros((1, 2)), np.array([True]))
    boxes, points = carried(mirror, BOX, POINTS)
    np.testing.assert_allclose(boxes, [[0.35, 0.25, 0.7, 0.8]], atol=1e-6)
    np.testing.assert_allclose(points[0, 0], (0.4, 0.75, 1), atol=1e-6)
    np.testing.assert_allclose(points[0, 1], (0.6, 0.8, 2), atol=1e-6)
    assert points[0, 3, 2] == 0


@given(st.integers(0, 10_000))
@settings(max_examples=40, deadline=None)
def test_points_keep_their_places_in_the_crop(seed: int) -> None:
    rng = np.random.default_rng(seed)
    affine = random_affine(rng, 3, 0.75)
    boxes, points = carried(affine, np.repeat(BOX, 3, 0), np.repeat(POINTS, 3, 0))
    for matrix, shift, flip, own in zip(
        affine.crop_A_view, affine.shift, affine.mirrored, points, strict=True
    ):
        back = ((2 * own[:, :2] - 1) @ matrix.T + shift + 1) / 2
        wanted = POINTS[0][[1, 0, 2, 4, 3]] if flip else POINTS[0]
        np.testing.assert_allclose(back[:3], wanted[:3, :2], atol=1e-5)
    # The middle of a box is that of what it was, and a smaller part of the crop shows it larger.
    middle = (boxes[:, :2] + boxes[:, 2:]) / 2
    back = np.einsum("bij,bj->bi", affine.crop_A_view, 2 * middle - 1) + affine.shift
    np.testing.assert_allclose((back + 1) / 2, np.repeat([[0.475, 0.525]], 3, 0), atol=1e-5)
    scale = np.sqrt(np.abs(np.linalg.det(affine.crop_A_view)))
    assert (boxes[:, 3] - boxes[:, 1] >= 0.5 / scale).all()


@pytest.mark.skipif(not HAS_TORCH, reason="torch is not installed")
def test_what_is_drawn_is_where_its_label_says() -> None:
    import torch

    crops = np.zeros((16, 96, 96, 3), np.uint8)
    crops[:, 24:77, 29:62] = (255, 255, 255)
    boxes = np.repeat([[29 / 96, 24 / 96, 62 / 96, 77 / 96]], 16, 0).astype(np.float32)
    rng = np.random.default_rng(3)
    affine = random_affine(rng, 16, 0.75)
    carried_boxes, _ = carried(affine, boxes, np.repeat(POINTS, 16, 0))
    view = seen(torch.from_numpy(crops), affine, 64, rng).numpy().mean(1)
    for picture, box in zip(view, carried_boxes, strict=True):
        y, x = np.nonzero(picture > 0.5 * picture.max())
        inside = np.clip(box * 64, 0, 64)
        assert (x.mean() + 0.5, y.mean() + 0.5) == pytest.approx(
            ((inside[0] + inside[2]) / 2, (inside[1] + inside[3]) / 2), abs=2.5
        )
