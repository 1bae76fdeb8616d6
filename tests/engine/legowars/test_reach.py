"""Where a man can go, worked out by hand in square centimetres."""

import math

import pytest
from shapely import box, union_all

from tests.engine.legowars.battle import Battle, block
from tests.engine.tables import cap, drawn

WALK, HALF = 10.0, 0.8
"""MOVEMENT of a man and half his base, in cm."""
DISC = math.pi * WALK**2


def area(*terrain, options=None, level=0.0):
    """What is drawn for a man 2 cm before what begins at y = 420."""
    game = Battle(options)
    game.terrain = terrain
    game.join("r1", "red", (400.0, 400.0), level=level)
    game.join("b1", "blue", (1100.0, 60.0))
    game.start("red")
    return union_all([drawn(shape) for shape in game.option("reach", "r1").shapes])


def reached(*terrain, **more):
    """The same in square centimetres."""
    return area(*terrain, **more).area / 100.0


def close(expected):
    return pytest.approx(expected, rel=0.01)


@pytest.mark.parametrize("height", [28.8, 57.6])
def test_before_a_wall(height):
    """LW-MOVE-04: his base touches a wall of 3 bricks, its middle comes no nearer."""
    wall = block("wall", 0, 420, 1200, 426, height)
    assert reached(wall) == close(DISC - cap(WALK, 2.0 - HALF))


@pytest.mark.parametrize("height", [9.6, 19.2])
def test_on_a_low_roof(height):
    """LW-MOVE-05, LW-MOVE-09: 5 of 10 cm are left for the way up and on."""
    roof = block("roof", 0, 420, 1200, 600, height)
    assert reached(roof) == close(DISC - cap(WALK, 2.0 - HALF) + cap(WALK - 5.0, 2.0))


def test_behind_a_fence():
    """LW-MOVE-05, LW-MOVE-08: nobody stands on a fence; behind it 5 of 10 cm count."""
    fence = block("fence", 0, 420, 1200, 426, 19.2, standable=False)
    behind = cap(WALK - 5.0, 2.6 + HALF)
    assert reached(fence) == close(DISC - cap(WALK, 2.0 - HALF) + behind)


def test_less_than_a_brick_is_no_obstacle():
    """LW-MOVE-07: a plank is walked over, and stood on."""
    plank = block("plank", 0, 420, 1200, 426, 6.4, standable=False)
    assert reached(plank) == close(DISC)


def ring(side, out):
    """Area round a square house up to so far from it, in cm."""
    return 4.0 * side * out + math.pi * out**2


@pytest.mark.parametrize("height", [28.8, 57.6])
def test_down_from_a_roof(height):
    """LW-MOVE-15: jumping is forbidden, or leads right below the edge."""
    house = block("house", 360, 360, 440, 440, height)
    assert reached(house, level=height) == close(64.0)
    jump = reached(house, level=height, options={"jump_down": "fall_roll"})
    assert jump == close(64.0 + ring(8.0, 4 * HALF) - ring(8.0, HALF))


def test_down_from_a_low_roof():
    """LW-MOVE-09: stepping down is free, but not into the wall."""
    house = block("house", 360, 360, 440, 440, 19.2)
    assert reached(house, level=19.2) == close(DISC - ring(8.0, HALF))


def test_down_over_every_terrace():
    """LW-MOVE-09: four low steps down in one move are free, each with half a base left clear."""
    edges = (2.0, 4.5, 7.0, 9.0)
    far = [400.0 + 10.0 * edge for edge in edges]
    terraces = [
        block(f"t{i}", 0, near, 1200, end, 9.6 * (4 - i))
        for i, (near, end) in enumerate(zip([0.0, *far], far, strict=False))
    ]
    clear = sum(cap(WALK, edge) - cap(WALK, edge + HALF) for edge in edges)
    assert reached(*terraces, level=38.4) == close(DISC - clear)


def test_stairs_are_as_long_as_they_are():
    """LW-MOVE-13: steps of 5 cm that rise 2.88 cm leave less for the roof than a flat way."""
    steps = block("steps", 0, 420, 1200, 470, 28.8, kind="stairs")
    roof = block("roof", 0, 470, 1200, 800, 28.8)
    slope = math.hypot(5.0, 2.88) - 5.0
    found = area(steps, roof).intersection(box(0, 470, 1200, 800)).area / 100.0
    assert found == pytest.approx(cap(WALK - slope, 7.0), rel=0.04)
    ground = area(steps, roof).intersection(box(0, 0, 1200, 420)).area / 100.0
    assert ground == close(DISC - cap(WALK, 2.0))
    dear = area(steps, roof, options={"stairs_cost": "per_step"})
    assert not dear.intersects(box(0, 440, 1200, 800))
