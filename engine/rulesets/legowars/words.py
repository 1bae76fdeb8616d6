"""Numbers to roll and things as they are said."""

from __future__ import annotations

from engine.rulesets.legowars.aiming import strike_of
from engine.rulesets.legowars.marks import Phase, armor_of, words_mark
from engine.rulesets.legowars.measures import attacks
from engine.rulesets.legowars.settings import Settings
from engine.spots import name_of, number_mark, text_mark
from engine.state import GameState

_NAMES = {
    "unarmed": "bare hands",
    "throw": "throws a spear",
    "bow_club": "bow as a club",
    "lance_foot": "lance on foot",
    "lance_mounted": "lance",
    "leather": "leather armor",
    "body": "body armor",
    "plate": "plate armor",
}


def thing_words(row: str, value: str = "") -> str:
    """What players call a weapon or thing."""
    return _NAMES.get(value) or _NAMES.get(row) or row.replace("_", " ")


def number_words(why: tuple[str, ...], number: int) -> str:
    """``"8: base 7, halberd minus 2, cover plus 3"``."""
    told = []
    for part in why:
        name, _, value = part.rpartition(" ")
        sign = "minus" if value.startswith("-") else "plus"
        size = value.lstrip("+-")
        told.append(f"base {size}" if name == "base" else f"{thing_words(name)} {sign} {size}")
    return f"{number}: {', '.join(told)}"


def need_words(number: int) -> str:
    """What hits: a natural 1 never and a natural 10 always does."""
    if number > 9:
        return "only a 10 hits"
    return f"{max(2, number)} or more hits"


def roll_words(state: GameState, settings: Settings) -> tuple[str, str, str, str | None]:
    """Button, what to roll and why, rule, and who rolls."""
    if state.phase == Phase.ATK_FALL:
        names = words_mark(state, "falls")
        unit = state.unit(names[0]) if names else None
        armor = 0 if unit is None else attacks.fall_armor(armor_of(unit, settings), settings)
        name = name_of(state, names[0] if names else None)
        side = None if unit is None else unit.side
        why = f"Roll: {armor} or more and {name} is dead."
        if armor > 10 and settings.fall_auto_rolls == "none":
            why = f"Roll; with armor {armor} {name} cannot die of it."
        return f"{name} falls", why, "LW-LADD-06", side
    target = name_of(state, text_mark(state, "aim_target"))
    by = name_of(state, text_mark(state, "aim_by"))
    number = int(number_mark(state, "aim_number"))
    if state.phase == Phase.ATK_HIT:
        why = f"Needs {number}: {need_words(number)}; a 1 always misses."
        return f"{by} attacks {target}", why, "LW-MEL-10", state.active_side
    return f"Damage to {target}", damage_words(state, settings), "LW-DMG-01", state.active_side


def damage_words(state: GameState, settings: Settings) -> str:
    """``"Roll 3 or more: it kills (armor 6, sword plus 3); a 1 breaks the sword."``."""
    strike, goal = strike_of(state)
    unit = state.unit(text_mark(state, "aim_target"))
    armor = 0 if unit is None else armor_of(unit, settings)
    faces = attacks.through_faces(strike, armor, goal, settings)
    name = thing_words(strike.weapon or "hooves")
    kills = "damages" if goal.has_structure else "kills"
    need = "Nothing gets through" if not faces else f"Roll {min(faces)} or more: it {kills}"
    if goal.dead:
        need = "Dead already: it changes nothing"
    parts = [f"armor {armor}"]
    damage = strike.damage(settings)
    if damage:
        parts.append(f"{name} {'minus' if damage < 0 else 'plus'} {abs(damage)}")
    breaks = f"; a 1 breaks the {name}" if strike.breaks(settings) else ""
    return f"{need} ({', '.join(parts)}){breaks}."


def percent(chance: float) -> str:
    """``"45 in 100"``."""
    return f"{round(100 * chance)} in 100"
