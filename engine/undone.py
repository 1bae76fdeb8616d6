"""What is said when an action is taken back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.announce import Announcement, Level

_WORDS: Final = {
    "assign": "who a figure is",
    "identify": "who a figure is",
    "correct": "what was put right",
    "terrain_set": "the terrain",
    "terrain_delete": "the terrain",
    "edge": "the edge",
    "new_game": "the new game",
}


def taken_back(what: str, seq: int, said: Iterable[Announcement]) -> Announcement:
    """The announcement of an undo.

    Args:
        what: Kind of the action.
        seq: Line of the undo.
        said: What the action itself had caused to be said, in order.
    """
    told = (one.text for one in said if one.level is not Level.ASK)
    words = next(told, "").split(". ")[0].rstrip(".") or _WORDS.get(what, what.replace("_", " "))
    return Announcement(seq, Level.INFO, f"Taken back: {words}.", "Taken back.")
