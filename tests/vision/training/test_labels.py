from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.families import KINDS
from vision.training.errors import TrainingError
from vision.training.labels import (
    FLIP,
    KEYPOINTS,
    Labels,
    boxes_only,
    mirror,
    no_labels,
    read_labels,
    write_labels,
)

if TYPE_CHECKING:
    from pathlib import Path


def figure(x: float = 100, y: float = 50) -> Labels:
    boxes = np.array([[x, y, x + 30, y + 60]], np.float32)
    points = np.array(
        [
            [
                [x + 20, y + 58, 2],
                [x + 8, y + 59, 2],
                [x + 15, y + 2, 2],
                [x + 28, y + 30, 1],
                [0, 0, 0],
            ]
        ],
        np.float32,
    )
    return Labels(np.array([1]), boxes, points)


def test_written_labels_are_read_back(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    write_labels(file, figure(), 640, 360)
    back = read_labels(file, 640, 360)
    assert back.kinds.tolist() == [1]
    np.testing.assert_allclose(back.boxes, figure().boxes, atol=0.01)
    np.testing.assert_allclose(back.points, figure().points, atol=0.01)


def test_a_hand_is_a_box_without_points(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("4 0.5 0.5 0.25 0.5" + " 0 0 0" * 5 + "\n2 0.5 0.5 0.25 0.5\n")
    labels = read_labels(file, 400, 200)
    assert [KINDS[kind] for kind in labels.kinds] == ["hand", "animal"]
    assert not labels.points.any()
    write_labels(file, labels, 400, 200)
    assert file.read_text().splitlines()[0].startswith("4 0.5")


def test_an_empty_file_is_a_picture_without_figures(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    write_labels(file, no_labels(), 640, 360)
    assert len(read_labels(file, 640, 360)) == 0


def test_a_box_alone_has_unknown_points(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("0 0.5 0.5 0.25 0.5\n")
    labels = read_labels(file, 400, 200)
    np.testing.assert_allclose(labels.boxes, [[150, 50, 250, 150]])
    assert not labels.points.any()


@pytest.mark.parametrize(
    "line",
    [
        "0 0.5 0.5 0.25",
        "5 .5 .5 .2 .2",
        "0.5 .5 .5 .2 .2",
        "0 a 0.5 0.2 0.2",
        "0 .5 .5 .2 .2 .1 .1 2",
    ],
)
def test_a_bad_line_names_the_file(tmp_path: Path, line: str) -> None:
    file = tmp_path / "bad.txt"
    file.write_text(line)
    with pytest.raises(TrainingError, match=r"bad\.txt"):
        read_labels(file, 100, 100)


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match="cannot be read"):
        read_labels(tmp_path / "none.txt", 100, 100)


def test_the_mirror_swaps_the_sides() -> None:
    turned = mirror(figure(), 640)
    assert turned.kinds.tolist() == [1]
    np.testing.assert_allclose(turned.boxes, [[510, 50, 540, 110]])
    # The left sole of the mirrored figure is the mirrored right sole.
    np.testing.assert_allclose(turned.points[0, 0], [640 - 108, 109, 2])
    np.testing.assert_allclose(turned.points[0, 1], [640 - 120, 108, 2])
    # The unknown right hand stays unknown, as the left one.
    np.testing.assert_allclose(turned.points[0, 3], [0, 0, 0])


@settings(deadline=None)
@given(st.floats(0, 500), st.floats(0, 250), st.integers(600, 2000))
def test_mirroring_twice_changes_nothing(x: float, y: float, width: int) -> None:
    twice = mirror(mirror(figure(x, y), width), width)
    np.testing.assert_allclose(twice.boxes, figure(x, y).boxes, atol=1e-2)
    np.testing.assert_allclose(twice.points, figure(x, y).points, atol=1e-2)


def test_the_flip_order_pairs_left_with_right() -> None:
    for index, other in enumerate(FLIP):
        here, there = KEYPOINTS[index], KEYPOINTS[other]
        swap = here.replace("left", "#").replace("right", "left").replace("#", "right")
        assert there == swap


def test_boxes_alone_can_be_empty() -> None:
    assert len(boxes_only(np.zeros((0, 4), np.float32))) == 0
