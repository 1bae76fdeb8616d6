"""One sentence for every flag, with the numbers of the case."""

from __future__ import annotations

from engine.events import Event
from engine.rulesets.legowars.data import data
from engine.spots import name_of, side_name
from engine.state import GameState
from engine.words import BY_RULER


def flag_sentence(state: GameState, event: Event) -> str:
    """What is wrong with where a model stands."""
    name = name_of(state, event.figure_id)
    code = event.text("code")
    moved, limit = event.number("moved_cm"), event.number("limit_cm")
    if code == "DEPLOY":
        return f"{name} stands {moved - limit:.1f} centimetres outside the band of its side."
    if code == "LW-FLAG-01":
        over = moved - limit
        told = f"moved {moved:.1f} centimetres, the limit is {limit:g}: {over:.1f} too far"
        if over <= 0:
            told = f"moved more than {limit:g} centimetres {BY_RULER}"
        return f"{name} {told}. Put it back or accept it."
    if code in ("LW-FLAG-02", "LW-FLAG-22") and state.active_side is not None:
        step = "moves" if state.phase == "MOVE" else "attacks"
        side = side_name(state.active_side)
        return f"{name} changed place during {side}'s {step} ({moved:.1f} cm). A bump? Put it back."
    text = data().flags[code].text.format(figure=name, target=name_of(state, event.target_id))
    return f"{text} Put it back or accept it."
