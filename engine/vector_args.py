"""Arguments of test vectors, read strictly: every read is checked, nothing is guessed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.errors import EngineError


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


def texts(name: str, value: Any) -> list[str]:
    """A list of strings.

    Raises:
        Unsupported: It is none.
    """
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise Unsupported(f"{name} is no list of words")
    return value
