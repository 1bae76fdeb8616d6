"""Skirmishes built by hand, in millimetres, for tests of Deathzap."""

from __future__ import annotations

from collections.abc import Iterable

from engine.log import LogLine
from engine.table import Base, BaseShape, Figure, FigureState, PointMm, Terrain
from tests.engine.tables import Game, figure

BOARD = (609.6, 609.6)
DISC = Base(BaseShape.CIRCLE, 20.0)
Fighter = tuple[str, int, PointMm]


def fighter(figure_id: str, at: PointMm, **fields: object) -> Figure:
    return figure(figure_id, at, base=fields.pop("base", DISC), **fields)  # type: ignore[arg-type]


def recruited(
    red: Iterable[Fighter],
    blue: Iterable[Fighter],
    options: dict[str, object] | None = None,
    *,
    size: tuple[float, float] | None = BOARD,
    seed: int = 7,
    **fields: object,
) -> Game:
    """Two warbands along the south and the north edge, in SETUP."""
    game = Game(options, size=size, ruleset="deathzap", seed=seed)
    for side, band, y in (("red", red, 30.0), ("blue", blue, (size or BOARD)[1] - 30.0)):
        for i, _ in enumerate(band):
            name = f"{side[0]}{i + 1}"
            game.figures[name] = fighter(name, (60.0 + 48.0 * i, y), side=side, **fields)
    game.look()
    for side, band in (("red", red), ("blue", blue)):
        for i, (kind, worth, _) in enumerate(band):
            name = f"{side[0]}{i + 1}"
            game.do("join", figure_id=name, value=side)
            game.do("class", figure_id=name, value=kind)
            game.do("might", figure_id=name, numbers=(float(worth),))
    return game


def deployed(game: Game, first: str = "red") -> Game:
    """Both have placed; ``first`` acts first since the other one placed first."""
    game.do("ready")
    if game.state.question is not None:
        game.do("answer", value=game.referee.ruleset.info.options and multi(game))
    game.do("roll_off", dice=(1, 6) if first == "red" else (6, 1))
    game.do("edge", value="north" if first == "red" else "south")
    game.do("ready")
    game.do("ready")
    return game


def multi(game: Game) -> str:
    return str(dict(game.state.options)["dz.chain.multi"])


def skirmish(
    red: Iterable[Fighter],
    blue: Iterable[Fighter],
    options: dict[str, object] | None = None,
    *,
    first: str = "red",
    terrain: tuple[Terrain, ...] = (),
    pick: str | None = None,
    **fields: object,
) -> Game:
    """Fighters of class, Might and place; ``first`` is about to pick, or has picked."""
    red, blue = list(red), list(blue)
    game = deployed(recruited(red, blue, options, **fields), first)  # type: ignore[arg-type]
    places = {f"r{i + 1}": at for i, (_, _, at) in enumerate(red)}
    places |= {f"b{i + 1}": at for i, (_, _, at) in enumerate(blue)}
    game.terrain = terrain
    game.shift(**places)
    if pick is not None:
        game.do("pick", figure_id=pick)
    return game


def attack(
    game: Game, kind: str, figure_id: str, target_id: str, *dice: int
) -> tuple[LogLine, ...]:
    """Aim and roll."""
    aimed = game.do(kind, figure_id=figure_id, target_id=target_id)
    return aimed + game.do("roll", dice=dice)


def lie(game: Game, name: str) -> None:
    game.lay(name, FigureState.LYING)


def aim_of(game: Game, kind: str, figure_id: str, target_id: str):
    """What is offered about a target."""
    option = game.option(kind, figure_id)
    assert option is not None, [o.kind for o in game.referee.options()]
    return next(one for one in option.targets if one.figure_id == target_id)


def last(lines: Iterable[LogLine], kind: str):
    """The last event of a kind."""
    return [line.event for line in lines if line.event.kind == kind][-1]
