"""Parts of figures are no figures."""

from __future__ import annotations

from vision.detection import BoxPx, Detection
from vision.wholes import whole

BODY: BoxPx = (100.0, 100.0, 160.0, 220.0)
CHEST: BoxPx = (105.0, 130.0, 155.0, 180.0)


def find(score: float, box: BoxPx, label: str = "minifig") -> Detection:
    return Detection(label, score, box)


def test_a_part_of_a_better_find_is_left_out() -> None:
    body, chest = find(0.8, BODY), find(0.6, CHEST, "playmobil")
    far = find(0.3, (300.0, 100.0, 340.0, 180.0))
    assert whole([body, chest, far]) == [body, far]


def test_a_better_find_in_a_doubtful_one_stays() -> None:
    body, chest = find(0.5, BODY), find(0.6, CHEST)
    assert whole([chest, body]) == [chest, body]


def test_what_hides_half_of_another_stays() -> None:
    body, before = find(0.8, BODY), find(0.6, (100.0, 150.0, 150.0, 260.0))
    assert whole([body, before]) == [body, before]


def test_a_figure_in_a_hand_or_on_a_horse_stays() -> None:
    held = find(0.6, CHEST)
    for label in ("hand", "animal", "vehicle"):
        around = find(0.9, BODY, label)
        assert whole([around, held]) == [around, held]
        small = find(0.5, CHEST, label)
        assert whole([find(0.9, BODY), small]) == [find(0.9, BODY), small]


def test_nothing_has_no_parts() -> None:
    assert whole([]) == []
