"""The packaged demo recording calibrates by itself, and agrees with the truth it was made from."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.camera import Intrinsics
from calibration.plane import Calibration
from calibration.studs import calibrate_studs

DEMO = Path(__file__).parents[2] / "datasets" / "demo"


def first_frame() -> NDArray[np.uint8]:
    if not (DEMO / "table.mp4").is_file():
        pytest.skip("the demo recording is not in this checkout")
    capture = cv2.VideoCapture(str(DEMO / "table.mp4"))
    good, image = capture.read()
    capture.release()
    assert good
    return np.asarray(image, dtype=np.uint8)


def test_the_demo_calibrates_by_its_baseplate() -> None:
    image = first_frame()
    told = json.loads((DEMO / "truth.json").read_text())
    K = np.array(told["K"])
    lens = Intrinsics(K[0, 0], K[1, 1], K[0, 2], K[1, 2])
    pose = np.array(told["camera_T_table"])
    size = (image.shape[1], image.shape[0])
    truth = Calibration("truth", "truth", size, lens, pose)
    found = calibrate_studs(image)
    assert found.size_mm == tuple(told["table"]["size_mm"])
    grid = np.stack(np.meshgrid(np.linspace(10, 374, 7), np.linspace(10, 374, 7)), -1)
    mm = grid.reshape(-1, 2)
    seen = found.to_table(truth.to_image(mm))
    first, second = np.triu_indices(len(mm), 1)
    true = np.hypot(*(mm[first] - mm[second]).T)
    off = np.abs(np.hypot(*(seen[first] - seen[second]).T) - true) / true
    assert np.median(off) <= 0.0015
    assert np.hypot(*(seen - mm).T).max() < 1.0
    eye = truth.camera_position_mm
    assert np.linalg.norm(found.camera_position_mm - eye) < 0.015 * np.linalg.norm(eye)
