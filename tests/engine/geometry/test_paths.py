import math

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from shapely import LineString, Point

from engine.geometry import paths
from engine.geometry.obstacles import Walker
from engine.geometry.reach import reach
from engine.table import Terrain
from tests.engine.geometry.helpers import closed, piece, rect, square

TABLE = (400.0, 300.0)
WALKER = Walker(8.0, 12.0, TABLE)
spot = st.tuples(st.floats(10, 390), st.floats(10, 290))
box = st.builds(
    lambda x, y, w, h: rect(x, y, w, h),
    st.floats(40, 300),
    st.floats(40, 220),
    st.floats(4, 90),
    st.floats(4, 60),
)
walls = st.lists(box, max_size=4).map(
    lambda boxes: [piece(f"t{i}", outline, 28.8) for i, outline in enumerate(boxes)]
)
models = st.lists(
    st.builds(square, st.floats(20, 380), st.floats(20, 280), st.floats(0, 90)), max_size=4
)


def clear(point, terrain: list[Terrain], others, by=9.0) -> bool:
    here = Point(point)
    solid = [LineString([*t.footprint_mm, t.footprint_mm[0]]).convex_hull for t in terrain]
    return all(s.distance(here) > by for s in solid) and all(
        math.dist(o.position_mm, point) > by + 8.0 * math.sqrt(2.0) for o in others
    )


@settings(max_examples=25, deadline=None)
@given(walls, models, spot, spot)
def test_a_path_is_no_shorter_than_the_straight_line_and_keeps_clear(terrain, others, a, b):
    assume(clear(a, terrain, others) and clear(b, terrain, others))
    path = paths.shortest(a, b, closed(terrain, others, WALKER, a, b))
    if path is None:
        return
    assert path[0] == pytest.approx(a)
    assert path[-1] == pytest.approx(b)
    assert paths.length(path) >= math.dist(a, b) - 1e-9
    line = LineString(path)
    for wall in terrain:
        solid = LineString([*wall.footprint_mm, wall.footprint_mm[0]]).convex_hull
        # Grown corners have a few edges instead of an arc: 0.3 mm inside it.
        assert line.distance(solid) >= 8.0 - 0.32
    back = paths.shortest(b, a, closed(terrain, others, WALKER, a, b))
    assert back is not None
    assert paths.length(back) == pytest.approx(paths.length(path), abs=1e-6)


def test_an_open_table_is_walked_straight():
    assert paths.shortest((20, 20), (320, 120), closed([], [], WALKER, (20, 20))) == (
        (20, 20),
        (320, 120),
    )


def test_round_a_wall_by_hand():
    wall = piece("w", rect(100, 0, 10, 100), 28.8)
    a, b = (80.0, 50.0), (130.0, 50.0)
    path = paths.shortest(a, b, closed([wall], [], WALKER, a, b))
    # On either side a tangent to the corner's circle of 8 mm and an arc, and 10 mm along the top.
    far = math.hypot(20.0, 50.0)
    arc = 8.0 * (math.pi - math.atan2(20.0, 50.0) - math.acos(8.0 / far))
    assert path is not None
    assert paths.length(path) == pytest.approx(2 * (math.sqrt(far**2 - 64.0) + arc) + 10.0, abs=0.4)
    assert max(y for _, y in path) == pytest.approx(108.0, abs=0.01)


def test_the_edge_of_the_table_closes_a_way_round():
    # A wall from edge to edge but for 15 mm: too narrow for a base of 16.
    for free, open_ in ((15.0, False), (17.0, True)):
        wall = piece("w", rect(100, free, 10, 300 - free), 28.8)
        path = paths.shortest((60, 200), (160, 200), closed([wall], [], WALKER, (60, 200)))
        assert (path is not None) is open_


def test_a_start_beside_a_wall_is_believed():
    wall = piece("w", rect(100, 100, 10, 100), 28.8)
    a, b = (95.0, 150.0), (115.0, 150.0)
    path = paths.shortest(a, b, closed([wall], [], WALKER, a, b))
    assert path is not None
    assert paths.length(path) > 100.0


def test_a_model_in_the_way_is_walked_round():
    other = square(100, 100)
    a, b = (60.0, 100.0), (140.0, 100.0)
    path = paths.shortest(a, b, closed([], [other], WALKER, a, b))
    assert path is not None
    assert paths.length(path) == pytest.approx(2 * math.hypot(32, 16) + 16, abs=1.5)
    assert paths.straight(a, b, closed([], [other], WALKER, a, b)) is None


@settings(max_examples=20, deadline=None)
@given(walls, models, spot, st.lists(spot, min_size=4, max_size=12), st.floats(20, 160))
def test_a_point_is_in_reach_when_the_path_to_it_is_short_enough(terrain, others, a, goals, far):
    assume(clear(a, terrain, others))
    area = reach(a, far, closed(terrain, others, WALKER, a))
    for goal in goals:
        if not clear(goal, terrain, others):
            continue
        path = paths.shortest(a, goal, closed(terrain, others, WALKER, a, goal))
        length = math.inf if path is None else paths.length(path)
        if abs(length - far) > 0.3:
            assert area.intersects(Point(goal)) == (length < far), (goal, length)


@settings(max_examples=20, deadline=None)
@given(walls, models, spot, st.floats(10, 150), st.floats(1, 50))
def test_reach_grows_with_the_allowance(terrain, others, a, far, more):
    assume(clear(a, terrain, others))
    near = reach(a, far, closed(terrain, others, WALKER, a))
    wide = reach(a, far + more, closed(terrain, others, WALKER, a))
    assert near.difference(wide.buffer(0.05)).area < 0.5


@settings(max_examples=15, deadline=None)
@given(walls, models, spot, st.floats(20, 150))
def test_looking_only_near_changes_nothing(terrain, others, a, far):
    assume(clear(a, terrain, others))
    near = reach(a, far, closed(terrain, others, WALKER, a, within=far))
    whole = reach(a, far, closed(terrain, others, WALKER, a))
    assert near.symmetric_difference(whole).area < 0.5


@settings(max_examples=20, deadline=None)
@given(walls, models, spot, spot)
def test_the_edge_of_reach_is_where_the_path_ends(terrain, others, a, b):
    assume(clear(a, terrain, others) and clear(b, terrain, others) and math.dist(a, b) > 5.0)
    path = paths.shortest(a, b, closed(terrain, others, WALKER, a, b))
    assume(path is not None)
    length = paths.length(path)
    around = closed(terrain, others, WALKER, a)
    assert reach(a, length + 0.4, around).intersects(Point(b))
    assert not reach(a, length - 0.4, around).intersects(Point(b))


def test_reach_on_an_open_table_is_a_disc():
    area = reach((200, 150), 100, closed([], [], WALKER, (200, 150)))
    assert area.area == pytest.approx(math.pi * 100**2, rel=1e-3)


def test_straight_reach_has_a_shadow():
    wall = piece("w", rect(240, 100, 10, 100), 28.8)
    here = (200.0, 150.0)
    bent = reach(here, 150, closed([wall], [], WALKER, here))
    only = reach(here, 150, closed([wall], [], WALKER, here), straight=True)
    assert not only.intersects(Point(280, 150))
    assert bent.difference(only).area > 100.0
    assert only.difference(bent.buffer(0.05)).area < 0.5
    assert reach(here, 0.0, closed([wall], [], WALKER, here)).is_empty
