"""What one look at one picture finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from vision.frames import Image

PointPx = tuple[float, float]
BoxPx = tuple[float, float, float, float]
"""x0, y0, x1, y1 in original pixels; the last two exclusive."""


@dataclass(frozen=True, slots=True)
class Detection:
    """One figure in one picture, or a player's hand. Nothing here knows the table.

    Attributes:
        label: ``minifig``, ``playmobil``, ``animal``, ``vehicle``, or ``hand``, which
            ``vision.seen_hands`` tells from the figures.
        score: 0 to 1.
        box_px: Box of the visible part.
        soles_px: Centres of the figure's left and right sole, or None.
        head_px: Top of the head, or None.
        hands_px: The figure's own left and right hand, or None.
        soles_score: How sure the soles are, 0 to 1.
        outline_px: Outline of the visible part, or None.
        child: Whether it is a Playmobil child, which only ``vision.stature`` can tell.
        rides: Whether it sits on an animal or in a vehicle, which ``vision.riding`` tells.
    """

    label: str
    score: float
    box_px: BoxPx
    soles_px: tuple[PointPx, PointPx] | None = None
    head_px: PointPx | None = None
    hands_px: tuple[PointPx, PointPx] | None = None
    soles_score: float = 0.0
    outline_px: tuple[PointPx, ...] | None = None
    child: bool = False
    rides: bool = False


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand or forearm of a player."""

    box_px: BoxPx
    score: float


class Detector(Protocol):
    """Finds figures in pictures, and players' hands if it knows them."""

    @property
    def labels(self) -> tuple[str, ...]:
        """Labels it can give."""

    def detect(self, image: Image, regions: Sequence[BoxPx] | None = None) -> list[Detection]:
        """Find figures and hands.

        Args:
            image: (H, W, 3) BGR.
            regions: Look only at tiles that meet these boxes; None scans everything.
        """
