"""Option texts to values, each fault named by its option."""

from __future__ import annotations

import math

from server.console import Fault

Pair = tuple[float, float]

FARTHEST = 1e7
"""No picture reaches farther, and no arithmetic is trusted beyond."""


def pair(text: str, option: str) -> Pair:
    """``"X,Y"`` as two finite numbers of a pixel.

    Raises:
        Fault: It is anything else.
    """
    parts = text.split(",")
    if len(parts) != 2:
        raise Fault(option, f"{text!r} is not two numbers X,Y")
    x, y = _number(parts[0], option, text), _number(parts[1], option, text)
    if max(abs(x), abs(y)) > FARTHEST:
        raise Fault(option, f"{text!r} is too far away to be a pixel")
    return x, y


def size(text: str, option: str) -> Pair:
    """``"WxH"`` in mm as two positive numbers.

    Raises:
        Fault: It is anything else.
    """
    parts = text.lower().split("x")
    if len(parts) != 2:
        raise Fault(option, f"{text!r} is not WIDTHxDEPTH in millimetres")
    width, depth = _number(parts[0], option, text), _number(parts[1], option, text)
    if not (0 < width < 1e5 and 0 < depth < 1e5):
        raise Fault(option, f"{text!r} is not a possible size in millimetres")
    return width, depth


def within(value: float | None, low: float, high: float, option: str) -> None:
    """Check that a number is no less than one bound and no more than the other.

    Raises:
        Fault: It does not.
    """
    if value is not None and not (math.isfinite(value) and low <= value <= high):
        raise Fault(option, f"{value:g} is not between {low:g} and {high:g}")


def _number(text: str, option: str, whole: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise Fault(option, f"{text.strip()!r} in {whole!r} is not a number") from None
    if not math.isfinite(value):
        raise Fault(option, f"{whole!r} is not finite")
    return value
