"""Twenty frozen tables: what is offered, how far each reaches, whom each could attack.

After a wanted change of the rules set MINIMARSHAL_GOLDEN=1 once to write the file anew, and read
the difference. Three small tables are worked out by hand.
"""

import math
import random
from pathlib import Path

import pytest

from tests.engine.deathzap.skirmish import skirmish
from tests.engine.deathzap.test_random import act, new_game
from tests.engine.frozen import check_frozen, counted
from tests.engine.randomly import legal_step
from tests.engine.tables import box, cap

FILE = Path(__file__).parents[2] / "golden" / "deathzap" / "frozen.json"
TABLES = 20
REST = ("Soldier", 5, (60.0, 60.0))
FAR = ("Soldier", 5, (560.0, 560.0))


def frozen(seed: int) -> dict[str, object]:
    """A random game stopped in mid-turn, as counts."""
    dice = random.Random(6000 + seed)  # noqa: S311
    game = new_game(dice, seed)
    for step in range(80):
        at_work = game.state.phase == "CHOOSE_ACTION" and game.state.question is None
        if game.state.outcome is not None or (at_work and step >= seed):
            break
        legal_step(game, act, dice)
    return counted(game)


def test_frozen_tables():
    check_frozen([frozen(seed) for seed in range(TABLES)], FILE)


@pytest.mark.parametrize(("kind", "inches"), [("Soldier", 3.0), ("Beast", 4.0)])
@pytest.mark.parametrize(("x", "beyond"), [(300.0, None), (50.0, 40.0)])
def test_by_hand_how_far(kind, inches, x, beyond):
    """A disc of 3 or 4 inches; 5 cm from the edge what lies more than 40 mm that way is cut off.

    The middle of a base 20 mm across comes to within 10 mm of the edge.
    """
    game = skirmish([(kind, 5, (x, 300)), REST], [FAR], pick="r1")
    reach = 25.4 * inches
    area = math.pi * reach**2 - (0.0 if beyond is None else cap(reach, beyond))
    assert counted(game)["reach_cm2"] == {"r1": pytest.approx(area / 100.0, rel=0.01)}


def test_by_hand_targets():
    """Fighters are 20 mm across; contact is up to 5 mm, a charge bridges 76.2 mm and those 5.

    From Red 1: 4 mm to Blue 1, who may be struck but neither charged nor shot at; 80 to Blue 2 and
    83 to Blue 3, of whom only the nearer may be charged; Blue 4 is hidden by a wall.
    """
    wall = (box("wall", 180, 290, 184, 310, 90.0),)
    game = skirmish(
        [("Gunslinger", 5, (300, 300)), REST],
        [("Soldier", 5, (300, 324)), ("Soldier", 5, (400, 300)), ("Soldier", 5, (300, 197)),
         ("Soldier", 5, (100, 300))],
        pick="r1",
        terrain=wall,
    )  # fmt: skip
    assert counted(game)["targets"] == {
        "r1 charge": ["b2"],
        "r1 melee": ["b1"],
        "r1 ranged": ["b2", "b3"],
    }


def test_by_hand_what_is_offered():
    """One of the own fighters is picked; then all its class may do, twice at most.

    A Warrior moves, charges whom it reaches, strikes, defends and boosts, but does not shoot. Who
    defends does not do it again, and the players can look that up.
    """
    game = skirmish([("Warrior", 5, (300, 300)), REST], [("Soldier", 5, (300, 380)), FAR])
    assert counted(game)["kinds"] == {"pick": 2, "concede": 2}
    game.do("pick", figure_id="r1")
    once = {"reach": 1, "move": 1, "charge": 1, "melee": 1, "boost": 1, "finish": 1, "concede": 2}
    assert counted(game)["kinds"] == {**once, "defend": 1}
    game.do("defend")
    assert counted(game)["kinds"] == {**once, "status": 1}
