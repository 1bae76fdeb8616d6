"""Doors, winches and wires (LW-BLDG-09, LW-BLDG-12, LW-SIEGE-07, LW-SIEGE-08)."""

from __future__ import annotations

from engine.actions import Action
from engine.dice import Dice
from engine.errors import Refused
from engine.events import Event, results
from engine.rulesets.legowars.arming import Fault, action_fault, arms_of
from engine.rulesets.legowars.data import data
from engine.rulesets.legowars.field import Door, area_place, doors, place_of, winches
from engine.rulesets.legowars.marks import MAN, Phase, kind_of, moving_sides, words_mark
from engine.rulesets.legowars.measures import attacks
from engine.rulesets.legowars.measures import doors as openings
from engine.rulesets.legowars.measures.attacks import Goal, Strike
from engine.rulesets.legowars.settings import Settings
from engine.state import GameState, Unit
from engine.table import TableState
from engine.tale import Tale

_NEAR = 1e-6
_TALL_MM = 57.6
"""Doors and wires are reached from the floor of a level."""


def at_hand(
    state: GameState, settings: Settings, table: TableState, unit: Unit, door: Door, what: str
) -> bool:
    """Whether a man reaches a door, the winch of a bridge or its wires."""
    here = place_of(state, table, settings, unit)
    if here is None:
        return False
    spots = [door.mark.footprint_mm]
    if what == "winch":
        found = [mark.footprint_mm for mark in winches(table, door.terrain_id)]
        spots = found or spots
    low = min(here.low_mm, _TALL_MM) if what != "winch" else here.low_mm
    return any(
        here.gap(area_place(spot, 0.0, max(low, _TALL_MM)), settings).lo
        <= settings.door_reach_mm + _NEAR
        for spot in spots
    )


def door_fault(
    state: GameState, settings: Settings, table: TableState, unit: Unit, door: Door, what: str
) -> Fault | None:
    """Why a man cannot work a door, winch or wire now."""
    step = Phase.MOVE if settings.door_step == "movement_step" else Phase.ATTACK
    if what == "wires":
        step = Phase.ATTACK
    at_work = unit.side in (moving_sides(state) or (state.active_side,))
    fault = action_fault(settings, unit, None)
    if fault is not None:
        return Fault("LW-FLAG-08" if fault.flag == "LW-FLAG-07" else fault.flag, fault.text)
    if kind_of(unit) != MAN or state.phase != step or not at_work:
        return Fault("LW-BLDG-09", f"it is not {unit.name}'s step for that")
    owner = state.unit(door.terrain_id)
    foreign = owner is not None and owner.side != unit.side
    if foreign and not settings.enemy_may_open_doors and what != "wires":
        return Fault("LW-BLDG-09", "only its owner opens that door")
    if not at_hand(state, settings, table, unit, door, what):
        return Fault("LW-BLDG-09", f"{unit.name} is too far away")
    return None


def work_door(tale: Tale, settings: Settings, table: TableState, action: Action) -> None:
    """A man opens or closes a door, or works the winch of a bridge (LW-SIEGE-07).

    Raises:
        Refused: He may not, or the wires are cut.
    """
    unit, door = _who(tale.state, table, action)
    what = "winch" if door.bridge else "door"
    fault = door_fault(tale.state, settings, table, unit, door, what)
    if fault is not None:
        raise Refused(fault.text, fault.flag)
    is_open = door.door_id in words_mark(tale.state, "doors_open")
    cut = door.door_id in words_mark(tale.state, "wires")
    kind = openings.DRAWBRIDGE if door.bridge else openings.DOOR
    want = "close" if is_open else "open"
    turned = openings.turn(kind, is_open, cut, want)
    if turned.flag:
        raise Refused(data().flags[turned.flag].text, turned.flag)
    tale.about("worked", "LW-BLDG-09", unit)
    values = results(item=door.door_id, on=turned.open, bridge=door.bridge)
    rule = "LW-BLDG-12" if door.bridge else "LW-BLDG-09"
    tale.tell(Event("door_turned", rule, unit.side, unit.figure_id, values=values))


def cut_wires(
    tale: Tale, settings: Settings, table: TableState, action: Action, dice: Dice
) -> None:
    """A man cuts the wires of a raised bridge: it is down for good (LW-SIEGE-08).

    Raises:
        Refused: He may not, or the bridge is down.
    """
    unit, door = _who(tale.state, table, action)
    fault = wires_fault(tale.state, settings, table, unit, door)
    if fault is not None:
        raise Refused(fault.text, fault.flag)
    tale.about("worked", "LW-SIEGE-08", unit)
    if settings.wire_cutting == "attack_roll_vs_building":
        arm = next(one for one in arms_of(tale.state, settings, unit) if not one.ranged)
        strike = Strike(attacks.MELEE, arm.row)
        needed = attacks.number(strike, Goal(attacks.BUILDING), settings)
        faces = dice.roll(1, data().dice_sides)
        hit = attacks.hits(needed, faces[0])
        values = results(number=needed, hit=hit)
        told = (unit.side, unit.figure_id, None, faces)
        tale.tell(Event("wires_rolled", "LW-SIEGE-08", *told, values))
        if not hit:
            return
    values = results(item=door.door_id, on=True)
    tale.tell(Event("wires_cut", "LW-SIEGE-08", unit.side, unit.figure_id, values=values))
    opened = results(item=door.door_id, on=True, bridge=True, cut=True)
    tale.tell(Event("door_turned", "LW-SIEGE-08", unit.side, unit.figure_id, values=opened))


def wires_fault(
    state: GameState, settings: Settings, table: TableState, unit: Unit, door: Door
) -> Fault | None:
    """Why the wires of a bridge cannot be cut."""
    if not door.bridge or door.door_id in words_mark(state, "doors_open"):
        return Fault("LW-SIEGE-08", "only a raised bridge hangs on wires")
    return door_fault(state, settings, table, unit, door, "wires")


def _who(state: GameState, table: TableState, action: Action) -> tuple[Unit, Door]:
    unit = state.unit(action.figure_id or "")
    door = next((one for one in doors(state, table) if one.door_id == action.value), None)
    if unit is None or door is None:
        raise Refused("who works which door?", "LW-BLDG-09")
    return unit, door
