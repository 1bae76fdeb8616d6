"""A recording played again: on the page, or held against its own log."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final, TypeVar

import numpy as np

from calibration.plane import Calibration
from calibration.store import load
from engine.actions import Action
from engine.codec import Input, decode_input, decode_line, encode_line
from engine.errors import BadData, Refused, Stale
from engine.log import LogLine
from engine.referee import Referee
from engine.table import TableState
from server.console import Fault, NoAnswer
from server.feeds import Feed
from server.roster import base_height_mm
from server.session import Item, Session
from server.views import recorded_views
from vision.frames import Frame
from vision.look import Look
from vision.recording import RecordingReader, names

T = TypeVar("T")
_LARGEST_PX: Final = 10_000
"""No side of a picture is longer."""


def recorded_inputs(reader: RecordingReader) -> Iterator[Input]:
    """The inputs of a recording, decoded.

    Raises:
        Fault: One cannot be read.
    """
    return _decoded(reader.inputs(), decode_input, reader.folder / names.INPUTS)


def recorded_lines(reader: RecordingReader) -> Iterator[LogLine]:
    """The log of a recording, decoded.

    Raises:
        Fault: A line cannot be read.
    """
    return _decoded(reader.log(), decode_line, reader.folder / names.LOG)


def _decoded(texts: Iterable[str], decode: Callable[[str], T], path: Path) -> Iterator[T]:
    for number, text in enumerate(texts, 1):
        try:
            yield decode(text)
        except BadData as error:
            raise Fault(str(path), f"line {number}: {error.fault}") from None


def told_again(reader: RecordingReader) -> Referee:
    """The game that the log alone comes to.

    Raises:
        Fault: The log cannot be folded.
    """
    referee = Referee()
    for line in recorded_lines(reader):
        try:
            referee.retell(line)
        except (BadData, Refused) as error:
            fault = error.fault if isinstance(error, BadData) else error.reason
            raise Fault(str(reader.folder / names.LOG), f"line {line.seq}: {fault}") from None
    return referee


def recorded_actions(reader: RecordingReader) -> Iterator[Action]:
    """Only the taps."""
    return (item for item in recorded_inputs(reader) if isinstance(item, Action))


def recorded_calibration(reader: RecordingReader) -> Calibration | None:
    """How the recorded camera saw the table, None where nobody knew."""
    if reader.calibration is None:
        return None
    return load(reader.folder / names.CALIBRATION)


class Comparison:
    """A listener that holds new log lines against recorded ones."""

    def __init__(self, expected: Iterator[str]) -> None:
        self._expected = expected
        self.count = 0
        self.difference: str | None = None

    def begin(self, lines: tuple[LogLine, ...]) -> None:
        """Compare the lines that are there from the start."""
        for line in lines:
            self._compare(encode_line(line))

    def looked(self, look: Look, table: TableState) -> None:
        """Nothing to compare."""

    def took(
        self, item: Input | LogLine, lines: tuple[LogLine, ...], error: Refused | Stale | None
    ) -> None:
        """See :class:`server.session.Listener`."""
        for line in lines:
            self._compare(encode_line(line))

    def end(self) -> None:
        """No line may be left."""
        left = next(self._expected, None)
        if left is not None and self.difference is None:
            self.difference = f"line {self.count + 1} is missing: {left}"

    def _compare(self, got: str) -> None:
        self.count += 1
        expected = next(self._expected, None)
        if self.difference is None and expected != got:
            wanted = "nothing" if expected is None else expected
            self.difference = f"line {self.count}: expected {wanted}, got {got}"


def check(reader: RecordingReader, feed: Feed | None, source: Iterable[Frame] = ()) -> int:
    """Replay a recording and compare its log byte for byte.

    Args:
        reader: Of the recording.
        feed: Looks at the pictures of ``source`` again; None gives the recorded inputs.
        source: The pictures.

    Returns:
        The number of lines.

    Raises:
        NoAnswer: A line differs.
        vision.errors.BadSource: There are no pictures.
        engine.errors.BadData: An input cannot be read.
    """
    comparison = Comparison(reader.log())
    referee = Referee()
    comparison.begin(referee.lines)
    views = recorded_views(reader) if feed is not None else ()
    calibration = views[0].calibration if views else recorded_calibration(reader)
    size = None if calibration is None else calibration.size_mm
    session = Session(referee, size_mm=size, listeners=(comparison,))
    if feed is None:
        session.run(recorded_inputs(reader))
    else:
        session.run(_fed(feed, source, referee, calibration))
    comparison.end()
    if comparison.difference is not None:
        raise NoAnswer(comparison.difference)
    return comparison.count


def _fed(
    feed: Feed, source: Iterable[Frame], referee: Referee, calibration: Calibration | None
) -> Iterator[Item]:
    for frame in source:
        feed.adapt(calibration, referee.facts.terrain, base_height_mm(referee.ruleset.info))
        yield from feed.items(frame)


class RecordedFrames:
    """The pictures of a recording as a source; blank ones where it holds none.

    Args:
        reader: Of the recording.
        times: Of the blank pictures, in ns; made anew each time the source is played.
        size_px: Of the blank pictures.
    """

    def __init__(
        self,
        reader: RecordingReader,
        times: Callable[[], Iterator[int]],
        size_px: tuple[int, int] = (16, 9),
        *,
        pictures: bool = True,
    ) -> None:
        self._reader = reader
        self._times = times
        self._size_px = size_px
        self._pictures = pictures and reader.has_frames

    @property
    def source_id(self) -> str:
        """Of the recorded source."""
        return self._reader.meta.source

    def __iter__(self) -> Iterator[Frame]:
        """In recorded order."""
        if self._pictures:
            yield from self._reader.frames()
            return
        width, height = self._size_px
        blank = np.full((height, width, 3), 96, dtype=np.uint8)
        for index, (t_ns, _same) in enumerate(itertools.groupby(self._times())):
            yield Frame(index, t_ns, self.source_id, blank)

    def close(self) -> None:
        """Nothing is kept open between pictures."""


def seen_size_px(reader: RecordingReader, calibration: Calibration | None) -> tuple[int, int]:
    """Width and height of pictures that hold everything that was found in them.

    Args:
        reader: Of the recording.
        calibration: Its calibration, which knows the size.
    """
    if calibration is not None:
        return calibration.image_size_px
    right, low = 16.0, 9.0
    for seen in reader.detections():
        boxes = [found.box_px for found in seen.detections]
        boxes += [hand.box_px for hand in seen.hands]
        for box in boxes:
            right, low = max(right, box[2]), max(low, box[3])
    return min(math.ceil(right), _LARGEST_PX), min(math.ceil(low), _LARGEST_PX)


def open_recording(folder: Path) -> RecordingReader:
    """Open a recording that has inputs.

    Raises:
        vision.errors.BadSource: It is none.
        Fault: It holds no game.
    """
    reader = RecordingReader(folder)
    if next(reader.log(), None) is None:
        raise Fault(str(folder), "holds no log")
    return reader
