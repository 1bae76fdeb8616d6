"""What a side may do in its step 3 (LW-TURN-05 to LW-TURN-07, LW-TURN-11)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.announce import Shape
from engine.ruleset import InputKind, Option, Target
from engine.rulesets.legowars.aiming import Aim, Views, aim, horse_arm, target_fault
from engine.rulesets.legowars.arming import (
    Arm,
    Fault,
    action_fault,
    arm_called,
    arms_of,
    crew_of,
    heavy_weapons,
    horse_fault,
    rider_fault,
)
from engine.rulesets.legowars.besieging import door_fault, wires_fault
from engine.rulesets.legowars.data import data
from engine.rulesets.legowars.field import doors, place_of
from engine.rulesets.legowars.handling import item_fault, portable, reachable
from engine.rulesets.legowars.marks import (
    BUILDING,
    HORSE,
    MAN,
    heavy_of,
    held,
    kind_of,
    living,
    things_of,
    words_mark,
)
from engine.rulesets.legowars.measures import attacks, gear
from engine.rulesets.legowars.settings import Settings
from engine.rulesets.legowars.words import thing_words
from engine.spots import flagged, side_name
from engine.state import GameState, Unit
from engine.table import TableState


def attack_options(state: GameState, settings: Settings, table: TableState) -> Iterator[Option]:
    """Attacks, things, doors and heavy weapons of the side at work, and being done."""
    views: Views = {}
    side = state.active_side or ""
    for unit in living(state, side):
        if flagged(unit):
            continue
        if kind_of(unit) == HORSE and horse_fault(state, settings, unit) is None:
            yield _attack(state, settings, table, unit, unit, horse_arm(), "horse_attack", views)
        if kind_of(unit) != MAN:
            continue
        yield from _man(state, settings, table, unit, views)
        yield from _items(state, settings, table, unit)
        if settings.door_step == "attack_step":
            yield from door_options(state, settings, table, unit)
        yield from _wires(state, settings, table, unit)
    if not any(flagged(unit) for unit in living(state, side)):
        yield Option("done", f"{side_name(side)} has attacked", side=side, rule="LW-TURN-11")


def _man(
    state: GameState, settings: Settings, table: TableState, unit: Unit, views: Views
) -> Iterator[Option]:
    if rider_fault(state, settings, unit) is not None:
        return
    for arm in arms_of(state, settings, unit):
        if action_fault(settings, unit, arm) is not None:
            continue
        if isinstance(arm_called(state, settings, unit, arm.value), Fault):
            continue
        yield _attack(state, settings, table, unit, unit, arm, "attack", views)
    if action_fault(settings, unit, None) is not None:
        return
    for weapon in heavy_weapons(state, unit.side):
        if isinstance(crew_of(state, settings, table, unit, weapon), Fault):
            continue
        row = heavy_of(weapon)
        arm = Arm(weapon.figure_id, "", row, ranged=row != attacks.RAM)
        yield _attack(state, settings, table, unit, weapon, arm, "crew_heavy", views)


def _attack(
    state: GameState,
    settings: Settings,
    table: TableState,
    unit: Unit,
    source: Unit,
    arm: Arm,
    kind: str,
    views: Views,
) -> Option:
    targets = tuple(
        _target(state, settings, table, source, target, arm, views)
        for target in state.units
        if target.side != unit.side and _worth(settings, source, target, state)
    )
    rule = "LW-RNG-01" if arm.ranged else "LW-MEL-01"
    if kind == "crew_heavy":
        rule = "LW-HVY-06"
    elif kind == "horse_attack":
        rule = "LW-HORSE-07"
    return Option(
        kind,
        f"{unit.name}: {thing_words(arm.row or 'hooves', arm.value)}",
        InputKind.FIGURE,
        unit.side,
        unit.figure_id,
        targets=targets,
        rule=rule,
        value=arm.value,
    )


def _worth(settings: Settings, source: Unit, target: Unit, state: GameState) -> bool:
    return target_fault(state, settings, source, target) is None


def _target(
    state: GameState,
    settings: Settings,
    table: TableState,
    source: Unit,
    target: Unit,
    arm: Arm,
    views: Views,
) -> Target:
    found: Aim = aim(state, settings, table, source, target, arm, views)
    shapes: tuple[Shape, ...] = ()
    if found.allowed and kind_of(target) != BUILDING:
        a = place_of(state, table, settings, source)
        b = place_of(state, table, settings, target)
        if a is not None and b is not None:
            shapes = (Shape("line", (a.centre, b.centre), role="target", text=found.text),)
    return Target(target.figure_id, found.allowed, found.text, found.rule, shapes)


def _items(state: GameState, settings: Settings, table: TableState, unit: Unit) -> Iterator[Option]:
    if item_fault(state, settings, unit) is not None:
        return
    free = data().whole("hands", "most") - held(unit, settings)
    near = [
        one
        for one in reachable(state, settings, table, unit)
        if gear.hands_of(one.thing, settings) <= free
    ]
    if near:
        yield Option(
            "pick_up",
            f"{unit.name} picks up",
            InputKind.CHOICE,
            unit.side,
            unit.figure_id,
            tuple((one.item_id, thing_words(one.thing)) for one in near),
            rule="LW-HAND-04",
        )
    holds = [thing for thing in dict.fromkeys(things_of(unit)) if portable(thing)]
    if holds:
        yield Option(
            "drop",
            f"{unit.name} drops",
            InputKind.CHOICE,
            unit.side,
            unit.figure_id,
            tuple((thing, thing_words(thing)) for thing in holds),
            rule="LW-HAND-05",
        )


def door_options(
    state: GameState, settings: Settings, table: TableState, unit: Unit
) -> Iterator[Option]:
    """Doors and winches within a man's reach (LW-BLDG-09, LW-BLDG-12)."""
    for door in doors(state, table):
        what = "winch" if door.bridge else "door"
        if door_fault(state, settings, table, unit, door, what) is not None:
            continue
        is_open = door.door_id in words_mark(state, "doors_open")
        if is_open and door.bridge and door.door_id in words_mark(state, "wires"):
            continue
        verb = ("lowers", "raises")[is_open] if door.bridge else ("opens", "closes")[is_open]
        yield Option(
            "winch" if door.bridge else "door",
            f"{unit.name} {verb} {door.name}",
            InputKind.TAP,
            unit.side,
            unit.figure_id,
            rule="LW-BLDG-12" if door.bridge else "LW-BLDG-09",
            value=door.door_id,
            hint="No attack this turn.",
        )


def _wires(state: GameState, settings: Settings, table: TableState, unit: Unit) -> Iterator[Option]:
    for door in doors(state, table):
        if wires_fault(state, settings, table, unit, door) is not None:
            continue
        rolls = settings.wire_cutting == "attack_roll_vs_building"
        agreed = settings.wire_cutting == "by_agreement"
        yield Option(
            "cut_wires",
            f"{unit.name} cuts the wires of {door.name}",
            InputKind.CONFIRM if agreed else InputKind.TAP,
            unit.side,
            unit.figure_id,
            dice=(1, data().dice_sides) if rolls else (0, 0),
            rule="LW-SIEGE-08",
            value=door.door_id,
            hint="Only if all agree." if agreed else "The bridge is down for good.",
        )
