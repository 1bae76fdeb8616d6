"""How a source is doing right now."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class SourceState(StrEnum):
    """Whether a picture can be trusted to be of now."""

    LIVE = "live"
    STALE = "stale"
    RECONNECTING = "reconnecting"
    LOST = "lost"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """One look at a source.

    Attributes:
        state: Live, stale (pictures stopped or froze), reconnecting, lost, or none (closed).
        fps: New pictures a second over the last few.
        age_ms: Since the last new picture; None when there was none.
    """

    state: SourceState
    fps: float
    age_ms: float | None
