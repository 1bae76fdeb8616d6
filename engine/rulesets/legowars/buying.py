"""What an army costs and what is wrong with its list (LW-COST, LW-GEN-06)."""

from __future__ import annotations

from fractions import Fraction

from engine.rulesets.legowars.data import data
from engine.rulesets.legowars.field import LADDER, doors, piece_of
from engine.rulesets.legowars.marks import (
    BUILDING,
    HORSE,
    MAN,
    VEHICLE,
    held,
    kind_of,
    living,
    things_of,
    whole,
)
from engine.rulesets.legowars.measures import gear
from engine.rulesets.legowars.measures.prices import Castle, group_cost, vehicle_cost
from engine.rulesets.legowars.settings import Settings
from engine.state import GameState, Unit
from engine.table import TableState


def cost_of(state: GameState, settings: Settings, unit: Unit) -> int:
    """Price of a unit; buildings are priced together (LW-COST-01 to 04)."""
    kind = kind_of(unit)
    if kind == MAN:
        return gear.man_cost(things_of(unit), settings)
    if kind == HORSE:
        return gear.horse_cost(things_of(unit), settings)
    if kind == VEHICLE:
        seats, wheels = whole(unit, "seats"), whole(unit, "wheels")
        bare = vehicle_cost(seats, wheels, whole(unit, "armor"), whole(unit, "structure"), settings)
        return bare + sum(
            gear.price(item, settings) for item in unit.equipment if item in gear.HEAVY
        )
    return sum(gear.price(item, settings) for item in unit.equipment if item in gear.HEAVY)


def castle_of(state: GameState, table: TableState, unit: Unit) -> Castle:
    """What a building is bought with (LW-BLDG-14, LW-BLDG-10, LW-LADD-13)."""
    piece = piece_of(table, unit.figure_id)
    count = sum(1 for door in doors(state, table) if door.terrain_id == unit.figure_id)
    marks = [] if piece is None else [mark.kind for mark in piece.marks]
    return Castle(
        studs=whole(unit, "studs"),
        levels=whole(unit, "levels"),
        extra_doors=max(0, count - data().whole("building", "free_doors")),
        ports=marks.count("port"),
        armor=whole(unit, "armor"),
        structure=whole(unit, "structure"),
        ladders=marks.count(LADDER),
    )


def army_cost(state: GameState, settings: Settings, table: TableState, side: str) -> Fraction:
    """Points of a whole side (LW-COST-07)."""
    castles = [castle_of(state, table, u) for u in living(state, side, BUILDING)]
    rest = sum(cost_of(state, settings, u) for u in living(state, side) if kind_of(u) != BUILDING)
    return group_cost(castles, settings) + rest


def faults(
    state: GameState, settings: Settings, table: TableState, side: str
) -> list[tuple[str, Unit | None]]:
    """What is wrong with a list: too much in two hands, too many points."""
    found: list[tuple[str, Unit | None]] = [
        ("LW-FLAG-15", unit)
        for unit in living(state, side, MAN)
        if held(unit, settings) > data().whole("hands", "most")
    ]
    found += [
        ("LW-FLAG-27", unit)
        for unit in living(state, side, MAN)
        if "quiver" in unit.equipment and "bow" not in unit.equipment
    ]
    most = settings.army_points
    if most is not None and army_cost(state, settings, table, side) > most:
        found.append(("LW-FLAG-25", None))
    return found
