"""Twenty frozen tables: what is offered, how far each reaches, whom each could go for.

After a wanted change of the rules set MINIMARSHAL_GOLDEN=1 once to write the file anew, and read
the difference. Three small tables among them are worked out by hand.
"""

import math
import random
from pathlib import Path

import pytest

from tests.engine.follow_me.battle import battle
from tests.engine.follow_me.chance import act, enlist
from tests.engine.frozen import check_frozen, counted

FILE = Path(__file__).parents[2] / "golden" / "follow_me" / "frozen.json"
TABLES = 20
AT_WORK = ("DECLARE", "MOVE", "MAGIC", "SHOOT_TARGETS", "MELEE_SPLIT")


def frozen(seed: int) -> dict[str, object]:
    """A random game stopped in mid-turn, as counts."""
    dice = random.Random(3000 + seed)  # noqa: S311
    game = enlist(dice)
    for step in range(60):
        if game.state.outcome is not None:
            break
        if step >= 12 and game.state.phase == AT_WORK[seed % len(AT_WORK)]:
            break
        act(game, dice)
    return counted(game)


def open_ground():
    """An archer, a troll and their mounted hero on open ground: everybody moves."""
    men = [("archer", (300.0, 400.0)), ("troll", (600.0, 400.0))]
    game = battle(
        men,
        [("goblin", (1100.0, 860.0))],
        heroes=((450, 400), (1150, 860)),
        size=(2400.0, 1800.0),
        kinds=("hero_horse_light", "hero_foot_light"),
    )
    game.shift(r1=(600.0, 900.0), r2=(900.0, 900.0), rh=(740.0, 900.0))
    game.do("follow", figure_id="rh")
    game.hold()
    return game


def in_sight():
    """A hero with an archer, and four enemies at different distances: actions are chosen."""
    return battle(
        [("archer", (600, 200))],
        [("goblin", (600, 500)), ("knight", (700, 640)), ("goblin", (100, 600)),
         ("goblin", (600, 740))],
        heroes=((480, 200), (1150, 860)),
    )  # fmt: skip


def in_range():
    """The same when everybody has held: the archer names a target."""
    game = in_sight()
    game.hold()
    game.do("done")
    return game


BY_HAND = (open_ground, in_sight, in_range)


def test_frozen_tables():
    """FM-ACT-01, FM-MOVE-01, FM-SHOOT-14, FM-MAGE-14: by chance, then those done by hand."""
    chance = [frozen(seed) for seed in range(TABLES)]
    check_frozen([*chance, *(counted(make()) for make in BY_HAND)], FILE)


def circle(inches: float) -> float:
    """Area in square centimetres."""
    return math.pi * (2.54 * inches) ** 2


def test_by_hand_open_ground():
    """FM-MOVE-02 to 05: circles of 6, 5 and 14 inches on open ground.

    The blue hero walks 6 inches too, but may not end on his goblin 5 cm away: their middles stay
    2 cm apart. The goblin without an order stays. All five can be looked at, both heroes may wish
    for a test, and both sides may give up.
    """
    assert counted(open_ground()) == {
        "phase": "MOVE",
        "kinds": {"reach": 4, "stays": 1, "done": 1, "unit": 5, "wish": 2, "concede": 2},
        "reach_cm2": {
            "r1": pytest.approx(circle(6), rel=0.01),
            "r2": pytest.approx(circle(5), rel=0.01),
            "rh": pytest.approx(circle(14), rel=0.01),
            "bh": pytest.approx(circle(6) - math.pi * 2.0**2, rel=0.01),
        },
        "targets": {},
    }


def test_by_hand_actions():
    """FM-ACT-01, 03, 06, 07, 12: what two heroes may choose, with gaps from edge to edge.

    Red's hero to b1: sqrt(120^2 + 300^2) - 20 = 303 mm, which both moves of 152.4 close; to b2
    472 mm, more than 152.4 + 254; to the others more still. His insults carry 203 mm beyond his
    victim's move, so to b1; blue's hero is too far from the archer. Only red has a man within
    8 inches to call. Both may speak, hold, send their men, and write.
    """
    assert counted(in_sight()) == {
        "phase": "DECLARE",
        "kinds": {
            "hit": 1, "follow": 1, "insult": 1, "speech": 2, "hold": 2, "attack": 2, "note": 2,
            "unit": 7, "concede": 2,
        },
        "reach_cm2": {},
        "targets": {"rh hit": ["b1"]},
    }  # fmt: skip


def test_by_hand_targets():
    """FM-SHOOT-02, 07: a bow reaches 20 inches, 508 mm, but knights only at 15, 381 mm.

    From the archer: b1 280 mm, the knight sqrt(100^2 + 440^2) - 10 - 12 or more = 427, b3
    sqrt(500^2 + 400^2) - 20 = 620, b4 520, the hero 839.
    """
    assert counted(in_range()) == {
        "phase": "SHOOT_TARGETS",
        "kinds": {"aim": 1, "hold_fire": 1, "done": 1, "unit": 7, "concede": 2},
        "reach_cm2": {},
        "targets": {"r1 aim": ["b1"]},
    }


def test_by_hand_what_is_offered():
    """FM-ACT-01, FM-ACT-02, FM-MSG-02: all that two heroes with one man each may choose."""
    game = battle([("orc_grunt", (600, 80))], [("goblin", (600, 800))])
    assert counted(game)["kinds"] == {
        "follow": 2, "speech": 2, "hold": 2, "attack": 2, "note": 2, "unit": 4, "concede": 2,
    }  # fmt: skip
