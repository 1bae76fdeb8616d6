"""The table and who stands on it: figures that count, terrain, edges, contacts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Final

from shapely import Point, Polygon, box, get_parts
from shapely.ops import nearest_points

from engine.geometry import bases
from engine.geometry.surfaces import outline
from engine.memo import kept
from engine.roster import state_mark
from engine.rulesets import limits
from engine.rulesets.playmobil.data import data
from engine.rulesets.playmobil.marks import aboard, crew_of, hostile, is_left_horse, is_man, kind_of
from engine.rulesets.playmobil.measures import lengths
from engine.rulesets.playmobil.settings import Settings
from engine.spots import living, spot
from engine.state import GameState, Unit
from engine.table import BaseShape, Figure, FigureState, PointMm, Seen, TableState, Terrain

UPRIGHT: Final = (FigureState.STANDING, FigureState.RIDER)
_OVERLAP_MM: Final = 4.0
"""Footprints overlapping by less than this may just be measured so: most are rough."""
_MAN_MM: Final = {"playmobil_model": 75.0, "lego_model": 40.0}


@lru_cache(maxsize=4096)
def shaped(figure: Figure, unit: Unit) -> Figure:
    """A figure with the footprint of its troop type, turned by its facing (PM-GEO-03).

    A footprint with corners that the camera has measured stays as it is.
    """
    kind = "horse" if is_left_horse(unit) else {"foot": "man"}.get(kind_of(unit), kind_of(unit))
    facing = unit.mark("lies") if is_left_horse(unit) else unit.mark("faces")
    looks = float(facing) if isinstance(facing, int | float) else figure.facing_deg
    base = figure.base
    if base.shape is not BaseShape.OBLONG and kind:
        base = data().footprints[_profile(figure.profile)][kind]
    return replace(figure, base=bases.turned_base(base, looks), facing_deg=looks)


@kept
def on_table(state: GameState, table: TableState, unit: Unit) -> Figure | None:
    """The figure of a unit where it is or is remembered, None when it is nowhere.

    Men aboard are where their elephant or chariot is; horses left behind and men just dismounted
    are where they were left until the camera or the players show them elsewhere.
    """
    figure = next((f for f in table.figures if f.figure_id == unit.figure_id), None)
    if figure is not None and not aboard(unit):
        return shaped(figure, unit)
    carrier = state.unit(aboard(unit))
    if carrier is not None:
        found = on_table(state, table, carrier)
        return None if found is None else replace(found, figure_id=unit.figure_id)
    here = spot(unit)
    if here is None:
        return None
    model = next((f for f in table.figures), None)
    profile = "playmobil_model" if model is None else _profile(model.profile)
    left = Figure(
        unit.figure_id, "", unit.side, profile, here.xy, None,
        data().footprints[profile]["man"], _MAN_MM[profile], here.z, FigureState.STANDING,
        Seen.HIDDEN, 0.0,
    )  # fmt: skip
    return shaped(left, unit)


def _profile(name: str) -> str:
    return name if name in data().footprints else "playmobil_model"


@kept
def standing(state: GameState, table: TableState) -> tuple[Figure, ...]:
    """Figures of living units that take up room; the dead are in nobody's way."""
    found = []
    for unit in living(state):
        figure = None if aboard(unit) else on_table(state, table, unit)
        if figure is None or figure.state is FigureState.IN_HAND:
            continue
        if figure.state in UPRIGHT or figure.seen is Seen.HIDDEN or kind_of(unit) != "foot":
            found.append(figure)
    return tuple(found)


@kept
def terrain_of(state: GameState, table: TableState, settings: Settings) -> tuple[Terrain, ...]:
    """Terrain as it stands now: broken walls have a gap where they were struck (PM-WALL-05)."""
    found: list[Terrain] = []
    for piece in table.terrain:
        x = state_mark(state, f"breach_x_{piece.terrain_id}")
        y = state_mark(state, f"breach_y_{piece.terrain_id}")
        if not isinstance(x, int | float) or not isinstance(y, int | float):
            found.append(piece)
            continue
        half = data().numbers["walls.breach_mm"] / 2.0
        rest = outline(piece.footprint_mm).difference(box(x - half, y - half, x + half, y + half))
        for i, part in enumerate(get_parts(rest)):
            if isinstance(part, Polygon) and part.area > 1.0:
                ring: tuple[PointMm, ...] = tuple(
                    (float(px), float(py)) for px, py in list(part.exterior.coords)[:-1]
                )
                name = piece.terrain_id if i == 0 else f"{piece.terrain_id}/{i}"
                found.append(replace(piece, terrain_id=name, footprint_mm=ring))
    return tuple(found)


def struck_at(piece: Terrain, from_mm: PointMm) -> PointMm:
    """The place of a wall nearest to who strikes it."""
    near, _ = nearest_points(outline(piece.footprint_mm), Point(from_mm))
    return (near.x, near.y)


def wall_gap(figure: Figure, piece: Terrain) -> float:
    """Gap from a footprint to a piece of terrain in mm."""
    mine = bases.inner(figure.base, figure.position_mm)
    between = mine.core.distance(outline(piece.footprint_mm)) - mine.radius_mm
    return max(0.0, float(between))


def from_edge(figure: Figure, edge: str, size: tuple[float, float]) -> float:
    """Distance from an edge of the table to the farthest point of a footprint."""
    x0, y0, x1, y1 = bases.base_polygon(figure).bounds
    return {"south": y1, "north": size[1] - y0, "west": x1, "east": size[0] - x0}[edge]


def over_edge_mm(figure: Figure, table: TableState) -> float:
    """How far a footprint sticks out over the table (PM-GEO-20), 0 on it."""
    if table.size_mm is None:
        return 0.0
    inner = bases.inner(figure.base, figure.position_mm).polygon()
    x0, y0, x1, y1 = inner.bounds
    out = max(-x0, -y0, x1 - table.size_mm[0], y1 - table.size_mm[1])
    slack = max(2.0 * figure.sigma_mm, data().numbers["geometry.min_band_mm"])
    return float(out) if out > slack else 0.0


def overlapped(state: GameState, table: TableState, figure: Figure) -> Figure | None:
    """A figure on whose place this one stands for certain (PM-MOVE-02)."""
    mine = bases.inner(figure.base, figure.position_mm)
    slim = mine.polygon().buffer(-_OVERLAP_MM)
    for other in standing(state, table):
        unit = state.unit(other.figure_id)
        if other.figure_id == figure.figure_id or unit is None or is_left_horse(unit):
            continue
        if abs(other.level_mm - figure.level_mm) > figure.height_mm / 2.0:
            continue
        if kind_of(unit) == "engine":  # crews stand close, on towers and ladders even on them
            continue
        theirs = bases.inner(other.base, other.position_mm)
        if theirs.polygon().buffer(-_OVERLAP_MM).intersects(slim):
            return other
    return None


def touching(
    state: GameState, table: TableState, settings: Settings, figure: Figure, units: Iterable[Unit]
) -> Iterator[Unit]:
    """Those of some units that are in contact with a figure (PM-GEO-05, PM-DIS-08)."""
    for unit in units:
        other = on_table(state, table, unit)
        if other is None or unit.figure_id == figure.figure_id or aboard(unit):
            continue
        if lengths.is_contact(lengths.edge_gap(figure, other), settings):
            yield unit


def crew_beside(
    state: GameState, table: TableState, settings: Settings, unit: Unit
) -> tuple[list[Unit], list[Unit]]:
    """Men of the own side and of the enemy in contact with an engine (PM-ART-14, PM-SIEGE-10)."""
    figure = on_table(state, table, unit)
    if figure is None:
        return [], []
    near = [u for u in touching(state, table, settings, figure, living(state)) if is_man(u)]
    return [u for u in near if u.side == unit.side], [u for u in near if u.side != unit.side]


@kept
def enemies_of(state: GameState, unit: Unit) -> tuple[Unit, ...]:
    """Whom a unit might attack, men aboard and engines among them."""
    return tuple(
        u
        for u in living(state)
        if u.figure_id != unit.figure_id and hostile(state, unit, u) and not is_left_horse(u)
    )


def reachable(
    state: GameState, table: TableState, settings: Settings, unit: Unit, figure: Figure
) -> Iterator[tuple[Unit, float]]:
    """Enemies within reach of a blow with nothing in between, and their gaps (PM-CAV-11)."""
    everybody = standing(state, table)
    pieces = terrain_of(state, table, settings)
    for enemy in enemies_of(state, unit):
        if kind_of(enemy) == "engine" or aboard(enemy):
            continue
        other = on_table(state, table, enemy)
        if other is None:
            continue
        gap = lengths.edge_gap(figure, other)
        if not limits.fits(gap, settings.reach_mm):
            continue
        if blocker(state, everybody, pieces, figure, other) is None:
            yield enemy, gap


def blocker(
    state: GameState,
    everybody: Iterable[Figure],
    pieces: Iterable[Terrain],
    figure: Figure,
    other: Figure,
) -> object | None:
    """What stands between two figures (PM-ATT-12), None when nothing does."""
    pair = {figure.figure_id, other.figure_id}
    for one in pair.copy():
        unit = state.unit(one)
        if unit is not None:
            pair |= {aboard(unit), *(c.figure_id for c in crew_of(state, unit))}
    others = [f for f in everybody if f.figure_id not in pair]
    width = data().numbers["melee.corridor_mm"]
    return lengths.between(figure, other, others, pieces, figure.height_mm, width)
