"""What hands and neighbours hide or touch."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from vision.detection import BoxPx, Hand
from vision.tracking.boxes import covered, grown, meets
from vision.tracking.settings import Settings
from vision.tracking.sighting import Sighting

_BEFORE_PX = 2.0


@dataclass(frozen=True, slots=True)
class Reach:
    """The hands of one look, asked about boxes.

    Attributes:
        hands: Boxes of hands and forearms.
        settings: Margins.
    """

    hands: tuple[BoxPx, ...]
    settings: Settings

    @classmethod
    def of(cls, hands: Sequence[Hand], settings: Settings) -> Reach:
        """From what was found."""
        return cls(tuple(hand.box_px for hand in hands), settings)

    def touches(self, box: BoxPx) -> bool:
        """A hand is at the box or close by."""
        around = grown(box, self.settings.near_hand * max(box[3] - box[1], box[2] - box[0]))
        return any(meets(around, hand) for hand in self.hands)

    def covers(self, box: BoxPx) -> bool:
        """A hand hides so much of the box that not seeing the figure is no news."""
        return covered(box, self.hands) >= self.settings.explained


class Trail:
    """Where hands were a moment ago."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._past: deque[tuple[int, Reach]] = deque()

    def note(self, reach: Reach, t_ns: int) -> None:
        """Add the hands of a look and forget old ones."""
        if reach.hands:
            self._past.append((t_ns, reach))
        while self._past and t_ns - self._past[0][0] > self._settings.trail_ns:
            self._past.popleft()

    def last_at(self, box: BoxPx) -> int:
        """When a hand was last at the box, -1 if none was."""
        for t_ns, reach in reversed(self._past):
            if reach.touches(box):
                return t_ns
        return -1


def hidden_by(box: BoxPx, sightings: Sequence[Sighting]) -> float:
    """Largest share of the box that lies under the box of a figure in front of it.

    Args:
        box: Of a figure.
        sightings: All figures of the look; the one of the box itself does not count.
    """
    front = [
        s.detection.box_px
        for s in sightings
        if s.detection.box_px != box and s.detection.box_px[3] > box[3] + _BEFORE_PX
    ]
    return covered(box, front)
