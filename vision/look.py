"""What one step of the pipeline says about one frame."""

from __future__ import annotations

from dataclasses import dataclass

from vision.detection import Detection, Hand
from vision.track import Track


@dataclass(frozen=True, slots=True)
class Look:
    """One frame, seen and followed.

    Attributes:
        index: Of the frame.
        t_ns: Of the frame.
        detections: All figures of the picture, also those carried over from the last look where
            nothing changed.
        hands: Of the picture.
        tracks: All figures known, by track id.
        settled: No hand is over the table and nothing has moved for a moment.
        cut: The view changed to another place with this frame.
        stages_ns: Time each stage took, None unless a clock was given to the pipeline.
    """

    index: int
    t_ns: int
    detections: tuple[Detection, ...]
    hands: tuple[Hand, ...]
    tracks: tuple[Track, ...]
    settled: bool
    cut: bool = False
    stages_ns: dict[str, int] | None = None
