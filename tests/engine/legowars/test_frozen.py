"""Twenty frozen tables: what is offered, how far each reaches, whom each could attack.

After a wanted change of the rules set MINIMARSHAL_GOLDEN=1 once to write the file anew, and read
the difference. Three small tables among them are worked out by hand, with pencil and ruler.
"""

import math
import random
from pathlib import Path

import pytest

from tests.engine.frozen import check_frozen, counted
from tests.engine.legowars.battle import battle, block, duel
from tests.engine.legowars.chance import act, enlist

FILE = Path(__file__).parents[2] / "golden" / "legowars" / "frozen.json"
TABLES = 20
UNTOLD = ("mount",)


def frozen(seed: int) -> dict[str, object]:
    """A random game stopped in mid-turn, as counts."""
    dice = random.Random(1000 + seed)  # noqa: S311
    game = enlist(dice)
    for step in range(120):
        at_work = game.state.turn > 0 and game.state.phase in ("MOVE", "ATTACK")
        if game.state.outcome is not None or (at_work and step >= 40):
            break
        act(game, dice)
    return counted(game, UNTOLD)


def open_ground():
    """A man in red's step 2 on open ground, and an enemy half a metre away."""
    return duel(500, "sword", phase="MOVE")


def behind_a_wall():
    """Two men 2 cm before a wall of six bricks across the whole table."""
    red = {"r1": ((400, 400), ("sword",)), "r2": ((700, 400), ())}
    wall = block("wall", 0, 420, 1200, 426, 57.6)
    return battle(red, {"b1": ((1100, 60), ())}, terrain=(wall,))


def in_range():
    """A bowman with a sword and a spearman in red's step 3, and four enemies."""
    red = {"r1": ((100, 400), ("bow", "quiver", "sword")), "r2": ((100, 300), ("spear",))}
    blue = {
        "b1": ((160, 400), ()),
        "b2": ((100, 650), ()),
        "b3": ((400, 300), ()),
        "b4": ((700, 100), ()),
    }
    return battle(red, blue, phase="ATTACK")


BY_HAND = (open_ground, behind_a_wall, in_range)


def test_frozen_tables():
    """LW-MOVE-01, LW-TURN-03, LW-TURN-05: twenty by chance, then those worked out by hand."""
    chance = [frozen(seed) for seed in range(TABLES)]
    check_frozen([*chance, *(counted(make(), UNTOLD) for make in BY_HAND)], FILE)


def test_by_hand_open_ground():
    """A man on open ground reaches a circle of 10 cm: 314 square centimetres.

    Outlines are drawn to half a millimetre, which takes up to 0.7 % off such a circle. Each of
    the two men has a club to be agreed on and his numbers to be told, each side may give up, red
    may be done.
    """
    assert counted(open_ground(), UNTOLD) == {
        "phase": "MOVE",
        "kinds": {"reach": 1, "done": 1, "agree": 2, "status": 2, "concede": 2},
        "reach_cm2": {"r1": pytest.approx(math.pi * 100.0, rel=0.007)},
        "targets": {},
    }


def test_by_hand_behind_a_wall():
    """The middle of a base of 1.6 cm comes within 0.8 cm of a wall 2 cm away.

    So a circle of 10 cm lacks the part beyond a chord 1.2 cm from its middle, which is
    100 acos(0.12) - 1.2 sqrt(98.56) square centimetres. Nobody gets over six bricks.
    """
    beyond = 100.0 * math.acos(0.12) - 1.2 * math.sqrt(98.56)
    near = pytest.approx(math.pi * 100.0 - beyond, rel=0.01)
    assert counted(behind_a_wall(), UNTOLD) == {
        "phase": "MOVE",
        "kinds": {"reach": 2, "done": 1, "agree": 3, "status": 3, "concede": 2},
        "reach_cm2": {"r1": near, "r2": near},
        "targets": {},
    }


def test_by_hand_targets():
    """Sword to 5 cm, spear to 30, bow to 60, edge to edge; a man between hides the rest.

    Gaps from r1: b1 60 - 16 = 44 mm, b2 234, b3 sqrt(300^2 + 100^2) - 16 = 300, b4 655. From r2:
    b1 sqrt(60^2 + 100^2) - 16 = 101, b2 334, b3 284, b4 616. Six ways to attack: bow, sword and
    bare hands of r1; stabbing, throwing and bare hands of r2. The bow is no club (LW-MEL-14).
    Two may drop things, six have numbers and a club to be agreed on.
    """
    assert counted(in_range(), UNTOLD) == {
        "phase": "ATTACK",
        "kinds": {"attack": 6, "drop": 2, "done": 1, "agree": 6, "status": 6, "concede": 2},
        "reach_cm2": {},
        "targets": {
            "r1 attack bow": ["b1", "b2", "b3"],
            "r1 attack sword": ["b1"],
            "r1 attack unarmed": ["b1"],
            "r2 attack spear": [],
            "r2 attack throw": ["b1", "b3"],
            "r2 attack unarmed": [],
        },
    }
