"""What happened in the game, complete with every result, so that a fold needs nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

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
    """

    kind: str
    rule: str | None = None
    side: str | None = None
    figure_id: str | None = None
    target_id: str | None = None
    dice: tuple[int, ...] = ()
    values: tuple[tuple[str, Value], ...] = ()

    def value(self, name: str, default: Value = None) -> Value:
        """The further result called ``name``, or ``default``."""
        for key, value in self.values:
            if key == name:
                return value
        return default
