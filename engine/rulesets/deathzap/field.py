"""The board and who stands on it: figures that count, terrain that counts, edges, contacts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shapely import Point

from engine.geometry import bases
from engine.geometry.surfaces import outline
from engine.rulesets.deathzap.data import data
from engine.rulesets.deathzap.measures.lengths import edge_gap, is_contact
from engine.rulesets.deathzap.settings import Settings
from engine.spots import living, text_mark
from engine.state import GameState, Unit
from engine.table import Figure, FigureState, Seen, TableState, Terrain

UPRIGHT: Final = (FigureState.STANDING, FigureState.RIDER)
_OVERLAP_MM: Final = 2.0
"""Bases overlapping by less than this may just be measured so."""

Box = tuple[float, float, float, float]


def on_table(table: TableState, unit: Unit) -> Figure | None:
    """The figure of a fighter where it is or is remembered, None when it is nowhere."""
    return next((f for f in table.figures if f.figure_id == unit.figure_id), None)


def present(state: GameState, table: TableState) -> tuple[Figure, ...]:
    """Figures of fighters still in the game; the killed are in nobody's way (DZ-DMG-10)."""
    alive = {unit.figure_id for unit in living(state)}
    return tuple(
        f for f in table.figures if f.figure_id in alive and f.state is not FigureState.IN_HAND
    )


def standing(state: GameState, table: TableState) -> tuple[Figure, ...]:
    """Those of them that stand, or stood when they were last seen (DZ-VIS-03)."""
    return tuple(
        f
        for f in present(state, table)
        if f.state in UPRIGHT or f.state is FigureState.HIDDEN or f.seen is Seen.HIDDEN
    )


def board(table: TableState, settings: Settings) -> Box | None:
    """The board as x0, y0, x1, y1 in the middle of the table, None where its edges are unknown.

    A square of 24 inches times the factor (DZ-BOARD-01, DZ-GEO-21), or the whole table along an
    axis on which it is smaller than that.
    """
    if table.size_mm is None:
        return None
    side = settings.mm(data().board_in)
    width, depth = table.size_mm
    dx, dy = max(0.0, (width - side) / 2.0), max(0.0, (depth - side) / 2.0)
    return (dx, dy, width - dx, depth - dy)


def shrine_of(state: GameState, table: TableState, settings: Settings) -> str | None:
    """The piece that is the Shrine: the one named, or else the one in the middle (DZ-BOARD-02)."""
    named = text_mark(state, "shrine")
    if any(piece.terrain_id == named for piece in table.terrain):
        return named
    square = board(table, settings)
    if square is None:
        return None
    middle = Point((square[0] + square[2]) / 2.0, (square[1] + square[3]) / 2.0)
    return next(
        (p.terrain_id for p in table.terrain if outline(p.footprint_mm).intersects(middle)), None
    )


def terrain_of(state: GameState, table: TableState, settings: Settings) -> tuple[Terrain, ...]:
    """Terrain that stands in the way and hides (DZ-BOARD-03, DZ-BOARD-04)."""
    if settings.shrine == "terrain":
        return table.terrain
    shrine = shrine_of(state, table, settings)
    return tuple(piece for piece in table.terrain if piece.terrain_id != shrine)


def edge_of(state: GameState, side: str) -> str:
    """The edge of the board a side deploys along, ``""`` before it is chosen."""
    return text_mark(state, f"edge_{side}")


def from_edge(figure: Figure, edge: str, square: Box) -> tuple[float, float]:
    """Distances from an edge of the board to the nearest and farthest point of a footprint."""
    x0, y0, x1, y1 = bases.base_polygon(figure).bounds
    left, low, right, top = square
    return {
        "south": (y0 - low, y1 - low),
        "north": (top - y1, top - y0),
        "west": (x0 - left, x1 - left),
        "east": (right - x1, right - x0),
    }[edge]


def over_edge_mm(figure: Figure, table: TableState, settings: Settings) -> float:
    """How far a footprint sticks out over the board (DZ-GEO-20, DZ-MOVE-08), 0 inside it."""
    square = board(table, settings)
    if square is None:
        return 0.0
    x0, y0, x1, y1 = bases.base_polygon(figure).bounds
    out = max(square[0] - x0, square[1] - y0, x1 - square[2], y1 - square[3])
    slack = max(2.0 * figure.sigma_mm, data().min_band_mm)
    return out if out > slack else 0.0


def overlapped(state: GameState, table: TableState, figure: Figure) -> Figure | None:
    """A fighter on whose footprint this one stands for certain."""
    for other in standing(state, table):
        if other.figure_id == figure.figure_id:
            continue
        if abs(other.level_mm - figure.level_mm) > figure.height_mm / 2.0:
            continue
        mine = bases.inner(figure.base, figure.position_mm)
        theirs = bases.inner(other.base, other.position_mm)
        depth = mine.radius_mm + theirs.radius_mm - mine.core.distance(theirs.core)
        if depth > _OVERLAP_MM and mine.distance(theirs) <= 0.0:
            return other
    return None


def contacts(
    state: GameState, table: TableState, settings: Settings, figure: Figure
) -> Iterator[Unit]:
    """Enemies in base contact with a figure, nearest first."""
    near = []
    mine = state.unit(figure.figure_id)
    for other in standing(state, table):
        unit = state.unit(other.figure_id)
        if unit is None or mine is None or unit.side == mine.side:
            continue
        gap = edge_gap(figure, other)
        if is_contact(gap, settings):
            near.append((gap, unit.figure_id, unit))
    return (unit for _, _, unit in sorted(near, key=lambda one: one[:2]))
