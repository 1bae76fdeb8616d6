"""A figure is moved in step 2: how far, round what, where to (FM-MOVE, FM-OBS, FM-GEO-07)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from shapely import LineString
from shapely.geometry.base import BaseGeometry

from engine.events import Value
from engine.geometry.arcs import bearing_deg, between_deg
from engine.geometry.interval import Verdict
from engine.geometry.surfaces import outline
from engine.rulesets.follow_me.data import data
from engine.rulesets.follow_me.field import OVERLAP_MM, Field
from engine.rulesets.follow_me.marks import bound, flies, hostile, living, members
from engine.rulesets.follow_me.measures import lengths, ways
from engine.rulesets.follow_me.orders import Order, order_of
from engine.rulesets.follow_me.play import Play
from engine.spots import Spot, spot, spot_of, word
from engine.state import Unit
from engine.table import Figure, PointMm

_DETOUR = 1.02
"""A way is straight when it is no more than this longer than the line."""
_ASTRAY_DEG = 35.0
"""Straight away from an enemy is so exact by hand."""


@dataclass(frozen=True, slots=True)
class Journey:
    """What a move came to.

    Attributes:
        verdict: It keeps the rules, does not, or the players must say.
        code: Flag when it does not.
        length_mm: Length of the way, of the straight line where there is none.
        limit_mm: Longest move.
        order: Kind of the order it follows.
        crossed: It was put over a low wall at which it had waited.
        close: A near thing was settled in favour of the mover.
        target: Figure in the way.
        left: A running figure has reached the edge.
    """

    verdict: Verdict
    code: str
    length_mm: float
    limit_mm: float
    order: str
    crossed: bool = False
    close: bool = False
    target: str = ""
    left: bool = False


def start_of(field: Field, unit: Unit) -> Spot | None:
    """Where the move of a unit is measured from."""
    prefix = {"SALLY": "guard", "MELEE_RESULTS": "push"}.get(field.state.phase, "a")
    return spot(unit, prefix) or spot(unit)


def going_of(field: Field, unit: Unit, figure: Figure) -> ways.Mover:
    """A unit about to move over the table as it is now (FM-MOVE-08, FM-MOVE-14).

    Enemies close the way: it ends where it touches one (FM-MOVE-09).
    """
    others = [f for name, f in field.figures.items() if name != unit.figure_id]
    foes = [
        field.figures[u.figure_id]
        for u in living(field.state)
        if hostile(u, unit) and u.figure_id in field.figures
    ]
    lay, size = field.lay(unit), field.table.size_mm
    return ways.mover(figure, foes, others, lay, size, flies=flies(unit))


def reach_of(field: Field, unit: Unit, figure: Figure, start: Spot, limit: float) -> BaseGeometry:
    """Where a unit may end, as area of the middle of its base."""
    others = [f for name, f in field.figures.items() if name != unit.figure_id]
    foes = [
        f for f in others
        if (u := field.state.unit(f.figure_id)) is not None and hostile(u, unit)
    ]  # fmt: skip
    wading = limit * data().numbers["obstacles.wade_share"]
    lay, size = field.lay(unit), field.table.size_mm
    moves = (start.xy, limit, wading)
    return ways.reach(figure, foes, others, lay, size, moves, flies=flies(unit))


def judge(field: Field, unit: Unit, figure: Figure) -> Journey:
    """Hold a unit's new place against its order and the ground."""
    order = order_of(field, unit)
    start = start_of(field, unit) or spot_of(figure)
    straight = start.away(spot_of(figure))

    def no(code: str, target: str = "", length: float = straight) -> Journey:
        return Journey(Verdict.NO, code, length, order.limit_mm, order.kind, target=target)

    if order.code:
        return no(order.code)
    if order.kind == "run" and _at_edge(field, unit, figure):
        return Journey(Verdict.YES, "", straight, order.limit_mm, order.kind, left=True)
    if field.over_edge(figure):
        return no("TABLE_EDGE")
    others = {n: f for n, f in field.figures.items() if n != unit.figure_id}
    under = lengths.landed_on(figure, list(others.values()), OVERLAP_MM)
    if under is not None:
        name = next(n for n, f in others.items() if f is under)
        return no("LANDED_ON_FIGURE" if flies(unit) else "OVERLAP", name)
    if crosses(field, unit, figure, start):
        return Journey(Verdict.YES, "", straight, order.limit_mm, order.kind, crossed=True)
    found = _walked(field, unit, figure, start, order)
    if found.verdict is Verdict.NO:
        return found
    code = astray(field, unit, figure, start, order)
    return no(code, order.who, found.length_mm) if code else found


def _walked(field: Field, unit: Unit, figure: Figure, start: Spot, order: Order) -> Journey:
    """Hold the shortest way against the allowance, dry or through water (FM-OBS-05)."""
    going = going_of(field, unit, figure)
    goal, limit = figure.position_mm, order.limit_mm
    wading = limit * data().numbers["obstacles.wade_share"]
    ways_found = [
        (length, most)
        for length, most in (
            (going.shortest(start.xy, goal), limit),
            (going.waded(start.xy, goal), wading),
        )
        if length is not None
    ]
    if not ways_found:
        code, length = _blocked(field, unit, figure, start), start.away(spot_of(figure))
        return Journey(Verdict.NO, code, length, limit, order.kind)
    length, most = min(ways_found, key=lambda way: way[0] - way[1])
    verdict = lengths.held(length, most, field.settings, figure.sigma_mm, figure.sigma_mm)
    read = lengths.close(length, most, figure.sigma_mm, figure.sigma_mm)
    near = field.settings.close_policy != "strict" and read is Verdict.BORDERLINE
    code = ""
    if verdict is Verdict.NO:
        straight = start.away(spot_of(figure))
        round_it = straight <= most and length > straight * _DETOUR + 1.0
        code = _blocked(field, unit, figure, start) if round_it else "TOO_FAR"
    return Journey(verdict, code, length, most, order.kind, close=near and not code)


def _blocked(field: Field, unit: Unit, figure: Figure, start: Spot) -> str:
    """What a figure must have gone through to get there so soon (FM-OBS-01, 02, FM-MOVE-08)."""
    lay, size, goal = field.lay(unit), field.table.size_mm, figure.position_mm
    straight = start.away(spot_of(figure))
    alone = ways.mover(figure, (), (), lay, size).shortest(start.xy, goal)
    if alone is not None and alone <= straight * _DETOUR + 1.0:
        return "THROUGH_ENEMY"
    open_walls = ways.mover(figure, (), (), replace(lay, walls=()), size)
    over = open_walls.shortest(start.xy, goal)
    if lay.walls and over is not None and over <= straight * _DETOUR + 1.0:
        return "WALL_DELAY"
    closed = any(
        outline(piece.footprint_mm).intersects(LineString([start.xy, goal])) for piece in lay.closed
    )
    return "THROUGH_OBSTACLE" if closed or alone is None else "TOO_FAR"


def crosses(field: Field, unit: Unit, figure: Figure, start: Spot) -> bool:
    """Whether a figure that waited at a wall is put on its far side (FM-OBS-03)."""
    piece = next(
        (p for p in field.of_kind("delaying") if p.terrain_id == word(unit, "at_wall")), None
    )
    if piece is None:
        return False
    here = field.touches_wall(figure)
    wall = outline(piece.footprint_mm)
    line = LineString([start.xy, figure.position_mm])
    if here is None or here.terrain_id != piece.terrain_id or not line.crosses(wall):
        return False
    free = line.length - line.intersection(wall).length
    across = 2.0 * max(figure.base.size_mm, figure.base.length_mm)
    return free <= across + 2.0 * field.settings.contact_mm


def _at_edge(field: Field, unit: Unit, figure: Figure) -> bool:
    """A running figure has reached its own edge of the table (FM-MORALE-24)."""
    if field.table.size_mm is None:
        return False
    edge = field.edge_of(unit.side)
    return field.from_edge(figure, edge) <= field.settings.place_tol_mm


def astray(field: Field, unit: Unit, figure: Figure, start: Spot, order: Order) -> str:
    """Flag of a move that goes where it should not, ``""`` when it goes right."""
    if start.away(spot_of(figure)) <= field.settings.move_epsilon_mm:
        return ""
    if order.kind == "follow" and not follows(field, figure, start, order.who):
        return "WRONG_WAY"
    if order.kind in ("attack", "sally", "after") and not nears(field, unit, figure, start, order):
        return "WRONG_PREY"
    if order.kind == "home":
        post = spot(unit, "post")
        if post is not None and spot_of(figure).away(post) >= start.away(post):
            return "NO_SALLY"
    if order.kind == "fall_back" and not _away(field, unit, figure, start):
        return "FORCED"
    if order.kind == "run" and not _home(field, unit, figure, start):
        return "RUNS"
    if bound(field.state, unit) == "shaken" and _nearer(field, unit, figure, start):
        return "MORALE_FORBIDS"
    return ""


def follows(field: Field, figure: Figure, start: Spot, leader: str) -> bool:
    """Closer to the leader's new place, or along with his own move (FM-ACT-09, FM-BIG-08)."""
    hero = field.state.unit(leader)
    there = None if hero is None else spot(hero)
    if hero is None or there is None:
        return True
    here = spot_of(figure)
    if here.away(there) < start.away(there):
        return True
    began = spot(hero, "a")
    if began is None or began.away(there) <= field.settings.move_epsilon_mm:
        return False
    turn = between_deg(bearing_deg(began.xy, there.xy), bearing_deg(start.xy, here.xy))
    return turn <= data().numbers["command.parallel_deg"]


def prey(field: Field, unit: Unit, order: Order) -> list[Unit]:
    """Enemies an order leads to: a group, or one figure."""
    men = [u for u in members(field.state, order.who) if hostile(u, unit)]
    one = field.state.unit(order.who)
    if order.kind in ("sally", "after") or not men:
        men = [one] if one is not None and one.alive else []
    return [u for u in men if u.figure_id in field.figures]


def nears(field: Field, unit: Unit, figure: Figure, start: Spot, order: Order) -> bool:
    """A move leads nearer to some of those it is meant for (FM-ACT-17, FM-ACT-29)."""
    before = replace(figure, position_mm=start.xy)
    return any(
        lengths.edge_gap(figure, other) <= lengths.edge_gap(before, other)
        for enemy in prey(field, unit, order)
        for other in [field.figures[enemy.figure_id]]
    )


def nearest_seen(field: Field, unit: Unit) -> Figure | None:
    """The nearest enemy a unit saw at the declaration, in his place of then (FM-MORALE-22, 23)."""
    seen = [
        field.before[u.figure_id]
        for u in living(field.state)
        if hostile(u, unit) and u.figure_id in field.before and field.saw(unit, u)
    ]
    mine = field.before.get(unit.figure_id)
    if mine is None or not seen:
        return None
    return min(seen, key=lambda other: (lengths.edge_gap(mine, other), other.figure_id))


def _away(field: Field, unit: Unit, figure: Figure, start: Spot) -> bool:
    """Straight away from the nearest visible enemy (FM-MORALE-23, FM-GEO-10)."""
    enemy = nearest_seen(field, unit)
    if enemy is None:
        return _home(field, unit, figure, start)
    away = bearing_deg(enemy.position_mm, start.xy)
    return between_deg(away, bearing_deg(start.xy, figure.position_mm)) <= _ASTRAY_DEG


def _home(field: Field, unit: Unit, figure: Figure, start: Spot) -> bool:
    """Towards the own edge, or away from enemies where the table has none (FM-MORALE-24)."""
    if field.table.size_mm is None:
        enemy = nearest_seen(field, unit)
        if enemy is None:
            return True
        before = math.dist(start.xy, enemy.position_mm)
        return math.dist(figure.position_mm, enemy.position_mm) > before
    edge = field.edge_of(unit.side)
    before_edge = field.from_edge(replace(figure, position_mm=start.xy), edge)
    return field.from_edge(figure, edge) < before_edge


def _nearer(field: Field, unit: Unit, figure: Figure, start: Spot) -> bool:
    """A shaken figure ends nearer to a visible enemy than it began (FM-MORALE-22)."""
    before = replace(figure, position_mm=start.xy)
    quiet = field.settings.move_epsilon_mm
    return any(
        lengths.edge_gap(figure, other) < lengths.edge_gap(before, other) - quiet
        for enemy in living(field.state)
        if hostile(enemy, unit) and enemy.figure_id in field.before and field.saw(unit, enemy)
        for other in [field.before[enemy.figure_id]]
    )


def watch_move(play: Play, unit: Unit, seen: Figure) -> None:
    """Tell what a figure did at its new place."""
    field = play.field
    placed = field.placed(unit)
    figure = seen if placed is None else replace(
        placed, position_mm=seen.position_mm, level_mm=seen.level_mm, sigma_mm=seen.sigma_mm
    )  # fmt: skip
    here = spot_of(seen)
    went = judge(field, unit, figure)
    values: dict[str, Value] = {
        "moved_mm": went.length_mm, "limit_mm": went.limit_mm, "order": went.order,
    }  # fmt: skip
    if went.left:
        play.at("left", "FM-MORALE-24", unit, here, **values)
    elif went.verdict is Verdict.NO:
        _flag(play, unit, here, went, values)
    elif went.verdict is Verdict.BORDERLINE:
        play.at("asked_place", "FM-GEO-14", unit, here, code="TOO_FAR", **values)
    else:
        arrived(play, unit, here, went)


def _flag(play: Play, unit: Unit, here: Spot, went: Journey, values: dict[str, Value]) -> None:
    rule = data().flags[went.code].rule
    more: dict[str, Value] = {"target": went.target}
    other = play.state.unit(went.target)
    if went.code == "OVERLAP" and other is not None and hostile(other, unit):
        meets = meeting_point(play.field, unit, other)
        if meets is not None:
            more |= {"meet_x": meets[0], "meet_y": meets[1]}
    play.at("flagged", rule, unit, here, code=went.code, **values, **more)


def arrived(play: Play, unit: Unit, here: Spot, went: Journey) -> None:
    """The move is made and counts."""
    rule, extra = "FM-MOVE-01", dict[str, Value]()
    moved: float | None = went.length_mm
    if went.length_mm <= play.settings.move_epsilon_mm and not went.crossed:
        moved = None
    if went.crossed:
        rule, extra = "FM-OBS-03", {"unit.crossed": True}
    elif went.order in ("sally", "home"):
        rule = "FM-BIG-12"
    elif went.order == "after":
        rule, moved = "FM-PUSH-03", None
    elif went.order == "follow":
        rule = "FM-ACT-09"
    elif went.order == "attack":
        rule = "FM-ACT-17"
    play.at(
        "moved", rule, unit, here, moved_mm=went.length_mm, limit_mm=went.limit_mm,
        order=went.order, close=went.close, **{"unit.moved": moved}, **extra,
    )  # fmt: skip


def meeting_point(field: Field, unit: Unit, other: Unit) -> PointMm | None:
    """Where a unit meets an enemy who walks at it, each at his own speed (FM-MOVE-11)."""
    one, two = field.before.get(unit.figure_id), field.before.get(other.figure_id)
    if one is None or two is None:
        return None
    a, b = (order_of(field, each).limit_mm for each in (unit, other))
    contact, way, _ = lengths.meeting(lengths.edge_gap(one, two), a, b)
    far = math.dist(one.position_mm, two.position_mm)
    if not contact or far <= 0.0:
        return None
    (ax, ay), (bx, by) = one.position_mm, two.position_mm
    return (ax + (bx - ax) * way / far, ay + (by - ay) * way / far)
