"""What cannot be is refused in one sentence with a rule id, in every step of the game."""

import pytest

from engine.armies.lists import read_army
from engine.army import reckon
from engine.errors import BadData, Refused
from tests.engine.follow_me.battle import battle
from tests.engine.refusals import check_refused, check_stale

MEN = [("orc_grunt", (600.0, 400.0)), ("archer", (700.0, 300.0)), ("archer", (760.0, 300.0))]
FOES = [("goblin", (600.0, 421.0)), ("goblin", (720.0, 480.0))]


def game_in(phase: str):
    """A small battle in that phase of its first turn."""
    game = battle(MEN, FOES, heroes=((560, 300), (560, 560)))
    if phase == "MOVE":
        game.hold()
    elif phase != "DECLARE":
        game.to(phase)
    assert game.state.phase == phase
    return game


@pytest.mark.parametrize(
    ("phase", "kind", "fields", "rule"),
    [
        ("DECLARE", "hold", {"figure_id": "ghost"}, "FM-TURN-09"),
        ("DECLARE", "hit", {"figure_id": "rh", "target_id": "ghost"}, "FM-ACT-03"),
        ("DECLARE", "attack", {"figure_id": "rh", "value": "ghost"}, "FM-ACT-16"),
        ("DECLARE", "insult", {"figure_id": "rh", "value": "ghost"}, "FM-ACT-12"),
        ("DECLARE", "instruct", {"figure_id": "rh", "value": "ghost|defend"}, "FM-BIG-02"),
        ("DECLARE", "talk", {"figure_id": "rh", "target_id": "ghost"}, "FM-MSG-01"),
        ("DECLARE", "type", {"figure_id": "r1", "value": "troll"}, "FM-SET-06"),
        ("DECLARE", "cast", {"figure_id": "rh"}, "FM-MAGE-07"),
        ("DECLARE", "dance", {}, "FM-ACT-01"),
        ("MOVE", "hold", {"figure_id": "rh"}, "FM-TURN-02"),
        ("MOVE", "aim", {"figure_id": "r2", "target_id": "b1"}, "FM-SHOOT-14"),
        ("SHOOT_TARGETS", "aim", {"figure_id": "ghost", "target_id": "b1"}, "FM-SHOOT-13"),
        ("SHOOT_TARGETS", "aim", {"figure_id": "r2", "target_id": "ghost"}, "FM-SHOOT-14"),
        ("MELEE_SPLIT", "reassign", {"figure_id": "ghost", "target_id": "b1"}, "FM-MELEE-13"),
        ("MELEE_SPLIT", "roll", {"value": "7"}, "FM-GEN-08"),
        ("MORALE", "test", {"value": "ghost"}, "FM-MORALE-01"),
    ],
)
def test_unknown_figures_and_times(phase, kind, fields, rule):
    """FM-TURN-02, FM-TURN-09, FM-ACT-03, FM-SHOOT-14, FM-MORALE-01."""
    check_refused(game_in(phase), rule, kind, **fields)


@pytest.mark.parametrize("dice", [(7, 1), (0, 1), (3,), (3, 3, 3)])
def test_dice_out_of_range(dice):
    """FM-GEN-08: so many dice as are asked for, from 1 to 6."""
    game = game_in("MELEE_SPLIT")
    game.do("done")
    check_refused(game, "FM-GEN-08", "roll", value="0", dice=dice)
    game.do("roll", value="0", dice=(3, 3))


@pytest.mark.parametrize(
    ("kind", "fields"),
    [("hold", {}), ("follow", {}), ("attack", {"value": "bh"}), ("talk", {"target_id": "bh"})],
)
def test_a_dead_hero_does_nothing(kind, fields):
    """FM-TURN-09, FM-TURN-11, FM-HIT-05."""
    game = game_in("DECLARE")
    game.lay("rh")
    game.do("fallen", figure_id="rh", value="removed")
    reason = check_refused(game, "FM-HIT-05", kind, figure_id="rh", **fields)
    assert reason == "Red 1 is out of the game"
    offered = {option.figure_id for option in game.referee.options()}
    assert "rh" not in offered


def test_the_dead_do_not_shoot():
    """FM-SHOOT-14, FM-TURN-08."""
    game = game_in("DECLARE")
    game.lay("r2")
    game.do("fallen", figure_id="r2", value="removed")
    game.hold()
    game.do("done")
    check_refused(game, "FM-HIT-05", "aim", figure_id="r2", target_id="b2")


def test_a_wish_about_a_figure_that_has_moved_since():
    """FM-GEO-19: it is stale, not wrong."""
    check_stale(game_in("DECLARE"), "rh", "hold", figure_id="rh")


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ('[[figures]]\nkind = "wizard"\n', "FM-SET-06"),
        ('[[figures]]\nkind = "ogre"\nmight = 3\n', "FM-SET-06"),
        ('[[figures]]\nkind = "ogre"\nitems = ["bow"]\n', "FM-SET-12"),
        ('[[figures]]\nkind = "mage"\nitems = ["fireball"]\n', "FM-MAGE-11"),
        ('options = { nonsense = 1 }\n[[figures]]\nkind = "ogre"\n', "FM-GEN-12"),
    ],
)
def test_a_wrong_army(text, rule):
    """FM-SET-06, FM-SET-12, FM-MAGE-11, FM-GEN-12."""
    with pytest.raises(Refused) as caught:
        reckon("follow_me", read_army(text))
    assert caught.value.rule == rule, caught.value.reason
    assert 8 <= len(caught.value.reason) <= 320  # it may name what is known


@pytest.mark.parametrize("text", ["kind = [", "figures = 3", "[[figures]]\nkind = 3\n"])
def test_no_army_at_all(text):
    """FM-SET-06: the file says where it is wrong."""
    with pytest.raises(BadData):
        read_army(text)
