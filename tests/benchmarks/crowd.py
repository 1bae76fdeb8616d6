"""Forty figures among thirty pieces of terrain, in each rule system, as a side may act."""

from __future__ import annotations

import random
from dataclasses import replace

from engine.table import PointMm, Terrain
from tests.engine.deathzap.skirmish import skirmish
from tests.engine.follow_me.battle import battle as follow_me_battle
from tests.engine.legowars.battle import battle as legowars_battle
from tests.engine.playmobil.battle import battle as playmobil_battle
from tests.engine.tables import Game, box, figure

PIECES = 30
MEN = 20
SIZE = (1200.0, 900.0)


def pieces(scale: float) -> tuple[Terrain, ...]:
    """Thirty walls, blocks and steps in the middle of a table, none on another."""
    dice = random.Random(4)  # noqa: S311
    found = []
    for i in range(PIECES):
        x, y = 110.0 + 200.0 * (i % 6), 270.0 + 90.0 * (i // 6)
        x, y = x + dice.uniform(-30, 30), y + dice.uniform(-12, 12)
        wide, deep = dice.uniform(30, 110), dice.uniform(12, 40)
        high = 9.6 * dice.randint(1, 6)
        found.append(
            box(
                f"t{i:02d}",
                scale * x,
                scale * y,
                scale * (x + wide),
                scale * (y + deep),
                scale * high,
                standable=bool(i % 2),
            )
        )
    return tuple(found)


def places(side: int, count: int, scale: float, lone: int = 0) -> list[PointMm]:
    """Where the men of a side stand: in three loose rows among and before the pieces.

    One alone stands where the man of the number `lone` would stand among all.
    """
    dice = random.Random(20 + side)  # noqa: S311
    rows = ((200.0, 246.0, 340.0), (820.0, 730.0, 610.0))[side]
    found = []
    for i in range(MEN if count == 1 else count):
        x = 60.0 + 54.0 * (i % MEN) + dice.uniform(-8, 8)
        y = rows[i % 3] + dice.uniform(-4, 4) + 24.0 * (i // MEN)
        if count > 1 or i == lone:
            found.append((scale * x, scale * y))
    return found


def clear(
    points: list[PointMm], terrain: tuple[Terrain, ...], room: float, middle: float
) -> list[PointMm]:
    """The places, moved towards the edge until they are clear of all pieces."""
    found = []
    for x, y in points:
        away = -5.0 if y < middle else 5.0
        while any(
            p.footprint_mm[0][0] - room < x < p.footprint_mm[2][0] + room
            and p.footprint_mm[0][1] - room < y < p.footprint_mm[2][1] + room
            for p in terrain
        ):
            y += away
        found.append((x, y))
    return found


def figurslag(red: int, blue: int, lone: int = 0) -> Game:
    """Models of two teams: red about to move."""
    terrain, (ours, theirs) = _set(red, blue, 1.0, lone)
    game = Game({"non_standard_team": "allow"}, size=SIZE)
    game.do("terrain_done")
    for side, points, y in (("red", ours, 20.0), ("blue", theirs, SIZE[1] - 20.0)):
        for i in range(len(points)):
            name = f"{side[0]}{i + 1}"
            game.figures[name] = figure(name, (40.0 + 28.0 * i, y), side=side)
    game.look()
    for name, one in game.figures.items():
        game.do("assign", figure_id=name, side=one.side, items=("large",))
    game.do("roster_done")
    game.do("deploy_done")
    for side, points in (("r", ours), ("b", theirs)):
        for i, at in enumerate(points):
            name = f"{side}{i + 1}"
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


def legowars(red: int, blue: int, lone: int = 0) -> Game:
    """Men with swords, and men with bows: red about to move."""
    terrain, (ours, theirs) = _set(red, blue, 1.0, lone)
    return legowars_battle(
        {f"r{i + 1:02d}": (at, ("sword",)) for i, at in enumerate(ours)},
        {f"b{i + 1:02d}": (at, ("bow", "quiver")) for i, at in enumerate(theirs)},
        terrain=terrain,
        size=SIZE,
    )


def deathzap(red: int, blue: int, lone: int = 0) -> Game:
    """Two warbands, of ten at most: one fighter of red is at work."""
    terrain, (ours, theirs) = _set(min(red, 10), min(blue, 10), 1.0, lone)
    return skirmish(
        [(("Beast", "Soldier")[i % 2], 2, at) for i, at in enumerate(ours)],
        [("Warrior", 2, at) for at in theirs],
        {"dz.scale.factor": 2.0},
        terrain=terrain,
        size=SIZE,
        pick="r1",
    )


def playmobil(red: int, blue: int, lone: int = 0) -> Game:
    """Foot and archers on a larger table: the turn of red has begun."""
    terrain, (ours, theirs) = _set(red, blue, 1.5, lone)
    kinds = ("light_infantry", "infantry_archer", "light_spearman", "light_cavalry")
    return playmobil_battle(
        [(kinds[i % len(kinds)], at) for i, at in enumerate(ours)],
        [(kinds[i % len(kinds)], at) for i, at in enumerate(theirs)],
        terrain=terrain,
        size=(5400.0, 1400.0),  # so that the line they are first put on is on the table
    )


def follow_me(red: int, blue: int, lone: int = 0) -> Game:
    """A hero with archers, orcs and knights a side on a larger table: red follows its hero."""
    terrain, (ours, theirs) = _set(red, blue, 1.5, lone)
    terrain = tuple(
        replace(piece, kind=("high_wall", "hedge", "house")[i % 3])
        for i, piece in enumerate(terrain)
    )
    kinds = ("archer", "orc_grunt", "knight", "goblin")
    game = follow_me_battle(
        [(kinds[i % len(kinds)], at) for i, at in enumerate(ours[1:])],
        [(kinds[i % len(kinds)], at) for i, at in enumerate(theirs[1:])],
        heroes=(ours[0], theirs[0]),
        terrain=terrain,
        size=(1.5 * SIZE[0], 1.5 * SIZE[1]),
    )
    if red > 1:
        game.do("follow", figure_id="rh")
    game.hold()
    return game


GAMES = {
    "figurslag": figurslag,
    "deathzap": deathzap,
    "playmobil": playmobil,
    "legowars": legowars,
    "follow_me": follow_me,
}


def _set(
    red: int, blue: int, scale: float, lone: int
) -> tuple[tuple[Terrain, ...], tuple[list[PointMm], list[PointMm]]]:
    terrain = pieces(scale)
    room = 18.0 * scale
    return terrain, (
        clear(places(0, red, scale, lone), terrain, room, 450.0 * scale),
        clear(places(1, blue, scale), terrain, room, 450.0 * scale),
    )
