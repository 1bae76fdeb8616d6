import pytest

from engine.announce import Announcement, Level
from engine.undone import taken_back


def said(level, text):
    return Announcement(3, level, text, "")


@pytest.mark.parametrize(
    ("what", "told", "words"),
    [
        ("first", [said(Level.INFO, "Red begins.")], "Taken back: Red begins."),
        ("shoot", [said(Level.WARN, "Far: 9.8 cm. Roll.")], "Taken back: Far: 9.8 cm."),
        ("done", [said(Level.ASK, "Who?"), said(Level.INFO, "Go.")], "Taken back: Go."),
        ("done", [said(Level.ASK, "Who?")], "Taken back: done."),
        ("terrain_set", [], "Taken back: the terrain."),
        ("concede_turn", [], "Taken back: concede turn."),
    ],
)
def test_what_was_taken_back_is_told_in_the_words_it_was_told_with(what, told, words):
    announcement = taken_back(what, 7, told)
    assert (announcement.text, announcement.seq) == (words, 7)
