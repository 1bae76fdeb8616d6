"""What is no move, and how long a figure may be out of sight: alike in all rule systems."""

from __future__ import annotations

from tests.engine.tables import Game

LOOK_S = 0.1
"""So much later is each look of a test."""


def check_stillness(game: Game, name: str, quiet_mm: float = 6.0, back_mm: float = 10.0) -> None:
    """A figure that may not move trembles so far, and is put back so near to its place."""
    x, y = game.figures[name].position_mm
    for far, flagged in (
        (quiet_mm - 0.1, False),
        (quiet_mm + 0.2, True),
        (30.0, True),
        (back_mm + 0.3, True),
        (30.0, True),
        (back_mm - 0.2, False),
    ):
        game.put(name, (x + far, y))
        assert (game.unit(name).mark("open") is not None) is flagged, far


def check_asked_when_missing(game: Game, name: str, other: str, wait_s: float = 5.0) -> None:
    """Who is not seen for so long is asked about; ``other`` trembles, so that there are looks."""
    x, y = game.figures[other].position_mm
    del game.figures[name]
    game.look()
    for step_s, asked in ((wait_s - 0.2, False), (0.4, True)):
        game.t_ns += round((step_s - LOOK_S) * 1e9)
        x += 0.4
        game.put(other, (x, y))
        assert any("I do not see" in text for text in game.said()) is asked
