"""Random play with random tables: nothing crashes, and the laws hold."""

import random
from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.errors import Refused
from engine.ruleset import Option
from engine.rulesets import by_id
from tests.engine.randomly import (
    fields_of,
    hidden,
    keeps_the_laws,
    laid,
    offers,
    steps,
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
    keeps_the_laws(game, FIGURSLAG, options, sides, seed)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(STEPS)
def test_undo_brings_back_the_state_before(moves):
    """On a table that stands still, undo is exactly the way back."""
    game = Game()
    teams(game)
    game.do("roll_first")
    undo_is_the_way_back(game, act, (number for _, number in moves))
