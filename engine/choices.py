"""Rule options as words: ``"split_fire=one_target"`` and back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from engine.errors import Refused
from engine.ruleset import RuleOption, RuleSetInfo
from engine.state import OptionValue


def read_options(info: RuleSetInfo, items: Iterable[str]) -> dict[str, OptionValue]:
    """Options from ``key=value`` words.

    Raises:
        Refused: A key is unknown or its value not allowed.
    """
    by_key = {option.key: option for option in info.options}
    chosen: dict[str, OptionValue] = {}
    for item in items:
        key, sign, text = item.partition("=")
        if not sign or key not in by_key:
            raise Refused(f"{info.title or 'this game'} has no option {key!r}")
        chosen[key] = read_value(by_key[key], text)
    return chosen


def read_value(option: RuleOption, text: str) -> OptionValue:
    """The allowed value that ``text`` names.

    Raises:
        Refused: None does.
    """
    for choice in option.choices:
        if write_value(choice) == text.strip().lower():
            return choice
    if option.default is None and text.strip().lower() in ("", "none", "null"):
        return None
    number = _number(text)
    if number is not None and not (option.integer and float(number) % 1.0):
        for choice in option.choices:
            if not isinstance(choice, bool) and choice == number:
                return choice
        if option.span is not None and option.span[0] <= number <= option.span[1]:
            return float(number) if isinstance(option.default, float) else number
    question = re.split(r"[.?:;]", option.question or option.meaning)[0]
    raise Refused(f"{question}: {text!r} is not allowed; allowed: {allowed(option)}")


def write_options(info: RuleSetInfo, options: Mapping[str, OptionValue]) -> tuple[str, ...]:
    """The options that differ from their default, as sorted ``key=value`` words."""
    defaults = {option.key: option.default for option in info.options}
    return tuple(
        f"{key}={write_value(value)}"
        for key, value in sorted(options.items())
        if defaults.get(key) != value
    )


def write_value(value: OptionValue) -> str:
    """A value in words: ``true``, ``null``, ``5``, ``5.0``, ``one_target``."""
    if value is None:
        return "null"
    return str(value).lower()


def allowed(option: RuleOption) -> str:
    """What an option may be, in words."""
    words = [write_value(choice) for choice in option.choices]
    if option.span is not None:
        words.append(f"{option.span[0]:g} to {option.span[1]:g}")
    return ", ".join(words)


def check_value(
    option: RuleOption, value: OptionValue, *, integer: bool = False, nullable: bool = False
) -> OptionValue:
    """``value`` as the option keeps it.

    Args:
        option: What it may be.
        value: What is wanted.
        integer: Only whole numbers.
        nullable: None is allowed.

    Raises:
        Refused: It may not be that.
    """
    if value is None and nullable:
        return None
    for choice in option.choices:
        # True is 1 for Python, but nobody means that here.
        if isinstance(choice, bool) == isinstance(value, bool) and choice == value:
            return choice
    if (
        option.span is not None
        and isinstance(value, int | float)
        and not isinstance(value, bool)
        and option.span[0] <= value <= option.span[1]
        and (not integer or float(value).is_integer())
    ):
        return int(value) if integer else float(value)
    raise not_allowed(option, value, nullable=nullable)


def not_allowed(option: RuleOption, value: OptionValue, *, nullable: bool = False) -> Refused:
    """The refusal of a value, with what is allowed instead."""
    if option.choices:
        words = ", ".join(str(choice) for choice in option.choices)
    else:
        lo, hi = option.span or (0.0, 0.0)
        words = f"{lo:g} to {hi:g}" + (" or none" if nullable else "")
    return Refused(f"{option.key} cannot be {value!r}, only {words}")


def _number(text: str) -> int | float | None:
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return None
