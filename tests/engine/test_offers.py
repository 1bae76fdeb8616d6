"""What is offered as it goes to the page: areas with their holes."""

import math
import random

import pytest
from shapely import Point, Polygon, box, get_parts, union_all

from engine.announce import Shape
from engine.errors import Refused
from engine.ruleset import InputKind
from engine.rulesets.offers import area_shapes
from server.documents import plain
from tests.engine.follow_me.battle import Battle as FollowMeBattle
from tests.engine.legowars.battle import Battle as LegowarsBattle
from tests.engine.tables import drawn, facing_off

PATCH = box(0, 0, 100, 60)


def test_a_hole_stays_a_hole():
    area = PATCH.difference(box(40, 20, 60, 40)).union(box(200, 0, 210, 10))
    shapes = list(area_shapes(area, text="here"))
    assert sum(drawn(shape).area for shape in shapes) == pytest.approx(area.area)
    assert [len(shape.holes_mm) for shape in shapes] == [1, 0]
    assert set(shapes[0].holes_mm[0]) == {(40.0, 20.0), (60.0, 20.0), (60.0, 40.0), (40.0, 40.0)}
    assert all(shape.text == "here" for shape in shapes)


@pytest.mark.parametrize("seed", range(6))
def test_outlines_are_drawn_to_half_a_millimetre_with_all_their_holes(seed):
    dice = random.Random(seed)  # noqa: S311
    discs = [
        Point(dice.uniform(0, 200), dice.uniform(0, 200)).buffer(dice.uniform(3, 40))
        for _ in range(20)
    ]
    area = union_all(discs[:10]).difference(union_all(discs[10:]))
    found = [one for one in area_shapes(area) if drawn(one).area > 1.0]
    parts = [part for part in get_parts(area) if part.area > 1.0]
    assert len(found) == len(parts)
    for shape, part in zip(found, parts, strict=True):
        assert drawn(shape).is_valid
        assert drawn(shape).hausdorff_distance(part) < 0.8
        assert len(shape.holes_mm) == sum(Polygon(one).area > 1.0 for one in part.interiors)


def test_specks_and_small_parts_are_not_drawn():
    area = PATCH.difference(box(40, 20, 40.9, 20.9)).union(box(200, 0, 201, 1))
    (shape,) = area_shapes(area, least_mm2=1.0)
    assert shape.holes_mm == ()
    assert drawn(shape).area == pytest.approx(PATCH.area)


def test_the_page_is_told_of_holes():
    ring = ((40.0, 20.0), (60.0, 20.0), (60.0, 40.0))
    told = plain(Shape("polygon", ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0)), holes_mm=(ring,)))
    assert told["holes_mm"] == [[[40.0, 20.0], [60.0, 20.0], [60.0, 40.0]]]
    assert plain(Shape("circle", ((1.0, 2.0),), 3.0))["holes_mm"] == []


def test_nobody_may_end_where_a_friend_stands():
    game = facing_off(red={"r1": (300, 200), "r2": (340, 240)})
    shapes = [s for s in game.option("reach", "r1").shapes if s.role == "reach"]
    area = union_all([drawn(shape) for shape in shapes])
    assert not area.contains(Point(340, 240))
    (hole,) = [hole for shape in shapes for hole in shape.holes_mm]
    assert Point(340, 240).within(drawn(Shape("polygon", hole)))
    grown = 16.0**2 + 4 * 16.0 * 8.0 + math.pi * 8.0**2
    # Behind a friend one comes by a bend, which takes a little more.
    assert grown < math.pi * 100.0**2 - area.area < 2.0 * grown


def test_a_sliver_of_an_area_is_a_shape_too() -> None:
    sliver = Polygon([(239.7, 238.7), (242.0, 238.2), (242.0, 237.6)])
    (shape,) = area_shapes(sliver)
    assert len(shape.points_mm) == 3
    assert shape.holes_mm == ()


def bare_legowars():
    """Two men with their lists ready, one of whom is out of sight."""
    game = LegowarsBattle()
    game.join("r1", "red", (300.0, 250.0))
    game.join("b1", "blue", (300.0, 350.0))
    while game.state.phase != "DEPLOY":
        game.do("ready")
    assert game.option("ready") is not None
    del game.figures["b1"]
    game.look()
    return game


def bare_follow_me():
    """Two heroes, one of whom is out of sight."""
    game = FollowMeBattle()
    for name, side, at in (("rh", "red", (600.0, 40.0)), ("bh", "blue", (600.0, 860.0))):
        game.join(name, side, at, "hero_foot_light")
    assert game.option("ready") is not None
    del game.figures["bh"]
    game.look()
    return game


@pytest.mark.parametrize("make", [bare_legowars, bare_follow_me])
def test_what_is_missing_is_told_instead_of_offering_to_be_ready(make):
    game = make()
    assert game.option("ready") is None
    told = game.option("not_ready")
    with pytest.raises(Refused) as refused:
        game.do("ready")
    assert told.input is InputKind.SHOW
    assert (told.text, told.rule) == (f"First: {refused.value.reason}", refused.value.rule)
