"""What a new picture brings: a look through the pipeline, or what a recording says of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from calibration.plane import Calibration
from engine.actions import Action
from engine.codec import Input
from engine.table import Terrain
from server.session import Item
from vision.frames import Frame
from vision.pipeline import Pipeline


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

    def items(self, frame: Frame) -> Iterator[Item]:
        """The look, then the taps that followed it."""
        while self._actions and self._actions[0].t_ns < frame.t_ns:
            yield self._actions.pop(0)
        yield self._pipeline.step(frame)
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
