"""Battles built by hand, in millimetres, for tests of Playmobil."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.log import LogLine
from engine.table import Base, BaseShape, Figure, PointMm, Terrain
from tests.engine.tables import Game, figure

FIELD = (1800.0, 1400.0)
DISC = Base(BaseShape.CIRCLE, 32.0)
Man = tuple[str, PointMm]


def man(figure_id: str, at: PointMm, **fields: object) -> Figure:
    made = figure(figure_id, at, base=fields.pop("base", DISC), **fields)  # type: ignore[arg-type]
    return replace(made, label="playmobil", profile="playmobil_model", height_mm=75.0)


def mustered(
    red: Iterable[Man],
    blue: Iterable[Man],
    options: dict[str, object] | None = None,
    *,
    seed: int = 7,
    terrain: tuple[Terrain, ...] = (),
    size: tuple[float, float] | None = FIELD,
    facing: dict[str, float] | None = None,
    ruleset: str = "playmobil",
) -> Game:
    """Two forces along the south and the north edge, in SETUP, all but the equipment told."""
    game = Game(options, size=size, ruleset=ruleset, seed=seed if ruleset else 0)
    if not ruleset:
        game.do("new_game", value="playmobil", numbers=(float(seed),))
    game.terrain = terrain
    for side, force, y in (("red", list(red), 120.0), ("blue", list(blue), FIELD[1] - 120.0)):
        for i in range(len(force)):
            name = f"{side[0]}{i + 1}"
            looks = (facing or {}).get(name, 90.0 if side == "red" else 270.0)
            game.figures[name] = man(name, (130.0 + 130.0 * i, y), side=side, facing=looks)
    game.look()
    for side, force in (("red", list(red)), ("blue", list(blue))):
        for i, (kind, _) in enumerate(force):
            game.do("join", figure_id=f"{side[0]}{i + 1}", value=side)
            game.do("type", figure_id=f"{side[0]}{i + 1}", value=kind)
    return game


def deployed(game: Game, first: str = "red") -> Game:
    """Both have placed; ``first`` has the first turn, since the other one won the roll."""
    game.do("ready")
    while game.state.question is not None:
        game.do("answer", value="yes")
    game.do("roll_off", dice=(1, 6) if first == "red" else (6, 1))
    game.do("edge", value="north" if first == "red" else "south")
    game.do("ready")
    game.do("ready")
    return game


def battle(
    red: Iterable[Man],
    blue: Iterable[Man],
    options: dict[str, object] | None = None,
    *,
    first: str = "red",
    gear: Iterable[tuple[str, str, object]] = (),
    terrain: tuple[Terrain, ...] = (),
    **fields: object,
) -> Game:
    """Figures of type and place; the turn of ``first`` has begun.

    ``gear`` is told as (figure, kind, value or number) before the game.
    """
    red, blue = list(red), list(blue)
    game = mustered(red, blue, options, terrain=terrain, **fields)  # type: ignore[arg-type]
    for name, kind, value in gear:
        if isinstance(value, int) and not isinstance(value, bool):
            game.do(kind, figure_id=name, numbers=(float(value),))
        else:
            game.do(kind, figure_id=name, value=value if isinstance(value, str) else None)
    deployed(game, first)
    places = {f"r{i + 1}": at for i, (_, at) in enumerate(red)}
    places |= {f"b{i + 1}": at for i, (_, at) in enumerate(blue)}
    game.shift(**places)
    return game


def face(game: Game, name: str, facing: float) -> None:
    game.figures[name] = replace(game.figures[name], facing_deg=facing)
    game.look()


def attack(
    game: Game, kind: str, figure_id: str, target_id: str, *dice: int
) -> tuple[LogLine, ...]:
    """Aim and roll."""
    aimed = game.do(kind, figure_id=figure_id, target_id=target_id)
    return aimed + game.do("roll", dice=dice)


def end(game: Game) -> None:
    """The turn passes to the other side; wild elephants roll with dice of the program."""
    game.do("done")
    while game.state.phase == "RAMPAGE":
        game.do("roll")


def kind(game: Game, name: str) -> str:
    return str(game.unit(name).mark("type"))


def last(lines: Iterable[LogLine], what: str):
    """The last event of a kind."""
    return [line.event for line in lines if line.event.kind == what][-1]


def refused(game: Game, what: str, **fields: object):
    """The refusal of a wish."""
    from engine.errors import Refused

    before = game.state
    try:
        game.do(what, **fields)
    except Refused as error:
        assert game.state == before
        return error
    raise AssertionError(f"{what} was allowed")
