"""Reads a recording folder, also one whose writer was killed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from vision.errors import BadSource
from vision.frames import Frame
from vision.recording import names
from vision.recording.codec import SeenFrame, seen_frame
from vision.recording.lines import read_documents, read_lines
from vision.recording.meta import Meta, read_meta
from vision.sources.video import VideoSource

_SAME_NS = 1_000_000


class RecordingReader:
    """A recording that replay can start from at any stage.

    Attributes:
        folder: Where it lies.
        meta: Its head.
        calibration: Calibration document, None without one.
        warnings: What was left out so far, such as half a line at the end of a file.
    """

    def __init__(self, folder: Path) -> None:
        """Open a recording.

        Raises:
            BadSource: Not a recording, or its head or calibration is damaged.
        """
        if not folder.is_dir():
            raise BadSource(str(folder), "no such folder")
        self.folder = folder
        self.meta: Meta = read_meta(folder)
        self.calibration: dict[str, Any] | None = _read_calibration(folder / names.CALIBRATION)
        self.warnings: list[str] = []

    @property
    def has_frames(self) -> bool:
        """Whether pictures were kept."""
        path = self.folder / names.FRAMES
        return path.is_file() and path.stat().st_size > 0

    def frames(self) -> Iterator[Frame]:
        """Pictures with the index and exact time they were seen with.

        The video rounds times to milliseconds; detections.jsonl knows them exactly.

        Raises:
            BadSource: There are none, or no frame decodes.
        """
        if not self.has_frames:
            raise BadSource(str(self.folder / names.FRAMES), "no pictures in this recording")
        source = VideoSource(self.folder / names.FRAMES)
        times = ((seen.index, seen.t_ns) for seen in self.detections())
        first: int | None = None
        known = next(times, None)
        for frame in source:
            if first is None:
                # Video times start at 0; the recording's may not.
                first = known[1] if known is not None else 0
            index, t_ns = frame.index, frame.t_ns + first
            while known is not None and known[1] < t_ns - _SAME_NS:
                known = next(times, None)
            if known is not None and abs(known[1] - t_ns) <= _SAME_NS:
                index, t_ns = known
                known = next(times, None)
            yield Frame(index, t_ns, self.meta.source, frame.image)
        self.warnings.extend(source.warnings)

    def detections(self) -> Iterator[SeenFrame]:
        """What was seen, frame by frame.

        Raises:
            BadSource: The file is damaged before its last line.
        """
        path = self.folder / names.DETECTIONS
        for number, document in enumerate(read_documents(path, self.warnings), start=1):
            try:
                yield seen_frame(document)
            except (KeyError, TypeError, ValueError) as error:
                raise BadSource(str(path), f"line {number} is not a look at a frame") from error

    def views(self) -> Iterator[dict[str, Any]]:
        """Lines of views.jsonl as documents; none where the view never changed.

        Raises:
            BadSource: The file is damaged before its last line.
        """
        return read_documents(self.folder / names.VIEWS, self.warnings)

    def tracks(self) -> Iterator[dict[str, Any]]:
        """Lines of tracks.jsonl as documents.

        Raises:
            BadSource: The file is damaged before its last line.
        """
        return read_documents(self.folder / names.TRACKS, self.warnings)

    def inputs(self) -> Iterator[str]:
        """Encoded inputs of the game, one line of JSON each.

        Raises:
            BadSource: The file cannot be read.
        """
        return read_lines(self.folder / names.INPUTS, self.warnings)

    def log(self) -> Iterator[str]:
        """Encoded lines of the game's log.

        Raises:
            BadSource: The file cannot be read.
        """
        return read_lines(self.folder / names.LOG, self.warnings)


def _read_calibration(path: Path) -> dict[str, Any] | None:
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BadSource(str(path), f"cannot be read ({error.strerror})") from error
    except (ValueError, RecursionError) as error:
        raise BadSource(str(path), "is not JSON") from error
    if document is not None and not isinstance(document, dict):
        raise BadSource(str(path), "is not a calibration")
    return document
