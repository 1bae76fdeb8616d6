"""A recording played again: on the page, or held against its own log."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from calibration.plane import Calibration
from calibration.store import load
from engine.actions import Action
from engine.codec import Input, decode_input, encode_line
from engine.errors import Refused, Stale
from engine.log import LogLine
from engine.referee import Referee
from engine.table import TableState
from server.console import Fault, NoAnswer
from server.feeds import PipelineFeed
from server.roster import base_height_mm
from server.session import Item, Session
from vision.detection import Detector
from vision.frames import Frame
from vision.look import Look
from vision.pipeline import Pipeline
from vision.recording import RecordingReader
from vision.recording.names import CALIBRATION


def recorded_inputs(reader: RecordingReader) -> Iterator[Input]:
    """The inputs of a recording, decoded."""
    return (decode_input(text) for text in reader.inputs())


def recorded_actions(reader: RecordingReader) -> Iterator[Action]:
    """Only the taps."""
    return (item for item in recorded_inputs(reader) if isinstance(item, Action))


def recorded_calibration(reader: RecordingReader) -> Calibration | None:
    """How the recorded camera saw the table, None where nobody knew."""
    if reader.calibration is None:
        return None
    return load(reader.folder / CALIBRATION)


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

    def took(self, item: Input, lines: tuple[LogLine, ...], error: Refused | Stale | None) -> None:
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


def check_inputs(reader: RecordingReader) -> int:
    """Replay the inputs and compare the log byte for byte.

    Returns:
        The number of lines.

    Raises:
        NoAnswer: A line differs.
    """
    return _checked(reader, recorded_inputs(reader), None)


def check_frames(reader: RecordingReader, detector: Detector) -> int:
    """Look at the pictures again, give the same taps, and compare the log.

    Raises:
        NoAnswer: A line differs.
        vision.errors.BadSource: There are no pictures.
    """
    return _checked(reader, None, detector)


def _checked(
    reader: RecordingReader, inputs: Iterator[Item] | None, detector: Detector | None
) -> int:
    comparison = Comparison(reader.log())
    referee = Referee()
    comparison.begin(referee.lines)
    calibration = recorded_calibration(reader)
    size = None if calibration is None else calibration.size_mm
    session = Session(referee, size_mm=size, listeners=(comparison,))
    if inputs is None and detector is not None:
        pipeline = Pipeline(detector, calibration, mode="live")
        feed = PipelineFeed(pipeline, recorded_actions(reader))
        inputs = _looked_at(reader, feed, referee, calibration)
    session.run(inputs or iter(()))
    comparison.end()
    if comparison.difference is not None:
        raise NoAnswer(comparison.difference)
    return comparison.count


def _looked_at(
    reader: RecordingReader, feed: PipelineFeed, referee: Referee, calibration: Calibration | None
) -> Iterator[Item]:
    for frame in reader.frames():
        feed.adapt(calibration, referee.facts.terrain, base_height_mm(referee.ruleset.info))
        yield from feed.items(frame)


class RecordedFrames:
    """The pictures of a recording as a source; blank ones at the inputs' times without any.

    Args:
        reader: Of the recording.
    """

    def __init__(self, reader: RecordingReader) -> None:
        self._reader = reader

    @property
    def source_id(self) -> str:
        """Of the recorded source."""
        return self._reader.meta.source

    def __iter__(self) -> Iterator[Frame]:
        """In recorded order."""
        if self._reader.has_frames:
            yield from self._reader.frames()
            return
        times = (item.t_ns for item in recorded_inputs(self._reader))
        blank = np.full((9, 16, 3), 96, dtype=np.uint8)
        for index, (t_ns, _same) in enumerate(itertools.groupby(times)):
            yield Frame(index, t_ns, self.source_id, blank)

    def close(self) -> None:
        """Nothing is kept open between pictures."""


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
