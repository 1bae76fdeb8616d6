"""Figurslag's words for the marks of a unit and of the whole game."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from engine.roster import marked, state_mark
from engine.state import GameState, MarkValue, Unit
from engine.table import Figure


class Phase(StrEnum):
    """States of the game that wait for somebody (section 4 of the rules)."""

    TERRAIN = "TERRAIN"
    ROSTER = "ROSTER"
    DEPLOY = "DEPLOY"
    FIRST = "FIRST"
    MOVE = "MOVE"
    SHOOT = "SHOOT"
    SHOT_DECLARE = "SHOT_DECLARE"
    SHOT_CHECK = "SHOT_CHECK"
    HIT = "HIT"
    DODGE = "DODGE"
    CONCEDE = "CONCEDE"
    OVER = "OVER"


SHOT_PHASES: Final = (Phase.SHOT_DECLARE, Phase.SHOT_CHECK, Phase.HIT, Phase.DODGE)
"""Within one model's shooting."""
IN_PLAY: Final = (Phase.MOVE, Phase.SHOOT, *SHOT_PHASES)
"""A team may give up in these."""
SETTING_UP: Final = (Phase.TERRAIN, Phase.ROSTER, Phase.DEPLOY, Phase.FIRST)

STILL: Final = "still"
FAR: Final = "far"
CLIMB_NOSHOOT: Final = "climb_noshoot"


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


def has_open(unit: Unit) -> bool:
    """A flag or question about this model waits for the players."""
    return bool(word(unit, "open"))


def conceded(state: GameState) -> tuple[str, ...]:
    """Teams that gave up."""
    value = state_mark(state, "conceded")
    return tuple(value.split(",")) if isinstance(value, str) else ()


def living(state: GameState, side: str | None = None) -> Iterator[Unit]:
    """Living units, of one team or of all."""
    return (u for u in state.units if u.alive and side in (None, u.side))


def living_count(state: GameState) -> dict[str, int]:
    """Living models of every team."""
    return {side: sum(1 for _ in living(state, side)) for side in state.sides}


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
