"""The wishes every game knows: who is who, terrain, corrections."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

from engine.actions import Action
from engine.errors import Refused
from engine.events import Event, Value, results
from engine.geometry.surfaces import crosses_itself, ground
from engine.geometry.surfaces import outline as area_of
from engine.roster import next_name
from engine.ruleset import RuleSetInfo
from engine.setup import Placed, TableFacts
from engine.state import GameState
from engine.table import FigureState, PointMm, TableState

COMMON_KINDS: Final = frozenset(
    {
        *("assign", "correct", "identify", "terrain_set", "terrain_delete"),
        *("place", "remove", "table_size"),
    }
)
"""Kinds resolved here; ``undo`` and ``new_game`` are the referee's own."""

MAX_COORDINATE_MM: Final = 20_000.0
"""No table reaches farther; a number beyond it is a slip."""
_LEAST_TABLE_MM: Final = 50.0
LABELS: Final = ("minifig", "playmobil", "animal", "vehicle")
"""What may be put on a table by hand."""


def resolve_common(
    info: RuleSetInfo, state: GameState, facts: TableFacts, table: TableState, action: Action
) -> tuple[Event, ...]:
    """Carry out one of :data:`COMMON_KINDS`.

    Raises:
        Refused: Something is missing, unknown or impossible.
    """
    if action.kind == "assign":
        return (_assign(info, state, action),)
    if action.kind == "correct":
        return (_correct(state, table, action),)
    if action.kind == "identify":
        return (_identify(state, facts, table, action),)
    if action.kind == "terrain_set":
        return (_terrain_set(action),)
    if action.kind == "place":
        return (place(facts, table, action),)
    if action.kind == "remove":
        return _remove(info, state, facts, action)
    if action.kind == "table_size":
        return (_table_size(action),)
    return (_terrain_delete(facts, table, action),)


def assigned(figure_id: str, side: str | None, name: str, equipment: Iterable[str]) -> Event:
    """The event that gives a figure to a team (``side`` None: to nobody)."""
    return Event(
        "assigned",
        side=side,
        figure_id=figure_id,
        values=results(name=name, equipment=tuple(equipment)),
    )


def place(facts: TableFacts, table: TableState, action: Action) -> Event:
    """Put a figure on the table by hand, move, turn, lay or raise it.

    Args:
        facts: Those that are there already.
        table: As last seen.
        action: ``figure_id`` None puts a new figure; ``point_mm``, ``value`` (a state) and
            ``items`` (``facing_deg=``, ``level_mm=``, ``label=``) tell what changes. Where no
            level is told, a figure stands on what one can stand on at its place.

    Raises:
        Refused: It is unknown, or something told is impossible.
    """
    if action.figure_id is None:
        figure_id, was = _new_id(facts, table), None
    else:
        figure_id, was = action.figure_id, facts.placed.get(action.figure_id)
        if was is None:
            raise Refused(f"there is no figure {figure_id!r} that was put here by hand")
    if was is None and action.point_mm is None:
        raise Refused("where does it stand?")
    was = was or Placed((0.0, 0.0))
    told = dict(item.partition("=")[::2] for item in action.items)
    if unknown := told.keys() - {"facing_deg", "level_mm", "label"}:
        raise Refused(f"a figure has no {min(unknown)!r}")
    x, y = was.position_mm if action.point_mm is None else _point(action.point_mm)
    state = was.state if action.value is None else _figure_state(action.value)
    label = told.get("label", was.label)
    if label not in LABELS:
        raise Refused(f"a figure cannot be {label!r}; it may be {', '.join(LABELS)}")
    level = was.level_mm if action.point_mm is None else _level(facts, (x, y))
    level = _finite(told.get("level_mm", level))
    if not 0 <= level <= MAX_COORDINATE_MM:
        raise Refused("a figure stands at 0 mm or higher")
    facing = _finite(told["facing_deg"]) % 360.0 if "facing_deg" in told else was.facing_deg
    values = results(x_mm=x, y_mm=y, state=state.value, level_mm=level, label=label)
    more = () if facing is None else results(facing_deg=facing)
    return Event("put_by_hand", figure_id=figure_id, values=(*values, *more))


def _level(facts: TableFacts, point: PointMm) -> float:
    """Height of what one can stand on at a place."""
    pieces = [one for one in facts.terrain if one.standable or one.kind == "stairs"]
    return ground(pieces).level_at(point)


def _new_id(facts: TableFacts, table: TableState) -> str:
    used = {figure.figure_id for figure in table.figures} | set(facts.placed) | set(facts.sides)
    used |= facts.taken
    numbers = [int(name[1:]) for name in used if name[:1] == "f" and name[1:].isdecimal()]
    return f"f{max(numbers, default=0) + 1}"


def _remove(
    info: RuleSetInfo, state: GameState, facts: TableFacts, action: Action
) -> tuple[Event, ...]:
    """Before play the figure leaves its team too; in play it is only not seen any more."""
    figure_id = _need(action.figure_id, "which figure?")
    if figure_id not in facts.placed:
        raise Refused(f"there is no figure {figure_id!r} that was put here by hand")
    taken = Event("taken_by_hand", figure_id=figure_id)
    if state.phase not in info.before or figure_id not in facts.sides:
        return (taken,)
    # Who has no place of his own, but one aboard the figure, goes with it.
    crew = [
        unit.figure_id
        for unit in state.units
        if unit.figure_id not in facts.sides and figure_id in dict(unit.marks).values()
    ]
    return (taken, *(assigned(name, None, "", ()) for name in (figure_id, *crew)))


def _table_size(action: Action) -> Event:
    if len(action.numbers) != 2:
        raise Refused("say the table's width and depth")
    width, depth = (_finite(number) for number in action.numbers)
    if not all(_LEAST_TABLE_MM <= side <= MAX_COORDINATE_MM for side in (width, depth)):
        raise Refused("a table is 5 cm to 20 m wide and deep")
    return Event("table_sized", values=results(width_mm=width, depth_mm=depth))


def _assign(info: RuleSetInfo, state: GameState, action: Action) -> Event:
    figure_id = _need(action.figure_id, "which figure?")
    if action.side is None:
        return assigned(figure_id, None, "", ())
    if state.sides and action.side not in state.sides:
        raise Refused(f"there is no team {action.side!r}; teams are {', '.join(state.sides)}")
    known = {value for value, _ in info.equipment}
    unknown = [item for item in action.items if known and item not in known]
    if unknown:
        raise Refused(f"{unknown[0]!r} is no weapon here; known are {', '.join(sorted(known))}")
    old = state.unit(figure_id)
    name = (action.value or "").strip()
    if not name:
        name = old.name if old and old.side == action.side else next_name(state, action.side)
    if any(u.name == name and u.figure_id != figure_id for u in state.units):
        raise Refused(f"there is a {name} already")
    equipment = action.items or (old.equipment if old else ())
    return assigned(figure_id, action.side, name, equipment)


def _correct(state: GameState, table: TableState, action: Action) -> Event:
    figure_id = _need(action.figure_id, "which figure?")
    if not _known(state, table, figure_id):
        raise Refused(f"there is no figure {figure_id!r}")
    told: dict[str, Value] = {}
    if action.point_mm is not None:
        x, y = _point(action.point_mm)
        told |= {"x_mm": x, "y_mm": y}
    if action.value is not None:
        told["state"] = _figure_state(action.value)
    for name, number in zip(("facing_deg", "level_mm"), action.numbers, strict=False):
        told[name] = _finite(number)
    for item in action.items:
        name, _, text = item.partition("=")
        if name not in ("facing_deg", "level_mm", "rotation_deg"):
            raise Refused(f"a figure has no {name!r} to correct")
        told[name] = _finite(text)
    if not told:
        raise Refused("say what to correct: a place, a state, a facing or a level")
    return Event("corrected", figure_id=figure_id, values=results(**told))


def _identify(state: GameState, facts: TableFacts, table: TableState, action: Action) -> Event:
    seen = _need(action.figure_id, "which figure?")
    true = _need(action.target_id, "who is it?")
    if true not in facts.sides and not _known(state, table, true):
        raise Refused(f"there is no figure {true!r}")
    return Event("identified", figure_id=seen, target_id=true)


def _terrain_set(action: Action) -> Event:
    piece = action.terrain
    if piece is None:
        raise Refused("which terrain?")
    if not piece.terrain_id.strip():
        raise Refused("terrain needs a name")
    for outline in (piece.footprint_mm, *(mark.footprint_mm for mark in piece.marks)):
        if len(outline) < 3:
            raise Refused("an outline needs at least three points")
        for point in outline:
            _point(point)
        if area_of(outline).area < 1.0:
            raise Refused("an outline has no area")
        if crosses_itself(outline):
            raise Refused("an outline must not cross itself")
    if not 0 <= _finite(piece.height_mm) <= MAX_COORDINATE_MM:
        raise Refused("a height is 0 mm or more")
    return Event("terrain_set", values=results(terrain_id=piece.terrain_id), terrain=piece)


def _terrain_delete(facts: TableFacts, table: TableState, action: Action) -> Event:
    terrain_id = _need(action.terrain_id, "which terrain?")
    if terrain_id not in {piece.terrain_id for piece in (*facts.terrain, *table.terrain)}:
        raise Refused(f"there is no terrain {terrain_id!r}")
    return Event("terrain_deleted", values=results(terrain_id=terrain_id))


def _known(state: GameState, table: TableState, figure_id: str) -> bool:
    seen = any(figure.figure_id == figure_id for figure in table.figures)
    return seen or state.unit(figure_id) is not None


def _need(value: str | None, question: str) -> str:
    if not value:
        raise Refused(question)
    return value


def _figure_state(text: str) -> FigureState:
    try:
        return FigureState(text)
    except ValueError as error:
        words = ", ".join(state.value for state in FigureState)
        raise Refused(f"a figure cannot be {text!r}; it may be {words}") from error


def _point(point: PointMm) -> PointMm:
    x, y = _finite(point[0]), _finite(point[1])
    if max(abs(x), abs(y)) > MAX_COORDINATE_MM:
        raise Refused("that place is off every table")
    return x, y


def _finite(value: float | str) -> float:
    try:
        number = float(value)
    except ValueError as error:
        raise Refused(f"{value!r} is no number") from error
    if not math.isfinite(number):
        raise Refused(f"{value!r} is no number")
    return number
