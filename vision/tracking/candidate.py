"""Something seen that is no known figure's place: in a hand, newly put down, or nothing."""

from __future__ import annotations

import math
from dataclasses import dataclass

from vision.tracking.settings import Settings
from vision.tracking.sighting import Sighting
from vision.tracking.trace import Trace


@dataclass(slots=True, eq=False)
class Candidate:
    """A loose sighting followed from look to look.

    Attributes:
        born_ns: First sighting.
        birthplace: Where, in units.
        sighting: The last one.
        last_ns: When.
        seen: It was seen in this look.
        hits: Looks it was seen in.
        looks: Looks since its birth.
        score: Mean of its sightings.
        hand_ns: When a hand was last at it, -1 for never.
        free: Looks in a row without a hand at it.
        still_at: Where it has been since `still_ns`.
        still_ns: Since when it has not moved.
        still_hits: Sightings there.
        owner: The missing figure it is taken for while a hand moves it.
        waits: Its identity is unclear now, until a hand shows what it hides.
        waiting_ns: Since when it has been so, -1 for never.
    """

    born_ns: int
    birthplace: tuple[float, float]
    sighting: Sighting
    last_ns: int
    score: float
    still_at: tuple[float, float]
    still_ns: int
    seen: bool = True
    hits: int = 1
    looks: int = 1
    hand_ns: int = -1
    free: int = 0
    still_hits: int = 1
    owner: Trace | None = None
    waits: bool = False
    waiting_ns: int = -1

    @classmethod
    def begin(cls, sighting: Sighting, t_ns: int, hand_ns: int = -1) -> Candidate:
        """From its first sighting.

        Args:
            sighting: The first.
            t_ns: Now.
            hand_ns: When a hand was last there, -1 if none was lately.
        """
        score = sighting.detection.score
        return cls(t_ns, sighting.at, sighting, t_ns, score, sighting.at, t_ns, hand_ns=hand_ns)

    def follow(self, sighting: Sighting, t_ns: int, settings: Settings) -> None:
        """Seen again."""
        self.sighting, self.last_ns, self.seen = sighting, t_ns, True
        self.hits += 1
        self.looks += 1
        self.score += (sighting.detection.score - self.score) / self.hits
        if math.dist(sighting.at, self.still_at) / sighting.unit > settings.shift_mm:
            self.still_at, self.still_ns, self.still_hits = sighting.at, t_ns, 1
        else:
            self.still_hits += 1

    def miss(self) -> None:
        """Not seen in this look."""
        self.seen = False
        self.looks += 1

    def note_hand(self, at_it: bool, t_ns: int) -> None:
        """Whether a hand is at it in this look."""
        if at_it:
            self.hand_ns, self.free = t_ns, 0
        else:
            self.free += 1

    def wait(self, t_ns: int, settings: Settings) -> None:
        """Put off saying who it is, but not for ever."""
        if self.waiting_ns < 0:
            self.waiting_ns = t_ns
        self.waits = t_ns - self.waiting_ns < settings.wait_ns

    def apart_mm(self, at: tuple[float, float]) -> float:
        """Distance of a place from its last one, in mm."""
        return math.dist(self.sighting.at, at) / self.sighting.unit

    def is_still(self, t_ns: int, settings: Settings) -> bool:
        """It has been put down: no hand at it for some looks, or not moved for long."""
        if not self.seen:
            return False
        if self.free >= settings.release_looks and self.still_hits >= settings.release_looks:
            return True
        return t_ns - self.still_ns >= settings.still_ns and self.still_hits >= 4
