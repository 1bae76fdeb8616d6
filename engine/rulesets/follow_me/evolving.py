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
from engine.rulesets.follow_me.asking import question_of
from engine.rulesets.follow_me.marks import TURN_MARKS, Phase, count, group_id, rank_of
from engine.spots import Spot, at_spot, event_spot, number, spot
from engine.state import GameState, Unit

_OUT: Final = ("killed", "left", "removed", "left_out")
_OWN_SPELLS: Final = ("flash", "freeze", "gone", "safe", "mighty")
_LOST: Final = ("killed", "left", "removed")
_TURN_GAME_MARKS: Final = (
    "fights", "rolled", "results", "duels", "watch", "ask_victim", "ask_victims", "cast_order",
    "upkept", "faded", "ran_out", "play_on", "decide", "ask_surprise",
)  # fmt: skip
_SNAPSHOTS: Final[dict[str, str]] = {
    Phase.DECLARE: "a",
    Phase.SALLY: "guard",
    Phase.MELEE_RESULTS: "push",
}
"""Places that moves of a phase are measured from (FM-GEO-21)."""
_ARRIVED: Final = ("placed", "shifted", "accepted", "put", "crossed", "sallied", "followed_up")


def evolve(state: GameState, event: Event) -> GameState:
    """``state`` after ``event``, its question renewed."""
    change = _CHANGES.get(event.kind)
    state = evolve_roster(state, event) if change is None else change(state, event)
    if event.kind in _LOST:
        state = _counted(state, event)
    state = _unit_changes(state, event, event.figure_id, "unit.")
    state = _unit_changes(state, event, event.target_id, "target.")
    state = state_marked(state, **told_marks(event, "game."))
    return replace(state, question=question_of(state))


def closed(unit: Unit) -> Unit:
    """Without an open flag or question."""
    names = ("open", "open_code", "open_rule", "open_kind", "open_mm", "open_limit")
    return marked(at_spot(unit, None, "open"), **dict.fromkeys(names))


def _unit_changes(state: GameState, event: Event, figure_id: str | None, prefix: str) -> GameState:
    unit = state.unit(figure_id or "")
    if unit is None:
        return state
    marks = told_marks(event, prefix)
    if prefix == "unit.":
        unit = _placed(unit, event)
        if event.kind in _OUT:
            gone = marked(closed(unit), gone=event.kind, placing=None, down=None, missing=None)
            gone = marked(gone, **{f"fx_{spell}": None for spell in _OWN_SPELLS})
            unit = replace(marked(gone, fell_turn=state.turn), alive=False)
        if event.kind == "back_in":
            unit = replace(marked(unit, gone=None, fell_turn=None), alive=True)
        if event.kind == "raised":
            unit = replace(marked(unit, gone=None, doomed=None, laid=None), alive=True)
    side, wounds = marks.pop("side", None), marks.pop("wounds", 0)
    if isinstance(side, str):
        unit = replace(unit, side=side)
    if f"{prefix}wounds" in dict(event.values):
        unit = replace(unit, wounds=int(wounds) if isinstance(wounds, int | float) else 0)
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
            open_kind=event.text("order") or None,
            open_mm=event.number("moved_mm"),
            open_limit=event.number("limit_mm"),
        )
    if event.kind == "moved":
        return at_spot(closed(unit), here or spot(unit))
    if event.kind in _ARRIVED:
        return marked(closed_at(unit, here), placing=None)
    if event.kind in ("set_at", "raised"):
        return marked(closed_at(unit, here), placing=True)
    if event.kind == "put_back":
        return closed(unit)
    return unit


def closed_at(unit: Unit, here: Spot | None) -> Unit:
    """Without an open flag, at a place, the one it stands on, or where it was."""
    return at_spot(closed(unit), here or spot(unit, "open") or spot(unit))


def _counted(state: GameState, event: Event) -> GameState:
    """A casualty counts for its group, by its rank (FM-MORALE-09, 11, 12, 27)."""
    unit = state.unit(event.figure_id or "")
    if unit is None:
        return state
    holder = state.unit(group_id(unit))
    rank = rank_of(unit)
    if holder is None or rank == "none":
        return state
    name = f"lost_{rank}s"
    return with_unit(state, marked(holder, **{name: count(holder, name) + 1}))


def _phase_began(state: GameState, event: Event) -> GameState:
    prefix = _SNAPSHOTS.get(event.text("phase"))
    if prefix is not None:
        for unit in state.units:
            state = with_unit(state, at_spot(unit, spot(unit), prefix))
    return replace(state, phase=event.text("phase"), active_side=event.side)


def _turn_began(state: GameState, event: Event) -> GameState:
    """A new turn: what belonged to the last one is forgotten (FM-TURN-13)."""
    for unit in state.units:
        earlier = count(unit, "nobles_earlier") + count(unit, "lost_nobles")
        fresh = marked(unit, **dict.fromkeys(TURN_MARKS))
        fresh = at_spot(at_spot(fresh, None, "guard"), None, "push")
        fresh = marked(fresh, nobles_earlier=earlier or None)
        running = unit.mark("morale") == "running"
        state = with_unit(state, marked(fresh, ran=running or None))
    state = state_marked(state, **dict.fromkeys(_TURN_GAME_MARKS))
    turn = int(event.number("turn"))
    return replace(state, turn=turn, phase=Phase.UPKEEP.value, active_side=None)


def _over(state: GameState, event: Event) -> GameState:
    state = state_marked(state, ask_over=None, ask_victim=None, ask_surprise=None)
    return replace(
        state, phase=Phase.FINISHED.value, active_side=None, outcome=event.text("outcome")
    )


def _hit(state: GameState, event: Event) -> GameState:
    """Hits of this turn are counted for a Big Thing (FM-BIG-20)."""
    unit = state.unit(event.figure_id or "")
    if unit is None:
        return state
    hits = number(unit, "hit_now") + event.number("hits")
    return with_unit(state, marked(unit, hit_now=int(hits)))


_CHANGES: Final[dict[str, Callable[[GameState, Event], GameState]]] = {
    "phase_began": _phase_began,
    "turn_began": _turn_began,
    "over": _over,
    "hit": _hit,
}
