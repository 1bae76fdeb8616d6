"""The grid drawn over the picture lies where the table is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.overlay import grid_overlay, grid_paths
from calibration.plane import Studs
from calibration.points import PointPairs, calibrate_points
from tests.calibration.views import SIZE, camera, look_at, view

MM = np.array([[0, 0], [400, 0], [400, 300], [0, 300.0]])
TRUTH = view(look_at((200, 150), 800, 50, -80), camera())
FOUND = calibrate_points(PointPairs(TRUTH.to_image(MM), MM), SIZE, table_size_mm=(400, 300))


def test_lines_run_where_the_table_is() -> None:
    black = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    drawn = grid_overlay(black, FOUND)
    assert drawn.shape == black.shape
    assert not black.any()
    on = TRUTH.to_image(np.array([[100.0, 75], [250, 130], [333, 200]]))
    between = TRUTH.to_image(np.array([[125.0, 75], [275, 125], [325, 225]]))
    for x, y in np.round(on).astype(int):
        assert drawn[y - 1 : y + 2, x - 1 : x + 2].max() > 150
    for x, y in np.round(between).astype(int):
        assert drawn[y - 1 : y + 2, x - 1 : x + 2].max() == 0
    outside = TRUTH.to_image(np.array([[-30.0, 150], [430, 150], [200, 330]]))
    for x, y in np.round(outside).astype(int):
        assert drawn[y - 4 : y + 5, x - 4 : x + 5].max() == 0


def test_studs_get_a_finer_grid() -> None:
    black = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    coarse, fine = (
        grid_overlay(black, replace(FOUND, studs=studs)) for studs in (None, Studs(9, 8.0))
    )
    assert (fine > 0).sum() > 2 * (coarse > 0).sum()


def test_residuals_are_drawn() -> None:
    black = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    moved = replace(FOUND, seen_px=FOUND.seen_px + 3)
    assert (grid_overlay(black, moved) != grid_overlay(black, FOUND)).any()


def test_nothing_to_draw_is_no_error() -> None:
    image = np.full((SIZE[1], SIZE[0], 3), 9, np.uint8)
    flat = view(look_at((200, 150), 1100, 5), camera())
    assert grid_overlay(image, flat).shape == image.shape


def test_the_grid_about_a_ruler_is_wide_enough_to_be_seen() -> None:
    strip = TRUTH.to_image(np.array([[0.0, 0], [300, 0], [300, 8], [0, 8]]))
    ruler = replace(FOUND, reference="ruler", size_mm=None, outline_px=strip)
    paths = grid_paths(ruler)
    places = ruler.to_table(np.concatenate(paths))
    assert places[:, 0].min() == pytest.approx(0, abs=1)
    assert places[:, 1].min() == pytest.approx(-146, abs=1)
    assert places[:, 1].max() == pytest.approx(154, abs=1)
    assert len(paths) > 12
