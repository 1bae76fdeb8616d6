"""One figure as the tracker remembers it."""

from __future__ import annotations

import math
from collections import Counter, deque
from dataclasses import dataclass, field

import numpy as np

from engine.table import FigureState, PointMm
from vision.detection import BoxPx, Detection
from vision.tracking.appearance import Appearance, blend
from vision.tracking.settings import Settings
from vision.tracking.sighting import Sighting, Spot

_VOTES = 5
_NEED = 4
_LOOK_SHARE = 0.08
_INDEPENDENT = 9
"""Sightings of a still figure share their faults, so more of them do not make it surer."""


@dataclass(slots=True, eq=False)
class Trace:
    """A figure's place in the world, changed only by what is seen of it.

    Attributes:
        track_id: For the whole recording.
        settings: Gates.
        born_ns: First sighting.
        at: Median place of the still period, in units of its sightings.
        unit: Units in one mm.
        sigma: Of one sighting, in units.
        floor: The calibration's own share of it.
        level_mm: Of the surface it stands on.
        home: Last detection at its place, for telling whether a hand is at it.
        box: Where it was seen in this look, None if it was not.
        last_ns: Last sighting.
        look: Running mean of its colours.
        score: Of the last sighting.
        state: Standing or lying, with hysteresis.
        hits: Looks it was seen in.
        misses: Looks it was not seen in although its place was in clear view.
        gone: The same, in a row.
        unseen: Looks in a row it was not seen in.
        vacant: Looks since it was last seen in which no hand hid its place, yet it was not seen.
        disturbed: A hand has been at it since it was last surely at its place.
        touched_ns: When a hand was last at it, -1 for never.
        calm: Looks in a row at its place without a hand.
        carried_box: Where it is seen in the hand now.
        carried_at: The table place behind that, in units.
        carried: A hand has it.
    """

    track_id: int
    settings: Settings
    born_ns: int
    at: tuple[float, float]
    unit: float
    sigma: float
    level_mm: float
    home: Detection
    look: Appearance
    last_ns: int
    score: float
    state: FigureState
    floor: float = 0.0
    box: BoxPx | None = None
    hits: int = 0
    misses: int = 0
    gone: int = 0
    unseen: int = 0
    vacant: int = 0
    disturbed: bool = False
    touched_ns: int = -1
    calm: int = 0
    carried: bool = False
    carried_box: BoxPx | None = None
    carried_at: tuple[float, float] | None = None
    _labels: Counter[str] = field(default_factory=Counter)
    _places: deque[tuple[float, float]] = field(default_factory=deque)
    _sigmas: deque[float] = field(default_factory=deque)
    _facings: deque[float] = field(default_factory=deque)
    _astray: list[Spot] = field(default_factory=list)
    _fresh: list[Spot] = field(default_factory=list)
    _votes: deque[FigureState] = field(default_factory=lambda: deque(maxlen=_VOTES))

    @classmethod
    def begin(cls, track_id: int, sighting: Sighting, t_ns: int, settings: Settings) -> Trace:
        """A figure from its first sighting."""
        spot = sighting.spots[0]
        trace = cls(
            track_id,
            settings,
            t_ns,
            spot.at,
            sighting.unit,
            spot.sigma,
            spot.level_mm,
            sighting.detection,
            sighting.look,
            t_ns,
            sighting.detection.score,
            spot.contact.state,
        )
        trace.settle_at(sighting, t_ns)
        return trace

    @property
    def label(self) -> str:
        """The label seen most often; on a tie the one first seen."""
        return self._labels.most_common(1)[0][0]

    def apart_mm(self, at: tuple[float, float], unit: float | None = None) -> float:
        """Distance of a place from this figure's, in mm."""
        return math.dist(self.at, at) / (unit or self.unit)

    def settle_at(self, sighting: Sighting, t_ns: int) -> None:
        """Take a new place; the still period starts anew."""
        spot = sighting.spots[0]
        for samples in (self._places, self._sigmas, self._facings):
            samples.clear()
        self._astray.clear()
        self._fresh.clear()
        self._votes.clear()
        self.level_mm = spot.level_mm
        self.state = spot.contact.state
        self.carried, self.carried_box, self.carried_at = False, None, None
        self.gone = self.calm = self.vacant = self.unseen = 0
        self._note(sighting, t_ns)
        self.floor = sighting.floor(spot)
        self._sample(spot)

    def see(self, sighting: Sighting, t_ns: int, frozen: bool) -> bool:
        """Take a sighting at this figure's place.

        Args:
            sighting: The one matched.
            t_ns: Now.
            frozen: A hand or another figure may falsify the place: note it, but keep the place.

        Returns:
            Whether the figure turned out to have moved.
        """
        spot = sighting.spot(self.level_mm)
        self.carried, self.carried_box, self.carried_at = False, None, None
        self.gone = self.vacant = self.unseen = 0
        self._note(sighting, t_ns)
        if frozen:
            self.calm = 0
            self._fresh.clear()
            return False
        self.calm += 1
        self.look = blend(self.look, sighting.look, _LOOK_SHARE)
        self._vote(spot.contact.state)
        if self.apart_mm(spot.at) > self.settings.shift_mm:
            self._astray.append(spot)
            if len(self._astray) < self.settings.shift_looks:
                return False
            self._restart(self._astray, sighting.floor(spot))
            return True
        self._astray.clear()
        if self.disturbed:
            return self._compare(spot, sighting)
        self._sample(spot)
        return False

    def miss(self, in_clear_view: bool, uncovered: bool) -> None:
        """Not seen in this look.

        Args:
            in_clear_view: No hand is near its place and no figure in front of it.
            uncovered: No hand and no figure hides its place.
        """
        self.box = None
        self.calm = 0
        self.carried_box = None
        self.unseen += 1
        self.vacant += uncovered
        if in_clear_view:
            self.misses += 1
            self.gone += 1

    def carry(self, sighting: Sighting, t_ns: int) -> None:
        """Seen in a hand: the place on the table is only what lies behind it."""
        self.carried = True
        self.carried_box = self.box = sighting.detection.box_px
        self.carried_at = sighting.at
        self.last_ns = t_ns
        self.score = sighting.detection.score
        self._labels[sighting.detection.label] += 1

    def hide_in_hand(self) -> None:
        """Carried, but not seen in this look."""
        self.carried = True
        self.carried_box = self.box = None

    @property
    def is_vacant(self) -> bool:
        """Its place has been seen empty."""
        return self.vacant >= self.settings.vacant_looks

    @property
    def spread(self) -> float:
        """One standard deviation of the place, in units: noise averages out, the floor stays."""
        count = min(len(self._places), _INDEPENDENT)
        own = max(0.0, self.sigma**2 - self.floor**2)
        return math.sqrt(self.floor**2 + own / max(count, 1))

    def facing(self) -> tuple[float, float] | None:
        """Mean facing of the still period and its standard deviation in degrees."""
        if not self._facings:
            return None
        turns = np.exp(1j * np.radians(np.array(self._facings)))
        mean = complex(turns.mean())
        length = min(1.0, abs(mean))
        if length < 0.3:
            return None
        one = math.degrees(math.sqrt(-2 * math.log(max(length, 1e-9))))
        count = min(len(self._facings), _INDEPENDENT)
        # One sighting says nothing about its own scatter: 12 degrees is what soles 8 mm apart
        # give with a pixel of noise.
        own = max(one, 12.0 if count < 4 else 2.0)
        return math.degrees(math.atan2(mean.imag, mean.real)) % 360.0, own / math.sqrt(count)

    def point(self) -> PointMm:
        """Where it is said to be: its place, or what lies behind it while it is carried."""
        return self.carried_at if self.carried and self.carried_at is not None else self.at

    def _note(self, sighting: Sighting, t_ns: int) -> None:
        detection = sighting.detection
        self.home, self.box = detection, detection.box_px
        self.last_ns, self.score = t_ns, detection.score
        self.unit = sighting.unit
        self.hits += 1
        self._labels[detection.label] += 1

    def _compare(self, spot: Spot, sighting: Sighting) -> bool:
        """After a hand: keep the old samples only if the figure stands where they say."""
        self._fresh.append(spot)
        if len(self._fresh) < self.settings.release_looks:
            return False
        fresh = list(self._fresh)
        middle = np.median(np.array([place.at for place in fresh]), axis=0)
        apart = self.apart_mm((float(middle[0]), float(middle[1])))
        self._fresh.clear()
        self.disturbed = False
        if apart > self.settings.nudge_mm:
            self._restart(fresh, sighting.floor(spot))
            return apart > self.settings.shift_mm
        for place in fresh:
            self._sample(place)
        return False

    def _restart(self, spots: list[Spot], floor: float) -> None:
        self.floor = floor
        for samples in (self._places, self._sigmas, self._facings):
            samples.clear()
        for place in list(spots):
            self._sample(place)
        self._astray.clear()
        self._fresh.clear()
        self.disturbed = False

    def _sample(self, spot: Spot) -> None:
        self._places.append(spot.at)
        self._sigmas.append(spot.sigma)
        if spot.contact.facing_deg is not None:
            self._facings.append(spot.contact.facing_deg)
        for samples in (self._places, self._sigmas, self._facings):
            while len(samples) > self.settings.memory:
                samples.popleft()
        middle = np.median(np.array(self._places), axis=0)
        self.at = (float(middle[0]), float(middle[1]))
        self.sigma = float(np.median(np.array(self._sigmas)))

    def _vote(self, state: FigureState) -> None:
        self._votes.append(state)
        if sum(vote != self.state for vote in self._votes) >= _NEED:
            self.state = Counter(self._votes).most_common(1)[0][0]
            self._votes.clear()
