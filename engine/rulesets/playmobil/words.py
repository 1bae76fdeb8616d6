"""Units and dice as they are said."""

from __future__ import annotations

from engine.rulesets.playmobil.marks import (
    aboard,
    bow_of,
    carries,
    crew_of,
    has,
    is_left_horse,
    thrown_left,
    type_of,
    waiting,
)
from engine.state import GameState, Unit
from engine.words import count, small_number


def unit_words(state: GameState, unit: Unit) -> str:
    """State of a unit: ``"Red 1: heavy cavalry, 1 to throw, blocked this turn."``."""
    own = type_of(unit)
    if is_left_horse(unit):
        return f"{unit.name}: a horse without rider."
    parts = ["no type yet" if own is None else own.words]
    if bow_of(unit):
        parts.append(bow_of(unit).replace("_", " "))
    parts += [f"{thrown_left(unit)} to throw"] if thrown_left(unit) else []
    parts += [name for name in ("torch", "lance") if carries(unit, name)]
    crew = crew_of(state, unit)
    parts += [count(len(crew), "man", "men") + " aboard"] if crew else []
    parts += ["aboard"] if aboard(unit) else []
    parts += [f"waiting to {waiting(unit)}"] if waiting(unit) not in ("", "torch") else []
    parts += ["holding a torch"] if waiting(unit) == "torch" else []
    parts += ["finished this turn"] if has(unit, "stopped") else []
    return f"{unit.name}: {', '.join(parts)}."


def dice_words(number: int) -> str:
    """``"two dice"``."""
    return f"{small_number(number)} {'die' if number == 1 else 'dice'}"


def against_words(a: int, d: int) -> str:
    """``"two dice against one"``."""
    return f"{dice_words(a)} against {small_number(d)}"


def percent(chance: float) -> str:
    """``"75 in 100"``."""
    return f"{round(100 * chance)} in 100"
