"""Numbers as they are said."""

from __future__ import annotations

from engine.words import count, listed, small_number

__all__ = ["cm", "count", "held", "listed", "share", "small_number"]


def cm(length_mm: float) -> str:
    """Centimetres with one decimal, a whole number without: ``"9.8"``, ``"10"``."""
    return f"{round(length_mm / 10.0, 1):.1f}".removesuffix(".0")


def share(seen: float) -> str:
    """A visible share in words: ``"about a third"``."""
    steps = (
        (0.0, "nothing"),
        (0.1, "a tenth"),
        (0.25, "a quarter"),
        (1 / 3, "about a third"),
        (0.5, "about half"),
        (2 / 3, "about two thirds"),
        (0.75, "three quarters"),
        (1.0, "all"),
    )
    return min(steps, key=lambda one: abs(one[0] - seen))[1]


def held(equipment: tuple[str, ...]) -> str:
    """Weapons in words: ``"two small guns"``, ``"big gun"``."""
    small, large = equipment.count("small"), equipment.count("large")
    parts = []
    if large:
        parts.append("big gun" if large == 1 else f"{small_number(large)} big guns")
    if small:
        parts.append("small gun" if small == 1 else f"{small_number(small)} small guns")
    return " and ".join(parts) or "no gun"
