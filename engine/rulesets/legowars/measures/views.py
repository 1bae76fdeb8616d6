"""How much of a target is hidden, and what that means (LW-COV, LW-MEL-16, LW-RNG-13)."""

from __future__ import annotations

from enum import StrEnum

from engine.rulesets.legowars.settings import Settings

_DIGITS = 9
"""Shares are compared to so many digits: 1 less 0.9 is a tenth."""


class Sight(StrEnum):
    """What a target is for whoever attacks it."""

    CLEAR = "clear"
    COVER = "cover"
    NONE = "not_visible"


def grade(visible: float, settings: Settings) -> Sight:
    """Whether a target of that visible share is clear, in cover or not seen (LW-COV-06)."""
    hidden = round(1.0 - visible, _DIGITS)
    if hidden < settings.cover_min_hidden:
        return Sight.CLEAR
    if hidden > settings.full_block_min_hidden:
        return Sight.COVER if settings.full_block == "cover" else Sight.NONE
    return Sight.COVER


def blocks_view(what: str, settings: Settings) -> bool:
    """Whether something between two fighters can hide one (LW-COV-02 to LW-COV-05).

    Raises:
        KeyError: There is no such thing.
    """
    return {
        "terrain": True,
        "vehicle": True,
        "ladder": True,
        "man": settings.figures_give_cover,
        "horse": settings.figures_give_cover,
        "body": settings.bodies_give_cover,
        "own_mount": settings.mount_gives_cover,
        "own_rider": settings.mount_gives_cover,
    }[what]
