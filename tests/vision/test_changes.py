"""Change gate and cuts on made-up pictures."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.changes import ChangeGate, CutWatch, shrink
from vision.detection import BoxPx

SIZE = (960, 540)


def scene(seed: int) -> np.ndarray:
    random = np.random.default_rng(seed)
    blocks = random.integers(40, 220, (9, 16, 3), dtype=np.uint8)
    return np.kron(blocks, np.ones((60, 60, 1), dtype=np.uint8))


def noisy(image: np.ndarray, random: np.random.Generator, sigma: float = 3.0) -> np.ndarray:
    wide = random.integers(-128, 128, image.shape, dtype=np.int8)
    noise = np.multiply(wide, sigma / 74.0, dtype=np.float32)
    return np.clip(image + noise, 0, 255).astype(np.uint8)


def area(boxes: list[BoxPx]) -> float:
    return sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in boxes)


def covers(boxes: list[BoxPx] | None, x: float, y: float) -> bool:
    assert boxes is not None
    return any(x0 <= x < x1 and y0 <= y < y1 for x0, y0, x1, y1 in boxes)


@pytest.mark.parametrize("sigma", [1.0, 4.0, 8.0])
def test_noise_is_no_change(sigma: float) -> None:
    random = np.random.default_rng(1)
    gate = ChangeGate(refresh_ns=10**15)
    image = scene(1)
    found = [gate.regions(shrink(noisy(image, random, sigma)), n * 40_000_000) for n in range(40)]
    assert found[0] is None
    assert all(boxes == [] for boxes in found[18:])


def test_a_small_change_is_found_once() -> None:
    random = np.random.default_rng(2)
    gate = ChangeGate(refresh_ns=10**15)
    image = scene(1)
    for n in range(15):
        gate.regions(shrink(noisy(image, random)), n * 40_000_000)
    image[300:340, 500:518] = (20, 20, 230)
    boxes = gate.regions(shrink(noisy(image, random)), 600_000_000)
    assert boxes is not None
    assert covers(boxes, 509, 320)
    assert area(boxes) < 0.2 * SIZE[0] * SIZE[1]
    assert gate.regions(shrink(noisy(image, random)), 640_000_000) == []


def test_everything_takes_its_turn() -> None:
    gate = ChangeGate(refresh_ns=4_000_000_000)
    small = shrink(scene(1))
    assert gate.regions(small, 0) is None
    seen = np.zeros((SIZE[1], SIZE[0]), dtype=bool)
    most = 0.0
    for n in range(1, 42):
        boxes = gate.regions(small, n * 100_000_000)
        assert boxes is not None
        most = max(most, area(boxes))
        for x0, y0, x1, y1 in boxes:
            seen[int(y0) : int(y1), int(x0) : int(x1)] = True
    assert seen.all()
    assert most < 0.2 * SIZE[0] * SIZE[1]


def test_reset_and_a_new_size_look_at_everything() -> None:
    gate = ChangeGate()
    small = shrink(scene(1))
    assert gate.regions(small, 0) is None
    assert gate.regions(small, 1) is not None
    gate.reset()
    assert gate.regions(small, 2) is None
    assert gate.regions(small[:100], 3) is None


def test_cut_to_another_place() -> None:
    watch = CutWatch()
    assert [watch.step(shrink(scene(k))) for k in (1, 1, 2, 2, 3)] == [
        False,
        False,
        True,
        False,
        True,
    ]


def test_light_hands_and_bumps_are_no_cut() -> None:
    random = np.random.default_rng(3)
    watch = CutWatch()
    image = scene(1)
    watch.step(shrink(image))
    assert not watch.step(shrink(noisy(image, random, 8)))
    darker = (image * 0.55).astype(np.uint8)
    assert not watch.step(shrink(darker))
    assert not watch.step(shrink(image))
    hand = image.copy()
    hand[150:, 225:600] = (140, 170, 220)
    assert not watch.step(shrink(hand))
    assert not watch.step(shrink(image))
    bumped = cv2.warpAffine(image, np.array([[1.0, 0, 12], [0, 1, -9]]), SIZE)
    assert not watch.step(shrink(np.asarray(bumped, dtype=np.uint8)))
