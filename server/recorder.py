"""Keeps everything a table does in a folder, while it happens."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import metadata
from pathlib import Path

from calibration.plane import Calibration
from calibration.store import save
from engine.codec import Input, encode_input, encode_line
from engine.errors import Refused, Stale
from engine.log import LogLine
from engine.table import TableState
from server.console import Fault
from server.views import View
from vision.frames import Frame
from vision.look import Look
from vision.model_card import digest
from vision.recording import Meta, RecordingWriter
from vision.recording.names import CALIBRATION


def _version() -> str:
    """Of the installed program."""
    try:
        return metadata.version("minimarshal")
    except metadata.PackageNotFoundError:
        return "uninstalled"


Sides = Callable[[Look], Mapping[int, str]]


class Recorder:
    """A listener that writes a recording folder.

    Args:
        folder: Where to.
        source: What is recorded, as the user named it.
        ruleset: Id of the rule set, if known from the start.
        model: The detector's ONNX file, its card beside it.
        pictures: Keep the pictures as well.
    """

    def __init__(
        self,
        folder: Path,
        source: str,
        *,
        ruleset: str | None = None,
        model: Path | None = None,
        pictures: bool = True,
    ) -> None:
        weights = None if model is None else digest(model)
        meta = Meta(source, _version(), weights, ruleset)
        self._folder = folder
        self._writer = RecordingWriter(folder, meta)
        self._pictures = pictures
        self._view: View | None = None
        self.sides: Sides = lambda _look: {}

    @staticmethod
    def check(folder: Path, option: str) -> None:
        """See before any work whether a recording can be made there.

        Raises:
            Fault: The place is taken or cannot be written.
        """
        if folder.exists() and not folder.is_dir():
            raise Fault(option, f"{folder}: is no folder")
        if folder.is_dir() and any(folder.iterdir()):
            raise Fault(option, f"{folder}: is not empty; name a new folder")
        if not folder.exists() and not folder.parent.is_dir():
            raise Fault(option, f"{folder.parent}: no such folder")

    def frame(self, frame: Frame) -> None:
        """Keep a picture."""
        if self._pictures:
            self._writer.frame(frame)

    def calibrated(self, calibration: Calibration) -> None:
        """Keep the calibration that holds from now on."""
        save(calibration, self._folder / CALIBRATION)

    def viewed(self, view: View) -> None:
        """Keep how the table is seen from a picture on, where that has changed."""
        last = self._view
        if last is not None and (last.calibration, last.moved) == (view.calibration, view.moved):
            return
        self._view = view
        self._writer.view(view.document())

    def begin(self, lines: tuple[LogLine, ...]) -> None:
        """Keep the lines that are there before the first input."""
        for line in lines:
            self._writer.log(encode_line(line))

    def looked(self, look: Look, table: TableState) -> None:
        """See :class:`server.session.Listener`."""
        self._writer.detections(look)
        self._writer.tracks(look, self.sides(look))

    def took(
        self, item: Input | LogLine, lines: tuple[LogLine, ...], error: Refused | Stale | None
    ) -> None:
        """See :class:`server.session.Listener`."""
        if not isinstance(item, LogLine):
            self._writer.input(encode_input(item))
        for line in lines:
            self._writer.log(encode_line(line))

    def close(self) -> None:
        """Finish the files."""
        self._writer.close()
