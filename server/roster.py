"""Who is who on the table, from what people said, in the form the assembly wants."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from engine import setup
from engine.log import LogLine, kept
from engine.referee import Referee
from engine.ruleset import RuleSetInfo
from engine.table import PointMm
from vision.assemble import ByHand, Correction, Roster, name_tracks
from vision.look import Look
from vision.track import Track

PROFILES: Final[Mapping[str, str]] = {"minifig": "lego_model", "playmobil": "playmobil_model"}
"""Size class by what the camera calls a figure."""


def base_height_mm(info: RuleSetInfo) -> float:
    """Thickness of the base that figures stand on in this game, 0 without one."""
    return max((base.height_mm for base in info.base.values()), default=0.0)


@dataclass(frozen=True, slots=True)
class _Told:
    """A correction, with where its track was when it was said."""

    seq: int
    track_id: int | None
    position_mm: PointMm | None


class RosterKeeper:
    """Makes the roster for each look.

    Remembers where a figure was when it was corrected: the correction holds only until the
    figure is moved.
    """

    def __init__(self) -> None:
        self._told: dict[str, _Told] = {}
        self._seq = -1
        self._identities: dict[int, str] = {}

    def roster(self, look: Look, referee: Referee) -> Roster:
        """The roster for one look."""
        if referee.state.seq != self._seq:
            self._seq = referee.state.seq
            self._identities = identities(referee.lines)
        info, facts = referee.ruleset.info, referee.facts
        named = name_tracks(look.tracks, self._identities)
        by_hand = {
            name: ByHand(one.position_mm, one.facing_deg, one.state, one.level_mm, one.label)
            for name, one in facts.placed.items()
        }
        labels = {name: one.label for name, one in by_hand.items()}
        labels |= {name: track.label for name, track in named.items()}
        profiles = {name: PROFILES[label] for name, label in labels.items() if label in PROFILES}
        return Roster(
            identities=self._identities,
            sides=dict(facts.sides),
            bases={
                name: info.base[profile]
                for name, profile in profiles.items()
                if profile in info.base
            },
            profiles=profiles,
            corrections=self._corrections(named, facts.corrections),
            by_hand=by_hand,
        )

    def sides(self, look: Look, referee: Referee) -> dict[int, str]:
        """Team of each track."""
        facts = referee.facts
        return {
            track.track_id: facts.sides[name]
            for name, track in name_tracks(look.tracks, self._identities).items()
            if name in facts.sides
        }

    def _corrections(
        self, named: Mapping[str, Track], told: Mapping[str, setup.Correction]
    ) -> dict[str, Correction]:
        corrections: dict[str, Correction] = {}
        for name, correction in told.items():
            then = self._told.get(name)
            if then is None or then.seq != correction.seq:
                track = named.get(name)
                then = _Told(
                    correction.seq,
                    None if track is None else track.track_id,
                    None if track is None else track.position_mm,
                )
                self._told[name] = then
            corrections[name] = Correction(
                position_mm=correction.position_mm,
                facing_deg=correction.facing_deg,
                state=correction.state,
                level_mm=correction.level_mm,
                track_id_at=then.track_id,
                position_then_mm=then.position_mm,
            )
        return corrections


def identities(lines: Iterable[LogLine]) -> dict[int, str]:
    """Which track people said is which figure, by track id.

    Figures are named as they were shown when people spoke, so a later word is read in the light
    of the earlier ones.
    """
    told: dict[int, str] = {}
    for line in kept(lines):
        event = line.event
        if event.kind != "identified" or event.figure_id is None or event.target_id is None:
            continue
        track_id = _shown_as(event.figure_id, told)
        if track_id is None:
            continue
        told = {known: name for known, name in told.items() if name != event.target_id}
        told[track_id] = event.target_id
    return told


def _shown_as(name: str, told: Mapping[int, str]) -> int | None:
    """The track that a figure id stands for."""
    for track_id, given in told.items():
        if given == name:
            return track_id
    seen: set[str] = set()
    while name not in seen:
        seen.add(name)
        digits = name.removeprefix("f")
        if not digits.isdecimal():
            return None
        if int(digits) not in told:
            return int(digits)
        # That track goes by another name; its own is carried by the one whose name it took.
        name = told[int(digits)]
    return None
