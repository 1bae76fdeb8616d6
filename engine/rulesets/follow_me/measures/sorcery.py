"""Power points, rolls and durations of spells (FM-MAGE, FM-SPELL)."""

from __future__ import annotations

from collections.abc import Iterable

from engine.rulesets.follow_me.data import Spell, TroopType, data
from engine.rulesets.follow_me.settings import Settings


def meditated(points: int, cap: int | None) -> int:
    """Points after a meditation that was not disturbed (FM-MAGE-08, FM-MAGE-20)."""
    more = points + data().whole("mage.meditate")
    return more if cap is None else min(more, max(cap, points))


def paid(points: int, spell: Spell) -> int | None:
    """Points left after a spell, None when there are too few (FM-MAGE-06, FM-MAGE-18)."""
    return None if spell.cost > points else points - spell.cost


def works(spell: Spell, face: int) -> bool:
    """Whether a spell works with that face (FM-MAGE-17)."""
    return face >= spell.to_hit


def struck(spell: Spell, kind: TroopType, face: int, *, undead: bool) -> bool:
    """Whether storm or decay strikes somebody under it (FM-SPELL-03, 11, 21)."""
    if kind.hits == 0 or (undead and spell.spares_undead):
        return False
    limit = spell.strikes_knight if kind.knight or kind.hero else spell.strikes_other
    return face <= limit


def last_turn(spell: Spell, cast: int, turns: int, settings: Settings) -> int:
    """Last turn in which a counted spell is active (FM-MAGE-25)."""
    how = settings.duration_counts_cast_turn
    counts = spell.counts_cast_turn if how == "by_spell" else how == "all"
    return cast + turns - counts


def may_wear_off(cast: int, now: int) -> bool:
    """Whether it is rolled in this turn if a spell wears off: from the next one (FM-MAGE-26)."""
    return now > cast


def wears_off(face: int) -> bool:
    """Whether that face ends a spell (FM-MAGE-26)."""
    return face <= data().whole("wear_off.ends_on")


def worn_off(cast: int, faces: Iterable[int]) -> int | None:
    """Last active turn of a spell that wears off, None when it goes on (FM-MAGE-26)."""
    now = cast
    for face in faces:
        now += 1
        if may_wear_off(cast, now) and wears_off(face):
            return now
    return None


def shield_fails(face: int) -> bool:
    """Whether a magic shield ends with that face (FM-SPELL-15)."""
    return face <= data().spells["shield"].fails_on


def first_turn(instruction: str, given: int, roll: int) -> int:
    """First turn in which a big thing acts on an instruction (FM-BIG-05 to 08, 14)."""
    if instruction == "attack":
        return given + roll
    return given + (data().whole("command.follow_delay") if instruction == "follow" else 0)


def first_stop_roll(given: int) -> int:
    """First turn in which it may have had enough of following (FM-BIG-09, FM-BIG-10)."""
    return first_turn("follow", given, 0) + 1
