"""What happened in the game, complete with every result, so that a fold needs nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from engine.table import Terrain

Value: TypeAlias = str | int | float | bool | tuple[str, ...] | tuple[float, ...] | None


@dataclass(frozen=True, slots=True)
class Event:
    """One change or remark.

    Attributes:
        kind: For example ``moved``, ``flagged``, ``shot``, ``died``, ``phase_began``.
        rule: Id of the rule item it follows, or None.
        side: Team it concerns.
        figure_id: Figure that acts.
        target_id: Figure acted on.
        dice: Dice as rolled or typed.
        values: Further results as name and value, sorted by name.
        terrain: The piece, for ``terrain_set``.
    """

    kind: str
    rule: str | None = None
    side: str | None = None
    figure_id: str | None = None
    target_id: str | None = None
    dice: tuple[int, ...] = ()
    values: tuple[tuple[str, Value], ...] = ()
    terrain: Terrain | None = None

    def value(self, name: str, default: Value = None) -> Value:
        """The further result called ``name``, or ``default``."""
        for key, value in self.values:
            if key == name:
                return value
        return default

    def number(self, name: str, default: float = 0.0) -> float:
        """The further result called ``name`` where it is a number, else ``default``."""
        value = self.value(name)
        return default if not isinstance(value, int | float) else float(value)

    def text(self, name: str, default: str = "") -> str:
        """The further result called ``name`` where it is text, else ``default``."""
        value = self.value(name)
        return value if isinstance(value, str) else default

    def words(self, name: str) -> tuple[str, ...]:
        """The further result called ``name`` where it is a list of words, else ()."""
        value = self.value(name)
        return tuple(str(item) for item in value) if isinstance(value, tuple) else ()

    def numbers(self, name: str) -> tuple[float, ...]:
        """The further result called ``name`` where it is a list of numbers, else ()."""
        value = self.value(name)
        return tuple(float(item) for item in value) if isinstance(value, tuple) else ()


def results(**values: Value) -> tuple[tuple[str, Value], ...]:
    """Further results of an event, sorted by name.

    Lengths and shares are kept to a hundredth of their last spoken digit: a thousandth. That
    is finer than any camera and coarse enough for the same number on every machine.
    """
    return tuple(sorted((name, _rounded(value)) for name, value in values.items()))


def _rounded(value: Value) -> Value:
    if isinstance(value, float):
        return round(value, 3) + 0.0  # no negative zero
    if isinstance(value, tuple):
        # Either all words or all numbers; numbers are always stored as floats.
        words = tuple(item for item in value if isinstance(item, str))
        return words or tuple(round(float(item), 3) + 0.0 for item in value)
    return value
