"""Everything the players may do now, described for a page that knows no rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from shapely.geometry.base import BaseGeometry

from engine.announce import Shape
from engine.ruleset import InputKind, Option
from engine.rulesets.figurslag.deploying import edge_of
from engine.rulesets.figurslag.marks import (
    IN_PLAY,
    STILL,
    Phase,
    has_open,
    may_give_up,
    name_of,
    side_name,
    text_mark,
    word,
)
from engine.rulesets.figurslag.measures.teams import deploy_limit_mm
from engine.rulesets.figurslag.reaching import climb_hints, reach_hint, reach_shapes, reaches_of
from engine.rulesets.figurslag.setting_up import settled_heights
from engine.rulesets.figurslag.settings import Settings
from engine.rulesets.figurslag.settling import may_be_bumped
from engine.rulesets.figurslag.targeting import shooting_options
from engine.rulesets.figurslag.turns import flagged_models
from engine.rulesets.judging import EDGES
from engine.rulesets.offers import accept_options, question_options
from engine.spots import living
from engine.state import GameState, Unit
from engine.table import Figure, PointMm, TableState

HIT_TEXT: Final = "Roll: 4, 5 or 6 hits."


def options(state: GameState, settings: Settings, table: TableState) -> tuple[Option, ...]:
    """All options of all teams, the most pressing first."""
    if state.phase == Phase.OVER:
        return ()
    found = list(question_options(state))
    if state.phase not in (Phase.CONCEDE, Phase.SHOT_CHECK):
        found += accept_options(unit for unit in living(state) if word(unit, "open") == "flag")
        found += _PHASES[Phase(state.phase)](state, settings, table)
    if state.phase in IN_PLAY:
        found += _giving_up(state)
    return tuple(found)


def _giving_up(state: GameState) -> Iterator[Option]:
    for side in state.sides:
        if may_give_up(state, side):
            text = f"{side_name(side)} gives up"
            # The question that follows is the confirmation.
            yield Option("concede", text, InputKind.TAP, side, rule="FS-WIN-03", minor=True)


def _terrain(state: GameState, settings: Settings, table: TableState) -> Iterator[Option]:
    heights = settled_heights(table, settings)
    yield Option(
        "terrain_done",
        "Terrain done",
        rule="FS-GEN-05",
        hint="; ".join(heights) or "An open table.",
    )
    yield from _edges(state)


def _roster(state: GameState, settings: Settings, table: TableState) -> Iterator[Option]:
    if settings.weapon_classes == "camera_suggests":
        unarmed = [unit for unit in living(state) if not unit.equipment]
        if unarmed:
            yield Option("suggest", "Fill in weapons as a first guess", rule="FS-SET-02")
    if all(any(living(state, side)) for side in state.sides):
        yield Option("roster_done", "Teams done", rule="FS-SET-01")
    yield from _edges(state)


def _deploy(state: GameState, settings: Settings, table: TableState) -> Iterator[Option]:
    yield Option(
        "deploy_done",
        "All models placed",
        rule="FS-SET-07",
        shapes=tuple(_strips(state, settings, table)),
    )
    yield from _edges(state)


def _edges(state: GameState) -> Iterator[Option]:
    for side in state.sides:
        own = edge_of(state, side)
        yield Option(
            "edge",
            f"{side_name(side)}'s edge: {own}",
            InputKind.CHOICE,
            side,
            choices=tuple((edge, edge.capitalize()) for edge in EDGES),
            rule="FS-SET-07",
        )


def _strips(state: GameState, settings: Settings, table: TableState) -> Iterator[Shape]:
    if table.size_mm is None:
        return
    width, depth = table.size_mm
    deep = deploy_limit_mm(settings)
    boxes: dict[str, tuple[float, float, float, float]] = {
        "south": (0.0, 0.0, width, deep),
        "north": (0.0, depth - deep, width, depth),
        "west": (0.0, 0.0, deep, depth),
        "east": (width - deep, 0.0, width, depth),
    }
    for side in state.sides:
        x0, y0, x1, y1 = boxes[edge_of(state, side)]
        corners: tuple[PointMm, ...] = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
        yield Shape("polygon", corners, role="reach", text=side_name(side))


def _first(state: GameState, settings: Settings, table: TableState) -> Iterator[Option]:
    if flagged_models(state):
        return
    if settings.first_player == "players_choose":
        yield Option(
            "first",
            "Who begins?",
            InputKind.CHOICE,
            choices=tuple((side, side_name(side)) for side in state.sides),
            rule="FS-SET-08",
        )
    teams = ", ".join(f"{i} {side_name(side)}" for i, side in enumerate(state.sides, 1))
    yield Option(
        "roll_first",
        "Roll who begins",
        dice=(1, len(state.sides)),
        dice_text=f"Roll: {teams}.",
        rule="FS-SET-08",
    )


def _move(state: GameState, settings: Settings, table: TableState) -> Iterator[Option]:
    side = state.active_side
    if state.question is None and not flagged_models(state):
        yield Option(
            "done",
            f"{side_name(side)} has moved",
            side=side,
            rule="FS-TURN-01",
        )
    seen = {figure.figure_id: figure for figure in table.figures}
    movers = [
        (unit, figure)
        for unit in living(state, side)
        if (figure := seen.get(unit.figure_id)) is not None
    ]
    found = reaches_of(state, settings, table, movers)
    for (unit, figure), areas in zip(movers, found, strict=True):
        yield from _mover(state, settings, table, unit, figure, areas)


def _mover(
    state: GameState,
    settings: Settings,
    table: TableState,
    unit: Unit,
    figure: Figure,
    areas: Mapping[str, BaseGeometry],
) -> Iterator[Option]:
    yield Option(
        "reach",
        unit.name,
        InputKind.SHOW,
        unit.side,
        unit.figure_id,
        shapes=reach_shapes(settings, areas),
        rule="FS-MOVE-01",
        hint=" ".join((reach_hint(settings, unit), *climb_hints(settings, table, unit, figure))),
    )
    if state.question is None:  # it comes first
        yield from _sayings(settings, unit)


def _sayings(settings: Settings, unit: Unit) -> Iterator[Option]:
    """What the players may say of a model that moves."""
    still = word(unit, "mode") == STILL and not has_open(unit)
    if settings.declare_noshoot == "before_move" and still:
        given_up = bool(unit.mark("noshoot"))
        text = "shoots after all" if given_up else "gives up shooting"
        yield Option(
            "noshoot",
            f"{unit.name} {text}",
            InputKind.TAP,
            unit.side,
            unit.figure_id,
            rule="FS-CLIMB-02",
        )
    if may_be_bumped(unit):
        yield Option(
            "bumped",
            f"{unit.name} was only bumped: it stood still",
            InputKind.CONFIRM,
            unit.side,
            unit.figure_id,
            rule="FS-MOVE-08",
        )
    if word(unit, "mode") not in ("", STILL) and not has_open(unit):
        yield Option(
            "report",
            f"{unit.name} walked a longer way (cm)",
            InputKind.NUMBER,
            unit.side,
            unit.figure_id,
            rule="FS-MOVE-04",
        )


def _shoot(state: GameState, settings: Settings, table: TableState) -> Iterator[Option]:
    if state.phase == Phase.SHOOT:
        side = state.active_side
        yield Option("done", f"{side_name(side)} has shot", side=side, rule="FS-TURN-01")
    yield from shooting_options(state, settings, table)


def _hit(state: GameState, settings: Settings, table: TableState) -> Iterator[Option]:
    a = name_of(state, text_mark(state, "shot_by"))
    b = name_of(state, text_mark(state, "shot_at"))
    yield Option(
        "roll",
        f"{a} shoots at {b}",
        side=state.active_side,
        dice=(1, settings.die_sides),
        dice_text=HIT_TEXT,
        rule="FS-HIT-01",
    )


def _dodge(state: GameState, settings: Settings, table: TableState) -> Iterator[Option]:
    target = state.unit(text_mark(state, "shot_at"))
    if target is None:
        return
    yield Option(
        "dodge",
        f"{target.name} ducks",
        side=target.side,
        dice=(1, settings.die_sides),
        dice_text=f"{target.name} may duck: 4, 5 or 6.",
        rule="FS-HIT-02",
    )
    if settings.dodge_optional:
        yield Option("decline", f"{target.name} does not duck", InputKind.CONFIRM, target.side)


_PHASES: Final = {
    Phase.TERRAIN: _terrain,
    Phase.ROSTER: _roster,
    Phase.DEPLOY: _deploy,
    Phase.FIRST: _first,
    Phase.MOVE: _move,
    Phase.SHOOT: _shoot,
    Phase.SHOT_DECLARE: _shoot,
    Phase.HIT: _hit,
    Phase.DODGE: _dodge,
}
