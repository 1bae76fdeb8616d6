"""Video decoding: the one place where PyAV is read from."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import av
import numpy as np

from vision.errors import BadSource
from vision.frames import Image

# Containers a camera, phone or recorder writes. Playlists and scripts, which would make the
# library open further files and addresses, are not among them.
CONTAINERS = (
    "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,mpegvideo,ogg,flv,asf,"
    "mjpeg,mpjpeg,h264,hevc,m4v,ivf,mxf,dv,yuv4mpegpipe,gif,rtsp,sdp"
)
STREAM_OPTIONS = {"rtsp_transport": "tcp", "fflags": "nobuffer", "flags": "low_delay"}
THREADS = 2


class Decoder:
    """One opened file or stream and the pictures of its first video track."""

    def __init__(
        self,
        name: str,
        target: str,
        options: dict[str, str] | None = None,
        timeout_s: float | None = None,
    ) -> None:
        """Open it.

        Args:
            name: What to call it in errors.
            target: Path or URL.
            options: For the container.
            timeout_s: Limit for opening and for every read.

        Raises:
            BadSource: It cannot be opened or holds no video.
        """
        settings = {"format_whitelist": CONTAINERS, **(options or {})}
        try:
            self._container: Any = av.open(target, options=settings, timeout=timeout_s)
        except OSError as error:
            raise BadSource(name, f"cannot be opened ({error.strerror})") from error
        except (av.FFmpegError, ValueError) as error:
            raise BadSource(name, "not a video, or cut off before its first frame") from error
        streams = self._container.streams.video
        if not streams:
            self.close()
            raise BadSource(name, "holds no video")
        self._stream = streams[0]
        self._stream.thread_type = "AUTO"
        self._stream.thread_count = THREADS
        self.damaged = 0

    @property
    def coded_size_px(self) -> tuple[int, int]:
        """Width and height before display rotation."""
        context = self._stream.codec_context
        return int(context.width), int(context.height)

    @property
    def expected_frames(self) -> int | None:
        """As the file says; None when it does not."""
        return int(self._stream.frames) or None

    @property
    def expected_ns(self) -> int | None:
        """Duration as the file says; None when it does not."""
        if self._stream.duration and self._stream.time_base:
            return int(self._stream.duration * self._stream.time_base * 1_000_000_000)
        if self._container.duration:
            return int(self._container.duration) * 1000
        return None

    @property
    def alone(self) -> bool:
        """Whether there is no other track, so that the stated duration is the video's."""
        return len(self._container.streams) == 1

    @property
    def step_ns(self) -> int:
        """Usual time between frames."""
        rate = self._stream.average_rate or self._stream.guessed_rate or Fraction(25)
        return int(1_000_000_000 / rate)

    def pictures(self) -> Iterator[tuple[int, Image]]:
        """Time and picture of every frame that decodes.

        Yields:
            Presentation time in ns, strictly rising and 0 for the first, and (H, W, 3) BGR after
            display rotation. Damaged frames are left out and counted in ``damaged``.
        """
        first: int | None = None
        last = -1
        for frame in self._frames():
            if frame.pts is None:
                stamp = last + self.step_ns if first is not None else 0
            else:
                at = int(frame.pts * frame.time_base * 1_000_000_000)
                first = at if first is None else first
                stamp = at - first
            last = max(stamp, last + 1)
            yield last, _upright(frame)

    def _frames(self) -> Iterator[Any]:
        packets = self._container.demux(self._stream)
        while True:
            try:
                packet = next(packets, None)
            except (av.FFmpegError, OSError):
                self.damaged += 1  # the container ends in the middle of something
                return
            if packet is None:
                return
            try:
                frames = packet.decode()
            except (av.FFmpegError, OSError):
                self.damaged += 1
                continue
            for frame in frames:
                if frame.is_corrupt:
                    self.damaged += 1
                else:
                    yield frame

    def close(self) -> None:
        """Let go of the file."""
        self._container.close()


def _upright(frame: Any) -> Image:
    """BGR picture turned as the file's display matrix says."""
    image = frame.to_ndarray(format="bgr24")
    turns = round(frame.rotation / 90) % 4
    return np.ascontiguousarray(np.rot90(image, turns), dtype=np.uint8)
