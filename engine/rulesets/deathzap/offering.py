"""Everything the players may do now, described for a page that knows no rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from engine.announce import Shape
from engine.ruleset import InputKind, Option
from engine.rulesets.deathzap.acting import acting_options, target_options
from engine.rulesets.deathzap.asking import MULTI_WORDS
from engine.rulesets.deathzap.data import data
from engine.rulesets.deathzap.field import UPRIGHT, board, edge_of, shrine_of
from engine.rulesets.deathzap.flow import may_pick
from engine.rulesets.deathzap.marks import (
    DEPLOYING,
    IN_PLAY,
    Phase,
    active,
    alive_count,
    count_mark,
    defending,
    killed_count,
    stunned,
    wounded,
)
from engine.rulesets.deathzap.measures.lengths import strip_depth_mm
from engine.rulesets.deathzap.setting_up import band_facts, faults_of, unplaced
from engine.rulesets.deathzap.settings import Settings
from engine.rulesets.deathzap.words import band_words, dice_words, fighter_words, roll_words
from engine.rulesets.judging import EDGES, OPPOSITE
from engine.rulesets.offers import (
    accept_options,
    concede_options,
    down_options,
    join_option,
    question_options,
)
from engine.spots import flagged, living, name_of, other_side, side_name, text_mark
from engine.state import GameState
from engine.table import PointMm, TableState

Offer = Callable[[GameState, Settings, TableState], Iterator[Option]]


def options(state: GameState, settings: Settings, table: TableState) -> tuple[Option, ...]:
    """All options of both players, the most pressing first."""
    if state.phase == Phase.FINISHED:
        return ()
    found = list(question_options(state))
    found += accept_options(unit for unit in living(state) if flagged(unit))
    if not found or state.question is None:
        found += _PHASES[Phase(state.phase)](state, settings, table)
    if state.phase in (*DEPLOYING, *IN_PLAY):
        found += _down(state)
    if state.phase in IN_PLAY:
        found += _status(state)
        found += concede_options(state.sides, "DZ-END-02")
    return tuple(found)


def _down(state: GameState) -> Iterator[Option]:
    """Fighters that lie or are not seen: only the players know why (DZ-GEO-17, DZ-GEO-18)."""
    if state.phase in (Phase.ROLL, Phase.MORALE, Phase.TARGET):
        return
    out, stays = ("removed", "It is out of the game"), "Knocked over: it stays"
    yield from down_options(living(state), out, stays, "DZ-GEO-17", "DZ-GEO-18")


def _status(state: GameState) -> Iterator[Option]:
    """Who is stunned, wounded or defending (DZ-GEN-07), to be looked up at any time."""
    for unit in living(state):
        if not (stunned(unit) or wounded(unit) or defending(unit)):
            continue
        yield Option(
            "status",
            unit.name,
            InputKind.SHOW,
            unit.side,
            unit.figure_id,
            rule="DZ-GEN-07",
            hint=fighter_words(unit),
        )


def _setup(state: GameState, settings: Settings, table: TableState) -> Iterator[Option]:
    for figure in table.figures:
        if figure.state in UPRIGHT and state.unit(figure.figure_id) is None:
            yield join_option(figure.figure_id, "Whose fighter is it?", state.sides, "DZ-WB-01")
    for unit in living(state):
        yield Option(
            "class",
            f"{unit.name}: which class?",
            InputKind.CHOICE,
            unit.side,
            unit.figure_id,
            tuple((name, f"{name} ({kind.tier})") for name, kind in data().classes.items()),
            rule="DZ-WB-02",
            hint=fighter_words(unit),
        )
        yield Option(
            "might",
            f"{unit.name}: how much Might?",
            InputKind.NUMBER,
            unit.side,
            unit.figure_id,
            rule="DZ-WB-12",
            hint="A fighter costs as many points as it has Might.",
        )
    for side in state.sides:
        words = band_words(side, band_facts(state, side))
        codes = faults_of(state, settings, side) if alive_count(state, side) else []
        faults = " ".join(data().flags[code].text for code in codes)
        yield Option(
            "warband",
            side_name(side),
            InputKind.SHOW,
            side,
            rule="DZ-WB-13",
            hint=f"{words} {faults}".strip(),
        )
    pieces = [piece.terrain_id for piece in table.terrain]
    shrine = shrine_of(state, table, settings)
    if pieces:
        yield Option(
            "shrine",
            f"The Shrine: {shrine or 'none in the middle'}",
            InputKind.CHOICE,
            choices=tuple((name, name) for name in pieces),
            rule="DZ-BOARD-02",
        )
    if all(alive_count(state, side) for side in state.sides):
        yield Option(
            "ready",
            "Warbands ready",
            rule="DZ-WB-13",
            shapes=_board_shapes(settings, table),
            hint=f"Two attacks by one fighter: {MULTI_WORDS[settings.chain_multi].lower()}.",
        )


def _roll_off(state: GameState, settings: Settings, table: TableState) -> Iterator[Option]:
    first, second = (side_name(side) for side in state.sides)
    yield Option(
        "roll_off",
        "Roll for the edge",
        dice=(len(state.sides), data().dice_sides),
        dice_text=f"One die for {first}, one for {second}: the higher picks an edge.",
        rule="DZ-DEP-01",
    )


def _deploy(state: GameState, settings: Settings, table: TableState) -> Iterator[Option]:
    side = state.active_side or ""
    own = edge_of(state, side)
    if state.phase == Phase.DEPLOY_FIRST:
        yield Option(
            "edge",
            f"{side_name(side)}'s edge: {own or 'choose one'}",
            InputKind.CHOICE,
            side,
            choices=tuple((edge, edge.capitalize()) for edge in EDGES),
            rule="DZ-DEP-01",
        )
    for unit in unplaced(state):
        yield Option(
            "leave_out",
            f"{unit.name} does not play",
            InputKind.CONFIRM,
            side,
            unit.figure_id,
            rule="DZ-DEP-06",
        )
    if own and not unplaced(state) and not any(flagged(unit) for unit in living(state, side)):
        yield Option(
            "ready",
            f"{side_name(side)} has placed all",
            side=side,
            rule="DZ-DEP-05",
            shapes=_strip_shapes(state, settings, table),
        )
    elif own:
        yield Option(
            "strip",
            "Place your fighters in the strip",
            InputKind.SHOW,
            side,
            rule="DZ-DEP-01",
            shapes=_strip_shapes(state, settings, table),
            hint=f"{side_name(side)} places within {strip_depth_mm(settings):.0f} millimetres.",
        )


def _pick(state: GameState, settings: Settings, table: TableState) -> Iterator[Option]:
    rule = text_mark(state, "why") or "DZ-CHAIN-05"
    for unit in living(state, state.active_side):
        if may_pick(state, unit):
            yield Option(
                "pick",
                f"Activate {unit.name}",
                InputKind.TAP,
                unit.side,
                unit.figure_id,
                rule=rule,
                hint=fighter_words(unit),
            )


def _roll(state: GameState, settings: Settings, table: TableState) -> Iterator[Option]:
    unit = active(state)
    target = name_of(state, text_mark(state, "aim_target"))
    dice = count_mark(state, "aim_dice")
    yield Option(
        "roll",
        f"{'' if unit is None else unit.name} attacks {target}: {dice_words(dice)}",
        side=state.active_side,
        dice=(dice, data().dice_sides),
        dice_text=roll_words(state),
        rule="DZ-MEL-02" if text_mark(state, "aim_kind") == "melee" else "DZ-RNG-02",
    )


def _morale(state: GameState, settings: Settings, table: TableState) -> Iterator[Option]:
    side = state.active_side or ""
    other = other_side(state, side)
    dead, left = killed_count(state, other), alive_count(state, other)
    yield Option(
        "morale",
        f"Morale of {side_name(other)}",
        side=side,
        dice=(2, data().dice_sides),
        dice_text=(
            f"First die {side_name(side)}, times {dead}; second die {side_name(other)}, "
            f"times {left}. If the first is higher, {side_name(other)} breaks."
        ),
        rule="DZ-MORALE-01",
    )


def _draw(state: GameState, settings: Settings, table: TableState) -> Iterator[Option]:
    return iter(())


def _board_shapes(settings: Settings, table: TableState) -> tuple[Shape, ...]:
    square = board(table, settings)
    return () if square is None else (_box(square, "range", "Board"),)


def _strip_shapes(state: GameState, settings: Settings, table: TableState) -> tuple[Shape, ...]:
    """Strips along both edges, opposite each other (DZ-GEO-22)."""
    square = board(table, settings)
    side = state.active_side or ""
    if square is None or not edge_of(state, side):
        return ()
    x0, y0, x1, y1 = square
    deep = strip_depth_mm(settings)
    boxes = {
        "south": (x0, y0, x1, y0 + deep),
        "north": (x0, y1 - deep, x1, y1),
        "west": (x0, y0, x0 + deep, y1),
        "east": (x1 - deep, y0, x1, y1),
    }
    own = edge_of(state, side)
    far = side_name(other_side(state, side))
    return (
        _box(boxes[own], "reach", side_name(side)),
        _box(boxes[OPPOSITE[own]], "range", far),
    )


def _box(box: tuple[float, float, float, float], role: str, text: str) -> Shape:
    x0, y0, x1, y1 = box
    corners: tuple[PointMm, ...] = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    return Shape("polygon", corners, role=role, text=text)


_PHASES: Final[dict[Phase, Offer]] = {
    Phase.SETUP: _setup,
    Phase.ROLL_OFF: _roll_off,
    Phase.DEPLOY_FIRST: _deploy,
    Phase.DEPLOY_SECOND: _deploy,
    Phase.PICK: _pick,
    Phase.CHOOSE_ACTION: acting_options,
    Phase.MOVING: acting_options,
    Phase.TARGET: target_options,
    Phase.ROLL: _roll,
    Phase.MORALE: _morale,
    Phase.OFFER_DRAW: _draw,
}
