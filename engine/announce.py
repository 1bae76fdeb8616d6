"""What is said and drawn. Always derived from events, never stored."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.table import PointMm


class Level(StrEnum):
    """How much an announcement matters."""

    INFO = "info"
    WARN = "warn"
    ASK = "ask"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Shape:
    """Something to draw on the table, in millimetres.

    Attributes:
        kind: ``polygon``, ``line``, ``circle`` or ``label``.
        points_mm: Outline, line, or the one centre of a circle or label.
        radius_mm: Radius of a circle.
        role: What it shows: ``reach``, ``reach_far``, ``range``, ``path``, ``target``,
            ``blocked``, ``warning``.
        text: Words beside it.
        holes_mm: Outlines inside a polygon that do not belong to it.
    """

    kind: str
    points_mm: tuple[PointMm, ...]
    radius_mm: float = 0.0
    role: str = "reach"
    text: str = ""
    holes_mm: tuple[tuple[PointMm, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Announcement:
    """One sentence for the players.

    Attributes:
        seq: Log line it comes from.
        level: How much it matters.
        text: For the eye.
        spoken: For the ear; shorter where that helps.
        rule: Rule item or flag behind it.
        shapes: To be drawn while it stands.
    """

    seq: int
    level: Level
    text: str
    spoken: str
    rule: str | None = None
    shapes: tuple[Shape, ...] = ()
