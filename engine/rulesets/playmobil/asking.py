"""The one question that must be answered first, read off the state."""

from __future__ import annotations

from engine.rulesets.judging import place_question
from engine.rulesets.playmobil.marks import Phase
from engine.spots import asked, living, name_of, number, number_mark, text_mark
from engine.state import GameState, Question, Unit
from engine.words import small_number


def question_of(state: GameState) -> Question | None:
    """What the players must answer before the game goes on, or None."""
    if state.phase == Phase.SETUP and text_mark(state, "agree"):
        return _numbers(state, text_mark(state, "agree"))
    if state.phase == Phase.AFTER_KILL:
        return Question(
            "horse",
            f"Does {name_of(state, text_mark(state, 'aim_by'))} take the horse? "
            "Otherwise it falls too.",
            (("take", "Take the horse"), ("leave", "The horse falls")),
            side=state.active_side,
            figure_id=text_mark(state, "aim_by"),
            rule="PM-HORSE-01",
        )
    if state.phase == Phase.ACT and text_mark(state, "aim_ask"):
        return _aim(state)
    if state.phase == Phase.FINISHED:
        return None
    return next((_place(state, unit) for unit in living(state) if asked(unit)), None)


def _numbers(state: GameState, what: str) -> Question:
    """Hits and dice of an engine or a wall, proposed and to be agreed (PM-PREP-09)."""
    hits, dice = int(number_mark(state, "agree_hits")), int(number_mark(state, "agree_dice"))
    name = text_mark(state, "agree_name")
    stands = f"{small_number(hits)} artillery hit{'' if hits == 1 else 's'}"
    if dice:
        words = (
            f"{name} can be burned and shot to pieces. {small_number(dice).capitalize()} dice "
            f"against fire arrows, {stands}: agreed?"
        )
    else:
        words = f"{name}: {stands}: agreed?"
    more = (("more", "One hit more"),) if hits < 20 else ()
    fewer = (("fewer", "One hit fewer"),) if hits > 1 else ()
    extra = (("dice", "One die more"),) if 0 < dice < 6 else ()
    less = (("fewer_dice", "One die fewer"),) if dice > 1 else ()
    rule = "PM-SIEGE-13" if dice else "PM-PREP-09"
    return Question(
        f"agree/{what}", words, (("yes", "Agreed"), *more, *fewer, *extra, *less), rule=rule
    )


def _aim(state: GameState) -> Question:
    target = name_of(state, text_mark(state, "aim_target"))
    length, limit = number_mark(state, "aim_mm"), number_mark(state, "aim_limit")
    return Question(
        f"range/{text_mark(state, 'aim_target')}",
        f"Too close to call: {target} is {length:.0f} of {limit:.0f} millimetres away.",
        (("yes", "In reach"), ("no", "Too far")),
        side=state.active_side,
        figure_id=text_mark(state, "aim_by"),
        rule="PM-GEO-14",
    )


def _place(state: GameState, unit: Unit) -> Question:
    length, limit = number(unit, "open_mm"), number(unit, "open_limit")
    verb = "stands" if state.phase == Phase.DEPLOY else "moved"
    text = f"Too close to call: {unit.name} {verb} {length:.0f} of {limit:.0f} millimetres."
    return place_question(unit, text, "PM-GEO-14")
