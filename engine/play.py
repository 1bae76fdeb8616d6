"""The one loop: live, in a replay and in tests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from engine.codec import Input
from engine.errors import Refused, Stale
from engine.log import LogLine
from engine.referee import Referee


class Listener(Protocol):
    """Told of every input and what came of it."""

    def __call__(
        self, item: Input, lines: tuple[LogLine, ...], error: Refused | Stale | None
    ) -> None:
        """One input was taken.

        Args:
            item: The input.
            lines: New log lines.
            error: Why a wish was not carried out, None when it was.
        """


def play(inputs: Iterable[Input], referee: Referee, listeners: Sequence[Listener] = ()) -> None:
    """Give every input to the referee in order and tell the listeners.

    A refused or stale wish changes nothing and does not stop the loop: replayed, it is refused
    again.
    """
    for item in inputs:
        lines: tuple[LogLine, ...] = ()
        error: Refused | Stale | None = None
        try:
            lines = referee.take(item)
        except (Refused, Stale) as refusal:
            error = refusal
        for listener in listeners:
            listener(item, lines, error)
