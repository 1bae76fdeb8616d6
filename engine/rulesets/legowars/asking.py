"""The one question that must be answered first, read off the state."""

from __future__ import annotations

from engine.rulesets.judging import place_question
from engine.rulesets.legowars.marks import BEFORE, Phase, living
from engine.spots import asked, name_of, number, number_mark, text_mark
from engine.state import GameState, Question, Unit


def question_of(state: GameState) -> Question | None:
    """What the players must answer before the game goes on, or None."""
    if state.phase == Phase.GAME_OVER:
        return None
    if text_mark(state, "height_of"):
        return _height(state)
    if state.phase == Phase.BUY and text_mark(state, "lists") == "asked":
        return Question(
            "lists",
            "Is this what everybody wears and holds?",
            (("yes", "Yes"), ("no", "No, let us change it")),
            rule="LW-ARM-01",
        )
    if text_mark(state, "ask"):
        return _aim(state)
    return next((_place(state, unit) for unit in living(state) if asked(unit)), None)


def _height(state: GameState) -> Question:
    name, called = text_mark(state, "height_of"), text_mark(state, "height_name")
    bricks, mm = number_mark(state, "height_bricks"), number_mark(state, "height_mm")
    return Question(
        f"height/{name}",
        f"Is {called} {bricks:.3g} bricks high? It reads {mm:.0f} millimetres.",
        (("yes", "Yes"), ("no", "No, I put it right")),
        rule="LW-GEN-09",
    )


def _aim(state: GameState) -> Question:
    what = text_mark(state, "ask")
    target = name_of(state, text_mark(state, "ask_target"))
    told, limit = number_mark(state, "ask_cm"), number_mark(state, "ask_limit")
    choices = {
        "reach": (("yes", "In reach"), ("no", "Out of reach")),
        "short": (("yes", "Short range"), ("no", "Long range")),
        "long": (("yes", "Long range"), ("no", "Out of range")),
        "cover": (("clear", "Clear"), ("cover", "In cover"), ("not_visible", "Not seen at all")),
    }[what]
    text = f"Too close for me: {target} is about {told:.1f} of {limit:g} cm away. Use the ruler."
    if what == "cover":
        text = f"{target} is about {round(100 * told)} in 100 hidden. How do you see it?"
    return Question(
        f"{what}/{text_mark(state, 'ask_target')}",
        text,
        choices,
        side=state.active_side,
        figure_id=text_mark(state, "ask_by"),
        rule="LW-COV-06" if what == "cover" else "LW-RNG-05" if what != "reach" else "LW-MEL-02",
    )


def _place(state: GameState, unit: Unit) -> Question:
    moved, limit = number(unit, "open_cm"), number(unit, "open_limit")
    verb = "stands" if state.phase in BEFORE else "moved"
    text = f"Too close for me: {unit.name} {verb} about {moved:.1f} of {limit:g} centimetres."
    return place_question(unit, text, "LW-MOVE-01")
