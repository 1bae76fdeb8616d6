"""A game on an empty table in which a list is set up: who is what, and what it holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.actions import Action
from engine.referee import Referee
from engine.ruleset import RuleSet
from engine.state import GameState, OptionValue
from engine.table import Base, BaseShape, Figure, FigureState, Seen, TableState, Terrain

_APART_MM = 200.0


class Drill:
    """The set-up of one side, by the same wishes and refusals as before a game.

    Args:
        ruleset: The rules.
        options: Those that differ from their default.
        count: How many figures there are, called ``"1"``, ``"2"`` and so on.
        terrain: Buildings of the list.

    Raises:
        Refused: An option is unknown or its value not allowed.
    """

    def __init__(
        self,
        ruleset: RuleSet,
        options: Mapping[str, OptionValue],
        count: int,
        terrain: Sequence[Terrain] = (),
    ) -> None:
        self._referee = Referee(ruleset, dict(options), (), 0)
        self.table = TableState(
            0, None, tuple(_figure(i) for i in range(count)), tuple(terrain), settled=True
        )
        self._referee.take(self.table)

    @property
    def state(self) -> GameState:
        """Who is what by now."""
        return self._referee.state

    @property
    def side(self) -> str:
        """The side whose list it is."""
        return self.state.sides[0]

    def equip(self, figure_id: str, items: tuple[str, ...]) -> None:
        """Give a figure what no wish of the rules gives it.

        Raises:
            Refused: A thing is unknown.
        """
        self._referee.take(
            Action(
                "assign",
                side=self.side,
                figure_id=figure_id,
                items=items,
                basis_seq=self.state.seq,
            )
        )

    def do(self, kind: str, figure_id: str, value: str = "", number: float | None = None) -> None:
        """Carry out a wish.

        Raises:
            Refused: The rules do not allow it.
        """
        self._referee.take(
            Action(
                kind,
                side=self.side,
                figure_id=figure_id,
                value=value,
                numbers=() if number is None else (number,),
                basis_seq=self.state.seq,
            )
        )


def _figure(i: int) -> Figure:
    base = Base(BaseShape.CIRCLE, 10.0)
    at = (_APART_MM * i, 0.0)
    return Figure(
        str(i + 1), "", None, "", at, None, base, 1.0, 0.0, FigureState.STANDING, Seen.SEEN, 0.0
    )
