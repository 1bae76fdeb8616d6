"""What a webcam's or a phone's H.264 leaves of a picture."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Picture = NDArray[np.uint8]

_TICK = Fraction(1, 30)


def filmed(picture: Picture, crf: int) -> Picture:
    """Return a picture after H.264, coded as the first one of a film.

    Args:
        picture: (H, W, 3) uint8 BGR; both sides even, as the format wants them.
        crf: constant rate factor, 0 to 51: 23 is usual, above 30 the blocks show.

    Raises:
        ValueError: a side is odd.
    """
    import av

    height, width = picture.shape[:2]
    if height % 2 or width % 2:
        raise ValueError(f"{width} x {height}: both sides must be even")
    encoder: Any = av.CodecContext.create("libx264", "w")
    encoder.width, encoder.height = width, height
    encoder.pix_fmt, encoder.time_base = "yuv420p", _TICK
    encoder.thread_count = 1
    encoder.options = {"preset": "ultrafast", "tune": "zerolatency", "crf": str(crf)}
    decoder: Any = av.CodecContext.create("h264", "r")
    decoder.thread_count = 1
    frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(picture), format="bgr24")
    packets = [*encoder.encode(frame), *encoder.encode(None)]
    frames = [f for packet in packets for f in decoder.decode(packet)]
    frames += decoder.decode(None)
    return np.asarray(frames[0].to_ndarray(format="bgr24"), np.uint8)
