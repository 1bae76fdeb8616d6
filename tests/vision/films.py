"""Small videos made on the spot."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import av
import numpy as np

from vision.frames import Image


def gradient(width: int = 96, height: int = 64, shift: int = 0) -> Image:
    """A picture whose left upper quarter is red, with a grey that tells the frame."""
    image = np.full((height, width, 3), 40 + shift % 200, dtype=np.uint8)
    image[: height // 2, : width // 2] = (0, 0, 230)
    return image


def write_film(
    path: Path, images: Sequence[Image], times_ms: Sequence[int] | None = None, codec: str = "mpeg4"
) -> Path:
    """A video with a frame at each time, every frame a key frame."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream(codec, rate=25)
        stream.height, stream.width = images[0].shape[:2]
        stream.pix_fmt = "yuv420p"
        stream.time_base = Fraction(1, 1000)
        stream.codec_context.time_base = Fraction(1, 1000)
        stream.codec_context.gop_size = 1
        stream.codec_context.max_b_frames = 0
        for index, image in enumerate(images):
            frame = av.VideoFrame.from_ndarray(image, format="bgr24")
            frame.pts = times_ms[index] if times_ms is not None else index * 40
            frame.time_base = Fraction(1, 1000)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def turn_in_header(path: Path, degrees: int) -> None:
    """Set the display rotation in an MP4's track header (clockwise degrees)."""
    data = bytearray(path.read_bytes())
    at = data.index(b"tkhd") + 4 + 40  # version and flags, times, id, layer, volume
    one = 1 << 16
    turns = {0: (one, 0, 0, one), 90: (0, one, -one, 0), 180: (-one, 0, 0, -one)}
    turns[270] = (0, -one, one, 0)
    a, b, c, d = turns[degrees]
    for place, value in ((0, a), (4, b), (12, c), (16, d)):
        data[at + place : at + place + 4] = value.to_bytes(4, "big", signed=True)
    path.write_bytes(bytes(data))
