"""Prices of vehicles, buildings and inventions (LW-VEH-13, LW-BLDG-05 to 10, LW-WPN-07 to 10)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from engine.rulesets.legowars.data import data
from engine.rulesets.legowars.measures.teams import horses_needed
from engine.rulesets.legowars.settings import Settings


@dataclass(frozen=True, slots=True)
class Castle:
    """What is bought of a building (LW-BLDG-14).

    Attributes:
        studs: Studs of its baseplate.
        levels: Levels of its highest part (LW-BLDG-04).
        extra_doors: Doors besides the free one.
        ports: Firing ports.
        armor: ARMOR with what was bought.
        structure: STRUCTURE with what was bought.
        ladders: Ladders that lean on it.
    """

    studs: int
    levels: int
    extra_doors: int
    ports: int
    armor: int
    structure: int
    ladders: int = 0


def creature_cost(armor: float, damage: float, movement_cm: float, to_hit: float) -> float:
    """Price of an invented creature (LW-HORSE-02, LW-COST-08)."""
    return data().number("inventing", "creature_base") + armor + damage + movement_cm - to_hit


def melee_cost(damage: float, to_hit: float) -> float:
    """Price of an invented melee weapon (LW-WPN-07, LW-WPN-09)."""
    rules = data()
    by_formula = (damage - to_hit) * rules.number("inventing", "melee_factor")
    return max(rules.number("inventing", "floor"), by_formula)


def ranged_cost(damage: float, to_hit: float, long_cm: float) -> float:
    """Price of an invented ranged weapon (LW-WPN-08, LW-WPN-09)."""
    rules = data()
    by_formula = (damage - to_hit) * long_cm / rules.number("inventing", "ranged_divisor")
    return max(rules.number("inventing", "floor"), by_formula)


def long_cm(short_cm: float) -> float:
    """Long range of an invented weapon (LW-WPN-10)."""
    return short_cm * data().number("inventing", "long_per_short")


def vehicle_cost(seats: int, wheels: int, armor: int, structure: int, settings: Settings) -> int:
    """Price of a bare vehicle with seats in it (LW-VEH-13 to LW-VEH-15, LW-COST-04)."""
    rules = data()
    return (
        rules.whole("vehicle", "base_cost")
        + seats * rules.whole("vehicle", "per_seat")
        + wheels * rules.whole("vehicle", "per_wheel")
        + horses_needed(wheels, settings) * rules.whole("vehicle", "per_horse")
        + max(0, armor - rules.whole("vehicle", "armor")) * rules.whole("vehicle", "per_armor")
        + max(0, structure - rules.whole("vehicle", "structure"))
        * rules.whole("vehicle", "per_structure")
    )


def building_cost(castle: Castle, settings: Settings) -> Fraction:
    """Price of a bare building, exact (LW-BLDG-05, LW-BLDG-08, LW-BLDG-11, LW-COST-05, 06)."""
    return _group((castle,), castle, settings)


def group_cost(castles: Iterable[Castle], settings: Settings) -> Fraction:
    """Price of all buildings of a side (LW-BLDG-06, LW-AMB-48)."""
    group = tuple(castles)
    if settings.multi_plate_features == "per_building" or len(group) < 2:
        return sum((building_cost(castle, settings) for castle in group), Fraction(0))
    free = data().whole("building", "free_doors")
    shared = Castle(
        studs=0,
        levels=0,
        # Only one door of the whole group is free; each castle counts without its own.
        extra_doors=sum(castle.extra_doors for castle in group) + free * (len(group) - 1),
        ports=sum(castle.ports for castle in group),
        armor=max(castle.armor for castle in group),
        structure=max(castle.structure for castle in group),
        ladders=sum(castle.ladders for castle in group),
    )
    return _group(group, shared, settings)


def _group(castles: tuple[Castle, ...], features: Castle, settings: Settings) -> Fraction:
    rules = data()
    per_level = rules.whole("building", "per_stud_per_level")
    base = sum(castle.studs * castle.levels * per_level for castle in castles)
    armor = max(0, features.armor - settings.building_armor_price_from)
    structure = max(0, features.structure - settings.building_structure_price_from)
    percent = armor * rules.whole("building", "armor_pct")
    percent += structure * rules.whole("building", "structure_pct")
    extras = features.extra_doors * rules.whole("building", "extra_door")
    extras += features.ports * rules.whole("building", "firing_port")
    if settings.small_plate_example == "as_printed_7200" and _is_example(features):
        extras = 0
    extras += features.ladders * settings.ladder_cost  # LW-LADD-13
    whole = Fraction(base) * (1 + Fraction(percent, 100)) + extras
    return whole * Fraction(str(settings.building_price_scale))


def _is_example(castle: Castle) -> bool:
    """The one castle whose price is printed otherwise (LW-AMB-47)."""
    example = data().example
    a, b = example["outer"]
    return (castle.studs, castle.levels) == (
        ring_studs(a, b, example["width"]),
        example["levels"],
    )


def ring_studs(a: int, b: int, width: int) -> int:
    """Studs of a frame of that width."""
    return a * b - max(0, a - 2 * width) * max(0, b - 2 * width)


def shown(points: Fraction) -> int:
    """Points as displayed: halves are rounded up (LW-COST-06)."""
    return math.floor(points + Fraction(1, 2))
