"""A video file, frame by frame with its own times."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from vision.errors import BadSource
from vision.frames import Frame
from vision.sources.decoding import Decoder
from vision.sources.picture import size_fault

OTHER_TRACK_NS = 1_000_000_000
"""The stated duration is that of the longest track: sound may go on for this long."""


class VideoSource:
    """A file that can be read again from its start as often as wanted."""

    def __init__(self, path: Path) -> None:
        """Open the file and decode its first frame, so that a bad file is known at once.

        Raises:
            BadSource: Missing, empty, no video, or no frame of it decodes.
        """
        self._path = path
        self._name = str(path)
        self._warnings: tuple[str, ...] = ()
        try:
            empty = path.stat().st_size == 0
        except OSError as error:
            raise BadSource(self._name, f"cannot be read ({error.strerror})") from error
        if empty:
            raise BadSource(self._name, "file is empty")
        decoder = Decoder(self._name, self._name)
        try:
            fault = size_fault(*decoder.coded_size_px) if any(decoder.coded_size_px) else None
            if fault:
                raise BadSource(self._name, fault)
            first = next(decoder.pictures(), None)
            if first is None:
                raise BadSource(self._name, "no frame can be decoded")
            self._size_px = first[1].shape[1], first[1].shape[0]
            self._expected_frames = decoder.expected_frames
            self._expected_ns = decoder.expected_ns
            self._alone = decoder.alone
            self.step_ns = decoder.step_ns
        finally:
            decoder.close()

    @property
    def source_id(self) -> str:
        """File name."""
        return self._path.name

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height after display rotation."""
        return self._size_px

    @property
    def expected_frames(self) -> int | None:
        """As the file says; None when it does not."""
        return self._expected_frames

    @property
    def warnings(self) -> tuple[str, ...]:
        """What was wrong in the last run to the end."""
        return self._warnings

    def __iter__(self) -> Iterator[Frame]:
        """Frames in presentation order; ends early, with a warning, where the file is cut off."""
        self._warnings = ()
        decoder = Decoder(self._name, self._name)
        count, stamp = 0, 0
        try:
            for stamp, image in decoder.pictures():
                yield Frame(count, stamp, self.source_id, image)
                count += 1
            self._warnings = self._look_back(count, stamp, decoder.damaged)
        finally:
            decoder.close()

    def _look_back(self, count: int, last_ns: int, damaged: int) -> tuple[str, ...]:
        """Warnings after the last frame."""
        if self._expected_frames and count < self._expected_frames:
            return (f"{self.source_id}: {count} of {self._expected_frames} frames decode",)
        if damaged:
            return (f"{self.source_id}: {damaged} damaged frames left out",)
        if not self._expected_frames and self._expected_ns:
            missing = self._expected_ns - last_ns - self.step_ns
            if missing > 2 * self.step_ns + (0 if self._alone else OTHER_TRACK_NS):
                return (f"{self.source_id}: ends {missing / 1e9:.1f} s before its stated length",)
        return ()

    def close(self) -> None:
        """Nothing stays open between runs."""
