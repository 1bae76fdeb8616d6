"""Twenty frozen tables: what is offered, how far each reaches, whom each could shoot at.

After a wanted change of the rules set MINIMARSHAL_GOLDEN=1 once to write the file anew, and read
the difference. Three small tables are worked out by hand.
"""

import math
import random
from pathlib import Path

import pytest

from tests.engine.figurslag.test_random import new_game, play_on
from tests.engine.frozen import check_frozen, counted
from tests.engine.randomly import legal_step, offers
from tests.engine.tables import cap, facing_off

FILE = Path(__file__).parents[2] / "golden" / "figurslag" / "frozen.json"
TABLES = 20
AT_WORK = ("MOVE", "SHOOT")


def frozen(seed: int) -> dict[str, object]:
    """A random game stopped in mid-turn, as counts."""
    dice = random.Random(4000 + seed)  # noqa: S311
    game, _ = new_game(dice, seed)
    for step in range(80):
        at_work = game.state.phase == AT_WORK[seed % 2] and game.state.question is None
        aimed = [o for o in offers(game) if o.kind == "shoot"]
        ready = at_work and step >= seed // 4 and (aimed or seed % 2 == 0)
        if ready or game.state.outcome is not None:
            break
        legal_step(game, play_on, dice)
    return counted(game)


def test_frozen_tables():
    check_frozen([frozen(seed) for seed in range(TABLES)], FILE)


@pytest.mark.parametrize(("x", "beyond"), [(300.0, None), (560.0, 32.0)])
def test_by_hand_how_far(x, beyond):
    """Two discs: 10 cm with a shot afterwards and 15 cm without, drawn one over the other.

    4 cm from the edge of the table the middle of a base 16 mm square comes to within 8 mm of it:
    what lies more than 32 mm that way is cut off.
    """
    game = facing_off(red={"r1": (x, 200)})
    area = sum(math.pi * r**2 - (0.0 if beyond is None else cap(r, beyond)) for r in (100.0, 150.0))
    assert counted(game)["reach_cm2"]["r1"] == pytest.approx(area / 100.0, rel=0.005)


def test_by_hand_targets():
    """Small guns to 10 cm, large ones to 20, from base to base, not through a model.

    Bases are 16 mm square and turned alike, so a gap is the hypotenuse of dx - 16 and dy - 16.
    Red 1 (small): 90 mm to Blue 1; 190 to Blue 2. Red 3 (large) stands behind Red 1: 120 to Blue 1,
    who is hidden by Red 1; hypot(190, 14) = 190.5 to Blue 2; 210 to Blue 3. Red 4 (large, 280, 20):
    hypot(4, 220) to Blue 1, hypot(210, 114) to Blue 2. Red 5 (large, 340, 20): hypot(150, 114) =
    188.4 to Blue 2.
    """
    game = facing_off(
        red={"r1": (300, 150), "r3": (300, 120)},
        blue={"b1": (300, 256), "b2": (506, 150), "b3": (74, 150)},
    )
    game.do("done")
    assert counted(game)["targets"] == {
        "r1 shoot small": ["b1"],
        "r2 shoot small": [],
        "r3 shoot large": ["b2"],
        "r4 shoot large": [],
        "r5 shoot large": ["b2"],
    }


def test_by_hand_what_is_offered():
    """Five may move, then shoot; a phase can end, and each team may give up.

    A dead model is no target, and one that moved far is not offered a shot but told why.
    """
    game = facing_off(red={"r1": (300, 150)}, blue={"b1": (300, 256)})
    assert counted(game)["kinds"] == {"reach": 5, "done": 1, "concede": 2}
    game.put("r2", (160, 140))
    game.do("done")
    assert counted(game)["kinds"] == {"shoot": 4, "why": 1, "done": 1, "concede": 2}
    game.do("shoot", figure_id="r1", target_id="b1", dice=(6, 1))
    assert counted(game)["targets"]["r1 shoot small"] == []
