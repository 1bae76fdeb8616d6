"""A file played as if it were happening now."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator

from vision.frames import Frame, FrameSource
from vision.sources.live import Clock
from vision.sources.status import SourceState, SourceStatus

Wait = Callable[[float], object]
DEFAULT_STEP_NS = 40_000_000


class PacedSource:
    """Frames at the times they carry; late ones are passed over, as a camera would.

    A patient one passes none over: on a slow machine the film runs slower instead.

    Attributes:
        lap: How often the file has started again.
    """

    expected_frames: int | None = None

    def __init__(
        self,
        source: FrameSource,
        loop: bool = False,
        clock: Clock = time.monotonic_ns,
        wait: Wait | None = None,
        patient: bool = False,
    ) -> None:
        """Set up.

        Args:
            source: A file; it must be possible to iterate it again.
            loop: Start again at the end, with time and index going on.
            clock: Time in ns.
            wait: Sleeps for some seconds; the default wakes up on ``close``.
            patient: Every frame is given, however late.
        """
        self._source = source
        self._loop = loop
        self._clock = clock
        self._patient = patient
        self._closing = threading.Event()
        self._wait: Wait = wait or self._closing.wait
        self._ended = False
        self._arrivals: deque[int] = deque(maxlen=31)
        self.lap = 0

    @property
    def source_id(self) -> str:
        """Of the file."""
        return self._source.source_id

    @property
    def warnings(self) -> tuple[str, ...]:
        """Of the file."""
        return tuple(getattr(self._source, "warnings", ()))

    def __iter__(self) -> Iterator[Frame]:
        """Frames when their time has come."""
        start = self._clock()
        self._ended = False
        for frame, due_ns in self._with_next_due():
            late_ns = self._clock() - start - frame.t_ns
            if self._patient:
                start += max(0, late_ns)
            elif due_ns is not None and late_ns >= due_ns - frame.t_ns:
                continue  # the next one is due already
            delay = start + frame.t_ns - self._clock()
            if delay > 0:
                self._wait(delay / 1e9)
            if self._closing.is_set():
                return
            self._arrivals.append(self._clock())
            yield frame
        self._ended = True

    def _with_next_due(self) -> Iterator[tuple[Frame, int | None]]:
        """Each frame with the time of the one after it."""
        held: Frame | None = None
        for frame in self._laps():
            if held is not None:
                yield held, frame.t_ns
            held = frame
        if held is not None:
            yield held, None

    def _laps(self) -> Iterator[Frame]:
        """All frames of all laps, times and indices going on across the seams."""
        index, base_ns = 0, 0
        while not self._closing.is_set():
            last_ns, step_ns, count = 0, DEFAULT_STEP_NS, 0
            for frame in self._source:
                if count:
                    step_ns = frame.t_ns - last_ns
                last_ns = frame.t_ns
                yield Frame(index + frame.index, base_ns + frame.t_ns, frame.source_id, frame.image)
                count = frame.index + 1
                if self._closing.is_set():
                    return
            if not self._loop or not count:
                return
            index += count
            base_ns += last_ns + step_ns
            self.lap += 1

    def status(self) -> SourceStatus:
        """A playing file counts as live."""
        age = (self._clock() - self._arrivals[-1]) / 1e6 if self._arrivals else None
        playing = not self._closing.is_set() and not self._ended
        fps = 0.0
        if playing and len(self._arrivals) > 1:
            span = self._arrivals[-1] - self._arrivals[0]
            fps = (len(self._arrivals) - 1) * 1e9 / span if span else 0.0
        return SourceStatus(SourceState.LIVE if playing else SourceState.NONE, fps, age)

    def close(self) -> None:
        """Stop playing."""
        self._closing.set()
        self._source.close()


def paced(source: FrameSource, loop: bool = False) -> PacedSource:
    """Play a file in real time.

    Args:
        source: A file that can be iterated again.
        loop: Start again at its end.
    """
    return PacedSource(source, loop)
