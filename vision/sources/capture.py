"""Devices and streams behind one small face, for the reader thread."""

from __future__ import annotations

from typing import Protocol
from urllib.parse import urlsplit, urlunsplit

import cv2
import numpy as np

from vision.errors import BadSource
from vision.frames import Image
from vision.sources.decoding import STREAM_OPTIONS, Decoder
from vision.sources.picture import size_fault

WANTED_SIZE_PX = (1920, 1080)
STREAM_TIMEOUT_S = 5.0


class Capture(Protocol):
    """Something opened that gives one picture after another and may block."""

    def read(self) -> Image | None:
        """Next picture, or None when there will be no more."""

    def close(self) -> None:
        """Let go of it."""


class CameraCapture:
    """A camera of this machine."""

    def __init__(self, number: int) -> None:
        """Open it at full HD where it can.

        Raises:
            BadSource: There is no such camera.
        """
        name = f"camera:{number}"
        self._capture = cv2.VideoCapture(number)
        if not self._capture.isOpened():
            self._capture.release()
            raise BadSource(name, "no such camera, or another program uses it")
        # USB cameras carry full HD at 30 pictures a second only as MJPEG.
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, WANTED_SIZE_PX[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, WANTED_SIZE_PX[1])
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)

    def read(self) -> Image | None:
        """Next picture; blocks until the camera has one."""
        good, image = self._capture.read()
        return np.asarray(image, dtype=np.uint8) if good and image is not None else None

    def close(self) -> None:
        """Let go of the device."""
        self._capture.release()


class StreamCapture:
    """An RTSP or HTTP stream."""

    def __init__(self, url: str) -> None:
        """Open it.

        Raises:
            BadSource: It does not answer, or holds no usable video.
        """
        name = public_url(url)
        self._decoder = Decoder(name, url, dict(STREAM_OPTIONS), STREAM_TIMEOUT_S)
        size = self._decoder.coded_size_px
        fault = size_fault(*size) if any(size) else None
        if fault:
            self._decoder.close()
            raise BadSource(name, fault)
        self._pictures = self._decoder.pictures()

    def read(self) -> Image | None:
        """Next picture; gives up after a few seconds without data."""
        found = next(self._pictures, None)
        return found[1] if found else None

    def close(self) -> None:
        """Let go of the stream."""
        self._decoder.close()


def public_url(url: str) -> str:
    """The address without a user's name and password, fit for logs and messages."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path, "", ""))
