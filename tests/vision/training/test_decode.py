from __future__ import annotations

import numpy as np
import pytest

from vision.training.decode import (
    TILE_PX,
    Found,
    decode,
    iou,
    scan,
    suppress,
    tile_starts,
    to_input,
)
from vision.training.labels import Labels
from vision.training.scoring import Tally, choose_threshold, match


def found(boxes: list[list[float]], scores: list[float], kinds: list[int] | None = None) -> Found:
    return Found(
        np.array(kinds or [0] * len(scores), np.int64),
        np.array(scores, np.float32),
        np.array(boxes, np.float32).reshape(-1, 4),
        np.zeros((len(scores), 5, 3), np.float32),
    )


def blobs(pictures: np.ndarray) -> np.ndarray:
    """A stand-in for the network: one candidate around the red pixels of each tile."""
    out = np.zeros((len(pictures), 20, 3), np.float32)
    for row, picture in zip(out, pictures, strict=True):
        red = (picture[0] > 0.8) & (picture[1] < 0.2)
        if not red.any():
            continue
        ys, xs = np.where(red)
        x0, y0, x1, y1 = xs.min(), ys.min(), xs.max() + 1, ys.max() + 1
        row[:5, 0] = [(x0 + x1) / 2, (y0 + y1) / 2, x1 - x0, y1 - y0, 0.9]
        row[5:8, 0] = [x0, y1, 0.8]
    return out


def test_raw_rows_become_boxes_and_points() -> None:
    output = np.zeros((20, 2), np.float32)
    output[:5, 1] = [50, 60, 20, 40, 0.7]
    output[5:, 1] = np.arange(15)
    result = decode(output, 0.5)
    assert len(result) == 1
    np.testing.assert_allclose(result.boxes, [[40, 40, 60, 80]])
    np.testing.assert_allclose(result.points[0, 1], [3, 4, 5])


def test_a_figure_counts_by_what_its_labels_have_together() -> None:
    output = np.zeros((24, 3), np.float32)
    output[:4] = [[50, 80, 90], [60, 60, 60], [20, 20, 20], [40, 40, 40]]
    output[4:9, 0] = [0.3, 0.35, 0, 0, 0.1]  # a figure, more likely a Playmobil one
    output[4:9, 1] = [0.3, 0, 0.3, 0.1, 0]
    output[4:9, 2] = [0, 0, 0, 0, 0.8]
    output[9:12, 0] = [1, 2, 3]
    result = decode(output, 0.5)
    assert result.kinds.tolist() == [1, 4]
    np.testing.assert_allclose(result.scores, [0.65, 0.8])
    np.testing.assert_allclose(result.points[0, 0], [1, 2, 3])


def test_a_figure_has_one_label_but_a_hand_and_a_horse_stay() -> None:
    box = [0.0, 0.0, 10.0, 20.0]
    every = found([box, box, box, box], [0.6, 0.9, 0.5, 0.4], [0, 1, 2, 4])
    for contained in (False, True):
        assert suppress(every, contained).kinds.tolist() == [1, 2, 4]
    inside = found([[0, 0, 20, 40], [5, 20, 12, 40]], [0.9, 0.8], [1, 0])
    assert len(suppress(inside, contained=True)) == 2  # a small figure before a large one


def test_the_better_of_two_overlapping_boxes_stays() -> None:
    both = found([[0, 0, 10, 20], [1, 0, 11, 20], [40, 0, 50, 20]], [0.6, 0.9, 0.5])
    kept = suppress(both, contained=False)
    np.testing.assert_allclose(kept.scores, [0.9, 0.5])


def test_a_part_inside_a_whole_goes_only_between_tiles() -> None:
    both = found([[0, 0, 10, 40], [0, 0, 10, 15]], [0.9, 0.8])
    assert len(suppress(both, contained=False)) == 2
    assert len(suppress(both, contained=True)) == 1


def test_iou_of_halves() -> None:
    one, two = np.array([[0, 0, 10, 10]], np.float32), np.array([[5, 0, 15, 10]], np.float32)
    assert iou(one, two)[0, 0] == pytest.approx(1 / 3)


@pytest.mark.parametrize("length", [100, 320, 321, 540, 720, 960, 1280, 1920])
def test_tiles_cover_a_side(length: int) -> None:
    starts = tile_starts(length)
    covered = np.zeros(max(length, TILE_PX), np.bool_)
    for start in starts:
        covered[start : start + TILE_PX] = True
    assert covered[:length].all()
    assert starts[0] == 0
    assert max(starts) == max(0, length - TILE_PX)


def test_small_tiles_are_padded_with_grey() -> None:
    batch = to_input([np.zeros((100, 50, 3), np.uint8)])
    assert batch.shape == (1, 3, TILE_PX, TILE_PX)
    assert batch[0, 0, 99, 49] == 0
    assert batch[0, 0, 100, 0] == pytest.approx(114 / 255)


@pytest.mark.parametrize("place", [(10, 10), (300, 200), (620, 330), (900, 500)])
def test_the_scan_puts_a_figure_at_its_place_once(place: tuple[int, int]) -> None:
    image = np.full((540, 960, 3), 60, np.uint8)
    x, y = place
    image[y : y + 36, x : x + 20] = (0, 0, 255)
    result = scan(blobs, image, 0.3)
    assert len(result) == 1
    np.testing.assert_allclose(result.boxes[0], [x, y, x + 20, y + 36], atol=2.1)
    np.testing.assert_allclose(result.points[0, 0, :2], [x, y + 36], atol=2.1)


def test_a_figure_larger_than_a_tile_is_found_at_half_size() -> None:
    image = np.full((720, 1280, 3), 60, np.uint8)
    image[100:600, 500:760] = (0, 0, 255)
    result = scan(blobs, image, 0.3)
    assert len(result) == 1
    np.testing.assert_allclose(result.boxes[0], [500, 100, 760, 600], atol=3)


def truth(boxes: list[list[float]], kinds: list[int] | None = None) -> Labels:
    points = np.zeros((len(boxes), 5, 3), np.float32)
    for row, box in zip(points, boxes, strict=True):
        row[0] = (box[0], box[3], 2)
        row[1] = (box[2], box[3], 2)
    own = np.array(kinds or [0] * len(boxes), np.int64)
    return Labels(own, np.array(boxes, np.float32).reshape(-1, 4), points)


def test_each_true_figure_is_matched_once() -> None:
    seen = found([[0, 0, 10, 20], [0, 1, 10, 21], [90, 0, 99, 9]], [0.5, 0.9, 0.8])
    assert match(seen, truth([[0, 0, 10, 20]])) == [-1, 0, -1]


def test_kinds_are_counted_apart() -> None:
    tally = Tally()
    boxes = [[0, 0, 10, 20], [50, 0, 60, 20], [100, 0, 120, 20], [200, 0, 240, 40]]
    seen = found([*boxes[:3], [200, 0, 240, 90], [0, 90, 9, 99]], [0.9] * 5, [0, 0, 2, 4, 2])
    tally.add(seen, truth(boxes, [0, 1, 3, 4]))
    report = tally.report(0.5)
    assert (report["figures"], report["recall"], report["precision"]) == (2, 1, 1)
    assert report["soles"]["figures"] == 2
    kinds = report["by_kind"]
    assert kinds["minifig"] == {"count": 1, "recall": 1, "precision": 1, "named_right": 1}
    assert kinds["playmobil"]["named_right"] == 0
    assert kinds["vehicle"] == {"count": 1, "recall": 1, "precision": 1, "named_right": 0}
    assert kinds["animal"] == {"count": 0, "recall": None, "precision": 0.5, "named_right": None}
    assert kinds["hand"]["recall"] == 1  # 0.44 of both boxes is shared: enough for an arm


def test_the_tally_counts_recall_precision_and_swapped_soles() -> None:
    tally = Tally()
    seen = found([[0, 0, 10, 20], [50, 0, 60, 20], [90, 90, 99, 99]], [0.9, 0.6, 0.3])
    seen.points[0, :2, :2] = [[10, 20], [0, 20]]  # left and right exchanged
    seen.points[1, :2, :2] = [[51, 20], [61, 20]]  # one pixel to the right
    tally.add(seen, truth([[0, 0, 10, 20], [50, 0, 60, 20], [200, 0, 210, 20]]))
    assert tally.precision(0.2) == pytest.approx(2 / 3)
    assert tally.precision(0.5) == 1
    assert tally.recall(0.5) == pytest.approx(2 / 3)
    assert tally.recall(0.7) == pytest.approx(1 / 3)
    report = tally.report(0.2)
    assert report["soles"]["left_right_swapped"] == 0.5
    assert report["soles"]["middle_px_median"] == 0.5
    assert report["by_height_px"]["20-30"] == {"figures": 3, "recall": 0.667}


def test_the_threshold_is_the_lowest_precise_one() -> None:
    tally = Tally()
    tally.finds = [(0, 0.95, 1), (0, 0.9, 1), (0, 0.8, 1), (0, 0.45, 0), (0, 0.3, 0)]
    assert choose_threshold([tally], 0.9) == pytest.approx(0.46)
    assert choose_threshold([Tally()]) == pytest.approx(0.1)
