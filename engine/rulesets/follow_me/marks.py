"""Follow Me's words for the marks of a unit and of the whole game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum
from typing import Final

from engine.rulesets.follow_me.data import TroopType, data
from engine.spots import text_mark, word
from engine.state import GameState, Unit


class Phase(StrEnum):
    """States of the game that wait for somebody (section 4 of the rules)."""

    SETUP = "SETUP"
    UPKEEP = "UPKEEP"
    DECLARE = "DECLARE"
    MOVE = "MOVE"
    SALLY = "SALLY"
    MAGIC = "MAGIC"
    SHOOT_TARGETS = "SHOOT_TARGETS"
    SHOOT_ROLL = "SHOOT_ROLL"
    SHOOT_CASUALTIES = "SHOOT_CASUALTIES"
    MELEE_SPLIT = "MELEE_SPLIT"
    MELEE_ROLL = "MELEE_ROLL"
    DUELS = "DUELS"
    MELEE_RESULTS = "MELEE_RESULTS"
    MORALE = "MORALE"
    END_TURN = "END_TURN"
    FINISHED = "FINISHED"


class Deed(StrEnum):
    """What a hero declares (FM-ACT-01, FM-ACT-02)."""

    HIT = "hit"
    FOLLOW = "follow"
    SPEECH = "speech"
    INSULT = "insult"
    NOTE = "note"
    READ = "read"
    ATTACK = "attack"
    INSTRUCT = "instruct"
    CAST = "cast"
    MEDITATE = "meditate"
    HOLD = "hold"
    ADOPT = "adopt"


STANDING_DEEDS: Final = (Deed.SPEECH, Deed.INSULT, Deed.CAST, Deed.MEDITATE)
"""Actions during which the hero does not move (FM-ACT-11, FM-ACT-24, FM-MAGE-07, 08)."""
TURN_MARKS: Final = (
    "deed", "deed_on", "deed_to", "heard", "moved", "crossed", "teleported", "lagged", "aim",
    "passed", "rolled", "shot", "named", "spell_on", "spell_x", "spell_y", "cast_done", "disturbed",
    "hit_now", "fought", "fought_undead", "fought_big", "surprised", "asked_test", "tested",
    "fear_result", "lost_commoners", "lost_nobles", "speech", "cheered", "insulted", "insult_hit",
    "ran", "sally", "sign1", "sign2", "sign3", "dueled", "pushed", "follows_up", "doomed",
    "doomed_by", "unseen_by", "note_lost",
)  # fmt: skip
"""What is kept of a figure for one turn only."""


def type_of(unit: Unit) -> TroopType | None:
    """Troop type of a unit, None while nobody has said (FM-SET-06)."""
    name = word(unit, "type")
    if name:
        return data().types.get(name)
    return next((data().types[item] for item in unit.equipment if item in data().types), None)


def kind_of(unit: Unit) -> TroopType:
    """What a unit is now: a mage by its mount (FM-MAGE-29), a mighty warrior (FM-SPELL-16a)."""
    own = type_of(unit) or data().types["light_soldier"]
    body = data().types.get(word(unit, "body"))
    if own.mage and body is not None:
        own = replace(
            own, move_in=body.move_in, shoot_row=body.shoot_row, breath_row=body.breath_row,
            mounted=body.mounted,
        )  # fmt: skip
    if unit.mark("fx_mighty") is not None:
        hero = data().types["hero_foot_light"]
        return replace(own, melee=hero.melee, margin=hero.margin, hits=hero.hits)
    return own


def is_hero(unit: Unit) -> bool:
    """A hero or mage, who leads a contingent (FM-SET-02)."""
    own = type_of(unit)
    return own is not None and own.hero


def is_mage(unit: Unit) -> bool:
    """A hero who casts (FM-MAGE-01)."""
    own = type_of(unit)
    return own is not None and own.mage


def is_big(unit: Unit) -> bool:
    """A Giant or Dragon (FM-SET-05)."""
    own = type_of(unit)
    return own is not None and own.big_thing


def flies(unit: Unit) -> bool:
    """A dragon (FM-OBS-06)."""
    return word(unit, "type") == "dragon" or "dragon" in unit.equipment


def duels(unit: Unit) -> bool:
    """Who fights duels: heroes, Big Things, mighty warriors (FM-HERO-02, 17, FM-SPELL-16a)."""
    return is_hero(unit) or is_big(unit) or unit.mark("fx_mighty") is not None


def undead(unit: Unit) -> bool:
    """Undead by type or as flagged (FM-SET-08)."""
    own = type_of(unit)
    return unit.mark("undead") is True or (own is not None and own.undead)


def rank_of(unit: Unit) -> str:
    """``noble``, ``commoner`` or ``none`` (FM-SET-07)."""
    own = type_of(unit)
    return word(unit, "rank") or ("none" if own is None else own.rank)


def weapon_of(unit: Unit) -> str:
    """Missile weapon, ``""`` without one (FM-SET-12)."""
    own = type_of(unit)
    if own is not None and own.hero:
        return word(unit, "weapon") or next(
            (item for item in unit.equipment if item in ("bow", "crossbow")), ""
        )
    return "" if own is None else own.weapon


def count(unit: Unit, name: str) -> int:
    """A whole number kept for a unit, 0 when it is not set."""
    value = unit.mark(name)
    return int(value) if isinstance(value, int | float) else 0


def has(unit: Unit, name: str) -> bool:
    """Whether a truth is kept for a unit."""
    return unit.mark(name) is True


def living(state: GameState, side: str | None = None) -> Iterator[Unit]:
    """Units still in the game, of one alliance or of all."""
    return (u for u in state.units if u.alive and side in (None, u.side))


def heroes(state: GameState, side: str | None = None) -> Iterator[Unit]:
    """Living heroes."""
    return (u for u in living(state, side) if is_hero(u))


def hostile(unit: Unit, other: Unit) -> bool:
    """Enemies are those of another alliance (FM-SET-09)."""
    return unit.side != other.side


def group_id(unit: Unit) -> str:
    """The group a unit belongs to: its hero, or itself when it is solitary."""
    if is_hero(unit) or is_big(unit):
        return unit.figure_id
    return word(unit, "led_by") or unit.figure_id


def followers(state: GameState, hero_id: str) -> list[Unit]:
    """Living followers of a hero, dead or alive himself (FM-SET-03)."""
    return [
        u for u in living(state)
        if word(u, "led_by") == hero_id and not is_hero(u) and not is_big(u)
    ]  # fmt: skip


def members(state: GameState, group: str) -> list[Unit]:
    """Everybody alive in a group, the hero among them."""
    return [u for u in living(state) if group_id(u) == group]


def groups(state: GameState, side: str | None = None) -> list[str]:
    """Groups with somebody alive, in order of their ids."""
    return sorted({group_id(u) for u in living(state, side)})


def group_name(state: GameState, group: str) -> str:
    """What players call a group."""
    unit = state.unit(group)
    if unit is None:
        return group
    return unit.name if is_big(unit) else f"{unit.name}'s group"


def morale_of(state: GameState, unit: Unit) -> str:
    """Morale of the group of a unit: ``""`` is normal."""
    holder = state.unit(group_id(unit))
    return "" if holder is None else word(holder, "morale")


def bound(state: GameState, unit: Unit) -> str:
    """Morale that binds a figure; a hero is free (FM-MORALE-25)."""
    return "" if is_hero(unit) else morale_of(state, unit)


def frozen(state: GameState, unit: Unit) -> bool:
    """Held by FREEZE: no move, shot, action or word (FM-SPELL-08); it still fights back.

    It is one figure, and it can be pushed (FM-SPELL-08a).
    """
    return unit.mark("fx_freeze") is not None and state.turn <= count(unit, "fx_freeze")


def blinded(state: GameState, unit: Unit) -> bool:
    """Of a blinded contingent (FM-SPELL-02)."""
    holder = state.unit(group_id(unit))
    return (
        holder is not None
        and holder.mark("fx_blinder") is not None
        and state.turn <= count(holder, "fx_blinder")
    )


def invisible(unit: Unit) -> bool:
    """Hidden by GONE FROM SIGHT; who touches it may fight it (FM-SPELL-10, FM-SPELL-10a)."""
    return unit.mark("fx_gone") is not None


def slowed(state: GameState, unit: Unit) -> bool:
    """Of a group under GO SLOW; a leader only when he was near (FM-SPELL-09)."""
    return _covered(state, unit, "slow")


def shielded(state: GameState, unit: Unit) -> bool:
    """Of a group under MAGIC SHIELD; a leader only when he was near (FM-SPELL-15a)."""
    return _covered(state, unit, "shield")


def _covered(state: GameState, unit: Unit, spell: str) -> bool:
    holder = state.unit(group_id(unit))
    if holder is None or holder.mark(f"fx_{spell}") is None:
        return False
    return not is_hero(unit) or has(holder, f"{spell}_leader")


def speed_mods(state: GameState, unit: Unit) -> tuple[str, ...]:
    """Spells that change a move (FM-SPELL-22)."""
    mods = ["flash"] if unit.mark("fx_flash") is not None else []
    return tuple([*mods, "slow"] if slowed(state, unit) else mods)


def spells_known(unit: Unit) -> tuple[str, ...]:
    """The six spells a mage has chosen (FM-MAGE-11)."""
    return tuple(key for key in word(unit, "known").split(",") if key)


def carries_note(unit: Unit) -> bool:
    """A messenger on his way (FM-MSG-06)."""
    return bool(word(unit, "note_to"))


def instruction(state: GameState, unit: Unit) -> str:
    """What a Big Thing does now, ``""`` when it is idle (FM-BIG-17, FM-BIG-18)."""
    return word(unit, "instr")


def flagged(unit: Unit) -> bool:
    """A flag about where it stands is open."""
    return word(unit, "open") == "flag"


def asked(unit: Unit) -> bool:
    """A question about where it stands is open."""
    return word(unit, "open") == "ask"


def placing(state: GameState) -> list[Unit]:
    """Units that the players still have to put where the rules set them (FM-GEO-12)."""
    return [u for u in living(state) if has(u, "placing")]


def unsettled(state: GameState) -> list[Unit]:
    """Units to be put in place, then those with an open flag; moves do not end over them."""
    return placing(state) + [u for u in living(state) if flagged(u)]


def left_out(state: GameState) -> list[Unit]:
    """Units that are told before the game not to play; until it begins they may after all."""
    if state.phase != Phase.SETUP:
        return []
    return [u for u in state.units if not u.alive and word(u, "gone") == "left_out"]


def listed_mark(state: GameState, name: str) -> list[list[str]]:
    """A mark of the game that is a list of lists: ``"a|b,c;d|e"``."""
    parts = [part for part in text_mark(state, name).split(";") if part]
    return [part.split("|") for part in parts]


def sides_in_play(state: GameState) -> list[str]:
    """Alliances that had a hero when the game began."""
    found = text_mark(state, "playing")
    if found:
        return found.split(",")
    return [side for side in state.sides if any(True for _ in heroes(state, side))]
