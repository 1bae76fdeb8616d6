"""Two streams to every open page: log lines that are never dropped, and the newest of the rest."""

from __future__ import annotations

import asyncio
import secrets
import threading
from dataclasses import dataclass, field

from vision.frames import Frame

EPHEMERAL = ("calibration", "state", "table", "camera")
"""Kinds of message of which only the newest counts, in the order they are sent."""


@dataclass(eq=False)
class Subscriber:
    """One open page.

    Attributes:
        loop: Where it is served.
        epoch: Game whose lines it follows.
        after: Seq of the last line it has.
        seen: Version of each ephemeral message it has.
        wake: Set when something new is there.
    """

    loop: asyncio.AbstractEventLoop
    epoch: int
    after: int
    seen: dict[str, int] = field(default_factory=dict)
    wake: asyncio.Event = field(default_factory=asyncio.Event)


class Hub:
    """Where the table's threads leave messages and the pages' tasks fetch them.

    The log lines of the running game stay here, so a page that comes back asks for what it
    missed. A new game starts a new epoch with empty lines.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lines: list[tuple[int, str]] = []
        self._latest: dict[str, tuple[int, str]] = {}
        self._subscribers: set[Subscriber] = set()
        self._frame: Frame | None = None
        self._frames = 0
        self.closed = False
        # A page that outlives the program must not mistake the next run for the same game.
        self.epoch = secrets.randbelow(1 << 30) + 1

    def line(self, seq: int, text: str) -> None:
        """Add one log line."""
        with self._lock:
            self._lines.append((seq, text))
        self._wake()

    def latest(self, kind: str, text: str) -> None:
        """Replace the newest message of an ephemeral kind; equal ones wake nobody."""
        with self._lock:
            version, old = self._latest.get(kind, (0, ""))
            if old == text:
                return
            self._latest[kind] = (version + 1, text)
        self._wake()

    def frame(self, frame: Frame) -> None:
        """Replace the newest picture."""
        with self._lock:
            self._frame = frame
            self._frames += 1
        self._wake()

    def restart(self) -> None:
        """Begin a new game: no lines yet, and every page starts over."""
        with self._lock:
            self._lines = []
            self._latest = {
                kind: value for kind, value in self._latest.items() if kind == "calibration"
            }
            self.epoch += 1
        self._wake()

    def close(self) -> None:
        """End every stream, since the program ends."""
        self.closed = True
        self._wake()

    @property
    def picture(self) -> tuple[int, Frame | None]:
        """Number of pictures so far and the newest one."""
        with self._lock:
            return self._frames, self._frame

    def subscribe(self, after: int, epoch: int | None) -> Subscriber:
        """Register a page served by the running event loop.

        Args:
            after: Seq of the last line it has.
            epoch: Game it knows, None when it knows none.
        """
        subscriber = Subscriber(
            asyncio.get_running_loop(), self.epoch if epoch is None else epoch, after
        )
        subscriber.wake.set()
        with self._lock:
            self._subscribers.add(subscriber)
        return subscriber

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """Forget a page."""
        with self._lock:
            self._subscribers.discard(subscriber)

    def pending(self, subscriber: Subscriber) -> list[str]:
        """Everything new for a page, lines first; marks it as sent."""
        with self._lock:
            texts: list[str] = []
            last = self._lines[-1][0] if self._lines else 0
            if subscriber.epoch != self.epoch or subscriber.after > last:
                subscriber.epoch, subscriber.after = self.epoch, 0
                subscriber.seen.clear()
                texts.append(f'{{"type": "restart", "epoch": {self.epoch}}}')
            missed = [item for item in self._lines if item[0] > subscriber.after]
            if missed:
                subscriber.after = missed[-1][0]
                texts.extend(text for _seq, text in missed)
            for kind in EPHEMERAL:
                version, text = self._latest.get(kind, (0, ""))
                if version > subscriber.seen.get(kind, 0):
                    subscriber.seen[kind] = version
                    texts.append(text)
            return texts

    def _wake(self) -> None:
        with self._lock:
            subscribers = tuple(self._subscribers)
        for subscriber in subscribers:
            if not subscriber.loop.is_closed():
                subscriber.loop.call_soon_threadsafe(subscriber.wake.set)
