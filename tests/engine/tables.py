"""Tables built by hand, in millimetres, for tests of the engine."""

from __future__ import annotations

import math
from dataclasses import replace

from shapely import Polygon

from engine.actions import Action
from engine.announce import Shape
from engine.log import LogLine
from engine.referee import Referee
from engine.rulesets import by_id
from engine.table import (
    Base,
    BaseShape,
    Figure,
    FigureState,
    PointMm,
    Seen,
    TableState,
    Terrain,
    TerrainMark,
)

SIZE = (600.0, 400.0)
LOADOUTS = (("small", "small"), ("small", "small"), ("large",), ("large",), ("large",))


def figure(
    figure_id: str,
    at: PointMm,
    *,
    side: str | None = None,
    state: FigureState = FigureState.STANDING,
    level: float = 0.0,
    rotation: float | None = 0.0,
    facing: float | None = None,
    seen: Seen = Seen.SEEN,
    sigma: float = 0.5,
    base: Base | None = None,
) -> Figure:
    base = base or Base(BaseShape.SQUARE, 16.0, rotation, 3.2)
    return Figure(
        figure_id, "minifig", side, "lego_model", at, facing, base, 40.0, level, state, seen, sigma
    )


def box(
    terrain_id: str,
    x0: float,
    y0: float,
    x1: float,
    y1: float,
    height: float,
    *,
    standable: bool = False,
    kind: str = "wall",
    marks: tuple[TerrainMark, ...] = (),
    lego: bool = True,
) -> Terrain:
    outline = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    return Terrain(terrain_id, kind, outline, height, standable, lego, marks)


def cap(radius: float, height: float) -> float:
    """Area of a disc beyond a chord so far from its middle."""
    if height >= radius:
        return 0.0
    return radius**2 * math.acos(height / radius) - height * math.sqrt(radius**2 - height**2)


def drawn(shape: Shape) -> Polygon:
    """What a polygon to be drawn covers."""
    return Polygon(shape.points_mm, shape.holes_mm)


def stairs(x0: float, y0: float, x1: float, y1: float) -> TerrainMark:
    return TerrainMark("stairs", ((x0, y0), (x1, y0), (x1, y1), (x0, y1)))


class Game:
    """A referee and the table as the test last left it."""

    def __init__(
        self,
        options: dict[str, object] | None = None,
        *,
        sides: tuple[str, ...] = (),
        seed: int = 7,
        size: tuple[float, float] | None = SIZE,
        ruleset: str = "figurslag",
    ) -> None:
        self.referee = Referee(by_id(ruleset), options or {}, sides, seed)  # type: ignore[arg-type]
        self.size = size
        self.t_ns = 0
        self.figures: dict[str, Figure] = {}
        self.terrain: tuple[Terrain, ...] = ()
        self.inputs: list[TableState | Action] = []

    @property
    def state(self):
        return self.referee.state

    def unit(self, figure_id: str):
        found = self.state.unit(figure_id)
        assert found is not None
        return found

    def table(self, settled: bool = True) -> TableState:
        figures = tuple(self.figures[key] for key in sorted(self.figures))
        return TableState(self.t_ns, self.size, figures, self.terrain, settled)

    def look(self, settled: bool = True) -> tuple[LogLine, ...]:
        self.t_ns += 100_000_000
        table = self.table(settled)
        self.inputs.append(table)
        return self.referee.take(table)

    def do(self, kind: str, **fields: object) -> tuple[LogLine, ...]:
        self.t_ns += 100_000_000
        fields.setdefault("basis_seq", self.state.seq)
        action = Action(kind, self.t_ns, **fields)  # type: ignore[arg-type]
        self.inputs.append(action)
        return self.referee.take(action)

    def put(self, figure_id: str, at: PointMm, **fields: object) -> tuple[LogLine, ...]:
        """Put a figure somewhere and look at the settled table."""
        old = self.figures.get(figure_id)
        if old is None:
            self.figures[figure_id] = figure(figure_id, at, **fields)  # type: ignore[arg-type]
        else:
            names = {"level": "level_mm", "facing": "facing_deg", "sigma": "sigma_mm"}
            changed = {names.get(key, key): value for key, value in fields.items()}
            self.figures[figure_id] = replace(old, position_mm=at, **changed)  # type: ignore[arg-type]
        return self.look()

    def lay(self, figure_id: str, state: FigureState = FigureState.LYING) -> tuple[LogLine, ...]:
        self.figures[figure_id] = replace(self.figures[figure_id], state=state)
        return self.look()

    def shift(self, **places: PointMm) -> None:
        """Put figures elsewhere by the word of a human, which is no move."""
        for name, at in places.items():
            old = self.figures[name]
            self.figures[name] = replace(old, position_mm=at, seen=Seen.CORRECTED)
        self.look()
        for name in places:
            self.figures[name] = replace(self.figures[name], seen=Seen.SEEN)
        self.look()

    def said(self, after_seq: int = 0) -> list[str]:
        return [one.text for one in self.referee.announcements(after_seq)]

    def option(self, kind: str, figure_id: str | None = None, value: str | None = None):
        found = [
            one
            for one in self.referee.options()
            if one.kind == kind
            and (figure_id is None or one.figure_id == figure_id)
            and (value is None or one.value == value)
        ]
        return found[0] if found else None

    def target(self, figure_id: str, target_id: str):
        option = self.option("shoot", figure_id)
        assert option is not None
        return next(one for one in option.targets if one.figure_id == target_id)


def teams(game: Game, *, count: int = 5, sides: tuple[str, ...] | None = None) -> None:
    """Place and assign standard teams along their edges; up to FIRST."""
    game.do("terrain_done")
    sides = sides or game.state.sides
    spots = {
        "south": lambda i: (100.0 + 60.0 * i, 20.0),
        "north": lambda i: (100.0 + 60.0 * i, 380.0),
        "west": lambda i: (20.0, 120.0 + 40.0 * i),
        "east": lambda i: (580.0, 120.0 + 40.0 * i),
    }
    for side, edge in zip(sides, ("south", "north", "west", "east"), strict=False):
        for i in range(count):
            name = f"{side[0]}{i + 1}"
            game.figures[name] = figure(name, spots[edge](i), side=side)
    game.look()
    for side in sides:
        for i in range(count):
            game.do("assign", figure_id=f"{side[0]}{i + 1}", side=side, items=LOADOUTS[i % 5])
    game.do("roster_done")
    game.do("deploy_done")


def began(options: dict[str, object] | None = None, *, first: str = "red", **kw: object) -> Game:
    """A game of two standard teams in its first movement phase."""
    game = Game(options, **kw)  # type: ignore[arg-type]
    teams(game)
    game.do("first", value=first)
    return game


def facing_off(
    options: dict[str, object] | None = None,
    *,
    red: dict[str, PointMm] | None = None,
    blue: dict[str, PointMm] | None = None,
    terrain: tuple[Terrain, ...] = (),
) -> Game:
    """Two teams standing where the test wants them, red about to move.

    Models not named stand along their edges.
    """
    game = Game(options)
    teams(game)
    for name, at in {**(red or {}), **(blue or {})}.items():
        game.figures[name] = replace(game.figures[name], position_mm=at)
    game.terrain = terrain
    game.look()
    for unit in game.state.units:
        if unit.mark("open") == "flag":
            game.do("accept", figure_id=unit.figure_id)
        elif unit.mark("open") == "ask":
            game.do("answer", value="in")
    game.do("first", value="red")
    return game
