"""What players settle about a move: answers, accepted places, bumps and longer paths."""

from __future__ import annotations

from typing import Final

from engine.actions import Action
from engine.errors import Refused
from engine.events import Event, Value, results
from engine.rulesets.figurslag.data import data
from engine.rulesets.figurslag.giving_up import answer_concede
from engine.rulesets.figurslag.judging import judge
from engine.rulesets.figurslag.marks import (
    CLIMB_NOSHOOT,
    FAR,
    STILL,
    Phase,
    has_open,
    number,
    spot,
    word,
)
from engine.rulesets.figurslag.measures.moves import MoveFacts
from engine.rulesets.figurslag.settings import Settings
from engine.rulesets.figurslag.shooting import answer_shot
from engine.state import GameState, Unit
from engine.table import TableState
from engine.tale import Tale
from engine.units import MM_PER_CM

BUMP_MM: Final = 25.0
"""A longer shift is a move and no bump."""

_ACCEPTED_MODES: Final = {
    "FS-FLAG-01": FAR,
    "FS-FLAG-02": FAR,
    "FS-FLAG-03": CLIMB_NOSHOOT,
    "FS-FLAG-04": CLIMB_NOSHOOT,
    "FS-FLAG-05": CLIMB_NOSHOOT,
}


def answer(tale: Tale, settings: Settings, table: TableState, action: Action) -> None:
    """Answer the open question.

    Raises:
        Refused: There is none, it is about another model, or that is no answer to it.
    """
    question = tale.state.question
    if question is None:
        raise Refused("nothing is asked", "FS-FLAG-19")
    if action.figure_id is not None and action.figure_id != question.figure_id:
        raise Refused("that is no longer the question", question.rule)
    if action.value not in {value for value, _ in question.choices}:
        allowed = ", ".join(value for value, _ in question.choices)
        raise Refused(f"the answer is one of {allowed}", question.rule)
    if tale.state.phase == Phase.CONCEDE:
        answer_concede(tale, settings, table, action.value == "yes")
    elif tale.state.phase == Phase.SHOT_CHECK:
        answer_shot(tale, settings, table, action.value == "yes")
    else:
        unit = tale.state.unit(question.figure_id or "")
        if unit is not None:
            _answer_place(tale, settings, unit, action.value or "")


def accept(tale: Tale, settings: Settings, action: Action) -> None:
    """The players let a flagged model stay where it is.

    Raises:
        Refused: Nothing is wrong with it.
    """
    unit = tale.state.unit(action.figure_id or "")
    if unit is None or word(unit, "open") != "flag":
        raise Refused("there is nothing to accept about that model", "FS-FLAG-19")
    told: dict[str, Value] = {}
    if _own_move(tale.state, unit):
        told = _accepted_move(unit, settings)
    rule = word(unit, "open_rule")
    tale.tell(Event("accepted", rule, unit.side, unit.figure_id, values=results(**told)))


def bumped(tale: Tale, action: Action) -> None:
    """A model was only bumped and has stood still (FS-MOVE-08).

    Raises:
        Refused: It did not move, or too far for a bump.
    """
    unit = _mover(tale.state, action)
    if not may_be_bumped(unit):
        raise Refused(f"{unit.name} was not just bumped", "FS-MOVE-08")
    tale.tell(Event("bumped", "FS-MOVE-08", unit.side, unit.figure_id))


def may_be_bumped(unit: Unit) -> bool:
    """It shifted a little and nothing else."""
    at, start = spot(unit), spot(unit, "start")
    if at is None or start is None or has_open(unit) or word(unit, "mode") in ("", STILL):
        return False
    return max(at.away(start), number(unit, "out")) <= BUMP_MM and not number(unit, "climbed")


def report(tale: Tale, settings: Settings, action: Action) -> None:
    """The players say that a model walked a longer way than measured (FS-MOVE-04).

    Raises:
        Refused: No number, a shorter way, or one longer than allowed.
    """
    unit = _mover(tale.state, action)
    if len(action.numbers) != 1 or has_open(unit):
        raise Refused("how many centimetres did it walk?", "FS-MOVE-04")
    length = action.numbers[0] * MM_PER_CM
    if length < number(unit, "moved"):
        raise Refused(f"{unit.name} cannot have walked less than measured", "FS-MOVE-04")
    climbed = number(unit, "climbed")
    facts = MoveFacts(length, (climbed,) if climbed else ())
    judged = judge(facts, settings, 0.0)
    if judged.flag is not None:
        raise Refused(f"so far {unit.name} may not go; put it back", judged.flag)
    told = results(moved_mm=length, mode=judged.verdict.mode)
    tale.tell(Event("reported", "FS-MOVE-04", unit.side, unit.figure_id, values=told))


def declare_noshoot(tale: Tale, settings: Settings, action: Action) -> None:
    """A model gives up shooting before it moves, or takes that back (FS-AMB-30).

    Raises:
        Refused: It moved already, or this is not declared in this game.
    """
    unit = _mover(tale.state, action)
    if settings.declare_noshoot != "before_move":
        raise Refused("the distance says it by itself in this game", "FS-CLIMB-02")
    if word(unit, "mode") != STILL or has_open(unit):
        raise Refused(f"{unit.name} has moved already", "FS-CLIMB-02")
    on = not unit.mark("noshoot")
    tale.tell(Event("noshoot", "FS-CLIMB-02", unit.side, unit.figure_id, values=results(on=on)))


def _mover(state: GameState, action: Action) -> Unit:
    unit = state.unit(action.figure_id or "")
    if unit is None or not unit.alive or not _own_move(state, unit):
        raise Refused("that is settled for a model of the team that moves", "FS-FLAG-10")
    return unit


def _own_move(state: GameState, unit: Unit) -> bool:
    return state.phase == Phase.MOVE and state.active_side == unit.side


def _answer_place(tale: Tale, settings: Settings, unit: Unit, value: str) -> None:
    place = spot(unit, "open")
    if place is None:
        raise Refused("nothing is asked", "FS-FLAG-19")
    where: dict[str, Value] = {"x_mm": place.x, "y_mm": place.y, "z_mm": place.z}
    measured = {
        "moved_mm": number(unit, "open_moved"),
        "climbed_mm": number(unit, "open_climbed"),
        "limit_mm": number(unit, "open_limit"),
    }

    def tell(kind: str, rule: str, **values: Value) -> None:
        told = results(**where, **measured, **values)
        tale.tell(Event(kind, rule, unit.side, unit.figure_id, values=told))

    if value == "in":
        tell("placed", "FS-SET-07")
    elif value == "out":
        tell("flagged", "FS-FLAG-12", what="deploy")
    elif value == "illegal":
        tell("flagged", word(unit, "open_flag") or "FS-FLAG-01", what="length")
    else:
        mode = data().moves[value]
        early = settings.declare_noshoot == "before_move" and not unit.mark("noshoot")
        if early and not mode.may_shoot:
            tell("flagged", "FS-FLAG-04" if mode.climbs else "FS-FLAG-02", what="length")
            return
        start = spot(unit, "start") or place
        tell(
            "moved",
            "FS-FLAG-19",
            mode=mode.name,
            may_shoot=mode.may_shoot,
            out_mm=max(place.away(start), number(unit, "out")),
        )


def _accepted_move(unit: Unit, settings: Settings) -> dict[str, Value]:
    """What an accepted move counts as: by its flag, or by the length that was measured."""
    rule = word(unit, "open_rule")
    place, at, start = spot(unit, "open"), spot(unit), spot(unit, "start")
    moved, climbed = number(unit, "open_moved"), number(unit, "open_climbed")
    if rule == "FS-FLAG-10" and place is not None and at is not None:
        moved = number(unit, "moved") + place.away(at)
    elif not moved and place is not None and start is not None:
        moved = place.away(start)
    mode = _ACCEPTED_MODES.get(rule)
    if mode is None:
        verdict = judge(MoveFacts(moved), settings, 0.0).verdict
        mode = FAR if verdict.flag else verdict.mode
    return {"mode": mode, "moved_mm": moved, "climbed_mm": climbed}
