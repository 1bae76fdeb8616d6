"""Rule items: what each rule says, in our own words, and who sees to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Item:
    """One rule item.

    Attributes:
        text: The rule with its numbers, in our own words.
        judge: Who sees to it: ``engine``, ``players`` or ``camera``.
        options: Keys of the options by which players settle it otherwise.
    """

    text: str
    judge: str = "engine"
    options: tuple[str, ...] = ()


def read_items(raw: Mapping[str, str | list[str]]) -> Mapping[str, Item]:
    """Items as a data file writes them, by rule id.

    A text alone is kept by the program. ``[judge, text]`` names who else sees to it;
    ``[judge, text, option, ...]`` also the options that change it.
    """
    read = {}
    for rule, item in raw.items():
        if isinstance(item, str):
            read[rule] = Item(item)
        else:
            read[rule] = Item(item[1], item[0], tuple(item[2:]))
    return MappingProxyType(read)
