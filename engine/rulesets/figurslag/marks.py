"""Figurslag's words for the marks of a unit and of the whole game."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from engine.roster import state_mark
from engine.spots import (
    Spot,
    at_spot,
    living,
    name_of,
    number,
    number_mark,
    side_name,
    spot,
    spot_of,
    text_mark,
    word,
)
from engine.state import GameState, Unit

__all__ = [
    "CLIMB_NOSHOOT",
    "FAR",
    "IN_PLAY",
    "SETTING_UP",
    "SHOT_PHASES",
    "STILL",
    "Phase",
    "Spot",
    "at_spot",
    "conceded",
    "has_open",
    "leaving",
    "living",
    "living_count",
    "may_give_up",
    "name_of",
    "number",
    "number_mark",
    "side_name",
    "spot",
    "spot_of",
    "text_mark",
    "word",
]


class Phase(StrEnum):
    """States of the game that wait for somebody (section 4 of the rules)."""

    TERRAIN = "TERRAIN"
    ROSTER = "ROSTER"
    DEPLOY = "DEPLOY"
    FIRST = "FIRST"
    MOVE = "MOVE"
    SHOOT = "SHOOT"
    SHOT_DECLARE = "SHOT_DECLARE"
    SHOT_CHECK = "SHOT_CHECK"
    HIT = "HIT"
    DODGE = "DODGE"
    CONCEDE = "CONCEDE"
    OVER = "OVER"


SHOT_PHASES: Final = (Phase.SHOT_DECLARE, Phase.SHOT_CHECK, Phase.HIT, Phase.DODGE)
"""Within one model's shooting."""
IN_PLAY: Final = (Phase.MOVE, Phase.SHOOT, *SHOT_PHASES)
"""A team may give up in these."""
SETTING_UP: Final = (Phase.TERRAIN, Phase.ROSTER, Phase.DEPLOY, Phase.FIRST)

STILL: Final = "still"
FAR: Final = "far"
CLIMB_NOSHOOT: Final = "climb_noshoot"


def has_open(unit: Unit) -> bool:
    """A flag or question about this model waits for the players."""
    return bool(word(unit, "open"))


def conceded(state: GameState) -> tuple[str, ...]:
    """Teams that gave up."""
    return _teams(state, "conceded")


def leaving(state: GameState) -> tuple[str, ...]:
    """Teams that give up when the shot under way is finished, in order."""
    return _teams(state, "leaving")


def may_give_up(state: GameState, side: str) -> bool:
    """Whether a team has somebody living and did not give up yet (FS-WIN-03)."""
    out = (*conceded(state), *leaving(state))
    return side in state.sides and side not in out and any(living(state, side))


def living_count(state: GameState) -> dict[str, int]:
    """Living models of every team."""
    return {side: sum(1 for _ in living(state, side)) for side in state.sides}


def _teams(state: GameState, mark: str) -> tuple[str, ...]:
    value = state_mark(state, mark)
    return tuple(value.split(",")) if isinstance(value, str) and value else ()
