"""Random play with random tables: nothing crashes, and the laws hold."""

import os
import random
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.rulesets.playmobil.data import data
from engine.rulesets.playmobil.game import Playmobil
from tests.engine.playmobil.battle import FIELD, battle
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
from tests.engine.tables import Game, box

PLAYMOBIL = Playmobil()
TERRAIN = (
    box("rock", 700, 640, 780, 700, 40.0, kind="other"),
    box("wall", 200, 700, 560, 720, 90.0),
    box("pond", 1300, 600, 1450, 760, 1.0, kind="water"),
)
GAMES = int(os.environ.get("MINIMARSHAL_RANDOM_GAMES", "50"))
NAMES = tuple(name for name in data().types if name != "riderless_elephant")
ENGINES = ("battering_ram", "siege_tower", "ladder", "artillery")


SET = ("pm.scale.factor", "pm.setup.depth_ft")
OPTIONS = choices(PLAYMOBIL, SET)
STEPS = steps(["offer"] * 8 + ["move"] * 4 + ["lay", "hide", "undo", "jump", "face"])


def force(dice: random.Random, y: float):
    generals = 0
    found = []
    for i in range(dice.randint(3, 5)):
        kind = dice.choice(NAMES)
        if kind.startswith("general"):
            generals += 1
            kind = kind if generals == 1 else "light_infantry"
        if i == 0 and kind in ENGINES:
            kind = "light_spearman"
        found.append((kind, (560.0 + 160.0 * i + dice.uniform(-30, 30), y)))
    return found


def gear(dice: random.Random, forces):
    for side, band in zip("rb", forces, strict=True):
        for i, (kind, _) in enumerate(band):
            own = data().types[kind]
            name = f"{side}{i + 1}"
            if own.bow:
                yield name, "bow", dice.choice(("short_bow", "crossbow", "longbow"))
            elif own.kind in ("foot", "horse"):
                yield name, "thrown", dice.randint(0, 2)
                yield name, "torch" if own.kind == "foot" else "lance", None
            if kind == "artillery":
                yield name, "piece", dice.choice(("scorpion", "catapult", "cannon"))


def new_game(seed: int, options=None) -> Game:
    dice = random.Random(seed)  # noqa: S311
    y = dice.choice((520.0, 600.0))
    red, blue = force(dice, y), force(dice, y + dice.choice((90.0, 140.0, 260.0)))
    kit = gear(dice, (red, blue))
    return battle(red, blue, options, seed=seed, terrain=TERRAIN, gear=kit)


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
        at = (x + dice.uniform(-150, 150), y + dice.uniform(-150, 150))
        figure = replace(figure, position_mm=at, facing_deg=dice.uniform(0, 360))
    elif what == "jump":
        at = (dice.uniform(-30, FIELD[0]), dice.uniform(-30, FIELD[1]))
        figure = replace(figure, position_mm=at, sigma_mm=dice.uniform(0, 4), level_mm=90.0)
    elif what == "face":
        figure = replace(figure, facing_deg=dice.choice([None, dice.uniform(0, 360)]))
    elif what == "lay":
        figure = laid(figure, dice)
    else:
        figure = hidden(figure, dice)
    game.figures[name] = figure
    game.look()


def act(game: Game, dice: random.Random) -> None:
    """Do one of the things that are offered, mostly one that is not rare."""
    offered = [o for o in offers(game) if o.kind != "concede" or dice.random() < 0.02]
    rare = ("done", "turn", "stop_waiting", "fallen")
    often = [o for o in offered if o.kind not in rare]
    if often and dice.random() < 0.8:
        offered = often
    if offered:
        take(game, dice.choice(offered), dice)


KINDS = (
    "melee", "shoot", "flame", "throw", "charge", "dismount", "mount", "torch", "fire", "hit",
    "hit_wall", "ram", "roll", "done", "answer", "accept", "fallen", "ready", "edge", "double",
    "second", "turn", "call_off", "stop_waiting", "type", "bow", "crew", "shot_done", "thrown",
)  # fmt: skip


def holds(game: Game, men: int) -> None:
    state = game.state
    assert (state.phase == "FINISHED") == (state.outcome is not None)
    assert sum(1 for u in state.units if not u.figure_id.endswith("_horse")) == men
    for unit in state.units:
        assert unit.alive or unit.mark("gone")
        assert 0 <= (unit.mark("thrown") or 0) <= 9
        assert 0 <= (unit.mark("shots") or 0) <= 3
        assert unit.mark("type") in data().types or unit.mark("thing") == "horse_left"
        carrier = unit.mark("aboard")
        assert not (unit.alive and carrier) or state.unit(carrier).alive


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(OPTIONS, STEPS, st.integers(0, 9999))
def test_random_games_keep_the_laws(options, moves, seed):
    """PM-PREP-10, PM-TURN-06: what is offered is accepted, what is refused has a rule."""
    game = new_game(seed, options)
    count = len(game.state.units)
    for what, number in moves:
        stir(game, what, random.Random(number))  # noqa: S311
        holds(game, count)
        meddle(game, KINDS, "PM-", random.Random(number + 1))  # noqa: S311
        holds(game, count)
    keeps_the_laws(game, PLAYMOBIL, options, (), seed)


@settings(max_examples=10, deadline=None)
@given(STEPS, st.integers(0, 9999))
def test_undo_brings_back_the_state_before(moves, seed):
    """On a table that stands still, undo is exactly the way back."""
    game = new_game(seed)
    undo_is_the_way_back(game, act, (number for _, number in moves))


def legal_game(seed: int) -> Game:
    """A random game of what is offered, at most 40 turns, its promises checked on the way."""
    game = new_game(seed)
    count = len(game.state.units)
    dice = random.Random(seed)  # noqa: S311
    checked = 0
    for step in range(150):
        if game.state.outcome is not None or game.state.turn > 40:
            break
        if step % 20 == 0:
            checked += every_offer_is_taken(game, dice)
        legal_step(game, act, dice)
        holds(game, count)
    assert checked > 0
    keeps_the_laws(game, PLAYMOBIL, {}, (), seed)
    return game


@pytest.mark.parametrize("seed", range(GAMES))
def test_legal_game(seed):
    """Only what is offered is done, for 40 turns at most: no exception, the laws hold."""
    legal_game(seed)
