"""The printed board and plain chessboards."""

from __future__ import annotations

import re

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.board import CHECK_MM, PAPERS, SQUARE_MM, board_page, find_board, marker_cells
from calibration.board_match import match_board
from calibration.errors import BadReference, NotFound
from calibration.fit import Fit
from calibration.markers import calibrate_markers, find_chessboard, fit_corners
from calibration.plane import Calibration
from calibration.ruler_find import brightness
from calibration.sheet_camera import prior_of
from calibration.stud_camera import LensHints
from tests.calibration.flat import BOARD, INK, PAPER, Scene, box, draw_board, fill, scene
from tests.material import material

POINT_MM = 25.4 / 72


@pytest.mark.parametrize("seed", range(6))
def test_lengths_by_a_board_with_figures_on_it(seed: int) -> None:
    view = scene(seed, BOARD, distance=(500, 1000))
    draw_board(view.drawing)
    view.clutter(5, (-30, -30), BOARD)
    found = calibrate_markers(view.drawing.picture(seed=seed))
    off, pulls = view.length_errors(found, BOARD)
    assert np.median(np.abs(off)) < 0.0015
    assert np.percentile(np.abs(off), 95) < 0.01
    assert np.sqrt((pulls**2).mean()) < 3.0
    near = found.to_image(np.array([[0.0, 0.0]]))[0]
    apart = view.truth.to_image(box(0, 0, *BOARD)) - near
    assert np.hypot(*apart.T).min() < 2.0


def test_a_small_board_by_its_markers() -> None:
    """Where squares are too small for corners, markers still tell where the board lies."""
    view = scene(6044, BOARD, (30, 85), (500, 1300))
    draw_board(view.drawing)
    view.clutter(6, (-50, -50), BOARD)
    image = view.drawing.picture(seed=6044)
    assert (find_board(image).nodes % 1 > 0).any()
    off, _ = view.length_errors(calibrate_markers(image), BOARD)
    assert np.median(np.abs(off)) < 0.004


def test_the_whole_board_tells_more_than_its_corners() -> None:
    view = scene(8, BOARD, distance=(500, 1000))
    draw_board(view.drawing)
    view.clutter(5, (-30, -30), BOARD)
    image = view.drawing.picture(seed=8)
    hints = LensHints((image.shape[1], image.shape[0]))
    first = fit_corners(find_board(image), SQUARE_MM, hints)
    assert first is not None
    lens, pose = first.fit.intrinsics, first.fit.camera_T_table
    whole = match_board(brightness(image), lens, pose, prior_of(hints), SQUARE_MM)
    assert whole is not None and 0.4 < whole.blur_px < 1.2 and 0 < whole.bloom_px < 0.8
    outline = box(0, 0, *BOARD)
    truth = view.truth.to_image(outline)

    def off(fit: Fit) -> float:
        seen = Calibration("", "", hints.image_size_px, fit.intrinsics, fit.camera_T_table)
        return float(np.hypot(*(seen.to_image(outline) - truth).T).max())

    assert off(whole.fit) < min(0.1, 0.5 * off(first.fit))


@pytest.mark.parametrize("curl", [0.0, 1.0, 3.0])
def test_a_page_that_curls_is_said_or_doubted(curl: float) -> None:
    view = scene(4, BOARD, distance=(500, 1000))

    def bent(places: NDArray[np.float64], colour: tuple[int, int, int]) -> None:
        sides = np.roll(places, -1, axis=0) - places
        along = np.linspace(0, 1, 24, endpoint=False)[None, :, None]
        path = (places[:, None] + along * sides[:, None]).reshape(-1, 2)
        height = curl * np.clip(path[:, 0] / 90 - 1, 0, None) ** 2
        px = (view.truth.to_image(np.column_stack([path, height])) + 0.5) * 2 - 0.5
        shape = np.round(px * 16).astype(np.int32)
        cv2.fillPoly(view.drawing.canvas, [shape], colour, cv2.LINE_AA, 4)

    bent(box(-15, -42, 210, 297), PAPER)
    for x, y, side in marker_cells():
        bent(box(x, y, side, side), INK)
    found = calibrate_markers(view.drawing.picture(seed=4))
    off, pulls = view.length_errors(found, BOARD)
    assert ("does not lie flat" in " ".join(found.warnings)) == (curl > 2)
    assert np.median(np.abs(off)) < 0.001 + 0.003 * curl
    assert np.sqrt((pulls**2).mean()) < 4


def test_what_hides_the_board_leaves_it_to_its_corners() -> None:
    """A black picture shows nothing to agree with."""
    view = scene(8, BOARD)
    prior = prior_of(LensHints(view.truth.image_size_px))
    black = np.zeros(view.truth.image_size_px[::-1], dtype=np.float32)
    lens, pose = view.truth.intrinsics, view.truth.camera_T_table
    assert match_board(black, lens, pose, prior, SQUARE_MM) is None
    far = pose.copy()
    far[2, 3] += 8000.0
    assert match_board(black, lens, far, prior, SQUARE_MM) is None


def test_another_print_scale_is_given_with_the_square() -> None:
    view = scene(3, BOARD)
    draw_board(view.drawing)
    image = view.drawing.picture()
    usual = calibrate_markers(image)
    larger = calibrate_markers(image, square_mm=SQUARE_MM * 1.1)
    ends = view.truth.to_image(np.array([[10.0, 10.0], [150.0, 200.0]]))
    ratio = larger.length(ends[0], ends[1])[0] / usual.length(ends[0], ends[1])[0]
    assert ratio == pytest.approx(1.1, rel=1e-3)


def chessboard(view: Scene, columns: int, rows: int, side: float) -> NDArray[np.uint8]:
    fill(view.drawing, box(-side, -side, (columns + 2) * side, (rows + 2) * side), PAPER)
    for column in range(columns):
        for row in range(rows):
            if (column + row) % 2 == 0:
                fill(view.drawing, box(column * side, row * side, side, side), INK)
    return view.drawing.picture()


def test_a_plain_chessboard_needs_the_side_of_its_squares() -> None:
    size = (8 * 25.0, 6 * 25.0)
    view = scene(5, size, (50, 80), (400, 800))
    image = chessboard(view, 8, 6, 25.0)
    found = calibrate_markers(image, square_mm=25.0)
    off, _ = view.length_errors(found, size)
    assert np.median(np.abs(off)) < 0.006
    vague = calibrate_markers(image)
    assert "side of a square" in vague.warnings[0]
    ends = view.truth.to_image(np.array([[10.0, 10.0], [150.0, 100.0]]))
    length, sigma = vague.length(ends[0], ends[1])
    assert sigma > 0.4 * length
    with pytest.raises(NotFound, match="no markers"):
        calibrate_markers(image, chessboards=False)


def test_no_board() -> None:
    with pytest.raises(NotFound, match="minimarshal board"):
        calibrate_markers(scene(1, BOARD).drawing.picture())
    with pytest.raises(BadReference, match="--square"):
        calibrate_markers(scene(1, BOARD).drawing.picture(), square_mm=float("nan"))


def boxes(page: bytes) -> NDArray[np.float64]:
    """Filled boxes of a page in mm: x, y, width, height."""
    number = rb"(-?\d+\.?\d*)"
    found = re.findall(rb"^" + rb" ".join([number] * 4) + rb" re f$", page, re.MULTILINE)
    return np.array(found, dtype=np.float64) * POINT_MM


@pytest.mark.parametrize("paper", PAPERS)
def test_the_page_is_true_to_scale(paper: str) -> None:
    page = board_page(paper)
    width, height = PAPERS[paper]
    media = re.search(rb"/MediaBox \[0 0 (\S+) (\S+)\]", page)
    assert media is not None
    assert np.array(media.groups(), dtype=float) * POINT_MM == pytest.approx((width, height), 1e-4)
    drawn = boxes(page)
    assert drawn[:, :2].min() > 5 and (drawn[:, :2] + drawn[:, 2:]).max(axis=0)[0] < width - 5
    assert (drawn[:, :2] + drawn[:, 2:]).max(axis=0)[1] < height - 5
    assert np.isclose(drawn[:, 2], CHECK_MM, atol=1e-3).sum() == 1
    per_mm = 6
    canvas = np.full((round(height * per_mm), round(width * per_mm), 3), 255, np.uint8)
    for x, y, across, up in drawn:
        start = round(x * per_mm), round((height - y - up) * per_mm)
        end = round((x + across) * per_mm) - 1, round((height - y) * per_mm) - 1
        cv2.rectangle(canvas, start, end, (0, 0, 0), -1)
    corners = find_board(canvas)
    assert len(corners.px) == 35
    places = corners.nodes * SQUARE_MM * per_mm * np.array([1, -1])
    apart = corners.px - places
    assert np.abs(apart - apart.mean(axis=0)).max() < 1.0


def test_the_page_is_a_sound_pdf() -> None:
    page = board_page()
    assert page.startswith(b"%PDF-1.4") and page.endswith(b"%%EOF\n")
    start = int(re.findall(rb"startxref\n(\d+)", page)[0])
    assert page[start:].startswith(b"xref")
    for number, place in enumerate(re.findall(rb"^(\d{10}) 00000 n", page[start:], re.M), 1):
        assert page[int(place) :].startswith(b"%d 0 obj" % number)
    length = int(re.findall(rb"/Length (\d+)", page)[0])
    body = page.split(b"stream\n", 1)[1]
    assert body[length:].startswith(b"\nendstream")
    with pytest.raises(BadReference, match="--paper"):
        board_page("A9")


@pytest.mark.material
def test_a_real_wide_angle_lens_is_straightened() -> None:
    """Rows and columns of a real chessboard are straight lines once the lens is taken out."""
    paths = sorted(material("real/lens_chessboard").glob("*.jpg"))
    assert paths
    for path in paths:
        image = np.asarray(cv2.imread(str(path)), dtype=np.uint8)
        corners = find_chessboard(image)
        assert corners is not None, path.name
        lens = calibrate_markers(image, square_mm=25.0).intrinsics
        flat = lens.undistort(corners.px)
        squares = []
        for axis in (0, 1):
            for value in np.unique(corners.nodes[:, axis]):
                line = flat[corners.nodes[:, axis] == value]
                off = np.linalg.svd(line - line.mean(axis=0), compute_uv=False)[1]
                squares.append(off**2 / len(line))
        assert np.sqrt(np.mean(squares)) < 1.5, path.name
