"""Hands are found whatever their skin, sleeve, table and light; toys and light are not hands."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest

from tests.material import material
from tests.vision.arms import SIZE, SKINS, noisy, table, with_arm
from vision.data import data_path
from vision.detection import BoxPx, Hand
from vision.hands import HandFinder
from vision.sources import FolderSource, VideoSource

FRAMES = 26
Path = list[tuple[tuple[int, int], tuple[int, int]]]


def path(frames: int = FRAMES) -> Path:
    """An arm that comes in from the right after eight frames, reaches in and works there."""
    steps = []
    for at in range(frames):
        reach = 60 * min(max(at - 7, 0), 8)
        steps.append(((1100, 430 - at), (1000 - reach + at % 3 * 3, 300 - 2 * at)))
    return steps


def overlap(a: BoxPx, b: BoxPx) -> float:
    w = max(0.0, min(a[2], b[2]) - max(a[0], b[0]))
    h = max(0.0, min(a[3], b[3]) - max(a[1], b[1]))
    areas = [(c[2] - c[0]) * (c[3] - c[1]) for c in (a, b)]
    return w * h / (sum(areas) - w * h)


def best(hands: list[Hand], box: BoxPx | None) -> float:
    return max((overlap(hand.box_px, box) for hand in hands), default=0.0) if box else 0.0


def play(
    ground: str,
    skin: str,
    sleeve: tuple[int, int, int] | None = None,
    light: float = 1.0,
    first: int = 0,
) -> tuple[list[float], int]:
    """Overlap in each frame with an arm well inside, and false hands in frames without one."""
    finder = HandFinder()
    empty = table(ground, seed=len(skin))
    overlaps, false = [], 0
    for at, (start, tip) in enumerate(path()):
        if at < first:
            continue
        image, box = with_arm(empty, start, tip, SKINS[skin], sleeve)
        hands = finder.find(noisy(image, at, light))
        if box is None:
            false += len(hands)
        elif at >= 11:
            overlaps.append(best(hands, box))
    return overlaps, false


CLEAR = [
    ("green", "pale"),
    ("grey", "light"),
    ("white", "dark"),
    ("blue", "brown"),
    ("black", "tan"),
    ("wood", "pale"),
    ("wood", "dark"),
    ("grey", "dark"),
]


@pytest.mark.parametrize(("ground", "skin"), CLEAR)
def test_bare_arms(ground: str, skin: str) -> None:
    overlaps, false = play(ground, skin)
    assert false == 0
    assert np.mean(np.array(overlaps) > 0.5) >= 0.9


def test_a_pale_arm_over_a_white_table_while_it_moves() -> None:
    overlaps, false = play("white", "pale")
    assert false == 0
    assert min(overlaps[:6]) > 0.5


@pytest.mark.parametrize(
    ("skin", "sleeve"),
    [
        ("pale", (40, 40, 40)),
        ("pale", (40, 40, 170)),
        ("dark", (200, 200, 205)),
        ("dark", (120, 60, 40)),
    ],
)
def test_sleeves(skin: str, sleeve: tuple[int, int, int]) -> None:
    overlaps, false = play("green", skin, sleeve)
    assert false == 0
    assert np.mean(np.array(overlaps) > 0.5) >= 0.9


@pytest.mark.parametrize(("skin", "light"), [("pale", 0.15), ("tan", 0.25), ("dark", 0.3)])
def test_dim_light(skin: str, light: float) -> None:
    overlaps, false = play("green", skin, light=light)
    assert false == 0
    assert np.mean(np.array(overlaps) > 0.5) >= 0.85


@pytest.mark.parametrize(
    ("ground", "skin"),
    [("green", "pale"), ("grey", "light"), ("blue", "tan"), ("green", "brown"), ("grey", "dark")],
)
def test_a_hand_that_is_there_from_the_first_frame(ground: str, skin: str) -> None:
    overlaps, _ = play(ground, skin, first=16)
    assert overlaps[0] > 0.5
    assert np.mean(np.array(overlaps) > 0.5) >= 0.9


def test_where_a_hand_was_there_is_table_again() -> None:
    finder = HandFinder()
    empty = table("grey")
    for at in range(40):
        reach = 400 - 50 * max(at - 10, 0)
        image, box = with_arm(empty, (1100, 400), (1000 - reach, 300), SKINS["light"])
        hands = finder.find(noisy(image, at))
        if at < 18:
            assert hands
        if at > 28:
            assert box is None
            assert hands == []


def test_a_resting_hand_stays_a_hand() -> None:
    finder = HandFinder()
    empty = table("grey")
    for at, (start, tip) in enumerate(path(70)):
        held = path(70)[min(at, 20)] if at > 20 else (start, tip)
        image, box = with_arm(empty, *held, SKINS["tan"])
        hands = finder.find(noisy(image, at))
        if at > 12:
            assert best(hands, box) > 0.5


@pytest.mark.parametrize("known", [True, False])
def test_toys_that_jump_are_no_hands(known: bool) -> None:
    """A film of single pictures: figures stand elsewhere every six frames, one at the border."""
    finder = HandFinder()
    empty = table("wood")
    for at in range(60):
        image = empty.copy()
        x, y = 300 + at // 6 * 40, 200 + at // 6 * 9
        boxes = [(x, y, x + 24, y + 52), (936, 100 + at // 6 * 30, 960, 152 + at // 6 * 30)]
        for x0, y0, x1, y1 in boxes:
            image[y0:y1, x0:x1] = (200, 80, 40)
        figures: list[BoxPx] = [tuple(map(float, box)) for box in boxes] if known else []  # type: ignore[misc]
        assert finder.find(noisy(image, at), figures) == []


def test_changing_light_is_no_hand() -> None:
    finder = HandFinder()
    empty = table("green")
    shadow = np.zeros(empty.shape[:2], dtype=np.float32)
    cv2.rectangle(shadow, (600, 0), (960, 300), 1.0, -1)
    shadow = cv2.GaussianBlur(shadow, (0, 0), 25)[..., None]
    for at in range(60):
        dark = 1 - 0.35 * min(max(at - 10, 0) / 8, 1.0) * shadow
        image = np.clip(empty * dark * (1 + 0.002 * at), 0, 255).astype(np.uint8)
        assert finder.find(noisy(image, at)) == []


def test_a_cut_to_another_table_starts_anew() -> None:
    finder = HandFinder()
    for at in range(20):
        assert finder.find(noisy(table("green"), at)) == []
    for at in range(20, 40):
        assert finder.find(noisy(table("white", seed=4), at)) == []


def test_covered_part_of_a_box() -> None:
    finder = HandFinder()
    empty = table("grey")
    for at, (start, tip) in enumerate(path()):
        image, _ = with_arm(empty, start, tip, SKINS["light"])
        finder.find(noisy(image, at))
    _, (x, y) = path()[-1]
    assert finder.covered((x + 45, y - 20, x + 85, y + 20)) > 0.8
    assert finder.covered((100, 400, 140, 480)) == 0.0
    assert finder.covered((-50, -50, -10, -10)) == 0.0


def test_same_pictures_same_hands() -> None:
    runs = []
    for _ in range(2):
        finder = HandFinder()
        run = []
        for at, (start, tip) in enumerate(path()):
            image, _ = with_arm(table("grey"), start, tip, SKINS["tan"])
            run.append(finder.find(noisy(image, at)))
        runs.append(run)
    assert runs[0] == runs[1]
    assert any(runs[0])


@pytest.mark.parametrize("size", [(32, 32), (33, 700), (3000, 40)])
def test_any_size_of_picture(size: tuple[int, int]) -> None:
    finder = HandFinder()
    rng = np.random.default_rng(0)
    for _ in range(3):
        finder.find(rng.integers(0, 255, (size[1], size[0], 3)).astype(np.uint8))
    assert finder.find(np.zeros((*SIZE[::-1], 3), dtype=np.uint8)) == []


# Boxes of the one hand, drawn by eye to about 10 px; None is no hand. 1920 x 1080.
ENTERING: dict[int, BoxPx | None] = {
    0: None, 2: None, 5: (213, 0, 701, 282), 6: (224, 0, 698, 376), 7: (238, 0, 730, 463),
    8: (293, 0, 752, 538), 10: (260, 0, 781, 647), 12: (361, 0, 791, 712),
    15: (343, 0, 791, 719), 20: (293, 0, 799, 719), 30: (260, 0, 763, 694),
    40: (271, 0, 766, 604), 50: (343, 0, 842, 614), 60: (405, 0, 907, 618),
    70: (441, 0, 979, 632), 80: (484, 0, 1052, 625), 90: (484, 0, 1048, 625),
    100: (473, 0, 1016, 654), 105: (484, 0, 1052, 625), 108: (481, 0, 1048, 625),
    110: (445, 0, 969, 640), 112: (405, 0, 864, 567), 114: (401, 0, 896, 506),
    116: (419, 0, 900, 466), 118: (426, 0, 921, 473),
}  # fmt: skip


@pytest.mark.material
@pytest.mark.parametrize("light", [1.0, 0.2])
def test_real_hand(light: float) -> None:
    finder = HandFinder()
    overlaps = []
    for frame in VideoSource(material("real/hands_video/entering.mp4")):
        image = frame.image if light == 1 else cv2.convertScaleAbs(frame.image, alpha=light)
        hands = finder.find(np.asarray(image, dtype=np.uint8))
        if frame.index not in ENTERING:
            continue
        box = ENTERING[frame.index]
        if box is None:
            assert hands == []
        else:
            overlaps.append(best(hands, box))
    assert min(overlaps) > 0.6
    assert np.mean(overlaps) > 0.75


@pytest.mark.material
def test_real_hand_from_the_middle_of_its_move() -> None:
    finder = HandFinder()
    found = []
    for frame in VideoSource(material("real/hands_video/entering.mp4")):
        if frame.index < 55:
            continue
        hands = finder.find(frame.image)
        box = ENTERING.get(frame.index)
        if box is not None:
            found.append(best(hands, box))
    assert np.mean(np.array(found) > 0.3) >= 0.8


@pytest.mark.material
def test_real_film_of_single_pictures_has_no_hand() -> None:
    clip = material("real/figures_video/bag-25.mp4")
    boxes = json.loads(clip.with_suffix(".boxes.json").read_text())["boxes"]
    guard = {item["frame"]: tuple(map(float, item["xyxy"])) for item in boxes}
    finder = HandFinder()
    figures: list[BoxPx] = []
    hands = 0
    for frame in VideoSource(clip):
        if frame.index in guard:
            figures = [guard[frame.index]]  # type: ignore[list-item]
        hands += bool(finder.find(frame.image, figures))
    assert hands == 0


@pytest.mark.material
def test_real_photos_without_hands() -> None:
    false = count = 0
    for name in ("baseplates", "figures_photos", "chessboard_bricks"):
        for frame in FolderSource(material(f"real/{name}")):
            count += 1
            false += bool(HandFinder().find(frame.image))
    assert false <= 0.12 * count


def test_hands_of_the_demo() -> None:
    """Rendered hands at ten pictures a second, some of them a few pixels at the far edge."""
    clip = data_path("datasets/demo/table.mp4")
    truth = json.loads(clip.with_name("truth.json").read_text())["frames"]
    finder = HandFinder()
    overlaps, false = [], 0
    for frame in VideoSource(clip):
        told = truth[frame.index]
        boxes = [tuple(figure["box_px"]) for figure in told["figures"] if figure.get("box_px")]
        hands = finder.find(frame.image, boxes)
        if not told["hands"]:
            false += bool(hands)
            continue
        x0, y0, x1, y1 = told["hands"][0]
        before = truth[frame.index - 1]["hands"]
        if before and (x1 - x0) * (y1 - y0) > 0.01 * 960 * 540:
            overlaps.append(best(hands, (x0, y0, x1, y1)))
    assert false <= 3
    assert np.mean(np.array(overlaps) > 0.3) >= 0.93
    assert np.mean(overlaps) > 0.75
