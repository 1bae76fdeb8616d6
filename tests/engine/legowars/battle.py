"""Battles built by hand, in millimetres, for tests of Legowars."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from engine.events import Event
from engine.log import LogLine
from engine.table import Base, BaseShape, Figure, FigureState, PointMm, Seen, Terrain, TerrainMark
from tests.engine.tables import Game, figure

SIZE = (1200.0, 800.0)
DISC = Base(BaseShape.CIRCLE, 16.0)
HORSE = Base(BaseShape.CIRCLE, 30.0)
CART = Base(BaseShape.SQUARE, 60.0, 0.0)
STRICT: dict[str, object] = {"boundary_policy": "strict_reading", "armor_recognition": "automatic"}


def model(figure_id: str, at: PointMm, **fields: object) -> Figure:
    """A man, or a horse or cart by its base and label."""
    return figure(figure_id, at, base=fields.pop("base", DISC), **fields)  # type: ignore[arg-type]


def thing(kind: str, figure_id: str, at: PointMm, **fields: object) -> Figure:
    """A model of that kind."""
    if kind in ("horse", "mount"):
        found = model(figure_id, at, base=HORSE, **fields)
        return replace(found, label="animal", height_mm=45.0)
    if kind in ("vehicle", "boat", "ballista", "catapult", "battering_ram"):
        height = fields.pop("height", 40.0)
        found = model(figure_id, at, base=fields.pop("base", CART), **fields)
        return replace(found, label="vehicle", height_mm=height)  # type: ignore[arg-type]
    return model(figure_id, at, **fields)


class Battle(Game):
    """A game of Legowars on a table of tests."""

    def __init__(
        self,
        options: Mapping[str, object] | None = None,
        *,
        sides: tuple[str, ...] = (),
        seed: int = 7,
        size: tuple[float, float] | None = SIZE,
    ) -> None:
        chosen = {**STRICT, **(options or {})}
        super().__init__(chosen, sides=sides, seed=seed, size=size, ruleset="legowars")

    def join(
        self,
        figure_id: str,
        side: str,
        at: PointMm,
        *things: str,
        kind: str = "man",
        **fields: object,
    ) -> None:
        """One more model with its things, in SETUP or BUY."""
        self.figures[figure_id] = thing(kind, figure_id, at, **fields)
        self.look()
        self.do("join", figure_id=figure_id, side=side, value=kind)
        for item in things:
            self.do("gear", figure_id=figure_id, value=item)

    def start(self, first: str = "red", *, phase: str = "MOVE") -> Battle:
        """Into the first turn; ``first`` is at work in that phase."""
        for _ in range(3):
            self.do("ready", value="accept")
            while self.state.question is not None:
                self.do("answer", value="yes")
        return self.order(first, phase)

    def order(self, first: str, phase: str = "MOVE") -> Battle:
        """Dice for the order of a turn, then on to a phase of the first side."""
        sides = self.state.sides
        playing = [side for side in sides if side in in_play(self)]
        dice = tuple(9 if side == first else 6 - i for i, side in enumerate(playing))
        self.do("initiative", dice=dice)
        while self.state.phase == "MOVE" and phase != "MOVE":
            self.do("done")
        return self

    def next_turn(self, first: str = "red", phase: str = "ATTACK") -> Battle:
        """To the same place of the next turn."""
        turn = self.state.turn
        while self.state.turn == turn:
            self.do("done")
        return self.order(first, phase)

    def attack(self, by: str, weapon: str, target: str, *dice: int) -> tuple[LogLine, ...]:
        """Aim and roll as many dice as are given."""
        kind = "horse_attack" if "horse" in self.unit(by).equipment else "attack"
        if self.state.unit(weapon) is not None:
            kind = "crew_heavy"
        lines = self.do(kind, figure_id=by, value=weapon, target_id=target)
        for face in dice:
            lines += self.do("roll", dice=(face,))
        return lines

    def corrected(self, **places: PointMm) -> None:
        """Put models elsewhere by the word of a human, which is no move."""
        for name, at in places.items():
            old = self.figures[name]
            self.figures[name] = replace(old, position_mm=at, seen=Seen.CORRECTED)
        self.look()
        for name in places:
            self.figures[name] = replace(self.figures[name], seen=Seen.SEEN)
        self.look()

    def aim_of(self, by: str, weapon: str, target: str):
        """What is offered about a target."""
        found = [
            one
            for one in self.referee.options()
            if one.figure_id == by and one.value == weapon and one.targets
        ]
        assert found, [(o.kind, o.value) for o in self.referee.options()]
        return next((t for t in found[0].targets if t.figure_id == target), None)


def in_play(game: Game) -> list[str]:
    conceded = str(dict(game.state.marks).get("conceded", "")).split(";")
    return [
        side
        for side in game.state.sides
        if side not in conceded
        and any(u.alive and u.side == side and kind_free(u) for u in game.state.units)
    ]


def kind_free(unit) -> bool:
    """A man: nothing in its equipment says otherwise."""
    kinds = {"horse", "mount", "vehicle", "boat", "ballista", "catapult", "battering_ram"}
    return not kinds & set(unit.equipment) and "building" not in unit.equipment


def battle(
    red: Mapping[str, tuple[PointMm, tuple[str, ...]]],
    blue: Mapping[str, tuple[PointMm, tuple[str, ...]]],
    options: Mapping[str, object] | None = None,
    *,
    terrain: tuple[Terrain, ...] = (),
    first: str = "red",
    phase: str = "MOVE",
    **fields: object,
) -> Battle:
    """Men of two sides where the test wants them."""
    game = Battle(options, **fields)  # type: ignore[arg-type]
    game.terrain = terrain
    for side, men in (("red", red), ("blue", blue)):
        for name, (at, things) in men.items():
            game.join(name, side, at, *things)
    return game.start(first, phase=phase)


def duel(
    gap: float,
    *things: str,
    other: tuple[str, ...] = (),
    options: Mapping[str, object] | None = None,
    terrain: tuple[Terrain, ...] = (),
    phase: str = "ATTACK",
    first: str = "red",
) -> Battle:
    """Two men, ``gap`` mm between their bases."""
    red = {"r1": ((300.0, 400.0), things)}
    blue = {"b1": ((300.0 + 16.0 + gap, 400.0), other)}
    return battle(red, blue, options, terrain=terrain, phase=phase, first=first)


def block(
    name: str,
    x0: float,
    y0: float,
    x1: float,
    y1: float,
    height: float,
    *marks: TerrainMark,
    standable: bool = True,
    kind: str = "wall",
) -> Terrain:
    outline = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    return Terrain(name, kind, outline, height, standable, True, marks)


def mark(kind: str, x0: float, y0: float, x1: float, y1: float) -> TerrainMark:
    return TerrainMark(kind, ((x0, y0), (x1, y0), (x1, y1), (x0, y1)))


def last(lines: Iterable[LogLine], kind: str) -> Event:
    """The last event of a kind."""
    return [line.event for line in lines if line.event.kind == kind][-1]


def kinds(lines: Iterable[LogLine]) -> list[str]:
    return [line.event.kind for line in lines]


def lie(game: Game, name: str) -> None:
    game.lay(name, FigureState.LYING)
