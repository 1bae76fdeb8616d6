"""The state of a game: what the rules remember beyond what lies on the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from engine.memo import known_by

OptionValue: TypeAlias = str | int | float | bool | None
MarkValue: TypeAlias = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Unit:
    """What the rules know of one figure.

    Attributes:
        figure_id: The figure.
        side: Its team.
        name: What players call it, for example ``"Red 3"``.
        equipment: Weapons and other things held.
        wounds: Wounds taken.
        alive: Not out of the game.
        marks: Further facts as name and value, sorted by name (mode of the move, shots left...).
    """

    figure_id: str
    side: str
    name: str
    equipment: tuple[str, ...] = ()
    wounds: int = 0
    alive: bool = True
    marks: tuple[tuple[str, MarkValue], ...] = ()

    def mark(self, name: str, default: MarkValue = None) -> MarkValue:
        """The mark called ``name``, or ``default``."""
        for key, value in self.marks:
            if key == name:
                return value
        return default


@dataclass(frozen=True, slots=True)
class Question:
    """Something only the players can answer before the game goes on.

    Attributes:
        question_id: Name within the game.
        text: One sentence.
        choices: Value and words of each answer.
        side: Who is asked, None for all.
        figure_id: The figure it is about.
        rule: Rule item it comes from.
    """

    question_id: str
    text: str
    choices: tuple[tuple[str, str], ...]
    side: str | None = None
    figure_id: str | None = None
    rule: str | None = None


@dataclass(frozen=True, slots=True)
class GameState:
    """Everything a game has come to.

    Attributes:
        ruleset: Id of the rule set.
        version: Its version.
        options: Rule options agreed on, as name and value, sorted by name.
        sides: Teams in playing order.
        seq: Seq of the last log line folded in.
        turn: Turn number from 1, 0 before the game.
        phase: Name of the phase, from the rule set's state machine.
        active_side: Whose phase it is, None for all.
        units: Ordered by figure id.
        marks: Facts about the whole game, as name and value, sorted by name.
        question: What must be answered first.
        outcome: Winning side, ``"draw"``, or None while the game goes on.
    """

    ruleset: str
    version: str
    options: tuple[tuple[str, OptionValue], ...]
    sides: tuple[str, ...]
    seq: int = 0
    turn: int = 0
    phase: str = ""
    active_side: str | None = None
    units: tuple[Unit, ...] = ()
    marks: tuple[tuple[str, MarkValue], ...] = ()
    question: Question | None = None
    outcome: str | None = None

    def unit(self, figure_id: str) -> Unit | None:
        """The unit of that figure, or None."""
        return _by_figure(self.units).get(figure_id)


@known_by(16)
def _by_figure(units: tuple[Unit, ...]) -> Mapping[str, Unit]:
    return {unit.figure_id: unit for unit in reversed(units)}
