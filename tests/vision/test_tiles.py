"""Tiles miss nothing, and what they show is joined once."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.boxes import iou
from vision.tiles import (
    FILLING,
    OVERLAP_PX,
    cut_off,
    groups,
    level_size,
    magnified,
    plan,
    starts,
    suppress,
)

TILE = 320
SIZE = st.integers(32, 3000)


@given(SIZE, SIZE, st.data())
@settings(max_examples=150, deadline=None)
def test_whatever_fits_the_overlap_lies_whole_in_a_tile(
    width: int, height: int, data: st.DataObject
) -> None:
    tiles = plan((width, height), TILE)
    for level in range(max(tile.level for tile in tiles) + 1):
        wide, high = level_size((width, height), level)
        w = data.draw(st.integers(1, min(OVERLAP_PX, wide)))
        h = data.draw(st.integers(1, min(OVERLAP_PX, high)))
        x = data.draw(st.integers(0, wide - w))
        y = data.draw(st.integers(0, high - h))
        assert any(
            tile.x <= x and x + w <= tile.x + TILE and tile.y <= y and y + h <= tile.y + TILE
            for tile in tiles
            if tile.level == level
        )


@given(SIZE, SIZE)
@settings(max_examples=100, deadline=None)
def test_the_last_level_is_one_tile_with_the_whole_picture(width: int, height: int) -> None:
    tiles = plan((width, height), TILE)
    last = [tile for tile in tiles if tile.level == tiles[-1].level]
    assert len(last) == 1
    assert (last[0].x, last[0].y, last[0].cut) == (0, 0, (False,) * 4)
    wide, high = level_size((width, height), last[0].level)
    assert max(wide, high) <= TILE
    assert min(wide, high) <= FILLING * TILE
    if last[0].level:
        before = level_size((width, height), last[0].level - 1)
        assert max(before) > TILE or min(before) > FILLING * TILE


def test_what_fills_a_picture_is_seen_with_room_around() -> None:
    for size, levels in (((640, 640), 3), ((640, 360), 2), ((1920, 1080), 4), ((300, 300), 2)):
        tiles = plan(size, TILE)
        assert {tile.level for tile in tiles} == set(range(levels))


@given(st.integers(1, 5000))
def test_tiles_stay_in_the_picture(length: int) -> None:
    places = starts(length, TILE, OVERLAP_PX)
    assert places[0] == 0
    assert all(0 <= place <= max(0, length - TILE) for place in places)
    assert places[-1] + TILE >= length
    assert places == sorted(set(places))


@given(
    st.integers(400, 2000),
    st.integers(400, 2000),
    st.integers(1, 200),
    st.integers(1, 200),
    st.data(),
)
@settings(max_examples=150, deadline=None)
def test_a_region_is_seen_whole_with_few_tiles(
    width: int, height: int, w: int, h: int, data: st.DataObject
) -> None:
    x = data.draw(st.integers(0, width - w))
    y = data.draw(st.integers(0, height - h))
    tiles = plan((width, height), TILE, regions=[(x, y, x + w, y + h)])
    native = [tile for tile in tiles if tile.level == 0]
    assert len(native) == 1
    (tile,) = native
    assert tile.x <= x
    assert x + w <= tile.x + TILE
    assert tile.y <= y
    assert y + h <= tile.y + TILE
    assert len(tiles) <= 3


def test_a_large_region_takes_the_tiles_it_meets_and_coarser_ones() -> None:
    every = plan((1920, 1080), TILE)
    region = (100.0, 100.0, 900.0, 800.0)
    some = plan((1920, 1080), TILE, regions=[region])
    assert set(some) < set(every)
    assert {tile.level for tile in some} == {tile.level for tile in every}
    assert plan((1920, 1080), TILE, regions=[]) == []
    assert len(plan((1920, 1080), TILE, regions=[region, region])) == len(some)


def test_edges_that_cut() -> None:
    middle = next(t for t in plan((1920, 1080), TILE) if all(t.cut))
    corner = plan((1920, 1080), TILE)[0]
    boxes = np.array(
        [[0, 50, 40, 90], [50, 0, 90, 40], [280, 50, 320, 90], [50, 280, 90, 320], [9, 9, 99, 99]],
        dtype=float,
    )
    assert cut_off(boxes, middle, TILE).tolist() == [True, True, True, True, False]
    assert cut_off(boxes, corner, TILE).tolist() == [False, False, True, True, False]


def test_a_cut_box_gives_way_to_the_whole_one_even_with_a_better_score() -> None:
    boxes = np.array(
        [[100, 100, 140, 180], [100, 100, 140, 130], [300, 300, 340, 380]], dtype=float
    )
    scores = np.array([0.6, 0.95, 0.5])
    cut = np.array([False, True, False])
    assert groups(boxes, scores, cut, 0.5) == [[0, 1], [2]]
    assert groups(boxes[1:2], scores[1:2], cut[1:2], 0.5) == [[0]]


def test_a_small_figure_before_a_large_one_of_another_kind_stays() -> None:
    boxes = np.array([[100, 100, 160, 220], [120, 150, 145, 215], [101, 100, 160, 220]], float)
    scores, cut = np.array([0.9, 0.8, 0.7]), np.zeros(3, np.bool_)
    assert groups(boxes, scores, cut, 0.5) == [[0, 2, 1]]
    kinds = np.array([1, 0, 0])
    assert groups(boxes, scores, cut, 0.5, kinds) == [[0, 2], [1]]
    # Cut by a tile's edge, it is a part of the large one after all.
    assert groups(boxes, scores, np.array([False, True, False]), 0.5, kinds) == [[0, 2, 1]]


def test_the_chest_of_a_large_figure_is_no_figure_even_with_a_better_score() -> None:
    boxes = np.array([[120, 150, 180, 220], [100, 100, 200, 300]], float)
    whole = np.zeros(2, np.bool_)
    assert groups(boxes, np.array([0.9, 0.6]), whole, 0.5) == [[1, 0]]
    # Neither for a large box that is hardly believed, nor for one that a tile's edge cut,
    assert groups(boxes, np.array([0.9, 0.5]), whole, 0.5) == [[0], [1]]
    assert groups(boxes, np.array([0.9, 0.6]), np.array([False, True]), 0.5) == [[0, 1]]
    # nor for two kinds: a minifigure may stand before a Playmobil one.
    assert groups(boxes, np.array([0.9, 0.6]), whole, 0.5, np.array([0, 1])) == [[0], [1]]
    beside = np.array([[60, 150, 120, 220], [100, 100, 200, 300]], float)
    assert groups(beside, np.array([0.9, 0.6]), whole, 0.5) == [[0], [1]]


def test_where_things_crowd_a_box_in_another_is_a_thing_of_its_own() -> None:
    boxes = np.array([[120, 150, 180, 220], [100, 100, 200, 300], [101, 100, 200, 298]], float)
    scores, none = np.array([0.6, 0.9, 0.8]), np.zeros(3, np.bool_)
    assert groups(boxes, scores, none, 0.5) == [[1, 2, 0]]
    assert groups(boxes, scores, none, 0.5, crowded=True) == [[1, 2], [0]]
    cut = np.array([True, False, False])
    assert groups(boxes, scores, cut, 0.5, crowded=True) == [[1, 2, 0]]


def test_families_do_not_suppress_one_another() -> None:
    boxes = np.array([[0, 0, 10, 20]] * 3, float)
    scores = np.array([0.5, 0.9, 0.7])
    assert suppress(boxes, scores, 0.5).tolist() == [1]
    assert suppress(boxes, scores, 0.5, np.array([0, 0, 2])).tolist() == [1, 2]


def test_neighbours_are_not_joined() -> None:
    boxes = np.array([[100, 100, 140, 180], [125, 100, 165, 180]], dtype=float)
    assert float(iou(boxes, boxes)[0, 1]) < 0.5
    assert groups(boxes, np.array([0.9, 0.8]), np.array([False, False]), 0.5) == [[0], [1]]


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60), st.integers(1, 99)), max_size=12))
def test_suppression_keeps_the_best_and_no_two_alike(found: list[tuple[int, int, int]]) -> None:
    boxes = np.array([[x, y, x + 30, y + 30] for x, y, _ in found], dtype=float).reshape(-1, 4)
    scores = np.array([score for _, _, score in found], dtype=float)
    kept = suppress(boxes, scores, 0.5)
    if found:
        assert scores[kept[0]] == scores.max()
    overlap = iou(boxes[kept], boxes[kept])
    assert (overlap[~np.eye(len(kept), dtype=bool)] <= 0.5).all()
    for gone in set(range(len(found))) - set(kept.tolist()):
        better = kept[scores[kept] >= scores[gone]]
        assert (iou(boxes[gone : gone + 1], boxes[better]) > 0.5).any()


@given(SIZE, SIZE, st.data())
@settings(max_examples=80, deadline=None)
def test_magnified_tiles_miss_nothing_and_begin_on_whole_pixels(
    width: int, height: int, data: st.DataObject
) -> None:
    tiles = magnified((width, height), TILE)
    w, h = data.draw(st.integers(1, 40)), data.draw(st.integers(1, 40))
    x = data.draw(st.integers(0, max(0, width - w)))
    y = data.draw(st.integers(0, max(0, height - h)))
    whole = [
        tile
        for tile in tiles
        if tile.x <= 2 * x
        and min(2 * (x + w), 2 * width) <= tile.x + TILE
        and tile.y <= 2 * y
        and min(2 * (y + h), 2 * height) <= tile.y + TILE
    ]
    assert whole
    assert all(tile.level == -1 and tile.x % 2 == tile.y % 2 == 0 for tile in tiles)
    region = (float(x), float(y), float(x + w), float(y + h))
    (one,) = magnified((width, height), TILE, regions=[region])
    assert one.x <= 2 * x
    assert one.y <= 2 * y
