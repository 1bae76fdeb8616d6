"""Twenty frozen tables: what is offered, how far each reaches, whom each could attack.

After a wanted change of the rules set MINIMARSHAL_GOLDEN=1 once to write the file anew, and read
the difference. Two small tables are worked out by hand.
"""

import math
import random
from pathlib import Path

import pytest

from tests.engine.frozen import check_frozen, counted
from tests.engine.legowars.battle import battle, duel
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


def test_frozen_tables():
    check_frozen([frozen(seed) for seed in range(TABLES)], FILE)


def test_by_hand_open_ground():
    """A man on open ground reaches a circle of 10 cm: 314 square centimetres.

    Outlines are drawn to half a millimetre, which takes up to 0.7 % off such a circle.
    """
    game = duel(500, "sword", phase="MOVE")
    found = counted(game, UNTOLD)
    assert found["reach_cm2"] == {"r1": pytest.approx(math.pi * 100.0, rel=0.007)}
    assert found["kinds"]["done"] == 1


def test_by_hand_targets():
    """Sword to 5 cm, spear to 30, bow to 60, edge to edge; a man between hides the rest."""
    red = {"r1": ((100, 400), ("bow", "quiver", "sword")), "r2": ((100, 300), ("spear",))}
    blue = {
        "b1": ((160, 400), ()),
        "b2": ((100, 650), ()),
        "b3": ((400, 300), ()),
        "b4": ((700, 100), ()),
    }
    game = battle(red, blue, phase="ATTACK")
    assert counted(game, UNTOLD)["targets"] == {
        "r1 attack bow": ["b1", "b2", "b3"],
        "r1 attack sword": ["b1"],
        "r1 attack unarmed": ["b1"],
        "r2 attack spear": [],
        "r2 attack throw": ["b1", "b3"],
        "r2 attack unarmed": [],
    }
