"""The one question that must be answered first, read off the state."""

from __future__ import annotations

from engine.rulesets.follow_me.data import data
from engine.rulesets.follow_me.marks import Phase, asked, listed_mark, living
from engine.spots import name_of, number, number_mark, side_name, text_mark, word
from engine.state import GameState, Question, Unit


def question_of(state: GameState) -> Question | None:
    """What the players must answer before the game goes on, or None."""
    if state.phase == Phase.FINISHED:
        return None
    if text_mark(state, "ask_mine"):
        cost, answers = data().spells["mine"].cost, (("yes", "Yes"), ("no", "No"))
        proposed = dict(state.options)["fm.mine.big_things"]
        return Question(
            "mine",
            f"The spell {data().spells['mine'].name.title()} can take over a dragon or a giant "
            f"for {cost} points. Shall it be so in this game?",
            answers if proposed else answers[::-1],
            rule="FM-SET-14",
        )
    if text_mark(state, "ask_over"):
        return _over(state, text_mark(state, "ask_over"))
    if text_mark(state, "ask_victim"):
        return _victim(state)
    if text_mark(state, "ask_aim"):
        return _range(state)
    if text_mark(state, "ask_surprise"):
        return _surprise(state)
    return next((_place(unit) for unit in living(state) if asked(unit)), None)


def _over(state: GameState, outcome: str) -> Question:
    lost = [side for side in text_mark(state, "lost").split(",") if side]
    names = " and ".join(side_name(side) for side in lost)
    winner = "nobody" if outcome == "draw" else side_name(outcome)
    return Question(
        "over",
        f"{names}: no hero is left, or every contingent is beaten. Do all agree that {winner} "
        "has won?",
        (("yes", "Agreed"), ("no", "Play on")),
        rule="FM-END-01",
    )


def _victim(state: GameState) -> Question:
    """Whom the single fighter kills (FM-MELEE-11, FM-MELEE-19)."""
    index = int(text_mark(state, "ask_victim"))
    single, many = listed_mark(state, "fights")[index][:2]
    can = text_mark(state, "ask_victims").split(",")
    choices = tuple((name, name_of(state, name)) for name in many.split(",") if name in can)
    unit = state.unit(single)
    return Question(
        f"victim/{index}",
        f"{name_of(state, single)} wins. Which one falls?",
        choices,
        side=None if unit is None else unit.side,
        figure_id=single,
        rule="FM-MELEE-11",
    )


def _range(state: GameState) -> Question:
    """A target at the end of a band (FM-GEO-14)."""
    shooter, target = text_mark(state, "ask_aim").split("|")
    length, limit = number_mark(state, "ask_aim_mm"), number_mark(state, "ask_aim_limit")
    unit = state.unit(shooter)
    return Question(
        f"range/{target}",
        f"Too close to call: {name_of(state, target)} is {length:.0f} millimetres away, the band "
        f"ends at {limit:.0f}.",
        (("yes", "Within it"), ("no", "Beyond it")),
        side=None if unit is None else unit.side,
        figure_id=shooter,
        rule="FM-GEO-14",
    )


def _surprise(state: GameState) -> Question:
    """A group that saw nobody of those who came at it (FM-MORALE-26)."""
    group, by = text_mark(state, "ask_surprise").split("|")
    return Question(
        f"surprise/{group}",
        f"{name_of(state, group)}'s group saw nobody of {name_of(state, by)}'s at the start. "
        "Was it surprised?",
        (("yes", "Surprised"), ("no", "Not surprised")),
        rule="FM-MORALE-26",
    )


def _place(unit: Unit) -> Question:
    length, limit = number(unit, "open_mm"), number(unit, "open_limit")
    return Question(
        f"place/{unit.figure_id}",
        f"Too close to call: {unit.name} moved {length:.0f} of {limit:.0f} millimetres.",
        (("yes", "It is all right"), ("no", "It is too far")),
        side=unit.side,
        figure_id=unit.figure_id,
        rule=word(unit, "open_rule") or "FM-GEO-14",
    )
