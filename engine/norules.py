"""The table without a game: who is who and terrain, nothing more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine.actions import Action
from engine.announce import Announcement
from engine.dice import Dice
from engine.errors import Refused
from engine.events import Event
from engine.roster import evolve_roster
from engine.ruleset import Option, RuleSetInfo
from engine.state import GameState, OptionValue
from engine.table import TableState

INFO: Final = RuleSetInfo(
    *("", "", "", "cm"), sides=(), equipment=(), base={}, options=(), before=("",)
)


class NoRules:
    """A rule set that knows no rules, so that the one loop needs no second branch."""

    @property
    def info(self) -> RuleSetInfo:
        """See :class:`engine.ruleset.RuleSet`."""
        return INFO

    def begin(self, options: Mapping[str, OptionValue], sides: Sequence[str]) -> GameState:
        """See :class:`engine.ruleset.RuleSet`."""
        if options:
            raise Refused("without a game there are no options")
        return GameState("", "", (), tuple(sides))

    def options(self, state: GameState, table: TableState) -> tuple[Option, ...]:
        """Nothing: there is no game."""
        return ()

    def interpret(
        self, state: GameState, before: TableState, after: TableState
    ) -> tuple[Event, ...]:
        """Nothing: no move means anything."""
        return ()

    def resolve(
        self, state: GameState, table: TableState, action: Action, dice: Dice
    ) -> tuple[Event, ...]:
        """See :class:`engine.ruleset.RuleSet`.

        Raises:
            Refused: Always.
        """
        raise Refused(f"there is no game, so nobody can {action.kind!r}")

    def evolve(self, state: GameState, event: Event) -> GameState:
        """Sides and names only."""
        return evolve_roster(state, event)

    def announce(
        self, state: GameState, table: TableState, event: Event
    ) -> tuple[Announcement, ...]:
        """Nothing."""
        return ()
