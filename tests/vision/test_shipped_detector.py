"""The shipped model on the demo and on real figures."""

from __future__ import annotations

import json

import numpy as np
import pytest

from calibration.camera import Intrinsics
from calibration.plane import Calibration
from tests.material import material
from vision.boxes import iou
from vision.contact import ground
from vision.data import data_path
from vision.onnx_detector import OnnxDetector, load_detector
from vision.sources import VideoSource


@pytest.fixture(scope="module")
def detector() -> OnnxDetector:
    return load_detector()


def test_figures_of_the_demo(detector: OnnxDetector) -> None:
    clip = data_path("datasets/demo/table.mp4")
    truth = json.loads(clip.with_name("truth.json").read_text())
    K = truth["K"]
    calibration = Calibration(
        "points",
        "stud grid",
        tuple(truth["image_size_px"]),
        Intrinsics(K[0][0], K[1][1], K[0][2], K[1][2]),
        np.array(truth["camera_T_table"]),
    )
    wanted = found = 0
    states, misses = [], []
    for frame in VideoSource(clip):
        if frame.index % 40:
            continue
        detections = detector.detect(frame.image)
        boxes = np.array([d.box_px for d in detections]).reshape(-1, 4)
        for figure in truth["frames"][frame.index]["figures"]:
            if figure["state"] not in ("standing", "lying") or figure["visible"] <= 0.5:
                continue
            wanted += 1
            overlap = iou(np.array([figure["box_px"]], dtype=float), boxes)[0]
            if len(overlap) == 0 or overlap.max() < 0.5:
                continue
            found += 1
            contact = ground(
                detections[int(overlap.argmax())], calibration, figure["level_mm"], 3.2
            )
            states.append(contact.state.value == figure["state"])
            assert contact.position_mm is not None
            misses.append(np.hypot(*(np.array(contact.position_mm) - figure["position_mm"])))
    assert wanted > 80
    assert found >= 0.96 * wanted
    assert np.mean(states) >= 0.97
    assert np.median(misses) < 4


def test_regions_find_what_the_whole_scan_finds(detector: OnnxDetector) -> None:
    clip = data_path("datasets/demo/table.mp4")
    image = next(frame.image for frame in VideoSource(clip) if frame.index == 150)
    for whole in detector.detect(image):
        x0, y0, x1, y1 = whole.box_px
        near = detector.detect(image, regions=[(x0 - 20, y0 - 20, x1 + 20, y1 + 20)])
        boxes = np.array([d.box_px for d in near]).reshape(-1, 4)
        assert iou(np.array([whole.box_px]), boxes).max() > 0.6


@pytest.mark.material
def test_the_walking_guard(detector: OnnxDetector) -> None:
    clip = material("real/figures_video/bag-25.mp4")
    items = json.loads(clip.with_suffix(".boxes.json").read_text())["boxes"]
    guard = {item["frame"]: item["xyxy"] for item in items}
    hits = 0
    for frame in VideoSource(clip):
        if frame.index in guard:
            boxes = np.array([d.box_px for d in detector.detect(frame.image)]).reshape(-1, 4)
            overlap = iou(np.array([guard[frame.index]], dtype=float), boxes)
            hits += bool(overlap.size and overlap.max() >= 0.5)
    assert hits >= 45
