"""What the activated fighter may do now (section 4.2 of the rules)."""

from __future__ import annotations

from collections.abc import Iterator

from shapely.geometry.base import BaseGeometry

from engine.announce import Shape
from engine.geometry.interval import EXACT_MM
from engine.roster import state_mark
from engine.ruleset import InputKind, Option, Target
from engine.rulesets.deathzap.aiming import aim
from engine.rulesets.deathzap.data import FighterClass
from engine.rulesets.deathzap.field import on_table
from engine.rulesets.deathzap.marks import (
    MELEE,
    RANGED,
    Phase,
    actions_left,
    active,
    class_of,
    defending,
)
from engine.rulesets.deathzap.measures.lengths import (
    charge_offered,
    charge_way_mm,
    edge_gap,
    is_contact,
    move_mm,
)
from engine.rulesets.deathzap.measures.ways import Mover, may_charge
from engine.rulesets.deathzap.moving import going_of
from engine.rulesets.deathzap.settings import Settings
from engine.rulesets.deathzap.words import count_words, fighter_words
from engine.rulesets.offers import area_shapes, figure_option
from engine.spots import flagged, living, name_of, other_side, text_mark
from engine.state import GameState, Unit
from engine.table import Figure, TableState


def acting_options(state: GameState, settings: Settings, table: TableState) -> Iterator[Option]:
    """Moves, attacks, defending, boosting and ending the activation."""
    unit = active(state)
    own = None if unit is None else class_of(unit)
    if unit is None or own is None or flagged(unit):
        return
    figure = on_table(table, unit)
    going = area = None
    if figure is not None:
        going = going_of(state, settings, table, figure)
        area = going.reach(figure.position_mm, move_mm(own, settings))
    yield _reach(state, settings, unit, own, area)
    if state.phase == Phase.MOVING:
        what = text_mark(state, "intent")
        goal = name_of(state, text_mark(state, "intent_target"))
        yield Option(
            "call_off",
            f"{unit.name} does not {what}{'' if what == 'move' else ' ' + goal}",
            InputKind.TAP,
            unit.side,
            unit.figure_id,
            rule="DZ-AP-06",
            hint="Move the figure, or call it off.",
        )
        return
    yield figure_option("move", f"{unit.name} moves", unit, "DZ-MOVE-01", hint="Or simply move it.")
    if own.charge and figure is not None and going is not None and area is not None:
        targets = tuple(_charges(state, settings, table, unit, own, figure, going, area))
        if targets:
            yield figure_option("charge", f"{unit.name} charges", unit, "DZ-CHG-01", targets)
    yield from _attacks(state, settings, table, unit, own)
    if own.defend and not defending(unit):
        yield figure_option("defend", f"{unit.name} defends", unit, "DZ-DEF-01")
    yield from _boost(state, unit)
    text = f"{unit.name} is done" if actions_left(state) < 2 else f"{unit.name} does no more"
    yield figure_option("finish", text, unit, "DZ-AP-06")


def target_options(state: GameState, settings: Settings, table: TableState) -> Iterator[Option]:
    """After a charge: whom to strike (DZ-CHG-06)."""
    unit = active(state)
    if unit is None:
        return
    targets = tuple(
        _aimed(state, settings, table, unit, enemy, MELEE)
        for name in text_mark(state, "contacts").split(";")
        if (enemy := state.unit(name)) is not None
    )
    yield figure_option("strike", f"{unit.name} charged: strike", unit, "DZ-CHG-06", targets)
    if state_mark(state, "plain") is True:
        yield figure_option("no_strike", "It was only a move", unit, "DZ-MOVE-07")


def _attacks(
    state: GameState, settings: Settings, table: TableState, unit: Unit, own: FighterClass
) -> Iterator[Option]:
    enemies = list(living(state, other_side(state, unit.side)))
    kinds = [MELEE] if own.ranged_dice is None else [MELEE, RANGED]
    for kind in kinds:
        targets = tuple(_aimed(state, settings, table, unit, enemy, kind) for enemy in enemies)
        words, rule = {
            MELEE: ("strikes", "DZ-MEL-01"),
            RANGED: ("shoots", "DZ-RNG-01"),
        }[kind]
        yield figure_option(kind, f"{unit.name} {words}", unit, rule, targets)


def _boost(state: GameState, unit: Unit) -> Iterator[Option]:
    """Any class may boost; where it is wasted the players are asked (DZ-BST-02, DZ-BST-04)."""
    again = state_mark(state, "boosted") is True
    wasted = again or actions_left(state) == 1
    why = "It boosted already." if again else "It has no action left to attack with."
    yield Option(
        "boost",
        f"{unit.name} boosts",
        InputKind.CONFIRM if wasted else InputKind.TAP,
        unit.side,
        unit.figure_id,
        rule="DZ-BST-04" if wasted else "DZ-BST-01",
        hint=f"{why} The boost would be wasted." if wasted else "One more die for the attack.",
    )


def _reach(
    state: GameState,
    settings: Settings,
    unit: Unit,
    own: FighterClass,
    area: BaseGeometry | None,
) -> Option:
    left = actions_left(state)
    return Option(
        "reach",
        unit.name,
        InputKind.SHOW,
        unit.side,
        unit.figure_id,
        shapes=() if area is None else tuple(area_shapes(area)),
        rule="DZ-MOVE-02" if own.name in ("Beast", "Drone") else "DZ-MOVE-01",
        hint=(
            f"{fighter_words(unit)} Move {move_mm(own, settings):.0f} millimetres. "
            f"{count_words(left, 'action')} left."
        ),
    )


def _charges(
    state: GameState,
    settings: Settings,
    table: TableState,
    unit: Unit,
    own: FighterClass,
    figure: Figure,
    going: Mover,
    area: BaseGeometry,
) -> Iterator[Target]:
    """Enemies that can be charged, and why not the others."""
    move = move_mm(own, settings)
    for enemy in living(state, other_side(state, unit.side)):
        there = on_table(table, enemy)
        if there is None:
            yield Target(enemy.figure_id, False, "not seen on the table", "DZ-GEO-18")
            continue
        gap = edge_gap(figure, there)
        line = Shape("line", (figure.position_mm, there.position_mm), role="path", text="charge")
        way = charge_way_mm(gap, settings)
        if is_contact(gap, settings):
            yield Target(enemy.figure_id, False, "touched already: strike it", "DZ-CHG-04")
        elif not charge_offered(gap, move, settings):
            text = f"{gap:.0f} mm away, {way - move:.0f} too far"
            yield Target(enemy.figure_id, False, text, "DZ-CHG-07", (line,))
        elif may_charge(figure, there, going, area, move, settings):
            text = f"{gap:.0f} mm away"
            if gap > move + EXACT_MM:
                text = f"{gap:.0f} mm away, {way:.0f} to contact: charge possible"
            yield Target(enemy.figure_id, True, text, "DZ-CHG-07", (line,))
        else:
            text = f"{gap:.0f} mm away, but the way there is blocked"
            yield Target(enemy.figure_id, False, text, "DZ-GEO-25", (line,))


def _aimed(
    state: GameState, settings: Settings, table: TableState, unit: Unit, enemy: Unit, kind: str
) -> Target:
    found = aim(state, settings, table, unit, enemy, kind)
    a, b = on_table(table, unit), on_table(table, enemy)
    shapes: tuple[Shape, ...] = ()
    if a is not None and b is not None:
        role = "target" if found.allowed else "blocked"
        shapes = (Shape("line", (a.position_mm, b.position_mm), role=role, text=found.text),)
    return Target(enemy.figure_id, found.allowed, found.text, found.rule, shapes)
