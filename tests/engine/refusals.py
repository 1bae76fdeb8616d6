"""What a clear refusal is, for tests of bad input."""

from __future__ import annotations

import re

import pytest

from engine.armies.lists import read_army
from engine.army import reckon
from engine.errors import BadData, Refused, Stale
from tests.engine.tables import Game

_RAW = re.compile(r"None|Traceback|[{}<>]|\n|\b[a-z]+_[a-z]+\b")
"""What programs write and people do not."""


def check_refused(game: Game, kind: str, rule: str, **fields: object) -> None:
    """A wish is refused by that rule in one sentence, and nothing changes."""
    before, lines = game.state, game.referee.lines
    with pytest.raises(Refused) as refused:
        game.do(kind, **fields)
    assert refused.value.rule == rule, refused.value.reason
    assert rule in game.referee.ruleset.info.items
    assert_sentence(refused.value.reason)
    assert (game.state, game.referee.lines) == (before, lines)


def check_stale(game: Game, kind: str, **fields: object) -> None:
    """A wish that rests on the state before the last one is stale, and nothing changes."""
    before, lines = game.state, game.referee.lines
    with pytest.raises(Stale) as stale:
        game.do(kind, basis_seq=1, **fields)
    assert (stale.value.basis_seq, stale.value.seq) == (1, before.seq)
    assert_sentence(str(stale.value))
    assert (game.state, game.referee.lines) == (before, lines)


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


def assert_sentence(reason: str) -> None:
    """Short, in words, on one line."""
    assert 5 < len(reason) < 120, reason
    assert not _RAW.search(reason), reason
