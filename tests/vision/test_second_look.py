"""The second look: squares cut out, names and scores, what stays of the detector's word."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.painted import CARD, PaintedSession
from vision.crops import GREY, crop
from vision.data import data_path
from vision.detection import Detection
from vision.errors import BadSource
from vision.families import KINDS
from vision.frames import Image
from vision.model_card import SecondLookCard, digest, read_card
from vision.onnx_detector import OnnxDetector
from vision.second_look import SecondLook, by_company, load_second_look

SECOND = SecondLookCard(
    model="second_look.onnx",
    sha256="0" * 64,
    labels=KINDS,
    size_px=64,
    margin=1.4,
    least_score=0.1,
    weight=0.5,
)


class Told:
    """Answers with given chances, whatever it sees."""

    def __init__(self, *chances: tuple[float, ...]) -> None:
        self.chances = np.array(chances, np.float32)
        self.seen: list[np.ndarray] = []

    def run(self, batch: np.ndarray) -> np.ndarray:
        assert batch.dtype == np.float32
        self.seen.append(batch)
        return self.chances[: len(batch), :, None]


def find(score: float, box: tuple[float, float, float, float], label: str = "minifig") -> Detection:
    x0, y0, x1, y1 = box
    soles = ((x0, y1), (x1, y1))
    return Detection(label, score, box, soles, (x0, y0), ((x0, y0), (x1, y0)), 0.9)


IMAGE = np.full((200, 300, 3), 90, np.uint8)
IMAGE[::2] = 110
BLANK = np.full((200, 300, 3), 90, np.uint8)
LEFT, RIGHT = (20.0, 20.0, 60.0, 100.0), (120.0, 20.0, 160.0, 100.0)


def test_names_and_scores_are_those_of_the_second_look() -> None:
    network = Told((0.1, 0.54, 0, 0, 0, 0.36), (0.02, 0.02, 0.81, 0.05, 0, 0.1))
    found = SecondLook(network, SECOND, 0.5).judge(IMAGE, [find(0.36, LEFT), find(0.64, RIGHT)])
    first, second = found
    # The horse that the detector took for a figure: root of (0.81 + 0.05) * 0.64.
    assert (first.label, round(first.score, 4)) == ("animal", round((0.86 * 0.64) ** 0.5, 4))
    assert first.hands_px is None
    assert first.soles_px == find(0, RIGHT).soles_px
    assert (second.label, round(second.score, 4)) == ("playmobil", 0.48)
    assert second.hands_px == find(0, LEFT).hands_px
    assert second.box_px == LEFT
    assert network.seen[0].shape == (2, 3, 64, 64)


def test_boxes_and_keypoints_are_means_of_both_looks() -> None:
    keys = ("right_sole", "left_sole", "head_top")
    card = SECOND.model_copy(
        update={
            "size_px": 160,
            "margin": 2.0,
            "keypoints": keys,
            "box_weight": 0.75,
            "point_weight": 0.25,
        }
    )
    # The square around LEFT: 160 px wide from (-40, -20) on.
    where = (0.4, 0.25, 0.6, 0.75, 0.5, 0.7, 0.4, 0.7, 0.45, 0.2)
    network = Told((0.9, 0, 0, 0, 0, 0.1, *where))
    (found,) = SecondLook(network, card, 0.5).judge(IMAGE, [find(0.9, LEFT)])
    told = np.array([24.0, 20.0, 56.0, 100.0])
    assert found.box_px == pytest.approx(0.25 * np.array(LEFT) + 0.75 * told)
    first = find(0.9, LEFT)
    assert found.soles_px is not None
    assert first.soles_px is not None
    for own, before, (x, y) in zip(
        found.soles_px, first.soles_px, ((24 - 0.5, 92 - 0.5), (40 - 0.5, 92 - 0.5)), strict=True
    ):
        assert own == pytest.approx((0.75 * before[0] + 0.25 * x, 0.75 * before[1] + 0.25 * y))
    assert found.head_px == pytest.approx((0.75 * 20 + 0.25 * 31.5, 0.75 * 20 + 0.25 * 11.5))
    assert found.hands_px == first.hands_px  # it does not say where they are
    assert found.soles_score == first.soles_score
    # Shrunk to half its size, it is seen less well from near: half the say, a quarter for points.
    smaller = card.model_copy(update={"size_px": 80})
    (found,) = SecondLook(network, smaller, 0.5).judge(IMAGE, [first])
    assert found.box_px == pytest.approx(0.625 * np.array(LEFT) + 0.375 * told)
    assert found.head_px is not None
    assert found.head_px[0] == pytest.approx(0.9375 * 20 + 0.0625 * 31.5)


def test_a_place_that_is_none_leaves_the_find_where_it_was() -> None:
    card = SECOND.model_copy(update={"box_weight": 1.0})
    away = Told((0.9, 0, 0, 0, 0, 0.1, -9.0, -9.0, -8.0, -8.0))
    (found,) = SecondLook(away, card, 0.5).judge(IMAGE, [find(0.9, LEFT)])
    assert found.box_px == LEFT


def test_boxes_that_turn_out_to_be_one_become_one() -> None:
    card = SECOND.model_copy(update={"size_px": 160, "margin": 2.0, "box_weight": 1.0})
    low = (20.0, 60.0, 60.0, 140.0)
    upper, same = (0.375, 0.25, 0.625, 0.75), (0.375, 0.0, 0.625, 0.5)
    sure = (0.9, 0, 0, 0, 0, 0.1)
    network = Told((*sure, *upper), (*sure, *same))
    found = SecondLook(network, card, 0.5).judge(IMAGE, [find(0.9, LEFT), find(0.8, low)])
    assert [d.box_px for d in found] == [pytest.approx(LEFT)]


def test_two_names_for_one_thing_become_one() -> None:
    animal = (0.0, 0, 0.9, 0, 0, 0.1)
    network = Told(animal, (0.0, 0, 0.95, 0, 0, 0.05), (0.9, 0.0, 0, 0, 0, 0.1))
    rider = (25.0, 0.0, 55.0, 60.0)
    proposed = [find(0.5, LEFT), find(0.5, LEFT, "animal"), find(0.5, rider)]
    found = SecondLook(network, SECOND, 0.5).judge(IMAGE, proposed)
    assert [d.label for d in found] == ["animal", "minifig"]
    assert found[0].score == pytest.approx((0.95 * 0.5) ** 0.5)
    assert SecondLook(network, SECOND, 0.5).judge(IMAGE, []) == []


def test_the_detector_proposes_more_and_shows_only_what_passes() -> None:
    image = np.full((180, 320, 3), 60, np.uint8)
    image[50:110, 40:70] = image[50:110, 200:230] = 255
    image[50:110:9, 40:230] -= 10
    sure, never = (0.9, 0.0, 0, 0, 0, 0.1), (0.01, 0.0, 0, 0, 0, 0.99)
    network = Told(sure, never)
    look = SecondLook(network, SECOND, 0.5)
    detector = OnnxDetector(PaintedSession(score=0.3), CARD, None, look)
    assert detector.labels == KINDS
    (found,) = detector.detect(image)  # 0.3 alone would not have passed 0.5
    assert found.score == pytest.approx((0.9 * 0.3) ** 0.5, abs=1e-6)
    assert len(OnnxDetector(PaintedSession(score=0.3), CARD, 0.05, look).detect(image)) == 2
    assert OnnxDetector(PaintedSession(score=0.09), CARD, 0.05, look).detect(image) == []
    assert OnnxDetector(PaintedSession(score=0.3), CARD).detect(image) == []


def test_a_faint_small_find_in_a_part_of_the_picture_is_magnified() -> None:
    class Nearer:
        """Is sure of what it sees the second time."""

        def __init__(self) -> None:
            self.looks = 0

        def run(self, batch: np.ndarray) -> np.ndarray:
            self.looks += 1
            sure = 0.2 if self.looks == 1 else 0.9
            answer = np.array([sure, 0, 0, 0, 0, 1 - sure], np.float32)
            return np.tile(answer[:, None], (len(batch), 1, 1))

    image = np.full((180, 320, 3), 60, np.uint8)
    image[50:70, 40:52] = 255

    def seen(score: float, region: tuple[float, float, float, float] | None) -> int:
        look = SecondLook(Nearer(), SECOND, 0.5)
        detector = OnnxDetector(PaintedSession(score=score), CARD, None, look)
        return len(detector.detect(image, None if region is None else [region]))

    around = (30.0, 40.0, 62.0, 80.0)
    assert seen(0.3, around) == 1
    assert seen(0.3, None) == 0  # one faint speck in a whole picture is rather something else
    assert seen(0.15, around) == 0  # and what is hardly anything is not magnified


def test_one_colour_is_nothing_whatever_the_network_says() -> None:
    look = SecondLook(Told((0, 0, 0, 0, 0.99, 0.01)), SECOND, 0.5)
    for box in (LEFT, (-40.0, -30.0, 340.0, 230.0), (-50.0, 0.0, -10.0, 30.0)):
        (found,) = look.judge(BLANK, [find(0.9, box, "hand")])
        assert found.score == 0
    assert look.judge(IMAGE, [find(0.9, LEFT, "hand")])[0].score > 0.5


def test_it_sees_the_find_in_the_middle() -> None:
    image: Image = np.full((240, 320, 3), 20, np.uint8)
    image[100:140, 150:170] = (10, 20, 250)  # BGR: red
    network = Told((1.0, 0, 0, 0, 0, 0))
    SecondLook(network, SECOND, 0.5).judge(image, [find(0.5, (150.0, 100.0, 170.0, 140.0))])
    (square,) = network.seen[0]
    rows, columns = np.nonzero(square[0] > 0.5)
    assert rows.min() + rows.max() == pytest.approx(63, abs=2)
    assert columns.min() + columns.max() == pytest.approx(63, abs=2)
    assert (rows.max() - rows.min() + 1) == pytest.approx(64 / 1.4, abs=2)
    assert square[2].max() < 0.2


@given(
    st.floats(-50, 340),
    st.floats(-50, 260),
    st.floats(0.5, 300),
    st.floats(0.5, 300),
    st.floats(1.01, 3),
)
@settings(max_examples=80, deadline=None)
def test_any_box_can_be_cut_out(x: float, y: float, w: float, h: float, margin: float) -> None:
    square = crop(BLANK, (x, y, x + w, y + h), 48, margin)
    assert square.shape == (48, 48, 3)
    assert set(np.unique(square)) <= set(range(90, GREY + 1))


def test_weights_are_those_of_the_card(tmp_path: Path) -> None:
    with pytest.raises(BadSource, match="cannot be read"):
        load_second_look(tmp_path, SECOND, 0.5)
    (tmp_path / SECOND.model).write_bytes(b"something else")
    with pytest.raises(BadSource, match="damaged"):
        load_second_look(tmp_path, SECOND, 0.5)
    junk = SECOND.model_copy(update={"sha256": hashlib.sha256(b"something else").hexdigest()})
    with pytest.raises(BadSource, match="cannot be loaded"):
        load_second_look(tmp_path, junk, 0.5)


def test_a_card_names_no_file_elsewhere() -> None:
    for name in ("../other.onnx", "/etc/passwd", "a/b.onnx", "c.pkl"):
        text = json.dumps({**SECOND.model_dump(), "model": name})
        with pytest.raises(ValueError, match="model"):
            SecondLookCard.model_validate_json(text)


@given(
    st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=12),
    st.randoms(use_true_random=False),
)
@settings(max_examples=80, deadline=None)
def test_company_moves_names_but_not_what_is_a_figure(
    pairs: list[tuple[float, float]], random: Random
) -> None:
    chances = np.array([(a * b, a * (1 - b)) for a, b in pairs])
    moved = by_company(chances)
    np.testing.assert_allclose(moved.sum(axis=1), chances.sum(axis=1), atol=1e-9)
    assert (moved >= 0).all()
    order = list(range(len(pairs)))
    random.shuffle(order)
    np.testing.assert_allclose(by_company(chances[order]), moved[order], atol=1e-9)


def test_a_doubtful_figure_is_what_its_company_is() -> None:
    def second_share(*others: float, doubtful: float = 0.6) -> float:
        pairs = np.array([(1 - share, share) for share in (doubtful, *others)])
        return float(by_company(pairs)[0, 1])

    assert second_share(*[0.1] * 6) < 0.1
    assert second_share(*[0.9] * 6) > 0.9
    assert second_share() < 0.5 < second_share(doubtful=0.9)  # alone: more tables are LEGO's
    assert second_share(*[0.1] * 4, *[0.9] * 4) == pytest.approx(0.6, abs=0.15)
    # What is hardly a figure says little.
    faint = by_company(np.array([[0.4, 0.6], *[[0.09, 0.01]] * 3]))
    sure = by_company(np.array([[0.4, 0.6], *[[0.9, 0.1]] * 3]))
    assert faint[0, 1] > sure[0, 1]


def test_a_huge_square_is_cut_out_without_its_pixels() -> None:
    image = np.full((40, 6000, 3), 90, np.uint8)
    image[:, 3000:] = 200
    square = crop(image, (0.0, 0.0, 6000.0, 40.0), 64, 1.5)
    assert square.shape == (64, 64, 3)
    assert square[0, 0].tolist() == [GREY] * 3
    large = np.full((3000, 3200, 3), 90, np.uint8)
    large[:, 1600:] = 200
    near = crop(large, (0.0, 0.0, 3200.0, 3000.0), 64, 1.2)
    far = crop(large, (0.0, 0.0, 3200.0, 3000.0), 64, 1.3)
    assert near.shape == far.shape
    assert far[32, 20].tolist() == [90] * 3
    assert far[32, 44].tolist() == [200] * 3


def test_many_proposals_are_judged_a_few_at_a_time() -> None:
    batches: list[int] = []

    class Even:
        def run(self, batch: np.ndarray) -> np.ndarray:
            batches.append(len(batch))
            return np.tile(
                np.array([[0.8], [0], [0], [0], [0], [0.2]], np.float32), (len(batch), 1, 1)
            )

    look = SecondLook(Even(), SECOND, 0.5)
    boxes = [
        (float(x), float(y), x + 8.0, y + 8.0) for x in range(0, 280, 20) for y in range(0, 190, 20)
    ]
    assert len(look.judge(IMAGE, [find(0.5, box) for box in boxes])) == len(boxes)
    assert max(batches) <= 64
    assert sum(batches) == len(boxes)


def test_a_network_that_answers_otherwise_is_refused(tmp_path: Path) -> None:
    shipped = data_path("models/detector.json")
    card = read_card(shipped).second_look
    assert card is not None
    with pytest.raises(BadSource, match="other answers than its card says"):
        load_second_look(shipped.parent, card.model_copy(update={"labels": KINDS[:3]}), 0.5)


def test_a_digest_covers_both_networks(tmp_path: Path) -> None:
    for name in ("detector.json", "detector.onnx", "second_look.onnx"):
        (tmp_path / name).write_bytes(data_path(f"models/{name}").read_bytes())
    model = tmp_path / "detector.onnx"
    whole = digest(model)
    card = json.loads((tmp_path / "detector.json").read_text())
    other = b"another second look"
    (tmp_path / "second_look.onnx").write_bytes(other)
    with pytest.raises(BadSource, match="damaged"):
        digest(model)
    card["second_look"]["sha256"] = hashlib.sha256(other).hexdigest()
    (tmp_path / "detector.json").write_text(json.dumps(card))
    assert digest(model) != whole
    del card["second_look"]
    (tmp_path / "detector.json").write_text(json.dumps(card))
    assert digest(model) == card["sha256"]
