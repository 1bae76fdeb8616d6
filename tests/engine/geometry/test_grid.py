"""The reach polygon against a grid that knows nothing of corners or fans."""

import pytest

from engine.geometry.obstacles import Walker
from engine.geometry.reach import reach
from engine.geometry.surfaces import ground
from tests.benchmarks.grid import reach_area, shut_for
from tests.engine.geometry.helpers import closed, disc, piece, rect

WALKER = Walker(8.0, 8.0)
WALLS = {
    "open": [],
    "wall": [piece("w", rect(60, 130, 180, 10), 28.8)],
    "corner": [piece("a", rect(130, 60, 10, 90), 28.8), piece("b", rect(140, 130, 70, 10), 28.8)],
    "yard": [
        piece("n", rect(40, 160, 120, 8), 28.8),
        piece("s", rect(40, 30, 120, 8), 28.8),
        piece("e", rect(160, 30, 8, 50), 28.8),
        piece("f", rect(160, 118, 8, 50), 28.8),
    ],
}


@pytest.mark.parametrize("name", WALLS)
def test_reach_has_the_area_a_grid_finds(name):
    walls, others, start = (
        WALLS[name],
        [disc(70, 60, 16.0)],
        (100.7, 99.1),
    )  # no wall on a grid line
    shut = shut_for(ground(walls), others, 8.0, 8.0)
    area = reach(start, 100.0, closed(walls, others, WALKER, start, within=100.0))
    for wall in ground(walls).surfaces:
        area = area.difference(wall.area)
    assert area.area == pytest.approx(reach_area(start, 100.0, shut, 1.0), rel=0.01)
