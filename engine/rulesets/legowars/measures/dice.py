"""Dice as typed by hand (LW-GEN-02)."""

from __future__ import annotations

from engine.rulesets.legowars.data import data
from engine.rulesets.legowars.settings import Settings


def face(typed: int, settings: Settings) -> int | None:
    """The face that is meant, None when there is none; a 0 is a 10 on most dice."""
    if typed == 0 and settings.typed_zero_is_ten:
        return data().dice_sides
    return typed if 1 <= typed <= data().dice_sides else None


def typed(text: str, settings: Settings) -> int | None:
    """The face that a typed word means, None when it means none."""
    word = text.strip()
    if not (word.isascii() and word.isdigit()):
        return None
    return face(int(word), settings)
