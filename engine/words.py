"""Counts and lists as they are said, the same in every game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from engine.table import Terrain

BY_RULER: Final = "by your ruler"
"""Where the players have measured a near thing, their answer is said, not the camera's length."""


def count(number: int, one: str, many: str = "") -> str:
    """``"1 shot"``, ``"2 shots"``."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def small_number(number: int) -> str:
    """A small number in words."""
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    return words[number] if 0 <= number < len(words) else str(number)


def listed(names: list[str]) -> str:
    """``"Blue 1, Blue 2 and Blue 3"``."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def piece_names(terrain: Iterable[Terrain]) -> dict[str, str]:
    """What players call each piece, by its id: ``{"t1": "Wall 1", "t2": "Hill 1"}``."""
    counted: Counter[str] = Counter()
    names = {}
    for piece in terrain:
        counted[piece.kind] += 1
        names[piece.terrain_id] = f"{piece.kind.capitalize()} {counted[piece.kind]}"
    return names
