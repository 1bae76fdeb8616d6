"""A figure is moved: how far, round what, a charge, a step, or something it may not."""

from __future__ import annotations

import math
from dataclasses import replace

from engine.actions import Action
from engine.errors import Refused
from engine.events import Value
from engine.geometry.interval import Verdict
from engine.rulesets import limits
from engine.rulesets.playmobil.aiming import aim
from engine.rulesets.playmobil.data import data
from engine.rulesets.playmobil.faults import MELEE, may_charge_now
from engine.rulesets.playmobil.field import (
    crew_beside,
    on_table,
    shaped,
)
from engine.rulesets.playmobil.journeys import (
    Journey,
    charge_limit,
    going_of,
    journey,
    put_at,
)
from engine.rulesets.playmobil.marks import (
    Phase,
    aboard,
    crew_of,
    has,
    hostile,
    is_left_horse,
    kind_of,
    own_turn,
    type_of,
    waiting,
    wild,
)
from engine.rulesets.playmobil.measures import lengths
from engine.rulesets.playmobil.settings import Settings
from engine.rulesets.playmobil.turns import actor, engaged
from engine.spots import Spot, living, number, spot, spot_of, word
from engine.state import GameState, Unit
from engine.table import Figure, TableState
from engine.tale import Tale


def move_fault(
    state: GameState, settings: Settings, table: TableState, unit: Unit
) -> tuple[str, str] | None:
    """Flag and sentence why a unit has no move now, None when it has one.

    Nobody moves after an attack (PM-ATT-09). Leaving a melee is free (PM-MOVE-03).
    """
    own = type_of(unit)
    if own is None or is_left_horse(unit) or wild(unit) or aboard(unit):
        return "MOVED", f"{unit.name} does not move by itself"
    if waiting(unit):
        return "WAIT_BROKEN", f"{unit.name} is waiting"
    if has(unit, "attacked") or has(unit, "threw") or unit.mark("shots") is not None:
        return "MOVED_AFTER_ATTACK", "no movement after attacking"
    if own.kind == "chariot":
        crew = crew_of(state, unit)
        if not crew:
            return "MOVED", f"{unit.name} has no driver"
        if any(waiting(man) for man in crew):  # PM-CHAR-08
            return "WAIT_BROKEN", f"{unit.name}: its driver is dismounting"
    if own.kind == "engine":
        if has(unit, "fired"):
            return "NO_CREW", f"{unit.name} has shot this turn"
        if len(crew_beside(state, table, settings, unit)[0]) < data().whole("siege.crew_to_move"):
            return "NO_CREW", f"{unit.name} is moved by two men in contact"
    return None


def announce_charge(tale: Tale, settings: Settings, table: TableState, action: Action) -> None:
    """The next shift of a rider is a charge (PM-CAV-03, PM-ARCH-11).

    Raises:
        Refused: He cannot charge that enemy.
    """
    unit = actor(tale.state, action.figure_id)
    target = tale.state.unit(action.target_id or "")
    if target is None:
        raise Refused("which enemy is charged?", "PM-CAV-03")
    fault = charge_fault(tale.state, settings, table, unit, target)
    if fault is not None:
        raise Refused(fault[1], fault[0])
    tale.upon("charge_declared", "PM-CAV-03", unit, target, {"unit.charge_of": target.figure_id})


def no_charge(
    state: GameState, settings: Settings, table: TableState, unit: Unit
) -> tuple[str, str] | None:
    """Why a unit cannot charge anybody now, None when it may."""
    fault = may_charge_now(state, settings, unit)
    if fault is not None:
        return fault
    gone = move_fault(state, settings, table, unit)
    if gone is not None or has(unit, "moved"):
        words = "has already moved" if gone is None else gone[1]
        return "PM-TURN-02", f"{unit.name}: {words}"
    return None


def charge_fault(
    state: GameState,
    settings: Settings,
    table: TableState,
    unit: Unit,
    target: Unit,
    in_melee: bool | None = None,
) -> tuple[str, str] | None:
    """Why an enemy cannot be charged, as rule and sentence; None when he can (PM-GEO-24).

    Args:
        state: The game.
        settings: Options of the game.
        table: The settled table.
        unit: Who charges.
        target: Who is charged.
        in_melee: Whether he is in melee already, if it is known that he may charge somebody;
            None to find out both.
    """
    if in_melee is None:
        never = no_charge(state, settings, table, unit)
        if never is not None:
            return never
        in_melee = engaged(state, settings, table, unit)
    if not target.alive or not hostile(state, unit, target) or aboard(target):
        return "PM-CAV-05", "an enemy on the table is charged"
    if kind_of(target) in ("engine", ""):
        return "PM-CAV-05", "a charge goes at troops"
    if in_melee:
        return "PM-CAV-06", f"{unit.name} is already in melee, no charge"
    figure, enemy = on_table(state, table, unit), on_table(state, table, target)
    if figure is None or enemy is None:
        return "PM-GEO-18", f"I do not see {target.name} on the table"
    gap = lengths.edge_gap(figure, enemy)
    way = max(0.0, gap - settings.reach_mm)
    if not limits.fits(way, charge_limit(settings)):
        return "PM-CAV-03", f"{target.name} is {gap:.0f} mm away, too far for a charge"
    if settings.charge_min_ft and gap < settings.feet(settings.charge_min_ft) - settings.reach_mm:
        return "PM-CAV-09", f"{target.name} is {gap:.0f} mm away, too near for a charge"
    goal = _near(figure, enemy, way)
    going = going_of(state, settings, table, figure, unit)
    most = data().numbers["charge.detour"] * math.dist(figure.position_mm, goal) + 1.0
    if going.shortest(figure.position_mm, goal, most) is None:
        return "PM-CAV-10", f"nothing leads straight to {target.name}"
    return None


def _near(figure: Figure, enemy: Figure, way: float) -> tuple[float, float]:
    (ax, ay), (bx, by) = figure.position_mm, enemy.position_mm
    far = max(math.dist((ax, ay), (bx, by)), 1e-6)
    return (ax + (bx - ax) * way / far, ay + (by - ay) * way / far)


def watch_move(tale: Tale, settings: Settings, table: TableState, seen: Figure, unit: Unit) -> None:
    """Tell what a figure of the side whose turn it is did at its new place."""
    here = spot_of(seen)
    figure = shaped(seen, unit)
    if unit.mark("beside") and _beside(tale.state, settings, table, unit, figure):
        tale.at("shifted", "PM-DIS-05", unit, here)
        return
    if _stepped(tale, settings, table, unit, figure, here):
        return
    fault = move_fault(tale.state, settings, _before(table, unit, seen), unit)
    if fault is not None:
        tale.at("flagged", data().flags[fault[0]].rule, unit, here, code=fault[0],
                moved_mm=_from(unit, here))  # fmt: skip
        return
    went = journey(tale.state, settings, table, figure, unit)
    values = {"moved_mm": went.length_mm, "limit_mm": went.limit_mm, "move": True}
    if went.verdict is Verdict.NO:
        rule = data().flags[went.code].rule
        tale.at("flagged", rule, unit, here, code=went.code, charge_of=went.charge_of, **values)
    elif went.verdict is Verdict.BORDERLINE:
        tale.at("asked_place", "PM-GEO-14", unit, here, code="TOO_FAR",
                charge_of=went.charge_of, **values)  # fmt: skip
    else:
        arrived(tale, unit, here, went)


def _before(table: TableState, unit: Unit, seen: Figure) -> TableState:
    """The table with the mover where it stood, so that its crew is counted there."""
    at = spot(unit)
    if at is None:
        return table
    old = replace(seen, position_mm=at.xy, level_mm=at.z)
    figures = tuple(old if f.figure_id == unit.figure_id else f for f in table.figures)
    return replace(table, figures=figures)


def _from(unit: Unit, here: Spot) -> float:
    at = spot(unit)
    return 0.0 if at is None else here.away(at)


def _beside(
    state: GameState, settings: Settings, table: TableState, unit: Unit, figure: Figure
) -> bool:
    """Who has just dismounted is put beside his horse or chariot (PM-DIS-05)."""
    left = state.unit(word(unit, "beside"))
    other = None if left is None else on_table(state, table, left)
    return other is not None and lengths.is_contact(lengths.edge_gap(figure, other), settings)


def _stepped(
    tale: Tale, settings: Settings, table: TableState, unit: Unit, figure: Figure, here: Spot
) -> bool:
    """The step up to the next victim is no move (PM-ATT-05, PM-ATT-10, PM-TURN-05)."""
    at = spot(unit)
    if at is None or not has(unit, "attacked"):
        return False
    named = word(unit, "step_to")
    tol = settings.place_tol_mm
    enemies = [u for u in living(tale.state) if hostile(tale.state, unit, u)]
    for enemy in enemies:
        if named and enemy.figure_id != named:
            continue
        if not named and (has(unit, "stopped") or not has(unit, "chain")):
            continue
        other = on_table(tale.state, table, enemy)
        if other is None:
            continue
        before = replace(figure, position_mm=at.xy)
        gap = number(unit, "step_gap") if named else lengths.edge_gap(before, other)
        if (
            not named
            and not aim(tale.state, settings, put_at(table, unit, at), unit, enemy, MELEE).allowed
        ):
            continue
        if lengths.is_step(at.xy, here.xy, other.position_mm, gap, tol):
            values: dict[str, Value] = {"unit.step_to": enemy.figure_id, "unit.step_gap": 0.0}
            tale.at("stepped", "PM-ATT-10", unit, here, moved_mm=here.away(at), **values)
            return True
    return False


def arrived(tale: Tale, unit: Unit, here: Spot, went: Journey) -> None:
    """The move is made and counts."""
    charge = bool(went.charge_of)
    own = type_of(unit)
    rule = "PM-CAV-03" if charge else "PM-TURN-02"
    if own is not None and own.kind == "engine":
        rule = "PM-ART-12" if own.name == "artillery" else "PM-SIEGE-10"
    marks: dict[str, Value] = {
        "unit.moved": True, "unit.beside": "", "unit.charge_of": "",
        "unit.charged": charge, "unit.charged_at": went.charge_of,
    }  # fmt: skip
    if charge:
        marks["unit.last_charge"] = own_turn(tale.state, unit.side)
        if not has(unit, "charged"):
            marks["unit.charge_before"] = unit.mark("last_charge")
    elif went.again and has(unit, "charged"):
        marks["unit.last_charge"] = unit.mark("charge_before")  # it was none after all
    tale.at(
        "moved", "PM-MOVE-04" if went.climbed else rule, unit, here,
        moved_mm=went.length_mm, limit_mm=went.limit_mm, again=went.again, close=went.close,
        charge=charge, at_whom=went.charge_of, **marks,
    )  # fmt: skip


def may_move(state: GameState, unit: Unit) -> bool:
    """Whether a shift of this unit is looked at as a move or step: it is its side's turn."""
    if unit.side != state.active_side or wild(unit):
        return False
    return state.phase == Phase.ACT or (state.phase == Phase.RESOLVE and has(unit, "attacked"))
