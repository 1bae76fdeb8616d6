"""Ways over the table: what each meets, what it costs, and where one can go (LW-MOVE)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from shapely import LineString, Point, union_all
from shapely.geometry.base import BaseGeometry

from engine.geometry.bases import (
    Standing,
    base_polygon,
    circumscribed_radius,
    inscribed_radius,
)
from engine.geometry.obstacles import Walker
from engine.geometry.routes import Route
from engine.geometry.surfaces import EMPTY, Change, Ground, ground, outline
from engine.geometry.walks import Walk
from engine.rulesets.legowars.data import data
from engine.rulesets.legowars.field import (
    aboard,
    doors,
    ground_of,
    on_table,
    overlapped,
    pair_of,
    present,
    standing,
    standing_on,
    terrain_of,
)
from engine.rulesets.legowars.marks import HORSE, VEHICLE, kind_of
from engine.rulesets.legowars.measures import heights, moves
from engine.rulesets.legowars.measures.moves import DROP, TERRAIN, Crossing, Journey
from engine.rulesets.legowars.settings import Settings
from engine.spots import SAME_LEVEL_MM, Spot, spot_of, word
from engine.state import GameState
from engine.table import Figure, FigureState, PointMm, TableState, Terrain
from engine.units import MM_PER_CM

_UNDER_MM: Final = 0.05
"""Just less than the lowest obstacle that costs something counts as walked."""
_BODY_BRICKS: Final = 1.4


@dataclass(frozen=True, slots=True)
class Going:
    """A figure about to move.

    Attributes:
        kind: ``man``, ``horse`` or ``vehicle``.
        walk: How it walks.
        settings: Options of the game.
        wide_mm: Width of its base: narrower ledges are none (LW-MOVE-16).
    """

    kind: str
    walk: Walk
    settings: Settings
    wide_mm: float

    def journey(
        self, start: PointMm, goal: PointMm, limit_cm: float, *, end_overlap: bool = False
    ) -> Journey:
        """The best that can be said about a move: the cheapest legal way, or the least fault."""
        found = [
            self.judged(route, limit_cm, end_overlap) for route in self.walk.routes(start, goal)
        ]
        legal = [one for one in found if not one.flag and one.cost_cm is not None]
        if legal:
            return min(legal, key=lambda one: one.cost_cm or 0.0)
        open_ways = [one for one in found if one.cost_cm is not None]
        return min(
            open_ways, key=lambda one: one.cost_cm or 0.0, default=Journey(None, "LW-FLAG-04")
        )

    def judged(self, route: Route, limit_cm: float, end_overlap: bool = False) -> Journey:
        """One way held against the rules (section 5.5)."""
        met = self.crossings(route)
        path_cm = self.length_mm(route) / MM_PER_CM
        deep = [one for one in met[-1:] if one.what == DROP]
        landing = deep and (path_cm - deep[0].at_cm) * MM_PER_CM <= 2.0 * self.wide_mm
        if landing and moves.charge_cm(deep[0].bricks, self.settings) is None:
            path_cm = deep[0].at_cm  # a jump is paid to the edge only (LW-MOVE-15)
        return moves.judge(
            self.kind,
            path_cm,
            met,
            self.settings,
            limit_cm=limit_cm,
            end_overlap=end_overlap,
        )

    def length_mm(self, route: Route) -> float:
        """Length of a way, in three dimensions on stairs (LW-MOVE-13)."""
        climbs = route.climbs
        rise = climbs.stairs_up_mm + climbs.stairs_down_mm
        if rise <= 0.0:
            return route.length_mm
        flat = float(LineString(route.points).intersection(self.walk.ground.stairs).length)
        length = route.length_mm - flat + math.hypot(flat, rise)
        if self.settings.stairs_cost == "per_step":
            step = data().number("obstacles", "step_bricks")
            steps = math.floor(heights.bricks(climbs.stairs_up_mm) / step + 1e-6)
            length += steps * data().number("obstacles", "surcharge_cm") * MM_PER_CM
        return length

    def crossings(self, route: Route) -> list[Crossing]:
        """Rises and drops of a way, from the feet of who meets them (LW-MOVE-16)."""
        level = self.walk.ground.level_at(route.points[0])
        found = []
        for change in self._changes(route):
            before, level = level, level + change.dz_mm
            if change.stairs:
                continue
            if change.dz_mm > 0.0:
                tall = heights.rise(before, level, self.settings)
                found.append(Crossing(change.at_mm / MM_PER_CM, tall, TERRAIN))
            else:
                found.append(
                    Crossing(change.at_mm / MM_PER_CM, heights.bricks(-change.dz_mm), DROP)
                )
        return found

    def _changes(self, route: Route) -> list[Change]:
        """Steps the same way with no room for the base between them are one."""
        joined: list[Change] = []
        for change in self.walk.ground.changes(route.points):
            last = joined[-1] if joined else None
            if (
                last is not None
                and not (last.stairs or change.stairs)
                and (last.dz_mm > 0.0) == (change.dz_mm > 0.0)
                and change.at_mm - last.at_mm < self.wide_mm - _UNDER_MM
            ):
                joined[-1] = Change(change.at_mm, last.dz_mm + change.dz_mm, False)
            else:
                joined.append(change)
        return joined

    def reach(self, start: PointMm, limit_cm: float) -> BaseGeometry:
        """Where a move can end, as area of the middle of the base."""
        far, walk = limit_cm * MM_PER_CM, self.walk
        room = far + 2.0 * self.wide_mm

        def near(models: tuple[Standing, ...]) -> tuple[Standing, ...]:
            return tuple(
                one
                for one in models
                if math.dist(one.position_mm, start) <= room + circumscribed_radius(one.base)
            )

        return _reach(
            walk.ground,
            walk.walker,
            near(walk.blockers),
            near(walk.occupied),
            (walk.straight, walk.stairs_count),
            (self.kind, self.wide_mm),
            self.settings,
            start,
            far,
        )


@lru_cache(maxsize=512)
def _reach(
    floor: Ground,
    walker: Walker,
    blockers: tuple[Standing, ...],
    occupied: tuple[Standing, ...],
    ways: tuple[bool, bool],
    mover: tuple[str, float],
    settings: Settings,
    start: PointMm,
    far_mm: float,
) -> BaseGeometry:
    """The area of a reach; kept, since most models stand still from one look to the next."""
    walk = Walk(floor, walker, blockers, occupied, straight=ways[0], stairs_count=ways[1])
    going = Going(mover[0], walk, settings, mover[1])

    def span(route: Route) -> tuple[float, float] | None:
        went = going.judged(route, far_mm / MM_PER_CM)
        if went.cost_cm is None or went.falls:
            return None
        return 0.0, far_mm - went.cost_cm * MM_PER_CM + route.length_mm

    rules = data()
    highest = rules.number("obstacles", "blocked_from_bricks") * rules.number("heights", "brick_mm")
    areas = [
        walk.reach(start, far_mm, span),
        walk.climb_reach(start, far_mm, span, None, highest - _UNDER_MM / 10.0),
    ]
    if settings.jump_down == "fall_roll" and going.kind == "man":
        areas.append(_landing(going, start, far_mm))
    return union_all(areas)


def _landing(going: Going, start: PointMm, far_mm: float) -> BaseGeometry:
    """Where a jump from where one stands can end: right below the edge (LW-MOVE-15)."""
    floor, room = going.walk.ground, 2.0 * going.wide_mm
    top = next((one for one in floor.surfaces if one.area.intersects(Point(start))), None)
    if top is None:
        return EMPTY

    def span(route: Route) -> tuple[float, float] | None:
        met = going.crossings(route)
        if not met:
            return None
        edge_cm = met[-1].at_cm
        limit_cm = far_mm / MM_PER_CM
        went = moves.judge(going.kind, edge_cm, met, going.settings, limit_cm=limit_cm)
        if not went.falls or went.cost_cm is None:
            return None
        return 0.0, far_mm + room - (went.cost_cm - edge_cm) * MM_PER_CM

    edge = going.walk.reach(start, far_mm).intersection(top.area)
    below = going.walk.climb_reach(start, far_mm + room, span)
    return below.intersection(edge.buffer(room))


def going_of(
    state: GameState,
    settings: Settings,
    table: TableState,
    figure: Figure,
    *,
    doors_open: bool = False,
) -> Going:
    """A figure about to move over the table as it is now.

    Args:
        state: The game.
        settings: Options of the game.
        table: The settled table.
        figure: Who moves.
        doors_open: As if every door stood open, to tell what is in the way.
    """
    unit = state.unit(figure.figure_id)
    kind = "man" if unit is None else kind_of(unit)
    if unit is not None and word(unit, "mount"):
        kind = HORSE
    company = _company(state, table, figure)
    others = [other for other in standing(state, table) if other.figure_id not in company]
    edge = None if settings.leave_table == "removed" else table.size_mm
    least = settings.obstacle_free_below_bricks
    if kind == VEHICLE:
        least = settings.vehicle_max_obstacle_bricks
    step = max(_UNDER_MM, least * data().number("heights", "brick_mm") - _UNDER_MM)
    floor = _floor(state, settings, table, doors_open)
    radius = inscribed_radius(figure.base)
    walk = Walk(
        ground=floor,
        walker=Walker(radius, step, edge),
        blockers=tuple(o for o in others if not _passes(state, settings, figure, kind, o)),
        occupied=tuple(others),
        straight=settings.move_path == "straight",
        stairs_count=settings.stairs_cost == "per_step",
    )
    return Going(kind, walk, settings, 2.0 * radius)


def kind_moving(state: GameState, figure_id: str) -> str:
    """What moves when that figure does: a rider moves as his horse (LW-HORSE-05)."""
    unit = state.unit(figure_id)
    if unit is None:
        return "man"
    return HORSE if word(unit, "mount") else kind_of(unit)


def journey(
    state: GameState,
    settings: Settings,
    table: TableState,
    figure: Figure,
    start: Spot,
    limit_cm: float,
) -> Journey:
    """What a displacement comes to (LW-MOVE-02)."""
    overlap = overlapped(state, table, figure) is not None
    going = going_of(state, settings, table, figure)
    here, floor = spot_of(figure), going.walk.ground
    for one, other in ((start, here), (here, start)):
        tower = vehicle_under(state, table, one)
        if tower is None or abs(one.z - floor.level_at(one.xy)) <= SAME_LEVEL_MM:
            continue
        if vehicle_under(state, table, other) is None and not _at_wall(table, tower, other):
            return Journey(None, moves.NO_WAY)
        return _stepping(going, start, here, limit_cm, overlap)
    went = going.journey(start.xy, here.xy, limit_cm, end_overlap=overlap)
    if went.flag in (moves.NO_WAY, moves.TOO_FAR) and doors(state, table):
        through = going_of(state, settings, table, figure, doors_open=True)
        if not through.journey(start.xy, here.xy, limit_cm).flag:
            return replace(went, flag="LW-FLAG-28")
    return went


def _stepping(going: Going, start: Spot, end: Spot, limit_cm: float, overlap: bool) -> Journey:
    """From or onto something that is no terrain, as a tower (LW-SIEGE-05, LW-SIEGE-06)."""
    far = start.away(end) / MM_PER_CM
    tall = heights.bricks(abs(end.z - start.z))
    what = TERRAIN if end.z > start.z else DROP
    return moves.judge(
        going.kind,
        far,
        [Crossing(min(far, limit_cm / 2.0), tall, what)] if tall > 1e-6 else [],
        going.settings,
        limit_cm=limit_cm,
        end_overlap=overlap,
    )


def vehicle_under(state: GameState, table: TableState, at: Spot) -> Figure | None:
    """The vehicle over whose base a place is."""
    here = Point(at.xy)
    for unit in state.units:
        figure = on_table(table, unit) if unit.alive and kind_of(unit) == VEHICLE else None
        if figure is not None and base_polygon(figure).contains(here):
            return figure
    return None


def _at_wall(table: TableState, tower: Figure, goal: Spot) -> bool:
    """Whether a tower stands at what somebody steps onto; the bare table is always near."""
    piece = standing_on(table, goal.xy, goal.z)
    if piece is None:
        return True
    apart = outline(piece.footprint_mm).distance(base_polygon(tower))
    return bool(apart <= data().number("tower", "gap_cm") * MM_PER_CM + _UNDER_MM)


def _floor(state: GameState, settings: Settings, table: TableState, doors_open: bool) -> Ground:
    if doors_open:
        opened = tuple(
            replace(
                p,
                marks=tuple(
                    replace(m, kind="door") if m.kind == "drawbridge" else m for m in p.marks
                ),
            )
            for p in table.terrain
            if p.kind != "ladder"
        )
        return ground(opened, lambda piece: heights.settled_mm(piece, settings))
    if not settings.bodies_are_obstacles:
        return ground_of(state, table, settings)
    pieces = (*terrain_of(state, table), *_bodies(state, table))
    return ground(pieces, lambda piece: heights.settled_mm(piece, settings))


def _bodies(state: GameState, table: TableState) -> list[Terrain]:
    """The fallen as low obstacles (LW-MOVE-11)."""
    found = []
    for figure in present(state, table):
        if figure.state is FigureState.LYING:
            x, y = figure.position_mm
            half = figure.base.size_mm / 2.0
            box = (
                (x - half, y - half),
                (x + half, y - half),
                (x + half, y + half),
                (x - half, y + half),
            )
            tall = figure.level_mm + _BODY_BRICKS * data().number("heights", "brick_mm")
            found.append(Terrain(f"body {figure.figure_id}", "body", box, tall, False, False))
    return found


def _company(state: GameState, table: TableState, figure: Figure) -> set[str]:
    """Those that are never in its way: its horse or rider, its team and who rides along."""
    own = pair_of(state, figure.figure_id)
    unit = state.unit(figure.figure_id)
    if unit is None:
        return own
    carts = {figure.figure_id} if kind_of(unit) == VEHICLE else {word(unit, "team")} - {""}
    for name in carts:
        own.add(name)
        own |= {u.figure_id for u in state.units if word(u, "team") == name}
        cart = state.unit(name)
        if cart is not None:
            own |= {u.figure_id for u in aboard(state, table, cart)}
    return own


def _passes(state: GameState, settings: Settings, figure: Figure, kind: str, other: Figure) -> bool:
    """Whether somebody lets the mover through (LW-MOVE-10)."""
    mine, theirs = state.unit(figure.figure_id), state.unit(other.figure_id)
    if mine is None or theirs is None or kind == VEHICLE or not settings.pass_friends:
        return False
    return mine.side == theirs.side and theirs.alive and kind_of(theirs) in ("man", HORSE)
