"""A small game from setting up to the winner, as it was written down once.

After a change set MINIMARSHAL_GOLDEN=1 once to write it anew.
"""

import random
from pathlib import Path

from engine.referee import Referee
from tests.engine.follow_me.battle import FIELD, Battle
from tests.engine.follow_me.chance import act
from tests.engine.golden import check_golden
from tests.engine.tables import box

GOLDEN = Path(__file__).parents[2] / "golden" / "follow_me"
COMPANY = (
    ("rh", "red", (560.0, 330.0), "hero_foot_armoured", ""),
    ("r1", "red", (520.0, 360.0), "man_at_arms", ""),
    ("r2", "red", (600.0, 360.0), "orc_grunt", ""),
    ("r3", "red", (640.0, 300.0), "archer", ""),
    ("bh", "blue", (560.0, 620.0), "mage", "lightning freeze fog heal fear storm"),
    ("b1", "blue", (520.0, 560.0), "goblin", ""),
    ("b2", "blue", (600.0, 560.0), "light_soldier", ""),
    ("b3", "blue", (660.0, 600.0), "giant", ""),
)


def small_game(seed: int = 5) -> Battle:
    """A mage and his giant against a hero: everything that is offered, by chance but repeatable."""
    game = Battle(size=FIELD)
    game.referee = Referee()
    game.look()
    game.do("new_game", value="follow_me", numbers=(float(seed),))
    game.terrain = (box("hedge", 300, 440, 500, 450, 15.0, kind="hedge"),)
    for name, side, at, kind, spells in COMPANY:
        game.join(name, side, at, kind, spells=spells)
    game.do("ready")
    game.do("answer", value="yes")
    dice = random.Random(seed)  # noqa: S311
    for _ in range(900):
        if game.state.outcome is not None:
            break
        question = game.state.question
        if question is not None and question.question_id == "over":
            game.do("answer", value="yes")
        else:
            act(game, dice)
    return game


def test_small_game():
    """FM-END-01, FM-TURN-01: a whole game, replayed byte for byte."""
    game = small_game()
    check_golden(game, GOLDEN)
    assert game.state.outcome in ("red", "blue")
