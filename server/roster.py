"""Who is who on the table, from what people said, in the form the assembly wants."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from engine import setup
from engine.log import LogLine, kept
from engine.referee import Referee
from engine.ruleset import RuleSetInfo
from engine.table import Base, PointMm
from vision.assemble import Correction, Roster
from vision.pipeline import Look
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
    track_id: int
    position_mm: PointMm


class RosterKeeper:
    """Makes the roster for each look.

    Remembers where a figure was when it was corrected: the correction holds only until the
    figure is moved.
    """

    def __init__(self) -> None:
        self._told: dict[str, _Told] = {}
        self._seq = -1
        self._swaps: tuple[tuple[str, str], ...] = ()

    def roster(self, look: Look, referee: Referee) -> Roster:
        """The roster for one look."""
        if referee.state.seq != self._seq:
            self._seq = referee.state.seq
            self._swaps = _swaps(referee.lines)
        info, facts = referee.ruleset.info, referee.facts
        tracks = {_name(track, self._swaps): track for track in look.tracks}
        profiles = {name: PROFILES.get(track.label, track.label) for name, track in tracks.items()}
        default = next(iter(info.base.values()), Base())
        return Roster(
            identities={track.track_id: name for name, track in tracks.items()},
            sides=dict(facts.sides),
            bases={name: info.base.get(profile, default) for name, profile in profiles.items()},
            profiles=profiles,
            corrections=self._corrections(tracks, facts.corrections),
        )

    def _corrections(
        self, tracks: Mapping[str, Track], told: Mapping[str, setup.Correction]
    ) -> dict[str, Correction]:
        corrections: dict[str, Correction] = {}
        for name, correction in told.items():
            track = tracks.get(name)
            then = self._told.get(name)
            if then is None or then.seq != correction.seq:
                if track is None or track.position_mm is None:
                    continue
                then = _Told(correction.seq, track.track_id, track.position_mm)
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


def _swaps(lines: Iterable[LogLine]) -> tuple[tuple[str, str], ...]:
    """Pairs of figures told apart by people, in the order they were told."""
    return tuple(
        (line.event.figure_id, line.event.target_id)
        for line in kept(lines)
        if line.event.kind == "identified"
        and line.event.figure_id is not None
        and line.event.target_id is not None
    )


def _name(track: Track, swaps: Iterable[tuple[str, str]]) -> str:
    """Figure id of a track: telling that one figure is another exchanges the two."""
    name = f"f{track.track_id}"
    for one, other in swaps:
        if name == one:
            name = other
        elif name == other:
            name = one
    return name
