"""Labelled folders of both layouts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.calibration.views import look_at
from tests.vision.evaluation.pictures import nothing
from vision.errors import BadSource
from vision.evaluation.rendered import read_set

POSE = look_at((0.0, 0.0), 600.0, 40.0).tolist()
POINTS = [[100.0, 90.0], [108.0, 91.0], [104.0, 50.0], [95.0, 70.0], [113.0, 70.0]]
FIGURE: dict[str, Any] = {
    "kind": "playmobil",
    "name": "knight",
    "box_px": [94, 48, 114, 95],
    "visible": 0.8,
    "keypoints_px": POINTS,
    "flags": [2, 2, 2, 1, 2],
    "facing_deg": 12.5,
    "state": "standing",
    "base_centre_mm": [10.0, 20.0],
    "level_mm": 3.2,
}
TRUTH: dict[str, Any] = {
    "image_size_px": [320, 240],
    "intrinsics": {"fx_px": 300, "fy_px": 300, "cx_px": 159.5, "cy_px": 119.5},
    "camera_T_table": POSE,
    "light": "window",
    "table": "oak",
    "seed": 7,
    "elevation_deg": 41.0,
    "camera_mm": [0, -460, 386],
    "figures": [FIGURE, {**FIGURE, "visible": 0.2}, {**FIGURE, "box_px": None, "visible": 0.0}],
    "hands": [{"box_px": [0, 0, 50, 60], "visible": 0.9}, {"box_px": [1, 1, 9, 9], "visible": 0.1}],
}
LINE = "0 0.1 0.5 0.05 0.2 0.1 0.6 2 0.12 0.6 1 0 0 0 0 0 0 0 0 0"
"""Only the soles are known."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A set of one picture without labels."""
    for name in ("images", "labels", "truth"):
        (tmp_path / name / "val").mkdir(parents=True)
    cv2.imwrite(str(tmp_path / "images/val/00001.jpg"), nothing())
    return tmp_path


def test_truth_files(folder: Path) -> None:
    (folder / "truth/val/00001.json").write_text(json.dumps(TRUTH))
    (picture,) = read_set(folder, "val")
    assert (picture.part, picture.name) == (f"{folder.name}/val", "00001.jpg")
    assert picture.read().shape == (240, 320, 3)
    assert (picture.light, picture.elevation_deg) == ("window", 41.0)
    assert picture.hands == ((0.0, 0.0, 50.0, 60.0),)
    assert "vehicle" in picture.kinds and "hand" not in picture.kinds
    seen, hidden = picture.figures
    assert (seen.asked, hidden.asked) == (True, False)
    assert seen.soles_px == ((100.0, 90.0), (108.0, 91.0)) and seen.soles_seen
    assert (seen.kind, seen.base_centre_mm, seen.level_mm) == ("playmobil", (10.0, 20.0), 3.2)
    assert picture.camera is not None
    middle = picture.camera.to_table(np.array([[159.5, 119.5]]))
    assert middle[0] == pytest.approx([0.0, 0.0], abs=1e-6)


def test_hidden_and_missing_soles(folder: Path) -> None:
    figures = [{**FIGURE, "flags": [2, 1, 2, 2, 2]}, {**FIGURE, "flags": [2, 0, 2, 2, 2]}]
    (folder / "truth/val/00001.json").write_text(json.dumps({**TRUTH, "figures": figures}))
    (picture,) = read_set(folder, "val")
    hidden, outside = picture.figures
    assert hidden.soles_px is not None and not hidden.soles_seen
    assert outside.soles_px is None


def test_label_files_alone(folder: Path) -> None:
    hand = "4 0.5 0.5 0.2 0.2" + " 0" * 15
    (folder / "labels/val/00001.txt").write_text(f"{LINE}\n1 0.5 0.5 0.1 0.1\n{hand}\n")
    (picture,) = read_set(folder, "val")
    one, two = picture.figures
    assert one.box_px == pytest.approx((24.0, 96.0, 40.0, 144.0), abs=1e-3)
    assert one.soles_px is not None and not one.soles_seen
    # The first pixel spans 0 to 1 in label files; here its middle is 0.
    assert one.soles_px[0] == pytest.approx((31.5, 143.5), abs=1e-3)
    assert (two.kind, two.soles_px) == ("playmobil", None)
    assert picture.hands is not None and len(picture.hands) == 1
    assert picture.camera is None


def test_the_older_truth_of_a_whole_split(folder: Path) -> None:
    figure = {
        "look": 3, "state": "lying", "facing_deg": 90.0, "level_mm": 1.6, "visible": 0.5,
        "position_mm": [1.0, 2.0, 8.0], "box_px": [1, 2, 30, 40], "keypoints_px": POINTS,
    }  # fmt: skip
    row = {
        "image": "00001.jpg", "K": [[300, 0, 159.5], [0, 300, 119.5], [0, 0, 1]],
        "camera_T_table": POSE, "table": "oak", "hands": 1, "figures": [figure],
    }  # fmt: skip
    (folder / "truth-val.jsonl").write_text(json.dumps(row) + "\n")
    (picture,) = read_set(folder, "val")
    assert picture.elevation_deg == pytest.approx(40.0, abs=1e-6)
    assert picture.hands is None
    (one,) = picture.figures
    assert (one.kind, one.state, one.base_centre_mm) == ("minifig", "lying", (1.0, 2.0))


@pytest.mark.parametrize(
    ("file", "text", "fault"),
    [
        ("truth/val/00001.json", "{", "Invalid JSON"),
        ("truth/val/00001.json", '{"image_size_px": [320, 240]}', "intrinsics: Field required"),
        ("truth-val.jsonl", "{}\n", "is no line of a truth file"),
        ("truth-val.jsonl", '{"image": "00001.jpg"}\n', "is no line of a truth file"),
        ("labels/val/00001.txt", "0 1 2\n", "3 numbers"),
        ("labels/val/00002.txt", "", "cannot be read"),
    ],
)
def test_files_that_cannot_be_used_are_named(
    folder: Path, file: str, text: str, fault: str
) -> None:
    (folder / file).write_text(text)
    with pytest.raises(BadSource, match=fault) as error:
        list(read_set(folder, "val"))
    assert str(folder) in error.value.name


def test_a_folder_without_pictures(tmp_path: Path) -> None:
    with pytest.raises(BadSource, match=r"holds no images/test/\*\.jpg"):
        list(read_set(tmp_path, "test"))
