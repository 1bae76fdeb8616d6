"""Ways over a real table: round what is impassable and round enemies (PM-MOVE, PM-GEO-07)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from shapely.geometry.base import BaseGeometry

from engine.geometry import paths
from engine.geometry.bases import inscribed_radius
from engine.geometry.obstacles import Walker
from engine.geometry.surfaces import Ground, ground
from engine.geometry.walks import Walk
from engine.rulesets.playmobil.data import data
from engine.table import Figure, PointMm, Terrain

_CORNER_SEGS: Final = 8
"""Edges a quarter of a grown corner: off by less than 0.1 mm for a figure of 10 mm."""
_DRAWN_SEGS: Final = 6
"""The same where an area is drawn: off by as little, and no way is measured there."""
_TALL_MM: Final = 10_000.0
_STEP_MM: Final = 1.0


@dataclass(frozen=True, slots=True)
class Mover:
    """A figure about to move.

    Attributes:
        walk: How it walks among terrain and enemies (PM-MOVE-02).
    """

    walk: Walk

    def shortest(self, start: PointMm, goal: PointMm, most_mm: float = math.inf) -> float | None:
        """Length of the shortest way (PM-GEO-06, PM-GEO-07) in mm, None without any.

        Args:
            start: Where it starts.
            goal: Where it ends.
            most_mm: Ways longer than this count as none; short ones are found sooner.
        """
        path = self.walk.path_on_foot(start, goal, most_mm)
        return None if path is None else paths.length(path)

    @property
    def roaming(self) -> Walk:
        """How it walks where its reach is drawn."""
        return replace(self.walk, walker=replace(self.walk.walker, quad_segs=_DRAWN_SEGS))

    def reach(self, start: PointMm, move_mm: float) -> BaseGeometry:
        """Where a move can end, as area of the middle of the base."""
        return self.roaming.reach(start, move_mm)

    def past_all(self) -> Mover:
        """The same on a table without other figures."""
        return Mover(replace(self.walk, blockers=(), occupied=()))


def mover(
    figure: Figure,
    enemies: Iterable[Figure],
    others: Iterable[Figure],
    terrain: tuple[Terrain, ...],
    size_mm: tuple[float, float] | None,
) -> Mover:
    """A figure about to move.

    Args:
        figure: Who moves.
        enemies: Those that may not be passed; friends may (PM-MOVE-02).
        others: All whose place cannot be taken.
        terrain: All terrain; only some kinds of it are impassable (PM-MOVE-01).
        size_mm: Size of the table, None where its edges are unknown (PM-GEO-20).
    """
    radius = inscribed_radius(figure.base)
    return Mover(
        Walk(
            ground=blocked_ground(terrain),
            walker=Walker(radius, _STEP_MM, size_mm, _CORNER_SEGS),
            blockers=tuple(e for e in enemies if e.figure_id != figure.figure_id),
            occupied=tuple(o for o in others if o.figure_id != figure.figure_id),
        )
    )


@lru_cache(maxsize=16)
def blocked_ground(terrain: tuple[Terrain, ...]) -> Ground:
    """The impassable terrain as cliffs that nobody climbs; gates in it lead through."""
    kinds = data().words["geometry.impassable"]
    return ground(
        replace(
            piece,
            height_mm=_TALL_MM,
            standable=False,
            lego=False,
            marks=tuple(replace(m, kind="stairs") for m in piece.marks if m.kind == "door"),
        )
        for piece in terrain
        if piece.kind in kinds
    )
