"""What players settle: answers, accepted places, fallen and missing figures."""

from __future__ import annotations

from engine.actions import Action
from engine.errors import Refused
from engine.events import Event, Value, results
from engine.geometry.interval import Verdict
from engine.rulesets.follow_me import setting_up, turning
from engine.rulesets.follow_me.brawling import name_victim
from engine.rulesets.follow_me.marks import Phase, asked, flagged, has, living
from engine.rulesets.follow_me.moving import Journey, arrived
from engine.rulesets.follow_me.play import Play
from engine.rulesets.follow_me.shooting import answer_range
from engine.rulesets.follow_me.testing import answer_surprise
from engine.spots import number, spot, spot_of, word
from engine.state import Unit


def ready(play: Play, action: Action) -> None:
    """Everybody is ready: the first turn begins (FM-SET-14)."""
    if setting_up.ready(play):
        turning.begin_turn(play)


def answer(play: Play, action: Action) -> None:
    """Answer the open question.

    Raises:
        Refused: There is none, or that is no answer to it.
    """
    question = play.state.question
    if question is None:
        raise Refused("nothing is asked", "FM-GEO-14")
    value = action.value or ""
    if value not in {one for one, _ in question.choices}:
        allowed = ", ".join(one for one, _ in question.choices)
        raise Refused(f"the answer is one of {allowed}", question.rule)
    yes, what = value == "yes", question.question_id.partition("/")[0]
    if what == "mine":
        told: dict[str, Value] = {"game.ask_mine": "", "game.mine": value, "yes": yes}
        play.tell(Event("mine_settled", "FM-SET-14", values=results(**told)))
        ready(play, action)
    elif what == "over":
        turning.answer_end(play, yes)
    elif what == "victim":
        name_victim(play, value)
        turning.advance(play)
    elif what == "range":
        answer_range(play, yes)
    elif what == "surprise":
        answer_surprise(play, yes)
        turning.advance(play)
    else:
        unit = next(u for u in living(play.state) if asked(u))
        _answer_place(play, unit, yes)


def _answer_place(play: Play, unit: Unit, yes: bool) -> None:
    here = spot(unit, "open")
    length, limit = number(unit, "open_mm"), number(unit, "open_limit")
    if here is None:
        return
    if yes:
        went = Journey(Verdict.YES, "", length, limit, word(unit, "open_kind"))
        arrived(play, unit, here, went)
        return
    play.at("flagged", "FM-MOVE-01", unit, here, code="TOO_FAR", moved_mm=length,
            limit_mm=limit, order=word(unit, "open_kind"))  # fmt: skip


def accept(play: Play, action: Action) -> None:
    """A house ruling: a figure stays where it stands (FM-GEO-19).

    Raises:
        Refused: No flag is open about it, and it is not to be put anywhere.
    """
    unit = play.state.unit(action.figure_id or "")
    if unit is None or not (flagged(unit) or has(unit, "placing")):
        raise Refused("there is nothing to accept about that figure", "FM-GEO-19")
    if has(unit, "placing"):
        figure = next((f for f in play.table.figures if f.figure_id == unit.figure_id), None)
        if figure is None:
            play.about("put", "FM-GEO-12", unit)
        else:
            play.at("put", "FM-GEO-12", unit, spot_of(figure))
        return
    moved = number(unit, "open_mm")
    values: dict[str, Value] = {"unit.moved": moved} if play.state.phase == Phase.MOVE else {}
    play.note("accepted", word(unit, "open_rule") or "FM-GEO-19", unit, values)


def fallen(play: Play, action: Action) -> None:
    """A figure lies or is not seen: the players say why (FM-GEO-17, FM-GEO-18).

    Raises:
        Refused: It stands where it should, or that is no answer.
    """
    unit = play.state.unit(action.figure_id or "")
    down = unit is not None and unit.alive and (has(unit, "down") or unit.mark("missing"))
    if unit is None or not down:
        raise Refused("that figure stands where it should", "FM-GEO-17")
    rule = "FM-GEO-17" if has(unit, "down") else "FM-GEO-18"
    if play.state.phase not in (Phase.DECLARE, Phase.MOVE, Phase.MORALE):
        raise Refused("first finish what is under way", rule)
    if action.value == "removed":
        play.about("removed", rule, unit)
        turning.advance(play)
    elif action.value == "stays":
        values: dict[str, Value] = {"unit.down": "", "unit.missing": "", "unit.missing_asked": ""}
        play.note("found", rule, unit, values)
    else:
        raise Refused("it is removed, or it stays in the game", rule)
