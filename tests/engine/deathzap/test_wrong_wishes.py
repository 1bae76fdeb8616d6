"""Bad input: one sentence, the rule behind it, and nothing changes."""

import pytest

from tests.engine.deathzap.skirmish import attack, recruited
from tests.engine.deathzap.test_fights import REST_BLUE, REST_RED, duel
from tests.engine.refusals import (
    check_army_refused,
    check_army_unreadable,
    check_refused,
    check_too_late,
)


@pytest.mark.parametrize(
    ("kind", "fields", "rule"),
    [
        ("melee", {"figure_id": "ghost", "target_id": "b1"}, "DZ-CHAIN-05"),
        ("melee", {"figure_id": "r1", "target_id": "ghost"}, "DZ-MEL-01"),
        ("pick", {"figure_id": "ghost"}, "DZ-CHAIN-05"),
        ("charge", {"figure_id": "r1", "target_id": "ghost"}, "DZ-CHG-01"),
        ("answer", {"value": "yes"}, "DZ-GEO-14"),
        ("concede", {"side": "pink"}, "DZ-END-02"),
        ("dance", {}, "DZ-AP-04"),
    ],
)
def test_who_or_what_nobody_knows(kind, fields, rule):
    check_refused(duel("Warrior", "Soldier"), rule, kind, **fields)


def test_classes_nobody_knows():
    game = recruited(REST_RED, REST_BLUE)
    check_refused(game, "DZ-WB-02", "class", figure_id="r1", value="Wizard")
    check_refused(game, "DZ-WB-01", "class", figure_id="ghost", value="Beast")
    check_refused(game, "DZ-WB-12", "might", figure_id="r1", numbers=(-1.0,))


@pytest.mark.parametrize("dice", [(0, 1, 1), (7, 1, 1), (1, 1, -1), (1, 1, 1000)])
def test_dice_out_of_range(dice):
    game = duel("Soldier", "Soldier")
    game.do("melee", figure_id="r1", target_id="b1")
    check_refused(game, "DZ-GEN-02", "roll", dice=dice)


def test_too_few_and_too_many_dice():
    game = duel("Soldier", "Soldier")
    game.do("melee", figure_id="r1", target_id="b1")
    for dice in ((1, 2), (1, 2, 3, 4)):
        check_refused(game, "DZ-MEL-02", "roll", dice=dice)


def test_the_dead_do_nothing():
    game = duel("Soldier", "Soldier")
    attack(game, "melee", "r1", "b1", 6, 6, 6)
    game.do("morale", dice=(1, 6))
    check_refused(game, "DZ-DMG-10", "melee", figure_id="r1", target_id="b1")
    check_refused(game, "DZ-DMG-10", "melee", figure_id="b1", target_id="r1")
    game.do("finish")
    game.do("pick", figure_id="r2")
    game.do("finish")
    assert game.state.active_side == "blue"
    check_refused(game, "DZ-DMG-10", "pick", figure_id="b1")


def test_a_wish_that_comes_too_late():
    game = duel("Soldier", "Soldier")
    seen = game.state.seq
    game.do("finish")
    check_too_late(game, seen, "finish")


def test_after_the_end_nothing_is_done():
    game = duel("Soldier", "Soldier")
    game.do("concede", side="blue")
    check_refused(game, "DZ-END-01", "melee", figure_id="r1", target_id="b1")


def entry(text):
    return f"[[figures]]\n{text}\n"


@pytest.mark.parametrize(
    ("text", "rule", "word"),
    [
        (entry('kind = "Wizard"\nmight = 1'), "DZ-WB-02", "Wizard"),
        (entry('kind = "Beast"\nmight = 1\nitems = ["bow"]'), "DZ-WB-02", "no items"),
        ("figures = []\noptions = { nonsense = 1 }\n", "DZ-GEN-09", "nonsense"),
        ('figures = []\noptions = { "dz.points.standard" = 0 }\n', "DZ-WB-14", "0"),
    ],
)
def test_an_army_file_the_rules_do_not_know(text, rule, word):
    check_army_refused("deathzap", text, rule, word)


def test_an_army_file_that_is_none():
    check_army_unreadable('[[figures]]\nmight = "much"\n', "figures.0.might")
    check_army_unreadable("figures = [", "not TOML")
