"""The numbers and words of Legowars, read once from its data file."""

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
    each,
    flags_of,
    frozen,
    head_of,
    options_of,
    phases_of,
    read_raw,
    round_base,
)
from engine.table import Base

PATH: Final = Path(__file__).parent.parent / "legowars.toml"


@dataclass(frozen=True, slots=True)
class Creature:
    """The five stats of a creature (LW-STAT-01).

    Attributes:
        armor: What a damage total must reach to kill it.
        cost: Points.
        to_hit: Number it must roll in melee.
        damage: Added to its damage die when it strikes with nothing; a man's is for the players
            to agree on.
        movement_cm: Longest move; a man's is for the players to agree on.
    """

    armor: int
    cost: int
    to_hit: int
    damage: int = 0
    movement_cm: float = 0.0


@dataclass(frozen=True, slots=True)
class Armor:
    """A piece of armor (LW-ARM-01).

    Attributes:
        bonus: Added to ARMOR.
        cost: Points.
        slot: ``head``, ``hand`` or ``torso``.
    """

    bonus: int
    cost: int
    slot: str


@dataclass(frozen=True, slots=True)
class Weapon:
    """A weapon in melee (LW-WPN-01).

    Attributes:
        to_hit: Added to the number to roll (LW-WPN-11: negative helps).
        damage: Added to the damage die; what bare hands add is for the players to agree on.
        cost: Points; that of the lance is for the players to agree on.
        breakable: A natural 1 on the damage die breaks it.
        heavy: A heavy weapon.
        item: The thing held, where it is called otherwise.
    """

    to_hit: int
    damage: int = 0
    cost: int = 0
    breakable: bool = True
    heavy: bool = False
    item: str = ""


@dataclass(frozen=True, slots=True)
class Shooter:
    """A weapon that is shot or thrown (LW-WPN-05, LW-HVY-01).

    Attributes:
        damage: Added to the damage die.
        to_hit: Added to the number to roll.
        short_cm: End of short range.
        long_cm: End of long range.
        cost: Points.
        thrown: It leaves the hand.
        heavy: A heavy weapon.
    """

    damage: int
    to_hit: int
    short_cm: float
    long_cm: float
    cost: int
    thrown: bool = False
    heavy: bool = False


@dataclass(frozen=True, slots=True)
class Other:
    """Another thing to be bought.

    Attributes:
        cost: Points.
        horse_armor: Added to the ARMOR of the horse that wears it.
    """

    cost: int
    horse_armor: int = 0


@dataclass(frozen=True, slots=True)
class Size:
    """What a model measures in mm (section 5.1).

    Attributes:
        height_mm: Height over its base.
        eye_mm: Height of its eye.
        wide_mm: Width of its silhouette, 0 where its base tells it.
    """

    height_mm: float
    eye_mm: float
    wide_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class Data:
    """The whole data file; single numbers stay in their tables.

    Attributes:
        id: Id of the rule set.
        title: Name for players.
        version: Version of the rules.
        unit: Unit lengths are said in.
        team_names: Names of the teams when nobody names them.
        dice_sides: Sides of the die (LW-GEN-02).
        min_sides: Fewest sides (LW-GEN-01).
        numbers: Every other number, by table and key.
        creatures: Man and horse.
        armor: By name.
        melee: Weapons in melee by name.
        ranged: Weapons shot or thrown by name.
        other: Other things by name.
        sizes: By kind of model.
        footprints: Base by profile.
        example: The worked castle of LW-AMB-47.
        options: By key, in reading order.
        phases: States that may follow, by name.
        flags: By id.
        items: By rule id.
    """

    id: str
    title: str
    version: str
    unit: str
    team_names: tuple[str, ...]
    dice_sides: int
    min_sides: int
    numbers: Mapping[str, Mapping[str, float]]
    creatures: Mapping[str, Creature]
    armor: Mapping[str, Armor]
    melee: Mapping[str, Weapon]
    ranged: Mapping[str, Shooter]
    other: Mapping[str, Other]
    sizes: Mapping[str, Size]
    footprints: Mapping[str, Base]
    example: Mapping[str, Any]
    options: Mapping[str, OptionRule]
    phases: Mapping[str, tuple[str, ...]]
    flags: Mapping[str, Flag]
    items: Mapping[str, Item]

    def number(self, table: str, key: str) -> float:
        """A single number.

        Raises:
            KeyError: There is none of that name.
        """
        return self.numbers[table][key]

    def whole(self, table: str, key: str) -> int:
        """A single whole number.

        Raises:
            KeyError: There is none of that name.
        """
        return int(self.numbers[table][key])


_NUMBERS: Final = (
    "heights",
    "hands",
    "obstacles",
    "mounting",
    "team",
    "tower",
    "attack",
    "inventing",
    "vehicle",
    "building",
    "deployment",
    "watching",
)


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
    meta, prints = raw["meta"], raw["footprints"]
    return Data(
        **head_of(raw),
        dice_sides=meta["dice_sides"],
        min_sides=meta["min_sides"],
        numbers=frozen({name: frozen(raw[name]) for name in _NUMBERS}),
        creatures=each(Creature, raw["creatures"]),
        armor=each(Armor, raw["armor"]),
        melee=each(Weapon, raw["melee"]),
        ranged=each(Shooter, raw["ranged"]),
        other=each(Other, raw["other"]),
        sizes=each(
            Size,
            {
                name: {key: value for key, value in item.items() if key != "size_mm"}
                for name, item in prints.items()
            },
        ),
        footprints=frozen(
            {
                name: round_base(item["size_mm"])
                for name, item in prints.items()
                if "size_mm" in item
            }
        ),
        example=frozen(raw["example"]),
        options=options_of(raw),
        phases=phases_of(raw),
        flags=flags_of(raw),
        items=read_items(raw["items"]),
    )
