"""Stored detections come back in order."""

from __future__ import annotations

import numpy as np

from vision.detection import Detection, Detector
from vision.scripted import ScriptedDetector

A = Detection("minifig", 0.9, (10, 10, 20, 30))
B = Detection("animal", 0.8, (100, 100, 140, 120))
IMAGE = np.zeros((200, 200, 3), dtype=np.uint8)


def test_frames_follow_each_other_and_can_be_jumped_to() -> None:
    detector: Detector = ScriptedDetector({0: [A], 2: [A, B]})
    assert detector.labels == ("animal", "minifig")
    assert [detector.detect(IMAGE) for _ in range(4)] == [[A], [], [A, B], []]
    again = ScriptedDetector({0: [A], 2: [A, B]})
    again.frame = 2
    assert again.detect(IMAGE) == [A, B]


def test_regions_choose() -> None:
    detector = ScriptedDetector({0: [A, B], 1: [A, B]})
    assert detector.detect(IMAGE, regions=[(15, 15, 50, 50)]) == [A]
    assert detector.detect(IMAGE, regions=[]) == []
