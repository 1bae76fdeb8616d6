"""Everything the players may do now, described for a page that knows no rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from engine.announce import Shape
from engine.ruleset import InputKind, Option, Target
from engine.rulesets.judging import EDGES, OPPOSITE
from engine.rulesets.offers import (
    accept_options,
    concede_options,
    down_options,
    join_option,
    question_options,
)
from engine.rulesets.playmobil.acting import acting_options
from engine.rulesets.playmobil.data import data
from engine.rulesets.playmobil.engines import may_be_hit, walls
from engine.rulesets.playmobil.equipping import MOST_THROWN, balance, may_carry, offered_types
from engine.rulesets.playmobil.field import UPRIGHT
from engine.rulesets.playmobil.marks import BOWS, IN_PLAY, Phase, aiming, game_count, men, type_of
from engine.rulesets.playmobil.mounting import riders_of
from engine.rulesets.playmobil.setting_up import WALLS, unplaced
from engine.rulesets.playmobil.settings import Settings
from engine.rulesets.playmobil.words import against_words, unit_words
from engine.spots import flagged, living, name_of, other_side, side_name, text_mark
from engine.state import GameState, Unit
from engine.table import PointMm, TableState
from engine.words import count, piece_names

Offer = Callable[[GameState, Settings, TableState], Iterator[Option]]


def options(state: GameState, settings: Settings, table: TableState) -> tuple[Option, ...]:
    """All options of both players, the most pressing first."""
    if state.phase == Phase.FINISHED:
        return ()
    found = list(question_options(state))
    found += accept_options(unit for unit in living(state) if flagged(unit))
    if state.question is None:
        found += _PHASES[Phase(state.phase)](state, settings, table)
    if state.phase in (Phase.DEPLOY, Phase.ACT):
        found += _down(state)
    if state.phase in IN_PLAY:
        found += concede_options(state.sides, "PM-END-01", minor=True)
    return tuple(found)


def _down(state: GameState) -> Iterator[Option]:
    """Figures that lie or are not seen: only the players know why (PM-GEO-17, PM-GEO-18)."""
    out, stays = ("removed", "It is out of the game"), "Knocked over: it stays"
    yield from down_options(living(state), out, stays, "PM-GEO-17", "PM-GEO-18")


def _setup(state: GameState, settings: Settings, table: TableState) -> Iterator[Option]:
    for figure in table.figures:
        if figure.state in UPRIGHT and state.unit(figure.figure_id) is None:
            yield join_option(figure.figure_id, "Whose figure is it?", state.sides, "PM-PREP-08")
    for unit in living(state):
        yield from _recruit(state, unit)
    for side in state.sides:
        told = balance(state, side)
        yield Option("force", side_name(side), InputKind.SHOW, side, rule="PM-PREP-02",
                     hint=f"{count(told['men'], 'man', 'men')}, {told['attack']} attacking and "
                     f"{told['defend']} defending dice.")  # fmt: skip
    names = piece_names(table.terrain)
    for piece in table.terrain:
        if piece.kind == "wall":
            hits = game_count(state, f"wall_hits_{piece.terrain_id}")
            yield Option("wall", f"{names[piece.terrain_id]}: {hits or 'no'} hits",
                         InputKind.CHOICE, rule="PM-WALL-02",
                         choices=tuple((f"{piece.terrain_id}:{name}", name.replace("_", ", "))
                                       for name in WALLS))  # fmt: skip
    typed = all(type_of(unit) is not None for unit in living(state))
    if typed and all(any(men(state, side)) for side in state.sides):
        yield Option("ready", "Forces ready", rule="PM-PREP-09", hint=_told(settings))


def _told(settings: Settings) -> str:
    """What decides games and is said before one (PM-ELE-18)."""
    hits = settings.elephant_melee_hits
    lost = "one lost attack kills an elephant" if hits == 1 else f"{hits} lost attacks kill one"
    return f"Several dice: {settings.dice_compare}. Elephants: {lost}."


def _recruit(state: GameState, unit: Unit) -> Iterator[Option]:
    def option(kind: str, text: str, how: InputKind, rule: str, **more: object) -> Option:
        return Option(kind, f"{unit.name}: {text}", how, unit.side, unit.figure_id,
                      rule=rule, **more)  # type: ignore[arg-type]  # fmt: skip

    types = data().types
    yield option("type", "which type?", InputKind.CHOICE, "PM-PREP-08",
                 choices=tuple((n, types[n].words) for n in offered_types(state, unit)),
                 hint=unit_words(state, unit))  # fmt: skip
    own = type_of(unit)
    if own is None:
        return
    if own.bow:
        yield option("bow", "which bow?", InputKind.CHOICE, "PM-ARCH-03",
                     choices=tuple((b, b.replace("_", " ")) for b in BOWS))  # fmt: skip
    elif own.kind in ("foot", "horse"):
        yield option("thrown", "how many weapons to throw?", InputKind.NUMBER, "PM-THROW-08",
                     hint=f"0 to {MOST_THROWN}.", minor=True)  # fmt: skip
    for what in ("torch", "lance"):
        if may_carry(unit, what):
            rule = "PM-SIEGE-01" if what == "torch" else "PM-DIS-04"
            yield option(what, f"a {what}", InputKind.TAP, rule, minor=True)
    if own.name == "artillery":
        yield option("piece", "what piece is it?", InputKind.CHOICE, "PM-ART-09",
                     choices=tuple((p, p) for p in data().words["artillery.pieces"]))  # fmt: skip
    if own.kind in ("elephant", "chariot") and riders_of(own.kind) > 1:
        yield option("crew", "how many riders?", InputKind.NUMBER, "PM-ELE-21",
                     hint=f"1 to {riders_of(own.kind)}.")  # fmt: skip


def _roll_off(state: GameState, settings: Settings, table: TableState) -> Iterator[Option]:
    first, second = (side_name(side) for side in state.sides)
    yield Option("roll_off", "Roll for the edge", dice=(len(state.sides), _sides()),
                 dice_text=f"One die for {first}, one for {second}: the higher picks an edge.",
                 rule="PM-PREP-04")  # fmt: skip


def _sides() -> int:
    return data().whole("dice.sides")


def _edge(state: GameState, settings: Settings, table: TableState) -> Iterator[Option]:
    side = state.active_side
    yield Option("edge", f"{side_name(side)} chooses an edge", InputKind.CHOICE, side,
                 choices=tuple((edge, edge.capitalize()) for edge in EDGES),
                 rule="PM-PREP-05")  # fmt: skip


def _deploy(state: GameState, settings: Settings, table: TableState) -> Iterator[Option]:
    side = state.active_side or ""
    for unit in unplaced(state):
        yield Option("leave_out", f"{unit.name} does not play", InputKind.CONFIRM, side,
                     unit.figure_id, rule="PM-PREP-07")  # fmt: skip
    shapes = _strips(state, settings, table)
    wrong = any(flagged(unit) for unit in living(state, side))
    if not unplaced(state) and not wrong:
        yield Option("ready", f"{side_name(side)} has placed all", side=side, rule="PM-PREP-07",
                     shapes=shapes)  # fmt: skip
    else:
        depth = settings.feet(settings.setup_depth_ft)
        yield Option("strip", "Place your figures in the strip", InputKind.SHOW, side,
                     rule="PM-PREP-07", shapes=shapes,
                     hint=f"{side_name(side)} places within {depth:.0f} millimetres.")  # fmt: skip


def _strips(state: GameState, settings: Settings, table: TableState) -> tuple[Shape, ...]:
    side = state.active_side or ""
    edge = text_mark(state, f"edge_{side}")
    if table.size_mm is None or not edge:
        return ()
    (w, h), deep = table.size_mm, settings.feet(settings.setup_depth_ft)
    boxes = {
        "south": (0.0, 0.0, w, deep), "north": (0.0, h - deep, w, h),
        "west": (0.0, 0.0, deep, h), "east": (w - deep, 0.0, w, h),
    }  # fmt: skip

    def shape(name: str, role: str, text: str) -> Shape:
        x0, y0, x1, y1 = boxes[name]
        corners: tuple[PointMm, ...] = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
        return Shape("polygon", corners, role=role, text=text)

    far = side_name(other_side(state, side))
    return shape(edge, "reach", side_name(side)), shape(OPPOSITE[edge], "range", far)


def _roll(state: GameState, settings: Settings, table: TableState) -> Iterator[Option]:
    unit, target = aiming(state), name_of(state, text_mark(state, "aim_target"))
    a, d, d2 = (game_count(state, name) for name in ("aim_a", "aim_d", "aim_d2"))
    mod = game_count(state, "aim_mod")
    name = "" if unit is None else unit.name
    if text_mark(state, "aim_kind") == "artillery":
        need = data().whole("artillery.dice_need")
        text = f"{name} shoots at {target}: {need} and up hits."
    else:
        each = f", {mod} on the attack".replace("-", "\N{MINUS SIGN}") if mod else ""
        also = f" and {d2} for {name_of(state, text_mark(state, 'aim_second'))}" if d2 else ""
        text = f"First {a} for {name}, then {d} for {target}{also}{each}; a tie is {name}'s."
    yield Option("roll", f"{name} against {target}: {against_words(a, d)}",
                 side=state.active_side, dice=(a + d + d2, _sides()), dice_text=text,
                 rule="PM-DICE-01")  # fmt: skip


def _artillery(state: GameState, settings: Settings, table: TableState) -> Iterator[Option]:
    gun = state.unit(text_mark(state, "gun"))
    if gun is None:
        return
    words = {
        "hit": ("What was hit?", "PM-ART-04"),
        "hit_horse": ("Only the horse was hit", "PM-ART-06"),
        "hit_shield": ("Only the shield was hit", "PM-ART-05"),
    }
    for kind, (text, rule) in words.items():
        targets = tuple(
            Target(u.figure_id, True, u.name, rule) for u in may_be_hit(state, settings, gun, kind)
        )
        if targets:
            yield Option(kind, text, InputKind.FIGURE, gun.side, targets=targets, rule=rule)
    pieces = tuple((p.terrain_id, p.terrain_id) for p in walls(state, table))
    if pieces:
        yield Option("hit_wall", "A wall was hit", InputKind.CHOICE, gun.side, choices=pieces,
                     rule="PM-WALL-01")  # fmt: skip
    yield Option("shot_done", "Nothing more was hit", InputKind.TAP, gun.side,
                 rule="PM-ART-03")  # fmt: skip


def _none(state: GameState, settings: Settings, table: TableState) -> Iterator[Option]:
    return iter(())


_PHASES: Final[dict[Phase, Offer]] = {
    Phase.SETUP: _setup,
    Phase.ROLL_OFF: _roll_off,
    Phase.CHOOSE_EDGE: _edge,
    Phase.DEPLOY: _deploy,
    Phase.ACT: acting_options,
    Phase.RESOLVE: _roll,
    Phase.AFTER_KILL: _none,
    Phase.ARTILLERY: _artillery,
    Phase.RAMPAGE: _roll,
}
