"""Vehicles and who pulls or carries them (LW-VEH, LW-HVY-03)."""

from __future__ import annotations

from engine.actions import Action
from engine.errors import Refused
from engine.events import Event
from engine.rulesets.legowars.climbing import mover
from engine.rulesets.legowars.data import data
from engine.rulesets.legowars.field import men_near, place_of
from engine.rulesets.legowars.marks import (
    HORSE,
    MAN,
    VEHICLE,
    climbing,
    kind_of,
    living,
    rider_of,
    whole,
)
from engine.rulesets.legowars.measures.teams import horses_needed, movement_cm, team_speed
from engine.rulesets.legowars.settings import Settings
from engine.spots import number, word
from engine.state import GameState, Unit
from engine.table import TableState
from engine.tale import Tale
from engine.units import MM_PER_CM

_NEAR = 1e-6


def team_of(state: GameState, vehicle: Unit) -> tuple[int, int]:
    """Horses and men that pull; who walked by himself this turn does not (LW-VEH-09)."""
    pulling = [
        unit
        for unit in living(state, vehicle.side)
        if word(unit, "team") == vehicle.figure_id and unit.mark("walked") is None
    ]
    horses = sum(1 for unit in pulling if kind_of(unit) == HORSE)
    return horses, len(pulling) - horses


def team_limit_cm(state: GameState, settings: Settings, vehicle: Unit) -> float:
    """How far a vehicle can be moved this turn (LW-VEH-08)."""
    horses, men = team_of(state, vehicle)
    return team_speed(whole(vehicle, "wheels"), horses, men, settings)


def needed(settings: Settings, vehicle: Unit) -> int:
    """Horses a vehicle needs (LW-VEH-02)."""
    return horses_needed(whole(vehicle, "wheels"), settings)


def harnessable(
    state: GameState, settings: Settings, table: TableState, vehicle: Unit
) -> list[Unit]:
    """Men and horses that could pull: of its side, at it or at its team (section 5.9)."""
    found = []
    reach = data().number("team", "contact_cm") * MM_PER_CM
    anchors = [vehicle, *(u for u in living(state) if word(u, "team") == vehicle.figure_id)]
    places = [place_of(state, table, settings, one) for one in anchors]
    for unit in living(state, vehicle.side):
        if kind_of(unit) not in (MAN, HORSE) or word(unit, "team") or word(unit, "mount"):
            continue
        if climbing(unit) or (kind_of(unit) == HORSE and rider_of(state, unit)):
            continue
        here = place_of(state, table, settings, unit)
        if here is None:
            continue
        if any(p is not None and here.gap(p, settings).lo <= reach + _NEAR for p in places):
            found.append(unit)
    return found


def harness(tale: Tale, settings: Settings, table: TableState, action: Action) -> None:
    """Somebody joins the team of a vehicle, or leaves it (LW-VEH-01, LW-VEH-09).

    Raises:
        Refused: It is not its side's step, or there is no such team.
    """
    if action.kind == "unharness":
        unit = mover(tale.state, action)
        if not word(unit, "team"):
            raise Refused(f"{unit.name} pulls nothing", "LW-VEH-01")
        tale.about("unharnessed", "LW-VEH-01", unit)
        return
    vehicle = mover(tale.state, action)
    unit_or_none = tale.state.unit(action.target_id or "")
    if kind_of(vehicle) != VEHICLE or unit_or_none is None:
        raise Refused("who pulls which vehicle?", "LW-VEH-01")
    if unit_or_none not in harnessable(tale.state, settings, table, vehicle):
        raise Refused(f"{unit_or_none.name} is not at {vehicle.name}", "LW-VEH-01")
    tale.tell(
        Event("harnessed", "LW-VEH-09", vehicle.side, unit_or_none.figure_id, vehicle.figure_id)
    )


def heavy_limit_cm(
    state: GameState, settings: Settings, table: TableState, weapon: Unit
) -> float | None:
    """How far men carry a heavy weapon, None without enough of them (LW-HVY-03)."""
    here = place_of(state, table, settings, weapon)
    if here is None:
        return None
    reach = data().number("team", "contact_cm") * MM_PER_CM
    carriers = list(men_near(state, table, settings, weapon.side, here, reach))
    if len(carriers) < settings.ram_carriers:
        return None
    return movement_cm("man", settings) - min(number(one, "spent_move") for one in carriers)


def team_words(state: GameState, settings: Settings, vehicle: Unit) -> str:
    """``"Wagon needs 2 horses, has 1: 3.1 centimetres this turn."``."""
    horses, men = team_of(state, vehicle)
    count = needed(settings, vehicle)
    need = f"{count} horse{'' if count == 1 else 's'}"
    has = f"{horses} and {men} men" if men else f"{horses}"
    cm = spoken_cm(team_limit_cm(state, settings, vehicle), settings)
    odd = men % settings.men_per_horse
    more = f" {odd} of the men do not count: {settings.men_per_horse} make a horse." if odd else ""
    slow = ""
    if men >= settings.men_per_horse and horses >= count and settings.surplus_pullers_slow:
        slow = " The men beside a full team slow it."
    return f"{vehicle.name} needs {need}, has {has}: {cm} centimetres this turn.{more}{slow}"


def spoken_cm(cm: float, settings: Settings) -> str:
    """Centimetres as they are told, to the agreed millimetres."""
    step = settings.round_speed_mm / MM_PER_CM
    return f"{round(cm / step) * step:.4g}"
