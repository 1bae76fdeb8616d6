"""Dice as an argument: rolled from a seed, or as the players typed them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Protocol

from engine.errors import Refused


class Dice(Protocol):
    """A source of dice."""

    def roll(self, count: int, sides: int) -> tuple[int, ...]:
        """The next ``count`` dice with ``sides`` sides, each from 1.

        Raises:
            Refused: Typed dice are missing or out of range.
        """


class SeededDice:
    """Dice rolled by the program.

    Every roll depends on the seed and on how many dice were rolled before, never on the clock.

    Args:
        seed: Any number.
        rolled: Dice already rolled from this seed, to go on after them.
    """

    def __init__(self, seed: int, rolled: int = 0) -> None:
        self._seed = seed
        self.rolled = rolled

    def roll(self, count: int, sides: int) -> tuple[int, ...]:
        """See :class:`Dice`."""
        faces = tuple(self._face(self.rolled + i, sides) for i in range(count))
        self.rolled += count
        return faces

    def _face(self, index: int, sides: int) -> int:
        # One generator a die: a roll can be repeated from its index alone.
        return random.Random(f"{self._seed}/{index}").randint(1, sides)  # noqa: S311


class TypedDice:
    """Dice as typed by the players.

    Args:
        faces: In the order rolled.
        rule: Flag id to name when a face is impossible.
    """

    def __init__(self, faces: Sequence[int], rule: str | None = None) -> None:
        self._faces = list(faces)
        self._rule = rule

    def roll(self, count: int, sides: int) -> tuple[int, ...]:
        """See :class:`Dice`."""
        if len(self._faces) < count:
            raise Refused(f"{count} dice are needed, {len(self._faces)} typed", self._rule)
        faces, self._faces = self._faces[:count], self._faces[count:]
        for face in faces:
            if not 1 <= face <= sides:
                raise Refused(f"a die shows 1 to {sides}, not {face}", self._rule)
        return tuple(faces)
