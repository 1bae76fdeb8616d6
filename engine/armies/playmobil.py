"""What a Playmobil force may be, and how a figure becomes one of it (PM-PREP-08)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.actions import Action
from engine.armies.choosing import ANIMAL, PLAYMOBIL, VEHICLE, Kind, Recruit, Thing, things_of
from engine.rulesets.playmobil.data import data
from engine.rulesets.playmobil.equipping import MOST_THROWN
from engine.rulesets.playmobil.game import Playmobil
from engine.rulesets.playmobil.marks import BOWS
from engine.rulesets.playmobil.mounting import riders_of

THROWN: Final = ("javelin", "spear", "thrown")
"""Things to throw, counted together (PM-THROW-08)."""
RIDER: Final = "rider"
_NEVER_CHOSEN: Final = "riderless_elephant"
_LABELS: Final = {"elephant": ANIMAL, "chariot": VEHICLE, "engine": VEHICLE}
_SWITCHED: Final = ("torch", "lance")


def kinds() -> tuple[Kind, ...]:
    """Every troop type with what it may carry."""
    return tuple(
        Kind(name, own.words, _LABELS.get(own.kind, PLAYMOBIL), _things(name))
        for name, own in data().types.items()
        if name != _NEVER_CHOSEN
    )


def _things(name: str) -> tuple[Thing, ...]:
    own, words = data().types[name], dict(Playmobil().info.equipment)
    if own.bow:
        return tuple(things_of(((bow, words[bow]) for bow in BOWS), group="bow"))
    if name == "artillery":
        pieces = data().words["artillery.pieces"]
        return tuple(things_of(((one, words[one]) for one in pieces), group="piece"))
    if own.kind in ("elephant", "chariot"):
        return (Thing(RIDER, RIDER, riders_of(own.kind)),)
    if own.kind not in ("foot", "horse"):
        return ()
    held = "torch" if own.kind == "foot" else "lance"
    return (Thing(held, words[held]), Thing(THROWN[0], words[THROWN[0]], MOST_THROWN))


def wishes(recruit: Recruit) -> Iterator[Action]:
    """Its type, then what it carries and who rides on it."""
    yield recruit.wish("type", recruit.entry.kind)
    for kind, value, number in carried(recruit.entry.items):
        yield recruit.wish(kind, value, number)


def carried(items: Sequence[str]) -> list[tuple[str, str, float | None]]:
    """What a player would tap to give a figure these things: kind, value and number."""
    found: list[tuple[str, str, float | None]] = []
    for item in dict.fromkeys(items):
        if item in BOWS:
            found.append(("bow", item, None))
        elif item in data().words["artillery.pieces"]:
            found.append(("piece", item, None))
        elif item in _SWITCHED:
            found.append((item, "", None))
    thrown = sum(1 for item in items if item in THROWN)
    if thrown:
        found.append(("thrown", "", float(thrown)))
    if RIDER in items:
        found.append(("crew", "", float(items.count(RIDER))))
    return found
