"""Who is who: sides, names and equipment of figures, the same in every game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from engine.events import Event
from engine.state import GameState, MarkValue, Unit


def evolve_roster(state: GameState, event: Event) -> GameState:
    """``state`` after a common event; the same state when the event is none of the common ones."""
    if event.kind != "assigned" or event.figure_id is None:
        return state
    if event.side is None:
        return _let_go(without_unit(state, event.figure_id), event.figure_id)
    unit = state.unit(event.figure_id) or Unit(event.figure_id, event.side, "")
    return with_unit(
        state,
        replace(unit, side=event.side, name=event.text("name"), equipment=event.words("equipment")),
    )


def evolve_by(
    unit_changes: Mapping[str, Callable[[Unit, Event], Unit]],
    changes: Mapping[str, Callable[[GameState, Event], GameState]],
    state: GameState,
    event: Event,
) -> GameState:
    """``state`` after ``event``: first the unit it is about, then the game.

    Args:
        unit_changes: What events do to the unit they are about, by kind.
        changes: What events do to the game.
        state: Before it.
        event: What happened; one of neither kind is taken as a common one.
    """
    if event.kind in unit_changes and event.figure_id is not None:
        unit = state.unit(event.figure_id)
        if unit is not None:
            state = with_unit(state, unit_changes[event.kind](unit, event))
    change = changes.get(event.kind)
    if change is not None:
        return change(state, event)
    return state if event.kind in unit_changes else evolve_roster(state, event)


def with_unit(state: GameState, unit: Unit) -> GameState:
    """``state`` with ``unit`` in the place of the one of the same figure, ordered by id."""
    others = [other for other in state.units if other.figure_id != unit.figure_id]
    units = tuple(sorted([*others, unit], key=lambda one: one.figure_id))
    return replace(state, units=units)


def without_unit(state: GameState, figure_id: str) -> GameState:
    """``state`` without the unit of that figure."""
    return replace(state, units=tuple(u for u in state.units if u.figure_id != figure_id))


def _let_go(state: GameState, figure_id: str) -> GameState:
    """``state`` in which nobody is led by, mounted on or asked about a figure that is gone."""
    units = tuple(replace(unit, marks=_others(unit.marks, figure_id)) for unit in state.units)
    return replace(state, units=units, marks=_others(state.marks, figure_id))


def _others(
    marks: tuple[tuple[str, MarkValue], ...], figure_id: str
) -> tuple[tuple[str, MarkValue], ...]:
    return tuple((name, value) for name, value in marks if value != figure_id)


def marked(unit: Unit, **marks: MarkValue) -> Unit:
    """``unit`` with further marks; None takes a mark away."""
    return replace(unit, marks=_merged(unit.marks, marks))


def state_marked(state: GameState, **marks: MarkValue) -> GameState:
    """``state`` with further marks; None takes a mark away."""
    return replace(state, marks=_merged(state.marks, marks))


def state_mark(state: GameState, name: str) -> MarkValue:
    """The mark of the whole game called ``name``, or None."""
    for key, value in state.marks:
        if key == name:
            return value
    return None


def told_marks(event: Event, prefix: str) -> dict[str, MarkValue]:
    """Marks that an event tells by values called ``prefixNAME``; empty and false ones are None."""
    found: dict[str, MarkValue] = {}
    for name, value in event.values:
        if name.startswith(prefix) and not isinstance(value, tuple):
            gone = value is None or value is False or value == ""
            found[name.removeprefix(prefix)] = None if gone else value
    return found


def next_name(state: GameState, side: str) -> str:
    """The first free name of a team: ``"Red 1"``, ``"Red 2"`` and so on."""
    taken = {unit.name for unit in state.units}
    number = 1
    while f"{side.capitalize()} {number}" in taken:
        number += 1
    return f"{side.capitalize()} {number}"


def _merged(
    old: tuple[tuple[str, MarkValue], ...], new: dict[str, MarkValue]
) -> tuple[tuple[str, MarkValue], ...]:
    merged = {**dict(old), **new}
    return tuple(sorted((key, value) for key, value in merged.items() if value is not None))
