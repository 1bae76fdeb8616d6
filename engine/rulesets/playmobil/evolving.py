"""What an event does to the state; nothing else changes it.

Events carry their results: a value called ``unit.NAME`` is a mark of the figure, ``target.NAME``
one of the figure acted on, ``game.NAME`` one of the whole game. An empty or false value takes the
mark away.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from engine.events import Event
from engine.roster import evolve_roster, marked, state_marked, told_marks, with_unit
from engine.rulesets.playmobil.asking import question_of
from engine.rulesets.playmobil.marks import TURN_MARKS, Phase, own_turn
from engine.spots import at_spot, event_spot, spot
from engine.state import GameState, Unit

AIM_MARKS: Final = (
    "aim_by", "aim_target", "aim_second", "aim_kind", "aim_a", "aim_d", "aim_d2", "aim_mod",
    "aim_ask", "aim_mm", "aim_limit", "said_range", "double_by", "double_first",
)  # fmt: skip
_OUT: Final = ("killed", "destroyed", "removed", "left_out", "taken")


def evolve(state: GameState, event: Event) -> GameState:
    """``state`` after ``event``, its question renewed."""
    if event.kind == "appeared" and event.figure_id and event.side:
        state = with_unit(state, Unit(event.figure_id, event.side, event.text("name")))
    change = _CHANGES.get(event.kind)
    state = evolve_roster(state, event) if change is None else change(state, event)
    state = _unit_changes(state, event, event.figure_id, "unit.")
    state = _unit_changes(state, event, event.target_id, "target.")
    state = state_marked(state, **told_marks(event, "game."))
    return replace(state, question=question_of(state))


def closed(unit: Unit) -> Unit:
    """Without an open flag or question."""
    names = ("open", "open_code", "open_rule", "open_move", "open_mm", "open_limit", "open_charge")
    return marked(at_spot(unit, None, "open"), **dict.fromkeys(names))


def _unit_changes(state: GameState, event: Event, figure_id: str | None, prefix: str) -> GameState:
    unit = state.unit(figure_id or "")
    if unit is None:
        return state
    marks = told_marks(event, prefix)
    if prefix == "unit.":
        unit = _placed(unit, event)
        if event.kind in _OUT:
            gone = marked(closed(unit), gone=event.kind, down=None, missing=None, wait=None)
            unit = replace(gone, alive=False)
    side = marks.pop("side", None)
    if isinstance(side, str):
        unit = replace(unit, side=side)
    return with_unit(state, marked(unit, **marks))


def _placed(unit: Unit, event: Event) -> Unit:
    """Where a unit stands after an event about its place."""
    here = event_spot(event)
    if event.kind in ("flagged", "asked_place") and here is not None:
        return marked(
            at_spot(closed(unit), here, "open"),
            open="flag" if event.kind == "flagged" else "ask",
            open_code=event.text("code") or None,
            open_rule=event.rule,
            open_move=event.value("move") is True or None,
            open_charge=event.text("charge_of") or None,
            open_mm=event.number("moved_mm"),
            open_limit=event.number("limit_mm"),
        )
    if event.kind == "moved":
        if event.value("again") is not True:
            unit = at_spot(unit, spot(unit), "start")
        return at_spot(closed(unit), here or spot(unit))
    if event.kind in ("placed", "shifted", "stepped", "accepted", "appeared"):
        return at_spot(closed(unit), here or spot(unit, "open") or spot(unit))
    if event.kind == "put_back":
        return closed(unit)
    if event.kind == "taken_up":
        return at_spot(closed(unit), None)
    return unit


def _phase_began(state: GameState, event: Event) -> GameState:
    if event.text("phase") in (Phase.ACT, Phase.RAMPAGE, Phase.FINISHED):
        state = state_marked(state, **dict.fromkeys(AIM_MARKS))
    return replace(state, phase=event.text("phase"), active_side=event.side)


def _turn_began(state: GameState, event: Event) -> GameState:
    """Flags are forgotten figure by figure (PM-TURN-09, PM-PREP-10), facings too (PM-ATT-08)."""
    for unit in state.units:
        if unit.side == event.side:
            fresh = marked(at_spot(unit, None, "start"), **dict.fromkeys(TURN_MARKS))
            state = with_unit(state, fresh)
    number = own_turn(state, event.side) + 1
    state = state_marked(state, **{f"turn_{event.side}": number})
    return replace(
        state, turn=max(state.turn, number), phase=Phase.ACT.value, active_side=event.side
    )


def _over(state: GameState, event: Event) -> GameState:
    state = state_marked(state, **dict.fromkeys(AIM_MARKS))
    return replace(
        state, phase=Phase.FINISHED.value, active_side=None, outcome=event.text("outcome")
    )


_CHANGES: Final[dict[str, Callable[[GameState, Event], GameState]]] = {
    "phase_began": _phase_began,
    "turn_began": _turn_began,
    "over": _over,
}
