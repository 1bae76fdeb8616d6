"""What players settle: answers, accepted places, fallen and missing figures, turning."""

from __future__ import annotations

from engine.actions import Action
from engine.dice import Dice
from engine.errors import Refused
from engine.geometry.arcs import bearing_deg
from engine.geometry.interval import Verdict
from engine.rulesets.judging import answered
from engine.rulesets.playmobil.falling import falls
from engine.rulesets.playmobil.field import on_table
from engine.rulesets.playmobil.fighting import answer_aim, take_horse
from engine.rulesets.playmobil.journeys import Journey
from engine.rulesets.playmobil.marks import Phase, count, has, kind_of, waiting
from engine.rulesets.playmobil.moving import arrived, may_move
from engine.rulesets.playmobil.setting_up import answer_numbers
from engine.rulesets.playmobil.settings import Settings
from engine.rulesets.playmobil.turns import actor, end_if_beaten, end_turn
from engine.spots import asked, flagged, number, spot, text_mark, word
from engine.state import Unit
from engine.table import TableState
from engine.tale import Tale


def answer(tale: Tale, settings: Settings, table: TableState, action: Action) -> None:
    """Answer the open question.

    Raises:
        Refused: There is none, or that is no answer to it.
    """
    question, value = answered(tale.state, action, "PM-GEO-14")
    if tale.state.phase == Phase.SETUP:
        answer_numbers(tale, settings, table, value)
    elif tale.state.phase == Phase.AFTER_KILL:
        take_horse(tale, settings, table, value == "take")
    elif text_mark(tale.state, "aim_ask"):
        answer_aim(tale, settings, table, value == "yes")
    else:
        unit = tale.state.unit(question.figure_id or "")
        if unit is not None and asked(unit):
            _answer_place(tale, unit, value == "yes")


def accept(tale: Tale, action: Action) -> None:
    """The players let a flagged figure stay where it is: a house ruling (PM-GEO-19).

    Raises:
        Refused: Nothing is wrong with it.
    """
    unit = tale.state.unit(action.figure_id or "")
    if unit is None or not flagged(unit):
        raise Refused("there is nothing to accept about that figure", "PM-GEO-19")
    if unit.mark("open_move") is True and may_move(tale.state, unit):
        _arrive(tale, unit)
        return
    tale.about("accepted", word(unit, "open_rule") or "PM-GEO-19", unit)


def fallen(tale: Tale, settings: Settings, action: Action) -> None:
    """What is the matter with a figure that lies or is not seen (PM-GEO-17, PM-GEO-18).

    Raises:
        Refused: It stands and is seen, or that is no answer.
    """
    unit = tale.state.unit(action.figure_id or "")
    down = unit is not None and unit.alive and (has(unit, "down") or unit.mark("missing"))
    if unit is None or not down:
        raise Refused("that figure stands where it should", "PM-GEO-17")
    rule = "PM-GEO-17" if has(unit, "down") else "PM-GEO-18"
    if tale.state.phase not in (Phase.ACT, Phase.DEPLOY):
        raise Refused("first finish what is under way", rule)
    if action.value == "removed":
        tale.about("removed", rule, unit)
        if kind_of(unit) in ("elephant", "chariot"):
            from_it = [u for u in tale.state.units if word(u, "aboard") == unit.figure_id]
            for man in from_it:
                if man.alive:
                    falls(tale, settings, man, rule, unit)
        end_if_beaten(tale)
    elif action.value == "stays":
        values = {"unit.down": "", "unit.missing": "", "unit.missing_asked": ""}
        tale.note("found", rule, unit, dict(values))
    else:
        raise Refused("it is removed, or it stays in the game", rule)


def turn(tale: Tale, table: TableState, action: Action) -> None:
    """A figure looks another way, free, before it attacks (PM-FACE-08, PM-ATT-08).

    Raises:
        Refused: It has attacked, waits, or no place is named.
    """
    unit = actor(tale.state, action.figure_id)
    fault = turn_fault(unit)
    if fault is not None:
        raise Refused(fault[1], fault[0])
    figure = on_table(tale.state, table, unit)
    if action.point_mm is None or figure is None or action.point_mm == figure.position_mm:
        raise Refused("to where does it look?", "PM-FACE-08")
    faces = bearing_deg(figure.position_mm, action.point_mm)
    tale.note("turned", "PM-FACE-08", unit, {"unit.faces": faces + 0.001})


def turn_fault(unit: Unit) -> tuple[str, str] | None:
    """Why a figure cannot turn now, None when it can."""
    if kind_of(unit) == "engine" or word(unit, "aboard"):
        return "PM-FACE-10", f"{unit.name} has no facing of its own"
    if has(unit, "attacked") or has(unit, "threw") or count(unit, "shots"):
        return "PM-ATT-08", f"{unit.name} may turn round only next turn"
    if waiting(unit):
        return "PM-DIS-01", f"{unit.name} is waiting"
    return None


def done(tale: Tale, settings: Settings, table: TableState, action: Action, dice: Dice) -> None:
    """The player is done with this turn; figures may be left idle (PM-TURN-03)."""
    end_turn(tale, settings, table, action.side, dice)


def call_off(tale: Tale, action: Action) -> None:
    """A declared charge is not made.

    Raises:
        Refused: None is declared.
    """
    unit = actor(tale.state, action.figure_id)
    if not word(unit, "charge_of"):
        raise Refused("no charge is declared", "PM-CAV-13")
    tale.note("called_off", "PM-CAV-13", unit, {"unit.charge_of": ""})


def stop_waiting(tale: Tale, action: Action) -> None:
    """A man gives up waiting; this turn is lost to him all the same.

    Raises:
        Refused: He does not wait.
    """
    unit = actor(tale.state, action.figure_id)
    if not waiting(unit):
        raise Refused(f"{unit.name} does not wait", "PM-DIS-01")
    tale.note("wait_broken", "PM-DIS-01", unit, {
        "unit.wait": "", "unit.wait_turn": "", "unit.wait_on": "", "unit.moved": True,
    })  # fmt: skip


def _answer_place(tale: Tale, unit: Unit, yes: bool) -> None:
    place = spot(unit, "open")
    if place is None:
        raise Refused("nothing is asked", "PM-GEO-14")
    length, limit = number(unit, "open_mm"), number(unit, "open_limit")
    if not yes:
        deploying = tale.state.phase == Phase.DEPLOY
        tale.at(
            "flagged", "PM-PREP-07" if deploying else "PM-TURN-02", unit, place,
            code="DEPLOY_ZONE" if deploying else "TOO_FAR", moved_mm=length, limit_mm=limit,
            move=unit.mark("open_move"), charge_of=word(unit, "open_charge"),
        )  # fmt: skip
    elif unit.mark("open_move") is True and may_move(tale.state, unit):
        _arrive(tale, unit)
    else:
        tale.at("placed", "PM-GEO-14", unit, place, moved_mm=length, limit_mm=limit)


def _arrive(tale: Tale, unit: Unit) -> None:
    """The place of a move is taken as it is."""
    place = spot(unit, "open")
    if place is None:
        return
    went = Journey(
        Verdict.YES, "", number(unit, "open_mm"), number(unit, "open_limit"),
        again=has(unit, "moved"), charge_of=word(unit, "open_charge"),
    )  # fmt: skip
    arrived(tale, unit, place, went)
