"""Second boxes of something already seen."""

from __future__ import annotations

import math
from collections.abc import Sequence

from vision.detection import Detection
from vision.riding import MOUNTS
from vision.tracking.boxes import area, iou, overlap
from vision.tracking.sighting import Sighting

_SAME_IOU = 0.6
_TOO_NEAR_MM = 7.0
_TOUCHING_IOU = 0.3
_INSIDE = 0.75
_SMALLER = 0.6
_AROUND = 0.8
_LARGER = 1.25
_AROUND_MM = 20.0


def without_doubles(sightings: Sequence[Sighting]) -> list[Sighting]:
    """One sighting for each thing, the better scored, in an order of their own."""
    kept: list[Sighting] = []
    for sighting in sorted(sightings, key=lambda s: (-s.detection.score, s.detection.box_px)):
        if not is_ghost(sighting, kept):
            kept.append(sighting)
    return kept


def is_ghost(sighting: Sighting, others: Sequence[Sighting]) -> bool:
    """Whether a sighting is a second box of one of the others.

    Figures have a body: two are never nearer than a few mm. A box inside another shows a part of
    it, and a box around another, with its feet nearly in the same place, shows it together with
    something else. A rider and its mount are two in one place.

    Args:
        sighting: The one in doubt.
        others: Better ones.
    """
    box = sighting.detection.box_px
    size = area(box)
    for other in others:
        if _ridden(sighting.detection, other.detection):
            continue
        other_box = other.detection.box_px
        other_size = area(other_box)
        shared = overlap(box, other_box)
        if shared <= 0:
            continue
        same = iou(box, other_box)
        apart = math.dist(sighting.at, other.at) / sighting.unit
        alike = sighting.detection.label == other.detection.label
        if (
            same > _SAME_IOU
            or (apart < _TOO_NEAR_MM and same > _TOUCHING_IOU)
            or (shared > _INSIDE * size and size < _SMALLER * other_size)
            or (
                alike
                and shared > _AROUND * other_size
                and size > _LARGER * other_size
                and apart < _AROUND_MM
            )
        ):
            return True
    return False


def _ridden(one: Detection, other: Detection) -> bool:
    """Whether the one may sit on the other."""
    return (one.rides and other.label in MOUNTS) or (other.rides and one.label in MOUNTS)
