"""The scenarios of the rules text, each played through the referee."""

import pytest

from engine.errors import Refused
from tests.engine.deathzap.skirmish import (
    aim_of,
    attack,
    deployed,
    last,
    recruited,
    skirmish,
)
from tests.engine.deathzap.test_fights import REST_BLUE, REST_RED, duel, mark
from tests.engine.deathzap.test_moves import duel as apart
from tests.engine.tables import box


def test_s_01_a_stunned_fighter_charges_with_its_one_action():
    """DZ-CHAIN-09, DZ-AP-02."""
    game = duel("Soldier", "Warrior", 60.0)
    attack(game, "ranged", "r1", "b1", 4, 1, 1)
    game.do("finish")
    assert (mark(game, "fighter"), mark(game, "actions_left")) == ("b1", 1)
    assert aim_of(game, "charge", "b1", "r1").allowed
    assert "Blue 1 was attacked and acts now. Stunned: one action." in " ".join(game.said())


def test_s_02_a_shot_ends_the_defence():
    """DZ-DEF-04."""
    game = duel("Soldier", "Mech", 100.0, first="blue", pick="b1")
    game.do("defend")
    game.do("finish")
    game.do("pick", figure_id="r1")
    attack(game, "ranged", "r1", "b1", 1, 1, 1)
    game.do("finish")
    assert mark(game, "fighter") == "b1"
    assert game.unit("b1").mark("defending") is None


def test_s_03_second_action_first_then_another_fighter():
    """DZ-CHAIN-12."""
    game = duel("Berserker", "Soldier", 60.0)
    game.do("charge", figure_id="r1", target_id="b1")
    game.put("r1", (300.0, 258.0))
    game.do("roll", dice=(6, 6, 6, 1))
    game.do("morale", dice=(1, 6))
    assert (game.state.phase, mark(game, "fighter")) == ("CHOOSE_ACTION", "r1")
    game.do("finish")
    assert {o.figure_id for o in game.referee.options() if o.kind == "pick"} == {"r2", "r3"}


def test_s_05_a_wasted_boost_is_warned_about():
    """DZ-BST-04."""
    game = duel("Soldier", "Gunner", 100.0)
    attack(game, "ranged", "r1", "b1", 4, 1, 1)
    game.do("finish")
    option = game.option("boost", "b1")
    assert option.input == "confirm"
    assert "wasted" in option.hint
    game.do("boost", figure_id="b1")
    assert game.state.active_side == "red"


def test_s_06_through_a_friend():
    """DZ-MOVE-03."""
    game = skirmish(
        [("Warrior", 5, (300, 200)), ("Soldier", 5, (300, 236))],
        [("Soldier", 5, (500, 500))],
        pick="r1",
    )
    game.put("r1", (300.0, 272.0))
    assert game.unit("r1").mark("open_rule") == "DZ-MOVE-03"
    length = game.unit("r1").mark("open_mm")
    assert length > 76.2
    assert any(f"round them it is {length:.0f} of 76 millimetres" in text for text in game.said())


def test_s_07_a_charge_twelve_millimetres_short():
    """DZ-CHG-03."""
    game = apart("Warrior", 60.0)
    game.do("charge", figure_id="r1", target_id="b1")
    game.put("r1", (300.0, 243.0))
    assert game.state.phase == "CHOOSE_ACTION"
    assert mark(game, "actions_left") == 1


def test_s_09_a_friend_hides_some_samples():
    """DZ-VIS-03."""
    game = duel("Soldier", "Soldier", 100.0)
    game.shift(r2=(312.0, 260.0))
    event = last(attack(game, "ranged", "r1", "b1", 4, 5, 5), "attacked")
    assert (event.number("mod"), event.number("hits")) == (-1.0, 2.0)


def test_s_10_the_third_kill_breaks_the_enemy():
    """DZ-MORALE-03: six times three against two times seven."""
    blue = [("Soldier", 2, (300, 222))] + [("Soldier", 2, (60 + 48 * i, 560)) for i in range(9)]
    game = skirmish([("Soldier", 10, (300, 200)), ("Soldier", 5, (60, 60))], blue, pick="r1")
    for name in ("b2", "b3"):
        game.lay(name)
        game.do("fallen", figure_id=name, value="removed")
    attack(game, "melee", "r1", "b1", 6, 6, 6)
    assert "3 killed, 7 left. Red rolls times 3, Blue rolls times 7." in game.said()
    game.do("morale", dice=(6, 2))
    assert game.state.outcome == "red"
    assert "18 against 14: Blue's force breaks. Red wins." in game.said()


def test_s_11_who_places_second_is_first():
    """DZ-CHAIN-01."""
    game = deployed(recruited(REST_RED, REST_BLUE), first="blue")
    assert dict(game.state.marks)["first"] == "red"
    assert game.state.active_side == "blue"


def test_s_13_a_sniper_strikes_like_anybody():
    """DZ-SNI-04."""
    game = duel("Sniper", "Warrior", first="blue", pick="b1")
    game.do("defend")
    game.do("finish")
    game.do("pick", figure_id="r1")
    event = last(attack(game, "melee", "r1", "b1", 4, 5, 1), "attacked")
    assert (event.number("need"), event.number("mod"), event.number("hits")) == (4.0, -1.0, 1.0)


def test_s_14_declining_to_act():
    """DZ-CHAIN-09."""
    game = duel("Soldier", "Soldier")
    attack(game, "melee", "r1", "b1", 1, 1, 1)
    game.do("finish")
    game.do("finish")
    assert (game.state.phase, game.state.active_side) == ("PICK", "red")
    picks = {o.figure_id for o in game.referee.options() if o.kind == "pick"}
    assert picks == {"r1", "r2", "r3"}


def test_s_15_no_shot_at_the_warrior_that_touches_the_gunner():
    """DZ-RNG-08."""
    game = duel("Gunner", "Warrior")
    with pytest.raises(Refused, match="touches Red 1: strike it or shoot at another") as refused:
        game.do("ranged", figure_id="r1", target_id="b1")
    assert refused.value.rule == "DZ-RNG-08"


def test_s_16_but_at_a_drone_that_touches_a_friend():
    """DZ-RNG-08."""
    game = duel("Gunner", "Drone", 100.0)
    game.shift(r2=(320.0, 328.0))
    assert aim_of(game, "ranged", "r1", "b1").allowed


def test_s_17_the_choices_are_shown_first():
    """DZ-GEN-09, DZ-CHAIN-07."""
    game = recruited(REST_RED, REST_BLUE)
    game.do("ready")
    assert game.state.phase == "SETUP"
    assert (
        "the last one decides who acts next. Or should any survivor act, or one kill"
        in (game.said()[-1])
    )


def test_s_18_eighty_millimetres_are_seventy_five_to_contact():
    """DZ-CHG-07."""
    game = apart("Warrior", 80.0)
    target = aim_of(game, "charge", "r1", "b1")
    assert target.allowed
    assert "75 to contact" in target.text


def test_the_shrine_is_terrain():
    """DZ-BOARD-03: it hides by its real shape."""
    altar = (box("altar", 290, 250, 310, 270, 90.0),)
    game = duel("Soldier", "Soldier", 100.0, terrain=altar)
    assert aim_of(game, "ranged", "r1", "b1").rule == "DZ-RNG-07"
