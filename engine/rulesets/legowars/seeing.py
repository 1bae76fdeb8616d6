"""Who sees whom, and how much of him (LW-COV, LW-MEL-16, section 5.7)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from shapely import LineString, Point, affinity, unary_union
from shapely.geometry.base import BaseGeometry

from engine.geometry import sight
from engine.geometry.bases import base_polygon
from engine.geometry.sight import Eye, Panel, Prism
from engine.geometry.surfaces import outline
from engine.rulesets.legowars.data import Size, data
from engine.rulesets.legowars.field import (
    DOOR_KINDS,
    UPRIGHT,
    aboard,
    on_table,
    pair_of,
    piece_of,
    place_of,
    present,
    terrain_of,
)
from engine.rulesets.legowars.marks import (
    BUILDING,
    HORSE,
    MAN,
    VEHICLE,
    kind_of,
    mount_of,
    rider_of,
)
from engine.rulesets.legowars.measures.heights import settled_mm
from engine.rulesets.legowars.measures.views import Sight, blocks_view, grade
from engine.rulesets.legowars.settings import Settings
from engine.state import GameState, Unit
from engine.table import Figure, FigureState, PointMm, TableState, Terrain

_PORT = "port"
_BESIDE_MM = 25.0
"""Who stands so near a firing port stands behind it."""
_FRONT_DEG = 90.0
_DOUBT = 0.05


@dataclass(frozen=True, slots=True)
class View:
    """What an attacker sees of a target.

    Attributes:
        visible: Share of it that is seen.
        sight: What that makes it.
        doubtful: The share is so near a limit that the players are asked (LW-COV-06).
        forced: A firing port always covers it.
    """

    visible: float
    sight: Sight
    doubtful: bool = False
    forced: bool = False


def view(
    state: GameState, settings: Settings, table: TableState, attacker: Unit, target: Unit
) -> View:
    """What one unit sees of another (LW-COV-01)."""
    a, b = place_of(state, table, settings, attacker), place_of(state, table, settings, target)
    if a is None or b is None:
        return View(0.0, Sight.NONE)
    eye = Eye(a.centre, a.low_mm + _size(state, table, attacker).eye_mm)
    panels = _panels(state, settings, table, target, eye)
    hiding = _hiding(state, settings, table, attacker, target, eye)
    visible = sight.visible_share(eye, panels, hiding) if panels else 0.0
    found = grade(visible, settings)
    forced = found is Sight.CLEAR and _behind_port(settings, table, a.centre, b.centre)
    if forced:
        found = Sight.COVER
    hidden = 1.0 - visible
    limits = (settings.cover_min_hidden, settings.full_block_min_hidden)
    ask = settings.boundary_policy == "ask" and 0.0 < hidden < 1.0
    doubtful = ask and not forced and any(abs(hidden - one) <= _DOUBT for one in limits)
    return View(visible, found, doubtful, forced)


def in_front(table: TableState, attacker: Unit, target: PointMm, settings: Settings) -> bool:
    """Whether a target is in front of who attacks; by the rules facing never matters."""
    figure = on_table(table, attacker)
    if figure is None or not settings.use_facing:
        return True
    return sight.in_front(figure.position_mm, figure.facing_deg, target, _FRONT_DEG)


def _size(state: GameState, table: TableState, unit: Unit) -> Size:
    """Height and eye of a unit; a rider looks from his horse."""
    sizes = data().sizes
    figure = on_table(table, unit)
    kind = kind_of(unit)
    if kind == MAN and mount_of(state, unit) is not None:
        return sizes["horse_and_rider"]
    if kind == HORSE:
        return sizes["horse_and_rider" if rider_of(state, unit) else "horse"]
    if figure is not None and kind == MAN:
        known = sizes.get(figure.profile, sizes["lego_model"])
        if known.height_mm == figure.height_mm:
            return known
        share = known.eye_mm / known.height_mm
        return Size(figure.height_mm, figure.height_mm * share, known.wide_mm)
    if figure is not None:
        return Size(figure.height_mm, figure.height_mm * 0.9)
    return sizes["lego_model"]


def _panels(
    state: GameState, settings: Settings, table: TableState, target: Unit, eye: Eye
) -> tuple[Panel, ...]:
    """The silhouette of a target that faces the eye."""
    place = place_of(state, table, settings, target)
    if place is None:
        return ()
    if kind_of(target) == BUILDING:
        piece = piece_of(table, target.figure_id)
        if piece is None:
            return ()
        area = outline(piece.footprint_mm)
        return (Panel(place.centre, _across(area, eye), 0.0, settled_mm(piece, settings)),)
    figure = on_table(table, target)
    if figure is None:
        return ()
    size = _size(state, table, target)
    wide = size.wide_mm or _across(base_polygon(figure), eye)
    tall = size.height_mm
    if not target.alive or figure.state is FigureState.LYING:
        tall = figure.base.size_mm
    low = place.low_mm
    return (Panel(place.centre, wide, low, low + tall),)


def _across(area: BaseGeometry, eye: Eye) -> float:
    """Width of an area seen from the eye."""
    cx, cy = area.centroid.x, area.centroid.y
    line = LineString([eye.at_mm, (cx, cy)])
    if line.length < 1e-6:
        return max(1.0, area.bounds[2] - area.bounds[0])
    turned = affinity.rotate(area, -_angle(eye.at_mm, (cx, cy)), origin=(cx, cy), use_radians=True)
    _, y0, _, y1 = turned.bounds
    return max(1.0, float(y1 - y0))


def _angle(a: PointMm, b: PointMm) -> float:
    return math.atan2(b[1] - a[1], b[0] - a[0])


def _hiding(
    state: GameState,
    settings: Settings,
    table: TableState,
    attacker: Unit,
    target: Unit,
    eye: Eye,
) -> list[Prism]:
    """Everything that can hide the target: never the two themselves (LW-COV-02 to LW-COV-05)."""
    hiding = [
        prism
        for piece in terrain_of(state, table)
        if piece.terrain_id != target.figure_id
        for prism in _piece(piece, settings)
    ]
    pair = {attacker.figure_id, target.figure_id}
    partners = (pair_of(state, attacker.figure_id) | pair_of(state, target.figure_id)) - pair
    if kind_of(target) == VEHICLE:  # who sits in it hides nothing of it
        pair |= {unit.figure_id for unit in aboard(state, table, target)}
    for figure in present(state, table):
        if figure.figure_id in pair:
            continue
        what = _what(state, figure)
        if figure.figure_id in partners:
            what = "own_mount"
        if blocks_view(what, settings):
            hiding.append(_model(figure, eye))
    return hiding


@lru_cache(maxsize=256)
def _piece(piece: Terrain, settings: Settings) -> tuple[Prism, ...]:
    """A piece without its firing ports, with a lintel over each open door (LW-BLDG-13)."""
    area, top = outline(piece.footprint_mm), settled_mm(piece, settings)
    ports = [outline(m.footprint_mm) for m in piece.marks if m.kind == _PORT]
    doors = [outline(m.footprint_mm) for m in piece.marks if m.kind in DOOR_KINDS]
    solid = area.difference(unary_union([*ports, *doors])) if ports or doors else area
    rules = data()
    lintel = rules.number("building", "door_bricks") * rules.number("heights", "brick_mm")
    found = [Prism(solid, 0.0, top)]
    if doors and top > lintel:
        found.append(Prism(unary_union(doors).intersection(area), lintel, top))
    return tuple(found)


def _what(state: GameState, figure: Figure) -> str:
    if figure.state is FigureState.LYING:
        return "body"
    unit = state.unit(figure.figure_id)
    kind = MAN if unit is None else kind_of(unit)
    return kind if kind in (MAN, HORSE) else VEHICLE


def _model(figure: Figure, eye: Eye) -> Prism:
    low = figure.level_mm
    if figure.state in (*UPRIGHT, FigureState.HIDDEN):
        size = data().sizes.get(figure.profile)
        wide = size.wide_mm if size is not None and size.wide_mm else 0.0
        area = (
            sight.box(figure.position_mm, wide, figure.base.size_mm, eye)
            if wide and figure.label not in ("animal", "vehicle")
            else base_polygon(figure)
        )
        return Prism(area, low, low + figure.base.height_mm + figure.height_mm)
    if figure.facing_deg is None:
        area = Point(figure.position_mm).buffer(figure.base.size_mm)
    else:
        area = sight.turned_box(
            figure.position_mm, figure.height_mm, figure.base.size_mm, figure.facing_deg
        )
    return Prism(area, low, low + figure.base.size_mm)


def _behind_port(settings: Settings, table: TableState, a: PointMm, b: PointMm) -> bool:
    """Whether a target stands behind a firing port that always covers (LW-AMB-71)."""
    if settings.firing_port != "always_cover":
        return False
    line, there = LineString([a, b]), Point(b)
    return any(
        (port := outline(mark.footprint_mm)).intersects(line) and port.distance(there) <= _BESIDE_MM
        for piece in table.terrain
        for mark in piece.marks
        if mark.kind == _PORT
    )


def lit(table: TableState, settings: Settings, far_mm: float, *units: Unit) -> bool:
    """Whether one sees that far: always by day, or when a torch is at one end (LW-EQP-04)."""
    if settings.night_view_cm is None or far_mm <= settings.night_view_cm * 10.0:
        return True
    return any("torch" in unit.equipment for unit in units)
