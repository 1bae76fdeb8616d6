"""The one question that must be answered first, read off the state."""

from __future__ import annotations

from engine.roster import state_mark
from engine.rulesets.deathzap.data import data
from engine.rulesets.deathzap.marks import DEPLOYING, Phase
from engine.rulesets.judging import place_question
from engine.spots import asked, living, name_of, number, number_mark, text_mark
from engine.state import GameState, Question, Unit

MULTI_KEY = "dz.chain.multi"
MULTI_WORDS = {
    "last_attack": "The last attack decides",
    "any_survivor": "Any survivor acts",
    "any_kill": "One kill is enough",
}


def question_of(state: GameState) -> Question | None:
    """What the players must answer before the game goes on, or None."""
    if state.phase == Phase.SETUP and state_mark(state, "shown") is True:
        return Question(
            "multi",
            "Two attacks by one fighter: the last one decides who acts next. "
            "Or should any survivor act, or one kill be enough?",
            tuple((value, MULTI_WORDS[str(value)]) for value in _choices()),
            rule="DZ-GEN-09",
        )
    if state.phase == Phase.OFFER_DRAW:
        return Question(
            "draw",
            f"{int(number_mark(state, 'idle'))} activations without an attack. Call it a draw?",
            (("accept", "A draw"), ("refuse", "Play on")),
            rule="DZ-CHAIN-14",
        )
    if state.phase == Phase.TARGET and text_mark(state, "ask"):
        return _aim(state)
    if state.phase == Phase.FINISHED:
        return None
    return next((_place(state, unit) for unit in living(state) if asked(unit)), None)


def _choices() -> tuple[str, ...]:
    return tuple(str(choice) for choice in data().options[MULTI_KEY].option.choices)


def _aim(state: GameState) -> Question:
    target = name_of(state, text_mark(state, "aim_target"))
    length, limit = number_mark(state, "ask_mm"), number_mark(state, "ask_limit")
    words = {
        "range": ("In range", "Out of range"),
        "close": ("Near enough", "Too far for it"),
    }[text_mark(state, "ask")]
    return Question(
        f"{text_mark(state, 'ask')}/{text_mark(state, 'aim_target')}",
        f"Too close to call: {target} is {length:.0f} of {limit:.0f} millimetres away.",
        (("yes", words[0]), ("no", words[1])),
        side=state.active_side,
        figure_id=text_mark(state, "fighter"),
        rule="DZ-GEO-14",
    )


def _place(state: GameState, unit: Unit) -> Question:
    length, limit = number(unit, "open_mm"), number(unit, "open_limit")
    verb = "stands" if state.phase in DEPLOYING else "moved"
    text = f"Too close to call: {unit.name} {verb} {length:.0f} of {limit:.0f} millimetres."
    return place_question(unit, text, "DZ-GEO-14")
