"""Bad input: one sentence, the rule behind it, and nothing changes."""

import pytest

from tests.engine.playmobil.battle import attack, battle, end, mustered
from tests.engine.refusals import (
    check_army_refused,
    check_army_unreadable,
    check_refused,
    check_too_late,
)

MAN = "light_infantry"
FAR = (MAN, (1500, 1300))


def melee():
    return battle([(MAN, (600, 500)), (MAN, (900, 500))], [(MAN, (600, 560)), FAR])


@pytest.mark.parametrize(
    ("kind", "fields", "rule"),
    [
        ("melee", {"figure_id": "ghost", "target_id": "b1"}, "PM-TURN-02"),
        ("melee", {"figure_id": "r1", "target_id": "ghost"}, "PM-ATT-04"),
        ("charge", {"figure_id": "ghost", "target_id": "b1"}, "PM-TURN-02"),
        ("fire", {"figure_id": "ghost"}, "PM-TURN-02"),
        ("mount", {"figure_id": "ghost"}, "PM-TURN-02"),
        ("concede", {"side": "pink"}, "PM-END-01"),
        ("dance", {}, "PM-TURN-02"),
        ("shot_done", {}, "PM-ART-01"),
    ],
)
def test_who_or_what_nobody_knows(kind, fields, rule):
    check_refused(melee(), rule, kind, **fields)


def test_types_nobody_knows():
    game = mustered([(MAN, (0, 0))], [(MAN, (0, 0))])
    check_refused(game, "PM-PREP-08", "type", figure_id="r1", value="wizard")
    check_refused(game, "PM-PREP-08", "type", figure_id="ghost", value=MAN)


@pytest.mark.parametrize("dice", [(0, 1), (7, 1), (1, -1), (1, 1000)])
def test_dice_out_of_range(dice):
    game = melee()
    game.do("melee", figure_id="r1", target_id="b1")
    check_refused(game, "PM-GEN-04", "roll", dice=dice)


def test_too_few_and_too_many_dice():
    game = melee()
    game.do("melee", figure_id="r1", target_id="b1")
    for dice in ((1,), (1, 2, 3)):
        check_refused(game, "PM-DICE-01", "roll", dice=dice)


@pytest.mark.parametrize("kind", ["melee", "shoot", "throw", "charge", "dismount", "torch", "turn"])
def test_the_dead_do_nothing(kind):
    game = melee()
    attack(game, "melee", "r1", "b1", 6, 1)
    check_refused(game, "PM-DICE-04", "melee", figure_id="r2", target_id="b1")
    end(game)
    check_refused(game, "PM-DICE-04", kind, figure_id="b1", target_id="r1", point_mm=(1.0, 1.0))


def test_a_wish_that_comes_too_late():
    game = melee()
    seen = game.state.seq
    end(game)
    check_too_late(game, seen, "done")


def test_after_the_end_nothing_is_done():
    game = melee()
    game.do("concede", side="blue")
    check_refused(game, "PM-END-01", "melee", figure_id="r1", target_id="b1")


def entry(text):
    return f"[[figures]]\n{text}\n"


@pytest.mark.parametrize(
    ("text", "rule", "word"),
    [
        (entry('kind = "knight"'), "PM-PREP-08", "knight"),
        (entry('kind = "light_infantry"\nitems = ["gun"]'), "PM-PREP-08", "gun"),
        (entry('kind = "light_infantry"\nmight = 1'), "PM-PREP-08", "Might"),
        ('figures = []\noptions = { "pm.cover" = "much" }\n', "PM-ARCH-20", "much"),
    ],
)
def test_an_army_file_the_rules_do_not_know(text, rule, word):
    check_army_refused("playmobil", text, rule, word)


def test_an_army_file_that_is_none():
    check_army_unreadable('[[figures]]\ncount = "two"\n', "figures.0.count")
    check_army_unreadable("figures = [", "not TOML")
