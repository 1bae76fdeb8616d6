"""Moves and charges through the referee."""

import math
from dataclasses import replace

import pytest

from engine.errors import Refused
from engine.table import FigureState, Seen, TerrainMark
from tests.engine.deathzap.skirmish import aim_of, attack, last, skirmish
from tests.engine.stillness import check_stillness
from tests.engine.tables import box, cap, drawn

FAR = [("Soldier", 5, (500, 500)), ("Beast", 5, (560, 500))]


def alone(kind, options=None, *, at=(300, 200), **kw):
    return skirmish([(kind, 5, at), ("Soldier", 5, (60, 60))], FAR, options, pick="r1", **kw)


def left(game) -> int:
    return game.state.marks and dict(game.state.marks).get("actions_left", 0)


@pytest.mark.parametrize(
    ("kind", "far", "flag"),
    [
        ("Soldier", 74.0, None),
        ("Soldier", 80.0, "TOO_FAR"),
        ("Beast", 99.0, None),
        ("Beast", 106.0, "TOO_FAR"),
        ("Drone", 99.0, None),
        ("Monster", 80.0, "TOO_FAR"),
    ],
)
def test_how_far_one_moves(kind, far, flag):
    """DZ-MOVE-01, DZ-MOVE-02, DZ-GEO-06."""
    game = alone(kind)
    game.put("r1", (300.0, 200.0 + far))
    assert game.unit("r1").mark("open_code") == flag
    assert left(game) == (1 if flag is None else 2)


def test_the_factor_stretches_moves():
    """DZ-GEN-03, DZ-GEN-04."""
    game = alone("Soldier", {"dz.scale.factor": 2.0}, size=(1219.2, 1219.2))
    game.put("r1", (300.0, 350.0))
    assert left(game) == 1


def test_too_far_is_told_put_back_or_accepted():
    """DZ-MOVE-01, DZ-GEO-19, DZ-MOVE-04: the table is commented on, the players decide."""
    game = alone("Soldier")
    game.put("r1", (300.0, 283.0))
    assert "Red 1: 83 of 76 millimetres. Back by 7." in game.said()
    with pytest.raises(Refused) as refused:
        game.do("finish")
    assert refused.value.rule == "DZ-GEO-19"
    game.put("r1", (300.0, 205.0))
    assert game.unit("r1").mark("open") is None
    assert left(game) == 2
    game.put("r1", (300.0, 283.0))
    assert game.option("accept", "r1") is not None
    game.do("accept", figure_id="r1")
    assert left(game) == 1
    assert game.unit("r1").mark("at_y") == 283.0


def test_a_near_thing_goes_to_the_mover_and_is_said():
    """DZ-GEO-13, DZ-GEO-14."""
    game = alone("Soldier")
    game.put("r1", (300.0, 277.5))
    assert left(game) == 1
    assert any("That was close; it counts." in text for text in game.said())
    strict = alone("Soldier", {"geom.close_policy": "strict"})
    strict.put("r1", (300.0, 277.5))
    assert strict.unit("r1").mark("open_code") == "TOO_FAR"
    ask = alone("Soldier", {"geom.close_policy": "ask"})
    ask.put("r1", (300.0, 277.5))
    assert ask.state.question.figure_id == "r1"
    with pytest.raises(Refused, match="first answer"):
        ask.do("defend")
    ask.do("answer", value="no")
    assert ask.unit("r1").mark("open_code") == "TOO_FAR"
    ask.do("undo")
    ask.do("answer", value="yes")
    assert left(ask) == 1
    near = alone("Soldier", {"geom.close_policy": "ask"})
    near.put("r1", (300.0, 276.0))
    near.do("answer", value="no")
    assert near.said()[-1].startswith("Red 1: more than 76 millimetres by your ruler.")


def test_the_shortest_way_round_counts():
    """DZ-GEO-07: round a wall higher than the fighter."""
    wall = (box("wall", 250, 225, 400, 235, 90.0),)
    game = alone("Soldier", terrain=wall)
    game.put("r1", (300.0, 260.0))
    assert game.unit("r1").mark("open_code") == "TOO_FAR"
    assert game.unit("r1").mark("open_mm") > 120.0


@pytest.mark.parametrize(
    ("height", "to", "flag"),
    [
        (25.0, 260.0, None),
        (25.0, 275.0, None),
        (38.0, 232.0, None),
        (38.0, 250.0, "TOO_FAR"),
        (45.0, 232.0, "NO_WAY"),
    ],
)
def test_steps_climbs_and_walls(height, to, flag):
    """DZ-MOVE-05, DZ-GEO-26: an inch is a step, more costs its height, too much is a wall."""
    hill = (box("hill", 0, 215, 609, 400, height),)
    game = alone("Soldier", terrain=hill)
    game.put("r1", (300.0, to), level=height)
    assert game.unit("r1").mark("open_code") == flag


@pytest.mark.parametrize("height", [38.0, 45.0])
def test_how_far_up_a_hill(height):
    """DZ-GEO-26: reach up a hill is shorter by its height; half a base before it nobody stands."""
    game = alone("Soldier", terrain=(box("hill", 0, 215, 609, 400, height),))
    area = sum(drawn(shape).area for shape in game.option("reach", "r1").shapes)
    half = game.figures["r1"].base.size_mm / 2.0
    up = cap(76.2 - height, 15.0) if height < 40.0 else 0.0
    before = math.pi * 76.2**2 - cap(76.2, 15.0 - half)
    assert area == pytest.approx(before + up, rel=0.01)


def test_the_step_may_be_agreed_otherwise():
    """DZ-MOVE-05."""
    hill = (box("hill", 0, 215, 609, 400, 38.0),)
    game = alone("Soldier", {"dz.terrain.step_over_in": 2.0}, terrain=hill)
    game.put("r1", (300.0, 270.0), level=38.0)
    assert game.unit("r1").mark("open_code") is None


@pytest.mark.parametrize("kind", ["stairs", "ladder"])
def test_stairs_and_ladders_lead_up(kind):
    """DZ-MOVE-05."""
    mark = TerrainMark(kind, ((285, 212), (315, 212), (315, 235), (285, 235)))
    hill = (box("hill", 0, 215, 609, 400, 96.0, marks=(mark,)),)
    game = alone("Soldier", terrain=hill)
    game.put("r1", (300.0, 265.0), level=96.0)
    assert game.unit("r1").mark("open_code") is None


def test_nobody_walks_through_a_fighter():
    """DZ-MOVE-03: friend or foe; the way round is too long."""
    for name in ("r2", "b1"):
        game = alone("Soldier")
        game.shift(**{name: (300.0, 236.0)})
        game.put("r1", (300.0, 272.0))
        assert game.unit("r1").mark("open_code") == "THROUGH_FIGHTER"
        assert game.unit("r1").mark("open_rule") == "DZ-MOVE-03"
    game = alone("Soldier")
    game.shift(r2=(300.0, 236.0))
    game.put("r1", (300.0, 240.0))
    assert game.unit("r1").mark("open_code") == "THROUGH_FIGHTER"


def test_the_killed_are_in_nobodys_way():
    """DZ-DMG-10."""
    game = alone("Soldier")
    game.shift(r2=(300.0, 236.0))
    game.lay("r2")
    game.do("fallen", figure_id="r2", value="removed")
    game.put("r1", (300.0, 272.0))
    assert game.unit("r1").mark("open") is None


def test_the_edge_of_the_board():
    """DZ-MOVE-08, DZ-GEO-20."""
    game = alone("Soldier", at=(300, 40))
    game.put("r1", (300.0, 4.0))
    assert game.unit("r1").mark("open_rule") == "DZ-MOVE-08"
    game.put("r1", (300.0, 14.0))
    assert game.unit("r1").mark("open") is None


def test_leaving_contact_is_free():
    """DZ-MOVE-06."""
    game = alone("Soldier")
    game.shift(b1=(300.0, 222.0))
    game.put("r1", (300.0, 130.0))
    assert game.unit("r1").mark("open") is None
    assert left(game) == 1


def test_a_plain_move_into_contact():
    """DZ-MOVE-07: no blow comes with it, but one may follow."""
    game = alone("Soldier")
    game.shift(b1=(300.0, 262.0))
    game.put("r1", (300.0, 240.0))
    assert game.state.phase == "CHOOSE_ACTION"
    attack(game, "melee", "r1", "b1", 4, 4, 1)
    assert game.unit("b1").wounds == 1
    warrior = alone("Warrior")
    warrior.shift(b1=(300.0, 262.0))
    warrior.do("move", figure_id="r1")
    warrior.put("r1", (300.0, 240.0))
    assert warrior.state.phase == "CHOOSE_ACTION"


def test_a_move_made_bit_by_bit_is_one_move():
    """DZ-GEO-06: as long as it is the same move, from its start to its end."""
    game = alone("Soldier")
    game.put("r1", (300.0, 230.0))
    game.put("r1", (300.0, 270.0))
    assert left(game) == 1
    game.put("r1", (300.0, 300.0))
    assert game.state.phase == "PICK"
    assert game.state.active_side == "blue"
    game.put("r1", (300.0, 320.0))  # put right while nobody else has acted
    assert game.unit("r1").mark("open") is None
    game.put("r1", (300.0, 390.0))
    assert game.unit("r1").mark("open_code") == "NO_ACTIONS"


def test_two_moves():
    """DZ-AP-05: the same action twice."""
    game = alone("Soldier")
    game.do("move", figure_id="r1")
    game.put("r1", (300.0, 230.0))
    game.do("move", figure_id="r1")
    assert game.state.phase == "MOVING"
    with pytest.raises(Refused) as refused:
        game.do("defend")
    assert refused.value.rule.startswith("DZ-")
    game.do("call_off")
    game.do("move", figure_id="r1")
    game.put("r1", (300.0, 300.0))
    assert game.state.active_side == "blue"


def duel(kind, gap, options=None, **kw):
    """A fighter and an enemy so many mm apart, edge to edge."""
    at = (300.0, 200.0 + 20.0 + gap)
    red = [(kind, 5, (300, 200)), ("Soldier", 5, (60, 60))]
    blue = [("Warrior", 5, at), ("Soldier", 5, (560, 500))]
    return skirmish(red, blue, options, pick="r1", **kw)


def test_a_charge_strikes_in_the_same_action():
    """DZ-CHG-01, DZ-CHG-02, DZ-CHG-05, DZ-GEO-24."""
    game = duel("Warrior", 60.0)
    assert aim_of(game, "charge", "r1", "b1").allowed
    game.do("charge", figure_id="r1", target_id="b1")
    assert game.state.phase == "MOVING"
    game.put("r1", (300.0, 258.0))
    assert game.state.phase == "ROLL"
    assert left(game) == 1
    game.do("roll", dice=(4, 1, 1))
    assert left(game) == 1
    attack(game, "melee", "r1", "b1", 1, 1, 1)
    assert dict(game.state.marks)["fighter"] == "b1"


def test_a_charge_that_falls_short_was_a_move():
    """DZ-CHG-03."""
    game = duel("Warrior", 60.0)
    game.do("charge", figure_id="r1", target_id="b1")
    lines = game.put("r1", (300.0, 243.0))
    assert last(lines, "moved").rule == "DZ-CHG-03"
    assert game.state.phase == "CHOOSE_ACTION"
    assert left(game) == 1
    assert any("12 millimetres short of contact" in text for text in game.said())


@pytest.mark.parametrize(
    ("kind", "gap", "reach", "offered"),
    [
        ("Warrior", 80.0, "gap_less_tolerance", True),
        ("Warrior", 82.0, "gap_less_tolerance", False),
        ("Warrior", 80.0, "gap", False),
        ("Warrior", 75.0, "gap", True),
        ("Beast", 105.0, "gap_less_tolerance", True),
        ("Beast", 108.0, "gap_less_tolerance", False),
    ],
)
def test_when_a_charge_is_offered(kind, gap, reach, offered):
    """DZ-CHG-07, DZ-CHG-02, DZ-GEO-25."""
    game = duel(kind, gap, {"dz.charge.reach": reach})
    target = aim_of(game, "charge", "r1", "b1")
    assert target.allowed is offered
    assert target.rule == "DZ-CHG-07"
    if not offered:
        with pytest.raises(Refused) as refused:
            game.do("charge", figure_id="r1", target_id="b1")
        assert refused.value.rule == "DZ-CHG-07"


def test_a_charge_just_in_reach_is_said():
    """DZ-CHG-07."""
    game = duel("Warrior", 80.0)
    assert aim_of(game, "charge", "r1", "b1").text == "80 mm away, 75 to contact: charge possible"


def test_a_blocked_charge_is_not_offered():
    """DZ-GEO-25, DZ-GEO-24: some way must lead there."""
    wall = (box("wall", 200, 235, 400, 245, 90.0),)
    game = duel("Warrior", 60.0, terrain=wall)
    target = aim_of(game, "charge", "r1", "b1")
    assert (target.allowed, target.rule) == (False, "DZ-GEO-25")
    with pytest.raises(Refused) as refused:
        game.do("charge", figure_id="r1", target_id="b1")
    assert refused.value.rule == "DZ-GEO-25"
    pole = (box("pole", 296, 235, 304, 245, 90.0),)
    game = duel("Warrior", 45.0, terrain=pole)
    assert aim_of(game, "charge", "r1", "b1").allowed


def test_who_cannot_charge():
    """DZ-CHG-01."""
    game = duel("Soldier", 40.0)
    assert game.option("charge") is None
    with pytest.raises(Refused) as refused:
        game.do("charge", figure_id="r1", target_id="b1")
    assert refused.value.rule == "DZ-CHG-01"


def test_a_charge_out_of_contact_with_another():
    """DZ-CHG-04: the one touched is struck, another one charged."""
    game = duel("Warrior", 2.0)
    game.shift(b2=(340.0, 200.0))
    assert aim_of(game, "charge", "r1", "b1").rule == "DZ-CHG-04"
    assert aim_of(game, "melee", "r1", "b1").allowed
    with pytest.raises(Refused) as refused:
        game.do("charge", figure_id="r1", target_id="b1")
    assert refused.value.rule == "DZ-CHG-04"
    game.do("charge", figure_id="r1", target_id="b2")
    game.put("r1", (318.0, 200.0))
    assert game.state.phase == "ROLL"
    assert dict(game.state.marks)["aim_target"] == "b2"


def test_contact_with_several_is_picked():
    """DZ-CHG-06."""
    game = duel("Warrior", 40.0)
    game.shift(b2=(322.0, 260.0))
    game.do("charge", figure_id="r1", target_id="b1")
    game.put("r1", (311.0, 241.0))
    assert game.state.phase == "TARGET"
    option = game.option("strike", "r1")
    assert {t.figure_id for t in option.targets} == {"b1", "b2"}
    assert game.option("no_strike") is None
    with pytest.raises(Refused) as refused:
        game.do("no_strike")
    assert refused.value.rule == "DZ-CHG-06"
    with pytest.raises(Refused) as refused:
        game.do("strike", target_id="r2")
    assert refused.value.rule == "DZ-CHG-06"
    game.do("strike", target_id="b2")
    assert game.state.phase == "ROLL"


def test_an_unannounced_move_into_contact_is_asked_about():
    """DZ-CHG-01, DZ-MOVE-07."""
    game = duel("Berserker", 40.0)
    game.put("r1", (300.0, 238.0))
    assert game.state.phase == "TARGET"
    assert "In contact with Blue 1: was that a charge?" in game.said()
    game.do("no_strike")
    assert game.state.phase == "CHOOSE_ACTION"
    game.do("undo")
    game.do("strike", target_id="b1")
    assert dict(game.state.marks)["aim_dice"] == 4


def test_picking_by_moving():
    """DZ-CHAIN-05: who moves a fighter that may be picked has picked it."""
    red = [("Soldier", 5, (300, 200)), ("Soldier", 5, (60, 60))]
    game = skirmish(red, FAR)
    game.put("r1", (300.0, 260.0))
    assert dict(game.state.marks)["fighter"] == "r1"
    assert left(game) == 1


@pytest.mark.parametrize(
    ("name", "rule", "code"),
    [("b1", "DZ-CHAIN-05", "WRONG_PLAYER"), ("r2", "DZ-CHAIN-02", "WRONG_FIGHTER")],
)
def test_who_has_no_right_to_move(name, rule, code):
    """DZ-GEO-19, DZ-CHAIN-02, DZ-CHAIN-05: told, put back or accepted; nudges are ignored."""
    game = alone("Soldier")
    x, y = game.figures[name].position_mm
    game.put(name, (x + 5.0, y))
    assert game.unit(name).mark("open") is None
    game.put(name, (x - 30.0, y))
    assert game.unit(name).mark("open_code") == code
    assert game.unit(name).mark("open_rule") == rule
    game.put(name, (x + 9.0, y))
    assert game.unit(name).mark("open") is None
    game.put(name, (x - 30.0, y))
    game.do("accept", figure_id=name)
    assert game.unit(name).mark("at_x") == x - 30.0


def test_the_same_fighter_after_a_kill_moves_in_vain():
    """DZ-CHAIN-03."""
    game = duel("Warrior", 2.0)
    attack(game, "melee", "r1", "b1", 6, 6, 6)
    game.do("morale", dice=(1, 6))
    game.do("finish")
    assert (game.state.phase, game.state.active_side) == ("PICK", "red")
    game.put("r1", (300.0, 150.0))
    assert game.unit("r1").mark("open_code") == "SAME_FIGHTER"


def test_a_second_action_of_a_stunned_fighter():
    """DZ-AP-02: told as such when it is moved once more."""
    game = duel("Soldier", 2.0)
    attack(game, "melee", "r1", "b1", 4, 1, 1)
    game.do("finish")
    game.put("b1", (340.0, 260.0))
    if game.state.phase == "TARGET":
        game.do("no_strike")
    assert (game.state.phase, game.state.active_side) == ("PICK", "red")
    game.put("b1", (340.0, 400.0))
    assert game.unit("b1").mark("open_code") == "STUNNED_SECOND"
    assert game.unit("b1").mark("open_rule") == "DZ-AP-02"


def test_only_settled_looks_count():
    """DZ-GEO-01, DZ-GEO-02, DZ-GEO-15: in mm from the corner of the south and the west edge."""
    game = alone("Soldier")
    game.figures["r1"] = replace(game.figures["r1"], position_mm=(300.0, 290.0))
    game.look(settled=False)
    assert game.unit("r1").mark("open") is None
    game.look()
    assert game.unit("r1").mark("open_code") == "TOO_FAR"
    game.put("r1", (310.0, 260.0))
    assert [game.unit("r1").mark(f"at_{axis}") for axis in "xyz"] == [310.0, 260.0, 0.0]


def test_trembling_is_no_move():
    """DZ-GEO-19."""
    check_stillness(alone("Soldier"), "b1")


def test_a_fall_is_only_a_candidate():
    """DZ-GEO-17, DZ-GEN-08."""
    game = alone("Soldier")
    game.lay("b1")
    assert "Blue 1 is lying. Killed or knocked over?" in game.said()
    assert game.unit("b1").alive
    x, y = game.figures["b1"].position_mm
    game.figures["b1"] = replace(
        game.figures["b1"], state=FigureState.STANDING, position_mm=(x + 8.0, y)
    )
    game.look()
    assert game.unit("b1").mark("down") is None
    assert game.unit("b1").mark("open") is None
    game.lay("b1")
    game.do("fallen", figure_id="b1", value="removed")
    assert not game.unit("b1").alive
    with pytest.raises(Refused) as refused:
        game.do("fallen", figure_id="b2", value="removed")
    assert refused.value.rule == "DZ-GEO-17"


def test_a_missing_fighter_is_asked_about_after_a_while():
    """DZ-GEO-18: its state is kept."""
    game = alone("Soldier")
    game.figures["b1"] = replace(game.figures["b1"], state=FigureState.HIDDEN, seen=Seen.HIDDEN)
    game.look()
    assert not any("I do not see Blue 1" in text for text in game.said())
    game.t_ns += 4_000_000_000
    game.put("r2", (70.0, 60.0))
    assert not any("I do not see Blue 1" in text for text in game.said())
    game.t_ns += 1_000_000_000
    game.put("r2", (60.0, 60.0))
    assert any("I do not see Blue 1" in text for text in game.said())
    assert game.option("fallen", "b1") is not None
    game.figures["b1"] = replace(game.figures["b1"], state=FigureState.STANDING, seen=Seen.SEEN)
    game.look()
    assert game.unit("b1").mark("missing") is None
    assert game.unit("b1").mark("might") == 5
