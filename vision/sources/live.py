"""A camera or stream read by a thread of its own that keeps only the newest picture."""

from __future__ import annotations

import threading
import time
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from vision.errors import BadSource
from vision.frames import Frame, Image
from vision.sources.capture import Capture
from vision.sources.status import SourceState, SourceStatus

Opener: TypeAlias = Callable[[], Capture]
Clock: TypeAlias = Callable[[], int]
"""Nanoseconds that only ever go up."""

HASH_ROW_STEP = 8
MAX_ABANDONED = 3


@dataclass(frozen=True, slots=True)
class LiveTiming:
    """When a live source counts as what.

    Attributes:
        stale_ns: Without a new picture it is stale.
        reopen_ns: A frozen or silent device is opened again.
        opening_ns: How long opening may take before it counts as hung.
        lost_ns: Without a new picture it is lost; opening goes on.
        first_s: How long to wait for the very first picture.
        back_off_s: Pauses between attempts; the last one repeats.
        tick_s: How often waiting wakes up to look at the clock.
    """

    stale_ns: int = 1_500_000_000
    reopen_ns: int = 4_000_000_000
    opening_ns: int = 15_000_000_000
    lost_ns: int = 12_000_000_000
    first_s: float = 15.0
    back_off_s: tuple[float, ...] = (0.5, 1.0, 2.0, 4.0, 8.0)
    tick_s: float = 0.2


class LiveSource:
    """Newest picture of a device that may block, freeze, vanish and come back.

    A device that fell away can deliver its last picture for ever, so a picture counts as new
    only when its content differs from the one before.
    """

    warnings: tuple[str, ...] = ()
    expected_frames: int | None = None

    def __init__(
        self,
        source_id: str,
        opener: Opener,
        clock: Clock = time.monotonic_ns,
        timing: LiveTiming | None = None,
    ) -> None:
        """Set up; nothing is opened before ``start``.

        Args:
            source_id: Name, without secrets.
            opener: Opens the device; raises BadSource. Called in the reader thread.
            clock: Time in ns.
            timing: When it counts as stale, lost and so on.
        """
        self._source_id = source_id
        self._opener = opener
        self._clock = clock
        self._timing = timing or LiveTiming()
        self._news = threading.Condition()
        self._closing = threading.Event()
        self._threads: list[threading.Thread] = []
        self._generation = 0
        self._start_ns = clock()
        self._heartbeat_ns = self._start_ns
        self._fresh_ns: int | None = None
        self._opened = False
        self._fault: str | None = None
        self._hash: int | None = None
        self._serial = 0
        self._newest: tuple[int, int, Image] | None = None
        self._arrivals: deque[int] = deque(maxlen=31)

    @property
    def source_id(self) -> str:
        """For example ``camera:0``."""
        return self._source_id

    def start(self) -> None:
        """Open the device and wait for its first picture.

        Raises:
            BadSource: It cannot be opened, or shows nothing.
        """
        self._launch()
        with self._news:
            self._news.wait_for(lambda: self._newest or self._fault, self._timing.first_s)
            newest, fault = self._newest, self._fault
        if newest is None:
            self.close()
            raise BadSource(self._source_id, fault or "shows no picture")

    def __iter__(self) -> Iterator[Frame]:
        """Newest frames until ``close``; waits through breaks, skips what came too fast."""
        seen, index = 0, 0
        while not self._closing.is_set():
            newest = self._newer_than(seen)
            self._watch()
            if newest is None or self._closing.is_set():
                continue
            seen, stamp, image = newest
            yield Frame(index, stamp - self._start_ns, self._source_id, image)
            index += 1

    def _newer_than(self, serial: int) -> tuple[int, int, Image] | None:
        """Newest picture after that one, waited for during one tick."""
        with self._news:
            self._news.wait_for(
                lambda: self._closing.is_set() or self._serial > serial, self._timing.tick_s
            )
            return self._newest if self._serial > serial else None

    def status(self) -> SourceStatus:
        """How it is doing; also revives a reader that hangs."""
        self._watch()
        now = self._clock()
        with self._news:
            age = None if self._fresh_ns is None else now - self._fresh_ns
            silent = now - self._start_ns if age is None else age
            if self._closing.is_set() or not self._threads:
                state = SourceState.NONE
            elif age is not None and self._opened and age < self._timing.stale_ns:
                state = SourceState.LIVE
            elif silent >= self._timing.lost_ns:
                state = SourceState.LOST
            else:
                state = SourceState.STALE if self._opened else SourceState.RECONNECTING
            fps = self._fps() if state is SourceState.LIVE else 0.0
        return SourceStatus(state, fps, None if age is None else age / 1e6)

    def close(self) -> None:
        """Stop reading. A reader that hangs in the device is left behind after a moment."""
        with self._news:
            self._closing.set()
            self._generation += 1
            self._news.notify_all()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(timeout=0.5)

    def _fps(self) -> float:
        if len(self._arrivals) < 2:
            return 0.0
        span = self._arrivals[-1] - self._arrivals[0]
        return (len(self._arrivals) - 1) * 1e9 / span if span else 0.0

    def _launch(self) -> None:
        """Start a reader; an older one notices that its time is over."""
        with self._news:
            self._generation += 1
            self._heartbeat_ns = self._clock()
            self._opened = False
            thread = threading.Thread(
                target=self._run,
                args=(self._generation,),
                name=f"reader of {self._source_id}",
                daemon=True,
            )
            self._threads = [t for t in self._threads if t.is_alive()] + [thread]
        thread.start()

    def _watch(self) -> None:
        """Replace a reader that has hung in the device for too long."""
        with self._news:
            limit = self._timing.reopen_ns if self._opened else self._timing.opening_ns
            hung = self._clock() - self._heartbeat_ns > limit
            alive = sum(thread.is_alive() for thread in self._threads)
            idle = self._closing.is_set() or not self._threads
        if hung and not idle and alive <= MAX_ABANDONED:
            self._launch()

    def _is_current(self, generation: int) -> bool:
        return generation == self._generation and not self._closing.is_set()

    def _run(self, generation: int) -> None:
        """Body of the reader thread: open, read until it ends, pause, again."""
        attempt = 0
        while self._is_current(generation):
            try:
                capture = self._opener()
            except BadSource as error:
                self._beat(generation, opened=False, fault=error.fault)
            else:
                self._beat(generation, opened=True)
                attempt = 0 if self._drain(capture, generation) else attempt
                capture.close()
                self._beat(generation, opened=False)
            pauses = self._timing.back_off_s
            if self._is_current(generation):
                self._pause(pauses[min(attempt, len(pauses) - 1)], generation)
            attempt += 1

    def _pause(self, seconds: float, generation: int) -> None:
        """Wait between two attempts, with a heartbeat."""
        with self._news:
            self._news.wait_for(lambda: not self._is_current(generation), seconds)
        self._beat(generation, opened=False)

    def _drain(self, capture: Capture, generation: int) -> bool:
        """Read until the device ends or freezes; True when it gave anything new."""
        began, got = self._clock(), False
        while self._is_current(generation):
            image = capture.read()
            now = self._clock()
            if image is None:
                return got
            content = zlib.crc32(image[::HASH_ROW_STEP].tobytes())
            with self._news:
                if not self._is_current(generation):
                    return got
                self._heartbeat_ns = now
                if content != self._hash:
                    self._publish(now, image, content)
                    got = True
                elif now - max(began, self._fresh_ns or began) > self._timing.reopen_ns:
                    return got
        return got

    def _publish(self, now: int, image: Image, content: int) -> None:
        self._hash, self._fresh_ns, self._fault = content, now, None
        self._serial += 1
        self._newest = (self._serial, now, image)
        self._arrivals.append(now)
        self._news.notify_all()

    def _beat(self, generation: int, *, opened: bool, fault: str | None = None) -> None:
        with self._news:
            if not self._is_current(generation):
                return
            self._heartbeat_ns = self._clock()
            self._opened = opened
            if fault:
                self._fault = fault
                self._news.notify_all()
