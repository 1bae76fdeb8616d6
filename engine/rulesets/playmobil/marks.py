"""Playmobil's words for the marks of a unit and of the whole game."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Final

from engine.memo import known_by
from engine.roster import state_mark
from engine.rulesets.playmobil.data import TroopType, data
from engine.spots import living, text_mark, word
from engine.state import GameState, Unit


class Phase(StrEnum):
    """States of the game that wait for somebody (section 4 of the rules)."""

    SETUP = "SETUP"
    ROLL_OFF = "ROLL_OFF"
    CHOOSE_EDGE = "CHOOSE_EDGE"
    DEPLOY = "DEPLOY"
    ACT = "ACT"
    RESOLVE = "RESOLVE"
    AFTER_KILL = "AFTER_KILL"
    ARTILLERY = "ARTILLERY"
    RAMPAGE = "RAMPAGE"
    FINISHED = "FINISHED"


IN_PLAY: Final = (Phase.ACT, Phase.RESOLVE, Phase.AFTER_KILL, Phase.ARTILLERY, Phase.RAMPAGE)
"""Between the first turn and the end."""
BOWS: Final = ("short_bow", "crossbow", "longbow")
HORSE: Final = "horse_left"
TURN_MARKS: Final = (
    "moved", "attacked", "stopped", "threw", "shots", "flamed", "charged", "bonus_used",
    "charge_of", "chain", "step_to", "step_gap", "fired", "rammed", "faces", "last_x", "last_y",
    "beside",
)  # fmt: skip
"""What is kept of a figure in one own turn only, each by itself (PM-TURN-09, PM-PREP-10)."""


@known_by(1024)
def type_of(unit: Unit) -> TroopType | None:
    """Troop type of a unit, None while nobody has said (PM-PREP-08)."""
    name = word(unit, "type")
    if name:
        return data().types.get(name)
    return next((data().types[item] for item in unit.equipment if item in data().types), None)


def kind_of(unit: Unit) -> str:
    """``foot``, ``horse``, ``elephant``, ``chariot``, ``engine``, or ``""`` for a horse left."""
    own = type_of(unit)
    return "" if own is None else own.kind


def bow_of(unit: Unit) -> str:
    """Kind of bow, a short one unless something else is entered (PM-ARCH-03)."""
    named = word(unit, "bow") or next((item for item in unit.equipment if item in BOWS), "")
    own = type_of(unit)
    return named or ("short_bow" if own is not None and own.bow else "")


def count(unit: Unit, name: str) -> int:
    """A whole number kept for a unit, 0 when it is not set."""
    value = unit.mark(name)
    return int(value) if isinstance(value, int | float) else 0


def has(unit: Unit, name: str) -> bool:
    """Whether a truth is kept for a unit."""
    return unit.mark(name) is True


def thrown_left(unit: Unit) -> int:
    """Weapons left to throw (PM-THROW-02)."""
    if unit.mark("thrown") is None and "javelin" in unit.equipment:
        return 1
    return count(unit, "thrown")


def carries(unit: Unit, what: str) -> bool:
    """Whether a torch, lance or spear is carried."""
    value = unit.mark(what)
    return value is True or (value is None and what in unit.equipment)


def is_man(unit: Unit) -> bool:
    """A man on foot, mounted or aboard."""
    return kind_of(unit) in ("foot", "horse")


@known_by(1024)
def is_left_horse(unit: Unit) -> bool:
    """A riderless horse (PM-DIS-09)."""
    return word(unit, "thing") == HORSE


def wild(unit: Unit) -> bool:
    """An elephant without rider (PM-ELE-02)."""
    return has(unit, "wild")


@known_by(1024)
def aboard(unit: Unit) -> str:
    """Elephant or chariot a man rides on, ``""`` when on none."""
    return word(unit, "aboard")


def waiting(unit: Unit) -> str:
    """What a unit waits for: ``dismount``, ``mount`` or ``torch``, ``""`` for nothing."""
    return word(unit, "wait")


def men(state: GameState, side: str | None = None) -> Iterator[Unit]:
    """Men still in the game (PM-END-01)."""
    return (u for u in living(state, side) if is_man(u))


def crew_of(state: GameState, unit: Unit) -> list[Unit]:
    """Living riders of an elephant or charioteers of a chariot."""
    return [u for u in living(state) if aboard(u) == unit.figure_id]


def hostile(state: GameState, unit: Unit, other: Unit) -> bool:
    """Whether a unit may attack the other; both sides may attack a wild elephant (PM-ELE-20)."""
    return other.side != unit.side or wild(other)


def own_turn(state: GameState, side: str | None) -> int:
    """Number of the present or last own turn of a side (PM-TURN-07)."""
    value = state_mark(state, f"turn_{side}")
    return int(value) if isinstance(value, int | float) else 0


def game_count(state: GameState, name: str) -> int:
    """A whole number kept for the game, 0 when it is not set."""
    value = state_mark(state, name)
    return int(value) if isinstance(value, int | float) else 0


def aiming(state: GameState) -> Unit | None:
    """Who attacks at the moment."""
    return state.unit(text_mark(state, "aim_by"))
