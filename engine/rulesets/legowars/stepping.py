"""What a side may do in its step 2 (LW-TURN-03)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.announce import Shape
from engine.ruleset import InputKind, Option, Target
from engine.rulesets.legowars.climbing import climb_fault
from engine.rulesets.legowars.hauling import harnessable, team_words
from engine.rulesets.legowars.marks import (
    HORSE,
    MAN,
    VEHICLE,
    climbing,
    kind_of,
    living,
    moving_sides,
    must_flee,
)
from engine.rulesets.legowars.measures import lengths
from engine.rulesets.legowars.moving import allowance, reach_area
from engine.rulesets.legowars.riding import (
    flight,
    left_cm,
    may_dismount,
    mount_fault,
    steerable,
)
from engine.rulesets.legowars.settings import Settings
from engine.rulesets.legowars.striking import door_options
from engine.rulesets.offers import area_shapes
from engine.spots import Spot, flagged, number, side_name, spot, word
from engine.state import GameState, Unit
from engine.table import TableState


def move_options(state: GameState, settings: Settings, table: TableState) -> Iterator[Option]:
    """Reach of each figure, mounting, climbing, teams, flights, and being done."""
    sides = moving_sides(state)
    waiting = False
    for unit in living(state):
        if unit.side not in sides or flagged(unit):
            continue
        waiting = waiting or must_flee(unit)
        yield from _unit_options(state, settings, table, unit)
        if settings.door_step == "movement_step" and kind_of(unit) == MAN:
            yield from door_options(state, settings, table, unit)
    if not waiting and not any(flagged(u) for u in living(state) if u.side in sides):
        name = side_name(state.active_side)
        yield Option("done", f"{name} has moved", side=state.active_side, rule="LW-TURN-03")


def _unit_options(
    state: GameState, settings: Settings, table: TableState, unit: Unit
) -> Iterator[Option]:
    kind = kind_of(unit)
    if must_flee(unit):
        yield from _flight(state, settings, table, unit)
        return
    if not word(unit, "mount") and not climbing(unit):
        yield _reach(state, settings, table, unit)
    if kind == VEHICLE:
        team = harnessable(state, settings, table, unit)
        if team:
            yield _figures("harness", f"Who pulls {unit.name}?", unit, team, "LW-VEH-09")
    if word(unit, "team"):
        yield _tap("unharness", f"{unit.name} pulls no more", unit, "LW-VEH-01")
    if kind == MAN:
        yield from _man_options(state, settings, table, unit)


def _man_options(
    state: GameState, settings: Settings, table: TableState, unit: Unit
) -> Iterator[Option]:
    if word(unit, "mount"):
        if not may_dismount(state, settings, unit):
            return
        yield _tap("dismount", f"{unit.name} gets off", unit, "LW-HORSE-12")
        return
    if climb_fault(state, settings, table, unit) is None:
        yield _tap("start_climb", f"{unit.name} climbs the ladder", unit, "LW-LADD-02")
    if climbing(unit):
        return
    horses = [
        horse
        for horse in living(state, unit.side, HORSE)
        if mount_fault(state, settings, table, unit, horse) is None
    ]
    if horses and left_cm(settings, unit) >= settings.mount_cost_cm:
        yield _figures("mount", f"{unit.name} mounts", unit, horses, "LW-HORSE-12")
    if word(unit, "steers"):
        yield _tap("let_go", f"{unit.name} lets go of the reins", unit, "LW-HORSE-10")
        return
    reins = steerable(state, settings, table, unit)
    if reins:
        yield _figures("steer", f"{unit.name} takes the reins", unit, reins, "LW-HORSE-10")


def _flight(
    state: GameState, settings: Settings, table: TableState, horse: Unit
) -> Iterator[Option]:
    found = flight(state, settings, table, horse)
    start = spot(horse, "start") or spot(horse)
    if found is None or start is None:
        return
    goal, leaves = found
    far = start.away(Spot(*goal, start.z))
    ghost = Shape("circle", (goal,), 20.0, "target", "runs here")
    line = Shape("line", (start.xy, goal), role="path")
    stuck = far <= 6.0
    if leaves or stuck:
        text = "runs off the table" if leaves else "has no room to run"
        yield _tap("flee", f"{horse.name} {text}", horse, "LW-HORSE-09")
    else:
        yield Option(
            "runs",
            horse.name,
            InputKind.SHOW,
            horse.side,
            horse.figure_id,
            rule="LW-HORSE-09",
            shapes=(ghost, line),
            hint=f"{horse.name} was attacked: it must run {far / 10.0:.0f} centimetres away.",
        )


def _reach(state: GameState, settings: Settings, table: TableState, unit: Unit) -> Option:
    allowed = allowance(state, settings, table, unit)
    area = reach_area(state, settings, table, unit)
    moved = number(unit, "moved")
    studs = lengths.studs(allowed.cm, settings)
    hint = f"{unit.name} can go {allowed.cm:.1f} centimetres, {studs:.1f} studs."
    if allowed.barred:
        hint = f"{unit.name} does not move this turn."
    elif moved:
        hint = f"{unit.name} moved {moved:.1f} of {allowed.cm:.1f} centimetres."
    if kind_of(unit) == VEHICLE:
        hint = team_words(state, settings, unit)
    return Option(
        "reach",
        unit.name,
        InputKind.SHOW,
        unit.side,
        unit.figure_id,
        rule="LW-MOVE-01",
        shapes=() if area is None else tuple(area_shapes(area)),
        hint=hint,
    )


def _tap(kind: str, text: str, unit: Unit, rule: str) -> Option:
    return Option(kind, text, InputKind.TAP, unit.side, unit.figure_id, rule=rule)


def _figures(kind: str, text: str, unit: Unit, others: list[Unit], rule: str) -> Option:
    targets = tuple(Target(one.figure_id, True, one.name, rule) for one in others)
    return Option(
        kind, text, InputKind.FIGURE, unit.side, unit.figure_id, targets=targets, rule=rule
    )
