"""When an answer agrees with what a test vector expects."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from engine.vector_text import Written

LEAST: Final = 1e-6
"""Numbers closer than this always agree."""
_ROUNDING: Final = 1e-9
_FRACTION: Final = re.compile(r"[+-]?\d+/\d+")
_WHOLE: Final = re.compile(r"[+-]?\d+")


def agrees(expected: Any, got: Any, tol: float | None = None) -> bool:
    """Compare an answer with what is expected.

    Numbers agree within the larger of 1e-6 and half a unit of the last digit written after the
    decimal point, or within ``tol``. A string "a/b" is an exact fraction, and so is
    a whole number in quotes where the answer is a fraction. Strings, truth values,
    nulls, sets of keys and the order of lists are exact; a truth value is no number.

    Args:
        expected: As written in the vector.
        got: As the engine answers.
        tol: Tolerance the vector carries.
    """
    if isinstance(expected, bool) or isinstance(got, bool):
        return isinstance(expected, bool) and isinstance(got, bool) and expected == got
    if isinstance(expected, Mapping):
        return (
            isinstance(got, Mapping)
            and set(expected) == set(got)
            and all(agrees(value, got[key], tol) for key, value in expected.items())
        )
    if isinstance(expected, list | tuple):
        return (
            isinstance(got, Sequence)
            and not isinstance(got, str)
            and len(expected) == len(got)
            and all(agrees(e, g, tol) for e, g in zip(expected, got, strict=True))
        )
    if isinstance(expected, str):
        return _text(expected, got)
    if isinstance(expected, int | float):
        return isinstance(got, int | float | Fraction) and _near(expected, got, tol)
    return expected is None and got is None


def plain(value: Any) -> Any:
    """An expected or given value in words JSON knows."""
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else str(float(value))
    return value if value is None or isinstance(value, bool | int | str) else str(value)


def _text(expected: str, got: Any) -> bool:
    if isinstance(got, str):
        return expected == got
    if isinstance(got, Fraction) and _WHOLE.fullmatch(expected):
        return got == int(expected)
    if not isinstance(got, int | float | Fraction) or not _FRACTION.fullmatch(expected):
        return False
    above, below = (int(part) for part in expected.split("/"))
    if below == 0:
        return False
    share = Fraction(above, below)
    # An answer in binary digits can only be as exact as they are.
    return share == got if isinstance(got, int | Fraction) else float(share) == got


def _near(expected: float, got: float | Fraction, tol: float | None) -> bool:
    if not (math.isfinite(expected) and math.isfinite(got)):
        return False
    if tol is None:
        tol = LEAST
        if isinstance(expected, Written):
            tol = max(tol, expected.half_unit)
    return abs(float(got) - expected) <= tol + _ROUNDING * max(1.0, abs(expected))
