"""Arguments of test vectors, read strictly: every read is checked, nothing is guessed."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from engine.errors import EngineError
from engine.table import PointMm

S = TypeVar("S")
"""Settings of a game."""


class Unsupported(EngineError):
    """A question the engine does not know, or an argument it cannot be asked with."""


@dataclass(frozen=True, slots=True)
class Given:
    """The arguments of one vector; every read is checked, and none may be left unread.

    Attributes:
        values: As written.
    """

    values: Mapping[str, Any]

    def number(self, key: str, default: float | None = None) -> float:
        """A finite number."""
        value = self._value(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise Unsupported(f"{key} is no number")
        if not math.isfinite(value):
            raise Unsupported(f"{key} is no finite number")
        return float(value)

    def length(self, key: str) -> float:
        """A number that is not below 0."""
        value = self.number(key)
        if value < 0.0:
            raise Unsupported(f"{key} is below 0")
        return value

    def whole(self, key: str) -> int:
        """A whole number, written with or without a decimal point."""
        value = self.number(key)
        if not value.is_integer():
            raise Unsupported(f"{key} is no whole number")
        return int(value)

    def truth(self, key: str, default: bool | None) -> bool:
        """A truth value; without a default it must be there."""
        value = self._value(key, default)
        if not isinstance(value, bool):
            raise Unsupported(f"{key} is neither true nor false")
        return value

    def text(self, key: str) -> str:
        """A string."""
        value = self._value(key, None)
        if not isinstance(value, str):
            raise Unsupported(f"{key} is no text")
        return value

    def texts(self, key: str, default: list[str] | None = None) -> list[str]:
        """A list of strings."""
        return texts(key, self._value(key, default))

    def listed(self, key: str) -> list[Any]:
        """A list."""
        value = self._value(key, None)
        if not isinstance(value, list):
            raise Unsupported(f"{key} is no list")
        return value

    def one_of(self, key: str, known: tuple[str, ...]) -> str:
        """A word that is one of those known."""
        word = self.text(key)
        if word not in known:
            raise Unsupported(f"{key} is none of {', '.join(known)}")
        return word

    def numbers(self, key: str, count: int) -> list[float]:
        """A list of so many numbers."""
        return numbers(key, self.listed(key), count)

    def point(self, key: str) -> PointMm:
        """A place in mm."""
        x, y = self.numbers(key, 2)
        return (x, y)

    def count(self, key: str, most: int, least: int = 0) -> int:
        """A whole number from ``least`` to ``most``."""
        value = self.whole(key)
        if not least <= value <= most:
            raise Unsupported(f"{key} is out of all proportion")
        return value

    def given(self, key: str, *known: str) -> Given:
        """A mapping with no other keys than those known."""
        return given(self._value(key, None), key, known)

    def _value(self, key: str, default: Any) -> Any:
        if key in self.values:
            return self.values[key]
        if default is None:
            raise Unsupported(f"{key} is missing")
        return default


def given(values: Any, name: str, known: tuple[str, ...]) -> Given:
    """Arguments with no other keys than those known.

    Raises:
        Unsupported: They are no mapping, or a key is unknown.
    """
    if not isinstance(values, Mapping):
        raise Unsupported(f"{name} is no mapping")
    unknown = [key for key in values if key not in known]
    if unknown:
        raise Unsupported(f"{name} has unknown keys {unknown}")
    return Given(values)


def numbers(name: str, value: Any, count: int) -> list[float]:
    """A list of so many numbers.

    Raises:
        Unsupported: It is none.
    """
    if not isinstance(value, list) or len(value) != count:
        raise Unsupported(f"{name} is not {count} numbers")
    return [Given({name: each}).number(name) for each in value]


def asked(
    questions: Mapping[str, tuple[tuple[str, ...], Callable[[Given, S], Any]]],
    function: str,
    arguments: Mapping[str, Any],
    settings: Callable[[], S],
) -> Any:
    """The answer to one vector.

    Args:
        questions: By function: the arguments it may have, and who answers.
        function: What is asked.
        arguments: As written.
        settings: The settings it is asked under.

    Raises:
        Unsupported: The function or an argument is not known.
        Refused: An option or its value is not known.
    """
    if function not in questions:
        raise Unsupported(f"{function} is not known")
    known, ask = questions[function]
    return ask(given(arguments, function, known), settings())


def texts(name: str, value: Any) -> list[str]:
    """A list of strings.

    Raises:
        Unsupported: It is none.
    """
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise Unsupported(f"{name} is no list of words")
    return value
