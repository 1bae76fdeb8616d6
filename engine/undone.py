"""What is said when an action is taken back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.announce import Announcement, Level

TOGETHER: Final = "together"
"""Stands for several actions that are taken back at once."""
_WORDS: Final = {
    TOGETHER: "the figures that were put",
    "assign": "who a figure is",
    "identify": "who a figure is",
    "correct": "what was put right",
    "terrain_set": "the terrain",
    "terrain_delete": "the terrain",
    "place": "the move",
    "remove": "taking it away",
    "table_size": "the size of the table",
    "edge": "the edge",
    "new_game": "the new game",
    "army": "the army",
    "enlist": "what a figure is",
}


def taken_back(
    what: str, seq: int, said: Iterable[Announcement], moved: bool = False
) -> Announcement:
    """The announcement of an undo.

    Args:
        what: Kind of the action.
        seq: Line of the undo.
        said: What the action itself had caused to be said, in order.
        moved: Figures were moved after it, which only hands can take back.
    """
    told = (one.text for one in said if one.level is not Level.ASK)
    words = next(told, "").split(". ")[0].rstrip(".") or _WORDS.get(what, what.replace("_", " "))
    hands = " Put back what was moved since." if moved else ""
    return Announcement(seq, Level.INFO, f"Taken back: {words}.{hands}", f"Taken back.{hands}")
