"""Writes a recording folder while the game goes on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from vision.errors import BadSource
from vision.frames import Frame
from vision.look import Look
from vision.recording import names
from vision.recording.codec import detections_document, tracks_document
from vision.recording.lines import LineFile
from vision.recording.meta import Meta
from vision.recording.video_file import VideoFile

_NO_SIDES: Mapping[int, str] = {}


class RecordingWriter:
    """Appends every stage to its own file and flushes, so that a crash loses no finished line.

    Usable as a context manager.
    """

    def __init__(
        self, folder: Path, meta: Meta, calibration: Mapping[str, Any] | None = None
    ) -> None:
        """Begin a recording.

        Args:
            folder: Created if missing; must not hold a recording yet.
            meta: Its head.
            calibration: Calibration document, None while there is none.

        Raises:
            BadSource: The folder holds a recording or cannot be written.
        """
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadSource(str(folder), f"cannot be made ({error.strerror})") from error
        if (folder / names.META).exists():
            raise BadSource(str(folder), "holds a recording already")
        self._folder = folder
        self._detections = LineFile(folder / names.DETECTIONS)
        self._tracks = LineFile(folder / names.TRACKS)
        self._inputs = LineFile(folder / names.INPUTS)
        self._log = LineFile(folder / names.LOG)
        self._views: LineFile | None = None
        self._video = VideoFile(folder / names.FRAMES)
        self.calibration(calibration)
        self._replace(names.META, meta.text())

    def calibration(self, document: Mapping[str, Any] | None) -> None:
        """Set or replace the calibration; the file says null while there is none."""
        self._replace(names.CALIBRATION, json.dumps(document, indent=1) + "\n")

    def view(self, document: Mapping[str, Any]) -> None:
        """Append how the table is seen from a picture on; only live recordings have this file."""
        if self._views is None:
            self._views = LineFile(self._folder / names.VIEWS)
        self._views.write_json(dict(document))

    def frame(self, frame: Frame) -> None:
        """Append a picture to the video."""
        self._video.write(frame.image, frame.t_ns)

    def detections(self, look: Look) -> None:
        """Append what was seen in a frame."""
        self._detections.write_json(detections_document(look))

    def tracks(self, look: Look, sides: Mapping[int, str] = _NO_SIDES) -> None:
        """Append where all figures are.

        Args:
            look: Of one frame.
            sides: Team of each track id.
        """
        self._tracks.write_json(tracks_document(look, sides))

    def input(self, line: str) -> None:
        """Append an encoded input of the game, one line of JSON."""
        self._inputs.write(line)

    def log(self, line: str) -> None:
        """Append an encoded line of the game's log."""
        self._log.write(line)

    def close(self) -> None:
        """Finish all files. Safe to call twice."""
        self._video.close()
        for file in (self._detections, self._tracks, self._inputs, self._log):
            file.close()
        if self._views is not None:
            self._views.close()

    def __enter__(self) -> RecordingWriter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _replace(self, name: str, text: str) -> None:
        """Write a small file in one step that never leaves half of it."""
        path = self._folder / name
        part = path.with_suffix(path.suffix + ".part")
        try:
            part.write_text(text, encoding="utf-8")
            part.replace(path)
        except OSError as error:
            raise BadSource(str(path), f"cannot be written ({error.strerror})") from error
