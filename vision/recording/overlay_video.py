"""overlay.mp4: footage with what was seen drawn on it, playable in a browser."""

from __future__ import annotations

from pathlib import Path

from vision.frames import Image
from vision.recording.names import OVERLAY
from vision.recording.video_file import VideoFile

_CRF = 23


class OverlayVideo:
    """H.264 in yuv420p with the footage's own times."""

    def __init__(self, folder: Path) -> None:
        """Set up; the file begins with the first picture.

        Args:
            folder: Of the recording.
        """
        self._file = VideoFile(folder / OVERLAY, crf=_CRF, key_every=100)

    def write(self, picture: Image, t_ns: int) -> None:
        """Append a drawn picture.

        Args:
            picture: (H, W, 3) BGR with the overlay on it.
            t_ns: Its time.

        Raises:
            BadSource: The file cannot be written.
        """
        self._file.write(picture, t_ns)

    def close(self) -> None:
        """Finish the file. Safe to call twice."""
        self._file.close()
