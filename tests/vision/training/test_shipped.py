from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime as ort
import pytest

from vision.families import KINDS
from vision.onnx_detector import load_detector
from vision.training.export import NMS_IOU, describe
from vision.training.labels import KEYPOINTS
from vision.training.views import SIZE_PX

MODELS = Path(__file__).resolve().parents[3] / "models"
FILE = MODELS / "detector.onnx"


def settings() -> dict[str, Any]:
    document: dict[str, Any] = json.loads((MODELS / "detector.json").read_text(encoding="utf-8"))
    return document


@pytest.fixture(scope="module")
def session() -> ort.InferenceSession:
    return ort.InferenceSession(str(FILE), providers=["CPUExecutionProvider"])


def test_the_settings_are_of_this_file() -> None:
    assert settings()["model"] == FILE.name
    assert settings()["sha256"] == hashlib.sha256(FILE.read_bytes()).hexdigest()


def test_the_file_is_small_enough_to_ship() -> None:
    assert FILE.stat().st_size < 15_000_000


def test_the_settings_name_the_inputs_and_outputs(session: ort.InferenceSession) -> None:
    document = settings()
    (source,), (sink,) = session.get_inputs(), session.get_outputs()
    assert source.name == document["input"]["name"]
    assert source.shape[1:] == [3, document["input"]["size_px"], document["input"]["size_px"]]
    assert not isinstance(source.shape[0], int)  # any batch size
    assert sink.name == document["output"]["name"]
    assert document["input"]["size_px"] == SIZE_PX
    assert document["nms_iou"] == NMS_IOU
    assert document["keypoints"] == list(KEYPOINTS)
    assert len(document["output"]["rows"]) == 4 + len(document["labels"]) + 3 * len(KEYPOINTS)


def test_the_second_look_is_the_one_the_card_names() -> None:
    second = settings()["second_look"]
    file = MODELS / second["model"]
    assert second["sha256"] == hashlib.sha256(file.read_bytes()).hexdigest()
    assert file.stat().st_size < 15_000_000
    assert second["labels"] == list(KINDS)
    assert second["keypoints"] == list(KEYPOINTS)
    look = ort.InferenceSession(str(file), providers=["CPUExecutionProvider"])
    side = second["size_px"]
    for count in (1, 5):
        squares = np.full((count, 3, side, side), 0.5, np.float32)
        (answers,) = look.run(None, {look.get_inputs()[0].name: squares})
        assert answers.shape == (count, len(KINDS) + 1 + 4 + 2 * len(second["keypoints"]), 1)
        chances = answers[:, : len(KINDS) + 1]
        np.testing.assert_allclose(chances.sum(1), 1, atol=1e-4)
        assert (chances[:, -1] > 0.5).all()  # plain grey is nothing


@pytest.mark.parametrize("count", [1, 3])
def test_the_output_has_a_column_a_cell(session: ort.InferenceSession, count: int) -> None:
    document = settings()
    pictures = np.zeros((count, 3, SIZE_PX, SIZE_PX), np.float32)
    (output,) = session.run(None, {document["input"]["name"]: pictures})
    cells = sum((SIZE_PX // stride) ** 2 for stride in document["strides"])
    assert output.shape == (count, len(document["output"]["rows"]), cells)
    scores = output[:, 4]
    assert ((scores >= 0) & (scores <= 1)).all()


def test_an_empty_table_holds_no_figure() -> None:
    detector = load_detector()
    for grey in (0, 90, 255):
        assert detector.detect(np.full((400, 640, 3), grey, np.uint8)) == []


def test_the_description_follows_the_file(tmp_path: Path) -> None:
    file = tmp_path / "detector.onnx"
    file.write_bytes(b"not a model")
    document = describe(file, ("minifig", "hand"), 0.4, "2026-01-02", [{"steps": 5}])
    assert document["sha256"] == hashlib.sha256(b"not a model").hexdigest()
    assert document["threshold"] == 0.4
    assert document["labels"] == ["minifig", "hand"]
    assert document["output"]["rows"][4:7] == ["minifig", "hand", "left_sole_x"]
    assert document["training"] == [{"steps": 5}]
    assert set(document) | {"second_look"} == set(settings())
