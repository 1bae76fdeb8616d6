"""Figures that people put on a table at which no camera looks."""

import pytest

from engine.actions import Action
from engine.errors import Refused
from engine.referee import Referee
from engine.setup import Placed
from engine.table import FigureState, Terrain


def told(referee, kind, **more):
    return referee.take(Action(kind, basis_seq=referee.state.seq, **more))


def test_a_figure_is_put_moved_turned_laid_and_taken_away():
    referee = Referee()
    (line,) = told(
        referee, "place", point_mm=(40.0, 50.0), items=("facing_deg=450", "label=playmobil")
    )
    assert line.event.figure_id == "f1"
    assert referee.facts.placed["f1"] == Placed((40.0, 50.0), 90.0, label="playmobil")
    told(referee, "place", figure_id="f1", point_mm=(60.0, 70.0))
    told(referee, "place", figure_id="f1", value="lying")
    expected = Placed((60.0, 70.0), 90.0, FigureState.LYING, label="playmobil")
    assert referee.facts.placed["f1"] == expected
    told(referee, "place", point_mm=(0.0, 0.0))
    assert set(referee.facts.placed) == {"f1", "f2"}
    told(referee, "remove", figure_id="f1")
    assert set(referee.facts.placed) == {"f2"}
    told(referee, "undo")
    assert referee.facts.placed["f1"] == expected
    said = [one.text for one in referee.announcements()]
    assert said == ["Taken back: taking it away."]


def test_a_figure_stands_on_what_bears_it():
    referee = Referee()
    square = ((0.0, 0.0), (80.0, 0.0), (80.0, 80.0), (0.0, 80.0))
    told(referee, "terrain_set", terrain=Terrain("t1", "building", square, 38.4, standable=True))
    told(referee, "place", point_mm=(40.0, 40.0))
    assert referee.facts.placed["f1"].level_mm == 38.4
    told(referee, "place", figure_id="f1", point_mm=(90.0, 40.0))
    assert referee.facts.placed["f1"].level_mm == 0.0
    told(referee, "place", figure_id="f1", items=("level_mm=9.6",))
    told(referee, "place", figure_id="f1", value="standing")
    assert referee.facts.placed["f1"].level_mm == 9.6


def test_a_correction_is_forgotten_once_the_figure_is_moved():
    referee = Referee()
    told(referee, "place", point_mm=(40.0, 40.0))
    told(referee, "assign", figure_id="f1", side="red")
    referee.take(Action("undo", basis_seq=referee.state.seq))
    with pytest.raises(Refused, match="no figure"):
        told(referee, "correct", figure_id="f9", value="lying")


def test_the_size_of_the_table_is_told():
    referee = Referee()
    told(referee, "table_size", numbers=(400.0, 300.0))
    assert referee.facts.size_mm == (400.0, 300.0)


@pytest.mark.parametrize(
    ("kind", "more", "why"),
    [
        ("place", {}, "where does it stand"),
        ("place", {"figure_id": "f7", "point_mm": (1.0, 1.0)}, "put here by hand"),
        ("place", {"point_mm": (1.0, 1e6)}, "off every table"),
        ("place", {"point_mm": (1.0, 1.0), "value": "flying"}, "cannot be 'flying'"),
        ("place", {"point_mm": (1.0, 1.0), "items": ("label=dragon",)}, "cannot be 'dragon'"),
        ("place", {"point_mm": (1.0, 1.0), "items": ("facing_deg=nan",)}, "no number"),
        ("place", {"point_mm": (1.0, 1.0), "items": ("level_mm=-1",)}, "0 mm or higher"),
        ("place", {"point_mm": (1.0, 1.0), "items": ("colour=red",)}, "no 'colour'"),
        ("remove", {}, "which figure"),
        ("remove", {"figure_id": "f1"}, "put here by hand"),
        ("table_size", {"numbers": (400.0,)}, "width and depth"),
        ("table_size", {"numbers": (400.0, 4.0)}, "5 cm to 20 m"),
        ("table_size", {"numbers": (400.0, float("inf"))}, "."),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(kind, more, why):
    referee = Referee()
    before = referee.lines
    with pytest.raises(Exception, match=why) as caught:
        told(referee, kind, **more)
    assert type(caught.value).__name__ in ("Refused", "BadData")
    assert referee.lines == before
