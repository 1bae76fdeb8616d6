"""The options of the shooting phase: who may shoot, at whom, and why not at the others."""

from __future__ import annotations

from collections.abc import Iterator

from engine.announce import Shape
from engine.geometry.bases import circumscribed_radius
from engine.geometry.interval import Verdict
from engine.roster import state_mark
from engine.ruleset import InputKind, Option, Target
from engine.rulesets.figurslag.aiming import aim, on_table, shooter_fault
from engine.rulesets.figurslag.data import data
from engine.rulesets.figurslag.marks import Phase, name_of, text_mark
from engine.rulesets.figurslag.measures.shooting import p_kill, range_mm
from engine.rulesets.figurslag.settings import Settings
from engine.rulesets.figurslag.shooting import with_declared
from engine.rulesets.figurslag.shots import shots_left, weapons_left
from engine.rulesets.figurslag.words import count
from engine.spots import living
from engine.state import GameState, Unit
from engine.table import Figure, TableState


def shooting_options(state: GameState, settings: Settings, table: TableState) -> Iterator[Option]:
    """One option for each model of the team and weapon class with a shot left."""
    declaring = state.phase == Phase.SHOT_DECLARE
    if declaring:
        yield _fire(state)
    for unit in living(state, state.active_side):
        if declaring and state_mark(state, "shooter") != unit.figure_id:
            continue
        fault = shooter_fault(state, settings, unit)
        if fault is not None:
            yield Option(
                "why",
                unit.name,
                InputKind.SHOW,
                unit.side,
                unit.figure_id,
                rule=fault[0],
                hint=f"{fault[1]}.",
            )
            continue
        for weapon in weapons_left(state, settings, with_declared(state, unit)):
            yield _shoot(state, settings, table, unit, weapon)
        if state_mark(state, "shooter") == unit.figure_id and unit.mark("shooting"):
            yield Option(
                "enough",
                f"{unit.name} has shot enough",
                InputKind.CONFIRM,
                unit.side,
                unit.figure_id,
                rule="FS-TURN-03",
            )


def _fire(state: GameState) -> Option:
    shots = [entry.split(":")[0] for entry in text_mark(state, "declared").split(";") if entry]
    aims = ", ".join(name_of(state, target) for target in shots)
    return Option(
        "fire",
        f"Fire at {aims}",
        side=state.active_side,
        rule="FS-SHOOT-08",
    )


def _shoot(
    state: GameState, settings: Settings, table: TableState, unit: Unit, weapon: str
) -> Option:
    figure = on_table(table, unit)
    left = shots_left(state, settings, with_declared(state, unit))
    odds = f"{count(left, 'shot')}: {float(p_kill(left)):.0%} to kill.".replace("%", " percent")
    targets = tuple(_targets(state, settings, table, unit, weapon))
    declare = settings.split_fire == "declare_first"
    return Option(
        "shoot",
        f"{unit.name}: {data().weapons[weapon].title}, {count(left, 'shot')}",
        InputKind.FIGURE,
        unit.side,
        unit.figure_id,
        targets=targets,
        dice=(0, 0) if declare else (1, settings.die_sides),
        dice_text="Name every target first." if declare else "Roll: 4, 5 or 6 hits.",
        shapes=() if figure is None else (_range(figure, weapon, settings),),
        rule="FS-SHOOT-01",
        value=weapon,
        hint=" ".join((odds, _sorted_out(state, targets))),
    )


def _sorted_out(state: GameState, targets: tuple[Target, ...]) -> str:
    """Who is in range and seen, and who would be in range but is hidden."""
    clear = [f"{name_of(state, t.figure_id)} ({t.text})" for t in targets if t.allowed]
    hidden = [t.text for t in targets if not t.allowed and t.rule == "FS-FLAG-07"]
    parts = [f"In range and seen: {', '.join(clear)}." if clear else "Nobody in range and seen."]
    parts += [f"{text}." for text in hidden]
    return " ".join(parts)


def _targets(
    state: GameState, settings: Settings, table: TableState, unit: Unit, weapon: str
) -> Iterator[Target]:
    for other in state.units:
        if other.side == unit.side or not other.alive or on_table(table, other) is None:
            continue
        found = aim(state, settings, table, unit, other, weapon)
        ok = found.verdict is not Verdict.NO
        yield Target(
            other.figure_id, ok, found.text, found.rule, _line(table, unit, other, ok, found.text)
        )


def _line(table: TableState, unit: Unit, other: Unit, ok: bool, text: str) -> tuple[Shape, ...]:
    a, b = on_table(table, unit), on_table(table, other)
    if a is None or b is None:
        return ()
    role = "target" if ok else "blocked"
    return (Shape("line", (a.position_mm, b.position_mm), role=role, text=text),)


def _range(figure: Figure, weapon: str, settings: Settings) -> Shape:
    """The ring inside which a base can be in range, measured from edge to edge."""
    radius = range_mm(weapon, settings)
    if settings.distance_mode == "edge":
        radius += circumscribed_radius(figure.base)
    return Shape("circle", (figure.position_mm,), radius, "range", data().weapons[weapon].title)
