"""Whose wish it is: the side of a wish about a figure is the side of that figure."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from engine.actions import Action
from engine.errors import Refused
from engine.ruleset import Option
from engine.spots import side_name
from engine.state import GameState


def check_side(state: GameState, action: Action, offered: Callable[[], Iterable[Option]]) -> None:
    """A wish names a side that plays, and one about a figure no other than the figure's.

    Nobody has to name a side. Where an option of one side is about a figure of another, it is
    taken as it is offered.

    Args:
        state: The game.
        action: The wish.
        offered: What may be done now; asked only where the sides differ.

    Raises:
        Refused: There is no such side, or the figure is of another.
    """
    if action.side is None:
        return
    if state.sides and action.side not in state.sides:
        sides = ", ".join(state.sides)
        raise Refused(f"there is no side {action.side!r}; sides are {sides}")
    unit = state.unit(action.figure_id or "")
    if unit is None or action.side == unit.side:
        return
    wanted = (action.kind, action.figure_id, action.side)
    if all((one.kind, one.figure_id, one.side) != wanted for one in offered()):
        raise Refused(
            f"{unit.name} belongs to {side_name(unit.side)}, not to {side_name(action.side)}"
        )
