"""The way from tiles to figures, with a network made by hand and with the real one."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.painted import CARD, PaintedSession
from vision.data import data_path
from vision.errors import BadSource
from vision.frames import Image
from vision.model_card import ModelCard, read_card, read_weights
from vision.onnx_detector import OnnxDetector, load_detector
from vision.onnx_session import OnnxSession


def paint(size: tuple[int, int], *boxes: tuple[int, int, int, int]) -> Image:
    image = np.full((size[1], size[0], 3), 60, dtype=np.uint8)
    for x0, y0, x1, y1 in boxes:
        image[y0:y1, x0:x1] = 255
    return image


@given(st.integers(330, 1400), st.integers(330, 1000), st.data())
@settings(max_examples=60, deadline=None)
def test_every_figure_is_found_once_and_in_place(
    width: int, height: int, data: st.DataObject
) -> None:
    w, h = data.draw(st.integers(12, 60)), data.draw(st.integers(12, 90))
    x = data.draw(st.integers(0, width - w))
    y = data.draw(st.integers(0, height - h))
    detector = OnnxDetector(PaintedSession(), CARD)
    (found,) = detector.detect(paint((width, height), (x, y, x + w, y + h)))
    assert found.label == "minifig"
    np.testing.assert_allclose(found.box_px, (x, y, x + w, y + h), atol=1.2)
    assert found.score == pytest.approx(0.9)
    assert found.soles_px is not None
    assert found.head_px is not None
    # The network's pixels begin at 0, the program's first pixel has its centre there.
    np.testing.assert_allclose(
        found.soles_px, [(x - 0.5, y + h - 0.5), (x + w - 0.5, y + h - 0.5)], atol=1.2
    )
    np.testing.assert_allclose(found.head_px, (x + w / 2 - 0.5, y - 0.5), atol=1.2)
    assert found.soles_score == pytest.approx(0.8, abs=1e-6)


def test_one_at_native_scale_is_exact_across_a_seam() -> None:
    box = (290, 280, 350, 360)
    (found,) = OnnxDetector(PaintedSession(), CARD).detect(paint((640, 640), box))
    np.testing.assert_allclose(found.box_px, box, atol=0.5)


def test_a_figure_larger_than_a_tile_is_found_at_a_coarser_scale() -> None:
    box = (200, 100, 700, 900)
    (found,) = OnnxDetector(PaintedSession(), CARD).detect(paint((1280, 960), box))
    np.testing.assert_allclose(found.box_px, box, atol=5)


def test_crowd_is_counted() -> None:
    places = [(40 * col + 8, 70 * row + 10) for col in range(16) for row in range(9)]
    boxes = [(x, y, x + 22, y + 50) for x, y in places]
    found = OnnxDetector(PaintedSession(), CARD).detect(paint((660, 660), *boxes))
    seen = sorted((round(d.box_px[0]), round(d.box_px[1])) for d in found)
    assert len(found) == len(boxes)
    np.testing.assert_allclose(seen, sorted((b[0], b[1]) for b in boxes), atol=1)


def test_regions_are_scanned_alone() -> None:
    image = paint((1920, 1080), (100, 100, 130, 160), (1500, 800, 1530, 860))
    session = PaintedSession()
    detector = OnnxDetector(session, CARD)
    (found,) = detector.detect(image, regions=[(80, 80, 160, 180)])
    np.testing.assert_allclose(found.box_px, (100, 100, 130, 160), atol=1)
    assert sum(session.batches) <= 3
    assert detector.detect(image, regions=[]) == []
    session.batches.clear()
    assert len(detector.detect(image)) == 2
    assert max(session.batches) <= 8
    assert sum(session.batches) > 40


def test_threshold_and_missing_keypoints() -> None:
    image = paint((400, 400), (100, 100, 130, 160))
    assert OnnxDetector(PaintedSession(score=0.4), CARD).detect(image) == []
    (found,) = OnnxDetector(PaintedSession(score=0.4), CARD, min_score=0.3).detect(image)
    assert found.score == pytest.approx(0.4)
    (found,) = OnnxDetector(PaintedSession(points=0.1), CARD).detect(image)
    assert found.soles_px is None
    assert found.head_px is None
    assert found.hands_px is None
    assert found.soles_score == pytest.approx(0.1, abs=1e-6)


def test_small_picture_is_padded() -> None:
    (found,) = OnnxDetector(PaintedSession(), CARD).detect(paint((48, 40), (10, 5, 30, 35)))
    np.testing.assert_allclose(found.box_px, (10, 5, 30, 35), atol=0.5)


def test_label_with_the_best_score_wins() -> None:
    class Second(PaintedSession):
        def run(self, batch: np.ndarray) -> np.ndarray:
            output = super().run(batch)
            output[:, 5] = output[:, 4] * 1.05
            return output

    detector = OnnxDetector(Second(), CARD)
    assert detector.labels == ("minifig", "playmobil")
    (found,) = detector.detect(paint((320, 320), (100, 100, 130, 160)))
    assert found.label == "playmobil"


def test_small_figures_are_looked_at_again_at_twice_their_size() -> None:
    class Sharp(PaintedSession):
        """Sees nothing that is narrower than twelve pixels."""

        def run(self, batch: np.ndarray) -> np.ndarray:
            output = super().run(batch)
            sizes.append(len(batch))
            narrow = output[:, 2] < 12
            output[:, 4:6] *= ~narrow[:, None]
            return output

    sizes: list[int] = []
    detector = OnnxDetector(Sharp(), CARD)
    small, thin = (100, 60, 114, 88), (200, 60, 208, 88)
    others = (20, 60, 34, 88), (60, 60, 74, 88)
    found = detector.detect(paint((320, 180), small, thin, *others))
    assert {tuple(round(v) for v in d.box_px) for d in found} == {small, thin, *others}
    once = sum(sizes)
    assert once == 1 + 6
    # Large figures are not, nor a picture with few small ones or without any.
    large = [(x, 60, x + 30, 120) for x in (20, 100, 250)]
    assert len(detector.detect(paint((320, 180), *large, thin))) == 3
    assert len(detector.detect(paint((320, 180), small, thin))) == 1
    assert detector.detect(paint((320, 180), thin)) == []
    assert sum(sizes) == once + 3
    # Only the part that is asked for.
    sizes.clear()
    assert detector.detect(paint((320, 180), small), regions=[(90, 50, 130, 100)])
    assert sum(sizes) == 2


KINDS = ("minifig", "playmobil", "animal", "vehicle", "hand")
FIVE = CARD.model_copy(update={"labels": KINDS})


class Shares(PaintedSession):
    """Gives each block the scores of five classes by its place from left to right."""

    def __init__(self, *scores: tuple[float, ...]) -> None:
        super().__init__(card=FIVE)
        self.scores = np.array(scores, dtype=np.float32)

    def run(self, batch: np.ndarray) -> np.ndarray:
        output = super().run(batch)
        for answer in output:
            some = answer[4] > 0
            wheres = np.clip(answer[0, some] // 60, 0, len(self.scores) - 1).astype(int)
            answer[4:9, some] = self.scores[wheres].T * (answer[4, some] / self.score)
        return output


def test_five_classes_give_one_label_a_figure() -> None:
    image = paint((320, 180), *((60 * at + 10, 100, 60 * at + 40, 160) for at in range(5)))
    doubtful, bare = (0.3, 0.35, 0, 0, 0), (0.3, 0, 0.35, 0, 0)
    session = Shares(doubtful, bare, (0, 0, 0.9, 0.1, 0), (0, 0, 0.1, 0.8, 0), (0, 0, 0, 0, 0.7))
    found = OnnxDetector(session, FIVE).detect(image)
    seen = {round(d.box_px[0]): (d.label, round(d.score, 2)) for d in found}
    assert seen == {
        10: ("playmobil", 0.65),  # 0.3 + 0.35: a figure for sure, whichever
        130: ("animal", 1.0),
        190: ("vehicle", 0.9),
        250: ("hand", 0.7),
    }


def test_tiles_that_disagree_give_the_label_of_the_surer() -> None:
    class Torn(PaintedSession):
        def run(self, batch: np.ndarray) -> np.ndarray:
            output = super().run(batch)
            for at, answer in enumerate(output):
                if at % 2:
                    answer[5], answer[4] = answer[4] * 0.7, 0
            return output

    box = (250, 140, 300, 200)  # whole in the first two tiles
    (found,) = OnnxDetector(Torn(card=FIVE), FIVE).detect(paint((544, 320), box))
    assert found.label == "minifig"
    np.testing.assert_allclose(found.box_px, box, atol=1)


def test_a_hand_keeps_the_figure_that_it_holds() -> None:
    class Both(PaintedSession):
        def run(self, batch: np.ndarray) -> np.ndarray:
            output = super().run(batch)
            output[:, :, 300:] = output[:, :, :300]
            output[:, 8, 300:], output[:, 4, 300:] = output[:, 4, 300:], 0
            return output

    image = paint((640, 320), (290, 100, 330, 160))
    found = OnnxDetector(Both(card=FIVE), FIVE).detect(image)
    assert sorted(d.label for d in found) == ["hand", "minifig"]


def varint(value: int) -> bytes:
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def field(number: int, value: int | bytes | str) -> bytes:
    """One protobuf field."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def identity_network(answers: int = 1) -> bytes:
    """An ONNX file that gives back what it gets, once or more often, written by hand."""
    sides = b"".join(field(1, field(2, side)) for side in "bcyx")
    any_float = field(2, field(1, field(1, 1) + field(2, sides)))
    outputs = "yz"[:answers]
    nodes = b"".join(
        field(1, field(1, "x") + field(2, name) + field(4, "Identity")) for name in outputs
    )
    ends = field(11, field(1, "x") + any_float)
    ends += b"".join(field(12, field(1, name) + any_float) for name in outputs)
    graph = nodes + field(2, "g") + ends
    return field(1, 8) + field(7, graph) + field(8, field(1, "") + field(2, 17))


def test_session_runs_a_network() -> None:
    batch = np.random.default_rng(0).random((2, 3, 4, 4)).astype(np.float32)
    np.testing.assert_array_equal(OnnxSession(identity_network(), "net").run(batch), batch)


def card_text(weights: bytes, **changes: object) -> str:
    card = {
        "labels": ["minifig"],
        "keypoints": ["left_sole", "right_sole"],
        "input": {"size_px": 320, "channels": "RGB"},
        "sha256": hashlib.sha256(weights).hexdigest(),
        "threshold": 0.3,
        "nms_iou": 0.6,
    }
    return json.dumps(card | changes)


def test_model_that_is_whole_loads(tmp_path: Path) -> None:
    weights = data_path("models/detector.onnx").read_bytes()
    (tmp_path / "m.onnx").write_bytes(weights)
    shipped = json.loads(data_path("models/detector.json").read_text())
    text = card_text(weights, labels=shipped["labels"], keypoints=shipped["keypoints"])
    (tmp_path / "m.json").write_text(text)
    assert load_detector(tmp_path / "m.onnx").labels == tuple(shipped["labels"])
    card = read_card(tmp_path / "m.json")
    assert isinstance(card, ModelCard)
    assert (card.nms_iou, card.rows, card.second_look) == (0.6, 24, None)
    assert read_weights(tmp_path / "m.onnx", card) == weights


def test_a_network_that_is_not_what_its_card_says_is_named(tmp_path: Path) -> None:
    model, card = tmp_path / "m.onnx", tmp_path / "m.json"

    def fault(weights: bytes, **changes: object) -> str:
        model.write_bytes(weights)
        card.write_text(card_text(weights, **changes))
        with pytest.raises(BadSource) as caught:
            load_detector(model)
        assert caught.value.name == str(model)
        return caught.value.fault

    assert "model gives other answers than its card says (1 x 3 x 320 x 320" in fault(
        identity_network()
    )
    shipped = data_path("models/detector.onnx").read_bytes()
    assert "(1 x 24 x 2100, not 1 x 11 x any)" in fault(shipped)
    assert fault(shipped, input={"size_px": 64}).startswith("model takes other pictures")
    assert fault(identity_network(2)) == "model gives 2 answers instead of one"


def test_bad_models_are_named(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    weights = identity_network()
    model, card = tmp_path / "m.onnx", tmp_path / "m.json"

    def fault() -> str:
        with pytest.raises(BadSource) as caught:
            load_detector(model)
        assert "\n" not in str(caught.value)
        return str(caught.value)

    assert "model card cannot be read" in fault()
    card.write_text(card_text(weights))
    assert fault().startswith(f"{model}: model cannot be read")
    model.write_bytes(weights[:-1])
    assert fault().startswith(f"{model}: model is damaged")
    model.write_bytes(b"no network")
    card.write_text(card_text(b"no network"))
    assert fault() == f"{model}: model cannot be loaded"
    for change in ({"input": {"size_px": 300}}, {"sha256": "x"}, {"labels": []}, {"threshold": 2}):
        card.write_text(card_text(weights, **change))
        assert f"{card}: model card: {next(iter(change))}" in fault()
    card.write_text("{")
    assert "model card" in fault()
    assert capfd.readouterr().err == ""


def test_files_of_the_program_are_found() -> None:
    assert data_path("pyproject.toml").is_file()
    with pytest.raises(BadSource, match=r"models/nothing\.onnx: is missing"):
        data_path("models/nothing.onnx")
