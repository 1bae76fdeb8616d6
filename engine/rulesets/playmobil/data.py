"""The numbers and words of Playmobil, read once from its data file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from engine.items import Item, read_items
from engine.rulesets.datafile import (
    Flag,
    OptionRule,
    flags_of,
    frozen,
    head_of,
    named,
    options_of,
    outlines_of,
    phases_of,
    read_raw,
)
from engine.table import Base

PATH: Final = Path(__file__).parent.parent / "playmobil.toml"


@dataclass(frozen=True, slots=True)
class TroopType:
    """One troop type or engine (section 3).

    Attributes:
        name: For example ``"heavy_cavalry"``.
        words: What players call it.
        move_ft: Longest move in feet.
        a: Attacking dice.
        d: Defending dice.
        kind: ``foot``, ``horse``, ``elephant``, ``chariot`` or ``engine``.
        charge: It may charge.
        spear: It has the bonus of spearmen.
        shield: It carries a shield.
        bow: It has a bow.
        flaming: It may use flaming arrows.
        circle: It may shoot with the range of a comrade.
        burns: It can be burned.
        hits: Artillery hits proposed for it.
        plain: Type it becomes without its spear.
        unshielded: Type it becomes without its shield.
        on_foot: Type it becomes when it dismounts.
        mounted: Type it becomes on a horse.
    """

    name: str
    words: str
    move_ft: float
    a: int
    d: int
    kind: str
    charge: bool = False
    spear: bool = False
    shield: bool = False
    bow: bool = False
    flaming: bool = False
    circle: bool = False
    burns: bool = False
    hits: int = 0
    plain: str = ""
    unshielded: str = ""
    on_foot: str = ""
    mounted: str = ""


@dataclass(frozen=True, slots=True)
class Data:
    """The whole data file.

    Attributes:
        id: Id of the rule set.
        title: Name for players.
        version: Version of the rules.
        unit: Unit lengths are said in.
        team_names: Names of the two sides.
        numbers: Every plain number by section and name, as ``"charge.move_ft"``.
        words: Every list of words by section and name.
        types: By name.
        contact_tol_mm: Widest gap that is contact, by what stands on the table.
        sight_rows: Heights of the samples as shares of the body.
        footprints: Base by profile and kind.
        options: By key, in reading order.
        phases: States that may follow, by name.
        flags: By code.
        items: By rule id.
    """

    id: str
    title: str
    version: str
    unit: str
    team_names: tuple[str, ...]
    numbers: Mapping[str, float]
    words: Mapping[str, tuple[str, ...]]
    types: Mapping[str, TroopType]
    contact_tol_mm: Mapping[str, float]
    sight_rows: tuple[float, ...]
    footprints: Mapping[str, Mapping[str, Base]]
    options: Mapping[str, OptionRule]
    phases: Mapping[str, tuple[str, ...]]
    flags: Mapping[str, Flag]
    items: Mapping[str, Item]

    def whole(self, name: str) -> int:
        """A plain number that is a whole one."""
        return int(self.numbers[name])


_SECTIONS: Final = (
    "dice", "spear", "missiles", "charge", "elephant", "chariot", "artillery", "walls", "facing",
    "melee", "siege", "clock", "geometry", "sight",
)  # fmt: skip


@lru_cache(maxsize=1)
def data() -> Data:
    """The data file that comes with the program."""
    return read(PATH)


def read(path: Path) -> Data:
    """Read a data file.

    Raises:
        KeyError: Something is missing in it.
        tomllib.TOMLDecodeError: It is not TOML.
    """
    raw = read_raw(path)
    numbers: dict[str, float] = {}
    words: dict[str, tuple[str, ...]] = {}
    for section in _SECTIONS:
        _collect(section, raw[section], numbers, words)
    return Data(
        **head_of(raw),
        numbers=frozen(numbers),
        words=frozen(words),
        types=named(TroopType, raw["types"]),
        contact_tol_mm=frozen(raw["geometry"]["contact_tol_mm"]),
        sight_rows=tuple(raw["sight"]["rows"]),
        footprints=outlines_of(raw),
        options=options_of(raw),
        phases=phases_of(raw),
        flags=flags_of(raw),
        items=read_items(raw["items"]),
    )


def _collect(
    prefix: str,
    section: dict[str, Any],
    numbers: dict[str, float],
    words: dict[str, tuple[str, ...]],
) -> None:
    for key, value in section.items():
        name = f"{prefix}.{key}"
        if isinstance(value, dict):
            _collect(name, value, numbers, words)
        elif isinstance(value, int | float):
            numbers[name] = value
        elif isinstance(value, list) and isinstance(value[0], str):
            words[name] = tuple(value)
