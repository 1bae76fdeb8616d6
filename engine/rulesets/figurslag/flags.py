"""One sentence for every flag, with the numbers of the case."""

from __future__ import annotations

from engine.events import Event
from engine.rulesets.figurslag.data import data
from engine.rulesets.figurslag.marks import name_of, side_name
from engine.rulesets.figurslag.settings import Settings
from engine.rulesets.figurslag.words import cm
from engine.state import GameState


def flag_sentence(state: GameState, settings: Settings, event: Event) -> tuple[str, str]:
    """Text and spoken text of a flag event; the general sentence where no numbers add to it."""
    rule, what = event.rule or "", event.text("what")
    name = name_of(state, event.figure_id)
    moved, limit = event.number("moved_mm"), event.number("limit_mm")
    if rule in ("FS-FLAG-01", "FS-FLAG-03"):
        climbing = "climbing, " if rule == "FS-FLAG-03" else ""
        text = f"{name}: {climbing}{cm(moved)} cm, limit {cm(limit)} cm. Put back?"
        return text, text
    if rule == "FS-FLAG-05" and what == "hang":
        return f"{name} hangs half-way; a move ends on something. Put back?", ""
    if rule == "FS-FLAG-05":
        climbed = event.number("climbed_mm")
        text = f"{name} climbed {cm(climbed)} cm; that is too high in one go. Put back?"
        return text, text
    if rule in ("FS-FLAG-02", "FS-FLAG-04"):
        text = f"{name}: {cm(moved)} cm, but it did not give up shooting before. Put back?"
        return text, text
    if rule == "FS-FLAG-10":
        return _out_of_turn(state, event, name, what)
    if rule == "FS-FLAG-11":
        done = "was moved" if what == "moved" else "stands again"
        return f"{name} is dead but {done}. Lay it down, please.", f"{name} is dead."
    if rule == "FS-FLAG-12":
        text = f"{name} stands {cm(moved)} cm in; the limit is {cm(limit)} cm."
        return text, text
    if rule == "FS-FLAG-13":
        return event.text("fault"), event.text("fault")
    if rule == "FS-FLAG-14" and what == "end":
        return f"{name} stands on a top nobody marked to be stood on. Mark it, or put back?", ""
    if rule == "FS-FLAG-14":
        if what == "overlap":
            other = name_of(state, event.text("other"))
            return f"{name} stands on the base of {other}. Put back?", ""
        return f"{name} cannot have walked there: a model or wall is in the way. Put back?", ""
    if rule == "FS-FLAG-15":
        return f"{name} left the table. Put back?", ""
    if rule == "FS-FLAG-20":
        pieces = ", ".join(event.words("terrain"))
        return f"Terrain changed during play: {pieces}.", "Terrain changed."
    return general_sentence(state, rule, event.figure_id, event.target_id), ""


def general_sentence(
    state: GameState, rule: str, figure_id: str | None = None, target_id: str | None = None
) -> str:
    """The sentence of a flag from the data file."""
    return (
        data()
        .flags[rule]
        .format(figure=name_of(state, figure_id), target=name_of(state, target_id))
    )


def _out_of_turn(state: GameState, event: Event, name: str, what: str) -> tuple[str, str]:
    shift = event.number("moved_mm")
    far = f"{cm(shift)} cm"
    if what == "twice":
        text = f"{name} moved a second time, {far}. Put back?"
    elif event.side == state.active_side:
        text = f"{name} shifted {far}, but movement is over. Put back?"
    else:
        text = f"{name} shifted {far} in {side_name(state.active_side)}'s turn. Put back?"
    return text, text
