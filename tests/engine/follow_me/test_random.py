"""Random legal games keep the promises: nothing crashes, nothing impossible is offered."""

import os
import random

import pytest

from engine.codec import decode_input, decode_line, encode_input, encode_line
from engine.log import fold
from engine.norules import NoRules
from engine.play import play
from engine.referee import Referee
from engine.rulesets.follow_me.game import FollowMe
from engine.rulesets.follow_me.marks import kind_of
from tests.engine.follow_me.battle import Battle
from tests.engine.follow_me.chance import act, enlist, every_offer_is_taken, tried

GAMES = int(os.environ.get("MINIMARSHAL_RANDOM_GAMES", "50"))
MOST_TURNS = 40
STEPS = int(os.environ.get("MINIMARSHAL_RANDOM_STEPS", "60"))
OPEN_PLACES = 2
"""So often a game all offers are tried while somebody stands where he may not."""
RULES = FollowMe()
BY_ID = {"": NoRules(), "follow_me": RULES}
KINDS = (
    "hit", "follow", "attack", "cast", "spell", "spot", "aim", "volley", "roll", "sign", "test",
    "done", "answer", "accept", "instruct", "instruct_attack", "note", "adopt", "reassign",
    "chance", "decide", "join", "type", "wish", "talk", "fallen", "no_spell", "hold_fire",
)  # fmt: skip
VARIED = (
    {"fm.morale.table": "announce_only", "fm.push.follow_up": "winner_may"},
    {"fm.wear_off.roll_at": "start_of_turn", "fm.duel.pairs": "one_per_knot"},
    {"fm.big_thing.guard_measured": "snapshot_A", "fm.melee.push_survivors": "victim"},
    {"geom.close_policy": "ask", "fm.attack_them.persist": "until_contact"},
    {"geom.close_policy": "strict", "fm.duration.counts_cast_turn": "none"},
)


def holds(game, figures: int) -> None:
    """Counts are kept, and nobody is beyond what the rules allow."""
    state = game.state
    assert (state.phase == "FINISHED") == (state.outcome is not None)
    assert len(state.units) == figures
    for unit in state.units:
        assert unit.alive or unit.mark("gone")
        kind = kind_of(unit)
        assert 0 <= unit.wounds <= max(kind.hits, 4)
        points, start = unit.mark("points"), unit.mark("start_points")
        assert points is None or 0 <= points <= start
        leader = state.unit(str(unit.mark("led_by") or ""))
        assert leader is None or leader.side == unit.side or not unit.alive or not leader.alive
        if not unit.alive:
            assert not unit.mark("placing")


def meddle(game, dice: random.Random) -> None:
    """A wish out of the blue changes nothing, or is refused with a rule."""
    units = [unit.figure_id for unit in game.state.units]
    before, inputs = game.state, len(game.inputs)
    if tried(
        game,
        dice.choice(KINDS),
        figure_id=dice.choice([*units, None, "ghost"]),
        target_id=dice.choice([*units, None, "ghost"]),
        value=dice.choice([None, "yes", "nonsense", "rh", "0", "removed", "r1|follow"]),
        dice=dice.choice([(), (1,), (9,), (1, 2, 3)]),
    ):
        game.do("undo")
        assert game.state.units == before.units
    del game.inputs[inputs:]


def legal_game(seed: int) -> Battle:
    """A random game of what is offered, at most 40 turns, its promises checked on the way."""
    dice = random.Random(seed)  # noqa: S311
    options = dict(VARIED[seed // 5 % len(VARIED)]) if seed % 5 == 0 else {}
    game = enlist(dice, options)
    figures = len(game.state.units)
    checked = wrong = 0
    for step in range(STEPS):
        if game.state.outcome is not None or game.state.turn > MOST_TURNS:
            break
        act(game, dice)
        holds(game, figures)
        # A place that is put right at once would seldom be met on every twentieth step.
        open_place = any(u.mark("open") or u.mark("placing") for u in game.state.units)
        wrong += open_place
        if step % 20 == 0 or (open_place and wrong <= OPEN_PLACES):
            checked += every_offer_is_taken(game, dice)
    assert checked > 0 or game.state.outcome is not None
    lines = [encode_line(line) for line in game.referee.lines]
    assert fold([decode_line(text) for text in lines], BY_ID) == game.state
    assert all(one.text and one.spoken for one in game.referee.announcements())
    if seed % 10 == 0:
        again = Referee(
            RULES,
            options,
            game.state.sides,
            int(game.referee.lines[0].event.number("seed")),
        )
        play([decode_input(encode_input(item)) for item in game.inputs], again)
        assert again.state == game.state
    return game


@pytest.mark.parametrize("seed", range(GAMES))
def test_random_game(seed):
    """FM-TURN-01, FM-END-01, FM-ACT-01: a turn follows a turn until one side is left."""
    legal_game(seed)


@pytest.mark.parametrize("seed", range(max(4, GAMES // 5)))
def test_one_of_three_sides_gives_up(seed):
    """FM-END-01: in the middle of anything; the others play on."""
    dice = random.Random(6000 + seed)  # noqa: S311
    game = enlist(dice, sides=("red", "blue", "green"))
    for _ in range(dice.randint(1, 40)):
        act(game, dice)
    for side in dice.sample(game.state.sides, 1):
        if game.state.outcome is None:
            tried(game, "concede", side=side)
    for step in range(25):
        if game.state.outcome is not None:
            break
        act(game, dice)
        if step % 12 == 0:
            every_offer_is_taken(game, dice)


@pytest.mark.parametrize("seed", range(max(3, GAMES // 10)))
def test_wishes_out_of_the_blue(seed):
    """FM-TURN-09: refused with a rule, or undone without a trace."""
    dice = random.Random(1000 + seed)  # noqa: S311
    game = enlist(dice)
    for _ in range(40):
        if game.state.outcome is not None:
            break
        act(game, dice)
        if game.state.outcome is None:
            meddle(game, dice)


@pytest.mark.parametrize("seed", range(max(3, GAMES // 10)))
def test_undo_brings_back_the_state_before(seed):
    """On a table that stands still, undo is exactly the way back."""
    dice = random.Random(2000 + seed)  # noqa: S311
    game = enlist(dice)
    for _ in range(30):
        if game.state.outcome is not None:
            break
        before, lines = game.state, len(game.referee.lines)
        act(game, dice)
        last = [line for line in game.referee.lines[lines:] if line.cause != "table"]
        if last and all(line.cause == last[0].cause for line in game.referee.lines[lines:]):
            game.do("undo")
            assert (game.state.units, game.state.marks) == (before.units, before.marks)
            act(game, dice)
