"""The numbers and words of Figurslag, read once from its data file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from engine.items import Item, read_items
from engine.rulesets.datafile import (
    OptionRule,
    frozen,
    head_of,
    named,
    options_of,
    read_raw,
)
from engine.table import Base, BaseShape
from engine.units import MM_PER_CM

PATH: Final = Path(__file__).parent.parent / "figurslag.toml"


@dataclass(frozen=True, slots=True)
class MoveMode:
    """One way a model can spend its movement phase.

    Attributes:
        name: ``still``, ``normal``, ``far``, ``climb`` or ``climb_noshoot``.
        max_segments: Longest move in segments.
        may_shoot: It may shoot afterwards.
        climb_fh: Figure heights it may climb where a stick length is a segment.
        bonus_shots: Shots on top, where it may shoot.
    """

    name: str
    max_segments: float
    may_shoot: bool
    climb_fh: float
    bonus_shots: int = 0

    @property
    def climbs(self) -> bool:
        """It is a climbing mode."""
        return self.climb_fh > 0


@dataclass(frozen=True, slots=True)
class Weapon:
    """A weapon class.

    Attributes:
        name: ``small`` or ``large``.
        title: Words for players.
        range_segments: Range in segments, the limit included.
        shots: Shots a turn.
    """

    name: str
    title: str
    range_segments: float
    shots: int


@dataclass(frozen=True, slots=True)
class Footprint:
    """Size of a model.

    Attributes:
        base: Its base, turn unknown.
        eye_mm: Height of the eye over the base.
        silhouette_mm: Width of the body.
    """

    base: Base
    eye_mm: float
    silhouette_mm: float


@dataclass(frozen=True, slots=True)
class Transition:
    """What follows the "done" of a team.

    Attributes:
        state: State that ends.
        last: Whether the team has to be the last one, None where it does not matter.
        to: State that follows.
        team: ``same``, ``first``, ``following``, or None where no team is at work.
    """

    state: str
    last: bool | None
    to: str
    team: str | None


@dataclass(frozen=True, slots=True)
class TurnOrder:
    """A turn order.

    Attributes:
        deaths: ``at_once`` or ``in_next``.
        transitions: In the order of the data file.
    """

    deaths: str
    transitions: tuple[Transition, ...]


@dataclass(frozen=True, slots=True)
class Phase:
    """A state of the turn.

    Attributes:
        actor: Who is at work.
        actions: What they may do.
        next: States that may follow.
    """

    actor: str
    actions: tuple[str, ...]
    next: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Data:
    """The whole data file; lengths are in mm unless their name says otherwise.

    Attributes:
        id: Id of the rule set.
        title: Name for players.
        version: Version of the rules.
        unit: Unit lengths are said in.
        team_names: Names of teams, as many as can play.
        dice_sides: Sides of the die.
        stick_mm: Length of the whole stick.
        plate_mm: Height of a LEGO plate.
        models: Models of a team.
        loadouts: Weapons of each model of a standard team, sorted.
        deploy_segments: Depth of the strip in segments.
        moves: By name, in the order they are tried.
        weapons: By name.
        hit_from: Lowest die that hits.
        dodge_from: Lowest die that dodges.
        visible_share: Share of the target that has to be exceeded.
        options: By key, in reading order.
        phases: By name.
        turn_orders: By name.
        flags: Sentence by flag id.
        footprints: By profile.
        items: By rule id, flags among them.
    """

    id: str
    title: str
    version: str
    unit: str
    team_names: tuple[str, ...]
    dice_sides: int
    stick_mm: float
    plate_mm: float
    models: int
    loadouts: tuple[tuple[str, ...], ...]
    deploy_segments: float
    moves: Mapping[str, MoveMode]
    weapons: Mapping[str, Weapon]
    hit_from: int
    dodge_from: int
    visible_share: float
    options: Mapping[str, OptionRule]
    phases: Mapping[str, Phase]
    turn_orders: Mapping[str, TurnOrder]
    flags: Mapping[str, str]
    footprints: Mapping[str, Footprint]
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
    meta = raw["meta"]
    return Data(
        **head_of(raw),
        dice_sides=meta["dice_sides"],
        stick_mm=meta["stick_cm"] * MM_PER_CM,
        plate_mm=meta["plate_mm"],
        models=raw["team"]["models"],
        loadouts=_loadouts(raw["team"]["loadouts"]),
        deploy_segments=raw["deploy"]["max_segments_from_own_edge"],
        moves=named(MoveMode, raw["moves"]),
        weapons=named(Weapon, raw["weapons"]),
        hit_from=raw["rolls"]["hit"]["success_from"],
        dodge_from=raw["rolls"]["dodge"]["success_from"],
        visible_share=raw["los"]["visible_share_must_exceed"],
        options=options_of(raw, "amb"),
        phases=frozen({name: _phase(item) for name, item in raw["states"].items()}),
        turn_orders=frozen({name: _order(item) for name, item in raw["turn_orders"].items()}),
        flags=frozen(raw["flags"]),
        footprints=frozen({name: _footprint(item) for name, item in raw["footprints"].items()}),
        items=read_items({**raw["items"], **raw["flags"]}),
    )


def _loadouts(items: list[dict[str, Any]]) -> tuple[tuple[str, ...], ...]:
    models = [tuple(sorted(item["weapons"])) for item in items for _ in range(item["count"])]
    return tuple(sorted(models))


def _phase(item: dict[str, Any]) -> Phase:
    return Phase(item["actor"], tuple(item.get("actions", ())), tuple(item["next"]))


def _order(item: dict[str, Any]) -> TurnOrder:
    return TurnOrder(
        deaths=item["deaths"],
        transitions=tuple(
            Transition(step["from"], step.get("last"), step["to"], step.get("team"))
            for step in item["transitions"]
        ),
    )


def _footprint(item: dict[str, Any]) -> Footprint:
    shape = BaseShape(item["shape"])
    size_mm = item["side_mm"] if shape is BaseShape.SQUARE else 2.0 * item["r_mm"]
    return Footprint(
        base=Base(shape, size_mm, None, item["base_height_mm"]),
        eye_mm=item["eye_mm"],
        silhouette_mm=item["silhouette_w_mm"],
    )
