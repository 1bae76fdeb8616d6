"""What a shooter sees of a target: fifteen samples and their grade (PM-GEO-08, PM-GEO-09)."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from engine.geometry import bases
from engine.geometry.bases import Outline
from engine.geometry.samples import Body, Figurine, free_samples
from engine.geometry.sight import Eye
from engine.geometry.surfaces import outline
from engine.rulesets.playmobil.data import data
from engine.rulesets.playmobil.settings import Settings
from engine.table import Figure, Terrain


class Sight(StrEnum):
    """How much of a target is seen."""

    NONE = "none"
    PARTLY = "partly"
    ENTIRELY = "entirely"


def samples(eye: Eye, target: Figurine, bodies: Iterable[Body]) -> int:
    """Free samples of a target (PM-GEO-08)."""
    return free_samples(eye, target, data().whole("sight.columns"), data().sight_rows, bodies)


def grade(free: int, settings: Settings) -> Sight:
    """Grade of so many free samples (PM-GEO-09)."""
    share = free / (data().whole("sight.columns") * len(data().sight_rows))
    if share <= settings.los_none_max:
        return Sight.NONE
    return Sight.ENTIRELY if share >= settings.los_full_min else Sight.PARTLY


def sight(shooter: Figure, target: Figure, terrain: Iterable[Terrain], settings: Settings) -> Sight:
    """How much of a target a shooter sees past terrain (PM-ARCH-16, PM-THROW-09).

    Other figures hide nobody from missiles.
    """
    soles = target.level_mm + target.base.height_mm
    shown = Figurine(
        target.position_mm, bases.inscribed_radius(target.base), soles, target.height_mm
    )
    low = shooter.level_mm + shooter.base.height_mm
    height = low + data().numbers["sight.eye_fraction"] * shooter.height_mm
    pieces = [Body(Outline(outline(p.footprint_mm)), p.height_mm) for p in terrain]
    return grade(samples(Eye(shooter.position_mm, height), shown, pieces), settings)
