"""Random play with random tables: nothing crashes, and the laws hold."""

import os
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
from engine.rulesets.playmobil.data import data
from engine.rulesets.playmobil.game import Playmobil
from engine.table import FigureState, Seen
from tests.engine.playmobil.battle import FIELD, battle
from tests.engine.tables import Game, box

PLAYMOBIL = Playmobil()
BY_ID = {one.info.id: one for one in (NoRules(), PLAYMOBIL)}
TERRAIN = (
    box("rock", 700, 640, 780, 700, 40.0, kind="other"),
    box("wall", 200, 700, 560, 720, 90.0),
    box("pond", 1300, 600, 1450, 760, 1.0, kind="water"),
)
GAMES = int(os.environ.get("MINIMARSHAL_GAMES", "40"))
NAMES = tuple(name for name in data().types if name != "riderless_elephant")
ENGINES = ("battering_ram", "siege_tower", "ladder", "artillery")


def values(option):
    if option.choices:
        return st.sampled_from(option.choices)
    lo, hi = option.span
    if isinstance(option.default, float):
        return st.floats(lo, hi, allow_nan=False)
    return st.integers(int(lo), int(hi))


FREE = [o for o in PLAYMOBIL.info.options if len(o.choices) > 1 or o.span is not None]
SET = ("pm.scale.factor", "pm.setup.depth_ft")
OPTIONS = st.fixed_dictionaries({}, optional={o.key: values(o) for o in FREE if o.key not in SET})
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["offer"] * 8 + ["move"] * 4 + ["lay", "hide", "undo", "jump", "face"]),
        st.integers(0, 2**20),
    ),
    min_size=1,
    max_size=40,
)


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
        at = (x + dice.uniform(-150, 150), y + dice.uniform(-150, 150))
        figure = replace(figure, position_mm=at, facing_deg=dice.uniform(0, 360))
    elif what == "jump":
        at = (dice.uniform(-30, FIELD[0]), dice.uniform(-30, FIELD[1]))
        figure = replace(figure, position_mm=at, sigma_mm=dice.uniform(0, 4), level_mm=90.0)
    elif what == "face":
        figure = replace(figure, facing_deg=dice.choice([None, dice.uniform(0, 360)]))
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
    offered = [o for o in offered if o.kind != "concede" or dice.random() < 0.02]
    rare = ("done", "turn", "stop_waiting", "fallen")
    often = [o for o in offered if o.kind not in rare]
    if often and dice.random() < 0.8:
        offered = often
    offered = [
        o for o in offered
        if o.input is not InputKind.FIGURE or any(t.allowed for t in o.targets)
    ]  # fmt: skip
    if not offered:
        return
    option = dice.choice(offered)
    fields = {"side": option.side, "figure_id": option.figure_id, "value": option.value}
    if option.input is InputKind.CHOICE:
        fields["value"] = dice.choice(option.choices)[0]
    if option.input is InputKind.FIGURE:
        fields["target_id"] = dice.choice([t for t in option.targets if t.allowed]).figure_id
    if option.input is InputKind.POINT:
        fields["point_mm"] = (dice.uniform(0, 1800), dice.uniform(0, 1400))
    if option.dice[0] and dice.random() < 0.5:
        fields["dice"] = tuple(dice.randint(1, option.dice[1]) for _ in range(option.dice[0]))
    before = game.state
    game.do(option.kind, **fields)
    if option.figure_id is not None and option.kind not in ("fallen", "accept", "answer"):
        unit = before.unit(option.figure_id)
        assert unit is None or unit.alive, f"{option.kind} by the dead"


KINDS = (
    "melee", "shoot", "flame", "throw", "charge", "dismount", "mount", "torch", "fire", "hit",
    "hit_wall", "ram", "roll", "done", "answer", "accept", "fallen", "ready", "edge", "double",
    "second", "turn", "call_off", "stop_waiting", "type", "bow", "crew", "shot_done", "thrown",
)  # fmt: skip


def meddle(game: Game, dice: random.Random) -> None:
    """A wish out of the blue changes nothing, or is refused with a rule."""
    units = [unit.figure_id for unit in game.state.units]
    before, lines = game.state, len(game.referee.lines)
    refusal = None
    try:
        game.do(
            dice.choice(KINDS),
            figure_id=dice.choice([*units, None, "ghost"]),
            target_id=dice.choice([*units, None, "ghost"]),
            value=dice.choice([None, "yes", "nonsense", "south", "red", "removed"]),
            dice=dice.choice([(), (1,), (9,), (1, 2, 3)]),
        )
    except Refused as refused:
        refusal = refused
    if refusal is not None:
        assert (refusal.rule or "").startswith("PM-"), refusal.reason
        assert game.state == before
        assert len(game.referee.lines) == lines


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


@settings(max_examples=GAMES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(OPTIONS, STEPS, st.integers(0, 9999))
def test_random_games_keep_the_laws(options, steps, seed):
    """PM-PREP-10, PM-TURN-06: what is offered is accepted, what is refused has a rule."""
    game = new_game(seed, options)
    count = len(game.state.units)
    for what, number in steps:
        stir(game, what, random.Random(number))  # noqa: S311
        holds(game, count)
        meddle(game, random.Random(number + 1))  # noqa: S311
        holds(game, count)
    lines = [encode_line(line) for line in game.referee.lines]
    again = Referee(PLAYMOBIL, options, (), seed)
    play([decode_input(encode_input(item)) for item in game.inputs], again)
    assert [encode_line(line) for line in again.lines] == lines
    decoded = [decode_line(text) for text in lines]
    assert fold(decoded, BY_ID) == game.state
    surviving = {line.seq for line in kept(decoded)}
    without = [line for line in decoded if line.seq in surviving]
    assert fold(without, BY_ID) == game.state
    assert all(one.text and one.spoken for one in game.referee.announcements())


@settings(max_examples=max(10, GAMES // 4), deadline=None)
@given(STEPS, st.integers(0, 9999))
def test_undo_brings_back_the_state_before(steps, seed):
    """On a table that stands still, undo is exactly the way back."""
    game = new_game(seed)
    for _, number in steps:
        before = replace(game.state, seq=0)
        lines = len(game.referee.lines)
        take(game, random.Random(number))  # noqa: S311
        if len(game.referee.lines) > lines:
            game.do("undo")
            assert replace(game.state, seq=0) == before
            take(game, random.Random(number))  # noqa: S311


@settings(max_examples=max(10, GAMES // 4), deadline=None)
@given(st.integers(0, 9999))
def test_legal_games_come_to_their_end(seed):
    """Only what is offered is done, for 40 turns at most: no exception, the laws hold."""
    game = new_game(seed)
    count = len(game.state.units)
    dice = random.Random(seed)  # noqa: S311
    for _ in range(150):
        if game.state.outcome is not None or game.state.turn > 40:
            break
        if game.state.phase == "ACT" and dice.random() < 0.3:
            stir(game, "move", dice)
        take(game, dice)
        holds(game, count)
