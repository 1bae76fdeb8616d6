"""From what a user types to a source."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Protocol

from vision.errors import BadSource
from vision.frames import FrameSource
from vision.sources.capture import CameraCapture, StreamCapture, public_url
from vision.sources.live import LiveSource
from vision.sources.picture import FolderSource, PhotoSource, is_picture
from vision.sources.video import VideoSource

STREAM_SCHEMES = ("rtsp://", "rtsps://", "http://", "https://")
CAMERA = "camera:"


class OpenedSource(FrameSource, Protocol):
    """A frame source as ``open_source`` gives it."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """What was wrong but could be lived with, complete after the last frame."""

    @property
    def expected_frames(self) -> int | None:
        """How many frames there should be, for a progress bar; None when nobody knows."""


def is_live(text: str) -> bool:
    """Whether the source is a camera or a stream rather than a file."""
    return text.startswith(CAMERA) or text.lower().startswith(STREAM_SCHEMES)


def open_source(text: str) -> OpenedSource:
    """Open a photo, video, folder, ``camera:N`` or RTSP/HTTP address.

    Args:
        text: As typed by the user.

    Returns:
        A ``PhotoSource``, ``FolderSource``, ``VideoSource`` or started ``LiveSource``.

    Raises:
        BadSource: It cannot be used.
    """
    if is_live(text):
        return _open_live(text)
    if not text or "\0" in text:
        raise BadSource(text.replace("\0", "?") or "SOURCE", "is no file name")
    path = Path(text)
    try:
        if path.is_dir():
            return FolderSource(path)
        if not path.exists():
            raise BadSource(text, "no such file or folder")
        if not path.is_file():
            raise BadSource(text, "is neither a file nor a folder")
    except OSError as error:
        raise BadSource(text, f"cannot be read ({error.strerror})") from error
    return PhotoSource(path) if is_picture(path) else VideoSource(path)


def _open_live(text: str) -> LiveSource:
    """A started camera or stream."""
    if text.startswith(CAMERA):
        number = text.removeprefix(CAMERA)
        if not (number.isascii() and number.isdigit() and len(number) < 4):
            raise BadSource(text, "wants a camera's number, for example camera:0")
        source = LiveSource(text, partial(CameraCapture, int(number)))
    else:
        source = LiveSource(public_url(text), partial(StreamCapture, text))
    source.start()
    return source
