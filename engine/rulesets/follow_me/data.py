"""The numbers and words of Follow Me, Men!, read once from its data file."""

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

PATH: Final = Path(__file__).parent.parent / "follow_me.toml"


@dataclass(frozen=True, slots=True)
class TroopType:
    """One troop type (section 3).

    Attributes:
        name: For example ``"orc_grunt"``.
        words: What players call it.
        move_in: Longest move in inches.
        rank: ``noble``, ``commoner`` or ``none``.
        shoot_row: Row of the tables of bow and crossbow, ``""`` when it cannot be shot.
        breath_row: Row of the table of dragon breath.
        melee: Factor in melee.
        margin: Margin that kills or hits it.
        hits: Hits that kill it, 0 when nothing does.
        weapon: Missile weapon, ``""`` without one.
        undead: It is undead.
        mounted: It rides.
        hero: It leads a contingent.
        mage: It may cast spells.
        knight: Storms strike it as a knight.
        big_thing: A Giant or Dragon.
        fights: It fights hand to hand.
    """

    name: str
    words: str
    move_in: float
    rank: str
    shoot_row: str = ""
    breath_row: str = ""
    melee: int = 0
    margin: int = 0
    hits: int = 0
    weapon: str = ""
    undead: bool = False
    mounted: bool = False
    hero: bool = False
    mage: bool = False
    knight: bool = False
    big_thing: bool = False
    fights: bool = True


@dataclass(frozen=True, slots=True)
class Weapon:
    """A missile weapon (FM-SHOOT-02 to 04).

    Attributes:
        bands_in: Longest range of each band in inches.
        rows: Lowest face that hits, by row and band; 0 is no chance.
    """

    bands_in: tuple[float, ...]
    rows: Mapping[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Spell:
    """One spell (FM-SPELL-01 to 18).

    Attributes:
        key: For example ``"fear"``.
        name: As it is spoken.
        rule: Its item.
        cost: Power points.
        target: What it is cast on.
        lasts: ``instant``, ``counted``, ``wears_off``, ``until_fails`` or ``permanent``.
        range_in: Longest range in inches, 0 without limit.
        to_hit: Lowest face that works, 0 without a roll.
        counts_cast_turn: The turn of casting is the first of its turns (FM-MAGE-25).
        across_in: Diameter of its circle in inches.
        move_factor: What it makes of a move.
        strikes_knight: Highest face that strikes knights and heroes.
        strikes_other: Highest face that strikes others.
        spares_undead: The undead are immune.
        fails_on: Face on which it ends.
        heals: Hits it takes away.
    """

    key: str
    name: str
    rule: str
    cost: int
    target: str
    lasts: str
    range_in: float = 0.0
    to_hit: int = 0
    counts_cast_turn: bool = False
    across_in: float = 0.0
    move_factor: float = 1.0
    strikes_knight: int = 0
    strikes_other: int = 0
    spares_undead: bool = False
    fails_on: int = 0
    heals: int = 0


@dataclass(frozen=True, slots=True)
class Data:
    """The whole data file.

    Attributes:
        id: Id of the rule set.
        title: Name for players.
        version: Version of the rules.
        unit: Unit lengths are said in.
        team_names: Names of the alliances.
        numbers: Every plain number by section and name, as ``"command.talk_in"``.
        rows: Every list of numbers by section and name.
        words: Every list of words by section and name.
        types: By name.
        weapons: By name.
        spells: By key, in reading order.
        contact_tol_mm: Widest gap that is contact, by what stands on the table.
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
    rows: Mapping[str, tuple[float, ...]]
    words: Mapping[str, tuple[str, ...]]
    types: Mapping[str, TroopType]
    weapons: Mapping[str, Weapon]
    spells: Mapping[str, Spell]
    contact_tol_mm: Mapping[str, float]
    footprints: Mapping[str, Mapping[str, Base]]
    options: Mapping[str, OptionRule]
    phases: Mapping[str, tuple[str, ...]]
    flags: Mapping[str, Flag]
    items: Mapping[str, Item]

    def whole(self, name: str) -> int:
        """A plain number that is a whole one."""
        return int(self.numbers[name])


_SECTIONS: Final = (
    "dice", "scale", "setup", "command", "obstacles", "melee", "duel", "morale", "mage",
    "wear_off", "geometry", "sight",
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
    plain = {f"{s}.{key}": value for s in _SECTIONS for key, value in raw[s].items()}
    lists = {key: value for key, value in plain.items() if isinstance(value, list)}
    return Data(
        **head_of(raw),
        numbers=frozen({k: v for k, v in plain.items() if isinstance(v, int | float)}),
        rows=frozen({k: tuple(v) for k, v in lists.items() if not isinstance(v[0], str)}),
        words=frozen({k: tuple(v) for k, v in lists.items() if isinstance(v[0], str)}),
        types=named(TroopType, raw["types"]),
        weapons=frozen({name: _weapon(item) for name, item in raw["weapons"].items()}),
        spells=named(Spell, raw["spells"]),
        contact_tol_mm=frozen(raw["geometry"]["contact_tol_mm"]),
        footprints=outlines_of(raw),
        options=options_of(raw),
        phases=phases_of(raw),
        flags=flags_of(raw),
        items=read_items(raw["items"]),
    )


def _weapon(item: dict[str, Any]) -> Weapon:
    rows = {row: tuple(faces) for row, faces in item["rows"].items()}
    return Weapon(tuple(item["bands_in"]), frozen(rows))
