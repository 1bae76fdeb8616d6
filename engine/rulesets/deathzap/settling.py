"""What players settle: answers, accepted places, fallen and missing fighters."""

from __future__ import annotations

from engine.actions import Action
from engine.errors import Refused
from engine.events import Event
from engine.geometry.interval import Verdict
from engine.rulesets.deathzap.fighting import answer_aim
from engine.rulesets.deathzap.flow import (
    after_action,
    end_activation,
    end_if_beaten,
    over,
    pass_on,
)
from engine.rulesets.deathzap.marks import DEPLOYING, Phase, active
from engine.rulesets.deathzap.moving import Journey, arrived, may_move
from engine.rulesets.deathzap.setting_up import choose_multi
from engine.rulesets.deathzap.settings import Settings
from engine.rulesets.judging import answered
from engine.spots import asked, flagged, number, spot, text_mark, word
from engine.state import Unit
from engine.table import TableState
from engine.tale import Tale


def answer(tale: Tale, settings: Settings, table: TableState, action: Action) -> None:
    """Answer the open question.

    Raises:
        Refused: There is none, or that is no answer to it.
    """
    question, value = answered(tale.state, action, "DZ-GEO-14")
    if question.question_id == "multi":
        choose_multi(tale, value)
    elif question.question_id == "draw":
        _answer_draw(tale, value == "accept")
    elif text_mark(tale.state, "ask"):
        answer_aim(tale, settings, table, value == "yes")
    else:
        unit = tale.state.unit(question.figure_id or "")
        if unit is not None and asked(unit):
            _answer_place(tale, settings, table, unit, value == "yes")


def accept(tale: Tale, settings: Settings, table: TableState, action: Action) -> None:
    """The players let a flagged fighter stay where it is: a house ruling (DZ-GEO-19, DZ-MOVE-04).

    Raises:
        Refused: Nothing is wrong with it.
    """
    unit = tale.state.unit(action.figure_id or "")
    if unit is None or not flagged(unit):
        raise Refused("there is nothing to accept about that fighter", "DZ-GEO-19")
    rule = word(unit, "open_rule") or "DZ-GEO-19"
    if unit.mark("open_move") is True and may_move(tale.state, unit):
        _arrive(tale, settings, table, unit)
        return
    tale.about("accepted", rule, unit)


def fallen(tale: Tale, settings: Settings, action: Action) -> None:
    """What is the matter with a fighter that lies or is not seen (DZ-GEO-17, DZ-GEO-18).

    Raises:
        Refused: It stands and is seen, or that is no answer.
    """
    unit = tale.state.unit(action.figure_id or "")
    if unit is None or not unit.alive or not (unit.mark("down") or unit.mark("missing")):
        raise Refused("that fighter stands where it should", "DZ-GEO-17")
    rule = "DZ-GEO-17" if unit.mark("down") else "DZ-GEO-18"
    if action.value == "removed":
        if tale.state.phase in (Phase.ROLL, Phase.MORALE, Phase.TARGET):
            raise Refused("first finish the attack under way", "DZ-CHAIN-13")
        was_active = text_mark(tale.state, "fighter") == unit.figure_id
        tale.about("removed", rule, unit)
        if not end_if_beaten(tale) and was_active:
            end_activation(tale, settings)
    elif action.value == "stays":
        tale.about("stood_up" if rule == "DZ-GEO-17" else "found", rule, unit)
    else:
        raise Refused("it is removed, or it stays in the game", rule)


def finish(tale: Tale, settings: Settings, action: Action) -> None:
    """The rest of the activation is dropped (DZ-AP-06, DZ-CHAIN-09).

    Raises:
        Refused: Nobody is activated, or an attack is under way.
    """
    state = tale.state
    unit = active(state)
    if state.phase == Phase.MORALE:
        raise Refused("first morale is tested", "DZ-MORALE-01")
    if unit is None or state.phase != Phase.CHOOSE_ACTION:
        raise Refused("no activation can end now", "DZ-AP-06")
    if action.side is not None and action.side != unit.side:
        raise Refused("the other player is active", "DZ-CHAIN-05")
    if unit.mark("open"):
        raise Refused(f"first put {unit.name} back or accept where it stands", "DZ-GEO-19")
    end_activation(tale, settings)


def _answer_draw(tale: Tale, yes: bool) -> None:
    if yes:
        over(tale, "draw", "DZ-CHAIN-14")
        return
    side = tale.state.active_side or ""
    tale.tell(Event("draw_refused", "DZ-CHAIN-14", side))
    pass_on(tale, side)


def _answer_place(tale: Tale, settings: Settings, table: TableState, unit: Unit, yes: bool) -> None:
    place = spot(unit, "open")
    if place is None:
        raise Refused("nothing is asked", "DZ-GEO-14")
    length, limit = number(unit, "open_mm"), number(unit, "open_limit")
    if not yes:
        deploying = tale.state.phase in DEPLOYING
        rule = "DZ-DEP-04" if deploying else "DZ-MOVE-01"
        tale.at(
            "flagged",
            rule,
            unit,
            place,
            code="DEPLOY_ZONE" if deploying else "TOO_FAR",
            moved_mm=length,
            limit_mm=limit,
            move=unit.mark("open_move"),
        )
    elif unit.mark("open_move") is True and may_move(tale.state, unit):
        _arrive(tale, settings, table, unit)
    else:
        tale.at("placed", "DZ-GEO-14", unit, place, moved_mm=length, limit_mm=limit)


def _arrive(tale: Tale, settings: Settings, table: TableState, unit: Unit) -> None:
    """The place of a move is taken as it is."""
    place = spot(unit, "open")
    if place is None:
        return
    went = Journey(Verdict.YES, "", number(unit, "open_mm"), number(unit, "open_limit"))
    arrived(tale, settings, table, unit, place, went)


def act(tale: Tale, settings: Settings, kind: str, unit: Unit) -> None:
    """Defend or boost (DZ-DEF-01, DZ-BST-01)."""
    if kind == "defend":
        tale.about("defended", "DZ-DEF-01", unit)
    else:
        tale.about("boosted", "DZ-BST-01", unit)
    after_action(tale, settings)
