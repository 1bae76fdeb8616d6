"""What a shooter sees of a target: fifteen samples and their grade (DZ-VIS, DZ-GEO-08, 09)."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from engine.geometry import bases
from engine.geometry.bases import Outline
from engine.geometry.samples import Body, Figurine, free_samples
from engine.geometry.sight import Eye
from engine.geometry.surfaces import outline
from engine.rulesets.deathzap.data import data
from engine.rulesets.deathzap.settings import Settings
from engine.table import Figure, Terrain


class Sight(StrEnum):
    """How much of a target is seen."""

    NONE = "none"
    PARTLY = "partly"
    ENTIRELY = "entirely"


def sample_count() -> int:
    """Samples of a target."""
    return data().sight_columns * len(data().sight_rows)


def grade(free: int, settings: Settings) -> Sight:
    """Grade of so many free samples (DZ-GEO-09, DZ-VIS-02)."""
    share = free / sample_count()
    if share <= settings.los_none_max:
        return Sight.NONE
    return Sight.ENTIRELY if share >= settings.los_full_min else Sight.PARTLY


def samples(eye: Eye, target: Figurine, bodies: Iterable[Body]) -> int:
    """Free samples of a target (DZ-GEO-08)."""
    return free_samples(eye, target, data().sight_columns, data().sight_rows, bodies)


def eye_of(figure: Figure) -> Eye:
    """The eye of a fighter: over its middle, at 0.9 of its height (DZ-GEO-08)."""
    soles = figure.level_mm + figure.base.height_mm
    return Eye(figure.position_mm, soles + data().eye_fraction * figure.height_mm)


def sight(
    shooter: Figure,
    target: Figure,
    others: Iterable[Figure],
    terrain: Iterable[Terrain],
    settings: Settings,
) -> Sight:
    """How much of a target a shooter sees.

    Terrain, the Shrine and every other standing fighter may hide it (DZ-VIS-03); fighters alone
    never make it invisible unless agreed otherwise (DZ-VIS-05).

    Args:
        shooter: Who looks.
        target: Who is looked at.
        others: Standing fighters; shooter and target among them do not count.
        terrain: Everything that hides like terrain.
        settings: Options of the game.
    """
    soles = target.level_mm + target.base.height_mm
    radius = bases.inscribed_radius(target.base)
    shown = Figurine(target.position_mm, radius, soles, target.height_mm)
    eye = eye_of(shooter)
    pieces = [Body(Outline(outline(p.footprint_mm)), p.height_mm) for p in terrain]
    past_terrain = grade(samples(eye, shown, pieces), settings)
    if settings.los_figures_block == "false" or past_terrain is Sight.NONE:
        return past_terrain
    pair = {shooter.figure_id, target.figure_id}
    figures = [_cylinder(other) for other in others if other.figure_id not in pair]
    past_all = grade(samples(eye, shown, [*pieces, *figures]), settings)
    if past_all is Sight.NONE and settings.los_figures_block == "partial_only":
        return Sight.PARTLY
    return past_all


def _cylinder(figure: Figure) -> Body:
    top = figure.level_mm + figure.base.height_mm + figure.height_mm
    return Body(bases.inner(figure.base, figure.position_mm), top)
