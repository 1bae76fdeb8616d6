"""Marks of units and games read as places, numbers and words, the same in every game."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from engine.events import Event
from engine.roster import marked, state_mark
from engine.state import GameState, MarkValue, Unit
from engine.table import Figure

SAME_LEVEL_MM: Final = 6.0
"""Levels closer than this are the same surface, seen twice."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place a model stood on: mm over the table and height of the surface."""

    x: float
    y: float
    z: float

    @property
    def xy(self) -> tuple[float, float]:
        """The place on the map."""
        return (self.x, self.y)

    def away(self, other: Spot) -> float:
        """Flat distance in mm."""
        return math.dist(self.xy, other.xy)


def spot_of(figure: Figure) -> Spot:
    """Where a figure stands."""
    x, y = figure.position_mm
    return Spot(x, y, figure.level_mm)


def number(unit: Unit, name: str, default: float = 0.0) -> float:
    """A mark that is a number."""
    value = unit.mark(name)
    return float(value) if isinstance(value, int | float) else default


def word(unit: Unit, name: str) -> str:
    """A mark that is text, ``""`` when it is not set."""
    value = unit.mark(name)
    return value if isinstance(value, str) else ""


def spot(unit: Unit, prefix: str = "at") -> Spot | None:
    """The place remembered under a prefix.

    ``at`` is the one that counts, ``start`` that of the movement phase, ``open`` the one where it
    stands while a flag or question is open.
    """
    if unit.mark(f"{prefix}_x") is None:
        return None
    return Spot(
        number(unit, f"{prefix}_x"), number(unit, f"{prefix}_y"), number(unit, f"{prefix}_z")
    )


def at_spot(unit: Unit, place: Spot | None, prefix: str = "at") -> Unit:
    """``unit`` with another place remembered under ``prefix``, None to forget it."""
    marks: dict[str, MarkValue] = {
        f"{prefix}_x": None if place is None else place.x,
        f"{prefix}_y": None if place is None else place.y,
        f"{prefix}_z": None if place is None else place.z,
    }
    return marked(unit, **marks)


def event_spot(event: Event) -> Spot | None:
    """The place an event tells, if it tells one."""
    if event.value("x_mm") is None:
        return None
    return Spot(event.number("x_mm"), event.number("y_mm"), event.number("z_mm"))


def same(here: Spot, there: Spot, quiet_mm: float) -> bool:
    """Whether two places are the same as far as anyone cares."""
    return here.away(there) <= quiet_mm and abs(here.z - there.z) <= SAME_LEVEL_MM


def flagged(unit: Unit) -> bool:
    """A flag about where it stands is open."""
    return word(unit, "open") == "flag"


def asked(unit: Unit) -> bool:
    """A question about where it stands is open."""
    return word(unit, "open") == "ask"


def living(state: GameState, side: str | None = None) -> Iterator[Unit]:
    """Units still in the game, of one side or of all."""
    return (u for u in state.units if u.alive and side in (None, u.side))


def other_side(state: GameState, side: str | None) -> str:
    """The opponent where two sides play."""
    return next((one for one in state.sides if one != side), "")


def text_mark(state: GameState, name: str) -> str:
    """A mark of the game that is text, ``""`` when it is not set."""
    value = state_mark(state, name)
    return value if isinstance(value, str) else ""


def number_mark(state: GameState, name: str) -> float:
    """A mark of the game that is a number, 0 when it is not set."""
    value = state_mark(state, name)
    return float(value) if isinstance(value, int | float) else 0.0


def name_of(state: GameState, figure_id: str | None) -> str:
    """What players call a figure."""
    unit = state.unit(figure_id) if figure_id else None
    return unit.name if unit and unit.name else (figure_id or "nobody")


def side_name(side: str | None) -> str:
    """What players call a team."""
    return (side or "nobody").capitalize()
