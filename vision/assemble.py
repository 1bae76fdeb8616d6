"""Tracks, what people said about them, and corrections become the figures of the table."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from engine.table import (
    Base,
    BaseShape,
    Figure,
    FigureState,
    PointMm,
    Seen,
    TableState,
    Terrain,
)
from vision.look import Look
from vision.track import Track

MM_DIGITS = 2
DEG_DIGITS = 1
_SECOND_NS = 1_000_000_000
_DOUBT_STEP_S = 10
_SAME_PLACE_MM = 8.0
_SURE_FACING_DEG = 10.0
_LEGO = "lego_model"
_BARE = {
    # Top of the bare head over the soles, as rule sets count it.
    "minifig": (_LEGO, 40.0, Base()),
    "playmobil": ("playmobil_model", 75.0, Base(size_mm=25.0)),
    "animal": ("animal", 25.0, Base(size_mm=30.0)),
    "vehicle": ("vehicle", 30.0, Base(size_mm=60.0)),
}


@dataclass(frozen=True, slots=True)
class Correction:
    """What a human put right about a figure; None leaves that to the camera.

    It holds until a hand has moved the figure again.

    Attributes:
        position_mm: Where the figure really is.
        facing_deg: The way it really looks.
        state: How it really is.
        level_mm: What it really stands on.
        track_id_at: Track that was taken for the figure then, None if there was none.
        position_then_mm: Where the camera had it then, None if it had not.
    """

    position_mm: PointMm | None = None
    facing_deg: float | None = None
    state: FigureState | None = None
    level_mm: float | None = None
    track_id_at: int | None = None
    position_then_mm: PointMm | None = None

    def holds(self, track: Track | None) -> bool:
        """Whether no hand has moved the figure since.

        Args:
            track: The figure's track now, None where it has none.
        """
        if track is None or track.position_mm is None:
            return True
        if track.state is FigureState.IN_HAND:
            return False
        if self.track_id_at != track.track_id or self.position_then_mm is None:
            return False
        return math.dist(track.position_mm, self.position_then_mm) <= _SAME_PLACE_MM


@dataclass(frozen=True, slots=True)
class ByHand:
    """A figure that people put on a table at which no camera looks.

    Attributes:
        position_mm: Where its base is.
        facing_deg: The way it looks, None when nobody said.
        state: How it is.
        level_mm: What it stands on.
        label: What a camera would call it.
    """

    position_mm: PointMm
    facing_deg: float | None
    state: FigureState
    level_mm: float
    label: str


@dataclass(frozen=True, slots=True)
class Roster:
    """What people and the rule set say about figures.

    Attributes:
        identities: Figure id of a track where it is not ``f{track_id}``.
        sides: Team of a figure id.
        bases: Base of a figure id.
        profiles: Size class of a figure id.
        corrections: By figure id.
        by_hand: Figures without a track, by figure id.
    """

    identities: Mapping[int, str] = field(default_factory=dict)
    sides: Mapping[str, str] = field(default_factory=dict)
    bases: Mapping[str, Base] = field(default_factory=dict)
    profiles: Mapping[str, str] = field(default_factory=dict)
    corrections: Mapping[str, Correction] = field(default_factory=dict)
    by_hand: Mapping[str, ByHand] = field(default_factory=dict)


def default_figure_id(track_id: int) -> str:
    """Name of a track's figure while nobody has said who it is."""
    return f"f{track_id}"


def name_tracks(tracks: Sequence[Track], identities: Mapping[int, str]) -> dict[str, Track]:
    """Who is who.

    A track that people named has that name. The track whose own name was thereby given away takes
    the name that has become free, if it is still seen; otherwise it is the same figure's old
    place and no figure of its own any more. Of several tracks named alike the one seen last counts.

    Args:
        tracks: Of one look.
        identities: Figure id by track id.

    Returns:
        Track by figure id, ordered by figure id.
    """
    named: dict[str, Track] = {}
    given: dict[str, int] = {}
    for track in sorted(tracks, key=lambda t: (t.last_seen_ns, t.track_id)):
        if track.track_id in identities:
            figure_id = identities[track.track_id]
            named[figure_id] = track
            given[figure_id] = track.track_id
    for track in tracks:
        if track.track_id in identities:
            continue
        figure_id = default_figure_id(track.track_id)
        if figure_id not in named:
            named[figure_id] = track
            continue
        free = default_figure_id(given[figure_id])
        if track.state is not FigureState.HIDDEN and free not in named:
            named[free] = track
    return dict(sorted(named.items(), key=lambda item: _order(item[0])))


def assemble(
    look: Look,
    roster: Roster,
    size_mm: tuple[float, float] | None,
    terrain: Sequence[Terrain],
) -> TableState:
    """The table at the time of a look.

    Numbers are rounded, so that live play and replay see the same ones.

    Args:
        look: Of one frame.
        roster: What people said.
        size_mm: Of the table, None when its edges are unknown.
        terrain: All of it.
    """
    figures: list[Figure] = []
    doubts: list[str] = []
    named = name_tracks(look.tracks, roster.identities)
    unplaced = [name for name, track in named.items() if track.position_mm is None]
    if unplaced:
        doubts.append("the table is not calibrated: figures have no places")
    for figure_id, track in named.items():
        figure = _figure(figure_id, track, roster)
        if figure is None:
            continue
        figures.append(figure)
        if figure.seen is Seen.HIDDEN:
            doubts += _unseen(figure_id, look.t_ns - track.last_seen_ns)
    untracked = roster.by_hand.keys() | roster.corrections.keys()
    for figure_id in sorted(untracked - named.keys()):
        by_word = _by_word(figure_id, roster)
        if by_word is not None:
            figures.append(by_word)
    return TableState(
        look.t_ns,
        size_mm,
        tuple(sorted(figures, key=lambda figure: figure.figure_id)),
        tuple(sorted(terrain, key=lambda piece: piece.terrain_id)),
        look.settled,
        tuple(doubts),
    )


def base_rotation(
    facing_deg: float | None, sigma_deg: float | None, period_deg: float = 90.0
) -> float | None:
    """Turn of a base with corners that turns with its figure.

    Args:
        facing_deg: The way the figure looks.
        sigma_deg: Its standard deviation.
        period_deg: Turn after which the base looks the same: 90 of a square; 360 of an oblong,
            whose length lies along the facing.

    Returns:
        0 to below ``period_deg``; None unless the facing is known well.
    """
    if facing_deg is None or sigma_deg is None or sigma_deg >= _SURE_FACING_DEG:
        return None
    return _degrees(facing_deg, period_deg)


def _figure(figure_id: str, track: Track, roster: Roster) -> Figure | None:
    """A tracked figure, None where it has no place."""
    correction = roster.corrections.get(figure_id)
    if correction is not None and not correction.holds(track):
        correction = None
    hidden = track.state is FigureState.HIDDEN
    position = track.position_mm
    if correction is not None and correction.position_mm is not None:
        position = correction.position_mm
    if position is None:
        return None
    profile, height, standard = _BARE.get(track.label, _BARE["minifig"])
    facing, facing_sigma = track.facing_deg, track.facing_sigma_deg
    state, level, seen = track.state, track.level_mm, Seen.HIDDEN if hidden else Seen.SEEN
    sigma = track.sigma_mm or 0.0
    if correction is not None:
        seen = Seen.CORRECTED
        if correction.facing_deg is not None:
            facing, facing_sigma = correction.facing_deg, 1.0
        state = correction.state or state
        level = correction.level_mm if correction.level_mm is not None else level
    base = roster.bases.get(figure_id, standard)
    lying = state is FigureState.LYING
    period = 360.0 if base.shape is BaseShape.OBLONG else 90.0
    rotation = None if lying else base_rotation(facing, facing_sigma, period)
    return Figure(
        figure_id,
        track.label,
        roster.sides.get(figure_id),
        roster.profiles.get(figure_id, profile),
        _point(position),
        None if facing is None else _degrees(facing, 360.0),
        replace(base, rotation_deg=rotation),
        height,
        _round(level),
        state,
        seen,
        _round(sigma),
    )


def _by_word(figure_id: str, roster: Roster) -> Figure | None:
    """A figure that no camera has a track of, only a human's word; None where it has no place."""
    correction = roster.corrections.get(figure_id, Correction())
    placed = roster.by_hand.get(figure_id)
    label = "minifig" if placed is None else placed.label
    position, facing, state, level = (
        (None, None, FigureState.STANDING, 0.0)
        if placed is None
        else (placed.position_mm, placed.facing_deg, placed.state, placed.level_mm)
    )
    position = correction.position_mm or position
    if position is None:
        return None
    facing = facing if correction.facing_deg is None else correction.facing_deg
    right = figure_id in roster.corrections
    profile, height, standard = _BARE[label]
    base = roster.bases.get(figure_id, standard)
    period = 360.0 if base.shape is BaseShape.OBLONG else 90.0
    return Figure(
        figure_id,
        label,
        roster.sides.get(figure_id),
        roster.profiles.get(figure_id, profile),
        _point(position),
        None if facing is None else _degrees(facing, 360.0),
        replace(base, rotation_deg=base_rotation(facing, 1.0, period)),
        height,
        _round(level if correction.level_mm is None else correction.level_mm),
        correction.state or state,
        Seen.CORRECTED if right else Seen.SEEN,
        1.0 if right else 0.0,
    )


def _unseen(figure_id: str, unseen_ns: int) -> list[str]:
    """Doubt about a figure not seen for long, in steps, so that the words do not change always."""
    seconds = unseen_ns // _SECOND_NS // _DOUBT_STEP_S * _DOUBT_STEP_S
    if seconds < _DOUBT_STEP_S:
        return []
    return [f"{figure_id} has not been seen for {seconds} s"]


def _order(figure_id: str) -> tuple[int, str]:
    """F2 before f10."""
    digits = figure_id[1:]
    return (int(digits) if digits.isdigit() else 0, figure_id)


def _round(value: float) -> float:
    # Adding 0.0 turns -0.0 into 0.0.
    return round(value, MM_DIGITS) + 0.0


def _point(point: PointMm) -> PointMm:
    return _round(point[0]), _round(point[1])


def _degrees(value: float, turn: float) -> float:
    """Rounded, from 0 to below the turn."""
    return round(value % turn, DEG_DIGITS) % turn + 0.0
