"""What is reckoned together, or left out, against the plain way, on random tables."""

import math
import random

import numpy as np
import pytest
import shapely

from engine.geometry import fans, paths
from engine.geometry.closed import closed as closing
from engine.geometry.closed import walls
from engine.geometry.obstacles import Walker, blocked
from engine.geometry.reach import areas, gains
from engine.geometry.spreads import Outset, spread, spreads
from engine.geometry.surfaces import ground
from engine.geometry.walks import Walk
from tests.engine.geometry.helpers import disc, piece

WALKER = Walker(8.0, 8.0, (400.0, 400.0))
FAR = 90.0


def table(seed):
    """Some walls at any angle, some models, and a place that is free."""
    dice = random.Random(seed)  # noqa: S311
    pieces = []
    for i in range(9):
        x, y = 60.0 + 110.0 * (i % 3), 60.0 + 110.0 * (i // 3)
        x, y = x + dice.uniform(-20, 20), y + dice.uniform(-20, 20)
        long, deep, turn = dice.uniform(15, 50), dice.uniform(4, 20), dice.uniform(0, math.pi)
        cos, sin = math.cos(turn), math.sin(turn)
        corners = tuple(
            (x + a * long * cos - b * deep * sin, y + a * long * sin + b * deep * cos)
            for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        )
        pieces.append(piece(f"t{i}", corners, 28.8, standable=bool(i % 2)))
    others = [disc(dice.uniform(20, 380), dice.uniform(20, 380), 16.0) for _ in range(10)]
    floor = ground(pieces)
    solid = shapely.union_all([one.area for one in floor.surfaces]).buffer(1.0)
    while True:
        start = (dice.uniform(100, 300), dice.uniform(100, 300))
        clear = all(math.dist(start, one.position_mm) > 20.0 for one in others)
        if clear and not solid.intersects(shapely.Point(start)):
            return floor, others, start, dice


def shut(floor, others, start, passable=frozenset(), within=FAR):
    return closing(floor, others, WALKER, (start,), passable, within)


@pytest.mark.parametrize("seed", range(4))
def test_areas_are_the_same_together_and_alone(seed):
    tables = [table(10 * seed + i) for i in range(3)]
    outsets = [Outset(start, FAR, shut(floor, them, start)) for floor, them, start, _ in tables]
    together = spreads(outsets)
    wanted = [(one, most) for one in together for most in (30.0, 60.0, FAR)]
    alone = [spread(one.start, one.longest_mm, one.closed) for one in outsets]
    plain = [areas([(one, most)])[0] for one in alone for most in (30.0, 60.0, FAR)]
    for found, expected in zip(areas(wanted), plain, strict=True):
        assert found.equals_exact(expected, 0.0)  # to the last bit, so that games can be replayed


@pytest.mark.parametrize("seed", range(8))
def test_edges_beside_a_sector_change_nothing(seed, monkeypatch):
    floor, others, start, _ = table(seed)
    outset = Outset(start, FAR, shut(floor, others, start))
    found = areas([(spreads([outset])[0], FAR)])[0]

    def all_pairs(some, counts, edges, more):
        assert counts == [len(some.at)]
        assert more == [len(edges)]
        fan, edge = np.indices((len(some.at), len(edges))).reshape(2, -1)
        return fan, edge

    monkeypatch.setattr(fans, "_facing", all_pairs)
    (plain,) = areas([(spreads([outset])[0], FAR)])
    assert found.symmetric_difference(plain).area < 0.01


@pytest.mark.parametrize("seed", range(12))
def test_gains_are_what_an_opened_piece_adds(seed):
    floor, others, start, dice = table(100 + seed)
    every = [one.terrain_id for one in floor.surfaces]
    opened = frozenset(dice.sample(every, dice.randint(1, 3)))
    fewer, more = spreads(
        [
            Outset(start, FAR, shut(floor, others, start, opened)),
            Outset(start, FAR, shut(floor, others, start)),
        ]
    )
    for most in (40.0, FAR):
        free, whole = areas([(more, most), (fewer, most)])
        (gained,) = gains([(fewer, more, most)])
        plain = whole.difference(free)
        assert gained.difference(free).symmetric_difference(plain).area < 0.05 + 1e-3 * plain.area
        assert gained.difference(whole.buffer(0.2)).area < 0.01  # sectors overlap a little


@pytest.mark.parametrize("seed", range(12))
def test_the_way_of_a_spread_is_the_shortest(seed):
    floor, others, start, dice = table(200 + seed)
    obstacles = shut(floor, others, start)
    found = spread(start, FAR, obstacles)
    straight = spread(start, FAR, obstacles, straight=True)
    for _ in range(20):
        turn, far = dice.uniform(0, 2 * math.pi), dice.uniform(5, FAR)
        goal = (start[0] + far * math.cos(turn), start[1] + far * math.sin(turn))
        way, plain = found.way_to(goal), paths.shortest(start, goal, obstacles)
        if plain is None or paths.length(plain) > FAR:
            assert way is None
            continue
        assert way is not None
        assert (way[0], way[-1]) == (start, goal)
        assert paths.length(way) == pytest.approx(paths.length(plain), abs=1e-6)
        assert (straight.way_to(goal) is None) == (len(plain) > 2)
        # A longest way leaves corners out and changes nothing else.
        most = paths.length(plain) * dice.uniform(0.9, 1.1)
        short = paths.shortest(start, goal, obstacles, most)
        if most >= paths.length(plain):
            assert paths.length(short) == pytest.approx(paths.length(plain), abs=1e-6)
        else:
            assert short is None or paths.length(short) > most


@pytest.mark.parametrize("seed", range(8))
def test_what_a_way_does_not_come_to_is_left_out(seed):
    floor, others, start, dice = table(300 + seed)
    walk = Walk(floor, WALKER, tuple(others))
    for _ in range(10):
        goal = (start[0] + dice.uniform(-90, 90), start[1] + dice.uniform(-90, 90))
        plain = paths.shortest(
            start, goal, closing(floor, others, WALKER, (start, goal), frozenset(), None)
        )
        most = 1.1 * math.dist(start, goal) + 1.0
        for limit in (math.inf, most):
            way = walk.path_on_foot(start, goal, limit)
            if plain is None or paths.length(plain) > limit:
                assert way is None
            else:
                assert paths.length(way) == pytest.approx(paths.length(plain), abs=1e-6)


def test_obstacles_are_made_anew_only_beside_a_cliff():
    floor, _, _, dice = table(7)
    made = walls(floor, WALKER)
    every = {id(one) for one in made.pieces}
    for _ in range(60):
        at = (dice.uniform(20, 380), dice.uniform(20, 380))
        near = min(cliff.line.distance(shapely.Point(at)) for cliff in made.cliffs)
        fresh = {id(one) for one in made.near((at,), frozenset(), None)} - every
        inside = any(cliff.level.contains(shapely.Point(at)) for cliff in made.cliffs)
        if not inside and abs(near - WALKER.radius_mm) > 0.1:
            assert bool(fresh) == (near < WALKER.radius_mm)


def test_segments_and_edges_met():
    dice = np.random.default_rng(3)
    starts, ends = dice.uniform(0, 4000, (2, 40, 2))
    edges = dice.uniform(0, 4000, (60, 4))
    found = blocked(starts, ends, edges)
    for i in range(len(starts)):
        line = shapely.LineString([starts[i], ends[i]])
        for j in range(len(edges)):
            assert found[i, j] == line.intersects(shapely.LineString(edges[j].reshape(2, 2)))
    assert blocked(starts[:0], ends[:0], edges).shape == (0, 60)
    assert blocked(starts, ends, edges[:0]).shape == (40, 0)
