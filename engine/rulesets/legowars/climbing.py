"""Ladders, jumps and falls (LW-LADD)."""

from __future__ import annotations

from engine.actions import Action
from engine.dice import Dice
from engine.errors import Refused
from engine.events import Event, results
from engine.rulesets.judging import unit_called
from engine.rulesets.legowars import flow
from engine.rulesets.legowars.data import data
from engine.rulesets.legowars.field import (
    Ladder,
    ladder_called,
    ladders,
    place_of,
    spot_place,
)
from engine.rulesets.legowars.marks import (
    MAN,
    Phase,
    armor_of,
    climbing,
    is_set,
    kind_of,
    living,
    moving_sides,
    words_mark,
)
from engine.rulesets.legowars.measures.attacks import fall_kills
from engine.rulesets.legowars.settings import Settings
from engine.spots import number, spot, word
from engine.state import GameState, Unit
from engine.table import TableState
from engine.tale import Tale

_NEAR = 1e-6


def near_ladder(
    state: GameState, settings: Settings, table: TableState, unit: Unit
) -> tuple[Ladder, str] | None:
    """The ladder end a man stands at, as ladder and ``foot`` or ``top`` (LW-LADD-03)."""
    here = place_of(state, table, settings, unit)
    if here is None:
        return None
    for ladder in ladders(state, table, settings):
        for name in ("foot", "top"):
            end = ladder.end(name)
            # A hand's breadth of height is given: the end may lie on the rim of a wall.
            if here.gap(spot_place(end), settings).lo <= settings.ladder_mm + _NEAR:
                return ladder, name
    return None


def climb_fault(
    state: GameState, settings: Settings, table: TableState, unit: Unit
) -> tuple[str, str] | None:
    """Why a man cannot begin to climb, as flag and sentence; None when he can."""
    if kind_of(unit) != MAN or word(unit, "mount"):
        return "LW-FLAG-20", f"{unit.name} is not on foot"
    if climbing(unit):
        return "LW-FLAG-20", f"{unit.name} is on a ladder already"
    if is_set(unit, "arrived") or is_set(unit, "fell"):
        return "LW-FLAG-20", f"{unit.name} has done enough climbing this turn"
    if word(unit, "team"):
        return "LW-FLAG-20", f"{unit.name} pulls a vehicle"
    walked = number(unit, "moved") > 0.0 or number(unit, "spent_move") > 0.0
    if walked and not settings.ladder_approach_same_turn:
        return "LW-FLAG-20", f"{unit.name} moved already: a climb takes the whole turn"
    found = near_ladder(state, settings, table, unit)
    if found is None:
        return "LW-FLAG-20", f"{unit.name} is not at a ladder"
    on_it = sum(1 for u in living(state) if word(u, "ladder") == found[0].ladder_id)
    if on_it >= settings.ladder_capacity:
        return "LW-FLAG-20", "that ladder is full"  # LW-LADD-11
    return None


def start_climb(tale: Tale, settings: Settings, table: TableState, action: Action) -> None:
    """A man is on a ladder for this turn (LW-LADD-02, LW-LADD-03).

    Raises:
        Refused: It is not his step, or he cannot.
    """
    unit = mover(tale.state, action)
    fault = climb_fault(tale.state, settings, table, unit)
    if fault is not None:
        raise Refused(fault[1], fault[0])
    found = near_ladder(tale.state, settings, table, unit)
    if found is None:
        return
    ladder, name = found
    values = results(ladder_id=ladder.ladder_id, **{"from": name})
    tale.tell(Event("climbs", "LW-LADD-02", unit.side, unit.figure_id, values=values))


def mover(state: GameState, action: Action) -> Unit:
    """The unit that is to do something in its side's step 2.

    Raises:
        Refused: It is not, or cannot.
    """
    unit = unit_called(state, action.figure_id, "LW-TURN-03")
    if word(unit, "gone") == "conceded":
        raise Refused(f"{unit.name} belongs to a side that gave up", "LW-FLAG-32")
    if not unit.alive:
        raise Refused(f"{unit.name} is out of the game", "LW-FLAG-03")
    if state.phase != Phase.MOVE or unit.side not in moving_sides(state):
        raise Refused(f"it is not {unit.name}'s step to move", "LW-FLAG-02")
    if word(unit, "open"):
        raise Refused(f"first put {unit.name} back or accept where it stands", "LW-TURN-03")
    return unit


def open_falls(tale: Tale, rule: str, fallen: list[Unit], back: Phase) -> None:
    """Somebody falls: each rolls in turn (LW-LADD-05, LW-LADD-12)."""
    if not fallen:
        return
    names = tuple(unit.figure_id for unit in fallen)
    values = results(falls=names, back=back.value)
    tale.tell(Event("falls_open", rule, fallen[0].side, fallen[0].figure_id, values=values))


def roll_fall(
    tale: Tale, settings: Settings, table: TableState, action: Action, dice: Dice
) -> None:
    """The side of who falls rolls (LW-LADD-06 to LW-LADD-08)."""
    names = words_mark(tale.state, "falls")
    unit = tale.state.unit(names[0]) if names else None
    if unit is None:
        raise Refused("nobody falls", "LW-LADD-06")
    faces = dice.roll(1, data().dice_sides)
    dead = fall_kills(armor_of(unit, settings), faces[0], settings)
    ladder = ladder_called(tale.state, table, settings, word(unit, "ladder"))
    jumped = is_set(unit, "jumping")
    values = results(dead=dead, armor=armor_of(unit, settings), jump=jumped)
    tale.tell(
        Event("fall_rolled", "LW-LADD-06", unit.side, unit.figure_id, dice=faces, values=values)
    )
    if dead:
        flow.kill(tale, settings, unit, "LW-LADD-06")
    else:
        foot = spot(unit) if ladder is None else ladder.foot
        if foot is None:
            tale.about("fell_alive", "LW-LADD-07", unit)
        else:
            tale.at("fell_alive", "LW-LADD-08", unit, foot)
    if words_mark(tale.state, "falls"):
        return
    tale.tell(Event("falls_done", "LW-LADD-07", tale.state.active_side))
    if tale.state.phase == Phase.ATTACK:
        flow.end_attack(tale, settings, table)
    else:
        flow.settle_leaving(tale, settings, table)
