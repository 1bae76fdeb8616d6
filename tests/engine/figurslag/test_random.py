"""Random play with random tables: nothing crashes, and the laws hold."""

import random
from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.codec import decode_input, decode_line, encode_input, encode_line
from engine.errors import Refused
from engine.log import fold, kept
from engine.norules import NoRules
from engine.play import play
from engine.referee import Referee
from engine.ruleset import InputKind, Option
from engine.rulesets import RULESETS, by_id
from engine.table import FigureState, Seen
from tests.engine.tables import Game, box, stairs, teams

BY_ID = {one.info.id: one for one in (NoRules(), *RULESETS)}
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


def values(option):
    if option.choices:
        return st.sampled_from(option.choices)
    lo, hi = option.span
    if isinstance(option.default, float):
        return st.floats(lo, hi, allow_nan=False)
    return st.integers(int(lo), min(int(hi), int(lo) + 40))


OPTIONS = st.fixed_dictionaries(
    {}, optional={o.key: values(o) for o in FIGURSLAG.info.options if o.key != "team_count"}
)
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["offer", "offer", "offer", "move", "move", "lay", "hide", "undo", "jump"]),
        st.integers(0, 2**20),
    ),
    min_size=1,
    max_size=20,
)


def stir(game: Game, what: str, dice: random.Random) -> None:
    """One step of a table at play."""
    if what == "offer":
        take(game, dice)
        return
    if what == "undo":
        try:
            game.do("undo")
        except Refused:
            return
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
        state = dice.choice([FigureState.LYING, FigureState.STANDING])
        figure = replace(figure, state=state, seen=Seen.SEEN)
    else:
        hidden = dice.random() < 0.5
        figure = replace(
            figure,
            state=FigureState.HIDDEN if hidden else FigureState.STANDING,
            seen=Seen.HIDDEN if hidden else dice.choice([Seen.SEEN, Seen.CORRECTED]),
        )
    game.figures[name] = figure
    game.look()


def take(game: Game, dice: random.Random) -> None:
    """Do one of the things that are offered."""
    offered = [o for o in game.referee.options() if o.input is not InputKind.SHOW]
    if not offered:
        return
    option = dice.choice(offered)
    fields = {"side": option.side, "figure_id": option.figure_id, "value": option.value}
    if option.input is InputKind.CHOICE:
        fields["value"] = dice.choice(option.choices)[0]
    if option.input is InputKind.NUMBER:
        fields["numbers"] = (dice.uniform(0, 20),)
    if option.input is InputKind.FIGURE:
        allowed = [t for t in option.targets if t.allowed]
        if not allowed:
            return
        fields["target_id"] = dice.choice(allowed).figure_id
    if option.dice[0] and dice.random() < 0.5:
        fields["dice"] = tuple(dice.randint(1, option.dice[1]) for _ in range(dice.randint(1, 2)))
    try:
        game.do(option.kind, **fields)
    except Refused:
        assert not surely(option), f"{option} was offered and then refused"


def surely(option: Option) -> bool:
    return option.kind in NEVER_REFUSED


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(OPTIONS, STEPS, st.integers(0, 99), st.sampled_from([TEAMS[:2], TEAMS[:3]]))
def test_random_games_keep_the_laws(options, steps, seed, sides):
    game = Game(options, seed=seed, sides=sides)
    game.terrain = TERRAIN
    teams(game)
    for unit in game.state.units:
        if unit.mark("open"):
            game.do("accept", figure_id=unit.figure_id)
    if game.state.phase == "DEPLOY":
        game.do("deploy_done")
    game.do("roll_first")
    for what, number in steps:
        stir(game, what, random.Random(number))  # noqa: S311
        assert (game.state.phase == "OVER") == (game.state.outcome is not None)
        for unit in game.state.units:
            assert unit.alive or unit.mark("gone")
    lines = [encode_line(line) for line in game.referee.lines]
    again = Referee(FIGURSLAG, options, sides, seed)
    play([decode_input(encode_input(item)) for item in game.inputs], again)
    assert [encode_line(line) for line in again.lines] == lines
    decoded = [decode_line(text) for text in lines]
    assert fold(decoded, BY_ID) == game.state
    surviving = {line.seq for line in kept(decoded)}
    without = [line for line in decoded if line.seq in surviving]
    assert fold(without, BY_ID) == game.state
    assert all(one.text and one.spoken for one in game.referee.announcements())


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(STEPS)
def test_undo_brings_back_the_state_before(steps):
    """On a table that stands still, undo is exactly the way back."""
    game = Game()
    teams(game)
    game.do("roll_first")
    for _, number in steps:
        before = replace(game.state, seq=0)
        lines = len(game.referee.lines)
        take(game, random.Random(number))  # noqa: S311
        if len(game.referee.lines) > lines:
            game.do("undo")
            assert replace(game.state, seq=0) == before
            take(game, random.Random(number))  # noqa: S311
