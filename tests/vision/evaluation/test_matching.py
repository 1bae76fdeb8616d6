"""Which finds are right, false or neither."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.evaluation.pictures import find, picture, tall
from vision.evaluation.labelled import ANY_FIGURE, LabelledFigure, nameless
from vision.evaluation.matching import Match, Verdict, greedy, match, share_inside

FIGURE = tall(0, 40)
"""20 x 40 px."""


@pytest.mark.parametrize(
    ("shift", "verdict"),
    [(0.0, Verdict.RIGHT), (6.0, Verdict.RIGHT), (6.7, Verdict.FALSE), (30.0, Verdict.FALSE)],
)
def test_half_the_joint_area_is_the_limit(shift: float, verdict: Verdict) -> None:
    # 20 px wide, moved by s: (20 - s) / (20 + s) is 0.5 at 6.67.
    x0, y0, x1, y1 = FIGURE.box_px
    (judged,) = match([find((x0 + shift, y0, x1 + shift, y1))], picture(FIGURE))
    assert judged.verdict is verdict


def test_the_better_find_takes_the_figure_and_the_double_is_false() -> None:
    x0, y0, x1, y1 = FIGURE.box_px
    finds = [find((x0, y0, x1, y1), 0.5), find((x0 + 2, y0, x1 + 2, y1), 0.8)]
    assert match(finds, picture(FIGURE)) == [Match(Verdict.FALSE), Match(Verdict.RIGHT, 0)]


def test_each_figure_is_taken_once() -> None:
    two = (tall(0, 40), tall(6, 40))
    finds = [find(two[1].box_px, 0.9), find(two[0].box_px, 0.7)]
    assert [judged.figure for judged in match(finds, picture(*two))] == [1, 0]


def test_a_find_half_in_an_ignored_box_counts_neither_way() -> None:
    crowd = (100.0, 0.0, 200.0, 100.0)
    boxes = [(90.0, 0.0, 110.0, 40.0), (89.0, 0.0, 109.0, 40.0), (120.0, 20.0, 140.0, 60.0)]
    judged = match([find(box) for box in boxes], picture(ignore=(crowd,)))
    assert [one.verdict for one in judged] == [Verdict.OPEN, Verdict.FALSE, Verdict.OPEN]


def test_a_labelled_figure_inside_an_ignored_box_is_still_asked_for() -> None:
    (judged,) = match([find(FIGURE.box_px)], picture(FIGURE, ignore=((0.0, 0.0, 300.0, 200.0),)))
    assert judged.verdict is Verdict.RIGHT


def test_a_figure_that_need_not_be_found_takes_its_find_out() -> None:
    hidden = tall(0, 40, asked=False)
    x0, y0, x1, y1 = hidden.box_px
    finds = [find(hidden.box_px, 0.9), find((x0 + 1, y0, x1 + 1, y1), 0.8)]
    judged = match(finds, picture(hidden))
    assert [one.verdict for one in judged] == [Verdict.OPEN, Verdict.FALSE]


def test_another_kind_is_false_and_said_to_be_that() -> None:
    big = tall(0, 75, "playmobil")
    labelled = picture(big, kinds=("minifig", "playmobil"))
    assert match([find(big.box_px)], labelled) == [Match(Verdict.FALSE, None, True)]
    assert match([find(big.box_px, label="playmobil")], labelled) == [Match(Verdict.RIGHT, 0)]


def test_any_figure_may_be_taken_for_either() -> None:
    duplo = LabelledFigure(ANY_FIGURE, (0.0, 0.0, 40.0, 80.0))
    for label in ("minifig", "playmobil"):
        assert match([find(duplo.box_px, label=label)], picture(duplo))[0].verdict == "right"
    assert match([find(duplo.box_px, label="animal")], picture(duplo))[0].verdict == "open"


def test_names_of_figures_may_be_passed_over() -> None:
    big, horse = tall(0, 75, "playmobil"), tall(100, 30, "animal")
    labelled = picture(big, horse, kinds=("minifig", "playmobil", "animal"))
    wrong = [find(big.box_px), find(horse.box_px)]
    assert [m.verdict for m in match(wrong, labelled)] == [Verdict.FALSE, Verdict.FALSE]
    assert [m.verdict for m in match(wrong, nameless(labelled))] == [Verdict.RIGHT, Verdict.FALSE]


def test_kinds_that_are_not_labelled_and_incomplete_labels_leave_finds_open() -> None:
    away = (200.0, 100.0, 220.0, 140.0)
    assert match([find(away, label="animal")], picture())[0].verdict is Verdict.OPEN
    assert match([find(away)], picture(complete=False))[0].verdict is Verdict.OPEN
    assert match([find(away)], picture())[0].verdict is Verdict.FALSE


def test_nothing_found_and_nothing_to_find() -> None:
    assert match([], picture(FIGURE)) == []
    assert greedy(np.zeros((2, 0)), [0.3, 0.4], 0.3) == [None, None]
    assert share_inside(np.array([[0.0, 0.0, 4.0, 4.0]]), ()).tolist() == [0.0]
