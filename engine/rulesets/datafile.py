"""What the data files of all rule systems have alike: options, flags, states, footprints."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from engine.ruleset import RuleOption
from engine.table import Base, BaseShape


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


def _option(key: str, item: Mapping[str, Any], question: str) -> OptionRule:
    span = item.get("span")
    option = RuleOption(
        key=key,
        default=item.get("default"),
        choices=tuple(item.get("choices", ())),
        span=None if span is None else (float(span[0]), float(span[1])),
        meaning=item["meaning"],
    )
    integer, nullable = item.get("integer", False), item.get("nullable", False)
    return OptionRule(option, integer, nullable, item[question])
