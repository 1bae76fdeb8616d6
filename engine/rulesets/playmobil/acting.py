"""What the figures of the side whose turn it is may do now (section 4.2 of the rules)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.announce import Shape
from engine.geometry.foresight import Plan, foresee
from engine.ruleset import InputKind, Option, Target
from engine.rulesets.offers import area_shapes, figure_option
from engine.rulesets.playmobil.aiming import aim_at, double_targets
from engine.rulesets.playmobil.data import data
from engine.rulesets.playmobil.engines import aim_gun_fault, gun_fault, ram_walls
from engine.rulesets.playmobil.faults import (
    FLAME,
    MELEE,
    SHOOT,
    THROW,
    attack_fault,
    may_charge_now,
)
from engine.rulesets.playmobil.field import enemies_of, on_table
from engine.rulesets.playmobil.journeys import charge_limit, going_of, move_limit
from engine.rulesets.playmobil.marks import (
    aboard,
    bow_of,
    has,
    is_left_horse,
    kind_of,
    thrown_left,
    type_of,
    waiting,
    wild,
)
from engine.rulesets.playmobil.measures.ways import Mover
from engine.rulesets.playmobil.mounting import (
    dismount_fault,
    may_take_spear,
    mounts,
    torch_targets,
    wait_fault,
)
from engine.rulesets.playmobil.moving import charge_fault, move_fault, no_charge
from engine.rulesets.playmobil.settings import Settings
from engine.rulesets.playmobil.settling import turn_fault
from engine.rulesets.playmobil.turns import end_fault, engaged
from engine.rulesets.playmobil.words import unit_words
from engine.spots import living, name_of, text_mark, word
from engine.state import GameState, Unit
from engine.table import PointMm, TableState
from engine.words import count

_WORDS = {
    MELEE: ("strikes", "PM-ATT-01"),
    SHOOT: ("shoots", "PM-ARCH-04"),
    FLAME: ("shoots a flaming arrow", "PM-ARCH-06"),
    THROW: ("throws", "PM-THROW-01"),
}


def acting_options(state: GameState, settings: Settings, table: TableState) -> Iterator[Option]:
    """Everything the side whose turn it is may do."""
    double = state.unit(text_mark(state, "double_by"))
    units = [
        unit
        for unit in living(state, state.active_side)
        if not (is_left_horse(unit) or wild(unit) or word(unit, "open"))
    ]
    movers = (_mover(state, settings, table, unit) for unit in units)
    foresee([Plan(going.roaming, at, (limit,)) for going, at, limit in filter(None, movers)])
    for unit in units:
        if double is not None and double.figure_id == unit.figure_id:
            yield from _second(state, settings, table, unit)
        yield from _unit(state, settings, table, unit)
    yield _done(state, settings, table)


def _done(state: GameState, settings: Settings, table: TableState) -> Option:
    """The end of the turn, or what must be done before it (PM-TURN-03, PM-CAV-04)."""
    side = state.active_side
    fault = end_fault(state, settings, table)
    if fault is not None:
        words = f"First: {fault[1]}"
        return Option("not_done", words, InputKind.SHOW, side, rule=fault[0], hint=f"{words}.")
    hint = _summary(state, settings)
    return Option("done", "This turn is over", side=side, rule="PM-TURN-03", hint=hint)


def _summary(state: GameState, settings: Settings) -> str:
    units = [u for u in living(state, state.active_side) if type_of(u) is not None]
    charge = sum(1 for u in units if may_charge_now(state, settings, u) is None)
    return f"{count(len(units), 'figure')} may act, {charge} may charge."


def _unit(state: GameState, settings: Settings, table: TableState, unit: Unit) -> Iterator[Option]:
    yield _reach(state, settings, table, unit)
    if waiting(unit):
        yield Option("stop_waiting", f"{unit.name} waits no longer", InputKind.CONFIRM,
                     unit.side, unit.figure_id, rule="PM-DIS-01", minor=True)  # fmt: skip
        return
    kind = kind_of(unit)
    if kind == "engine":
        yield from _engine(state, settings, table, unit)
        return
    yield from _charge(state, settings, table, unit)
    yield from _attacks(state, settings, table, unit)
    if dismount_fault(state, unit) is None:
        yield _dismount(unit)
    if kind == "foot" and wait_fault(state, unit) is None:
        near = tuple(
            Target(m.figure_id, True, m.name, "PM-DIS-08")
            for m in mounts(state, settings, table, unit)
        )
        if near:
            yield figure_option("mount", f"{unit.name} mounts", unit, "PM-DIS-03", near)
    burn = tuple(
        Target(t.figure_id, f is None, "in contact" if f is None else f[1],
               "PM-SIEGE-08" if f is None else f[0])
        for t, f in torch_targets(state, settings, table, unit)
    )  # fmt: skip
    if burn:
        yield figure_option(
            "torch", f"{unit.name} holds his torch to it", unit, "PM-SIEGE-01", burn
        )
    if turn_fault(unit) is None and on_table(state, table, unit) is not None:
        yield Option("turn", f"{unit.name} turns to", InputKind.POINT, unit.side, unit.figure_id,
                     rule="PM-FACE-08", minor=True)  # fmt: skip


def _dismount(unit: Unit) -> Option:
    rule = "PM-CHAR-08" if aboard(unit) else "PM-DIS-01"
    if may_take_spear(unit):
        weapons = (("sword", "With a sword"), ("spear", "With a spear"))
        return Option("dismount", f"{unit.name} dismounts", InputKind.CHOICE, unit.side,
                      unit.figure_id, weapons, rule="PM-DIS-04")  # fmt: skip
    return Option("dismount", f"{unit.name} dismounts", InputKind.TAP, unit.side, unit.figure_id,
                  rule=rule, hint="It takes a turn of waiting.")  # fmt: skip


def _engine(
    state: GameState, settings: Settings, table: TableState, unit: Unit
) -> Iterator[Option]:
    if gun_fault(state, settings, table, unit) is None:
        if settings.artillery_mode == "physical":
            yield figure_option("fire", f"{unit.name} shoots", unit, "PM-ART-02",
                          hint="Fire one shot, then tell what was hit.")  # fmt: skip
        else:
            targets = tuple(
                Target(u.figure_id, f is None, "4 and up hits" if f is None else f[1],
                       "PM-ART-11" if f is None else f[0])
                for u in enemies_of(state, unit)
                for f in (aim_gun_fault(state, settings, table, unit, u),)
            )  # fmt: skip
            yield figure_option("fire", f"{unit.name} shoots", unit, "PM-ART-11", targets)
    pieces = tuple((p.terrain_id, p.terrain_id) for p in ram_walls(state, settings, table, unit))
    if pieces:
        yield Option("ram", f"{unit.name} strikes the wall", InputKind.CHOICE, unit.side,
                     unit.figure_id, pieces, rule="PM-WALL-04")  # fmt: skip


def _charge(
    state: GameState, settings: Settings, table: TableState, unit: Unit
) -> Iterator[Option]:
    if word(unit, "charge_of"):
        goal = name_of(state, word(unit, "charge_of"))
        yield figure_option("call_off", f"{unit.name} does not charge {goal}", unit, "PM-CAV-13")
        return
    own = type_of(unit)
    if own is None or not own.charge or has(unit, "moved") or has(unit, "attacked"):
        return
    if move_fault(state, settings, table, unit) is not None:
        return
    targets = []
    in_melee = engaged(state, settings, table, unit)
    never = no_charge(state, settings, table, unit)
    for enemy in enemies_of(state, unit):
        if aboard(enemy) or kind_of(enemy) == "engine":
            continue
        fault = never or charge_fault(state, settings, table, unit, enemy, in_melee)
        text, rule = ("charge possible", "PM-CAV-10") if fault is None else (fault[1], fault[0])
        targets.append(Target(enemy.figure_id, fault is None, text, rule))
    if targets:
        yield figure_option("charge", f"{unit.name} charges", unit, "PM-CAV-03", tuple(targets))


def _attacks(
    state: GameState, settings: Settings, table: TableState, unit: Unit
) -> Iterator[Option]:
    kinds = [MELEE] if not aboard(unit) else []
    kinds += [SHOOT] if bow_of(unit) else []
    own = type_of(unit)
    kinds += [FLAME] if own is not None and own.flaming and not aboard(unit) else []
    kinds += [THROW] if thrown_left(unit) else []
    for kind in kinds:
        if attack_fault(state, settings, unit, kind) is not None:
            continue
        targets = tuple(_aimed(state, settings, table, unit, e, kind)
                        for e in enemies_of(state, unit))  # fmt: skip
        words, rule = _WORDS[kind]
        yield figure_option(kind, f"{unit.name} {words}", unit, rule, targets)
    if kind_of(unit) == "chariot" and attack_fault(state, settings, unit, MELEE) is None:
        near = tuple(
            Target(u.figure_id, True, "the first of two", "PM-CHAR-04")
            for u in double_targets(state, settings, table, unit)
        )
        if len(near) >= data().whole("chariot.strikes"):
            yield figure_option("double", f"{unit.name} strikes at two", unit, "PM-CHAR-02", near)


def _second(
    state: GameState, settings: Settings, table: TableState, unit: Unit
) -> Iterator[Option]:
    first = text_mark(state, "double_first")
    near = {u.figure_id for u in double_targets(state, settings, table, unit)}
    targets = tuple(
        Target(name, True, "the second of two", "PM-CHAR-04")
        for name in sorted(near - {first})
        if first in near
    )
    if targets:
        yield figure_option("second", f"{unit.name}: and whom else?", unit, "PM-CHAR-04", targets)


def _aimed(
    state: GameState, settings: Settings, table: TableState, unit: Unit, enemy: Unit, kind: str
) -> Target:
    found = aim_at(state, settings, table, unit, enemy, kind)
    a, b = on_table(state, table, unit), on_table(state, table, enemy)
    shapes: tuple[Shape, ...] = ()
    if a is not None and b is not None:
        role = "target" if found.allowed else "blocked"
        shapes = (Shape("line", (a.position_mm, b.position_mm), role=role, text=found.text),)
    return Target(enemy.figure_id, found.allowed, found.text, found.rule, shapes)


def _mover(
    state: GameState, settings: Settings, table: TableState, unit: Unit
) -> tuple[Mover, PointMm, float] | None:
    """How, from where and how far a unit may move now, None when it may not."""
    figure = on_table(state, table, unit)
    if figure is None or has(unit, "moved"):
        return None
    if move_fault(state, settings, table, unit) is not None:
        return None
    going = going_of(state, settings, table, figure, unit)
    return going, figure.position_mm, move_limit(unit, settings)


def _reach(state: GameState, settings: Settings, table: TableState, unit: Unit) -> Option:
    hint = unit_words(state, unit)
    shapes: tuple[Shape, ...] = ()
    mover = _mover(state, settings, table, unit)
    if mover is not None:
        going, at, limit = mover
        shapes = tuple(area_shapes(going.reach(at, limit)))
        hint += f" {limit:.0f} millimetres"
        if may_charge_now(state, settings, unit) is None:
            hint += f", or charge {charge_limit(settings):.0f} if it ends in an attack"
        hint += "."
    return Option("reach", unit.name, InputKind.SHOW, unit.side, unit.figure_id, shapes=shapes,
                  rule="PM-TURN-02", hint=hint)  # fmt: skip
