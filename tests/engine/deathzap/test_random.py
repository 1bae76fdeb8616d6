"""Random play with random tables: nothing crashes, and the laws hold."""

import os
import random
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.rulesets import by_id
from engine.rulesets.deathzap.data import data
from tests.engine.deathzap.skirmish import BOARD, skirmish
from tests.engine.randomly import (
    choices,
    every_offer_is_taken,
    hidden,
    keeps_the_laws,
    laid,
    legal_step,
    meddle,
    offers,
    steps,
    take,
    undo,
    undo_is_the_way_back,
)
from tests.engine.tables import Game, box, stairs

DEATHZAP = by_id("deathzap")
TERRAIN = (
    box("hill", 200, 150, 300, 230, 38.4, marks=(stairs(190, 170, 215, 200),)),
    box("wall", 350, 180, 500, 190, 48.0),
    box("step", 60, 180, 150, 240, 9.6),
    box("altar", 290, 290, 320, 320, 60.0),
)
GAMES = int(os.environ.get("MINIMARSHAL_RANDOM_GAMES", "50"))
NAMES = tuple(data().classes)


# Both scales are played elsewhere; points must allow the warbands below.
SET = (
    "dz.scale.factor", "dz.points.standard", "dz.points.exact", "dz.deploy.depth_in",
    "dz.setup.show",
)  # fmt: skip
OPTIONS = choices(DEATHZAP, SET)
STEPS = steps(["offer"] * 6 + ["move"] * 3 + ["lay", "hide", "undo", "jump"])


def fighters(dice: random.Random, y: float):
    basic = [dice.choice(("Soldier", "Warrior", "Beast", "Drone")) for _ in range(2)]
    others = [dice.choice(NAMES) for _ in range(2)]
    return [
        (kind, dice.randint(1, 5), (150.0 + 90.0 * i + dice.uniform(-20, 20), y))
        for i, kind in enumerate((*basic, *others))
    ]


def stir(game: Game, what: str, dice: random.Random) -> None:
    """One step of a table at play."""
    if what == "offer":
        act(game, dice)
        return
    if what == "undo":
        undo(game)
        return
    name = dice.choice(sorted(game.figures))
    acting = dict(game.state.marks).get("fighter")
    if what == "move" and isinstance(acting, str) and dice.random() < 0.8:
        name = acting
    figure = game.figures[name]
    x, y = figure.position_mm
    if what == "move":
        at = (x + dice.uniform(-60, 60), y + dice.uniform(-60, 60))
        figure = replace(figure, position_mm=at, level_mm=dice.choice([0.0, 0.0, 9.6, 38.4]))
    elif what == "jump":
        at = (dice.uniform(-30, 640), dice.uniform(-30, 640))
        figure = replace(figure, position_mm=at, sigma_mm=dice.uniform(0, 4))
    elif what == "lay":
        figure = laid(figure, dice)
    else:
        figure = hidden(figure, dice)
    game.figures[name] = figure
    game.look()


def act(game: Game, dice: random.Random) -> None:
    """Do one of the things that are offered; hardly ever give up."""
    offered = offers(game)
    if len(offered) > 2 and dice.random() < 0.95:
        offered = [o for o in offered if o.kind != "concede"]
    if offered:
        take(game, dice.choice(offered), dice)


KINDS = (
    "pick", "move", "charge", "melee", "ranged", "defend", "boost", "finish", "roll", "morale",
    "strike", "no_strike", "call_off", "answer", "accept", "fallen", "ready", "edge", "roll_off",
    "leave_out", "join", "class", "might", "shrine",
)  # fmt: skip


def holds(game: Game, count: int) -> None:
    state = game.state
    assert (state.phase == "FINISHED") == (state.outcome is not None)
    assert len(state.units) == count
    marks = dict(state.marks)
    assert 0 <= (marks.get("actions_left") or 0) <= 2
    for unit in state.units:
        assert unit.alive or unit.mark("gone")
        assert unit.wounds in (0, 1)
    acting = marks.get("fighter")
    if isinstance(acting, str):
        assert state.unit(acting).alive
        assert state.unit(acting).side == state.active_side or state.phase == "FINISHED"


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(OPTIONS, STEPS, st.integers(0, 99))
def test_random_games_keep_the_laws(options, moves, seed):
    """What is offered is accepted, what is refused has a rule, the log folds to the state."""
    dice = random.Random(seed)  # noqa: S311
    red, blue = fighters(dice, 250.0), fighters(dice, 350.0)
    game = skirmish(red, blue, options, seed=seed, terrain=TERRAIN, size=BOARD)
    for what, number in moves:
        stir(game, what, random.Random(number))  # noqa: S311
        holds(game, 8)
        meddle(game, KINDS, "DZ-", random.Random(number + 1))  # noqa: S311
        holds(game, 8)
    keeps_the_laws(game, DEATHZAP, options, (), seed)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(STEPS, st.integers(0, 99))
def test_undo_brings_back_the_state_before(moves, seed):
    """On a table that stands still, undo is exactly the way back."""
    dice = random.Random(seed)  # noqa: S311
    game = skirmish(fighters(dice, 280.0), fighters(dice, 330.0), seed=seed)
    undo_is_the_way_back(game, act, (number for _, number in moves))


def new_game(dice: random.Random, seed: int) -> Game:
    """Two warbands near each other."""
    near = 250.0 + dice.choice((60.0, 100.0))
    return skirmish(
        fighters(dice, 250.0), fighters(dice, near), seed=seed, terrain=TERRAIN, size=BOARD
    )


def legal_game(seed: int) -> Game:
    """A random game of what is offered, at most 40 turns, its promises checked on the way."""
    dice = random.Random(seed)  # noqa: S311
    game = new_game(dice, seed)
    checked = 0
    for step in range(200):
        if game.state.outcome is not None or game.state.turn > 40:
            break
        if step % 20 == 0:
            checked += every_offer_is_taken(game, dice)
        legal_step(game, act, dice)
        holds(game, 8)
    assert checked > 0
    keeps_the_laws(game, DEATHZAP, {}, (), seed)
    return game


@pytest.mark.parametrize("seed", range(GAMES))
def test_legal_game(seed):
    """Only what is offered is done, for 40 turns at most: no exception, the laws hold."""
    legal_game(seed)
