"""What an event does to the state; nothing else changes it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from engine.events import Event
from engine.roster import evolve_by, evolve_roster, marked, state_mark, state_marked, with_unit
from engine.rulesets.legowars.asking import question_of
from engine.rulesets.legowars.changes import UNIT_CHANGES, gone_with
from engine.rulesets.legowars.data import data
from engine.rulesets.legowars.marks import BUILDING, VEHICLE, Phase, conceded, kind_of, words_mark
from engine.spots import at_spot, spot, text_mark, word
from engine.state import GameState, MarkValue, Unit

Change = Callable[[GameState, Event], GameState]

AIM: Final = (
    "aim_by",
    "aim_target",
    "aim_weapon",
    "aim_mode",
    "aim_number",
    "aim_cover",
    "aim_crew",
    "aim_row",
)
ASK: Final = ("ask", "ask_cm", "ask_limit", "ask_by", "ask_target", "ask_weapon", "ask_kind")
SAID: Final = ("said_reach", "said_short", "said_long", "said_cover", "said_for")


def evolve(state: GameState, event: Event) -> GameState:
    """``state`` after ``event``, its question renewed."""
    state = evolve_by(UNIT_CHANGES, _CHANGES, state, event)
    return replace(state, question=question_of(state))


def _phase_began(state: GameState, event: Event) -> GameState:
    phase = event.text("phase")
    turn = int(event.number("turn", state.turn))
    if phase == Phase.MOVE:
        starts = tuple(at_spot(unit, spot(unit), "start") for unit in state.units)
        state = replace(state, units=starts)
    return replace(state, phase=phase, active_side=event.side, turn=turn)


def _assigned(state: GameState, event: Event) -> GameState:
    """A vehicle begins with its ratings (LW-VEH-11) until more is bought."""
    state = evolve_roster(state, event)
    unit = state.unit(event.figure_id or "")
    if unit is None or kind_of(unit) != VEHICLE or unit.mark("wheels") is not None:
        return state
    rules = data()
    armor, structure = rules.whole("vehicle", "armor"), rules.whole("vehicle", "structure")
    return with_unit(state, marked(unit, seats=1, wheels=4, armor=armor, structure=structure))


def _building(state: GameState, event: Event) -> GameState:
    name = event.figure_id or ""
    old = state.unit(name) or Unit(name, event.side or "", "")
    unit = replace(old, side=event.side or "", name=event.text("name"), equipment=(BUILDING,))
    return with_unit(state, unit)


def _toggled(mark: str) -> Change:
    """A list of words kept for the game gains or loses one."""

    def change(state: GameState, event: Event) -> GameState:
        item = event.text("item")
        words = [one for one in words_mark(state, mark) if one != item]
        if event.value("on") is True:
            words.append(item)
        return state_marked(state, **{mark: ";".join(sorted(words)) or None})

    return change


def _height_asked(state: GameState, event: Event) -> GameState:
    return state_marked(
        state,
        height_of=event.text("terrain_id"),
        height_name=event.text("name"),
        height_mm=event.number("height_mm"),
        height_bricks=event.number("bricks"),
    )


def _height_said(state: GameState, event: Event) -> GameState:
    state = state_marked(
        state, height_of=None, height_name=None, height_mm=None, height_bricks=None
    )
    if event.value("yes") is not True:
        return state
    told = [*words_mark(state, "heights"), event.text("item")]
    return state_marked(state, heights=";".join(sorted(told)))


def _lists_asked(state: GameState, event: Event) -> GameState:
    return state_marked(state, lists="asked")


def _lists_said(state: GameState, event: Event) -> GameState:
    return state_marked(state, lists="ok" if event.value("yes") is True else None)


def _ordered(state: GameState, event: Event) -> GameState:
    return state_marked(state, order=";".join(event.words("order")), places=None, last_order=None)


def _rolled(state: GameState, event: Event) -> GameState:
    """Places so far; sides that share one are joined by a plus (LW-TURN-02)."""
    return state_marked(state, places=";".join(event.words("places")))


def _loose(state: GameState, event: Event) -> GameState:
    """A thing lies on the table (LW-HAND-10, LW-RNG-15)."""
    number = int(state_mark(state, "loose_n") or 0) + 1
    at = "|".join(f"{event.number(key):.3f}" for key in ("x_mm", "y_mm", "z_mm"))
    entry = f"{number}|{event.text('thing')}|{at}"
    words = [*words_mark(state, "loose"), entry]
    return state_marked(state, loose_n=number, loose=";".join(words))


def _taken(state: GameState, event: Event) -> GameState:
    left = [one for one in words_mark(state, "loose") if one.split("|")[0] != event.text("item")]
    return state_marked(state, loose=";".join(left) or None)


def _aim_asked(state: GameState, event: Event) -> GameState:
    return state_marked(
        state,
        ask=event.text("what"),
        ask_cm=event.number("length_cm"),
        ask_limit=event.number("limit_cm"),
        ask_by=event.figure_id,
        ask_target=event.target_id,
        ask_weapon=event.text("weapon"),
        ask_kind=event.text("attack"),
    )


def _aim_answered(state: GameState, event: Event) -> GameState:
    told = {f"said_{event.text('what')}": event.text("said"), "said_for": event.text("for")}
    if text_mark(state, "said_for") != event.text("for"):
        state = state_marked(state, **dict.fromkeys(SAID))
    return state_marked(state, **dict.fromkeys(ASK), **told)


def _aim_failed(state: GameState, event: Event) -> GameState:
    return state_marked(state, **dict.fromkeys(SAID))


def _aimed(state: GameState, event: Event) -> GameState:
    told: dict[str, MarkValue] = {
        "aim_by": event.figure_id,
        "aim_target": event.target_id,
        "aim_weapon": event.text("weapon"),
        "aim_mode": event.text("mode"),
        "aim_row": event.text("row") or None,
        "aim_number": int(event.number("number")),
        "aim_cover": event.value("cover") is True or None,
        "aim_crew": event.text("crew") or None,
    }
    state = state_marked(state, **dict.fromkeys((*ASK, *SAID)), **told)
    return replace(state, phase=Phase.ATK_HIT.value)


def _hit(state: GameState, event: Event) -> GameState:
    if event.value("hit") is not True or event.value("falls") is True:
        return state
    return replace(state, phase=Phase.ATK_DAMAGE.value)


def _falls_open(state: GameState, event: Event) -> GameState:
    back = text_mark(state, "fall_back") or event.text("back")
    queue = dict.fromkeys([*words_mark(state, "falls"), *event.words("falls")])
    state = state_marked(state, falls=";".join(queue), fall_back=back)
    return replace(state, phase=Phase.ATK_FALL.value)


def _fall_rolled(state: GameState, event: Event) -> GameState:
    left = [one for one in words_mark(state, "falls") if one != event.figure_id]
    return state_marked(state, falls=";".join(left) or None)


def _falls_done(state: GameState, event: Event) -> GameState:
    phase = text_mark(state, "fall_back") or Phase.ATTACK.value
    return replace(state_marked(state, falls=None, fall_back=None), phase=phase)


def _attack_ended(state: GameState, event: Event) -> GameState:
    state = state_marked(state, **dict.fromkeys(AIM))
    return replace(state, phase=Phase.ATTACK.value)


def _freed(state: GameState, event: Event) -> GameState:
    """Nobody rides, pulls or steers with what is gone."""
    name = event.figure_id
    units = []
    for unit in state.units:
        for mark in ("mount", "team", "steers"):
            if word(unit, mark) == name:
                unit = marked(unit, **{mark: None})
        units.append(unit)
    return replace(state, units=tuple(units))


def _conceding(state: GameState, event: Event) -> GameState:
    return state_marked(state, leaving=event.side)


def _conceded(state: GameState, event: Event) -> GameState:
    """Its men, horses and vehicles are out; buildings stay (LW-WIN-04)."""
    side = event.side or ""
    units = tuple(
        unit if kind_of(unit) == BUILDING or not unit.alive else gone_with(side, unit, event)
        for unit in state.units
    )
    out = ";".join([*conceded(state), side])
    places = [
        "+".join(one for one in place.split("+") if one != side)
        for place in words_mark(state, "places")
    ]
    return state_marked(
        replace(state, units=units),
        conceded=out,
        leaving=None,
        places=";".join(place for place in places if place) or None,
    )


def _over(state: GameState, event: Event) -> GameState:
    state = state_marked(state, **dict.fromkeys((*AIM, *ASK, *SAID)), falls=None, fall_back=None)
    return replace(
        state, phase=Phase.GAME_OVER.value, active_side=None, outcome=event.text("outcome")
    )


_CHANGES: Final[dict[str, Change]] = {
    "assigned": _assigned,
    "phase_began": _phase_began,
    "building_joined": _building,
    "bridge_set": _toggled("bridges"),
    "door_set": _toggled("doors_open"),
    "door_turned": _toggled("doors_open"),
    "wires_cut": _toggled("wires"),
    "gear_told": _toggled("told"),
    "height_asked": _height_asked,
    "height_said": _height_said,
    "lists_asked": _lists_asked,
    "lists_said": _lists_said,
    "rolled": _rolled,
    "ordered": _ordered,
    "loosed": _loose,
    "taken": _taken,
    "aim_asked": _aim_asked,
    "aim_answered": _aim_answered,
    "aim_failed": _aim_failed,
    "aimed": _aimed,
    "hit_rolled": _hit,
    "falls_open": _falls_open,
    "fall_rolled": _fall_rolled,
    "falls_done": _falls_done,
    "attack_ended": _attack_ended,
    "killed": _freed,
    "left": _freed,
    "destroyed": _freed,
    "conceding": _conceding,
    "conceded": _conceded,
    "over": _over,
}
