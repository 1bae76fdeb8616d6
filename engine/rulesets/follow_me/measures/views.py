"""Whom somebody sees: fifteen samples past terrain, woods and fog (FM-GEO-08, FM-GEO-09)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from shapely import Point

from engine.geometry import bases
from engine.geometry.bases import Outline
from engine.geometry.samples import Body, Figurine, free_samples
from engine.geometry.sight import Eye
from engine.geometry.surfaces import outline
from engine.rulesets.follow_me.data import data
from engine.rulesets.follow_me.settings import Settings
from engine.table import Figure, PointMm, Terrain

_SKY_MM: Final = 100_000.0
_EYE_MM: Final = 1.0


@dataclass(frozen=True, slots=True)
class Scene:
    """What hides figures on a table.

    Attributes:
        hiding: Terrain that hides what is behind it.
        woods: Woods, which are seen into a little way (FM-OBS-09).
        fogs: Middle and radius of each fog bank (FM-SPELL-20).
    """

    hiding: tuple[Terrain, ...] = ()
    woods: tuple[Terrain, ...] = ()
    fogs: tuple[tuple[PointMm, float], ...] = ()


def samples(eye: Eye, target: Figurine, bodies: Iterable[Body]) -> int:
    """Free samples of a target (FM-GEO-08)."""
    rows = data().rows["sight.rows"]
    return free_samples(eye, target, data().whole("sight.columns"), rows, bodies)


def is_seen(free: int, settings: Settings) -> bool:
    """Whether so many free samples make a target visible (FM-GEO-09, FM-SHOOT-11)."""
    share = free / (data().whole("sight.columns") * len(data().rows["sight.rows"]))
    return share > settings.los_none_max


def sees(viewer: Figure, target: Figure, scene: Scene, settings: Settings) -> bool:
    """Whether a figure sees another; other figures hide nobody (FM-SHOOT-11)."""
    soles = target.level_mm + target.base.height_mm
    shown = Figurine(
        target.position_mm, bases.inscribed_radius(target.base), soles, target.height_mm
    )
    return _looks(viewer, shown, scene, settings)


def sees_point(viewer: Figure, point: PointMm, scene: Scene, settings: Settings) -> bool:
    """Whether a figure sees a spot on the table (FM-SPELL-03, 07, 11)."""
    return _looks(viewer, Figurine(point, 0.0, 0.0, _EYE_MM), scene, settings)


def _looks(viewer: Figure, shown: Figurine, scene: Scene, settings: Settings) -> bool:
    low = viewer.level_mm + viewer.base.height_mm
    height = low + data().numbers["sight.eye_fraction"] * viewer.height_mm
    eye = Eye(viewer.position_mm, height)
    bodies = [Body(Outline(outline(p.footprint_mm)), p.height_mm) for p in scene.hiding]
    bodies += [Body(Outline(Point(at), radius), _SKY_MM) for at, radius in scene.fogs]
    bodies += _woods(scene.woods, (viewer.position_mm, shown.at_mm), settings)
    return is_seen(samples(eye, shown, bodies), settings)


def _woods(woods: Sequence[Terrain], ends: Sequence[PointMm], settings: Settings) -> list[Body]:
    """Woods hide what is behind them or more than two inches inside."""
    depth = settings.inches(data().numbers["obstacles.wood_in"])
    found = []
    for wood in woods:
        area = outline(wood.footprint_mm)
        if any(area.covers(Point(end)) for end in ends):
            area = area.buffer(-depth)
        if not area.is_empty:
            found.append(Body(Outline(area), _SKY_MM))
    return found
