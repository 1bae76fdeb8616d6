"""A side moves: how far, over what, with whom, and may it (LW-MOVE, LW-HORSE, LW-VEH)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from shapely.geometry.base import BaseGeometry

from engine.geometry.interval import Interval, Verdict
from engine.rulesets.legowars import flow
from engine.rulesets.legowars.climbing import open_falls
from engine.rulesets.legowars.data import data
from engine.rulesets.legowars.field import off_table, on_table
from engine.rulesets.legowars.hauling import heavy_limit_cm, team_limit_cm
from engine.rulesets.legowars.marks import (
    HEAVY,
    HORSE,
    MAN,
    VEHICLE,
    Phase,
    is_set,
    kind_of,
    must_flee,
    rider_of,
)
from engine.rulesets.legowars.measures import lengths, moves
from engine.rulesets.legowars.measures.moves import Journey
from engine.rulesets.legowars.measures.teams import movement_cm
from engine.rulesets.legowars.measures.turns import walk_after_climb_cm
from engine.rulesets.legowars.riding import fled_right, flight_cm
from engine.rulesets.legowars.settings import Settings
from engine.rulesets.legowars.walking import going_of, journey, vehicle_under
from engine.spots import Spot, number, spot, spot_of, word
from engine.state import GameState, Unit
from engine.table import Figure, TableState
from engine.tale import Tale
from engine.units import MM_PER_CM

_BESIDE_MM = 60.0
"""Whoever is put at the foot of a ladder or beside something stands so near it."""
_TOGETHER_MM = 15.0
_LEVEL_MM = 12.0


@dataclass(frozen=True, slots=True)
class Allowance:
    """How far a unit may go this turn, and what it is flagged for beyond.

    Attributes:
        cm: Longest way.
        code: Flag beyond it.
        barred: A reason why it may not move at all, ``""`` for none.
    """

    cm: float
    code: str = moves.TOO_FAR
    barred: str = ""


def allowance(state: GameState, settings: Settings, table: TableState, unit: Unit) -> Allowance:
    """What a unit may still do in its step 2 (LW-MOVE-01)."""
    kind = kind_of(unit)
    if kind == VEHICLE:
        return Allowance(team_limit_cm(state, settings, unit), "LW-FLAG-19")
    if kind == HEAVY:
        carried = heavy_limit_cm(state, settings, table, unit)
        return Allowance(0.0, "LW-FLAG-26") if carried is None else Allowance(carried)
    cart = state.unit(word(unit, "team"))
    if cart is not None:
        return Allowance(team_limit_cm(state, settings, cart))
    if kind == HORSE:
        return _horse_allowance(state, settings, table, unit)
    return _man_allowance(settings, unit)


def _man_allowance(settings: Settings, man: Unit) -> Allowance:
    walk = movement_cm(MAN, settings)
    if man.mark("ladder") is not None:
        return Allowance(0.0, "LW-FLAG-20", "LW-FLAG-20")
    if is_set(man, "fell"):
        return Allowance(0.0, "LW-FLAG-02", "LW-FLAG-02")
    if is_set(man, "arrived"):
        walk = walk_after_climb_cm(walk, settings)
    return Allowance(max(0.0, walk - number(man, "spent_move")))


def _horse_allowance(
    state: GameState, settings: Settings, table: TableState, horse: Unit
) -> Allowance:
    if must_flee(horse):
        return Allowance(flight_cm(state, settings, table, horse), "LW-FLAG-18")
    rider = rider_of(state, horse)
    if rider is not None and is_set(rider, "mounted_now") and not settings.ride_same_turn:
        return Allowance(0.0, "LW-FLAG-02", "LW-FLAG-02")  # LW-HORSE-12
    if rider is None and settings.riderless_move == "flee_or_team_only":
        return Allowance(0.0, "LW-FLAG-02", "LW-FLAG-02")  # LW-HORSE-15
    return Allowance(movement_cm(HORSE, settings))


def driven(table: TableState, state: GameState, unit: Unit) -> Figure | None:
    """The figure that shows where a unit goes: a horse hidden under its rider goes with him."""
    own = on_table(table, unit)
    if own is None and kind_of(unit) == HORSE:
        rider = rider_of(state, unit)
        return None if rider is None else on_table(table, rider)
    return own


def watch_move(
    tale: Tale, settings: Settings, table: TableState, figure: Figure, unit: Unit
) -> None:
    """Tell what a unit of the moving side did at its new place."""
    state = tale.state
    here, start = spot_of(figure), spot(unit, "start") or spot(unit)
    if start is None:
        tale.at("shifted", "LW-MOVE-02", unit, here)
        return
    if off_table(figure, table):
        _off(tale, settings, table, unit, here)
        return
    if _carried(state, settings, table, unit, start, here):
        tale.at("carried", "LW-VEH-09", unit, here, moved_cm=number(unit, "moved"))
        return
    allowed = allowance(state, settings, table, unit)
    told = {"limit_cm": allowed.cm, "moved_cm": start.away(here) / MM_PER_CM}
    if allowed.barred:
        tale.at("flagged", _rule(allowed.barred), unit, here, code=allowed.barred, **told)
        return
    if must_flee(unit):
        if fled_right(state, settings, table, unit, here):
            tale.at("fled", "LW-HORSE-09", unit, here, **told)
            if word(unit, "team") and settings.hitched_flee == "breaks_loose":
                tale.about("unharnessed", "LW-HORSE-09", unit)
        else:
            tale.at("flagged", "LW-HORSE-08", unit, here, code="LW-FLAG-18", **told)
        return
    if word(unit, "team"):
        _hauled(tale, settings, unit, here, start, allowed)
        return
    went = journey(state, settings, table, figure, start, allowed.cm)
    _judge(tale, settings, table, unit, here, went, allowed)


def _judge(
    tale: Tale,
    settings: Settings,
    table: TableState,
    unit: Unit,
    here: Spot,
    went: Journey,
    allowed: Allowance,
) -> None:
    start = spot(unit, "start") or spot(unit) or here
    cost = start.away(here) / MM_PER_CM if went.cost_cm is None else went.cost_cm
    told = {"limit_cm": allowed.cm, "moved_cm": cost}
    code = went.flag
    near = code in ("", moves.TOO_FAR)
    if near:
        sigma = Interval(cost * MM_PER_CM, cost * MM_PER_CM)
        verdict = lengths.held(sigma, allowed.cm * MM_PER_CM, settings)
        if verdict is Verdict.BORDERLINE and cost > 0.0:
            tale.at("asked_place", "LW-MOVE-01", unit, here, code="LW-FLAG-31", **told)
            return
        code = "" if verdict is not Verdict.NO else allowed.code
    if code:
        tale.at("flagged", _rule(code), unit, here, code=code, **told)
        return
    if went.falls:
        tale.at("jumps", "LW-MOVE-15", unit, here, **told)
        open_falls(tale, "LW-MOVE-15", [tale.now(unit)], Phase.MOVE)
        return
    tale.at("moved", "LW-MOVE-01", unit, here, **told)


def _hauled(
    tale: Tale, settings: Settings, unit: Unit, here: Spot, start: Spot, allowed: Allowance
) -> None:
    """Whoever pulls goes with the vehicle and makes no other move (LW-VEH-09)."""
    far = start.away(here)
    told = {"limit_cm": allowed.cm, "moved_cm": far / MM_PER_CM}
    verdict = lengths.held(Interval(far, far), allowed.cm * MM_PER_CM + _TOGETHER_MM, settings)
    if verdict is Verdict.NO:
        tale.at("flagged", "LW-VEH-09", unit, here, code="LW-FLAG-19", **told)
    else:
        tale.at("hauled", "LW-VEH-09", unit, here, **told)


def _carried(
    state: GameState,
    settings: Settings,
    table: TableState,
    unit: Unit,
    start: Spot,
    here: Spot,
) -> bool:
    """Whether a unit only rode along on a vehicle."""
    under = vehicle_under(state, table, here)
    cart = None if under is None else state.unit(under.figure_id)
    old = None if cart is None else spot(cart, "start")
    if under is None or cart is None or old is None or kind_of(unit) == VEHICLE:
        return False
    x, y = under.position_mm
    dx, dy = x - old.x, y - old.y
    shifted = Spot(start.x + dx, start.y + dy, start.z)
    return (dx or dy) != 0.0 and shifted.away(here) <= _TOGETHER_MM


def _off(tale: Tale, settings: Settings, table: TableState, unit: Unit, here: Spot) -> None:
    """Over the edge of the table (LW-MOVE-12)."""
    if settings.leave_table == "removed":
        tale.about("left", "LW-MOVE-12", unit)
        rider = rider_of(tale.state, unit)
        if rider is not None:
            tale.about("left", "LW-MOVE-12", rider)
        flow.over_if_won(tale)
        return
    start = spot(unit) or here
    moved = start.away(here) / MM_PER_CM
    tale.at("flagged", "LW-MOVE-12", unit, here, code="LW-FLAG-30", moved_cm=moved)


def watch_placing(tale: Tale, unit: Unit, here: Spot) -> bool:
    """Whether somebody set down by the rules is only being put there (LW-LADD-08, LW-LADD-10)."""
    at, hang = spot(unit), spot(unit, "hang")
    if not is_set(unit, "placing") or at is None:
        return False
    if here.away(at) <= _BESIDE_MM and abs(here.z - at.z) <= _LEVEL_MM:
        tale.at("shifted", "LW-LADD-10", unit, here)
        return True
    quiet = data().number("watching", "place_tol_mm")
    return hang is not None and here.away(hang) <= quiet


def reach_area(
    state: GameState, settings: Settings, table: TableState, unit: Unit
) -> BaseGeometry | None:
    """Where a unit can go, None where it cannot."""
    figure = driven(table, state, unit)
    start = spot(unit, "start") or spot(unit)
    allowed = allowance(state, settings, table, unit)
    if figure is None or start is None or allowed.barred or allowed.cm <= 0.0:
        return None
    going = going_of(state, settings, table, replace(figure, position_mm=start.xy))
    return going.reach(start.xy, allowed.cm)


def _rule(code: str) -> str:
    return data().flags[code].rule
