"""JSON shapes of what a picture shows, as other programs read them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from vision.contact import Contact
from vision.detection import Detection, Hand

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"
Document: TypeAlias = dict[str, Json]

PX_DIGITS = 2
MM_DIGITS = 2
DEG_DIGITS = 1
SCORE_DIGITS = 4


def number(value: float | None, digits: int) -> float | None:
    """Rounded for output; None where it is unknown."""
    if value is None or not math.isfinite(value):
        return None
    return round(value, digits)


def numbers(values: Iterable[float], digits: int) -> list[Json]:
    """Rounded for output."""
    return [number(value, digits) for value in values]


def degrees(value: float | None) -> float | None:
    """Rounded and from 0 to below 360."""
    rounded = number(value, DEG_DIGITS)
    return None if rounded is None else rounded % 360.0


def hand_document(hand: Hand) -> Document:
    """One hand."""
    return {
        "box_px": numbers(hand.box_px, PX_DIGITS),
        "score": number(hand.score, SCORE_DIGITS),
    }


def figure_document(
    detection: Detection, contact: Contact, level_mm: float | None, state: str
) -> Document:
    """One figure.

    Args:
        detection: What the picture shows.
        contact: Where that is on the table.
        level_mm: Height of what it stands on, None when unknown.
        state: ``standing``, ``lying``, ``in_hand`` or ``rider``.
    """
    soles: Json = None
    if detection.soles_px is not None:
        soles = [numbers(sole, PX_DIGITS) for sole in detection.soles_px]
    position: Json = None
    if contact.position_mm is not None:
        position = numbers(contact.position_mm, MM_DIGITS)
    return {
        "label": detection.label,
        "score": number(detection.score, SCORE_DIGITS),
        "box_px": numbers(detection.box_px, PX_DIGITS),
        "soles_px": soles,
        "head_px": None if detection.head_px is None else numbers(detection.head_px, PX_DIGITS),
        "contact_px": numbers(contact.contact_px, PX_DIGITS),
        "position_mm": position,
        "sigma_mm": number(contact.sigma_mm, MM_DIGITS),
        "level_mm": number(level_mm, MM_DIGITS),
        "facing_deg": degrees(contact.facing_deg),
        "state": state,
    }


def picture_document(
    image: str,
    frame: int,
    size_px: tuple[int, int],
    hands: Sequence[Hand],
    figures: Sequence[Document],
) -> Document:
    """All of one picture or frame."""
    return {
        "image": image,
        "frame": frame,
        "image_size_px": list(size_px),
        "hands": [hand_document(hand) for hand in hands],
        "figures": list(figures),
    }


def error_document(image: str, fault: str) -> Document:
    """A picture that cannot be read."""
    return {"image": image, "error": fault}
