"""What an event does to the state; nothing else changes it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from engine.events import Event
from engine.roster import evolve_roster, marked, state_marked, with_unit
from engine.rulesets.figurslag.asking import question_of
from engine.rulesets.figurslag.changes import UNIT_CHANGES, closed, died, moved, out
from engine.rulesets.figurslag.marks import (
    STILL,
    Phase,
    Spot,
    at_spot,
    conceded,
    leaving,
    number,
    text_mark,
)
from engine.state import GameState

Change = Callable[[GameState, Event], GameState]


def evolve(state: GameState, event: Event) -> GameState:
    """``state`` after ``event``, its question renewed."""
    change = _CHANGES.get(event.kind)
    if change is not None:
        state = change(state, event)
    elif event.kind in UNIT_CHANGES and event.figure_id is not None:
        unit = state.unit(event.figure_id)
        if unit is not None:
            state = with_unit(state, UNIT_CHANGES[event.kind](unit, event))
    else:
        state = evolve_roster(state, event)
    return replace(state, question=question_of(state))


def _phase_began(state: GameState, event: Event) -> GameState:
    state = _no_shot(state)
    state = state_marked(
        state, first=event.text("first") or None, shooter=None, mover=None, declared=None
    )
    state = replace(
        state,
        phase=event.text("phase"),
        active_side=event.side,
        turn=int(event.number("turn")),
    )
    if state.phase == Phase.MOVE:
        state = _movement_began(state, event)
    return state


def _movement_began(state: GameState, event: Event) -> GameState:
    places = event.numbers("places_mm")
    turns = event.numbers("turns_deg")
    for i, figure_id in enumerate(event.words("figures")):
        unit = state.unit(figure_id)
        if unit is None:
            continue
        place = Spot(*places[3 * i : 3 * i + 3])
        unit = at_spot(at_spot(closed(unit), place), place, "start")
        state = with_unit(state, marked(unit, start_turn=turns[i] if turns[i] >= 0 else None))
    for unit in state.units:
        if unit.side == event.side and unit.alive:
            fresh = marked(unit, mode=STILL, moved=0.0, climbed=0.0, out=0.0)
            fresh = marked(fresh, noshoot=None, fired_small=None, fired_large=None)
            state = with_unit(state, marked(fresh, shooting=None))
    return state


def _mover(state: GameState, event: Event) -> GameState:
    unit = state.unit(event.figure_id or "")
    if unit is None:
        return state
    return state_marked(with_unit(state, moved(unit, event)), mover=event.figure_id)


def _no_shot(state: GameState) -> GameState:
    return state_marked(
        state,
        shot_by=None,
        shot_at=None,
        shot_weapon=None,
        shot_ask=None,
        shot_lo=None,
        shot_hi=None,
        shot_limit=None,
        range_ok=None,
    )


def _after_shot(state: GameState) -> GameState:
    """SHOT_END: on to the next declared shot, or back to choosing."""
    state = _no_shot(state)
    queue = text_mark(state, "declared")
    if not queue:
        return replace(state, phase=Phase.SHOOT)
    target, weapon = queue.split(";")[0].split(":")
    shooter = text_mark(state, "shooter")
    state = state_marked(state, shot_by=shooter, shot_at=target, shot_weapon=weapon)
    return replace(state, phase=Phase.HIT)


def _shot_asked(state: GameState, event: Event) -> GameState:
    state = state_marked(
        state,
        shot_by=event.figure_id,
        shot_at=event.target_id,
        shot_weapon=event.text("weapon"),
        shot_ask=event.text("what"),
        shot_lo=event.number("lo"),
        shot_hi=event.number("hi"),
        shot_limit=event.number("limit"),
    )
    return replace(state, phase=Phase.SHOT_CHECK)


def _shot_answered(state: GameState, event: Event) -> GameState:
    if event.value("yes") is not True:
        queue = text_mark(state, "declared")
        state = _no_shot(state)
        return replace(state, phase=Phase.SHOT_DECLARE if queue else Phase.SHOOT)
    if event.text("what") == "range":
        return state_marked(state, range_ok=True)
    return state


def _shot_cleared(state: GameState, event: Event) -> GameState:
    """The players let a doubtful shot happen: now the die."""
    state = state_marked(
        state,
        shot_by=event.figure_id,
        shot_at=event.target_id,
        shot_weapon=event.text("weapon"),
        shot_ask=None,
    )
    return replace(state, phase=Phase.HIT)


def _declared(state: GameState, event: Event) -> GameState:
    entry = f"{event.target_id}:{event.text('weapon')}"
    queue = ";".join(part for part in (text_mark(state, "declared"), entry) if part)
    state = state_marked(_no_shot(state), declared=queue, shooter=event.figure_id)
    return replace(state, phase=Phase.SHOT_DECLARE)


def _shot(state: GameState, event: Event) -> GameState:
    state = _counted(state, event)
    if event.value("hit") is not True:
        return _after_shot(state)
    state = state_marked(
        state,
        shot_by=event.figure_id,
        shot_at=event.target_id,
        shot_weapon=event.text("weapon"),
    )
    return replace(state, phase=Phase.DODGE)


def _counted(state: GameState, event: Event) -> GameState:
    """One shot of the shooter is used, and its declaration with it."""
    unit = state.unit(event.figure_id or "")
    if unit is None:
        return state
    key = f"fired_{event.text('weapon')}"
    unit = marked(unit, **{key: number(unit, key) + 1}, shooting=True)
    queue = text_mark(state, "declared").split(";")[1:]
    one = event.value("one_target") is True
    return state_marked(
        with_unit(state, unit),
        shooter=event.figure_id,
        declared=";".join(queue) or None,
        only_target=event.target_id if one else None,
    )


def _dodged(state: GameState, event: Event) -> GameState:
    return _after_shot(state) if event.value("dodged") is True else state


def _killed(state: GameState, event: Event) -> GameState:
    unit = state.unit(event.figure_id or "")
    if unit is None:
        return state
    state = with_unit(state, died(unit, event))
    return _after_shot(state) if state.phase == Phase.DODGE else state


def _struck(state: GameState, event: Event) -> GameState:
    unit = state.unit(event.figure_id or "")
    if unit is None:
        return state
    return _after_shot(with_unit(state, marked(unit, struck=True)))


def _shots_lost(state: GameState, event: Event) -> GameState:
    unit = state.unit(event.figure_id or "")
    if unit is not None:
        state = with_unit(state, marked(unit, shots_lost=None, shooting="over"))
    state = state_marked(_no_shot(state), declared=None, shooter=None)
    return replace(state, phase=Phase.SHOOT)


def _conceding(state: GameState, event: Event) -> GameState:
    state = state_marked(state, conceding=event.side, back=state.phase)
    return replace(state, phase=Phase.CONCEDE)


def _concede_answered(state: GameState, event: Event) -> GameState:
    """Back to where it came from; a shot under way is finished before the team is out."""
    back = text_mark(state, "back")
    later = [*leaving(state), *([event.side or ""] if event.value("yes") is True else [])]
    state = state_marked(state, conceding=None, back=None, leaving=",".join(later) or None)
    return replace(state, phase=back)


def _conceded(state: GameState, event: Event) -> GameState:
    side = event.side or ""
    later = ",".join(one for one in leaving(state) if one != side)
    gone = ",".join((*conceded(state), side))
    state = state_marked(state, conceded=gone, leaving=later or None)
    for unit in state.units:
        if unit.side == side and unit.alive:
            state = with_unit(state, out(unit, "conceded"))
    if state.phase == Phase.MOVE:
        return state
    return replace(state_marked(_no_shot(state), declared=None), phase=Phase.SHOOT)


def _over(state: GameState, event: Event) -> GameState:
    state = replace(_no_shot(state), phase=Phase.OVER, active_side=None)
    return replace(state, outcome=event.text("outcome"))


_CHANGES: Final[dict[str, Change]] = {
    "phase_began": _phase_began,
    "edge_chosen": lambda state, event: state_marked(
        state, **{f"edge_{event.side}": event.text("edge")}
    ),
    "moved": _mover,
    "shot_asked": _shot_asked,
    "shot_answered": _shot_answered,
    "shot_cleared": _shot_cleared,
    "declared": _declared,
    "declared_all": lambda state, event: _after_shot(state),
    "shot": _shot,
    "shot_wasted": lambda state, event: _after_shot(_counted(state, event)),
    "dodged": _dodged,
    "died": _killed,
    "struck": _struck,
    "shots_lost": _shots_lost,
    "conceding": _conceding,
    "concede_answered": _concede_answered,
    "conceded": _conceded,
    "over": _over,
}
