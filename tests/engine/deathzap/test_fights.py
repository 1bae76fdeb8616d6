"""Attacks, damage, defence, boosts, the chain and morale through the referee."""

from dataclasses import replace

import pytest

from engine.errors import Refused
from engine.rulesets.deathzap.measures.chains import next_activation
from tests.engine.deathzap.skirmish import aim_of, attack, last, skirmish
from tests.engine.tables import box

REST_RED = [("Soldier", 2, (60, 60)), ("Soldier", 2, (100, 60))]
REST_BLUE = [("Soldier", 2, (500, 560)), ("Soldier", 2, (540, 560))]


def duel(red, blue, gap=2.0, options=None, *, might=(5, 5), pick="r1", **kw):
    """Two fighters so many mm apart, each with two friends far away."""
    return skirmish(
        [(red, might[0], (300, 200)), *REST_RED],
        [(blue, might[1], (300, 220.0 + gap)), *REST_BLUE],
        options,
        pick=pick,
        **kw,
    )


def mark(game, name):
    return dict(game.state.marks).get(name)


def test_a_blow_needs_contact():
    """DZ-MEL-01: every class strikes an enemy in contact."""
    game = duel("Sniper", "Soldier", 5.0)
    assert aim_of(game, "melee", "r1", "b1").allowed
    game = duel("Sniper", "Soldier", 6.0)
    assert aim_of(game, "melee", "r1", "b1").rule == "DZ-MEL-01"
    with pytest.raises(Refused) as refused:
        game.do("melee", figure_id="r1", target_id="b1")
    assert refused.value.rule == "DZ-MEL-01"
    with pytest.raises(Refused) as refused:
        game.do("melee", figure_id="r1", target_id="r2")
    assert refused.value.rule == "DZ-MEL-01"


def test_dice_are_counted():
    """DZ-MEL-02, DZ-MEL-04, DZ-GEN-02, DZ-RNG-02."""
    game = duel("Soldier", "Soldier")
    game.do("melee", figure_id="r1", target_id="b1")
    assert game.option("roll").dice == (3, 6)
    for dice in ((1, 2), (1, 2, 3, 4)):
        with pytest.raises(Refused) as refused:
            game.do("roll", dice=dice)
        assert refused.value.rule == "DZ-MEL-02"
    with pytest.raises(Refused) as refused:
        game.do("roll", dice=(1, 2, 7))
    assert refused.value.rule == "DZ-GEN-02"
    event = last(game.do("roll", dice=(4, 3, 6)), "attacked")
    assert event.number("hits") == 2
    game = duel("Soldier", "Soldier", 100.0)
    game.do("ranged", figure_id="r1", target_id="b1")
    with pytest.raises(Refused) as refused:
        game.do("roll", dice=(1, 2))
    assert refused.value.rule == "DZ-RNG-02"


def test_who_shoots():
    """DZ-RNG-01, DZ-RNG-05, DZ-RNG-03."""
    game = duel("Beast", "Soldier", 100.0)
    assert game.option("ranged") is None
    with pytest.raises(Refused) as refused:
        game.do("ranged", figure_id="r1", target_id="b1")
    assert refused.value.rule == "DZ-RNG-01"
    game = duel("Gunner", "Soldier", 300.0, might=(4, 2))
    assert aim_of(game, "ranged", "r1", "b1").text == "300 mm, 4 dice, twos and up hit"


@pytest.mark.parametrize(("gap", "dice"), [(150.0, 4), (156.0, 3)])
def test_a_gunslinger_close_and_far(gap, dice):
    """DZ-RNG-04: measured from edge to edge."""
    game = duel("Gunslinger", "Soldier", gap)
    game.do("ranged", figure_id="r1", target_id="b1")
    assert game.option("roll").dice[0] == dice


def test_range_and_contact():
    """DZ-RNG-06, DZ-RNG-08: as far as one sees, but not at whom the shooter touches."""
    game = duel("Soldier", "Soldier", 2.0)
    target = aim_of(game, "ranged", "r1", "b1")
    assert (target.allowed, target.rule) == (False, "DZ-RNG-08")
    with pytest.raises(Refused) as refused:
        game.do("ranged", figure_id="r1", target_id="b1")
    assert refused.value.rule == "DZ-RNG-08"
    assert aim_of(game, "ranged", "r1", "b2").allowed  # 400 mm away, out of contact
    game.shift(b2=(400.0, 200.0), r2=(420.0, 212.0))
    assert aim_of(game, "ranged", "r1", "b2").allowed  # in contact with somebody else


def test_what_cannot_be_seen_is_no_target():
    """DZ-RNG-07, DZ-VIS-03: the Shrine and terrain hide."""
    wall = (box("wall", 200, 240, 400, 250, 90.0),)
    game = duel("Soldier", "Soldier", 100.0, terrain=wall)
    assert aim_of(game, "ranged", "r1", "b1").rule == "DZ-RNG-07"
    with pytest.raises(Refused) as refused:
        game.do("ranged", figure_id="r1", target_id="b1")
    assert refused.value.rule == "DZ-RNG-07"


def test_partly_hidden_is_one_off_every_die():
    """DZ-VIS-01, DZ-HIT-07; blows do not care: DZ-VIS-04."""
    low = (box("low", 200, 250, 400, 260, 30.0),)
    game = duel("Soldier", "Soldier", 100.0, terrain=low)
    assert "not entirely visible" in aim_of(game, "ranged", "r1", "b1").text
    event = last(attack(game, "ranged", "r1", "b1", 4, 5, 6), "attacked")
    assert (event.number("mod"), event.number("hits")) == (-1.0, 2.0)
    stone = (box("stone", 306, 209, 330, 213, 60.0),)
    game = duel("Soldier", "Soldier", 4.0, terrain=stone)
    event = last(attack(game, "melee", "r1", "b1", 4, 4, 1), "attacked")
    assert (event.number("mod"), event.number("hits")) == (0.0, 2.0)


def test_fighters_hide_partly_never_wholly():
    """DZ-VIS-03, DZ-VIS-05, DZ-GEO-08."""
    for name in ("r2", "b2"):
        game = duel("Soldier", "Soldier", 100.0)
        game.shift(**{name: (300.0, 260.0)})
        assert "not entirely visible" in aim_of(game, "ranged", "r1", "b1").text
        assert aim_of(game, "ranged", "r1", "b1").allowed


def test_a_sniper_shoots_better_than_it_strikes():
    """DZ-SNI-01, DZ-SNI-04."""
    game = duel("Sniper", "Soldier", 100.0, might=(1, 4))
    event = last(attack(game, "ranged", "r1", "b1", 4, 5, 3), "attacked")
    assert event.number("hits") == 2
    game = duel("Sniper", "Soldier", might=(1, 4))
    event = last(attack(game, "melee", "r1", "b1", 4, 5, 6), "attacked")
    assert event.number("hits") == 1


def test_stunned_wounded_killed():
    """DZ-DMG-01 to DZ-DMG-06, DZ-AP-03."""
    for dice, stun, wounds, alive in (
        ((1, 2, 3), False, 0, True),
        ((4, 2, 3), True, 0, True),
        ((4, 5, 3), True, 1, True),
        ((4, 5, 6), False, 0, False),
    ):
        game = duel("Soldier", "Soldier")
        attack(game, "melee", "r1", "b1", *dice)
        unit = game.unit("b1")
        assert (unit.mark("stunned") is True, unit.wounds, unit.alive) == (stun, wounds, alive)
    game = duel("Berserker", "Soldier")
    attack(game, "melee", "r1", "b1", 4, 4, 4, 4)
    assert not game.unit("b1").alive


def test_a_second_wound_kills_and_a_single_hit_does_not():
    """DZ-DMG-04, DZ-DMG-07, DZ-DMG-08, DZ-DMG-09."""
    game = duel("Soldier", "Soldier")
    attack(game, "melee", "r1", "b1", 4, 4, 1)
    attack(game, "melee", "r1", "b1", 4, 1, 1)
    assert game.unit("b1").alive
    assert game.unit("b1").wounds == 1
    assert mark(game, "fighter") == "b1"
    assert mark(game, "actions_left") == 1
    game.do("finish")
    assert game.unit("b1").wounds == 1
    game.do("pick", figure_id="r1")
    attack(game, "melee", "r1", "b1", 4, 4, 1)
    assert not game.unit("b1").alive
    assert "Second wound: Blue 1 dies." in " ".join(game.said())


def test_a_stun_takes_an_action_and_ends():
    """DZ-AP-01, DZ-AP-02, DZ-AP-07, DZ-AP-08, DZ-AP-09, DZ-CHAIN-09."""
    game = duel("Soldier", "Warrior")
    attack(game, "melee", "r1", "b1", 4, 1, 1)
    attack(game, "melee", "r1", "b1", 4, 4, 1)  # stunned twice, and wounded
    assert mark(game, "fighter") == "b1"
    assert mark(game, "actions_left") == 1
    attack(game, "melee", "b1", "r1", 1, 1, 1)
    assert game.unit("b1").mark("stunned") is None
    assert game.unit("b1").wounds == 1
    game.do("finish")
    game.do("pick", figure_id="b1")
    assert mark(game, "actions_left") == 2


def test_actions_may_be_dropped_and_run_out():
    """DZ-AP-04, DZ-AP-05, DZ-AP-06."""
    game = duel("Soldier", "Soldier")
    attack(game, "melee", "r1", "b1", 1, 1, 1)
    assert mark(game, "actions_left") == 1
    with pytest.raises(Refused) as refused:
        game.do("finish", side="blue")
    assert refused.value.rule == "DZ-CHAIN-05"
    attack(game, "melee", "r1", "b1", 1, 1, 1)
    assert mark(game, "fighter") == "b1"
    game.do("finish")
    assert game.state.phase == "PICK"
    with pytest.raises(Refused) as refused:
        game.do("melee", figure_id="r1", target_id="b1")
    assert refused.value.rule == "DZ-CHAIN-05"


def test_defending():
    """DZ-DEF-01, DZ-DEF-02, DZ-DEF-03, DZ-DEF-05."""
    for kind, gap in (("melee", 2.0), ("ranged", 100.0)):
        game = duel("Soldier", "Warrior", gap, first="blue", pick="b1")
        game.do("defend")
        assert game.unit("b1").mark("defending") is True
        assert game.option("defend") is None
        with pytest.raises(Refused) as refused:
            game.do("defend")
        assert refused.value.rule == "DZ-DEF-05"
        game.do("finish")
        game.do("pick", figure_id="r1")
        event = last(attack(game, kind, "r1", "b1", 4, 5, 6), "attacked")
        assert (event.number("mod"), event.number("hits")) == (-1.0, 2.0)
    game = duel("Soldier", "Warrior")
    with pytest.raises(Refused) as refused:
        game.do("defend")
    assert refused.value.rule == "DZ-DEF-01"


def test_a_defence_ends_when_its_fighter_is_activated():
    """DZ-DEF-04, DZ-DEF-06: by an attack too, stunned or not, and not before."""
    game = duel("Soldier", "Warrior", first="blue", pick="b1")
    game.do("defend")
    game.do("finish")
    game.do("pick", figure_id="r1")
    attack(game, "melee", "r1", "b1", 5, 5, 1)
    assert game.unit("b1").mark("stunned") is True
    assert game.unit("b1").mark("defending") is True
    event = last(attack(game, "melee", "r1", "b1", 4, 1, 1), "attacked")
    assert event.number("mod") == -1.0
    assert mark(game, "fighter") == "b1"
    assert game.unit("b1").mark("defending") is None


def test_both_modifiers_add_up():
    """DZ-HIT-07."""
    low = (box("low", 200, 250, 400, 260, 30.0),)
    game = duel("Soldier", "Mech", 100.0, first="blue", pick="b1", terrain=low)
    game.do("defend")
    game.do("finish")
    game.do("pick", figure_id="r1")
    event = last(attack(game, "ranged", "r1", "b1", 4, 5, 6), "attacked")
    assert (event.number("mod"), event.number("hits")) == (-2.0, 1.0)


def test_boosting():
    """DZ-BST-01, DZ-BST-02, DZ-BST-05: first, by any class, and then there is one attack."""
    for kind, dice in (("Soldier", 4), ("Berserker", 5)):
        game = duel(kind, "Soldier")
        game.do("boost")
        game.do("melee", figure_id="r1", target_id="b1")
        assert game.option("roll").dice[0] == dice
        game.do("roll", dice=(1,) * dice)
        assert mark(game, "fighter") == "b1"


def test_boost_and_charge():
    """DZ-BST-03: five dice for a Berserker."""
    game = duel("Berserker", "Soldier", 40.0)
    game.do("boost")
    game.do("charge", figure_id="r1", target_id="b1")
    game.put("r1", (300.0, 238.0))
    assert game.option("roll").dice == (5, 6)


def test_wasted_boosts():
    """DZ-BST-04: allowed, warned about, and nothing carries over."""
    game = duel("Soldier", "Soldier")
    assert game.option("boost").input == "tap"
    game.do("boost")
    assert game.option("boost").input == "confirm"
    assert "wasted" in game.option("boost").hint
    game.do("boost")
    assert game.state.active_side == "blue"
    game.do("pick", figure_id="b2")
    game.do("finish")
    game.do("pick", figure_id="r1")
    game.do("melee", figure_id="r1", target_id="b1")
    assert game.option("roll").dice[0] == 3


def test_the_attacked_enemy_acts():
    """DZ-CHAIN-02, DZ-CHAIN-06, DZ-CHAIN-09: after no hit too; nobody else, and it may pass."""
    game = duel("Soldier", "Soldier")
    attack(game, "melee", "r1", "b1", 1, 1, 1)
    game.do("finish")
    assert (game.state.active_side, mark(game, "fighter")) == ("blue", "b1")
    for kind in ("ranged", "move"):
        with pytest.raises(Refused) as refused:
            game.do(kind, figure_id="b2", target_id="r2")
        assert refused.value.rule == "DZ-CHAIN-02"
    with pytest.raises(Refused) as refused:
        game.do("move", figure_id="r1")
    assert refused.value.rule == "DZ-CHAIN-05"
    game.do("finish")
    assert (game.state.phase, game.state.active_side) == ("PICK", "red")


def test_after_a_kill_another_one():
    """DZ-CHAIN-03, DZ-CHAIN-10, DZ-CHAIN-11, DZ-CHAIN-12, DZ-CHAIN-13."""
    game = duel("Soldier", "Soldier")
    lines = attack(game, "melee", "r1", "b1", 6, 6, 6)
    kinds = [line.event.kind for line in lines]
    assert kinds[-3:] == ["attacked", "killed", "phase_began"]
    assert game.state.phase == "MORALE"
    for kind in ("finish", "melee"):
        with pytest.raises(Refused) as refused:
            game.do(kind, figure_id="r1", target_id="b2")
        assert refused.value.rule == "DZ-MORALE-01"
    game.do("morale", dice=(1, 6))
    assert (game.state.phase, mark(game, "actions_left")) == ("CHOOSE_ACTION", 1)
    game.do("boost")
    picks = {o.figure_id for o in game.referee.options() if o.kind == "pick"}
    assert picks == {"r2", "r3"}
    with pytest.raises(Refused) as refused:
        game.do("pick", figure_id="r1")
    assert refused.value.rule == "DZ-CHAIN-03"
    game.do("pick", figure_id="r2")
    attack(game, "ranged", "r2", "b2", 6, 6, 6)
    game.do("morale", dice=(1, 6))
    game.do("finish")
    picks = {o.figure_id for o in game.referee.options() if o.kind == "pick"}
    assert picks == {"r1", "r3"}  # who acted before may act again


def test_the_only_one_left_may_act_again():
    """DZ-CHAIN-04."""
    game = duel("Soldier", "Soldier")
    for name in ("r2", "r3"):
        game.lay(name)
        game.do("fallen", figure_id=name, value="removed")
    attack(game, "melee", "r1", "b1", 6, 6, 6)
    game.do("morale", dice=(1, 6))
    game.do("finish")
    assert [o.figure_id for o in game.referee.options() if o.kind == "pick"] == ["r1"]
    game.do("pick", figure_id="r1")
    assert mark(game, "actions_left") == 2


def test_no_attack_passes_on():
    """DZ-CHAIN-05."""
    game = duel("Soldier", "Soldier")
    game.do("finish")
    assert (game.state.phase, game.state.active_side) == ("PICK", "blue")
    with pytest.raises(Refused) as refused:
        game.do("pick", figure_id="r1")
    assert refused.value.rule == "DZ-CHAIN-05"


def two_attacks(multi, first, second):
    """r1 shoots at b2 and strikes at b1 as told; who is next?"""
    game = duel("Soldier", "Soldier", options={"dz.chain.multi": multi}, might=(5, 5))
    for target, kill in (first, second):
        kind = "melee" if target == "b1" else "ranged"
        attack(game, kind, "r1", target, *((6, 6, 6) if kill else (1, 1, 1)))
        if kill:
            game.do("morale", dice=(1, 6))
    return game.state.active_side, mark(game, "fighter"), mark(game, "not_again")


KILL_THEN_MISS = (("b1", True), ("b2", False))
MISS_THEN_KILL = (("b1", False), ("b2", True))


@pytest.mark.parametrize(
    ("multi", "attacks", "follows"),
    [
        ("last_attack", KILL_THEN_MISS, ("blue", "b2", None)),
        ("last_attack", MISS_THEN_KILL, ("red", None, "r1")),
        ("any_survivor", KILL_THEN_MISS, ("blue", "b2", None)),
        ("any_survivor", MISS_THEN_KILL, ("blue", "b1", None)),
        ("any_kill", KILL_THEN_MISS, ("red", None, "r1")),
        ("any_kill", MISS_THEN_KILL, ("red", None, "r1")),
    ],
)
def test_two_attacks_in_one_activation(multi, attacks, follows):
    """DZ-CHAIN-07, DZ-CHAIN-08."""
    assert two_attacks(multi, *attacks) == follows
    told = [("x", False), ("x", True)]
    assert next_activation("me", told, 3, multi).same_player


def test_no_limits():
    """DZ-CHAIN-10, DZ-GEN-06: two fighters strike at each other as long as they like."""
    game = duel("Soldier", "Soldier")
    for name, target in (("r1", "b1"), ("b1", "r1")) * 3:
        assert mark(game, "fighter") == name
        attack(game, "melee", name, target, 1, 1, 1)
        game.do("finish")
    assert game.state.turn == 0


def test_a_draw_is_offered():
    """DZ-CHAIN-14, DZ-END-02."""
    game = duel("Soldier", "Soldier", options={"dz.stalemate": 4}, pick=None)
    for i in range(4):
        assert game.state.phase == "PICK"
        game.do("pick", figure_id="r1" if i % 2 == 0 else "b1")
        game.do("finish")
    assert game.state.phase == "OFFER_DRAW"
    game.do("answer", value="refuse")
    assert (game.state.phase, game.state.active_side) == ("PICK", "red")
    for i in range(4):
        assert game.state.phase == "PICK"
        game.do("pick", figure_id="r1" if i % 2 == 0 else "b1")
        game.do("finish")
    game.do("answer", value="accept")
    assert (game.state.phase, game.state.outcome) == ("FINISHED", "draw")
    assert duel("Soldier", "Soldier", pick=None).referee.ruleset.info.options  # 20 by default
    assert dict(duel("Soldier", "Soldier").state.options)["dz.stalemate"] == 20


def test_an_attack_ends_the_counting():
    """DZ-CHAIN-14."""
    game = duel("Soldier", "Soldier", options={"dz.stalemate": 3}, pick=None)
    for name in ("r1", "b1"):
        game.do("pick", figure_id=name)
        game.do("finish")
    game.do("pick", figure_id="r1")
    attack(game, "melee", "r1", "b1", 1, 1, 1)
    game.do("finish")
    game.do("finish")
    assert game.state.phase == "PICK"
    assert mark(game, "idle") == 1


def test_morale_breaks_or_holds():
    """DZ-MORALE-01 to DZ-MORALE-05, DZ-MORALE-07, DZ-MORALE-08, DZ-END-01."""
    game = duel("Soldier", "Soldier")
    for name in ("r2", "r3"):  # own losses do not matter
        game.lay(name)
        game.do("fallen", figure_id=name, value="removed")
    attack(game, "ranged", "r1", "b2", 4, 1, 1)  # stunned, and still left
    attack(game, "melee", "r1", "b1", 6, 6, 6)
    assert "1 killed, 2 left. Red rolls times 1, Blue rolls times 2." in game.said()
    for dice in ((1,), (1, 2, 3)):
        with pytest.raises(Refused) as refused:
            game.do("morale", dice=dice)
        assert refused.value.rule == "DZ-MORALE-02"
    holds = replace(game.state)
    event = last(game.do("morale", dice=(6, 3)), "morale")
    assert (event.number("killer"), event.number("other")) == (6.0, 6.0)
    assert event.rule == "DZ-MORALE-04"
    assert game.state.outcome is None
    game.do("undo")
    assert replace(game.state, seq=0) == replace(holds, seq=0)
    event = last(game.do("morale", dice=(5, 2)), "morale")
    assert event.rule == "DZ-MORALE-03"
    assert (game.state.phase, game.state.outcome) == ("FINISHED", "red")


def test_nobody_left_is_defeated():
    """DZ-MORALE-06."""
    game = duel("Soldier", "Soldier")
    for name in ("b2", "b3"):
        game.lay(name)
        game.do("fallen", figure_id=name, value="removed")
    attack(game, "melee", "r1", "b1", 6, 6, 6)
    assert (game.state.phase, game.state.outcome) == ("FINISHED", "red")
    with pytest.raises(Refused) as refused:
        game.do("finish")
    assert refused.value.rule == "DZ-END-01"


def test_giving_up():
    """DZ-END-02."""
    game = duel("Soldier", "Soldier")
    with pytest.raises(Refused) as refused:
        game.do("concede", side="green")
    assert refused.value.rule == "DZ-END-02"
    game.do("concede", side="red")
    assert (game.state.outcome, game.said()[-1]) == ("blue", "Red gives up. Blue wins.")


def test_the_dead_do_nothing_and_are_no_targets():
    """DZ-DMG-10."""
    game = duel("Soldier", "Soldier")
    attack(game, "melee", "r1", "b1", 6, 6, 6)
    game.do("morale", dice=(1, 6))
    with pytest.raises(Refused) as refused:
        game.do("melee", figure_id="r1", target_id="b1")
    assert refused.value.rule == "DZ-DMG-10"
    game.do("finish")
    game.do("pick", figure_id="r2")
    game.do("finish")
    with pytest.raises(Refused) as refused:
        game.do("pick", figure_id="b1")
    assert refused.value.rule == "DZ-DMG-10"
    game.lay("b1")
    assert game.unit("b1").mark("laid") is True


def test_the_program_keeps_and_says_the_states():
    """DZ-GEN-07, DZ-GEN-08."""
    game = duel("Soldier", "Warrior")
    attack(game, "melee", "r1", "b1", 4, 4, 1)
    assert game.option("status", "b2") is None  # nothing to tell
    shown = game.option("status", "b1")
    assert shown.hint == "Blue 1: Warrior, Might 5, wounded, stunned."
    guard = duel("Warrior", "Soldier", 40.0)
    guard.do("defend")
    assert guard.option("status", "r1").hint == "Red 1: Warrior, Might 5, not stunned, defending."


def test_what_is_said_before_the_dice():
    """The target's line of the announcements, with number and reason."""
    game = duel("Sniper", "Mech", 200.0, might=(1, 4))
    game.do("ranged", figure_id="r1", target_id="b1")
    said = game.said()[-1]
    assert said.startswith("Red 1 at Blue 1: 200 millimetres. Might 1 against 4: half or less")
    assert "fours and up hit anyway" in said
    assert "Chance to kill about 12 in 100, at least a wound 50." in said
