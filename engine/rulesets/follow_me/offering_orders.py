"""What is offered in DECLARE, MOVE and SALLY: actions of heroes, reach of everybody."""

from __future__ import annotations

from collections.abc import Iterator

from shapely import get_parts

from engine.announce import Shape
from engine.ruleset import InputKind, Option, Target
from engine.rulesets.follow_me.data import data
from engine.rulesets.follow_me.declaring import (
    INSTRUCTIONS,
    RULES,
    Fault,
    addressees,
    attack_fault,
    couriers,
    enemy_groups,
    hit_fault,
    instruct_fault,
    insult_fault,
    notes_in,
    orphans,
    simple_deeds,
    talk_fault,
    undecided,
)
from engine.rulesets.follow_me.field import Field
from engine.rulesets.follow_me.marks import (
    Deed,
    Phase,
    flagged,
    group_name,
    has,
    heroes,
    hostile,
    is_big,
    living,
)
from engine.rulesets.follow_me.moving import reach_of, start_of
from engine.rulesets.follow_me.orders import Order, order_of
from engine.rulesets.follow_me.testing import tests
from engine.rulesets.follow_me.words import DEEDS
from engine.rulesets.offers import polygon_shape
from engine.spots import name_of, spot, word
from engine.state import Unit

_SIMPLE = {
    Deed.FOLLOW: "Follow me!", Deed.SPEECH: "A stirring speech", Deed.READ: "Read a note",
    Deed.CAST: "Cast a spell", Deed.MEDITATE: "Meditate", Deed.HOLD: "Hold",
}  # fmt: skip
_MOST_RINGS = 4
ORDERS = {
    "free": "moves as he likes", "note": "carries a note", "follow": "follows",
    "attack": "goes for", "fall_back": "falls back", "run": "runs", "sally": "goes for",
    "home": "goes back to its post", "after": "may step after",
}  # fmt: skip


def _targets(units: Iterator[tuple[Unit, Fault | None]], field: Field) -> tuple[Target, ...]:
    found = []
    for unit, fault in units:
        figure = field.figures.get(unit.figure_id)
        shapes: tuple[Shape, ...] = ()
        if figure is not None:
            role = "target" if fault is None else "blocked"
            shapes = (Shape("circle", (figure.position_mm,), 18.0, role),)
        text = "" if fault is None else fault[1]
        rule = None if fault is None else fault[0]
        found.append(Target(unit.figure_id, fault is None, text, rule, shapes))
    return tuple(found)


def declare(field: Field) -> Iterator[Option]:
    """One action for each hero who can act (FM-ACT-01, FM-TURN-09)."""
    state = field.state
    for hero in undecided(state):
        yield from _deeds(field, hero)
    for hero in heroes(state):
        if word(hero, "deed") == Deed.NOTE:
            carriers = _targets(((u, None) for u in couriers(state, hero)), field)
            text = f"{hero.name}: {name_of(state, word(hero, 'deed_to'))} carries the note"
            yield Option(
                "carrier", text, InputKind.FIGURE, hero.side, hero.figure_id, targets=carriers,
                rule="FM-MSG-03", minor=True,
            )  # fmt: skip
        others = _targets(
            ((u, talk_fault(field, hero, u)) for u in heroes(state) if u is not hero), field
        )
        if any(target.allowed for target in others):
            yield Option(
                "talk", f"{hero.name} talks to", InputKind.FIGURE, hero.side, hero.figure_id,
                targets=others, rule="FM-MSG-01", minor=True,
            )  # fmt: skip
        if word(hero, "last_note"):
            yield Option(
                "note_text", f"{hero.name}: the last note", InputKind.SHOW, hero.side,
                hero.figure_id, rule="FM-MSG-09", hint=word(hero, "last_note"), minor=True,
            )  # fmt: skip


def _deeds(field: Field, hero: Unit) -> Iterator[Option]:
    state = field.state

    def option(deed: Deed, text: str, how: InputKind, **more: object) -> Option:
        return Option(
            deed.value, f"{hero.name}: {text}", how, hero.side, hero.figure_id, rule=RULES[deed],
            **more,  # type: ignore[arg-type]
        )  # fmt: skip

    for deed, fault in simple_deeds(field, hero):
        if fault is None:
            hint = f"{len(notes_in(hero, state.turn))} unread" if deed is Deed.READ else ""
            yield option(deed, _SIMPLE[deed], InputKind.TAP, hint=hint)
    enemies = [(u, hit_fault(field, hero, u)) for u in living(state) if hostile(hero, u)]
    if any(fault is None for _, fault in enemies):
        found = _targets(iter(enemies), field)
        yield option(Deed.HIT, DEEDS["hit"], InputKind.FIGURE, targets=found)
    groups = enemy_groups(state, hero)
    insulted = [g for g in groups if insult_fault(field, hero, g) is None]
    if insulted:
        yield option(Deed.INSULT, "insult", InputKind.CHOICE, choices=_named(field, insulted))
    attacked = [g for g in groups if attack_fault(field, hero, g) is None]
    if attacked:
        yield option(Deed.ATTACK, "Attack them!", InputKind.CHOICE, choices=_named(field, attacked))
    others = addressees(state, hero)
    if others and couriers(state, hero):
        names = tuple((u.figure_id, u.name) for u in others)
        yield option(Deed.NOTE, "write a note to", InputKind.CHOICE, choices=names)
    lost = orphans(field, hero)
    if lost:
        yield option(
            Deed.ADOPT, "take over the men of", InputKind.CHOICE, choices=_named(field, lost)
        )
    for beast in living(state, hero.side):
        if is_big(beast) and instruct_fault(field, hero, beast) is None:
            yield from _instruct(field, hero, beast)


def _instruct(field: Field, hero: Unit, beast: Unit) -> Iterator[Option]:
    name = beast.figure_id
    yield Option(
        "instruct", f"{hero.name} tells {beast.name}", InputKind.CHOICE, hero.side, hero.figure_id,
        tuple((f"{name}|{what}", words) for what, words in INSTRUCTIONS.items()),
        rule="FM-ACT-23",
    )  # fmt: skip
    groups = [
        g for g in enemy_groups(field.state, hero)
        if instruct_fault(field, hero, beast, g) is None
    ]  # fmt: skip
    if groups:
        yield Option(
            "instruct_attack", f"{hero.name} sends {beast.name} against", InputKind.CHOICE,
            hero.side, hero.figure_id,
            tuple((f"{name}|{g}", group_name(field.state, g)) for g in groups),
            dice=(1, data().whole("dice.sides")),
            dice_text="One die: so many turns until it starts.", rule="FM-BIG-05",
        )  # fmt: skip


def _named(field: Field, groups: list[str]) -> tuple[tuple[str, str], ...]:
    return tuple((g, group_name(field.state, g)) for g in groups)


def move(field: Field) -> Iterator[Option]:
    """Everybody's reach, and the end of the moves (FM-TURN-03)."""
    yield from moves(field)
    if field.state.phase == Phase.MOVE:
        yield from _wishes(field)
    if not any(flagged(unit) for unit in living(field.state)):
        yield Option("done", "Everybody has moved", rule="FM-TURN-03")


def _wishes(field: Field) -> Iterator[Option]:
    """A player may have his group test although nothing makes it (FM-MORALE-06)."""
    for holder in field.state.units:
        if tests(field.state, holder) and not has(holder, "asked_test") and holder.alive:
            yield Option(
                "wish", f"{holder.name}'s group shall test morale", InputKind.TAP, holder.side,
                holder.figure_id, rule="FM-MORALE-06", minor=True,
            )  # fmt: skip


def moves(field: Field) -> Iterator[Option]:
    """How far each figure may go, and on whose order."""
    for unit in living(field.state):
        order = order_of(field, unit)
        if order.code:
            if field.state.phase == Phase.MOVE:
                yield _stays(unit, order)
            continue
        yield Option(
            "reach", f"{unit.name} {_order(field, order)}", InputKind.SHOW, unit.side,
            unit.figure_id, shapes=_reach(field, unit, order), rule=_RULES[order.kind],
            hint=f"Up to {order.limit_mm:.0f} millimetres{_nearest(field, unit)}.",
        )  # fmt: skip


def _stays(unit: Unit, order: Order) -> Option:
    flag = data().flags[order.code]
    return Option(
        "stays", f"{unit.name} stays", InputKind.SHOW, unit.side, unit.figure_id, rule=flag.rule,
        hint=flag.text.format(figure=unit.name, target=""), minor=True,
    )  # fmt: skip


def _order(field: Field, order: Order) -> str:
    words = ORDERS[order.kind]
    if order.kind in ("attack", "sally", "after", "follow"):
        unit = field.state.unit(order.who)
        name = group_name(field.state, order.who) if order.kind == "attack" else order.who
        return f"{words} {name if order.kind == 'attack' or unit is None else unit.name}"
    return words


def _nearest(field: Field, unit: Unit) -> str:
    """``", 96 to the nearest enemy"``."""
    far = field.nearest(unit, (u for u in living(field.state) if hostile(u, unit)))
    return "" if far == float("inf") else f", {far:.0f} to the nearest enemy"


def _reach(field: Field, unit: Unit, order: Order) -> tuple[Shape, ...]:
    figure, start = field.figures.get(unit.figure_id), start_of(field, unit)
    if figure is None or start is None:
        return ()
    area = reach_of(field, unit, figure, start, order.limit_mm)
    parts = sorted(get_parts(area), key=lambda part: -part.area)[:_MOST_RINGS]
    return tuple(polygon_shape(part) for part in parts if part.area > 1.0)


def place_option(unit: Unit) -> Option:
    """Where a figure has to be put (FM-GEO-12)."""
    here = spot(unit)
    shapes = () if here is None else (Shape("circle", (here.xy,), 12.0, "target", unit.name),)
    return Option(
        "put", f"Put {unit.name} in its place", InputKind.SHOW, unit.side, unit.figure_id,
        shapes=shapes, rule="FM-GEO-12",
        hint="" if here is None else f"At {here.x:.0f}, {here.y:.0f}.",
    )  # fmt: skip


_RULES = {
    "free": "FM-ACT-24", "note": "FM-MSG-06", "follow": "FM-ACT-07", "attack": "FM-ACT-17",
    "fall_back": "FM-MORALE-23", "run": "FM-MORALE-24", "sally": "FM-BIG-21",
    "home": "FM-BIG-12", "after": "FM-PUSH-03",
}  # fmt: skip
