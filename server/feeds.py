"""What a new picture brings: a look through the pipeline, or what a recording says of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from calibration.plane import Calibration
from engine.actions import Action
from engine.codec import Input
from engine.log import LogLine
from engine.table import Terrain
from server.session import Item
from vision.frames import Frame
from vision.look import Look
from vision.pipeline import Pipeline
from vision.recording import SeenFrame


class Feed(Protocol):
    """Makes items of pictures, in order."""

    def items(self, frame: Frame) -> Iterator[Item]:
        """What the session gets when this picture is there."""

    def adapt(
        self, calibration: Calibration | None, terrain: tuple[Terrain, ...], base_height_mm: float
    ) -> None:
        """Take over what has become known since the last picture."""


class PipelineFeed:
    """Every picture is looked at.

    Args:
        pipeline: Looks.
        actions: Recorded taps to be given again at their times.
    """

    def __init__(self, pipeline: Pipeline, actions: Iterable[Action] = ()) -> None:
        self._pipeline = pipeline
        self._actions = list(actions)

    def _look(self, frame: Frame) -> Look:
        return self._pipeline.step(frame)

    def items(self, frame: Frame) -> Iterator[Item]:
        """The look, then the taps that followed it."""
        while self._actions and self._actions[0].t_ns < frame.t_ns:
            yield self._actions.pop(0)
        yield self._look(frame)
        while self._actions and self._actions[0].t_ns <= frame.t_ns:
            yield self._actions.pop(0)

    def adapt(
        self, calibration: Calibration | None, terrain: tuple[Terrain, ...], base_height_mm: float
    ) -> None:
        """See :class:`Feed`."""
        pipeline = self._pipeline
        if pipeline.calibration is not calibration:
            pipeline.calibration = calibration
        # Each of these puts every known figure on the table anew.
        if pipeline.terrain != terrain:
            pipeline.terrain = terrain
        if pipeline.base_height_mm != base_height_mm:
            pipeline.base_height_mm = base_height_mm


class DetectionFeed(PipelineFeed):
    """What was found in the pictures stands in for the detector; it is followed anew.

    Args:
        pipeline: Follows.
        seen: What was found, in recorded order.
        actions: Recorded taps to be given again at their times.
    """

    def __init__(
        self, pipeline: Pipeline, seen: Iterable[SeenFrame], actions: Iterable[Action] = ()
    ) -> None:
        super().__init__(pipeline, actions)
        self._seen = iter(seen)
        self._next: SeenFrame | None = next(self._seen, None)

    def items(self, frame: Frame) -> Iterator[Item]:
        """The looks up to the picture's time, each with the taps that followed it."""
        while self._next is not None and self._next.t_ns <= frame.t_ns:
            yield from super().items(
                Frame(self._next.index, self._next.t_ns, frame.source_id, frame.image)
            )

    def _look(self, frame: Frame) -> Look:
        seen = self._next
        assert seen is not None  # noqa: S101
        self._next = next(self._seen, None)
        return self._pipeline.again(frame, seen.detections, seen.hands, seen.cut)


class LogFeed:
    """Recorded log lines, each when the picture of its time is there.

    Args:
        lines: In their recorded order.
    """

    def __init__(self, lines: Iterable[LogLine]) -> None:
        self._lines = iter(lines)
        self._next: LogLine | None = next(self._lines, None)

    def items(self, frame: Frame) -> Iterator[Item]:
        """All lines up to the picture's time."""
        while self._next is not None and self._next.t_ns <= frame.t_ns:
            yield self._next
            self._next = next(self._lines, None)

    def adapt(
        self, calibration: Calibration | None, terrain: tuple[Terrain, ...], base_height_mm: float
    ) -> None:
        """Nothing: what was recorded stays as it was."""


class InputFeed:
    """Recorded inputs, each when the picture of its time is there.

    Args:
        inputs: In their recorded order.
    """

    def __init__(self, inputs: Iterable[Input]) -> None:
        self._inputs = iter(inputs)
        self._next: Input | None = next(self._inputs, None)

    def items(self, frame: Frame) -> Iterator[Item]:
        """All inputs up to the picture's time."""
        while self._next is not None and self._next.t_ns <= frame.t_ns:
            yield self._next
            self._next = next(self._inputs, None)

    def adapt(
        self, calibration: Calibration | None, terrain: tuple[Terrain, ...], base_height_mm: float
    ) -> None:
        """Nothing: what was recorded stays as it was."""
