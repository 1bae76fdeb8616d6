"""The one question that must be answered first, read off the state."""

from __future__ import annotations

from engine.rulesets.figurslag.marks import (
    Phase,
    name_of,
    number,
    number_mark,
    side_name,
    text_mark,
    word,
)
from engine.rulesets.figurslag.words import cm
from engine.spots import living
from engine.state import GameState, Question, Unit

MODE_WORDS = {
    "still": "It stood still",
    "normal": "It may shoot",
    "far": "No shooting this turn",
    "climb": "A climb; it may shoot",
    "climb_noshoot": "A climb without shooting",
    "illegal": "Too far",
    "in": "Inside the strip",
    "out": "Outside the strip",
    "apart": "They do not overlap",
    "overlap": "They overlap",
}


def question_of(state: GameState) -> Question | None:
    """What the players must answer before the game goes on, or None."""
    if state.phase == Phase.OVER:
        return None
    if state.phase == Phase.CONCEDE:
        return _concede(state)
    if state.phase == Phase.SHOT_CHECK and text_mark(state, "shot_ask"):
        return _shot(state)
    for unit in living(state):
        if word(unit, "open") == "ask":
            return _place(unit)
    return None


def _concede(state: GameState) -> Question:
    side = text_mark(state, "conceding")
    return Question(
        "concede",
        f"{side_name(side)} wants to give up. Sure?",
        (("yes", "Yes, give up"), ("no", "No, play on")),
        side=side,
        rule="FS-WIN-03",
    )


def _shot(state: GameState) -> Question:
    shooter = text_mark(state, "shot_by")
    target = name_of(state, text_mark(state, "shot_at"))
    what = text_mark(state, "shot_ask")
    lo, hi = number_mark(state, "shot_lo"), number_mark(state, "shot_hi")
    limit = number_mark(state, "shot_limit")
    if what == "sight":
        text = (
            f"Just about half of {target} shows; more than half is needed. "
            "Crouch and check, or accept my no?"
        )
        choices = (("yes", "It is seen"), ("no", "Not seen"))
    elif hi - lo > 0.05:
        text = (
            f"I cannot see how a base is turned: {target} is between {cm(lo)} cm and {cm(hi)} cm, "
            f"the limit is {cm(limit)} cm. Stick, please."
        )
        choices = (("yes", "In range"), ("no", "Out of range"))
    else:
        text = (
            f"Within my error: {target} is at {cm(lo)} cm against {cm(limit)} cm. "
            "Stick, please, or accept."
        )
        choices = (("yes", "In range"), ("no", "Out of range"))
    return Question(
        f"{what}/{shooter}/{text_mark(state, 'shot_at')}",
        text,
        choices,
        side=state.active_side,
        figure_id=shooter,
        rule="FS-FLAG-19",
    )


def _place(unit: Unit) -> Question:
    lo, hi = word(unit, "open_lo"), word(unit, "open_hi")
    measured, limit = number(unit, "open_moved"), number(unit, "open_limit")
    what = word(unit, "open_what")
    if what == "overlap":
        text = f"I cannot tell whether {unit.name}'s base overlaps another. Please look."
    elif what == "deploy":
        text = (
            f"Within my error: {unit.name} stands {cm(measured)} cm in against "
            f"{cm(limit)} cm. Stick, please, or accept."
        )
    else:
        text = (
            f"Within my error: {unit.name} moved {cm(measured)} cm against {cm(limit)} cm. "
            "Stick, please, or accept."
        )
    return Question(
        f"{what or 'move'}/{unit.figure_id}",
        text,
        tuple((value, MODE_WORDS.get(value, value)) for value in (lo, hi)),
        side=unit.side,
        figure_id=unit.figure_id,
        rule="FS-FLAG-19",
    )
