"""A film that tells a game waits while somebody plays on in it, and then begins again."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final

_TICK_S: Final = 0.5
_QUIET_TICKS: Final = 30
"""So long after the last tap nobody plays any more."""


class Interlude:
    """The time in which a visitor, not the film, says how the game goes on.

    Args:
        stop: Set when the program ends.
        tick_s: Time between two looks.

    Attributes:
        going: The film waits.
    """

    def __init__(self, stop: threading.Event, tick_s: float = _TICK_S) -> None:
        self._stop = stop
        self._tick_s = tick_s
        self._taps = 0
        self.going = False

    def touch(self) -> None:
        """A visitor's wish was taken."""
        self._taps += 1

    def wait(self, again: Callable[[], object]) -> bool:
        """Wait until nobody plays any more.

        Args:
            again: Called now and then while waiting, to show the same picture.

        Returns:
            Whether somebody has played, so that the film has to begin again.
        """
        if not self._taps:
            return False
        self.going = True
        seen, quiet = self._taps, 0
        while quiet < _QUIET_TICKS and not self._stop.wait(self._tick_s):
            again()
            quiet = quiet + 1 if self._taps == seen else 0
            seen = self._taps
        self._taps = 0
        self.going = False
        return True
