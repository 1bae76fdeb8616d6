"""Random play: what all rule systems share of stirring a table and of checking the laws."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from hypothesis import strategies as st
from shapely import Point, Polygon

from engine.actions import Action
from engine.codec import decode_input, decode_line, encode_input, encode_line
from engine.dice import SeededDice
from engine.errors import Refused
from engine.log import fold, kept
from engine.norules import NoRules
from engine.play import play
from engine.referee import Referee
from engine.ruleset import InputKind, Option, RuleSet
from engine.table import Figure, FigureState, Seen
from tests.engine.tables import Game, drawn


def values(option, most: int | None = None):
    """Any value an option may have; whole numbers up to ``most`` over the lowest."""
    if option.choices:
        return st.sampled_from(option.choices)
    lo, hi = option.span
    if isinstance(option.default, float):
        return st.floats(lo, hi, allow_nan=False)
    return st.integers(int(lo), int(hi) if most is None else min(int(hi), int(lo) + most))


def choices(ruleset: RuleSet, set_elsewhere: Sequence[str]):
    """Any options of a game but those the test itself sets."""
    free = [o for o in ruleset.info.options if len(o.choices) > 1 or o.span is not None]
    return st.fixed_dictionaries(
        {}, optional={o.key: values(o) for o in free if o.key not in set_elsewhere}
    )


def steps(kinds: Sequence[str], most: int = 40):
    """Steps of a game: what happens, and a seed for how."""
    return st.lists(
        st.tuples(st.sampled_from(kinds), st.integers(0, 2**20)), min_size=1, max_size=most
    )


def undo(game: Game) -> None:
    """Take the last thing back, if there is one."""
    try:
        game.do("undo")
    except Refused:
        return


def laid(figure: Figure, dice: random.Random) -> Figure:
    """Lying or standing."""
    state = dice.choice([FigureState.LYING, FigureState.STANDING])
    return replace(figure, state=state, seen=Seen.SEEN)


def hidden(figure: Figure, dice: random.Random) -> Figure:
    """Out of sight, or back in it."""
    gone = dice.random() < 0.5
    return replace(
        figure,
        state=FigureState.HIDDEN if gone else FigureState.STANDING,
        seen=Seen.HIDDEN if gone else dice.choice([Seen.SEEN, Seen.CORRECTED]),
    )


def offers(game: Game) -> list[Option]:
    """Everything there is to tap, without targets that may not be chosen."""
    return [
        o
        for o in game.referee.options()
        if o.input is not InputKind.SHOW
        and (o.input is not InputKind.FIGURE or any(t.allowed for t in o.targets))
    ]


def fields_of(option: Option, dice: random.Random, field: tuple[float, float]):
    """What a page would send for an option, at random, with typed dice or without."""
    fields = {"side": option.side, "figure_id": option.figure_id, "value": option.value}
    if option.input is InputKind.CHOICE:
        fields["value"] = dice.choice(option.choices)[0]
    if option.input is InputKind.NUMBER:
        fields["numbers"] = (dice.uniform(0, 20),)
    if option.input is InputKind.FIGURE:
        fields["target_id"] = dice.choice([t for t in option.targets if t.allowed]).figure_id
    if option.input is InputKind.POINT:
        fields["point_mm"] = (dice.uniform(0, field[0]), dice.uniform(0, field[1]))
    if option.dice[0] and dice.random() < 0.5:
        fields["dice"] = tuple(dice.randint(1, option.dice[1]) for _ in range(option.dice[0]))
    return fields


def take(game: Game, option: Option, dice: random.Random) -> None:
    """Do what is offered: it is never refused, and never done by the dead."""
    before = game.state
    game.do(option.kind, **fields_of(option, dice, game.size))
    if option.figure_id is not None and option.kind not in ("fallen", "accept", "answer"):
        unit = before.unit(option.figure_id)
        assert unit is None or unit.alive, f"{option.kind} by the dead"


def meddle(game: Game, kinds: Sequence[str], prefix: str, dice: random.Random) -> None:
    """A wish out of the blue changes nothing, or is refused with a rule."""
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
        assert (refusal.rule or "").startswith(prefix), refusal.reason
        assert game.state == before
        assert len(game.referee.lines) == lines


def lay_the_dead(game: Game) -> None:
    """Whoever the rules killed lies down."""
    for unit in game.state.units:
        figure = game.figures.get(unit.figure_id)
        if figure is not None and not unit.alive and figure.state is FigureState.STANDING:
            game.figures[unit.figure_id] = replace(figure, state=FigureState.LYING)
            game.look()


def walk(game: Game, dice: random.Random) -> bool:
    """Move somebody to somewhere in his reach, onto whatever is highest there."""
    reaches = [o for o in game.referee.options() if o.kind == "reach" and o.shapes]
    if not reaches:
        return False
    option = dice.choice(reaches)
    outline = drawn(dice.choice([shape for shape in option.shapes if shape.kind == "polygon"]))
    x0, y0, x1, y1 = outline.bounds
    for _ in range(12):
        at = (dice.uniform(x0, x1), dice.uniform(y0, y1))
        if outline.contains(Point(at)):
            below = [p.height_mm for p in game.terrain if Polygon(p.footprint_mm).covers(Point(at))]
            game.put(option.figure_id or "", at, level=max(below, default=0.0))
            return True
    return False


def legal_step(game: Game, act: Callable[[Game, random.Random], None], dice: random.Random) -> None:
    """The dead lie, flags are accepted; then a walk within reach, or ``act``."""
    lay_the_dead(game)
    flagged = [o for o in offers(game) if o.kind == "accept"]
    if flagged and game.state.question is None:
        take(game, flagged[0], dice)
    elif dice.random() < 0.5 or not walk(game, dice):
        act(game, dice)


def every_offer_is_taken(game: Game, dice: random.Random, but: Sequence[str] = ()) -> int:
    """Resolve each option without keeping what comes of it; it may not be refused.

    Args:
        game: As it stands.
        dice: For what is sent.
        but: Kinds whose number the players measure, which may be a wrong one.
    """
    ruleset, state, table = game.referee.ruleset, game.state, game.table()
    offered = [o for o in offers(game) if o.kind not in but]
    for count, option in enumerate(offered):
        fields = fields_of(option, dice, game.size)
        action = Action(option.kind, basis_seq=state.seq, **fields)
        ruleset.resolve(state, table, action, SeededDice(1, count))
    return len(offered)


def keeps_the_laws(
    game: Game, ruleset: RuleSet, options: dict[str, object], sides: Sequence[str], seed: int
) -> None:
    """Inputs replay to the same log, the log folds to the state, also without undone lines."""
    by_id = {"": NoRules(), ruleset.info.id: ruleset}
    lines = [encode_line(line) for line in game.referee.lines]
    again = Referee(ruleset, options, sides, seed)
    play([decode_input(encode_input(item)) for item in game.inputs], again)
    assert [encode_line(line) for line in again.lines] == lines
    decoded = [decode_line(text) for text in lines]
    assert fold(decoded, by_id) == game.state
    surviving = {line.seq for line in kept(decoded)}
    without = [line for line in decoded if line.seq in surviving]
    assert fold(without, by_id) == game.state
    assert all(one.text and one.spoken for one in game.referee.announcements())


def undo_is_the_way_back(
    game: Game, act: Callable[[Game, random.Random], None], seeds: Iterable[int]
) -> None:
    """On a table that stands still, undo brings back exactly the state before."""
    for seed in seeds:
        before = replace(game.state, seq=0)
        lines = len(game.referee.lines)
        act(game, random.Random(seed))  # noqa: S311
        if len(game.referee.lines) > lines:
            game.do("undo")
            assert replace(game.state, seq=0) == before
            act(game, random.Random(seed))  # noqa: S311
