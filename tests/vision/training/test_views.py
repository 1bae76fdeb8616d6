from __future__ import annotations

import itertools
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.families import KINDS
from vision.training.errors import TrainingError
from vision.training.labels import Labels, boxes_only, no_labels, write_labels
from vision.training.mixture import Example, Mixture, Source, list_examples, to_batch
from vision.training.plan import Plan
from vision.training.views import SIZE_PX, Warp, choose_warp, random_view, sidelight, warp_labels

DOTS = ((300, 200), (340, 200), (320, 120), (300, 160), (340, 160))


def dotted() -> tuple[np.ndarray, Labels]:
    """A dark picture with five dots of different colours at the keypoints of one figure."""
    image = np.full((360, 640, 3), 40, np.uint8)
    points = np.zeros((1, 5, 3), np.float32)
    for index, (x, y) in enumerate(DOTS):
        cv2.circle(image, (x, y), 5, (255, 255, 255), -1)
        points[0, index] = (x + 0.5, y + 0.5, 2)  # the middle of pixel x is x + 0.5
    return image, Labels(np.array([0]), np.array([[290, 110, 351, 211]], np.float32), points)


@pytest.mark.parametrize("scale", [(0.5, 0.5), (1.0, 1.0), (1.4, 1.4), (0.8, 1.1)])
def test_keypoints_follow_the_pixels(scale: tuple[float, float]) -> None:
    image, labels = dotted()
    met = 0
    for seed in range(12):
        view, moved = random_view(np.random.default_rng(seed), image, labels, scale)
        assert view.shape == (SIZE_PX, SIZE_PX, 3)
        if not len(moved):
            continue
        grey = view.astype(np.float32).mean(axis=2)
        for x, y, seen in moved.points[0]:
            if seen < 2 or not (12 < x < SIZE_PX - 12 and 12 < y < SIZE_PX - 12):
                continue
            x0, y0 = int(x) - 8, int(y) - 8
            patch = grey[y0 : y0 + 17, x0 : x0 + 17]
            weight = np.clip(patch - (patch.min() + patch.max()) / 2, 0, None)
            ys, xs = np.mgrid[: patch.shape[0], : patch.shape[1]]
            centre = [(weight * xs).sum(), (weight * ys).sum()] / weight.sum()
            assert abs(x0 + centre[0] + 0.5 - x) < 0.8
            assert abs(y0 + centre[1] + 0.5 - y) < 0.8
            met += 1
    assert met > 20


def test_a_figure_mostly_outside_the_view_is_dropped() -> None:
    labels = boxes_only(np.array([[0, 0, 40, 80]], np.float32))
    moved = Warp(np.array([[1, 0, -30], [0, 1, 0]], float), (1, 1), 0)
    assert len(warp_labels(labels, moved)) == 0
    moved = Warp(np.array([[1, 0, -10], [0, 1, 0]], float), (1, 1), 0)
    kept = warp_labels(labels, moved)
    np.testing.assert_allclose(kept.boxes, [[0, 0, 30, 80]])


def test_a_point_outside_the_view_is_known_but_hidden() -> None:
    points = np.zeros((1, 5, 3), np.float32)
    points[0, 0] = (5, 70, 2)
    labels = Labels(np.array([3]), np.array([[0, 0, 40, 80]], np.float32), points)
    moved = warp_labels(labels, Warp(np.array([[1, 0, -10], [0, 1, 0]], float), (1, 1), 0))
    np.testing.assert_allclose(moved.points[0, 0], [-5, 70, 1])
    np.testing.assert_allclose(moved.points[0, 1], [0, 0, 0])


def test_any_part_of_an_arm_is_a_hand() -> None:
    arm = boxes_only(np.array([[0, 0, 60, 300]] * 2, np.float32))
    arm = Labels(np.array([KINDS.index("hand"), 0]), arm.boxes, arm.points)
    moved = warp_labels(arm, Warp(np.array([[1, 0, 0], [0, 1, -240]], float), (1, 1), 0))
    assert moved.kinds.tolist() == [KINDS.index("hand")]
    np.testing.assert_allclose(moved.boxes, [[0, 0, 60, 60]])
    moved = warp_labels(arm, Warp(np.array([[1, 0, 0], [0, 1, -270]], float), (1, 1), 0))
    assert len(moved) == 0


def test_a_rare_kind_is_looked_at_as_often_as_a_common_one() -> None:
    boxes = np.array([[100 + 9 * i, 100, 108 + 9 * i, 120] for i in range(40)], np.float32)
    labels = boxes_only(np.concatenate([boxes, [[2000, 1500, 2040, 1530]]]).astype(np.float32))
    labels = Labels(np.array([0] * 40 + [2]), labels.boxes, labels.points)
    views = [
        warp_labels(labels, choose_warp(np.random.default_rng(seed), labels, 4000, 3000, (1, 1), 0))
        for seed in range(100)
    ]
    horses = sum(2 in view.kinds for view in views)
    figures = sum(0 in view.kinds for view in views)
    assert 30 <= horses <= 55
    assert 30 <= figures <= 60


def test_too_small_a_figure_is_not_labelled() -> None:
    labels = boxes_only(np.array([[10, 10, 20, 25]], np.float32))
    half = Warp(np.array([[0.5, 0, 0], [0, 0.5, 0]], float), (0.5, 0.5), 0)
    assert len(warp_labels(labels, half)) == 0


def write_example(folder: Path) -> None:
    image, labels = dotted()
    for kind in ("images", "labels"):
        (folder / kind / "train").mkdir(parents=True)
    cv2.imwrite(str(folder / "images/train/a.jpg"), image)
    write_labels(folder / "labels/train/a.txt", labels, 640, 360)


def mixture(folder: Path, seed: int = 1) -> Mixture:
    return Mixture(
        sources=(Source(list_examples(folder, "train"), 0.6, (0.5, 1.5)), Source([], 0.4, (1, 1))),
        count=50,
        seed=seed,
    )


def test_a_view_is_the_same_on_every_run(tmp_path: Path) -> None:
    write_example(tmp_path)
    for index in (0, 7):
        one, first = mixture(tmp_path)[index]
        two, second = mixture(tmp_path)[index]
        np.testing.assert_array_equal(one, two)
        np.testing.assert_array_equal(first.boxes, second.boxes)
    assert not np.array_equal(mixture(tmp_path)[0][0], mixture(tmp_path, 2)[0][0])


def test_a_light_from_the_side_falls_off_and_stays_within_bounds() -> None:
    factors = [sidelight(np.random.default_rng(seed))[..., 0] for seed in range(40)]
    stops = np.array([np.log2([f.min(), f.max()]) for f in factors])
    assert stops.min() > -2.6  # half of 1.7 stops, times the diagonal, and a shadow of 1.2
    assert stops.max() < 1.3
    spread = np.ptp(stops, axis=1)
    assert spread.min() > 0.15
    assert spread.max() > 1.5


def test_a_rare_kind_is_drawn_often() -> None:
    common = [Example(Path(f"{i}.jpg"), Path(f"{i}.txt"), frozenset({0})) for i in range(98)]
    rare = [Example(Path("horse.jpg"), Path("horse.txt"), frozenset({0, 2}))]
    empty = [Example(Path("none.jpg"), Path("none.txt"), frozenset())]
    source = Source([*common, *rare, *empty], 1.0, (1, 1))
    rng = np.random.default_rng(4)
    drawn = [source.draw(rng) for _ in range(2000)]
    horses = [kind for example, kind in drawn if example is rare[0]]
    assert 0.2 < len(horses) / 2000 < 0.32
    assert np.mean([kind == 2 for kind in horses]) > 0.9
    assert any(example is empty[0] for example, _ in drawn)
    assert all(kind is None or kind in example.kinds for example, kind in drawn)
    plain = Source(common, 1.0, (1, 1))
    assert {kind for _, kind in (plain.draw(rng) for _ in range(50))} == {None}


def test_a_mixture_without_pictures_says_so(tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match="no pictures"):
        mixture(tmp_path)[0]


def test_a_batch_keeps_the_owner_of_each_figure() -> None:
    view = np.zeros((SIZE_PX, SIZE_PX, 3), np.uint8)
    view[..., 0] = 200  # blue
    one = boxes_only(np.zeros((1, 4), np.float32))
    two = boxes_only(np.zeros((2, 4), np.float32))
    pictures, owners, labels = to_batch([(view, one), (view, no_labels()), (view, two)])
    assert pictures.shape == (3, 3, SIZE_PX, SIZE_PX)
    assert pictures[0, 2].max() == 200  # RGB
    assert pictures[0, 0].max() == 0
    assert owners.tolist() == [0, 2, 2]
    assert len(labels) == 3


def test_a_batch_may_have_no_figure_at_all() -> None:
    view = np.zeros((SIZE_PX, SIZE_PX, 3), np.uint8)
    _, owners, labels = to_batch([(view, no_labels())])
    assert len(owners) == len(labels) == 0


def test_the_rate_rises_then_falls() -> None:
    plan = Plan(steps=1000, rate=1e-3, warm_up=100)
    rates = [plan.rate_at(step) for step in range(1001)]
    assert rates[0] < 2e-5
    assert max(rates) == pytest.approx(1e-3, rel=0.03)
    assert rates[1000] == pytest.approx(1e-3 * plan.last_rate)
    assert all(a >= b for a, b in itertools.pairwise(rates[100:]))
