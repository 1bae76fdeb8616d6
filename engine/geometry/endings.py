"""Where a model may stand at last: on surfaces meant for it and on no other base."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from engine.geometry import bases
from engine.geometry.bases import Standing
from engine.geometry.known import forbidden, sound_parts, wide
from engine.geometry.obstacles import Walker
from engine.geometry.surfaces import EMPTY, Ground


def ends(
    area: BaseGeometry, ground: Ground, walker: Walker, occupied: Sequence[Standing]
) -> BaseGeometry:
    """The part of an area where a model may stand at last.

    Args:
        area: Where the middle of its base comes.
        ground: Standing surfaces.
        walker: How it walks.
        occupied: Models on whose bases it cannot end.
    """
    if area.is_empty:
        return EMPTY
    inside = walker.inside()
    if inside is not None and not shapely.box(*area.bounds).within(inside):
        area = area.intersection(inside)
    bad = [*forbidden(ground, walker.step_mm), *bases_of(occupied, walker, area)]
    if bad:
        shapely.prepare(area)  # it is asked about many small ones
        met = np.array(bad)[shapely.intersects(area, bad)]
        if len(met):
            area = area.difference(shapely.union_all(met))
    parts = sound_parts([area])
    return parts[0] if len(parts) == 1 else shapely.union_all(parts)


def bases_of(
    models: Sequence[Standing], walker: Walker, near: BaseGeometry | None = None
) -> list[BaseGeometry]:
    """Bases grown by the walker's own; those surely beyond ``near`` are left out."""
    box = None if near is None else near.bounds
    return [
        wide(model.base, model.position_mm, walker.radius_mm)
        for model in models
        if box is None or not _beyond(model, walker, box)
    ]


def _beyond(model: Standing, walker: Walker, box: tuple[float, float, float, float]) -> bool:
    """A model is so far from a box that its grown base cannot touch it."""
    (x, y), (x0, y0, x1, y1) = model.position_mm, box
    away = max(x0 - x, x - x1, y0 - y, y - y1)
    return away > bases.circumscribed_radius(model.base) + walker.radius_mm
