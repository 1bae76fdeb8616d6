"""The table as the rules see it: who stands where, terrain that counts, doors and ladders."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from shapely import Point, get_coordinates, oriented_envelope

from engine.geometry import bases
from engine.geometry.bases import Outline
from engine.geometry.interval import Interval
from engine.geometry.surfaces import Ground, ground, outline
from engine.rulesets.legowars.marks import (
    BUILDING,
    HORSE,
    MAN,
    VEHICLE,
    kind_of,
    mount_of,
    words_mark,
)
from engine.rulesets.legowars.measures import lengths
from engine.rulesets.legowars.measures.heights import settled_mm
from engine.rulesets.legowars.settings import Settings
from engine.spots import SAME_LEVEL_MM, Spot, word
from engine.state import GameState, Unit
from engine.table import Figure, FigureState, PointMm, TableState, Terrain, TerrainMark
from engine.words import piece_names

UPRIGHT: Final = (FigureState.STANDING, FigureState.RIDER)
DOOR_KINDS: Final = ("door", "drawbridge")
LADDER: Final = "ladder"
WINCH: Final = "winch"
_OVERLAP_MM: Final = 2.0
"""Bases overlapping by less than this may just be measured so."""
_BEYOND_MM: Final = 4.0


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """Where a unit is.

    Attributes:
        most: Largest outline it can have.
        least: Outline it has for certain.
        centre: Middle of its base.
        low_mm: Height of what it stands on.
        high_mm: Top of it, where it is as good as its foot: of vehicles and buildings only.
        sigma_mm: One standard deviation of its place.
    """

    most: Outline
    least: Outline
    centre: PointMm
    low_mm: float
    high_mm: float
    sigma_mm: float

    def gap(self, other: Place, settings: Settings) -> Interval:
        """Distance in mm, slant where heights differ (section 5.2)."""
        sigma = math.hypot(self.sigma_mm, other.sigma_mm)
        if settings.distance_mode == "centre":
            between = math.dist(self.centre, other.centre)
            flat = Interval(between, between, sigma)
        else:
            flat = Interval(self.most.distance(other.most), self.least.distance(other.least), sigma)
        apart = max(0.0, self.low_mm - other.high_mm, other.low_mm - self.high_mm)
        return lengths.slant(flat, apart, settings)


@dataclass(frozen=True, slots=True)
class Ladder:
    """A ladder between two levels (LW-LADD-01, section 5.6).

    Attributes:
        ladder_id: Its piece and its number there.
        foot: Its lower end.
        top: Its upper end.
    """

    ladder_id: str
    foot: Spot
    top: Spot

    @property
    def middle(self) -> Spot:
        """Where a climber is."""
        return Spot(
            (self.foot.x + self.top.x) / 2.0,
            (self.foot.y + self.top.y) / 2.0,
            (self.foot.z + self.top.z) / 2.0,
        )

    def end(self, name: str) -> Spot:
        """The end called ``foot`` or ``top``."""
        return self.foot if name == "foot" else self.top


@dataclass(frozen=True, slots=True)
class Door:
    """A door or drawbridge of a piece of terrain.

    Attributes:
        door_id: Its piece and its number there.
        terrain_id: Its piece.
        mark: Where it is.
        bridge: It is a drawbridge (LW-BLDG-12).
        name: What players call it.
    """

    door_id: str
    terrain_id: str
    mark: TerrainMark
    bridge: bool
    name: str


def on_table(table: TableState, unit: Unit) -> Figure | None:
    """The figure of a unit where it is or is remembered, None when it is nowhere."""
    return next((f for f in table.figures if f.figure_id == unit.figure_id), None)


def piece_of(table: TableState, terrain_id: str) -> Terrain | None:
    """The piece of terrain of that name."""
    return next((p for p in table.terrain if p.terrain_id == terrain_id), None)


def doors(state: GameState, table: TableState) -> tuple[Door, ...]:
    """Every door on the table."""
    bridges = words_mark(state, "bridges")
    names = piece_names(table.terrain)
    found = []
    for piece in table.terrain:
        for i, mark in enumerate(piece.marks):
            door_id = f"{piece.terrain_id}/{i}"
            if mark.kind in DOOR_KINDS:
                bridge = mark.kind == "drawbridge" or door_id in bridges
                kind = "drawbridge" if bridge else "door"
                name = f"the {kind} of {names[piece.terrain_id]}"
                found.append(Door(door_id, piece.terrain_id, mark, bridge, name))
    return tuple(found)


def winches(table: TableState, terrain_id: str) -> Iterator[TerrainMark]:
    """Winches of a piece; one without any is worked at the bridge itself."""
    piece = piece_of(table, terrain_id)
    if piece is not None:
        yield from (mark for mark in piece.marks if mark.kind == WINCH)


def terrain_of(state: GameState, table: TableState) -> tuple[Terrain, ...]:
    """Terrain that still stands, with open doors as its only openings (LW-SIEGE-09).

    Ladders are no obstacle, and a destroyed building is gone (LW-SIEGE-02).
    """
    opened = set(words_mark(state, "doors_open"))
    gone = {u.figure_id for u in state.units if kind_of(u) == BUILDING and not u.alive}
    found = []
    for piece in table.terrain:
        if piece.terrain_id in gone or piece.kind == LADDER:
            continue
        marks = tuple(
            replace(mark, kind="door") if mark.kind in DOOR_KINDS else mark
            for i, mark in enumerate(piece.marks)
            if mark.kind not in DOOR_KINDS or f"{piece.terrain_id}/{i}" in opened
        )
        # A piece as it was is known again at once by all who remember it.
        found.append(piece if marks == piece.marks else replace(piece, marks=marks))
    return tuple(found)


def ground_of(state: GameState, table: TableState, settings: Settings) -> Ground:
    """Standing surfaces with heights as they count (LW-GEN-09)."""
    return _ground(terrain_of(state, table), settings)


@lru_cache(maxsize=16)
def _ground(terrain: tuple[Terrain, ...], settings: Settings) -> Ground:
    return ground(terrain, lambda piece: settled_mm(piece, settings))


def ladders(state: GameState, table: TableState, settings: Settings) -> tuple[Ladder, ...]:
    """Every ladder on the table with its two ends (LW-SIEGE-04)."""
    floor = ground_of(state, table, settings)
    found = []
    for piece in table.terrain:
        if piece.kind == LADDER:
            found.append(_ladder(piece.terrain_id, piece.footprint_mm, floor))
        for i, mark in enumerate(piece.marks):
            if mark.kind == LADDER:
                found.append(_ladder(f"{piece.terrain_id}/{i}", mark.footprint_mm, floor))
    return tuple(one for one in found if one.top.z > one.foot.z)


def ladder_called(
    state: GameState, table: TableState, settings: Settings, ladder_id: str
) -> Ladder | None:
    """The ladder of that name."""
    found = ladders(state, table, settings)
    return next((one for one in found if one.ladder_id == ladder_id), None)


def _ladder(ladder_id: str, footprint: tuple[PointMm, ...], floor: Ground) -> Ladder:
    """Its ends are the middles of its short sides; what lies beyond them tells their height."""
    box = oriented_envelope(outline(footprint))
    corners = [(x, y) for x, y in get_coordinates(box).tolist()][:4]
    sides = [
        ((ax + bx) / 2.0, (ay + by) / 2.0)
        for (ax, ay), (bx, by) in zip(corners, [*corners[1:], corners[0]], strict=True)
    ]
    pairs = ((sides[0], sides[2]), (sides[1], sides[3]))
    a, b = max(pairs, key=lambda pair: math.dist(*pair))
    far = max(math.dist(a, b), _OVERLAP_MM)
    ends = []
    for here, other in ((a, b), (b, a)):
        t = _BEYOND_MM / far
        beyond = (here[0] + (here[0] - other[0]) * t, here[1] + (here[1] - other[1]) * t)
        ends.append(Spot(*here, floor.level_at(beyond)))
    low, high = sorted(ends, key=lambda end: end.z)
    return Ladder(ladder_id, low, high)


def place_of(state: GameState, table: TableState, settings: Settings, unit: Unit) -> Place | None:
    """Where a unit is: a rider on his horse, a climber halfway up his ladder (section 5.6)."""
    if kind_of(unit) == BUILDING:
        piece = piece_of(table, unit.figure_id)
        if piece is None:
            return None
        area = outline(piece.footprint_mm)
        middle = (area.centroid.x, area.centroid.y)
        shape = Outline(area)
        return Place(shape, shape, middle, 0.0, settled_mm(piece, settings), 0.0)
    mount = mount_of(state, unit)
    figure = on_table(table, unit if mount is None else mount) or on_table(table, unit)
    if figure is None or figure.state is FigureState.IN_HAND:
        return None
    at, low = figure.position_mm, figure.level_mm
    on_ladder = word(unit, "ladder")
    ladder = ladder_called(state, table, settings, on_ladder) if on_ladder else None
    if ladder is not None:
        at, low = ladder.middle.xy, ladder.middle.z
    tall = kind_of(unit) == VEHICLE
    high = low + figure.base.height_mm + figure.height_mm if tall else low
    return Place(
        bases.outer(figure.base, at), bases.inner(figure.base, at), at, low, high, figure.sigma_mm
    )


def spot_place(at: Spot) -> Place:
    """A bare point of the table."""
    point = Outline(Point(at.xy))
    return Place(point, point, at.xy, at.z, at.z, 0.0)


def area_place(footprint: tuple[PointMm, ...], low_mm: float, high_mm: float) -> Place:
    """A part of a building, as a door."""
    area = outline(footprint)
    shape = Outline(area)
    return Place(shape, shape, (area.centroid.x, area.centroid.y), low_mm, high_mm, 0.0)


def present(state: GameState, table: TableState) -> tuple[Figure, ...]:
    """Figures of units on the table, the fallen and those that gave up included."""
    known = {u.figure_id for u in state.units if u.alive or stays(state, u)}
    return tuple(
        f for f in table.figures if f.figure_id in known and f.state is not FigureState.IN_HAND
    )


def stays(state: GameState, unit: Unit) -> bool:
    """Whether a unit that is out still lies or stands on the table (LW-WIN-04, LW-STAT-09)."""
    gone = word(unit, "gone")
    if gone == "conceded":
        return dict(state.options)["conceded_units"] == "stay_inert"
    return gone == "dead"


def standing(state: GameState, table: TableState) -> tuple[Figure, ...]:
    """Figures that are in the way: everything on the table but the fallen."""
    return tuple(
        f
        for f in present(state, table)
        if f.state in (*UPRIGHT, FigureState.HIDDEN)
        and (unit := state.unit(f.figure_id)) is not None
        and word(unit, "gone") != "dead"
    )


def pair_of(state: GameState, figure_id: str) -> set[str]:
    """A figure with its horse or rider."""
    found = {figure_id}
    unit = state.unit(figure_id)
    if unit is not None and word(unit, "mount"):
        found.add(word(unit, "mount"))
    found |= {u.figure_id for u in state.units if word(u, "mount") in found}
    return found


def aboard(state: GameState, table: TableState, vehicle: Unit) -> tuple[Unit, ...]:
    """People and weapons on a vehicle: their middle is over it (LW-VEH-12, LW-SIEGE-05)."""
    under = on_table(table, vehicle)
    if under is None:
        return ()
    area = bases.outer(under.base, under.position_mm).polygon()
    return tuple(
        unit
        for unit in state.units
        if unit.alive
        and unit.figure_id != vehicle.figure_id
        and kind_of(unit) not in (VEHICLE, BUILDING, HORSE)
        and not word(unit, "mount")
        and (figure := on_table(table, unit)) is not None
        and area.contains(Point(figure.position_mm))
    )


def carrier_of(state: GameState, table: TableState, figure: Figure) -> Unit | None:
    """The vehicle a figure stands on."""
    here = Point(figure.position_mm)
    for unit in state.units:
        if kind_of(unit) == VEHICLE and unit.alive and unit.figure_id != figure.figure_id:
            under = on_table(table, unit)
            if under is not None and bases.outer(under.base, under.position_mm).polygon().contains(
                here
            ):
                return unit
    return None


def standing_on(table: TableState, at: PointMm, level_mm: float) -> Terrain | None:
    """The piece of terrain on which somebody stands, None on the ground."""
    if level_mm <= SAME_LEVEL_MM:
        return None
    here = Point(at)
    return next(
        (p for p in table.terrain if p.kind != LADDER and outline(p.footprint_mm).covers(here)),
        None,
    )


def overlapped(state: GameState, table: TableState, figure: Figure) -> Figure | None:
    """A figure on whose place this one stands for certain (LW-MOVE-10)."""
    own = pair_of(state, figure.figure_id)
    carrier = carrier_of(state, table, figure)
    for other in standing(state, table):
        if other.figure_id in own or (carrier and other.figure_id == carrier.figure_id):
            continue
        if abs(other.level_mm - figure.level_mm) > figure.height_mm / 2.0:
            continue
        on_it = carrier_of(state, table, other)
        if on_it is not None and on_it.figure_id == figure.figure_id:
            continue
        if _overlap(figure, other):
            return other
    return None


def _overlap(figure: Figure, other: Figure) -> bool:
    mine = bases.inner(figure.base, figure.position_mm)
    theirs = bases.inner(other.base, other.position_mm)
    if mine.distance(theirs) > 0.0:
        return False
    if mine.radius_mm or theirs.radius_mm:
        reach = mine.radius_mm + theirs.radius_mm
        return reach - mine.core.distance(theirs.core) > _OVERLAP_MM
    deep = mine.core.buffer(-_OVERLAP_MM / 2.0).intersection(theirs.core.buffer(-_OVERLAP_MM / 2.0))
    return not deep.is_empty


def off_table(figure: Figure, table: TableState) -> bool:
    """Whether a base sticks out over the edge of the table (LW-MOVE-12)."""
    if table.size_mm is None:
        return False
    x0, y0, x1, y1 = bases.inner(figure.base, figure.position_mm).polygon().bounds
    slack = max(3.0, 2.0 * figure.sigma_mm)
    width, depth = table.size_mm
    return max(-x0, -y0, x1 - width, y1 - depth) > slack


def men_near(
    state: GameState, table: TableState, settings: Settings, side: str, at: Place, reach_mm: float
) -> Iterator[Unit]:
    """Living men of a side within reach of a place."""
    for unit in state.units:
        if unit.alive and unit.side == side and kind_of(unit) == MAN:
            here = place_of(state, table, settings, unit)
            if here is not None and here.gap(at, settings).lo <= reach_mm + 1e-6:
                yield unit
