import math

import pytest
from shapely import MultiPolygon, Point, Polygon

from engine.geometry import Route, Walk, ground
from engine.geometry.obstacles import Walker, pieces_of
from tests.engine.geometry.helpers import piece, rect, square
from tests.engine.tables import cap

TABLE = (500.0, 300.0)
WALKER = Walker(8.0, 12.0, TABLE)
WALL = piece("w", rect(100, 50, 16, 100), 19.2)
HOUSE = piece("h", rect(200, 50, 80, 80), 38.4, standable=True)
LONG_HOUSE = piece("l", rect(-1000, 150, 3000, 400), 38.4, standable=True)
LONG_WALL = piece("l", rect(-1000, 150, 3000, 4), 19.2)
TOWER = piece("t", rect(280, 50, 40, 80), 67.2, standable=True)


def walk(terrain, *others, straight=False):
    return Walk(ground(terrain), WALKER, tuple(others), tuple(others), straight)


def open_walk(terrain):
    """The same on a table without edges."""
    return Walk(ground(terrain), Walker(8.0, 12.0))


def up_to(height, both=True):
    def span(route: Route) -> tuple[float, float] | None:
        climbed = route.climbs.total_mm if both else max(map(sum, parts(route)))
        return (0.0, math.inf) if climbed <= height else None

    def parts(route):
        return route.climbs.up_mm, route.climbs.down_mm

    return span


def toll(each, allowance):
    """Every rise costs so much of the allowance."""

    def span(route: Route) -> tuple[float, float]:
        return 0.0, allowance - each * len(route.climbs.up_mm)

    return span


def test_over_the_wall_or_round_it():
    over, round_ = walk([WALL]).routes((90, 100), (130, 100))
    assert over.length_mm == pytest.approx(40.0)
    assert over.climbs.total_mm == pytest.approx(38.4)
    assert round_.climbs.total_mm == 0.0
    assert round_.length_mm > 120.0


def test_a_way_that_is_longer_and_climbs_is_left_out():
    routes = walk([WALL]).routes((60, 100), (60, 140))
    assert [route.climbs.total_mm for route in routes] == [0.0]


def test_two_walls_give_each_choice():
    second = piece("v", rect(140, 50, 16, 40), 28.8)
    routes = walk([WALL, second]).routes((90, 80), (170, 80))
    totals = [route.climbs.total_mm for route in routes]
    assert totals == sorted(totals, reverse=True)
    assert totals[0] == pytest.approx(38.4 + 57.6)
    assert totals[-1] == 0.0


def test_straight_ways_only():
    routes = walk([WALL], straight=True).routes((90, 100), (130, 100))
    assert [route.length_mm for route in routes] == [pytest.approx(40.0)]
    assert walk([], square(110, 100), straight=True).routes((90, 100), (130, 100)) == ()


def test_closed_in_by_models_there_is_no_way():
    ring = [square(100 + 20 * math.cos(a), 100 + 20 * math.sin(a)) for a in range(6)]
    assert walk([], *ring).routes((100, 100), (200, 100)) == ()


def test_climb_reach_holds_roofs_and_the_far_side():
    w = walk([WALL, HOUSE, TOWER])
    low = w.climb_reach((190, 90), 50.0, up_to(40.0))
    assert low.intersects(Point(225, 90))
    assert not low.intersects(Point(250, 90))
    assert not low.intersects(Point(190, 60))
    assert not w.climb_reach((90, 100), 50.0, up_to(38.0)).intersects(Point(130, 100))
    assert w.climb_reach((90, 100), 50.0, up_to(40.0)).intersects(Point(130, 100))
    # On top of the wall one cannot stand, but beyond it one can.
    assert not w.climb_reach((90, 100), 50.0, up_to(40.0)).intersects(Point(108, 100))


def test_climb_reach_from_roof_to_tower_and_up_both_at_once():
    w = walk([HOUSE, TOWER])
    from_roof = w.climb_reach((260, 90), 50.0, up_to(40.0))
    assert from_roof.intersects(Point(300, 90))
    assert not w.climb_reach((190, 90), 100.0, up_to(60.0)).intersects(Point(285, 90))
    assert w.climb_reach((190, 90), 100.0, up_to(80.0)).intersects(Point(285, 90))


def test_climb_reach_agrees_with_the_routes():
    terrain = [WALL, HOUSE, TOWER]
    w = walk(terrain, square(150, 100, 20))
    start, span = (180.0, 100.0), up_to(80.0)
    area = w.climb_reach(start, 100.0, span)
    walked = w.reach(start, 100.0)
    checked = 0
    for x in range(75, 300, 14):
        for y in range(15, 200, 14):
            here = Point(x, y)
            if area.boundary.distance(here) < 1.5 or walked.boundary.distance(here) < 1.5:
                continue
            if any(0.0 < Polygon(t.footprint_mm).distance(here) < 9.0 for t in terrain):
                continue  # a measured place is believed there, a planned one is not
            if not w.may_end((x, y)):
                assert not area.intersects(here)
                continue
            routes = [r for r in w.routes(start, (x, y)) if r.length_mm <= 100.0]
            on_foot = any(r.climbs.total_mm == 0.0 for r in routes)
            climbing = any(span(r) for r in routes) and not on_foot
            assert walked.intersects(here) == on_foot, (x, y)
            assert area.intersects(here) == climbing, (x, y)
            checked += climbing
    assert checked > 10


def test_nothing_is_won_in_front_of_a_wall():
    """Half a base before a wall nobody can stand who was not there before."""
    w = open_walk([LONG_HOUSE])
    near = w.reach((250, 130), 100.0)
    assert near.area == pytest.approx(math.pi * 100.0**2 - cap(100.0, 12.0), rel=0.005)
    assert w.climb_reach((250, 130), 100.0, up_to(38.0)).is_empty
    roof = w.climb_reach((250, 130), 100.0, up_to(40.0))
    assert roof.area == pytest.approx(cap(100.0, 20.0), rel=0.005)
    assert roof.intersection(near).area < 1.0


@pytest.mark.parametrize("start", [(250, 130), (250, 120), (250, 110)])
def test_a_toll_shortens_the_way_on(start):
    """On a roof and behind a wall one comes as far as the toll leaves, near middle or far."""
    before = 150.0 - start[1]
    roof = open_walk([LONG_HOUSE]).climb_reach(start, 100.0, toll(50.0, 100.0))
    assert roof.area == pytest.approx(cap(50.0, before), rel=0.01)
    over = open_walk([LONG_WALL]).climb_reach(start, 100.0, toll(50.0, 100.0))
    assert over.area == pytest.approx(cap(50.0, before + 4.0 + WALKER.radius_mm), rel=0.01, abs=0.5)


def test_two_walls_apart_cost_two_tolls():
    """A second wall is met by who has passed the first."""
    second = piece("v", rect(-1000, 180, 3000, 4), 19.2)
    w, cost = open_walk([LONG_WALL, second]), toll(20.0, 100.0)
    area = w.climb_reach((250, 130), 100.0, cost)
    between = cap(80.0, 24.0 + 8.0) - cap(80.0, 50.0 - 8.0)
    assert area.area == pytest.approx(between + cap(60.0, 54.0 + 8.0), rel=0.01)
    assert not area.intersects(Point(250, 195))
    cheap = w.climb_reach((250, 130), 100.0, toll(10.0, 100.0))
    assert cheap.intersects(Point(250, 195))
    between = cap(90.0, 24.0 + 8.0) - cap(90.0, 50.0 - 8.0)
    assert cheap.area == pytest.approx(between + cap(80.0, 54.0 + 8.0), rel=0.01)


def test_every_wall_climbed_in_one_move_costs_its_toll():
    """Three walls of four are climbed; the way left behind the third ends before the fourth."""
    walls = [piece(f"w{i}", rect(-1000, 150 + 30 * i, 3000, 4), 19.2) for i in range(4)]
    area = open_walk(walls).climb_reach((250, 130), 200.0, toll(20.0, 200.0))
    wanted = 0.0
    for i in range(3):
        left, first, last = 180.0 - 20.0 * i, 32.0 + 30.0 * i, 42.0 + 30.0 * i
        wanted += cap(left, first) - cap(left, last)
    assert area.area == pytest.approx(wanted, rel=0.01)
    assert area.intersects(Point(250, 225))
    assert not area.intersects(Point(250, 255))
    # Rubble that costs nothing is crossed to its end.
    free = open_walk(walls).climb_reach((250, 130), 200.0, toll(0.0, 200.0))
    assert free.intersects(Point(250, 320))


def test_a_way_too_short_is_none():
    """Where a climb is paid by distance, what is nearer than that is not won."""
    span = lambda route: (60.0, 100.0)  # noqa: E731
    area = open_walk([LONG_HOUSE]).climb_reach((250, 130), 100.0, span)
    assert area.area == pytest.approx(cap(100.0, 20.0) - cap(60.0, 20.0), rel=0.01)


def test_the_toll_of_stairs_is_not_asked_of_who_walks_past_them():
    """Stairs that cost are a way to the roof; the ground round them stays free."""
    steps = piece("s", rect(170, 80, 30, 20), 38.4, kind="stairs")
    w = walk([HOUSE, steps])
    free, dear = w.reach((150, 90), 80.0), w.reach((150, 90), 80.0, lambda route: None)
    short = w.reach((150, 90), 80.0, lambda route: (0.0, 60.0))
    assert free.area > short.area > dear.area
    for x, y in ((150, 160), (90, 90), (185, 130)):
        assert dear.intersects(Point(x, y))
        assert short.intersects(Point(x, y))
    assert free.intersects(Point(225, 90))
    assert not short.intersects(Point(225, 90))
    assert short.intersects(Point(205, 90))
    assert not dear.intersects(Point(205, 90))


def test_no_end_on_another_base_nor_off_the_table():
    other = square(100, 100)
    passing = Walk(ground([]), WALKER, (), (other,))
    area = passing.reach((60, 100), 100.0)
    assert not area.intersects(Point(110, 100))
    assert area.intersects(Point(150, 100))
    assert not passing.may_end((105, 100))
    assert passing.may_end((130, 100))
    assert not area.intersects(Point(60, 5))


def test_stairs_are_walked():
    stairs = piece("s", rect(160, 70, 40, 32), 38.4, kind="stairs")
    w = walk([HOUSE, stairs])
    (route,) = w.routes((150, 86), (220, 90))
    assert route.climbs.total_mm == 0.0
    assert route.climbs.stairs_up_mm == pytest.approx(38.4)
    assert w.reach((150, 86), 100.0).intersects(Point(230, 86))
    assert not walk([HOUSE]).reach((150, 86), 100.0).intersects(Point(230, 86))


def test_wide_stairs_in_a_wall_are_as_wide_as_they_are():
    stairs = piece("s", rect(180, 80, 20, 16), 38.4, kind="stairs")
    assert walk([HOUSE, stairs]).reach((150, 88), 100.0).intersects(Point(230, 88))


def test_a_model_on_a_roof_is_not_in_the_way_below():
    high = square(205, 90)
    object.__setattr__(high, "level_mm", 38.4)
    w = walk([HOUSE], high)
    (straight_by, *_) = w.routes((190, 60), (190, 120))
    assert straight_by.length_mm == pytest.approx(60.0)


def test_two_pieces_on_the_same_place_are_still_a_wall():
    for height in (19.2, 28.8):
        twin = piece("v", WALL.footprint_mm, height)
        routes = walk([WALL, twin]).routes((90, 100), (130, 100))
        assert routes[0].climbs.total_mm == pytest.approx(2 * height)
        assert routes[-1].climbs.total_mm == 0.0
        assert not walk([WALL, twin]).reach((90, 100), 100.0).intersects(Point(130, 100))
    assert walk([WALL, twin]).climb_reach((90, 100), 50.0, up_to(80.0)).intersects(Point(130, 100))


def test_a_roof_is_walked_up_to_its_edge():
    area = walk([HOUSE]).reach((240, 90), 100.0)
    assert area.intersects(Point(203, 90))
    assert not area.intersects(Point(197, 90))


@pytest.mark.parametrize(("gap", "open_"), [(20.0, True), (12.0, False)])
def test_a_gap_narrower_than_the_base_is_no_way(gap, open_):
    """Neither between two walls nor past the end of one."""
    a = piece("a", rect(-1000, 150, 1250 - gap / 2, 4), 38.4)
    b = piece("b", rect(250 + gap / 2, 150, 1250, 4), 38.4)
    w = open_walk([a, b])
    first, *_ = w.routes((250, 130), (250, 180))
    foot = w.on_foot((250, 130), (250, 180))
    assert foot is not None
    assert (foot.length_mm < 60.0) is open_
    assert w.reach((250, 130), 100.0).intersects(Point(250, 180)) is open_
    assert first.climbs.total_mm == (0.0 if open_ else pytest.approx(76.8))
    assert len(first.climbs.up_mm) == (0 if open_ else 1)


@pytest.mark.parametrize("nothing", [Polygon(), MultiPolygon()])
def test_an_area_of_nothing_closes_nothing(nothing):
    assert pieces_of(nothing, WALKER) == []
