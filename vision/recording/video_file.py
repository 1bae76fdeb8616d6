"""H.264 files of pictures with their own times: the one place where PyAV writes."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np

from vision.errors import BadSource
from vision.frames import Image

_TICK = Fraction(1, 1000)
_TICK_NS = 1_000_000
_NOMINAL_FPS = 30


class VideoFile:
    """A growing video file.

    A Matroska file is written in clusters of at most a second, each flushed, and the encoder
    holds nothing back: what a killed program leaves behind plays to its last second.
    """

    def __init__(self, path: Path, *, crf: int = 21, key_every: int = 50) -> None:
        """Set up; the file begins with the first picture.

        Args:
            path: ``.mkv`` or ``.mp4``.
            crf: Quality, lower is better.
            key_every: A whole picture every so many.
        """
        self._path = path
        self._options = {
            "preset": "veryfast",
            "tune": "zerolatency",
            "crf": str(crf),
            "g": str(key_every),
        }
        self._container: Any = None
        self._stream: Any = None
        self._size: tuple[int, int] | None = None
        self._last = -1

    def write(self, image: Image, t_ns: int) -> None:
        """Append a picture.

        Args:
            image: (H, W, 3) BGR. One of another size than the first is brought to that size; an
                odd side gets one more row or column, since H.264 wants even ones.
            t_ns: Its time; two pictures of one millisecond are moved apart.

        Raises:
            BadSource: The file cannot be written.
        """
        height, width = image.shape[:2]
        if self._size is None:
            self._size = (width, height)
            self._open(width + width % 2, height + height % 2)
        elif (width, height) != self._size:
            image = np.asarray(cv2.resize(image, self._size), dtype=np.uint8)
        odd_x, odd_y = self._size[0] % 2, self._size[1] % 2
        if odd_x or odd_y:
            edge = cv2.copyMakeBorder(image, 0, odd_y, 0, odd_x, cv2.BORDER_REPLICATE)
            image = np.asarray(edge, dtype=np.uint8)
        frame: Any = av.VideoFrame.from_ndarray(np.ascontiguousarray(image), format="bgr24")
        self._last = max(self._last + 1, round(t_ns / _TICK_NS))
        frame.pts, frame.time_base = self._last, _TICK
        self._mux(frame)

    def close(self) -> None:
        """Finish the file. Safe to call twice."""
        if self._container is not None:
            self._mux(None)
            self._container.close()
            self._container = None

    def _open(self, width: int, height: int) -> None:
        matroska = self._path.suffix == ".mkv"
        options = {"cluster_time_limit": "1000", "flush_packets": "1"} if matroska else {}
        try:
            self._container = av.open(str(self._path), "w", options=options)
        except OSError as error:
            raise BadSource(str(self._path), f"cannot be written ({error.strerror})") from error
        self._stream = self._container.add_stream("libx264", rate=_NOMINAL_FPS)
        self._stream.width, self._stream.height = width, height
        self._stream.pix_fmt = "yuv420p"
        self._stream.codec_context.time_base = _TICK
        self._stream.options = self._options

    def _mux(self, frame: Any) -> None:
        try:
            for packet in self._stream.encode(frame):
                self._container.mux(packet)
        except OSError as error:
            raise BadSource(str(self._path), f"cannot be written ({error.strerror})") from error
