"""What cannot be is refused in one sentence with a rule id, in every step of the game."""

import pytest

from engine.armies.lists import read_army
from engine.army import reckon
from engine.errors import BadData, Refused
from tests.engine.legowars.battle import battle, duel, lie
from tests.engine.legowars.test_play import FAR
from tests.engine.refusals import check_refused, check_stale


def fallen():
    """Red has killed one of two blue men; blue is at work."""
    red, blue = {"r1": ((300, 400), ("sword",))}, {"b1": ((346, 400), ("sword",)), "b2": (FAR, ())}
    game = battle(red, blue, phase="ATTACK")
    game.attack("r1", "sword", "b1", 8, 9)
    lie(game, "b1")
    game.do("done")
    return game


@pytest.mark.parametrize(
    ("kind", "fields", "rule"),
    [
        ("attack", {"figure_id": "ghost", "value": "sword", "target_id": "b1"}, "LW-MEL-01"),
        ("attack", {"figure_id": "r1", "value": "sword", "target_id": "ghost"}, "LW-MEL-01"),
        ("attack", {"figure_id": "r1", "value": "ray gun", "target_id": "b1"}, "LW-FLAG-12"),
        ("pick_up", {"figure_id": "ghost", "value": "sword"}, "LW-HAND-04"),
        ("pick_up", {"figure_id": "r1", "value": "sword"}, "LW-HAND-07"),
        ("drop", {"figure_id": "r1", "value": "halberd"}, "LW-HAND-05"),
        ("door", {"figure_id": "r1", "value": "nowhere/0"}, "LW-BLDG-09"),
        ("crew_heavy", {"figure_id": "r1", "value": "ghost", "target_id": "b1"}, "LW-HVY-06"),
        ("join", {"figure_id": "r1", "side": "red", "value": "man"}, "LW-GEN-06"),
        ("gear", {"figure_id": "r1", "value": "sword"}, "LW-GEN-06"),
        ("ready", {}, "LW-GEN-08"),
        ("initiative", {}, "LW-TURN-01"),
        ("dance", {}, "LW-SIEGE-10"),
    ],
)
def test_unknown_models_things_and_times(kind, fields, rule):
    """LW-TURN-05, LW-HAND-05, LW-HAND-07, LW-MEL-01."""
    check_refused(duel(30, "sword"), rule, kind, **fields)


@pytest.mark.parametrize(
    ("dice", "rule"),
    [((11,), "LW-FLAG-23"), ((-1,), "LW-FLAG-23"), ((3, 4), "LW-GEN-02")],
)
def test_dice_out_of_range(dice, rule):
    """LW-GEN-02: one die from 1 to 10."""
    game = duel(30, "sword")
    game.attack("r1", "sword", "b1")
    check_refused(game, rule, "roll", dice=dice)
    game.do("roll", dice=(10,))
    assert game.state.phase == "ATK_DAMAGE"


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("attack", {"value": "sword", "target_id": "r1"}),
        ("drop", {"value": "sword"}),
        ("pick_up", {"value": "club"}),
    ],
)
def test_the_dead_do_nothing(kind, fields):
    """LW-STAT-09, LW-TURN-09."""
    game = fallen()
    check_refused(game, "LW-FLAG-03", kind, figure_id="b1", **fields)
    assert all(option.figure_id != "b1" or option.kind == "fallen" for option in (
        game.referee.options()))  # fmt: skip


def test_the_dead_do_not_climb_or_ride():
    """LW-STAT-09."""
    game = fallen()
    game.next_turn("blue", "MOVE")
    for kind, fields in (("start_climb", {}), ("mount", {"target_id": "r1"})):
        check_refused(game, "LW-FLAG-03", kind, figure_id="b1", **fields)


def test_a_wish_about_a_man_who_has_moved_since():
    """LW-TURN-03: it is stale, not wrong."""
    check_stale(duel(300, "sword", phase="MOVE"), "r1", "agree", figure_id="r1", value="club")


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ('[[figures]]\nkind = "dragon"\n', "LW-GEN-07"),
        ('[[figures]]\nkind = "man"\nitems = ["ray gun"]\n', "LW-COST-01"),
        ('[[figures]]\nkind = "man"\nmight = 3\n', "LW-GEN-07"),
        ('[[figures]]\nkind = "building"\nitems = ["studs=10"]\n', "LW-BLDG-05"),
        ('[[figures]]\nkind = "vehicle"\nitems = ["wheels=two"]\n', "LW-VEH-13"),
        ('[[figures]]\nkind = "vehicle"\nitems = ["sails=2"]\n', "LW-VEH-13"),
        ('[[figures]]\nkind = "boat"\n', "LW-VEH-16"),
    ],
)
def test_a_wrong_army(text, rule):
    """LW-GEN-06, LW-COST-07."""
    with pytest.raises(Refused) as caught:
        reckon("legowars", read_army(text))
    assert caught.value.rule == rule, caught.value.reason
    assert 8 <= len(caught.value.reason) <= 160


@pytest.mark.parametrize("text", ["kind = [", "figures = 3", "[[figures]]\nkind = 3\n"])
def test_no_army_at_all(text):
    """LW-GEN-06: the file says where it is wrong."""
    with pytest.raises(BadData):
        read_army(text)
