"""Twenty frozen tables: what is offered, how far each reaches, whom each could go for.

After a wanted change of the rules set MINIMARSHAL_GOLDEN=1 once to write the file anew, and read
the difference. Three small tables are worked out by hand.
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


def test_frozen_tables():
    """FM-ACT-01, FM-MOVE-01, FM-SHOOT-14, FM-MAGE-14."""
    check_frozen([frozen(seed) for seed in range(TABLES)], FILE)


def test_by_hand_open_ground():
    """FM-MOVE-02 to 05: circles of 6, 5 and 14 inches on open ground."""
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
    found = counted(game)["reach_cm2"]
    for name, inches in (("r1", 6), ("r2", 5), ("rh", 14)):
        assert found[name] == pytest.approx(math.pi * (2.54 * inches) ** 2, rel=0.01), name


def test_by_hand_targets():
    """FM-SHOOT-02, 07, FM-ACT-06: a bow reaches 20 inches, knights only 15; a hero walks 6."""
    game = battle(
        [("archer", (600, 200))],
        [("goblin", (600, 500)), ("knight", (700, 640)), ("goblin", (100, 600)),
         ("goblin", (600, 740))],
        heroes=((480, 200), (1150, 860)),
    )  # fmt: skip
    hits = {n: t for n, t in counted(game)["targets"].items() if n.endswith("hit")}
    assert hits["rh hit"] == ["b1"]
    game.hold()
    game.do("done")
    assert counted(game)["targets"] == {"r1 aim": ["b1"]}


def test_by_hand_what_is_offered():
    """FM-ACT-01, FM-ACT-02, FM-MSG-02: all that two heroes with one man each may choose."""
    game = battle([("orc_grunt", (600, 80))], [("goblin", (600, 800))])
    assert counted(game)["kinds"] == {
        "follow": 2, "speech": 2, "hold": 2, "attack": 2, "note": 2, "unit": 4, "concede": 2,
    }  # fmt: skip
