"""Identities kept by world state: a figure stays where it was until a hand has been there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.table import FigureState
from vision.detection import Detection, Hand
from vision.track import Track
from vision.tracking.archive import Archive
from vision.tracking.assign import FORBIDDEN, assign
from vision.tracking.candidate import Candidate
from vision.tracking.doubles import is_ghost, without_doubles
from vision.tracking.pairing import (
    follow_costs,
    home_costs,
    jump_costs,
    link_costs,
    reunion_costs,
)
from vision.tracking.reach import Reach, Trail, hidden_by
from vision.tracking.settings import SECOND_NS, Settings
from vision.tracking.sighting import Sighting
from vision.tracking.trace import Trace

_HAND_MEMORY_NS = 5 * SECOND_NS
_BORDER = 0.05
_CARRIED_SIGMA_MM = 20.0


class Tracker:
    """Follows figures through hands, hiding, missed and false detections.

    One look after another goes through the same steps: figures seen at their own places; loose
    sightings followed; figures that went without a hand; who is in a hand; who has been put
    down; who is new. Nothing dies of not being seen: it stays in its place, hidden.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self._settings = settings or Settings()
        self._traces: list[Trace] = []
        self._candidates: list[Candidate] = []
        self._archive = Archive()
        self._trail = Trail(self._settings)
        self._next_id = 1
        self._start_ns: int | None = None
        self._looks = 0
        self.moved_ns = -1
        """When anything last moved or was in a hand, -1 for never."""

    def step(
        self,
        sightings: Sequence[Sighting],
        hands: Sequence[Hand],
        t_ns: int,
        size_px: tuple[int, int],
        *,
        cut: bool = False,
        calibrated: bool = True,
    ) -> tuple[Track, ...]:
        """Take one look.

        Args:
            sightings: Of this picture, on the table.
            hands: Of this picture.
            t_ns: Its time; never goes back.
            size_px: Width and height of the picture.
            cut: The view changed to another place: positions start anew.
            calibrated: Sightings are in table mm; otherwise tracks get no position.

        Returns:
            All figures by track id.
        """
        if cut:
            self._archive.keep(self._traces)
            self._traces, self._candidates = [], []
        if cut or self._start_ns is None:
            self._start_ns, self._looks = t_ns, 0
            self.moved_ns = t_ns
        self._looks += 1
        reach = Reach.of(hands, self._settings)
        single = without_doubles(sightings)
        self._trail.note(reach, t_ns)
        self._notice_hands(reach, t_ns)
        loose = self._see_homes(single, reach, t_ns)
        self._follow(loose, reach, t_ns)
        self._jump(reach, t_ns)
        for candidate in self._candidates:
            candidate.note_hand(reach.touches(candidate.sighting.detection.box_px), t_ns)
        self._link(t_ns)
        self._reunite(reach, t_ns)
        self._bear(size_px, t_ns)
        self._forget(t_ns)
        return tuple(self._track(trace, t_ns, calibrated) for trace in self._traces)

    def reground(self, resight: Callable[[Detection], Sighting | None]) -> None:
        """Put all figures on the table again after the calibration or terrain changed.

        Args:
            resight: Gives the sighting of a figure's last detection under the new calibration.
        """
        self._candidates = []
        for trace in self._traces:
            sighting = resight(trace.home)
            if sighting is not None:
                last_ns, box = trace.last_ns, trace.box
                trace.settle_at(sighting, last_ns)
                trace.box = box

    # One look ----------------------------------------------------------------------------

    def _notice_hands(self, reach: Reach, t_ns: int) -> None:
        for trace in self._traces:
            if reach.touches(trace.home.box_px):
                trace.disturbed, trace.touched_ns = True, t_ns

    def _see_homes(self, sightings: list[Sighting], reach: Reach, t_ns: int) -> list[Sighting]:
        pairs = dict(assign(home_costs(self._traces, sightings, reach, self._settings)))
        for row, trace in enumerate(self._traces):
            if row in pairs:
                sighting = sightings[pairs[row]]
                box = sighting.detection.box_px
                frozen = trace.touched_ns == t_ns or hidden_by(box, sightings) > 0.25
                if trace.carried:
                    self._release(trace)
                if trace.see(sighting, t_ns, frozen):
                    self.moved_ns = t_ns
            else:
                home = trace.home.box_px
                uncovered = hidden_by(home, sightings) <= 0.35 and not reach.covers(home)
                trace.miss(uncovered and trace.touched_ns != t_ns, uncovered)
        taken = {id(sightings[column]) for column in pairs.values()}
        seen = [s for s in sightings if id(s) in taken]
        return [s for s in sightings if id(s) not in taken and not is_ghost(s, seen)]

    def _follow(self, loose: list[Sighting], reach: Reach, t_ns: int) -> None:
        costs = follow_costs(self._candidates, loose, reach, self._settings)
        pairs = dict(assign(costs))
        for row, candidate in enumerate(self._candidates):
            if row in pairs:
                candidate.follow(loose[pairs[row]], t_ns, self._settings)
            else:
                candidate.miss()
        taken = set(pairs.values())
        fresh = [s for column, s in enumerate(loose) if column not in taken]
        for sighting in fresh:
            hand_ns = self._trail.last_at(sighting.detection.box_px)
            self._candidates.append(Candidate.begin(sighting, t_ns, hand_ns))

    def _jump(self, reach: Reach, t_ns: int) -> None:
        """Without a hand: what vanished here and at once appeared nearby, alike, has moved."""
        went = [
            trace
            for trace in self._traces
            if trace.unseen > 0
            and not trace.carried
            and t_ns - trace.touched_ns > self._settings.grace_ns * (trace.touched_ns >= 0)
        ]
        came = [c for c in self._candidates if c.seen and c.owner is None]
        costs = jump_costs(went, [c.sighting for c in came], reach, self._settings)
        for row, trace in enumerate(went):
            for column, candidate in enumerate(came):
                late = candidate.born_ns - trace.last_ns
                if not 0 < late <= self._settings.at_once_ns:
                    costs[row, column] = FORBIDDEN
        for row, column in assign(costs):
            self._settle(went[row], came[column], t_ns)

    def _link(self, t_ns: int) -> None:
        """Say which missing figure is in which hand."""
        for candidate in self._candidates:
            if candidate.owner is not None:
                if candidate.seen:
                    candidate.owner.carry(candidate.sighting, t_ns)
                else:
                    candidate.owner.hide_in_hand()
                self.moved_ns = t_ns
        missing = [t for t in self._traces if t.disturbed and t.box is None and t.unseen >= 2]
        handled = [
            c
            for c in self._candidates
            if c.owner is None and c.seen and c.hits >= 2 and c.hand_ns >= 0
        ]
        costs = link_costs(missing, handled, self._settings)
        for row, column in assign(costs):
            self._release(missing[row])
            handled[column].owner = missing[row]
            missing[row].carry(handled[column].sighting, t_ns)
            self.moved_ns = t_ns

    def _reunite(self, reach: Reach, t_ns: int) -> None:
        """Pair all missing figures with all things put down, at once."""
        settings = self._settings
        down = [c for c in self._candidates if c.is_still(t_ns, settings)]
        missing = [
            trace
            for trace in self._traces
            if trace.carried
            or (trace.disturbed and trace.unseen >= settings.vacant_looks)
            or trace.gone >= settings.confirm_looks
        ]
        for candidate in self._candidates:
            candidate.waits = False
        costs = reunion_costs(missing, down, settings)
        for row, trace in enumerate(missing):
            for column, candidate in enumerate(down):
                if not trace.disturbed and candidate.born_ns <= trace.last_ns:
                    costs[row, column] = FORBIDDEN
        for row, column in assign(costs):
            trace, candidate = missing[row], down[column]
            unclear = reach.covers(trace.home.box_px) and not trace.is_vacant
            if unclear and candidate.owner is not trace:
                candidate.wait(t_ns, settings)
                continue
            self._settle(trace, candidate, t_ns)

    def _bear(self, size_px: tuple[int, int], t_ns: int) -> None:
        """Make figures of what has been seen often enough where figures may appear."""
        for candidate in list(self._candidates):
            if candidate.owner is None and self._is_figure(candidate, size_px, t_ns):
                track_id = self._archive.recall(candidate.sighting, self._candidates)
                if track_id is None:
                    track_id = self._next_id
                    self._next_id += 1
                trace = Trace.begin(track_id, candidate.sighting, t_ns, self._settings)
                trace.born_ns = candidate.born_ns
                self._traces.append(trace)
                self._traces.sort(key=lambda t: t.track_id)
                self._candidates.remove(candidate)
                if self._looks > 1:
                    self.moved_ns = t_ns

    def _is_figure(self, candidate: Candidate, size_px: tuple[int, int], t_ns: int) -> bool:
        settings = self._settings
        if not candidate.seen or candidate.score < settings.sure_score:
            return False
        by_hand = candidate.hand_ns >= 0 and t_ns - candidate.hand_ns < _HAND_MEMORY_NS
        assert self._start_ns is not None  # noqa: S101 - set by the first step
        if t_ns - self._start_ns <= settings.start_ns and not by_hand:
            return self._looks == 1 or candidate.hits >= 2
        if not candidate.is_still(t_ns, settings):
            return False
        if candidate.waits:
            return False
        if by_hand or _at_border(candidate, size_px):
            return candidate.hits >= settings.confirm_looks
        often = candidate.hits >= 0.6 * candidate.looks
        long = t_ns - candidate.born_ns >= settings.doubt_ns
        return candidate.hits >= settings.doubt_looks and often and long

    def _forget(self, t_ns: int) -> None:
        """Drop loose things not seen again and young figures that were none."""
        settings = self._settings
        for candidate in list(self._candidates):
            if t_ns - candidate.last_ns > settings.lost_ns:
                self._candidates.remove(candidate)
                if candidate.owner is not None:
                    candidate.owner.carried = False
        for trace in list(self._traces):
            young = t_ns - trace.born_ns <= settings.young_ns and trace.touched_ns < 0
            if young and trace.misses >= 6 and 2 * trace.hits < trace.misses:
                self._traces.remove(trace)
                self._release(trace)

    # Help --------------------------------------------------------------------------------

    def _settle(self, trace: Trace, candidate: Candidate, t_ns: int) -> None:
        """The figure stands where the candidate is."""
        self._release(trace)
        trace.settle_at(candidate.sighting, t_ns)
        trace.disturbed = trace.touched_ns == t_ns
        self._candidates.remove(candidate)
        self.moved_ns = t_ns

    def _release(self, trace: Trace) -> None:
        """No loose thing is taken for this figure any more."""
        trace.carried = False
        for candidate in self._candidates:
            if candidate.owner is trace:
                candidate.owner = None

    def _track(self, trace: Trace, t_ns: int, calibrated: bool) -> Track:
        state = trace.state
        if t_ns - trace.last_ns > self._settings.grace_ns:
            state = FigureState.HIDDEN
        elif trace.carried:
            state = FigureState.IN_HAND
        facing = trace.facing() if calibrated else None
        sigma = max(trace.spread, _CARRIED_SIGMA_MM) if trace.carried else trace.spread
        return Track(
            track_id=trace.track_id,
            label=trace.label,
            position_mm=trace.point() if calibrated else None,
            sigma_mm=sigma if calibrated else None,
            facing_deg=None if facing is None else facing[0],
            state=state,
            level_mm=trace.level_mm,
            box_px=trace.box,
            last_seen_ns=trace.last_ns,
            score=trace.score,
            facing_sigma_deg=None if facing is None else facing[1],
        )


def _at_border(candidate: Candidate, size_px: tuple[int, int]) -> bool:
    width, height = size_px
    x0, y0, x1, y1 = candidate.sighting.detection.box_px
    margin = _BORDER * max(size_px)
    return x0 < margin or y0 < margin or x1 > width - margin or y1 > height - margin
