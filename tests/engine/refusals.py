"""Wishes that cannot be: refused in one clear sentence with a rule id, and nothing changes."""

from __future__ import annotations

import pytest

from engine.errors import Refused, Stale
from tests.engine.tables import Game


def check_refused(game: Game, rule: str, kind: str, **fields: object) -> str:
    """A wish is refused by that rule; returns the sentence."""
    state, lines = game.state, len(game.referee.lines)
    with pytest.raises(Refused) as caught:
        game.do(kind, **fields)
    assert caught.value.rule == rule, caught.value.reason
    reason = caught.value.reason
    assert reason.strip() == reason
    assert "\n" not in reason
    assert 8 <= len(reason) <= 160, reason
    assert (game.state, len(game.referee.lines)) == (state, lines)
    return reason


def check_stale(game: Game, moved: str, kind: str, **fields: object) -> None:
    """A wish about a figure that has moved since is told to be stale, and nothing changes."""
    seen = game.state.seq
    x, y = game.figures[moved].position_mm
    game.put(moved, (x + 30.0, y))
    state = game.state
    assert state.seq > seen
    with pytest.raises(Stale) as caught:
        game.do(kind, basis_seq=seen, **fields)
    assert (caught.value.basis_seq, caught.value.seq) == (seen, state.seq)
    assert game.state == state
