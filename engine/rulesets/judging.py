"""What players are asked and answer in every rule system: near things, flags, who joins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.actions import Action
from engine.errors import Refused
from engine.spots import side_name, word
from engine.state import GameState, Question, Unit
from engine.table import TableState
from engine.words import listed

EDGES = ("south", "north", "west", "east")
OPPOSITE = {"south": "north", "north": "south", "west": "east", "east": "west"}
"""Edges of the table, and those across from them."""


def answered(state: GameState, action: Action, rule: str) -> tuple[Question, str]:
    """The open question and the answer to it.

    Raises:
        Refused: Nothing is asked, or that is no answer.
    """
    question = state.question
    if question is None:
        raise Refused("nothing is asked", rule)
    value = action.value or ""
    if value not in {one for one, _ in question.choices}:
        allowed = ", ".join(one for one, _ in question.choices)
        raise Refused(f"the answer is one of {allowed}", question.rule)
    return question, value


def unit_called(state: GameState, figure_id: str | None, rule: str) -> Unit:
    """The unit of that id, alive or not.

    Raises:
        Refused: There is none.
    """
    unit = state.unit(figure_id or "")
    if unit is None:
        told = f"no figure {figure_id!r} plays in this game" if figure_id else "say which figure"
        raise Refused(told, rule)
    return unit


def place_question(unit: Unit, text: str, rule: str) -> Question:
    """Whether a figure may stay where it stands, as it is too close to call."""
    return Question(
        f"place/{unit.figure_id}",
        text,
        (("yes", "It is all right"), ("no", "It is too far")),
        side=unit.side,
        figure_id=unit.figure_id,
        rule=word(unit, "open_rule") or rule,
    )


def check_joins(
    state: GameState, table: TableState, figure_id: str, side: str, rules: tuple[str, str, str]
) -> None:
    """A figure can become one of a side's.

    Args:
        state: Who has joined.
        table: Who is there.
        figure_id: The figure.
        side: The side.
        rules: Behind the refusal of no such figure, one that has joined, and no such side.

    Raises:
        Refused: There is no such figure or side, or it belongs to one already.
    """
    if all(figure.figure_id != figure_id for figure in table.figures):
        raise Refused("there is no such figure", rules[0])
    if state.unit(figure_id) is not None:
        raise Refused("it belongs to a side already", rules[1])
    if side not in state.sides:
        raise Refused(f"a side is one of {', '.join(state.sides)}", rules[2])


def check_edge(action: Action, side: str | None, rule: str) -> str:
    """The edge the side whose turn it is takes.

    Raises:
        Refused: There is no such edge, or somebody else chooses.
    """
    if action.value not in EDGES:
        raise Refused(f"an edge is one of {', '.join(EDGES)}", rule)
    if action.side is not None and action.side != side:
        raise Refused(f"{side_name(side)} chooses the edge", rule)
    return action.value


def check_put_right(wrong: Sequence[Unit]) -> None:
    """Nobody stands where a flag is open about it.

    Raises:
        Refused: Somebody does.
    """
    if wrong:
        names = listed([unit.name for unit in wrong])
        raise Refused(f"first put right or accept {names}", word(wrong[0], "open_rule"))


def check_all_seen(missing: Iterable[str], rule: str) -> None:
    """Everybody who plays was seen on the table.

    Raises:
        Refused: Somebody was not.
    """
    names = list(missing)
    if names:
        raise Refused(f"I do not see {listed(names)} on the table", rule)


def check_gives_up(state: GameState, side: str | None, rule: str) -> str:
    """The side that gives up.

    Raises:
        Refused: There is no such side.
    """
    if side is None or side not in state.sides:
        raise Refused("which side gives up?", rule)
    return side
