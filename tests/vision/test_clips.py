"""The rendered clips, followed through their real pictures with detections made from the truth.

The pictures, hands and colours are real; only the detector is replaced by the truth with noise,
misses and false finds, so that what falls short here falls short in hands or tracking.
"""

from __future__ import annotations

import math
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.table import FigureState
from vision.detection import Detection
from vision.evaluation.truth import TrueFigure, Truth, hidden_drift_mm, load_truth, score_tracks
from vision.pipeline import Pipeline
from vision.recording.codec import tracks_document
from vision.scripted import ScriptedDetector
from vision.sources.video import VideoSource

DATASETS = Path(__file__).resolve().parents[2] / "datasets"
JITTER_PX = 0.7
SOLE_MM = 3.2


def detect(figure: TrueFigure, truth: Truth, random: np.random.Generator) -> Detection:
    """The figure as a good detector would find it."""
    assert figure.box_px is not None
    assert figure.soles_px is not None
    x, y = figure.position_mm
    if figure.state is FigureState.LYING:
        turn = math.radians(figure.facing_deg)
        head = (x + 19 * math.cos(turn), y + 19 * math.sin(turn), 5.5)
    else:
        head = (x, y, figure.level_mm + SOLE_MM + 39.0)
    px = np.array([*figure.soles_px, truth.camera.to_image(np.array([head]))[0]])
    left, right, top = (px + random.normal(0, JITTER_PX, px.shape)).tolist()
    box = [edge + float(random.normal(0, JITTER_PX)) for edge in figure.box_px]
    return Detection(
        "minifig",
        0.8,
        (box[0], box[1], box[2], box[3]),
        ((left[0], left[1]), (right[0], right[1])),
        (top[0], top[1]),
        soles_score=0.8,
    )


def script(truth: Truth, seed: int) -> dict[int, list[Detection]]:
    random = np.random.default_rng(seed)
    found: dict[int, list[Detection]] = {}
    for frame in truth.frames:
        found[frame.index] = [
            detect(figure, truth, random)
            for figure in frame.figures
            if figure.box_px is not None and figure.visible > 0.35 and random.random() > 0.03
        ]
        if random.random() < 0.03:
            x, y = random.uniform(50, 900), random.uniform(50, 480)
            found[frame.index].append(Detection("minifig", 0.35, (x, y, x + 35, y + 42)))
    return found


@pytest.mark.parametrize(("clip", "figures"), [("demo", 10), ("second", 6)])
def test_clip_with_a_made_up_detector(clip: str, figures: int) -> None:
    folder = DATASETS / clip
    if not (folder / "table.mp4").is_file():
        pytest.skip(f"{clip} is not rendered here")
    cv2.setNumThreads(1)
    truth = load_truth(folder / "truth.json")
    detector = ScriptedDetector(script(truth, 1))
    pipeline = Pipeline(detector, truth.camera, base_height_mm=SOLE_MM)
    lines = []
    for frame in VideoSource(folder / "table.mp4"):
        detector.frame = frame.index
        look = pipeline.step(frame)
        assert not look.cut
        lines.append(tracks_document(look, {}))
    result = score_tracks(truth, lines, truth.camera)
    ids = {track["track_id"] for line in lines for track in line["tracks"]}  # type: ignore[union-attr,index,call-overload]
    assert result.switches == 0, result
    assert result.idf1 >= 0.97, result
    assert len(ids) == figures
    assert min(result.found_each.values()) >= 0.98, result
    assert result.median_mm <= 1.0
    assert result.p95_mm <= 2.0
    assert hidden_drift_mm(truth, lines, truth.camera) < 3.0
