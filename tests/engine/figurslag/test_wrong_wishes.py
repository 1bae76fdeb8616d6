"""Bad input: one sentence, the rule behind it, and nothing changes."""

import pytest

from tests.engine.figurslag.test_shots import kill, shooting
from tests.engine.refusals import (
    check_army_refused,
    check_army_unreadable,
    check_refused,
    check_too_late,
)
from tests.engine.tables import began


@pytest.mark.parametrize(
    ("kind", "fields", "rule"),
    [
        ("shoot", {"figure_id": "ghost", "target_id": "b1"}, "FS-SHOOT-01"),
        ("shoot", {"figure_id": "r1", "target_id": "ghost"}, "FS-SHOOT-09"),
        ("enough", {"figure_id": "ghost"}, "FS-FLAG-08"),
        ("accept", {"figure_id": "ghost"}, "FS-FLAG-19"),
        ("bumped", {"figure_id": "ghost"}, "FS-FLAG-10"),
        ("concede", {"side": "pink"}, "FS-WIN-03"),
        ("answer", {"value": "yes"}, "FS-FLAG-19"),
        ("dance", {}, "FS-TURN-03"),
        ("terrain_done", {}, "FS-SET-06"),
    ],
)
def test_who_or_what_nobody_knows(kind, fields, rule):
    check_refused(shooting(), rule, kind, **fields)


@pytest.mark.parametrize("dice", [(0,), (7,), (4, 7), (-1,), (1000,)])
def test_dice_out_of_range(dice):
    check_refused(shooting(), "FS-FLAG-16", "shoot", figure_id="r1", target_id="b1", dice=dice)


def test_too_few_dice_to_dodge_with():
    game = shooting()
    game.do("shoot", figure_id="r1", target_id="b1", dice=(6,))
    check_refused(game, "FS-FLAG-16", "dodge", dice=(9,))


@pytest.mark.parametrize(
    ("kind", "rule"),
    [("shoot", "FS-FLAG-11"), ("bumped", "FS-FLAG-10"), ("noshoot", "FS-FLAG-10"),
     ("report", "FS-FLAG-10"), ("accept", "FS-FLAG-19")],
)  # fmt: skip
def test_the_dead_do_nothing(kind, rule):
    game = shooting()
    kill(game, "r1", "b1")
    check_refused(game, "FS-FLAG-09", "shoot", figure_id="r1", target_id="b1")
    game.do("done")
    if kind == "shoot":
        game.do("done")
    check_refused(game, rule, kind, figure_id="b1", target_id="r1", numbers=(9.0,))


def test_a_wish_that_comes_too_late():
    game = began()
    seen = game.state.seq
    game.do("done")
    check_too_late(game, seen, "done")


def test_after_the_end_nothing_is_done():
    game = began()
    game.do("concede", side="blue")
    game.do("answer", value="yes")
    check_refused(game, "FS-WIN-01", "shoot", figure_id="r1", target_id="b1")


@pytest.mark.parametrize(
    ("text", "rule", "word"),
    [
        ('[[figures]]\nitems = ["bow"]\n', "FS-SET-02", "bow"),
        ('[[figures]]\nkind = "Beast"\n', "FS-SET-02", "weapons only"),
        ("figures = []\noptions = { nonsense = 1 }\n", "FS-GEN-01", "nonsense"),
        ("figures = []\noptions = { turn_limit = 0 }\n", "FS-AMB-26", "turn_limit"),
    ],
)
def test_an_army_file_the_rules_do_not_know(text, rule, word):
    check_army_refused("figurslag", text, rule, word)


def test_an_army_file_that_is_none():
    check_army_unreadable('[[figures]]\nitems = "large"\n', "figures.0.items")
    check_army_unreadable("figures = [", "not TOML")
