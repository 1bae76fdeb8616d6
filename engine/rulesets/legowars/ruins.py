"""What happens to others when somebody dies or something is destroyed."""

from __future__ import annotations

from engine.events import Event
from engine.rulesets.legowars import flow
from engine.rulesets.legowars.field import aboard, on_table, place_of, standing_on
from engine.rulesets.legowars.marks import BUILDING, HORSE, MAN, kind_of, living, rider_of
from engine.rulesets.legowars.settings import Settings
from engine.spots import Spot, spot, spot_of
from engine.state import GameState, Unit
from engine.table import TableState
from engine.tale import Tale


def after_death(
    tale: Tale, settings: Settings, table: TableState, target: Unit, by: Unit, rule: str
) -> list[Unit]:
    """A man or horse is killed; who sat on the horse stands beside it or falls (LW-HORSE-14).

    Returns:
        Those that have to roll for a fall.
    """
    rider = rider_of(tale.state, target) if kind_of(target) == HORSE else None
    figure = on_table(table, target)
    here = spot(target) if figure is None else spot_of(figure)
    flow.kill(tale, settings, target, rule, by)
    if rider is None or tale.now(target).alive:
        return []
    if here is not None:
        tale.at("set_beside", "LW-HORSE-14", tale.now(rider), here)
    return [tale.now(rider)] if settings.horse_death_fall_roll else []


def ruin(tale: Tale, settings: Settings, table: TableState, target: Unit) -> list[Unit]:
    """A vehicle or building is destroyed, and those in or on it are told their fate.

    LW-VEH-12, LW-SIEGE-02, LW-LADD-12.

    Returns:
        Those that have to roll for a fall.
    """
    building = kind_of(target) == BUILDING
    inside = occupants(tale.state, settings, table, target)
    fate = settings.building_occupants if building else settings.vehicle_occupants
    rule = "LW-SIEGE-02" if building else "LW-VEH-12"
    tale.tell(Event("destroyed", rule, target.side, target.figure_id))
    for unit in inside:
        if fate == "dead":
            flow.kill(tale, settings, unit, rule)
        elif fate == "survive" or kind_of(unit) != MAN:
            figure = on_table(table, unit)
            here = spot(unit) if figure is None else spot_of(figure)
            if here is not None:
                tale.at("set_beside", rule, tale.now(unit), Spot(here.x, here.y, 0.0))
    return [tale.now(unit) for unit in inside] if fate == "fall_roll" else []


def occupants(state: GameState, settings: Settings, table: TableState, target: Unit) -> list[Unit]:
    """People in a vehicle, or on a building above the ground."""
    if kind_of(target) != BUILDING:
        return [unit for unit in aboard(state, table, target) if kind_of(unit) == MAN]
    found = []
    for unit in living(state, None, MAN):
        here = place_of(state, table, settings, unit)
        piece = None if here is None else standing_on(table, here.centre, here.low_mm)
        if piece is not None and piece.terrain_id == target.figure_id:
            found.append(unit)
    return found
