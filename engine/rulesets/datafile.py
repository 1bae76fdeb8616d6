"""What the data files of all rule systems have alike: options, flags, states, footprints."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from engine.choices import write_value
from engine.ruleset import RuleOption
from engine.state import OptionValue
from engine.table import Base, BaseShape

_UNSET: Final = "None"
"""How a meaning names having no number."""


@dataclass(frozen=True, slots=True)
class OptionRule:
    """What an option may be.

    Attributes:
        option: As shown to players.
        integer: Only whole numbers.
        nullable: None is allowed.
        question: Id of the open question or item it settles.
    """

    option: RuleOption
    integer: bool
    nullable: bool
    question: str


@dataclass(frozen=True, slots=True)
class Flag:
    """An act to be flagged.

    Attributes:
        rule: Rule item it offends.
        text: One sentence; ``{figure}`` and ``{target}`` are names.
    """

    rule: str
    text: str


def read_raw(path: Path) -> dict[str, Any]:
    """The tables of a data file as they are written.

    Raises:
        tomllib.TOMLDecodeError: It is not TOML.
    """
    return tomllib.loads(path.read_text(encoding="utf-8"))


def head_of(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Id, title, version, unit and team names, as the fields every rule system's data has."""
    meta = raw["meta"]
    head = {key: meta[key] for key in ("id", "title", "version", "unit")}
    return {**head, "team_names": tuple(meta["team_names"])}


def frozen(items: Mapping[str, Any]) -> Mapping[str, Any]:
    """A copy nobody can change."""
    return MappingProxyType(dict(items))


def each(kind: type[Any], items: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Any]:
    """One ``kind`` for every entry of a table, its keys as fields."""
    return frozen({name: kind(**item) for name, item in items.items()})


def named(kind: type[Any], items: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Any]:
    """Like :func:`each`, for kinds that know the name of their entry as their first field."""
    return frozen({name: kind(name, **item) for name, item in items.items()})


def options_of(raw: Mapping[str, Any], question: str = "question") -> Mapping[str, OptionRule]:
    """The options of a data file by key, in reading order.

    Args:
        raw: As from :func:`read_raw`.
        question: Key under which an option names the question it settles.
    """
    return frozen({key: _option(key, item, question) for key, item in raw["options"].items()})


def flags_of(raw: Mapping[str, Any]) -> Mapping[str, Flag]:
    """The flags of a data file by code."""
    return each(Flag, raw["flags"])


def phases_of(raw: Mapping[str, Any]) -> Mapping[str, tuple[str, ...]]:
    """The states that may follow each state of a data file."""
    return frozen({name: tuple(item["next"]) for name, item in raw["states"].items()})


def round_base(diameter_mm: float) -> Base:
    """A round base that lies flat on the table."""
    return Base(BaseShape.CIRCLE, diameter_mm, None, 0.0)


def outlines_of(raw: Mapping[str, Any]) -> Mapping[str, Mapping[str, Base]]:
    """The footprints of a data file by profile and kind: a diameter, or length and width."""
    return frozen(
        {
            profile: frozen({kind: _outline(sides) for kind, sides in kinds.items()})
            for profile, kinds in raw["footprints"].items()
        }
    )


def _outline(sides: Sequence[float]) -> Base:
    if len(sides) == 1:
        return round_base(sides[0])
    return Base(BaseShape.OBLONG, sides[1], None, 0.0, sides[0])


def worded(meaning: str, values: Sequence[str]) -> tuple[str, dict[str, str]]:
    """The question of an option, and the words of each of its values.

    Args:
        meaning: ``"What is measured? edge: from base to base. centre: between the middles."``
        values: The values as they are written in it.
    """
    if not values:
        return meaning, {}
    names = "|".join(re.escape(value) for value in sorted(values, key=len, reverse=True))
    question, *parts = re.split(rf"(?:^|(?<=[.?:;] ))({names}): ", meaning)
    words = {
        value: told.strip().removesuffix(".")
        for value, told in zip(parts[::2], parts[1::2], strict=True)
    }
    return question.strip(), words


def _option(key: str, item: Mapping[str, Any], question: str) -> OptionRule:
    span, choices = item.get("span"), tuple(item.get("choices", ()))
    integer, nullable = item.get("integer", False), item.get("nullable", False)
    values = [choice if isinstance(choice, str) else write_value(choice) for choice in choices]
    asked, words = worded(item["meaning"], [*values, _UNSET] if nullable else values)
    option = RuleOption(
        key=key,
        default=item.get("default"),
        choices=choices,
        span=None if span is None else (float(span[0]), float(span[1])),
        meaning=item["meaning"],
        question=asked,
        words=tuple(
            _labelled(choice, words.get(value, ""))
            for choice, value in zip(choices, values, strict=True)
        ),
        unset=words.get(_UNSET, ""),
        integer=integer,
    )
    return OptionRule(option, integer, nullable, item[question])


def _labelled(choice: OptionValue, words: str) -> str:
    """A number is said before its words; of all else the words say enough."""
    told = words[:1].upper() + words[1:]
    if isinstance(choice, bool) or not isinstance(choice, int | float):
        return told
    return f"{choice:.4g}: {words}" if words else f"{choice:.4g}"
