"""What a Legowars army may be, and how a model becomes one of it (LW-GEN-07, LW-COST)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.actions import Action
from engine.armies.choosing import (
    ANIMAL,
    MINIFIG,
    TERRAIN,
    VEHICLE,
    Amount,
    Kind,
    Recruit,
    Thing,
    amounts_in,
    things_of,
)
from engine.rulesets.legowars.data import data
from engine.rulesets.legowars.game import Legowars
from engine.rulesets.legowars.marks import BOAT, BUILDING, HORSE, KINDS, MAN, MOUNT
from engine.rulesets.legowars.marks import VEHICLE as CART
from engine.rulesets.legowars.measures import gear
from engine.rulesets.legowars.setting_up import HORSE_THINGS

_LABELS: Final = {MAN: MINIFIG, HORSE: ANIMAL, MOUNT: ANIMAL}
_OF_TERRAIN: Final = ("doors", "ports", "ladders")
"""Numbers that the players mark on the terrain itself."""
_TWICE: Final = 2


def kinds() -> tuple[Kind, ...]:
    """Men, horses, vehicles, heavy weapons and buildings."""
    return tuple(
        Kind(
            name,
            name.replace("_", " "),
            TERRAIN if name == BUILDING else _LABELS.get(name, VEHICLE),
            tuple(_things(name)),
            _amounts(name),
        )
        for name in (*KINDS, BUILDING)
        if name != BOAT
    )


def _things(kind: str) -> Iterator[Thing]:
    words = dict(Legowars().info.equipment)
    if kind == MAN:
        for name in gear.things():
            yield Thing(name, words[name], _TWICE if name in gear.weapons() else 1)
    elif kind == HORSE:
        yield from things_of((name, words[name]) for name in HORSE_THINGS)
    elif kind == CART:
        yield from things_of((name, words[name]) for name in gear.HEAVY)


def _amounts(kind: str) -> tuple[Amount, ...]:
    if kind == CART:
        least = data().whole("vehicle", "armor")
        return (
            Amount("seats", "Seats", 0, 1, 20),
            Amount("wheels", "Wheels", 0, 4, 20),
            Amount("armor", "ARMOR", least, None, 100),
            Amount("structure", "STRUCTURE", 1, None, 1000),
        )
    if kind == BUILDING:
        return (
            Amount("studs", "Studs of ground", 1, 64, 10_000),
            Amount("levels", "Levels", 1, 1, 50),
            Amount("doors", "Doors", 0, None, 100),
            Amount("ports", "Firing ports", 0, None, 100),
            Amount("ladders", "Ladders", 0, None, 100),
            Amount("armor_bought", "ARMOR bought", 0, None, 100),
            Amount("structure_bought", "STRUCTURE bought", 0, None, 1000),
        )
    return ()


def wishes(recruit: Recruit) -> Iterator[Action]:
    """What it is, its numbers as bought, and what it holds and wears."""
    entry = recruit.entry
    kind = entry.kind or MAN
    things = [item for item in entry.items if "=" not in item]
    if kind == BUILDING:
        yield recruit.wish("building", recruit.side)
    else:
        mounted = things if kind not in (MAN, HORSE) else []
        items = (*(() if kind == MAN else (kind,)), *mounted)
        yield Action("assign", side=recruit.side, figure_id=recruit.figure_id, items=items)
    for name, number in amounts_in(entry.items):
        if name not in _OF_TERRAIN:
            yield recruit.wish("stat", name, number)
    if kind in (MAN, HORSE):
        for thing in things:
            yield recruit.wish("gear", thing)
