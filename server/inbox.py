"""What waits for the play thread: looks of the camera thread and wishes of the pages."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from concurrent.futures import TimeoutError as FutureTimeout
from typing import Final

from engine.actions import Action
from engine.errors import Refused
from engine.log import LogLine
from server.session import Item, Tap

_ROOM: Final = 4
"""Looks that may wait for the referee; the camera then waits too, and skips pictures."""
_ANSWER_S: Final = 20.0
_TRY_S: Final = 0.2
_LAST_TRIES: Final = 100


class Inbox:
    """A short queue that nobody waits at for ever.

    Args:
        stop: Set when the table ends.
    """

    def __init__(self, stop: threading.Event) -> None:
        self._stop = stop
        self._items: queue.Queue[Item | None] = queue.Queue(_ROOM)

    def put(self, item: Item | None) -> None:
        """Add one, as soon as there is room; None ends a game. Gives up when the table ends."""
        while not self._stop.is_set():
            try:
                self._items.put(item, timeout=_TRY_S)
            except queue.Full:
                continue
            return

    def ask(self, action: Action) -> tuple[LogLine, ...]:
        """Add a wish and wait for its lines.

        Raises:
            Refused: The rules do not allow it, or nobody answers in time.
            Stale: It rests on an older state.
            engine.errors.BadData: A number in it is not finite.
        """
        tap = Tap(action)
        try:
            self._items.put(tap, timeout=_ANSWER_S)
            return tap.answer.result(timeout=_ANSWER_S)
        except (queue.Full, FutureTimeout, CancelledError):
            tap.answer.cancel()
            raise Refused("the table is busy; try again") from None

    def until_end(self) -> Iterator[Item]:
        """What was added, in order, up to the end of the game."""
        while True:
            item = self._items.get()
            if item is None:
                return
            yield item

    def end(self, read: Callable[[], bool]) -> None:
        """Add the last word as soon as there is room, or give up.

        Args:
            read: Whether anybody still reads, to notice it.
        """
        for _ in range(_LAST_TRIES):
            if not read():
                return
            try:
                self._items.put(None, timeout=_TRY_S)
            except queue.Full:
                continue
            return
