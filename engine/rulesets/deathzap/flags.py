"""One sentence for every flag, with the numbers of the case."""

from __future__ import annotations

from engine.events import Event
from engine.rulesets.deathzap.data import data
from engine.spots import name_of, text_mark
from engine.state import GameState
from engine.words import BY_RULER


def flag_sentence(state: GameState, event: Event) -> str:
    """What is wrong with where a fighter stands."""
    name = name_of(state, event.figure_id)
    code = event.text("code")
    moved, limit = event.number("moved_mm"), event.number("limit_mm")
    if code == "TOO_FAR":
        back = moved - limit
        if back <= 0.0:
            return f"{name}: more than {limit:.0f} millimetres {BY_RULER}. Put it back a little."
        return f"{name}: {moved:.0f} of {limit:.0f} millimetres. Back by {back:.0f}."
    if code == "THROUGH_FIGHTER" and moved > limit:
        return (
            f"{name}: fighters are in the way; round them it is {moved:.0f} of {limit:.0f} "
            "millimetres. Put it back."
        )
    if code == "DEPLOY_ZONE":
        out = moved - limit
        if out > 0.0:
            return f"{name} sticks out of the zone by {out:.0f} millimetres."
        return f"{name} stands over the edge of the board."
    if code == "WRONG_FIGHTER":
        acts = name_of(state, text_mark(state, "fighter"))
        return f"{name} moved {moved:.0f} millimetres, but {acts} must act now. Put it back."
    if code == "MOVED":
        was = f"{event.number('was_x'):.0f}, {event.number('was_y'):.0f}"
        place = f" Its place is {was}." if event.value("was_x") is not None else ""
        return f"{name} moved {moved:.0f} millimetres without a right to.{place}"
    text = data().flags[code].text.format(figure=name, target=name_of(state, event.target_id))
    return f"{text} Put it back."
