"""What an event does to the state; nothing else changes it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from engine.events import Event
from engine.roster import evolve_by, marked, state_mark, state_marked, with_unit
from engine.rulesets.deathzap.asking import question_of
from engine.rulesets.deathzap.changes import UNIT_CHANGES
from engine.rulesets.deathzap.marks import Phase, actions_left, attacks, count_mark
from engine.spots import at_spot, spot, text_mark
from engine.state import GameState, OptionValue

Change = Callable[[GameState, Event], GameState]


def evolve(state: GameState, event: Event) -> GameState:
    """``state`` after ``event``, its question renewed."""
    state = evolve_by(UNIT_CHANGES, _CHANGES, state, event)
    return replace(state, question=question_of(state))


def _phase_began(state: GameState, event: Event) -> GameState:
    state = state_marked(
        state,
        not_again=event.text("not_again") or None,
        why=event.text("why") or None,
        first=event.text("first") or text_mark(state, "first") or None,
    )
    return replace(state, phase=event.text("phase"), active_side=event.side)


def _shown(state: GameState, event: Event) -> GameState:
    return state_marked(state, shown=True)


def _multi_chosen(state: GameState, event: Event) -> GameState:
    """The choice is stored with the game like every other option (DZ-GEN-09)."""
    key, value = event.text("key"), event.text("value")
    options: tuple[tuple[str, OptionValue], ...] = tuple(
        (name, value if name == key else old) for name, old in state.options
    )
    return state_marked(replace(state, options=options), shown=True)


def _shrine(state: GameState, event: Event) -> GameState:
    return state_marked(state, shrine=event.text("terrain_id") or None)


def _edges(state: GameState, event: Event) -> GameState:
    own, far = event.text("edge"), event.text("far")
    sides = {f"edge_{side}": own if side == event.side else far for side in state.sides}
    return state_marked(state, **sides)


def _activated(state: GameState, event: Event) -> GameState:
    figure_id = event.figure_id or ""
    state = state_marked(
        _no_aim(state),
        fighter=figure_id,
        actions_left=int(event.number("actions")),
        forced=event.value("forced") is True or None,
        had_stun=event.value("stunned") is True or None,
        boosted=None,
        attacks=None,
        intent=None,
        intent_target=None,
        last_move=None,
        not_again=None,
        why=None,
    )
    state = _from_here(state, figure_id)
    return replace(state, phase=Phase.CHOOSE_ACTION.value, active_side=event.side)


def _intent(state: GameState, event: Event) -> GameState:
    state = state_marked(
        state, intent=event.text("what"), intent_target=event.target_id, last_move=None
    )
    state = _from_here(state, event.figure_id or "")
    return replace(state, phase=Phase.MOVING.value)


def _called_off(state: GameState, event: Event) -> GameState:
    return replace(
        state_marked(state, intent=None, intent_target=None), phase=Phase.CHOOSE_ACTION.value
    )


def _moved(state: GameState, event: Event) -> GameState:
    """A move is spent as soon as it is made, unless it only went on with the last one."""
    if event.value("again") is not True:
        state = _spend(state)
        state = state_marked(state, last_move=event.figure_id)
    state = state_marked(state, intent=None, intent_target=None)
    if state.phase == Phase.MOVING:
        state = replace(state, phase=Phase.CHOOSE_ACTION.value)
    return state


def _target_open(state: GameState, event: Event) -> GameState:
    state = state_marked(
        state,
        contacts=";".join(event.words("contacts")) or None,
        plain=event.value("plain") is True or None,
    )
    return replace(state, phase=Phase.TARGET.value)


def _struck_nobody(state: GameState, event: Event) -> GameState:
    state = state_marked(state, contacts=None, plain=None)
    return replace(state, phase=Phase.CHOOSE_ACTION.value)


def _aim_asked(state: GameState, event: Event) -> GameState:
    if text_mark(state, "aim_target") != event.target_id:
        # What was said about another target does not count for this one.
        state = state_marked(state, said_close=None, said_range=None)
    state = state_marked(
        state,
        ask=event.text("what"),
        ask_mm=event.number("length_mm"),
        ask_limit=event.number("limit_mm"),
        aim_target=event.target_id,
    )
    return replace(state, phase=Phase.TARGET.value)


def _aim_answered(state: GameState, event: Event) -> GameState:
    yes = event.value("yes") is True
    state = state_marked(state, ask=None, **{f"said_{event.text('what')}": yes})
    return replace(state, phase=Phase.CHOOSE_ACTION.value)


def _aimed(state: GameState, event: Event) -> GameState:
    state = state_marked(
        state,
        aim_target=event.target_id,
        aim_kind=event.text("kind"),
        aim_dice=int(event.number("dice")),
        aim_need=int(event.number("need")),
        aim_mod=int(event.number("mod")),
        aim_always=event.value("always") is True or None,
        aim_free=event.value("charge") is True or None,
        contacts=None,
        plain=None,
        ask=None,
        last_move=None,
    )
    return replace(state, phase=Phase.ROLL.value)


def _attacked(state: GameState, event: Event) -> GameState:
    """Hits are dealt; a wound stuns as well and stays (DZ-AP-03, DZ-AP-09, DZ-DMG-09).

    Whoever defends goes on defending (DZ-DEF-06); a boost is used up.
    """
    if event.value("charge") is not True:
        state = _spend(state)
    killed = event.text("result") == "killed"
    told = [*attacks(state), (event.target_id or "", killed)]
    target = state.unit(event.target_id or "")
    if target is not None and event.text("result") in ("stunned", "wounded"):
        wounds = 1 if event.text("result") == "wounded" else target.wounds
        state = with_unit(state, replace(marked(target, stunned=True), wounds=wounds))
    state = state_marked(
        _no_aim(state),
        attacks=";".join(f"{name}{'+' if dead else '-'}" for name, dead in told),
        boosted=None,
        idle=None,
    )
    return replace(state, phase=Phase.CHOOSE_ACTION.value)


def _defended(state: GameState, event: Event) -> GameState:
    return state_marked(_spend(state), last_move=None)


def _boosted(state: GameState, event: Event) -> GameState:
    return state_marked(_spend(state), boosted=True, last_move=None)


def _ended(state: GameState, event: Event) -> GameState:
    idle = 0 if attacks(state) else count_mark(state, "idle") + 1
    return state_marked(
        _no_aim(state),
        fighter=None,
        actions_left=None,
        forced=None,
        had_stun=None,
        boosted=None,
        attacks=None,
        intent=None,
        intent_target=None,
        idle=idle or None,
        just_acted=event.figure_id,
        just_stunned=state_mark(state, "had_stun"),
    )


def _draw_refused(state: GameState, event: Event) -> GameState:
    return state_marked(state, idle=None)


def _over(state: GameState, event: Event) -> GameState:
    state = state_marked(_no_aim(state), fighter=None, actions_left=None)
    return replace(
        state, phase=Phase.FINISHED.value, active_side=None, outcome=event.text("outcome")
    )


def _spend(state: GameState) -> GameState:
    left = actions_left(state) - 1
    return state_marked(state, actions_left=max(0, left))


def _no_aim(state: GameState) -> GameState:
    return state_marked(
        state,
        aim_target=None,
        aim_kind=None,
        aim_dice=None,
        aim_need=None,
        aim_mod=None,
        aim_always=None,
        aim_free=None,
        said_close=None,
        said_range=None,
        ask=None,
        ask_mm=None,
        ask_limit=None,
        contacts=None,
        plain=None,
    )


def _from_here(state: GameState, figure_id: str) -> GameState:
    """The next move is measured from where the fighter stands now."""
    unit = state.unit(figure_id)
    return state if unit is None else with_unit(state, at_spot(unit, spot(unit), "start"))


_CHANGES: Final[dict[str, Change]] = {
    "phase_began": _phase_began,
    "options_shown": _shown,
    "multi_chosen": _multi_chosen,
    "shrine_chosen": _shrine,
    "edge_chosen": _edges,
    "activated": _activated,
    "intent": _intent,
    "called_off": _called_off,
    "moved": _moved,
    "target_open": _target_open,
    "struck_nobody": _struck_nobody,
    "aim_asked": _aim_asked,
    "aim_answered": _aim_answered,
    "aimed": _aimed,
    "attacked": _attacked,
    "defended": _defended,
    "boosted": _boosted,
    "ended": _ended,
    "draw_refused": _draw_refused,
    "over": _over,
}
