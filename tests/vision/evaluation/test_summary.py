"""Numbers of small cases that are known beforehand."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.calibration.views import camera, look_at, view
from tests.vision.evaluation.pictures import find, nothing, picture, tall
from tests.vision.figures import lying, standing
from vision.detect import Found
from vision.detection import Detection, Hand
from vision.evaluation.assess import Assessed, assess
from vision.evaluation.breakdowns import class_of
from vision.evaluation.labelled import LabelledFigure, LabelledPicture
from vision.evaluation.report import markdown, report
from vision.evaluation.rows import Part, pair_errors, turn_between
from vision.evaluation.summary import each_picture, means, summarise
from vision.frames import Frame
from vision.scripted import ScriptedDetector

TABLE = view(look_at((0, 0), 1200, 65), camera())


def found(*finds: Detection, hands: tuple[Hand, ...] = ()) -> Found:
    return Found(Frame(0, 0, "a.jpg", nothing()), finds, (), (), hands)


def part_of(*cases: tuple[LabelledPicture, Found]) -> Part:
    part = Part("set")
    for labelled, seen in cases:
        part.add(labelled, seen)
    return part


@pytest.mark.parametrize(
    ("value", "name"),
    [(0, "under 20"), (19.9, "under 20"), (20, "20-30"), (59.9, "30-60"), (60, "60 and more"),
     (4000, "60 and more"), (None, None), (-1, None)],
)  # fmt: skip
def test_classes_of_sizes(value: float | None, name: str | None) -> None:
    assert class_of(value, (0, 20, 30, 60)) == name


def test_recall_and_precision_by_size_and_kind() -> None:
    small, middle, large = tall(0, 18), tall(40, 25), tall(100, 100)
    other = tall(200, 80, "playmobil")
    away = (0.0, 200.0, 10.0, 224.0)
    seen = found(
        find(small.box_px, 0.9),
        find(middle.box_px, 0.8),
        find(away, 0.7),
        find(other.box_px, 0.6),  # a minifigure where a Playmobil figure is
    )
    summary = summarise(part_of((picture(small, middle, large, other), seen)))
    # The small one counts in the tables by size alone.
    assert (summary["figures"], summary["found"], summary["false"]) == (3, 1, 2)
    assert summary["recall"] == pytest.approx(1 / 3, abs=1e-4)
    assert summary["precision"] == pytest.approx(1 / 3, abs=1e-4)
    assert summary["on_another_kind"] == 1
    heights = {row["class"]: row for row in summary["by"]["height_px"]}
    assert list(heights) == ["under 20", "20-30", "60 and more"]
    assert heights["under 20"]["recall"] == 1.0
    assert (heights["20-30"]["recall"], heights["20-30"]["precision"]) == (1.0, 0.5)
    assert (heights["60 and more"]["figures"], heights["60 and more"]["recall"]) == (2, 0.0)
    kinds = {row["class"]: row for row in summary["by"]["kind"]}
    assert (kinds["minifig"]["figures"], kinds["minifig"]["false"]) == (2, 2)
    assert (kinds["playmobil"]["recall"], kinds["playmobil"]["precision"]) == (0.0, None)


def test_means_are_over_the_pictures_that_show_figures() -> None:
    one, empty = tall(0, 40), (0.0, 100.0, 20.0, 140.0)
    part = part_of(
        (picture(one), found(find(one.box_px))),
        (picture(one, tall(60, 40)), found(find(one.box_px))),
        (picture(one), found()),
        (picture(), found(find(empty))),
        (picture(), found()),
    )
    table = each_picture(part)
    assert [row["recall"] for row in table] == [1.0, 0.5, 0.0, None, None]
    assert [row["precision"] for row in table] == [1.0, 1.0, None, None, None]
    mean = means(table)
    assert mean["recall"] == pytest.approx(0.5)
    assert mean["precision"] == 1.0
    assert summarise(part)["precision"] == pytest.approx(2 / 3, abs=1e-4)


def test_soles_that_are_off_by_a_known_way() -> None:
    true = ((40.0, 50.0), (46.0, 50.0))
    figure = LabelledFigure("minifig", (33.0, 12.0, 53.0, 52.0), soles_px=true, soles_seen=True)
    moved = Detection("minifig", 0.9, figure.box_px, ((43.0, 54.0), (49.0, 54.0)))
    swapped = Detection("minifig", 0.9, figure.box_px, (true[1], true[0]))
    for finder, middle, each, share in ((moved, 5.0, 5.0, 0.0), (swapped, 0.0, 6.0, 1.0)):
        rows = summarise(part_of((picture(figure), found(finder))))["soles"]
        assert [row["class"] for row in rows] == ["20-60", "20-60, both in view"]
        assert rows[0]["px"]["median"] == middle
        assert rows[0]["percent_of_height"]["median"] == 100 * middle / 40
        assert (rows[0]["each_px"]["median"], rows[0]["swapped"]) == (each, share)
    other = LabelledFigure("playmobil", (133.0, 12.0, 153.0, 52.0), soles_px=true)
    beside = find(other.box_px, label="playmobil")
    rows = summarise(part_of((picture(figure, other), found(moved, beside))))["soles"]
    assert {row["class"]: row["figures"] for row in rows} == {
        "20-60": 2, "20-60, both in view": 1, "20-60, minifig": 1, "20-60, playmobil": 1,
    }  # fmt: skip
    without = summarise(part_of((picture(figure), found(find(figure.box_px)))))["soles"]
    assert (without[0]["given"], without[0]["px"]) == (0.0, None)


def labelled(
    finder: Detection, state: str, facing: float, place: tuple[float, float]
) -> LabelledFigure:
    return LabelledFigure(
        "minifig",
        finder.box_px,
        soles_px=finder.soles_px,
        state=state,
        facing_deg=facing,
        base_centre_mm=place,
    )


def test_facing_posture_and_distances_with_the_true_camera() -> None:
    finds = [standing(-100, 0, 40, TABLE), standing(100, 0, 170, TABLE), lying(0, 150, 80, TABLE)]
    figures = (
        labelled(finds[0], "standing", 30.0, (-100.0, 0.0)),
        labelled(finds[1], "standing", -20.0, (96.0, 3.0)),
        labelled(finds[2], "lying", 80.0, (0.0, 150.0)),
    )
    shown = LabelledPicture("set", "a.jpg", nothing, figures, camera=TABLE, elevation_deg=65.0)
    summary = summarise(part_of((shown, found(*finds))))
    upright, flat = summary["facing"]
    assert upright["class"] == "minifig, standing"
    assert upright["deg"]["median"] == pytest.approx((10 + 170) / 2, abs=0.2)
    assert upright["turned_about"] == 0.5
    assert flat["deg"]["median"] == pytest.approx(0.0, abs=0.5)
    assert [row["right"] for row in summary["posture"]] == [1.0, 1.0, 1.0]
    assert summary["position_mm"]["count"] == 2
    assert summary["pairs_mm"]["count"] == 1
    wrong = 200 - math.dist((-100, 0), (96, 3))
    assert summary["pairs_mm"]["median"] == pytest.approx(wrong, abs=0.05)
    assert summary["by"]["elevation_deg"][0]["class"] == "60-75"


def test_riders_are_counted_with_those_who_do_not_ride() -> None:
    finds = [standing(x, 0, 40, TABLE, 24.0) for x in (-150, -50, 50, 150)]
    finds = [
        replace(one, rides=bool(rides)) for one, rides in zip(finds, (1, 0, 1, 0), strict=True)
    ]
    states = ("rider", "rider", "standing", "standing")
    figures = tuple(
        labelled(one, state, 40.0, (0.0, 0.0)) for one, state in zip(finds, states, strict=True)
    )
    shown = LabelledPicture("set", "a.jpg", nothing, figures, camera=TABLE)
    part = part_of((shown, found(*finds)))
    assert summarise(part)["riders"] == {
        "riders": 2, "told": 1, "wrongly": 1, "recall": 0.5, "precision": 0.5,
    }  # fmt: skip
    assert "| 2 | 1 | 1 | 0.5 | 0.5 |" in markdown(
        report({"model": "m", "threshold": 0.4}, [Assessed(part, None)])
    )
    assert "riders" not in summarise(part_of((picture(tall(0, 40)), found())))


def test_angles_and_distances() -> None:
    assert turn_between(350, 20) == pytest.approx(30)
    assert turn_between(0, 180) == 180
    places = [((0.0, 0.0), (0.0, 0.0)), ((3.0, 4.0), (6.0, 8.0)), ((0.0, 10.0), (0.0, 10.0))]
    assert sorted(pair_errors(places)) == pytest.approx(
        sorted([5.0, 0.0, abs(math.dist((6, 8), (0, 10)) - math.dist((3, 4), (0, 10)))])
    )


def test_hands_need_less_overlap() -> None:
    true = (0.0, 0.0, 100.0, 100.0)
    near = Hand((0.0, 0.0, 100.0, 35.0), 0.8)
    far = Hand((200.0, 0.0, 300.0, 100.0), 0.9)
    part = part_of(
        (picture(hands=(true,)), found(hands=(near, far))), (picture(), found(hands=(far,)))
    )
    hands = summarise(part)["hands"]
    assert (hands["hands"], hands["found"], hands["false"]) == (1, 1, 1)


def test_the_curve_falls_in_recall_as_the_threshold_rises() -> None:
    one, two = tall(0, 40), tall(60, 40)
    false = find((0.0, 150.0, 20.0, 190.0), 0.5)
    low = part_of((picture(one, two), found(find(one.box_px, 0.9), find(two.box_px, 0.3), false)))
    curve = summarise(low, low)["curve"]
    points = {row["threshold"]: row for row in curve["points"]}
    assert (points[0.3]["recall"], points[0.3]["precision"]) == (
        1.0,
        pytest.approx(2 / 3, abs=1e-4),
    )
    assert (points[0.5]["recall"], points[0.5]["precision"]) == (0.5, 0.5)
    assert (points[0.6]["recall"], points[0.6]["precision"]) == (0.5, 1.0)
    assert points[0.95]["precision"] is None
    assert curve["at_precision"]["0.95"] == {"threshold": 0.9, "recall": 0.5, "precision": 1.0}


def test_where_not_all_is_labelled_nothing_is_said_of_precision() -> None:
    one = tall(0, 40)
    away = find((100.0, 100.0, 120.0, 140.0), 0.6)
    part = part_of((picture(one, complete=False), found(find(one.box_px), away)))
    summary = summarise(part, part)
    assert (summary["recall"], summary["precision"], summary["false"]) == (1.0, None, 0)
    assert summary["false_in_10_pictures"] is None
    assert summary["other_finds_in_10_pictures"] == 10
    assert {row["precision"] for row in summary["curve"]["points"]} == {None}
    assert summary["curve"]["at_precision"] == {}


def test_parts_are_kept_apart_and_written_as_tables() -> None:
    one = tall(0, 40)
    shown = [picture(one), picture(part="other"), picture(part="other")]
    away = find((100.0, 100.0, 120.0, 140.0), 0.6)
    detector = ScriptedDetector({0: [find(one.box_px)], 1: [away]})
    counted: list[int] = []
    parts = assess(shown, detector, None, counted.append)
    assert counted == [1, 2, 3]
    assert [judged.part.name for judged in parts] == ["set", "other"]
    assert "false" in parts[1].gallery.sheets() and not parts[0].gallery.sheets()
    document = report({"model": "m.onnx", "threshold": 0.5}, parts)
    assert document["without_figures"] == {
        "pictures": 2, "false": 1, "false_in_10_pictures": 5.0,
    }  # fmt: skip
    text = markdown(document)
    assert "| set | 1 | 1 | 1 | 1 | 1 | 0 |" in text
    assert "| all without figures | 2 | - | - | - | - | 5 |" in text


def test_the_gallery_shows_what_was_missed_and_how_far_soles_are_off() -> None:
    figure = tall(60, 40, soles_px=((62.0, 48.0), (70.0, 48.0)))
    finder = Detection("minifig", 0.9, figure.box_px, ((66.0, 51.0), (74.0, 51.0)))
    detector = ScriptedDetector({0: [finder]})
    (judged,) = assess([picture(figure), picture(figure)], detector)
    sheets = judged.gallery.sheets()
    assert set(sheets) == {"missed", "soles"}
    assert all(sheet.dtype == np.uint8 and sheet.std() > 0 for sheet in sheets.values())
