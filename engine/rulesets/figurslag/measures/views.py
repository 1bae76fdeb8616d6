"""How much of a target a shooter sees, with everything on the table that may hide it."""

from __future__ import annotations

from collections.abc import Iterable

from shapely import Point

from engine.geometry import sight
from engine.geometry.bases import base_polygon
from engine.geometry.sight import Eye, Panel, Prism
from engine.geometry.surfaces import outline
from engine.rulesets.figurslag.measures.distances import Model, footprint
from engine.rulesets.figurslag.measures.heights import settled_mm
from engine.rulesets.figurslag.settings import Settings
from engine.table import Figure, FigureState, PointMm, Terrain

_FRONT_DEG = 90.0


def eye(shooter: Model) -> Eye:
    """Eye of a shooter: over the middle of its base, as high as its size class (5.6)."""
    height = shooter.level_mm + shooter.base.height_mm + footprint(shooter.profile).eye_mm
    return Eye(shooter.position_mm, height)


def silhouette(target: Figure, settings: Settings) -> tuple[Panel, ...]:
    """What of a target has to be seen (FS-AMB-23): its body, with its base where agreed."""
    soles = target.level_mm + target.base.height_mm
    width = footprint(target.profile).silhouette_mm
    body = Panel(target.position_mm, width, soles, soles + target.height_mm)
    if settings.los_silhouette == "body_without_base" or target.base.height_mm <= 0.0:
        return (body,)
    return body, Panel(target.position_mm, target.base.size_mm, target.level_mm, soles)


def visible_share(
    shooter: Figure,
    target: Figure,
    figures: Iterable[Figure],
    terrain: Iterable[Terrain],
    settings: Settings,
) -> float:
    """Share of a target that a shooter sees (FS-LOS-02, FS-LOS-03), 0 to 1.

    Args:
        shooter: Who looks.
        target: Who is looked at.
        figures: All models that may hide it; leave out those that are no longer on the table.
        terrain: All terrain.
        settings: Options of the game.
    """
    if settings.use_facing and not in_front(shooter, target.position_mm):
        return 0.0
    at = eye(shooter)
    hiding = [_piece(piece, settings) for piece in terrain]
    pair = {shooter.figure_id, target.figure_id}
    for figure in figures:
        if figure.figure_id not in pair:
            hiding += _model(figure, at, settings)
    return sight.visible_share(at, silhouette(target, settings), hiding)


def in_front(shooter: Figure, point_mm: PointMm) -> bool:
    """Whether a place lies in front of a model; everywhere does if unknown (FS-LOS-04)."""
    return sight.in_front(shooter.position_mm, shooter.facing_deg, point_mm, _FRONT_DEG)


def _piece(piece: Terrain, settings: Settings) -> Prism:
    return Prism(outline(piece.footprint_mm), 0.0, settled_mm(piece, settings))


def _model(figure: Figure, at: Eye, settings: Settings) -> list[Prism]:
    """A model as boxes: standing body and base, or a low body that lies."""
    if settings.models_block == "none":
        return []
    size = footprint(figure.profile)
    depth = figure.base.size_mm
    if figure.state is FigureState.STANDING:
        soles = figure.level_mm + figure.base.height_mm
        body = sight.box(figure.position_mm, size.silhouette_mm, depth, at)
        boxes = [Prism(body, soles, soles + figure.height_mm)]
        if figure.base.height_mm > 0.0:
            boxes.append(Prism(base_polygon(figure), figure.level_mm, soles))
        return boxes
    if figure.state is FigureState.LYING and settings.models_block == "all":
        if figure.facing_deg is None:
            area = Point(figure.position_mm).buffer(size.silhouette_mm / 2.0)
        else:
            area = sight.turned_box(
                figure.position_mm, figure.height_mm, size.silhouette_mm, figure.facing_deg
            )
        return [Prism(area, figure.level_mm, figure.level_mm + depth)]
    return []
