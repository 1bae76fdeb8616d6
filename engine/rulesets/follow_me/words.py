"""Units, groups and spells as they are said."""

from __future__ import annotations

from engine.rulesets.follow_me.data import data
from engine.rulesets.follow_me.marks import (
    bound,
    carries_note,
    count,
    followers,
    frozen,
    group_name,
    invisible,
    is_hero,
    is_mage,
    kind_of,
    type_of,
    weapon_of,
)
from engine.spots import name_of, word
from engine.state import GameState, Unit
from engine.words import count as counted

DEEDS = {
    "hit": "Hit Someone", "follow": "Follow me", "speech": "a stirring speech",
    "insult": "insults", "note": "a note", "read": "reads a note", "attack": "Attack them",
    "instruct": "instructs", "cast": "casts", "meditate": "meditates", "hold": "holds",
    "adopt": "takes over men without a leader",
}  # fmt: skip
MORALE = {"": "steady", "shaken": "shaken", "falling_back": "falling back", "running": "running"}
RESULTS = {"steady": "steady", "shaken": "shaken", "fall_back": "fall back", "run": "run",
           "told": "for the players to say"}  # fmt: skip
FACTORS = {
    "commoner_this_turn": "commoners lost", "noble_this_turn": "nobles lost",
    "noble_in_game": "nobles lost in the game", "fighting_undead": "fighting undead",
    "outnumbered": "outnumbered", "speech": "cheered", "insulted": "insulted",
    "no_leader": "leader away", "fighting_big": "fighting a creature", "other": "fear",
}  # fmt: skip
WEAPONS = {"bow": "bow", "crossbow": "crossbow", "dragon_breath": "fire"}


def unit_words(state: GameState, unit: Unit) -> str:
    """State of a unit: ``"Red 1: archer, bow, shaken."``."""
    own = type_of(unit)
    parts = ["no type yet" if own is None else own.words]
    weapon = weapon_of(unit)
    parts += [WEAPONS[weapon]] if weapon else []
    kind = kind_of(unit)
    parts += [f"{unit.wounds} of {kind.hits} hits taken"] if kind.hits > 1 else []
    parts += [f"{count(unit, 'points')} power points"] if is_mage(unit) else []
    parts += [counted(len(followers(state, unit.figure_id)), "follower")] if is_hero(unit) else []
    led = word(unit, "led_by")
    parts += [f"follows {name_of(state, led)}"] if led else []
    parts += [MORALE[bound(state, unit)]] if bound(state, unit) else []
    parts += ["frozen"] if frozen(state, unit) else []
    parts += ["invisible"] if invisible(unit) else []
    parts += ["carries a note"] if carries_note(unit) else []
    parts += [f"told to {word(unit, 'instr')}"] if word(unit, "instr") else []
    return f"{unit.name}: {', '.join(parts)}."


def deed_words(state: GameState, deed: str, on: str) -> str:
    """An action with whom it is about."""
    words = DEEDS.get(deed, deed)
    if not on:
        return words
    if deed in ("attack", "insult", "adopt"):
        return f"{words}: {group_name(state, on)}"
    return f"{words}: {name_of(state, on)}"


def spell_words(key: str) -> str:
    """A spell as it is said."""
    return data().spells[key].name if key in data().spells else key


def signed(number: int) -> str:
    """``"plus 2"``, ``"minus 1"``, ``"as it falls"`` for 0."""
    if number == 0:
        return "as it falls"
    return f"{'plus' if number > 0 else 'minus'} {abs(number)}"


def need_words(face: int) -> str:
    """``"4, 5 or 6"``, ``"5 or 6"``, ``"6"``."""
    faces = [str(one) for one in range(face, data().whole("dice.sides") + 1)]
    if len(faces) == 1:
        return faces[0]
    return f"{', '.join(faces[:-1])} or {faces[-1]}"


def factors_words(factors: tuple[str, ...]) -> str:
    """``"commoners lost, minus 2; leader away, minus 1"``."""
    parts = []
    for factor in factors:
        name, _, value = factor.partition("=")
        parts.append(f"{FACTORS[name]}, {signed(int(value))}")
    return "; ".join(parts)
