"""A figure followed over time, in table millimetres."""

from __future__ import annotations

from dataclasses import dataclass

from engine.table import FigureState, PointMm
from vision.detection import BoxPx


@dataclass(frozen=True, slots=True)
class Track:
    """One figure as last known.

    Attributes:
        track_id: Stays with the figure for the whole recording, through hands and hiding.
        label: As detected most often.
        position_mm: Centre of the base, None without a calibration.
        sigma_mm: One standard deviation along the worst direction, None without a calibration.
        facing_deg: Counter-clockwise from +x, None when unknown.
        state: Standing, lying, in hand or hidden.
        level_mm: Height of what it stands on.
        box_px: Where it was seen in this frame, None when it was not.
        last_seen_ns: When it was last seen.
        score: Of the last detection.
        facing_sigma_deg: One standard deviation of the facing, None when it is unknown.
    """

    track_id: int
    label: str
    position_mm: PointMm | None
    sigma_mm: float | None
    facing_deg: float | None
    state: FigureState
    level_mm: float
    box_px: BoxPx | None
    last_seen_ns: int
    score: float
    facing_sigma_deg: float | None = None
