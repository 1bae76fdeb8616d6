"""Deathzap's words for the marks of a fighter and of the whole game."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from engine.roster import state_mark
from engine.rulesets.deathzap.data import FighterClass, data
from engine.spots import living, text_mark, word
from engine.state import GameState, Unit


class Phase(StrEnum):
    """States of the game that wait for somebody (section 4 of the rules)."""

    SETUP = "SETUP"
    ROLL_OFF = "ROLL_OFF"
    DEPLOY_FIRST = "DEPLOY_FIRST"
    DEPLOY_SECOND = "DEPLOY_SECOND"
    PICK = "PICK"
    CHOOSE_ACTION = "CHOOSE_ACTION"
    MOVING = "MOVING"
    TARGET = "TARGET"
    ROLL = "ROLL"
    MORALE = "MORALE"
    OFFER_DRAW = "OFFER_DRAW"
    FINISHED = "FINISHED"


DEPLOYING: Final = (Phase.DEPLOY_FIRST, Phase.DEPLOY_SECOND)
IN_PLAY: Final = (
    Phase.PICK,
    Phase.CHOOSE_ACTION,
    Phase.MOVING,
    Phase.TARGET,
    Phase.ROLL,
    Phase.MORALE,
    Phase.OFFER_DRAW,
)
"""Between the first activation and the end."""
MELEE: Final = "melee"
RANGED: Final = "ranged"


def class_of(unit: Unit) -> FighterClass | None:
    """The class of a fighter, None while nobody has said (DZ-WB-01)."""
    return data().classes.get(unit.equipment[0]) if len(unit.equipment) == 1 else None


def might(unit: Unit) -> int:
    """The Might of a fighter, 0 while nobody has said (DZ-WB-01)."""
    value = unit.mark("might")
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def stunned(unit: Unit) -> bool:
    """It is stunned."""
    return unit.mark("stunned") is True


def wounded(unit: Unit) -> bool:
    """It is wounded."""
    return unit.wounds > 0


def defending(unit: Unit) -> bool:
    """It is defending."""
    return unit.mark("defending") is True


def alive_count(state: GameState, side: str | None) -> int:
    """How many fighters a side has left; stunned and wounded ones count (DZ-MORALE-07)."""
    return sum(1 for _ in living(state, side))


def killed_count(state: GameState, side: str | None) -> int:
    """How many fighters a side has lost since the start (DZ-MORALE-01)."""
    return sum(1 for u in state.units if u.side == side and word(u, "gone") == "killed")


def active(state: GameState) -> Unit | None:
    """The activated fighter, None between activations."""
    return state.unit(text_mark(state, "fighter"))


def actions_left(state: GameState) -> int:
    """Actions the activated fighter has left."""
    value = state_mark(state, "actions_left")
    return value if isinstance(value, int) else 0


def count_mark(state: GameState, name: str) -> int:
    """A whole number kept for the game, 0 when it is not set."""
    value = state_mark(state, name)
    return value if isinstance(value, int) else 0


def attacks(state: GameState) -> list[tuple[str, bool]]:
    """Attacks of this activation in order: target, and whether it was killed."""
    entries = [entry for entry in text_mark(state, "attacks").split(";") if entry]
    return [(entry[:-1], entry[-1] == "+") for entry in entries]
