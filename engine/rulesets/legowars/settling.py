"""What players settle: answers, accepted places, models that fell over, agreements."""

from __future__ import annotations

from engine.actions import Action
from engine.errors import Refused
from engine.events import Event, results
from engine.rulesets.judging import answered
from engine.rulesets.legowars import flow
from engine.rulesets.legowars.climbing import open_falls
from engine.rulesets.legowars.fighting import answer_aim
from engine.rulesets.legowars.marks import (
    IN_PLAY,
    MAN,
    UNDER_WAY,
    Phase,
    full_hands,
    kind_of,
    must_flee,
)
from engine.rulesets.legowars.setting_up import answer_height, answer_lists
from engine.rulesets.legowars.settings import Settings
from engine.spots import asked, flagged, number, spot, text_mark, word
from engine.state import Unit
from engine.table import TableState
from engine.tale import Tale

AGREED = ("noted", "falls", "out", "club")


def answer(tale: Tale, settings: Settings, table: TableState, action: Action) -> None:
    """Answer the open question.

    Raises:
        Refused: There is none, or that is no answer to it.
    """
    question, value = answered(tale.state, action, "LW-GEN-09")
    if question.question_id.startswith("height/"):
        answer_height(tale, settings, table, value == "yes")
    elif question.question_id == "lists":
        answer_lists(tale, table, value == "yes")
    elif text_mark(tale.state, "ask"):
        answer_aim(tale, settings, table, value)
    else:
        unit = tale.state.unit(question.figure_id or "")
        if unit is not None and asked(unit):
            _answer_place(tale, unit, value == "yes")


def _answer_place(tale: Tale, unit: Unit, yes: bool) -> None:
    place = spot(unit, "open")
    if place is None:
        raise Refused("nothing is asked", "LW-MOVE-01")
    told = {"moved_cm": number(unit, "open_cm"), "limit_cm": number(unit, "open_limit")}
    if yes:
        tale.at("moved", "LW-MOVE-01", unit, place, **told)
    else:
        tale.at("flagged", "LW-MOVE-01", unit, place, code="LW-FLAG-01", **told)


def accept(tale: Tale, settings: Settings, table: TableState, action: Action) -> None:
    """The players let a flagged model stay where it is.

    Raises:
        Refused: Nothing is wrong with it.
    """
    unit = tale.state.unit(action.figure_id or "")
    if unit is None or not flagged(unit):
        raise Refused("there is nothing to accept about that model", "LW-TURN-08")
    tale.about("accepted", word(unit, "open_rule") or "LW-TURN-08", unit)
    if must_flee(tale.now(unit)) and tale.state.phase == Phase.MOVE:
        tale.about("calmed", "LW-HORSE-09", tale.now(unit))


def fallen(tale: Tale, settings: Settings, action: Action) -> None:
    """What is the matter with a model that lies or is not seen.

    Raises:
        Refused: It stands and is seen, or that is no answer.
    """
    unit = tale.state.unit(action.figure_id or "")
    if unit is None or not unit.alive or not (unit.mark("down") or unit.mark("missing")):
        raise Refused("that model stands where it should", "LW-STAT-08")
    if action.value == "stays":
        tale.about("stood_up" if unit.mark("down") else "found", "LW-STAT-08", unit)
    elif action.value == "out":
        _out(tale, unit)
    else:
        raise Refused("it stays in the game, or it is out", "LW-STAT-08")


def agree(tale: Tale, settings: Settings, table: TableState, action: Action) -> None:
    """The players agree on something no rule lists (LW-SIEGE-10, LW-LADD-12, LW-WPN-02).

    Raises:
        Refused: It is no time for it, or nothing they can agree on.
    """
    state = tale.state
    unit = state.unit(action.figure_id or "")
    what = action.value or ""
    if state.phase not in IN_PLAY or state.phase in UNDER_WAY:
        raise Refused("agree on it between two attacks", "LW-SIEGE-10")
    if unit is None or what not in AGREED or not unit.alive:
        raise Refused(f"you can agree on: {', '.join(AGREED)}", "LW-SIEGE-10")
    if what == "club" and full_hands(unit, settings):
        raise Refused(f"{unit.name} has both hands full", "LW-FLAG-15")
    tale.about("agreed", "LW-SIEGE-10", unit, what=what)
    if what == "out":
        _out(tale, unit)
    elif what == "falls" and kind_of(unit) == MAN:
        open_falls(tale, "LW-LADD-12", [unit], Phase(state.phase))
    elif what == "club":
        values = results(equipment=(*unit.equipment, "club"), thing="club")
        tale.tell(Event("gear", "LW-WPN-02", unit.side, unit.figure_id, values=values))


def _out(tale: Tale, unit: Unit) -> None:
    if tale.state.phase in UNDER_WAY:
        raise Refused("first finish the attack under way", "LW-TURN-11")
    tale.about("killed", "LW-STAT-09", unit, agreed=True)
    if tale.state.phase in IN_PLAY:
        flow.over_if_won(tale)
