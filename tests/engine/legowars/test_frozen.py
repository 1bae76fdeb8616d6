"""Twenty frozen tables: what is offered, how far each reaches, whom each could attack.

After a wanted change of the rules set MINIMARSHAL_GOLDEN=1 once to write the file anew, and read
the difference. Two small tables are worked out by hand.
"""

import json
import math
import os
import random
from pathlib import Path

import pytest

from tests.engine.legowars.battle import battle, duel
from tests.engine.legowars.chance import act, enlist
from tests.engine.tables import drawn

FILE = Path(__file__).parents[2] / "golden" / "legowars" / "frozen.json"
TABLES = 20


def frozen(seed: int) -> dict[str, object]:
    """A random game stopped in mid-turn, as counts."""
    dice = random.Random(1000 + seed)  # noqa: S311
    game = enlist(dice)
    for step in range(120):
        at_work = game.state.turn > 0 and game.state.phase in ("MOVE", "ATTACK")
        if game.state.outcome is not None or (at_work and step >= 40):
            break
        act(game, dice)
    return counted(game)


def counted(game) -> dict[str, object]:
    kinds: dict[str, int] = {}
    areas: dict[str, float] = {}
    targets: dict[str, list[str]] = {}
    for option in game.referee.options():
        kinds[option.kind] = kinds.get(option.kind, 0) + 1
        if option.kind == "reach" and option.figure_id:
            area = sum(drawn(shape).area for shape in option.shapes)
            areas[option.figure_id] = round(area / 100.0)
        if option.targets and option.kind != "mount":
            name = f"{option.figure_id} {option.kind} {option.value}"
            targets[name] = sorted(t.figure_id for t in option.targets if t.allowed)
    return {
        "phase": game.state.phase,
        "kinds": dict(sorted(kinds.items())),
        "reach_cm2": dict(sorted(areas.items())),
        "targets": dict(sorted(targets.items())),
    }


def test_frozen_tables():
    found = [frozen(seed) for seed in range(TABLES)]
    if os.environ.get("MINIMARSHAL_GOLDEN") == "1":
        FILE.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    expected = json.loads(FILE.read_text(encoding="utf-8"))
    for seed, (one, other) in enumerate(zip(found, expected, strict=True)):
        areas, known = one.pop("reach_cm2"), other.pop("reach_cm2")
        assert one == other, seed
        assert areas == pytest.approx(known, rel=0.01, abs=1), seed


def test_by_hand_open_ground():
    """A man on open ground reaches a circle of 10 cm: 314 square centimetres."""
    game = duel(500, "sword", phase="MOVE")
    found = counted(game)
    assert found["reach_cm2"] == {"r1": pytest.approx(math.pi * 100.0, rel=0.005)}
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
    assert counted(game)["targets"] == {
        "r1 attack bow": ["b1", "b2", "b3"],
        "r1 attack sword": ["b1"],
        "r1 attack unarmed": ["b1"],
        "r2 attack spear": [],
        "r2 attack throw": ["b1", "b3"],
        "r2 attack unarmed": [],
    }
