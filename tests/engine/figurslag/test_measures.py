from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from shapely import Point

from engine.errors import Refused
from engine.geometry import Interval, Verdict
from engine.rulesets import by_id
from engine.rulesets.figurslag import measures
from engine.rulesets.figurslag.data import data
from engine.rulesets.figurslag.measures import MoveFacts
from engine.rulesets.figurslag.settings import settings
from engine.table import Base, BaseShape, Figure, FigureState, Seen, Terrain

DEFAULT = settings()
INFO = by_id("figurslag").info
TABLE = (600.0, 400.0)


def rect(x, y, w, h):
    return ((x, y), (x + w, y), (x + w, y + h), (x, y + h))


def figure(name, x, y, side="red", **other):
    values = {
        "figure_id": name,
        "label": "minifig",
        "side": side,
        "profile": "lego_model",
        "position_mm": (x, y),
        "facing_deg": None,
        "base": Base(BaseShape.SQUARE, 16.0, 0.0, 3.2),
        "height_mm": 40.0,
        "level_mm": 0.0,
        "state": FigureState.STANDING,
        "seen": Seen.SEEN,
        "sigma_mm": 0.5,
    }
    return Figure(**{**values, **other})


WALL = Terrain("w", "wall", rect(100, 50, 16, 100), 19.2)
HOUSE = Terrain("h", "building", rect(200, 50, 80, 80), 39.2, standable=True)


def way(walker, others=(), terrain=(), opts=DEFAULT):
    return measures.walk(walker, [walker, *others], tuple(terrain), TABLE, opts)


ORDER = ["still", "normal", "climb", "far", "climb_noshoot", "illegal"]


def mode(start, goal, others=(), terrain=(), opts=DEFAULT, **seen):
    """The best reading of a displacement, None when there is no way."""
    routes = way(figure("a", *start), others, terrain, opts).routes(start, goal)
    modes = [measures.classify(measures.facts(route, **seen), opts).mode for route in routes]
    return min(modes, key=ORDER.index, default=None)


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ((305, 200), "still"),
        ((306, 200), "normal"),
        ((400, 200), "normal"),
        ((401, 200), "far"),
        ((450, 200), "far"),
        ((451, 200), "illegal"),
    ],
)
def test_moves_on_an_open_table(goal, expected):
    assert mode((300, 200), goal) == expected


def test_out_and_back_is_no_standing_still():
    # FS-MOVE-08
    assert mode((300, 200), (300, 200)) == "still"
    assert mode((300, 200), (300, 200), strayed_mm=40.0) == "normal"


def test_turning_on_the_spot():
    assert mode((300, 200), (300, 200), turned=True) == "still"
    strict = settings({"turning_is_still": False})
    assert mode((300, 200), (300, 200), opts=strict, turned=True) == "normal"


def test_over_a_wall_the_best_way_for_the_player_counts():
    # FS-MOVE-05
    # Over it: 40 mm and 38.4 mm of climbing; round it: too far to shoot.
    assert mode((90, 100), (130, 100), terrain=[WALL]) == "climb"
    # Round its end a normal move is enough, though over it would be shorter.
    assert mode((90, 70), (126, 70), terrain=[WALL]) == "normal"


def test_up_and_down_are_added_or_not():
    # FS-CLIMB-07
    high = Terrain("w", "wall", rect(100, 0, 16, 400), 28.8)
    assert mode((90, 100), (130, 100), terrain=[high]) == "climb_noshoot"
    apart = settings({"climb_sum": "each_separately"})
    assert mode((90, 100), (130, 100), terrain=[high], opts=apart) == "climb"


def test_heights_are_settled_in_plates():
    # FS-GEN-05
    # 39.2 is 12 plates (38.4), one figure height; unrounded it is too, but 41.5 differs.
    assert mode((190, 90), (225, 90), terrain=[HOUSE]) == "climb"
    tall = Terrain("h", "building", rect(200, 50, 80, 80), 40.1, standable=True)
    assert mode((190, 90), (225, 90), terrain=[tall]) == "climb_noshoot"
    low = Terrain("h", "building", rect(200, 50, 80, 80), 39.9, standable=True, lego=True)
    assert measures.settled_mm(low, DEFAULT) == pytest.approx(38.4)
    other = Terrain("h", "building", rect(200, 50, 80, 80), 39.6, standable=True, lego=False)
    assert measures.settled_mm(other, DEFAULT) == 40.0
    assert measures.settled_mm(other, settings({"height_snap": "none"})) == 39.6


def test_straight_only():
    strict = settings({"move_path": "straight"})
    other = figure("b", 340, 200)
    assert mode((300, 200), (380, 200), [other]) == "normal"
    assert mode((300, 200), (380, 200), [other], opts=strict) is None
    assert mode((300, 200), (380, 200), opts=strict) == "normal"


def test_who_may_be_walked_through():
    # FS-MOVE-06
    friend, enemy = figure("b", 340, 200), figure("c", 340, 200, "blue")
    strict = {"move_path": "straight"}
    for passing, through in (("none", (0, 0)), ("friends", (1, 0)), ("all", (1, 1))):
        opts = settings({**strict, "pass_models": passing})
        for other, free in zip((friend, enemy), through, strict=True):
            found = mode((300, 200), (380, 200), [other], opts=opts)
            assert (found is not None) == bool(free)
            assert not way(figure("a", 300, 200), [other], opts=opts).may_end((345, 200))


def test_lying_models_are_no_obstacle():
    other = figure("b", 340, 200, state=FigureState.LYING)
    assert mode((300, 200), (380, 200), [other], opts=settings({"move_path": "straight"})) == (
        "normal"
    )


def test_reach_has_an_area_for_each_mode():
    areas = measures.reach(way(figure("a", 180, 90), (), [HOUSE]), (180, 90), DEFAULT)
    assert list(areas) == ["normal", "far", "climb", "climb_noshoot"]
    assert areas["climb"].intersects(Point(220, 90))
    assert not areas["normal"].intersects(Point(220, 90))
    assert areas["climb_noshoot"].intersects(Point(270, 90))
    assert not areas["climb"].intersects(Point(270, 90))
    assert areas["normal"].difference(areas["far"].buffer(0.1)).area < 1.0
    small = measures.reach(
        way(figure("a", 180, 90)), (180, 90), settings({"segment_cm": 4.0}), ["normal"]
    )
    assert list(small) == ["normal"]
    assert small["normal"].bounds[2] == pytest.approx(260.0, abs=0.2)


def test_the_table_ends_or_does_not():
    at = (20.0, 200.0)
    closed = measures.reach(way(figure("a", *at)), at, DEFAULT, ["normal"])["normal"]
    assert closed.bounds[0] == pytest.approx(8.0)
    opts = settings({"leave_table": "removed"})
    open_ = measures.reach(way(figure("a", *at), opts=opts), at, opts, ["normal"])["normal"]
    assert open_.bounds[0] == pytest.approx(-80.0, abs=0.2)


def test_stairs_options_on_a_table():
    stairs = Terrain("s", "stairs", rect(160, 70, 40, 32), 38.4)
    up, down = ((150, 86), (225, 90)), ((225, 90), (150, 86))
    pieces = [HOUSE, stairs]
    assert mode(*up, terrain=pieces) == mode(*down, terrain=pieces) == "normal"
    one_way = settings({"stairs_both_ways": False})
    assert mode(*up, terrain=pieces, opts=one_way) == "climb_noshoot"
    assert mode(*down, terrain=pieces, opts=one_way) == "normal"


def test_round_stairs_that_are_a_climb():
    stairs = Terrain("s", "stairs", rect(320, 190, 30, 60), 48.0)
    over = ((300, 200), (370, 200))
    assert mode(*over, terrain=[stairs]) == "normal"
    one_way = settings({"stairs_both_ways": False})
    assert mode(*over, terrain=[stairs], opts=one_way) == "normal"
    wide = Terrain("s", "stairs", rect(320, 0, 30, 400), 48.0)
    assert mode(*over, terrain=[wide], opts=one_way) == "climb_noshoot"


def areas_from(start, terrain, **chosen):
    opts = settings(chosen)
    return measures.reach(way(figure("a", *start), (), terrain, opts), start, opts)


def test_reach_by_stairs_follows_the_options():
    stairs = Terrain("s", "stairs", rect(160, 70, 40, 32), 38.4)
    below, roof, near = (150.0, 86.0), Point(230, 86), Point(180, 86)
    free = areas_from(below, [HOUSE, stairs])
    assert free["normal"].intersects(roof)
    assert not free["climb"].intersects(roof)
    down_only = areas_from(below, [HOUSE, stairs], stairs_both_ways=False)
    assert not down_only["normal"].intersects(roof)
    assert down_only["normal"].intersects(Point(100, 86))
    assert down_only["climb"].intersects(near)
    assert not down_only["climb"].intersects(roof)
    assert down_only["climb_noshoot"].intersects(roof)
    # Five bricks: more than one figure height, so only without shooting.
    high = Terrain("s", "stairs", rect(160, 70, 40, 32), 48.0)
    house = Terrain("h", "building", rect(200, 50, 80, 80), 48.0, standable=True)
    limited = areas_from(below, [house, high], stairs_fh_limit=True)
    assert not limited["normal"].intersects(roof)
    assert limited["far"].intersects(roof)


def test_reach_by_jumping_down():
    roof, below = (210.0, 90.0), Point(185, 90)
    assert not areas_from(roof, [HOUSE])["normal"].intersects(below)
    free = areas_from(roof, [HOUSE], jump_down="free")
    assert free["normal"].intersects(below)
    assert free["normal"].intersects(Point(130, 90))
    up = areas_from((185.0, 90.0), [HOUSE], jump_down="free")
    assert not up["normal"].intersects(Point(215, 90))


climb_facts = st.builds(
    MoveFacts,
    moved_mm=st.floats(0, 200),
    up_mm=st.lists(st.floats(0, 100), max_size=2),
    down_mm=st.lists(st.floats(0, 100), max_size=2),
    stairs_up_mm=st.floats(0, 100),
    stairs_down_mm=st.floats(0, 100),
)
choices = st.fixed_dictionaries(
    {},
    optional={
        "stick_length": st.sampled_from(["segment", "whole_stick", "once_per_turn"]),
        "climb_count_by": st.sampled_from(["allowed_distance", "moved_distance"]),
        "climb_sum": st.sampled_from(["up_plus_down", "each_separately"]),
        "climb_distance": st.sampled_from(["horizontal", "slant_3d"]),
        "stairs_both_ways": st.booleans(),
        "stairs_fh_limit": st.booleans(),
        "jump_down": st.sampled_from(["forbidden", "free"]),
        "segment_cm": st.sampled_from([4.0, 5.0]),
    },
)


@hypothesis_settings(max_examples=60, deadline=None)
@given(climb_facts, choices)
def test_a_verdict_is_a_mode_or_a_flag(facts, chosen):
    opts = settings(chosen)
    found = measures.classify(facts, opts)
    assert (found.mode == measures.ILLEGAL) == (found.flag is not None)
    assert not (found.may_shoot and found.distance_mm > 2 * opts.segment_mm + 1e-6)
    assert (found.mode in ("climb", "climb_noshoot")) <= (found.climbed_mm > 0)


@hypothesis_settings(max_examples=200, deadline=None)
@given(climb_facts, choices)
def test_a_mode_is_open_just_within_its_span(facts, chosen):
    """FS-CLIMB-05, FS-CLIMB-06: what a move counts as agrees with how far it may be drawn."""
    opts = settings(chosen)
    found = measures.classify(facts, opts)
    for name in ("normal", "far", "climb", "climb_noshoot"):
        wanted = data().moves[name]
        open_to = measures.span(facts, wanted, opts)
        inside = open_to is not None and open_to[0] - 1e-6 <= facts.moved_mm <= open_to[1] + 1e-6
        edge = open_to is not None and min(abs(facts.moved_mm - at) for at in open_to) < 1e-3
        serves = found.flag is None and found.may_shoot >= wanted.may_shoot
        assert edge or found.mode == "still" or inside == serves, name
    if found.mode.startswith("climb"):
        assert measures.span(facts, data().moves[found.mode], opts, walking=True) is None


@hypothesis_settings(max_examples=60, deadline=None)
@given(climb_facts, st.floats(0, 60))
def test_a_longer_move_is_never_better(facts, more):
    near = measures.classify(facts, DEFAULT)
    longer = MoveFacts(
        facts.moved_mm + more, facts.up_mm, facts.down_mm, facts.stairs_up_mm, facts.stairs_down_mm
    )
    assert ORDER.index(measures.classify(longer, DEFAULT).mode) >= ORDER.index(near.mode)


def test_gap_of_figures_counts_their_error():
    # FS-GEN-06
    length = measures.gap(figure("a", 0, 0, sigma_mm=2.0), figure("b", 216, 0), DEFAULT)
    assert (length.lo, length.hi) == (200.0, 200.0)
    assert length.sigma_mm == pytest.approx((4.0 + 0.25) ** 0.5)
    assert measures.within(length, 200.0, DEFAULT) is Verdict.BORDERLINE
    assert measures.within(length, 205.0, DEFAULT) is Verdict.YES
    sharp = settings({"measure_tol_mm": 0})
    assert measures.within(Interval(200.0, 200.0), 200.0, sharp) is Verdict.YES
    assert measures.within(length, 201.0, sharp) is Verdict.BORDERLINE


def model(name, profile, x, y, tall):
    """A model on the base that the game gives its size class, turned along the table."""
    base = replace(INFO.base[profile], rotation_deg=0.0)
    return figure(name, x, y, profile=profile, base=base, height_mm=tall, sigma_mm=0.0)


@pytest.mark.parametrize(
    ("profile", "apart", "widest"),
    [("lego_model", 100.0 + 16.0, 24.0), ("playmobil_model", 100.0 + 2 * 14.0, 45.0)],
)
def test_the_base_of_a_size_class_ends_the_shot(profile, apart, widest):
    """FS-SET-04, FS-SHOOT-03: 10 cm from base to base, and where agreed from body to body."""
    a, b = model("a", profile, 0, 0, 40.0), model("b", profile, apart, 0, 40.0)
    assert measures.gap(a, b, DEFAULT).hi == pytest.approx(100.0)
    assert measures.in_range("small", measures.gap(a, b, DEFAULT).hi, DEFAULT)
    whole = settings({"distance_mode": "any_part_of_model"})
    assert measures.gap(a, b, whole).lo == pytest.approx(apart - widest)


@pytest.mark.parametrize(
    ("profile", "base", "eye", "tall", "top"),
    [("lego_model", 3.2, 34.0, 40.0, 28.8), ("playmobil_model", 0.0, 62.0, 75.0, 51.2)],
)
def test_how_much_a_size_class_sees_over_a_wall(profile, base, eye, tall, top):
    """FS-LOS-02, 5.6: the wall ends 200 mm away, the target stands 400 mm away.

    The lowest line of sight falls from the eye over the wall's far edge, twice as far down at the
    target; what is above it of the body is seen.
    """
    shooter, target = model("a", profile, 0, 100, tall), model("b", profile, 400, 100, tall)
    wall = Terrain("w", "wall", rect(190, -2000, 10, 4200), top)
    lowest = (base + eye) + (top - (base + eye)) * 400 / 200
    seen = (base + tall - lowest) / tall
    assert 0.4 < seen < 0.95
    assert share(shooter, target, terrain=[wall]) == pytest.approx(seen, abs=1e-3)
    assert measures.los(share(shooter, target, terrain=[wall]), DEFAULT) is (seen > 0.5)


def share(shooter, target, others=(), terrain=(), **chosen):
    figures = [shooter, target, *others]
    return measures.visible_share(shooter, target, figures, terrain, settings(chosen))


def test_a_model_in_the_way_hides_by_choice():
    shooter, target = figure("a", 100, 100), figure("b", 300, 100, "blue")
    standing = figure("c", 200, 100)
    lying = figure("c", 265, 100, state=FigureState.LYING)
    assert share(shooter, target) == 1.0
    assert share(shooter, target, [standing]) < 0.2
    assert share(shooter, target, [standing], models_block="none") == 1.0
    assert share(shooter, target, [lying]) == 1.0
    assert 0.3 < share(shooter, target, [lying], models_block="all") < 1.0
    turned = figure("c", 265, 100, state=FigureState.LYING, facing_deg=90.0)
    assert share(shooter, target, [turned], models_block="all") < 1.0


def test_walls_hide_by_their_settled_height():
    shooter, target = figure("a", 100, 100), figure("b", 300, 100, "blue")
    for height, seen in ((19.2, True), (28.8, False)):
        wall = Terrain("w", "wall", rect(280, 0, 10, 200), height)
        assert measures.los(share(shooter, target, terrain=[wall]), DEFAULT) is seen


def test_the_base_counts_where_agreed():
    shooter, target = figure("a", 100, 100), figure("b", 300, 100, "blue")
    kerb = [Terrain("k", "wall", rect(285, 0, 5, 200), 3.2)]
    assert share(shooter, target, terrain=kerb) == pytest.approx(1.0, abs=1e-3)
    assert share(shooter, target, terrain=kerb, los_silhouette="with_base") < 0.98


def test_facing_counts_where_agreed():
    shooter, target = figure("a", 100, 100, facing_deg=180.0), figure("b", 300, 100, "blue")
    assert share(shooter, target) == 1.0
    assert share(shooter, target, use_facing=True) == 0.0
    assert share(figure("a", 100, 100, facing_deg=80.0), target, use_facing=True) == 1.0


def test_close_to_half():
    assert measures.los_close(0.55, DEFAULT)
    assert not measures.los_close(0.56, DEFAULT)
    assert not measures.los_close(0.51, settings({"los_tol": 0.0}))


def test_the_extra_shot():
    # FS-CLIMB-10
    assert measures.bonus_weapons(["small", "large"], DEFAULT) == ("small", "large")
    longest = settings({"bonus_shot_weapon": "longest_range"})
    assert measures.bonus_weapons(["small", "large"], longest) == ("large",)
    assert measures.bonus_weapons([], longest) == ()
    assert [measures.shots(["large"], how) for how in ("still", "normal", "climb")] == [2, 1, 1]


def test_dice_are_checked():
    # FS-GEN-03
    for wrong in (0, 7):
        with pytest.raises(Refused, match="1 to 6"):
            measures.hits(wrong)
    with pytest.raises(Refused, match="missing"):
        measures.resolve([6], [], DEFAULT)
    with pytest.raises(Refused, match="always rolled"):
        measures.resolve([6], [None], DEFAULT)


@hypothesis_settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, 6), max_size=5), st.lists(st.integers(1, 6), min_size=5, max_size=7))
def test_a_volley_spends_what_it_needs(hit_dice, dodge_dice):
    found = measures.resolve(hit_dice, dodge_dice, DEFAULT)
    fired = hit_dice[: found.shots_used]
    assert found.dodges_used == sum(die >= 4 for die in fired)
    struck = [die for die in dodge_dice[: found.dodges_used] if die <= 3]
    assert found.dead == bool(struck)
    assert found.dead or found.shots_used == len(hit_dice)


def test_most_survivors_win_at_the_turn_limit():
    assert measures.most_survivors({"A": 2, "B": 3}) == "B"
    assert measures.most_survivors({"A": 3, "B": 3}) == "draw"
    assert measures.most_survivors({"A": 2, "B": 3}, ["B"]) == "A"
    with pytest.raises(Refused):
        measures.winner({"A": 1}, ["Z"])


def step(state, team, teams, out=(), **chosen):
    return measures.phase_next(state, team, teams, settings(chosen), out)


def test_teams_that_are_out_are_passed_over():
    assert step("SHOOT", "A", "ABC", "B") == ("MOVE", "C")
    assert step("MOVE", "A", "ABC", "A") == ("MOVE", "B")
    phases = {"turn_order": "phase_by_phase"}
    assert step("MOVE", "B", "ABC", "C", **phases) == ("SHOOT", "A")
    assert step("MOVE", "C", "ABC", "A", **phases) == ("SHOOT", "B")
    assert step("SHOOT", "C", "ABC", "A", **phases) == ("MOVE", "B")
    alternate = {**phases, "phase_first": "alternate"}
    assert step("SHOOT", "C", "ABC", "A", **alternate) == ("MOVE", "B")
    assert step("SHOOT", "C", "ABC", "B", **alternate) == ("MOVE", "C")
    with pytest.raises(Refused):
        step("SHOOT", "A", "AB", "AB")
    with pytest.raises(Refused):
        step("HIT", "A", "AB")


@hypothesis_settings(max_examples=50, deadline=None)
@given(
    st.integers(1, 5),
    st.sampled_from(["player_by_player", "phase_by_phase", "phase_simultaneous"]),
    st.sampled_from(["same_every_turn", "alternate"]),
)
def test_everybody_moves_and_shoots_once_a_round(count, order, first):
    teams = "ABCDE"[:count]
    at = ("MOVE", "A")
    seen = []
    for _ in range(2 * count):
        seen.append(at)
        at = step(*at, teams, turn_order=order, phase_first=first)
    assert sorted(seen) == sorted((state, team) for state in ("MOVE", "SHOOT") for team in teams)
    assert at[0] == "MOVE"


def test_deaths_wait_only_when_all_shoot_at_once():
    # FS-TURN-04
    assert measures.deaths_wait(settings({"turn_order": "phase_simultaneous"}))
    assert not measures.deaths_wait(DEFAULT)
