"""How many shots a model has left, and with which weapon the next one may be fired."""

from __future__ import annotations

from engine.roster import state_mark
from engine.rulesets.figurslag.marks import STILL, number, word
from engine.rulesets.figurslag.measures.shooting import bonus_weapons, shots
from engine.rulesets.figurslag.settings import Settings
from engine.state import GameState, Unit

OVER = "over"


def mode_of(unit: Unit) -> str:
    """How the model moved last; normal when nobody has seen it (FS-TURN-05)."""
    return word(unit, "mode") or "normal"


def fired(unit: Unit, weapon: str | None = None) -> int:
    """Shots fired in this turn, with one weapon class or with all."""
    if weapon is not None:
        return int(number(unit, f"fired_{weapon}"))
    return sum(fired(unit, name) for name in dict.fromkeys(unit.equipment))


def total_shots(unit: Unit) -> int:
    """All shots of the model this turn."""
    if unit.mark("noshoot") or not unit.alive:
        return 0
    return shots(unit.equipment, mode_of(unit))


def bonus_shots(unit: Unit) -> int:
    """Shots on top of one for each weapon held."""
    return max(0, total_shots(unit) - len(unit.equipment))


def shots_left(state: GameState, settings: Settings, unit: Unit) -> int:
    """Shots the model may still fire in this turn."""
    if unit.mark("shooting") == OVER or has_shot(state, unit):
        return 0
    return max(0, total_shots(unit) - fired(unit))


def has_shot(state: GameState, unit: Unit) -> bool:
    """It began to shoot, and then another model of its team did (FS-TURN-03)."""
    return bool(unit.mark("shooting")) and state_mark(state, "shooter") != unit.figure_id


def weapons_left(state: GameState, settings: Settings, unit: Unit) -> tuple[str, ...]:
    """Weapon classes the next shot may be fired with, in the order held."""
    if not shots_left(state, settings, unit):
        return ()
    held = tuple(dict.fromkeys(unit.equipment))
    over = sum(max(0, fired(unit, name) - unit.equipment.count(name)) for name in held)
    bonus = bonus_shots(unit) - over
    for_bonus = bonus_weapons(unit.equipment, settings)
    return tuple(
        name
        for name in held
        if fired(unit, name) < unit.equipment.count(name) or (bonus > 0 and name in for_bonus)
    )


def claims_bonus(unit: Unit) -> bool:
    """It has fired one shot for each weapon and moved, so one more would be a false bonus."""
    return mode_of(unit) != STILL and fired(unit) >= len(unit.equipment) > 0
