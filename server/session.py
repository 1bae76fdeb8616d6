"""The one loop of a table: pictures' looks and players' taps in, log lines out.

Live, demo, analysis and replay differ only in where the items come from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import Final, Protocol, TypeAlias

from engine.actions import Action
from engine.codec import Input, canonical
from engine.errors import BadData, Refused, Stale
from engine.log import LogLine
from engine.play import play
from engine.referee import Referee
from engine.table import TableState
from server.roster import RosterKeeper
from server.script import Script
from vision.assemble import assemble
from vision.look import Look

_TAP_NS: Final = 1_000_000_000
_TABLE_MM: Final = (800.0, 600.0)
"""A table at which no camera looks, until somebody says its size."""

Answer: TypeAlias = "Future[tuple[LogLine, ...]]"


@dataclass(frozen=True, slots=True)
class Tap:
    """A player's wish, and where its answer goes."""

    action: Action
    answer: Answer = field(default_factory=Future)


@dataclass(frozen=True, slots=True)
class Resize:
    """The table's edges have become known, or others."""

    size_mm: tuple[float, float] | None


Item: TypeAlias = Look | Tap | Resize | Input | LogLine
"""Looks and taps of a running table; inputs or log lines of a recording."""


class Listener(Protocol):
    """Told of everything a session does."""

    def looked(self, look: Look, table: TableState) -> None:
        """A picture was understood."""

    def took(
        self, item: Input | LogLine, lines: tuple[LogLine, ...], error: Refused | Stale | None
    ) -> None:
        """The referee took an input, or a recorded log line was retold."""


class Session:
    """One table from its first picture to its last.

    Args:
        referee: Remembers the game.
        size_mm: Width and depth of the table, None when its edges are unknown.
        script: Taps of a game file to be played.
        by_hand: No camera looks: figures stand where people put them, and each tap takes a second.
        listeners: Told of everything.
    """

    def __init__(
        self,
        referee: Referee,
        *,
        size_mm: tuple[float, float] | None = None,
        script: Script | None = None,
        by_hand: bool = False,
        listeners: Sequence[Listener] = (),
    ) -> None:
        self.referee = referee
        self._size_mm = size_mm
        self._script = script
        self._taken_over = False
        self._listeners = tuple(listeners)
        self._roster = RosterKeeper()
        self._by_hand = by_hand
        self._look = Look(0, 0, (), (), (), settled=True) if by_hand else None
        self._last: TableState | None = None
        self._outcome: Refused | Stale | BadData | tuple[LogLine, ...] = ()

    def run(self, items: Iterable[Item]) -> None:
        """Work until the items end."""
        play(self._inputs(items), self.referee, (self._heard,))

    @property
    def notes(self) -> tuple[str, ...]:
        """Taps of the game file that were refused for good."""
        return () if self._script is None else self._script.notes

    def sides(self, look: Look) -> dict[int, str]:
        """Team of each track."""
        return self._roster.sides(look, self.referee)

    def _inputs(self, items: Iterable[Item]) -> Iterator[Input]:
        yield from self._refreshed() if self._by_hand else ()
        for item in items:
            if isinstance(item, Look):
                yield from self._seen(item)
            elif isinstance(item, Tap):
                yield from self._tapped(item)
            elif isinstance(item, Resize):
                self._size_mm = item.size_mm
                yield from self._refreshed()
            elif isinstance(item, LogLine):
                self._retold(item)
            else:
                yield item
                if isinstance(item, Action):
                    # As after a tap: what was said shows on the table before the next word.
                    yield from self._refreshed()

    def _retold(self, line: LogLine) -> None:
        lines = self.referee.retell(line)
        for listener in self._listeners:
            listener.took(line, lines, None)

    def _seen(self, look: Look) -> Iterator[Input]:
        self._look = look
        table = self._assembled()
        for listener in self._listeners:
            listener.looked(look, table)
        yield from self._news(table)
        if self._script is None or self._taken_over:
            return
        for action in self._script.due(table, self._refusal):
            yield replace(action, basis_seq=self.referee.state.seq)
            yield from self._refreshed()

    def _refusal(self) -> str | None:
        return None if isinstance(self._outcome, tuple) else str(self._outcome)

    def _tapped(self, tap: Tap) -> Iterator[Input]:
        if not tap.answer.set_running_or_notify_cancel():
            return
        if self._by_hand and self._look is not None:
            self._look = replace(self._look, t_ns=self._look.t_ns + _TAP_NS)
        t_ns = self._look.t_ns if self._look is not None else self.referee.table.t_ns
        try:
            action = canonical(replace(tap.action, t_ns=t_ns))
        except BadData as error:
            tap.answer.set_exception(error)
            return
        self._outcome = ()
        yield action
        # The loop has taken the tap when it asks for the next input.
        outcome = self._outcome
        if isinstance(outcome, tuple):
            # The taps that were written down no longer fit a game that somebody else goes on with.
            self._taken_over = True
            yield from self._refreshed()
            tap.answer.set_result(outcome)
        else:
            tap.answer.set_exception(outcome)

    def _refreshed(self) -> Iterator[Input]:
        """The same picture again, with what people have said since."""
        if self._look is not None:
            yield from self._news(self._assembled())

    def _news(self, table: TableState) -> Iterator[Input]:
        """The table, unless nothing but the time has changed since the last one."""
        last = self._last
        if last is not None and replace(last, t_ns=table.t_ns) == table:
            return
        self._last = table
        yield table

    def _assembled(self) -> TableState:
        look = self._look
        assert look is not None  # noqa: S101
        roster = self._roster.roster(look, self.referee)
        facts = self.referee.facts
        size_mm = self._size_mm or facts.size_mm or (_TABLE_MM if self._by_hand else None)
        return assemble(look, roster, size_mm, facts.terrain)

    def _heard(
        self, item: Input, lines: tuple[LogLine, ...], error: Refused | Stale | None
    ) -> None:
        if isinstance(item, Action):
            self._outcome = lines if error is None else error
        for listener in self._listeners:
            listener.took(item, lines, error)
