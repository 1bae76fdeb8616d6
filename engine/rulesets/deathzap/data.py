"""The numbers and words of Deathzap, read once from its data file."""

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
    options_of,
    phases_of,
    read_raw,
    round_base,
)
from engine.table import Base

PATH: Final = Path(__file__).parent.parent / "deathzap.toml"


@dataclass(frozen=True, slots=True)
class FighterClass:
    """One of the ten classes (DZ-WB-02 to DZ-WB-04).

    Attributes:
        name: For example ``"Gunner"``.
        tier: ``basic``, ``special`` or ``rare``.
        move_in: Longest move in inches of the game.
        melee_dice: Dice of a blow.
        ranged_dice: Dice of a shot, None without ranged attacks.
        ranged_dice_close: Dice of a shot at a near target, None where it makes no difference.
        close_in: How near that is, in inches.
        charge: It may charge.
        defend: It may defend.
        always_hits_on: Faces with which a shot always hits.
    """

    name: str
    tier: str
    move_in: float
    melee_dice: int
    ranged_dice: int | None = None
    ranged_dice_close: int | None = None
    close_in: float = 0.0
    charge: bool = False
    defend: bool = False
    always_hits_on: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class MightLine:
    """One line of the Might table: ``a`` times one Might held against ``t`` times the other.

    Attributes:
        a: Factor of the attacker's Might.
        relation: ``at_least``, ``above``, ``equal`` or ``anything``.
        t: Factor of the target's Might.
        need: Lowest face that hits.
    """

    a: int
    relation: str
    t: int
    need: int


@dataclass(frozen=True, slots=True)
class Data:
    """The whole data file.

    Attributes:
        id: Id of the rule set.
        title: Name for players.
        version: Version of the rules.
        unit: Unit lengths are said in.
        team_names: Names of the two teams.
        dice_sides: Sides of the die.
        max_fighters: Most fighters of a warband.
        basic_share: So many times the basic fighters must reach the number of all.
        rare_at_most: Most rare fighters.
        might_min: Least Might of a fighter.
        board_in: Side of the board in inches of the game.
        actions_normal: Actions of an activation.
        actions_stunned: Actions of a stunned fighter.
        might_table: Lines in the order they are tried.
        always_hits: Face that always hits.
        boost_dice: Dice a boost adds.
        partly_hidden: Added to every die against a target not entirely visible.
        defending: Added to every die against a defending target.
        stunned_hits: Hits that stun.
        wounded_hits: Hits that wound.
        killed_hits: Hits that kill.
        classes: By name.
        contact_tol_mm: Widest gap that is contact, by what stands on the table.
        min_band_mm: Least doubt about a length.
        sigma_multiplier: Doubt about a length in standard deviations.
        missing_s: Seconds after which the players are asked about a missing fighter.
        eye_fraction: Height of the eye as share of the body.
        sight_columns: Columns of samples across a target.
        sight_rows: Heights of the samples as shares of the body.
        footprints: Base by profile (DZ-GEO-03).
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
    dice_sides: int
    max_fighters: int
    basic_share: int
    rare_at_most: int
    might_min: int
    board_in: float
    actions_normal: int
    actions_stunned: int
    might_table: tuple[MightLine, ...]
    always_hits: int
    boost_dice: int
    partly_hidden: int
    defending: int
    stunned_hits: int
    wounded_hits: int
    killed_hits: int
    classes: Mapping[str, FighterClass]
    contact_tol_mm: Mapping[str, float]
    min_band_mm: float
    sigma_multiplier: float
    missing_s: float
    eye_fraction: float
    sight_columns: int
    sight_rows: tuple[float, ...]
    footprints: Mapping[str, Base]
    options: Mapping[str, OptionRule]
    phases: Mapping[str, tuple[str, ...]]
    flags: Mapping[str, Flag]
    items: Mapping[str, Item]


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
    meta, warband, attack = raw["meta"], raw["warband"], raw["attack"]
    damage, geometry, sight = raw["damage"], raw["geometry"], raw["sight"]
    return Data(
        **head_of(raw),
        dice_sides=meta["dice_sides"],
        max_fighters=warband["max_fighters"],
        basic_share=warband["basic_share"],
        rare_at_most=warband["rare_at_most"],
        might_min=warband["might_min"],
        board_in=raw["board"]["side_in"],
        actions_normal=raw["actions"]["normal"],
        actions_stunned=raw["actions"]["stunned"],
        might_table=tuple(
            MightLine(line.get("a", 1), line["is"], line.get("t", 1), line["need"])
            for line in raw["might_table"]
        ),
        always_hits=attack["always_hits"],
        boost_dice=attack["boost_dice"],
        partly_hidden=attack["not_entirely_visible"],
        defending=attack["target_defending"],
        stunned_hits=damage["stunned"],
        wounded_hits=damage["wounded"],
        killed_hits=damage["killed"],
        classes=frozen({name: _class(name, item) for name, item in raw["classes"].items()}),
        contact_tol_mm=frozen(geometry["contact_tol_mm"]),
        min_band_mm=geometry["min_band_mm"],
        sigma_multiplier=geometry["sigma_multiplier"],
        missing_s=geometry["missing_s"],
        eye_fraction=sight["eye_fraction"],
        sight_columns=sight["columns"],
        sight_rows=tuple(sight["rows"]),
        footprints=frozen(
            {name: round_base(2.0 * item["r_mm"]) for name, item in raw["footprints"].items()}
        ),
        options=options_of(raw),
        phases=phases_of(raw),
        flags=flags_of(raw),
        items=read_items(raw["items"]),
    )


def _class(name: str, item: dict[str, Any]) -> FighterClass:
    faces = tuple(item.get("always_hits_on", ()))
    return FighterClass(name, **{**item, "always_hits_on": faces})
