"""Wishes that cannot be: refused in one clear sentence with a rule id, and nothing changes."""

from __future__ import annotations

import re

import pytest

from engine.armies.lists import read_army
from engine.army import reckon
from engine.errors import BadData, Refused, Stale
from tests.engine.tables import Game

_RAW = re.compile(r"\bNone\b|Traceback|[{}<>\n]|\b[a-z]+_[a-z]+\b")
"""What programs write and people do not."""


def check_refused(game: Game, rule: str, kind: str, **fields: object) -> str:
    """A wish is refused by that rule; returns the sentence."""
    state, lines = game.state, len(game.referee.lines)
    with pytest.raises(Refused) as caught:
        game.do(kind, **fields)
    assert caught.value.rule == rule, caught.value.reason
    assert rule in game.referee.ruleset.info.items
    reason = caught.value.reason
    assert reason.strip() == reason
    assert 8 <= len(reason) <= 160, reason
    assert not _RAW.search(reason), reason
    assert (game.state, len(game.referee.lines)) == (state, lines)
    return reason


def check_stale(game: Game, moved: str, kind: str, **fields: object) -> None:
    """A wish about a figure that has moved since is told to be stale, and nothing changes."""
    seen = game.state.seq
    x, y = game.figures[moved].position_mm
    game.put(moved, (x + 30.0, y))
    check_too_late(game, seen, kind, **fields)


def check_too_late(game: Game, seen: int, kind: str, **fields: object) -> None:
    """A wish that rests on what stood before line ``seen`` was followed by others is stale."""
    state, lines = game.state, len(game.referee.lines)
    assert state.seq > seen
    with pytest.raises(Stale) as caught:
        game.do(kind, basis_seq=seen, **fields)
    assert (caught.value.basis_seq, caught.value.seq) == (seen, state.seq)
    assert (game.state, len(game.referee.lines)) == (state, lines)


def check_army_refused(ruleset: str, text: str, rule: str, word: str) -> None:
    """An army file the rules do not know is refused by that rule, and the wrong word is named."""
    with pytest.raises(Refused) as refused:
        reckon(ruleset, read_army(text))
    assert refused.value.rule == rule, refused.value.reason
    assert word in refused.value.reason
    assert "\n" not in refused.value.reason


def check_army_unreadable(text: str, fault: str) -> None:
    """A file that is no army list: the place in it is named."""
    with pytest.raises(BadData) as caught:
        read_army(text)
    assert fault in caught.value.fault
    assert "\n" not in str(caught.value)
