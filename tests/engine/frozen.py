"""Random games stopped in mid-turn, kept as counts of what is offered, reached and aimed at."""

from __future__ import annotations

import json
import os
from collections.abc import Collection
from pathlib import Path

import pytest

from tests.engine.tables import Game, drawn


def counted(game: Game, untold: Collection[str] = ()) -> dict[str, object]:
    """How often each kind is offered, areas of reach, and who may be aimed at.

    Args:
        game: As it stands.
        untold: Kinds of options whose targets do not matter.
    """
    kinds: dict[str, int] = {}
    areas: dict[str, float] = {}
    targets: dict[str, list[str]] = {}
    for option in game.referee.options():
        kinds[option.kind] = kinds.get(option.kind, 0) + 1
        if option.kind == "reach" and option.figure_id:
            area = sum(drawn(shape).area for shape in option.shapes)
            areas[option.figure_id] = round(area / 100.0)
        if option.targets and option.kind not in untold:
            name = f"{option.figure_id} {option.kind} {option.value or ''}".strip()
            targets[name] = sorted(t.figure_id for t in option.targets if t.allowed)
    return {
        "phase": game.state.phase,
        "kinds": dict(sorted(kinds.items())),
        "reach_cm2": dict(sorted(areas.items())),
        "targets": dict(sorted(targets.items())),
    }


def check_frozen(found: list[dict[str, object]], file: Path) -> None:
    """The counts are those kept; MINIMARSHAL_GOLDEN=1 writes them anew."""
    if os.environ.get("MINIMARSHAL_GOLDEN") == "1":
        file.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    expected = json.loads(file.read_text(encoding="utf-8"))
    for seed, (one, other) in enumerate(zip(found, expected, strict=True)):
        areas, known = one.pop("reach_cm2"), other.pop("reach_cm2")
        assert one == other, seed
        assert areas == pytest.approx(known, rel=0.01, abs=1), seed
