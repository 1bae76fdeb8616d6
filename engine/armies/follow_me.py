"""What a Follow Me company may be, and how a figure becomes one of it (FM-SET-02 to 12)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.actions import Action
from engine.armies.choosing import ANIMAL, MINIFIG, VEHICLE, Kind, Recruit, Thing, things_of
from engine.armies.lists import Entry
from engine.rulesets.follow_me.data import TroopType, data
from engine.rulesets.follow_me.game import FollowMe
from engine.rulesets.follow_me.settings import settings_of

WEAPONS: Final = ("bow", "crossbow")
"""What a hero may shoot with (FM-SET-12)."""
_LABELS: Final = {"cart_engine": VEHICLE, "dragon": ANIMAL}


def kinds() -> tuple[Kind, ...]:
    """Every type; heroes may have a bow or crossbow, mages know spells."""
    return tuple(
        Kind(name, own.words, _LABELS.get(name, MINIFIG), tuple(_things(own)))
        for name, own in data().types.items()
    )


def _things(own: TroopType) -> Iterator[Thing]:
    words = dict(FollowMe().info.equipment)
    if own.hero:
        yield from things_of(((name, words[name]) for name in WEAPONS), group="weapon")
    if own.mage:
        yield from things_of((key, spell.name.capitalize()) for key, spell in data().spells.items())


def wishes(recruit: Recruit) -> Iterator[Action]:
    """Its type, its weapon and spells, and who leads it: the hero listed before it (FM-SET-03)."""
    entry, own = recruit.entry, data().types.get(recruit.entry.kind)
    yield recruit.wish("type", entry.kind)
    if own is None:
        return
    for item in entry.items:
        if item in WEAPONS:
            yield recruit.wish("weapon", item)
        elif settings_of(recruit.state).modules_spells:
            yield recruit.wish("learn", item)
    if own.hero:
        for index in _men_of(recruit.entries, recruit.index):
            for man in recruit.bound.get(index, ()):
                yield recruit.wish("lead", recruit.figure_id, figure_id=man)
    elif not own.big_thing:
        heroes = [i for i in range(recruit.index) if _leads(recruit.entries[i])]
        for hero in recruit.bound.get(heroes[-1], ())[-1:] if heroes else ():
            yield recruit.wish("lead", hero)


def _men_of(entries: Sequence[Entry], hero: int) -> Iterator[int]:
    """Entries of the followers listed after a hero."""
    for index in range(hero + 1, len(entries)):
        own = data().types.get(entries[index].kind)
        if own is not None and own.hero:
            return
        if own is not None and not own.big_thing:
            yield index


def _leads(entry: Entry) -> bool:
    own = data().types.get(entry.kind)
    return own is not None and own.hero
