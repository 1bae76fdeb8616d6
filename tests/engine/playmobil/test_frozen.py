"""Twenty frozen tables: what is offered, how far each reaches, whom each could attack.

After a wanted change of the rules set MINIMARSHAL_GOLDEN=1 once to write the file anew, and read
the difference. Three small tables are worked out by hand.
"""

import math
import random
from pathlib import Path

import pytest

from tests.engine.frozen import check_frozen, counted
from tests.engine.playmobil.battle import battle
from tests.engine.playmobil.test_random import new_game
from tests.engine.randomly import legal_step, offers, take
from tests.engine.tables import Game, box, cap

FILE = Path(__file__).parents[2] / "golden" / "playmobil" / "frozen.json"
TABLES = 20
FOOT = 304.8
MAN = "light_infantry"
FAR = (MAN, (1700, 1350))


def frozen(seed: int) -> dict[str, object]:
    """A random game stopped in mid-turn, as counts."""
    dice = random.Random(5000 + seed)  # noqa: S311
    game = new_game(seed)
    for step in range(80):
        at_work = game.state.phase == "ACT" and game.state.question is None
        if game.state.outcome is not None or (at_work and step >= seed // 4):
            break
        legal_step(game, play_on, dice)
    return counted(game)


def play_on(game: Game, dice: random.Random) -> None:
    """Anything that is offered but to give up."""
    take(game, dice.choice([o for o in offers(game) if o.kind != "concede"]), dice)


def test_frozen_tables():
    check_frozen([frozen(seed) for seed in range(TABLES)], FILE)


def test_by_hand_how_far():
    """Discs of half a foot, one foot and a foot and a half; Red 4 stands 10 cm from the edge.

    The middle of its base, 32 mm across, comes to within 16 mm of the edge: what lies more than
    84 mm that way is cut off.
    """
    game = battle(
        [("heavy_infantry", (450, 1000)), (MAN, (750, 400)), ("light_cavalry", (1280, 800)),
         (MAN, (100, 600))],
        [FAR],
    )  # fmt: skip
    found = counted(game)["reach_cm2"]
    for name, feet in (("r1", 0.5), ("r2", 1.0), ("r3", 1.5)):
        assert found[name] == pytest.approx(math.pi * (feet * FOOT) ** 2 / 100.0, rel=0.005), name
    at_the_edge = math.pi * FOOT**2 - cap(FOOT, 84.0)
    assert found["r4"] == pytest.approx(at_the_edge / 100.0, rel=0.005)


def test_by_hand_targets():
    """Two inches to strike, a foot to throw, a foot and a half for a longbow, edge to edge.

    Men are 32 mm across. From the archer: 450 mm to Blue 1, 465 to Blue 2, 40 to Blue 3 whom he
    might strike. From the thrower: 300 to Blue 4; 300 to Blue 5, who stands behind a hill.
    """
    hill = (box("hill", 1280, 560, 1320, 640, 200.0, kind="hill"),)
    game = battle(
        [("infantry_archer", (600, 600)), (MAN, (1200, 600))],
        [(MAN, (600, 600 + 32 + 450)), (MAN, (600 - 32 - 465, 600)), (MAN, (600, 600 - 32 - 40)),
         (MAN, (1200, 600 + 32 + 300)), (MAN, (1200 + 32 + 300, 600))],
        gear=[("r1", "bow", "longbow"), ("r2", "thrown", 1)],
        terrain=hill,
    )  # fmt: skip
    assert counted(game)["targets"] == {
        "r1 flame": ["b1", "b3"],
        "r1 melee": ["b3"],
        "r1 shoot": ["b1", "b3"],
        "r2 melee": [],
        "r2 throw": ["b4"],
    }


def test_by_hand_what_is_offered():
    """Each may move, strike and turn; a rider may charge or dismount; an engine waits for men."""
    game = battle(
        [(MAN, (300, 600)), ("heavy_cavalry", (900, 600)), ("battering_ram", (1500, 600))],
        [(MAN, (300, 660)), (MAN, (900, 1000)), FAR],
    )
    assert counted(game)["kinds"] == {
        "reach": 3, "melee": 2, "turn": 2, "charge": 1, "dismount": 1, "done": 1, "concede": 2,
    }  # fmt: skip
