"""Footage after the game: every frame looked at, followed and written down."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from engine.table import FigureState
from vision.frames import Frame, FrameSource
from vision.look import Look
from vision.pipeline import Pipeline
from vision.recording.writer import RecordingWriter
from vision.track import Track

MOVE_MM = 8.0
_REST_MM = 3.0
_REST_NS = 500_000_000
_HEIGHT_MM = 40.0

OnLook = Callable[[Frame, Look], None]
Progress = Callable[[int], None]
Sides = Callable[[], Mapping[int, str]]


@dataclass(frozen=True, slots=True)
class Summary:
    """What a footage held.

    Attributes:
        frames: Looked at.
        duration_s: Time of the last frame.
        figures: Different figures followed.
        moves: Times a figure came to rest elsewhere than it rested before.
    """

    frames: int
    duration_s: float
    figures: int
    moves: int


def analyse_frames(
    source: FrameSource,
    pipeline: Pipeline,
    writer: RecordingWriter | None = None,
    on_look: OnLook | None = None,
    progress: Progress | None = None,
    *,
    sides: Sides | None = None,
    keep_frames: bool = False,
) -> Summary:
    """Run the pipeline over a source, one frame in memory at a time.

    Args:
        source: Not closed here.
        pipeline: Steps through its frames.
        writer: Gets detections and tracks of every frame; not closed here.
        on_look: Called after each frame, before its tracks are written, so that a game can name
            sides first.
        progress: Called with the number of frames done.
        sides: Team of each track id, asked anew for every frame.
        keep_frames: Write the pictures as well.

    Returns:
        The counts.
    """
    rests = RestWatch()
    frames, last_ns = 0, 0
    for frame in source:
        look = pipeline.step(frame)
        rests.step(look)
        if on_look is not None:
            on_look(frame, look)
        if writer is not None:
            if keep_frames:
                writer.frame(frame)
            writer.detections(look)
            writer.tracks(look, sides() if sides is not None else {})
        frames, last_ns = frames + 1, frame.t_ns
        if progress is not None:
            progress(frames)
    return Summary(frames, last_ns / 1e9, rests.figures, rests.moves)


@dataclass(slots=True)
class _Rest:
    """Where a track is, since when, and where it last rested."""

    at: tuple[float, float]
    unit: float
    since_ns: int
    rested: tuple[float, float] | None = None


@dataclass(slots=True)
class RestWatch:
    """Counts figures and moves.

    Attributes:
        moves: So far.
    """

    moves: int = 0
    _rests: dict[int, _Rest] = field(default_factory=dict)
    _known: set[int] = field(default_factory=set)
    _now: int = 0

    @property
    def figures(self) -> int:
        """Different figures that came to rest in sight, or all there are now if that is more."""
        return max(len(self._known), self._now)

    def step(self, look: Look) -> None:
        """Take one look."""
        if look.cut:
            self._rests.clear()
        self._now = len(look.tracks)
        for track in look.tracks:
            if track.state in (FigureState.HIDDEN, FigureState.IN_HAND) or track.box_px is None:
                continue
            self._follow(track, look.t_ns)

    def _follow(self, track: Track, t_ns: int) -> None:
        at, unit = _place(track)
        rest = self._rests.get(track.track_id)
        if rest is None:
            self._rests[track.track_id] = _Rest(at, unit, t_ns)
            return
        if math.dist(at, rest.at) > _REST_MM * rest.unit:
            rest.at, rest.unit, rest.since_ns = at, unit, t_ns
            return
        if t_ns - rest.since_ns < _REST_NS:
            return
        self._known.add(track.track_id)
        if rest.rested is None:
            rest.rested = rest.at
        elif math.dist(rest.at, rest.rested) > MOVE_MM * rest.unit:
            self.moves += 1
            rest.rested = rest.at


def _place(track: Track) -> tuple[tuple[float, float], float]:
    """Table mm, or without a calibration pixels and how many of them make a mm."""
    if track.position_mm is not None:
        return track.position_mm, 1.0
    box = track.box_px or (0.0, 0.0, 1.0, 1.0)
    return ((box[0] + box[2]) / 2, box[3]), max(box[3] - box[1], 1.0) / _HEIGHT_MM
