"""Runs test vectors: every answer comes from the functions the game itself plays by."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from engine.errors import BadData, EngineError
from engine.rulesets.deathzap import vectors as deathzap
from engine.rulesets.figurslag import vectors as figurslag
from engine.rulesets.follow_me import vectors as follow_me
from engine.rulesets.legowars import vectors as legowars
from engine.rulesets.playmobil import vectors as playmobil
from engine.vector_match import agrees, plain
from engine.vector_text import items

Answer: TypeAlias = Callable[[str, Mapping[str, Any], Mapping[str, Any]], Any]
"""Function name, options and arguments to the answer. Raises ``Unsupported``."""

ANSWERS: Final[Mapping[str, Answer]] = {
    "figurslag": figurslag.answer,
    "deathzap": deathzap.answer,
    "legowars": legowars.answer,
    "playmobil": playmobil.answer,
    "follow_me": follow_me.answer,
}
"""By id of the rule set: a new one adds one line."""

_REMARKS: Final = frozenset({"id", "rule", "who", "note", "tol", "tol_mm", "cfg"})
_OUT: Final[tuple[str, ...]] = ("out",)
_EXPECT: Final[tuple[str, ...]] = ("expect", "expect_mm", "expect_xy", "expect_free")


class Unreadable(EngineError):
    """A vector that is not written as vectors are."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A vector the engine answers otherwise.

    Attributes:
        id: Its id.
        expected: What it expects, in words JSON knows.
        got: What the engine answers, in the same.
    """

    id: str
    expected: Any
    got: Any


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What came of a set of vectors.

    Attributes:
        passed: How many agree.
        failed: Those that do not.
        unsupported: Ids of those that ask what the engine does not know.
    """

    passed: int
    failed: tuple[Failure, ...]
    unsupported: tuple[str, ...]

    def document(self) -> dict[str, Any]:
        """As JSON for the command line."""
        return {
            "passed": self.passed,
            "failed": [
                {"id": item.id, "expected": item.expected, "got": item.got} for item in self.failed
            ],
            "unsupported": list(self.unsupported),
        }


@dataclass(frozen=True, slots=True)
class Vector:
    """One test vector.

    Attributes:
        function: What is asked.
        options: Options of the game.
        arguments: What it is asked about.
        expected: The answer to give.
        tol: Tolerance it carries, or None.
    """

    function: str
    options: Mapping[str, Any]
    arguments: Mapping[str, Any]
    expected: Any
    tol: float | None


def check(ruleset_id: str, texts: Iterable[tuple[str, str]]) -> CheckResult:
    """Run the test vectors of some files.

    Args:
        ruleset_id: Id of the rule set.
        texts: Name and text of each file, YAML or Markdown.

    Raises:
        BadData: The rule set is unknown, or a block is not YAML.
    """
    if ruleset_id not in ANSWERS:
        raise BadData(ruleset_id, f"no such rule set, only {', '.join(sorted(ANSWERS))}")
    passed, failed, unsupported = 0, list[Failure](), list[str]()
    for name, text in texts:
        for number, item in enumerate(items(name, text), start=1):
            vector_id = str(item.get("id", f"{name}#{number}"))
            outcome = _run(ANSWERS[ruleset_id], vector_id, item)
            if outcome is None:
                passed += 1
            elif isinstance(outcome, Failure):
                failed.append(outcome)
            else:
                unsupported.append(outcome)
    return CheckResult(passed, tuple(failed), tuple(unsupported))


def _run(answer: Answer, vector_id: str, item: Mapping[Any, Any]) -> Failure | str | None:
    """None when it passes, the id when it is unsupported."""
    try:
        vector = read(item)
        got = answer(vector.function, vector.options, vector.arguments)
        if agrees(vector.expected, got, vector.tol):
            return None
        return Failure(vector_id, plain(vector.expected), plain(got))
    except (EngineError, RecursionError):
        return vector_id
    except (ArithmeticError, LookupError, TypeError, ValueError) as fault:
        return Failure(vector_id, plain(vector.expected), f"error: {fault}")


def read(item: Mapping[Any, Any]) -> Vector:
    """A vector in either shape: ``fn / cfg / in / out`` or ``kind / given / expect*``.

    Raises:
        Unreadable: A key is missing, twice there in other words, or unknown.
    """
    called = "fn" in item
    name_key, given_key = ("fn", "in") if called else ("kind", "given")
    answers = _OUT if called else _EXPECT
    expected = [key for key in answers if key in item]
    if len(expected) != 1:
        raise Unreadable("a vector expects one thing")
    unknown = set(item) - _REMARKS - {name_key, given_key, expected[0]}
    if unknown:
        raise Unreadable(f"unknown keys {sorted(map(str, unknown))}")
    function, options, given = item[name_key], item.get("cfg", {}), item.get(given_key, {})
    if not (
        isinstance(function, str) and isinstance(options, Mapping) and isinstance(given, Mapping)
    ):
        raise Unreadable("a function has a name, options and arguments")
    return Vector(function, options, given, item[expected[0]], _tol(item))


def _tol(item: Mapping[Any, Any]) -> float | None:
    carried = [item[key] for key in ("tol", "tol_mm") if key in item]
    if not carried:
        return None
    tol = carried[0]
    if len(carried) > 1 or isinstance(tol, bool) or not isinstance(tol, int | float):
        raise Unreadable("a tolerance is one number")
    if not (math.isfinite(tol) and tol >= 0.0):
        raise Unreadable("a tolerance is no less than 0")
    return float(tol)
