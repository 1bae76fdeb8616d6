"""How a recorded table was seen at each time: the calibration in use, and when the camera moved."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from calibration.errors import BadReference
from calibration.plane import Calibration
from calibration.store import parse, whole_document
from engine.table import Terrain
from server.console import Fault
from server.feeds import Feed
from server.session import Item, Resize
from vision.frames import Frame
from vision.recording import RecordingReader, names

_SAME_NS: Final = 2_000_000
"""The times of pictures without a look are rounded to milliseconds."""


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """From a picture on.

    Attributes:
        t_ns: Time of the picture.
        calibration: In use, None where the table was not measured.
        moved: The camera looked elsewhere, and nothing was looked at.
    """

    t_ns: int
    calibration: Calibration | None
    moved: bool

    def document(self) -> dict[str, Any]:
        """As one line of a recording."""
        known = self.calibration
        return {
            "t_ns": self.t_ns,
            "moved": self.moved,
            "calibration": None if known is None else whole_document(known),
        }


def recorded_views(reader: RecordingReader) -> tuple[View, ...]:
    """All views of a recording in order; none of one that was made without.

    Raises:
        Fault: A line cannot be read.
    """
    path = str(reader.folder / names.VIEWS)
    views: list[View] = []
    last_text, last = "null", None
    for number, document in enumerate(reader.views(), 1):
        t_ns, moved = document.get("t_ns"), document.get("moved")
        if not isinstance(t_ns, int) or not isinstance(moved, bool):
            raise Fault(path, f"line {number} is no view")
        text = json.dumps(document.get("calibration"))
        if text != last_text:
            try:
                last = None if text == "null" else parse(text, path)
            except BadReference as error:
                raise Fault(path, f"line {number}: {error.fault}") from None
            last_text = text
        views.append(View(t_ns, last, moved))
    return tuple(views)


class ViewedFeed:
    """A feed that sees the table as it was seen when it was recorded.

    Args:
        feed: Looks.
        views: How the table was seen, in order.
    """

    def __init__(self, feed: Feed, views: tuple[View, ...]) -> None:
        self._feed = feed
        self._views = iter(views)
        self._view = next(self._views)
        self._next: View | None = next(self._views, None)
        self._terrain: tuple[Terrain, ...] = ()
        self._base_height_mm = 0.0

    @property
    def calibration(self) -> Calibration | None:
        """In use at the last picture."""
        return self._view.calibration

    def items(self, frame: Frame) -> Iterator[Item]:
        """What changed in the view, then the look, unless the camera looked elsewhere."""
        while self._next is not None and self._next.t_ns <= frame.t_ns + _SAME_NS:
            old, self._view = self._view.calibration, self._next
            self._next = next(self._views, None)
            new = self._view.calibration
            if new is not old:
                yield Resize(None if new is None else new.size_mm)
        if self._view.moved:
            return
        self._feed.adapt(self._view.calibration, self._terrain, self._base_height_mm)
        yield from self._feed.items(frame)

    def adapt(
        self, calibration: Calibration | None, terrain: tuple[Terrain, ...], base_height_mm: float
    ) -> None:
        """Take over what has become known; the calibration is that of the recording."""
        self._terrain = terrain
        self._base_height_mm = base_height_mm
