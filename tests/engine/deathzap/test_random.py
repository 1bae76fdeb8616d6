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
from engine.ruleset import InputKind
from engine.rulesets import RULESETS, by_id
from engine.rulesets.deathzap.data import data
from engine.table import FigureState, Seen
from tests.engine.deathzap.skirmish import BOARD, skirmish
from tests.engine.tables import Game, box, stairs

BY_ID = {one.info.id: one for one in (NoRules(), *RULESETS)}
DEATHZAP = by_id("deathzap")
TERRAIN = (
    box("hill", 200, 150, 300, 230, 38.4, marks=(stairs(190, 170, 215, 200),)),
    box("wall", 350, 180, 500, 190, 48.0),
    box("step", 60, 180, 150, 240, 9.6),
    box("altar", 290, 290, 320, 320, 60.0),
)
NAMES = tuple(data().classes)


def values(option):
    if option.choices:
        return st.sampled_from(option.choices)
    lo, hi = option.span
    if isinstance(option.default, float):
        return st.floats(lo, hi, allow_nan=False)
    return st.integers(int(lo), int(hi))


FREE = [o for o in DEATHZAP.info.options if len(o.choices) > 1 or o.span is not None]
# Both scales are played elsewhere; points must allow the warbands below.
SET = ("dz.scale.factor", "dz.points.standard", "dz.points.exact", "dz.deploy.depth_in")
OPTIONS = st.fixed_dictionaries(
    {}, optional={o.key: values(o) for o in FREE if o.key not in (*SET, "dz.setup.show")}
)
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["offer"] * 6 + ["move"] * 3 + ["lay", "hide", "undo", "jump"]),
        st.integers(0, 2**20),
    ),
    min_size=1,
    max_size=40,
)


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
        take(game, dice)
        return
    if what == "undo":
        try:
            game.do("undo")
        except Refused:
            return
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
    """Do one of the things that are offered: none of them is ever refused."""
    offered = [o for o in game.referee.options() if o.input is not InputKind.SHOW]
    if len(offered) > 2 and dice.random() < 0.95:
        offered = [o for o in offered if o.kind != "concede"]
    if not offered:
        return
    option = dice.choice(offered)
    fields = {"side": option.side, "figure_id": option.figure_id, "value": option.value}
    if option.input is InputKind.CHOICE:
        fields["value"] = dice.choice(option.choices)[0]
    if option.input is InputKind.FIGURE:
        allowed = [t for t in option.targets if t.allowed]
        if not allowed:
            return
        fields["target_id"] = dice.choice(allowed).figure_id
    if option.dice[0] and dice.random() < 0.5:
        fields["dice"] = tuple(dice.randint(1, option.dice[1]) for _ in range(option.dice[0]))
    before = game.state
    game.do(option.kind, **fields)
    if option.figure_id is not None and option.kind not in ("fallen", "accept", "answer"):
        unit = before.unit(option.figure_id)
        assert unit is None or unit.alive, f"{option.kind} by the dead"


def meddle(game: Game, dice: random.Random) -> None:
    """A wish out of the blue changes nothing, or is refused with a rule."""
    kinds = ("pick", "move", "charge", "melee", "ranged", "defend", "boost", "finish", "roll",
             "morale", "strike", "no_strike", "call_off", "answer", "accept", "fallen", "ready",
             "edge", "roll_off", "leave_out", "join", "class", "might", "shrine")  # fmt: skip
    units = [unit.figure_id for unit in game.state.units]
    before, lines = game.state, len(game.referee.lines)
    refusal = None
    try:
        game.do(
            dice.choice(kinds),
            figure_id=dice.choice([*units, None, "ghost"]),
            target_id=dice.choice([*units, None, "ghost"]),
            value=dice.choice([None, "yes", "nonsense", "south", "red", "removed"]),
            dice=dice.choice([(), (1,), (9,), (1, 2, 3)]),
        )
    except Refused as refused:
        refusal = refused
    if refusal is not None:
        assert (refusal.rule or "").startswith("DZ-"), refusal.reason
        assert game.state == before
        assert len(game.referee.lines) == lines


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
def test_random_games_keep_the_laws(options, steps, seed):
    """What is offered is accepted, what is refused has a rule, the log folds to the state."""
    dice = random.Random(seed)  # noqa: S311
    red, blue = fighters(dice, 250.0), fighters(dice, 350.0)
    game = skirmish(red, blue, options, seed=seed, terrain=TERRAIN, size=BOARD)
    for what, number in steps:
        stir(game, what, random.Random(number))  # noqa: S311
        holds(game, 8)
        meddle(game, random.Random(number + 1))  # noqa: S311
        holds(game, 8)
    lines = [encode_line(line) for line in game.referee.lines]
    again = Referee(DEATHZAP, options, (), seed)
    play([decode_input(encode_input(item)) for item in game.inputs], again)
    assert [encode_line(line) for line in again.lines] == lines
    decoded = [decode_line(text) for text in lines]
    assert fold(decoded, BY_ID) == game.state
    surviving = {line.seq for line in kept(decoded)}
    without = [line for line in decoded if line.seq in surviving]
    assert fold(without, BY_ID) == game.state
    assert all(one.text and one.spoken for one in game.referee.announcements())


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(STEPS, st.integers(0, 99))
def test_undo_brings_back_the_state_before(steps, seed):
    """On a table that stands still, undo is exactly the way back."""
    dice = random.Random(seed)  # noqa: S311
    game = skirmish(fighters(dice, 280.0), fighters(dice, 330.0), seed=seed)
    for _, number in steps:
        before = replace(game.state, seq=0)
        lines = len(game.referee.lines)
        take(game, random.Random(number))  # noqa: S311
        if len(game.referee.lines) > lines:
            game.do("undo")
            assert replace(game.state, seq=0) == before
            take(game, random.Random(number))  # noqa: S311
