import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.geometry import ground
from engine.table import TerrainMark
from tests.engine.geometry.helpers import piece, rect

STEP = 12.0


def test_levels_of_stacked_pieces():
    g = ground(
        [
            piece("low", rect(0, 0, 100, 100), 9.6),
            piece("high", rect(40, 40, 20, 20), 48.0, standable=True),
        ]
    )
    assert g.level_at((10, 10)) == 9.6
    assert g.level_at((50, 50)) == 48.0
    assert g.level_at((200, 50)) == 0.0
    assert g.standable_at((10, 10), STEP)
    assert g.standable_at((50, 50), STEP)
    assert not ground([piece("w", rect(0, 0, 9, 9), 28.8)]).standable_at((5, 5), STEP)


def test_a_wall_is_climbed_up_and_down():
    g = ground([piece("w", rect(50, 0, 16, 100), 19.2)])
    climbs = g.climbs([(20, 50), (100, 50)], STEP)
    assert climbs.up_mm == (19.2,)
    assert climbs.down_mm == (19.2,)
    assert climbs.total_mm == pytest.approx(38.4)


def test_three_plates_are_a_step_and_four_a_climb():
    for height, climbed in ((9.6, ()), (12.0, ()), (12.8, (12.8,))):
        g = ground([piece("p", rect(50, 0, 50, 100), height)])
        assert g.climbs([(20, 50), (70, 50)], STEP).up_mm == climbed


def test_a_flight_of_steps_is_no_climb_but_narrow_treads_are():
    for tread, climbed in ((10.0, 0.0), (4.0, 28.8)):
        g = ground(
            [piece(f"s{i}", rect(50 + i * tread, 0, 200, 50), 9.6 * i + 9.6) for i in range(3)]
        )
        assert sum(g.climbs([(20, 25), (120, 25)], STEP).up_mm) == pytest.approx(climbed)


def test_stairs_lead_up_without_climbing():
    house = piece("h", rect(100, 0, 80, 80), 38.4, standable=True)
    stairs = piece("s", rect(60, 20, 40, 32), 38.4, kind="stairs")
    climbs = ground([house, stairs]).climbs([(30, 36), (140, 36)], STEP)
    assert climbs.up_mm == ()
    assert climbs.stairs_up_mm == pytest.approx(38.4)
    back = ground([house, stairs]).climbs([(140, 36), (30, 36)], STEP)
    assert back.stairs_down_mm == pytest.approx(38.4)
    assert back.down_mm == ()
    beside = ground([house, stairs]).climbs([(140, 70), (140, 120)], STEP)
    assert beside.down_mm == (38.4,)


def test_stairs_marked_on_a_building():
    mark = TerrainMark("stairs", rect(100, 20, 30, 32))
    house = piece("h", rect(100, 0, 80, 80), 38.4, standable=True, marks=(mark,))
    climbs = ground([house]).climbs([(70, 36), (150, 36)], STEP)
    assert (climbs.up_mm, climbs.stairs_up_mm) == ((), pytest.approx(38.4))
    assert ground([house]).climbs([(70, 70), (150, 70)], STEP).up_mm == (38.4,)


def test_a_gap_between_two_pieces_is_not_fallen_into():
    pieces = [
        piece("a", rect(0, 0, 50, 50), 28.8, standable=True),
        piece("b", rect(53, 0, 50, 50), 28.8, standable=True),
    ]
    assert ground(pieces).climbs([(20, 25), (80, 25)], STEP).total_mm == 0.0
    pieces[1] = piece("b", rect(60, 0, 50, 50), 28.8, standable=True)
    assert ground(pieces).climbs([(20, 25), (80, 25)], STEP).total_mm == pytest.approx(57.6)


def test_a_door_is_an_opening():
    door = TerrainMark("door", rect(100, 40, 10, 30))
    wall = piece("w", rect(100, 0, 10, 200), 48.0, marks=(door,))
    assert ground([wall]).climbs([(70, 55), (140, 55)], STEP).total_mm == 0.0
    assert ground([wall]).climbs([(70, 20), (140, 20)], STEP).total_mm == pytest.approx(96.0)


def test_a_crossed_outline_is_put_right():
    g = ground([piece("x", ((0, 0), (40, 40), (40, 0), (0, 40)), 20.0)])
    assert g.level_at((5, 20)) == 20.0
    assert g.level_at((20, 5)) == 0.0


heights = st.lists(st.sampled_from([3.2, 9.6, 12.8, 28.8, 48.0]), min_size=1, max_size=4)


@settings(max_examples=40, deadline=None)
@given(heights, st.floats(0, 100), st.floats(0, 100))
def test_ups_and_downs_come_to_the_difference_of_the_ends(levels, y0, y1):
    g = ground([piece(f"p{i}", rect(20 + 30 * i, -20, 55, 140), h) for i, h in enumerate(levels)])
    a, b = (0.0, y0), (95.0, y1)
    rise = sum(change.dz_mm for change in g.changes([a, b]))
    assert rise == pytest.approx(g.level_at(b) - g.level_at(a), abs=1e-6)
    there, back = g.climbs([a, b], STEP), g.climbs([b, a], STEP)
    assert there.up_mm == tuple(reversed(back.down_mm))


def test_heights_come_as_settled():
    g = ground([piece("p", rect(0, 0, 50, 50), 39.2)], lambda t: 38.4)
    assert g.level_at((25, 25)) == 38.4
