"""Random play with random tables: nothing crashes, and the laws hold."""

import os
import random
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.errors import Refused
from engine.ruleset import Option
from engine.rulesets import by_id
from tests.engine.randomly import (
    every_offer_is_taken,
    fields_of,
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
    values,
)
from tests.engine.tables import Game, box, stairs, teams

FIGURSLAG = by_id("figurslag")
NEVER_REFUSED = {
    "answer", "accept", "bumped", "noshoot", "shoot", "fire", "roll", "dodge", "decline", "enough",
    "done", "concede", "first", "roll_first", "edge", "suggest", "terrain_done",
}  # fmt: skip
MEASURED = ("report",)
KINDS = (*sorted(NEVER_REFUSED), "dodge", "report", "roster_done", "deploy_done", "dance")
GAMES = int(os.environ.get("MINIMARSHAL_RANDOM_GAMES", "50"))
TEAMS = FIGURSLAG.info.sides
TERRAIN = (
    box("hill", 200, 150, 300, 230, 38.4, standable=True, marks=(stairs(190, 170, 215, 200),)),
    box("wall", 350, 180, 500, 190, 48.0),
    box("step", 60, 180, 150, 240, 9.6, standable=True),
)


OPTIONS = st.fixed_dictionaries(
    {}, optional={o.key: values(o, 40) for o in FIGURSLAG.info.options if o.key != "team_count"}
)
STEPS = steps(["offer", "offer", "offer", "move", "move", "lay", "hide", "undo", "jump"], 20)


def stir(game: Game, what: str, dice: random.Random) -> None:
    """One step of a table at play."""
    if what == "offer":
        act(game, dice)
        return
    if what == "undo":
        undo(game)
        return
    name = dice.choice(sorted(game.figures))
    figure = game.figures[name]
    x, y = figure.position_mm
    if what == "move":
        at = (x + dice.uniform(-90, 90), y + dice.uniform(-90, 90))
        figure = replace(figure, position_mm=at, level_mm=dice.choice([0.0, 0.0, 9.6, 38.4]))
    elif what == "jump":
        at = (dice.uniform(-30, 630), dice.uniform(-30, 430))
        turn = dice.choice([None, 0.0, 45.0, 71.5])
        base = replace(figure.base, rotation_deg=turn)
        figure = replace(figure, position_mm=at, base=base, facing_deg=dice.uniform(0, 360))
    elif what == "lay":
        figure = laid(figure, dice)
    else:
        figure = hidden(figure, dice)
    game.figures[name] = figure
    game.look()


def act(game: Game, dice: random.Random) -> None:
    """Do one of the things that are offered."""
    offered = offers(game)
    if not offered:
        return
    option = dice.choice(offered)
    try:
        game.do(option.kind, **fields_of(option, dice, game.size))
    except Refused:
        assert not surely(option), f"{option} was offered and then refused"


def surely(option: Option) -> bool:
    return option.kind in NEVER_REFUSED


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(OPTIONS, STEPS, st.integers(0, 99), st.sampled_from([TEAMS[:2], TEAMS[:3]]))
def test_random_games_keep_the_laws(options, moves, seed, sides):
    game = Game(options, seed=seed, sides=sides)
    game.terrain = TERRAIN
    teams(game)
    for unit in game.state.units:
        if unit.mark("open"):
            game.do("accept", figure_id=unit.figure_id)
    if game.state.phase == "DEPLOY":
        game.do("deploy_done")
    game.do("roll_first")
    for what, number in moves:
        stir(game, what, random.Random(number))  # noqa: S311
        assert (game.state.phase == "OVER") == (game.state.outcome is not None)
        for unit in game.state.units:
            assert unit.alive or unit.mark("gone")
        meddle(game, KINDS, "FS-", random.Random(number + 1))  # noqa: S311
    keeps_the_laws(game, FIGURSLAG, options, sides, seed)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(STEPS)
def test_undo_brings_back_the_state_before(moves):
    """On a table that stands still, undo is exactly the way back."""
    game = Game()
    teams(game)
    game.do("roll_first")
    undo_is_the_way_back(game, act, (number for _, number in moves))


def new_game(dice: random.Random, seed: int) -> tuple[Game, dict[str, object]]:
    """Two or three teams near each other, and the options they play with."""
    options: dict[str, object] = {"split_fire": dice.choice(("sequential", "declare_first"))}
    sides = TEAMS[: 3 if dice.random() < 0.2 else 2]
    game = Game(options, seed=seed, sides=sides)
    game.terrain = TERRAIN
    teams(game)
    game.do("roll_first")
    game.shift(**{
        f"{side[0]}{i + 1}": (110.0 + 90.0 * i + dice.uniform(-20, 20), y)
        for side, y in zip(sides, (110.0, 270.0, 340.0), strict=False) for i in range(5)
    })  # fmt: skip
    return game, options


def legal_game(seed: int) -> Game:
    """A random game of what is offered, at most 40 turns, its promises checked on the way."""
    dice = random.Random(seed)  # noqa: S311
    game, options = new_game(dice, seed)
    checked = 0
    for step in range(200):
        if game.state.outcome is not None or game.state.turn > 40:
            break
        if step % 20 == 0:
            checked += every_offer_is_taken(game, dice, MEASURED)
        legal_step(game, play_on, dice)
        assert (game.state.phase == "OVER") == (game.state.outcome is not None)
    assert checked > 0
    keeps_the_laws(game, FIGURSLAG, options, game.state.sides, seed)
    return game


def play_on(game: Game, dice: random.Random) -> None:
    """Shots before all else; hardly ever give up."""
    offered = [o for o in offers(game) if o.kind not in MEASURED]
    offered = [o for o in offered if o.kind != "concede" or dice.random() < 0.01]
    shots = [o for o in offered if o.kind == "shoot"]
    if shots and dice.random() < 0.7:
        offered = shots
    take(game, dice.choice(offered), dice)


@pytest.mark.parametrize("seed", range(GAMES))
def test_legal_game(seed):
    """Only what is offered is done, for 40 turns at most: no exception, the laws hold."""
    legal_game(seed)
