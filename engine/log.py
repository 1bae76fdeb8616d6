"""The log: everything that happened, in order; the game is what it folds to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from engine.choices import read_options
from engine.errors import BadData
from engine.events import Event
from engine.ruleset import RuleSet
from engine.state import GameState

BEGIN = "begin"
"""Cause of the very first line, which no undo takes back."""
TABLE = "table"
"""Cause of what the table itself told."""
UNDO = "undo"
"""Cause of lines that take others back."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the log.

    Attributes:
        seq: From 1, without gaps.
        t_ns: Time of the input that caused it, from the start of the recording.
        cause: ``"begin"``, ``"table"`` or the kind of the action.
        event: What happened.
    """

    seq: int
    t_ns: int
    cause: str
    event: Event


def kept(lines: Iterable[LogLine]) -> tuple[LogLine, ...]:
    """The lines that still count: undone ones are left out, the undoing ones stay."""
    left: list[LogLine] = []
    for line in lines:
        if line.event.kind == "undone":
            first = int(line.event.number("from_seq"))
            left = [earlier for earlier in left if earlier.seq < first]
        left.append(line)
    return tuple(left)


def dice_rolled(lines: Iterable[LogLine]) -> int:
    """Dice in the lines that still count since the last game began.

    A shot taken back and taken again meets the same dice, so undo never fishes for better ones.
    """
    count = 0
    for line in kept(lines):
        count = 0 if line.event.kind == "game_began" else count + len(line.event.dice)
    return count


def current_game(lines: Iterable[LogLine]) -> Event | None:
    """The last ``game_began`` that still counts."""
    began = [line.event for line in kept(lines) if line.event.kind == "game_began"]
    return began[-1] if began else None


def game_start(lines: Iterable[LogLine]) -> int:
    """Number of the line with which the running game began."""
    began = [line.seq for line in kept(lines) if line.event.kind == "game_began"]
    return began[-1] if began else 0


def step(ruleset: RuleSet, state: GameState, line: LogLine) -> GameState:
    """``state`` after one more line of the same game."""
    return replace(ruleset.evolve(state, line.event), seq=line.seq)


def fold(lines: Iterable[LogLine], rulesets: Mapping[str, RuleSet]) -> GameState:
    """The state a log comes to, from its lines alone.

    Args:
        lines: The whole log, undone lines included.
        rulesets: By id; ``""`` is the table without rules.

    Raises:
        BadData: The log does not begin with ``game_began``, or names an unknown rule set.
    """
    state: GameState | None = None
    ruleset: RuleSet | None = None
    for line in kept(lines):
        if line.event.kind == "game_began":
            ruleset, state = open_game(line.event, rulesets)
        if ruleset is None or state is None:
            raise BadData("log", "does not begin with game_began")
        state = step(ruleset, state, line)
    if state is None:
        raise BadData("log", "is empty")
    return state


def open_game(event: Event, rulesets: Mapping[str, RuleSet]) -> tuple[RuleSet, GameState]:
    """Rule set and first state of a ``game_began`` event.

    Raises:
        BadData: The rule set is unknown.
        Refused: An option is unknown or its value not allowed.
    """
    name = event.text("ruleset")
    if name not in rulesets:
        raise BadData("log", f"unknown rule set {name!r}")
    ruleset = rulesets[name]
    options = read_options(ruleset.info, event.words("options"))
    return ruleset, ruleset.begin(options, event.words("sides"))
