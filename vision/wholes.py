"""Finds that are only a part of another find."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.boxes import areas, as_boxes, shared_areas
from vision.detection import Detection
from vision.families import PEOPLE

SHARE, SIZE = 0.7, 1.3
"""A find of which this share lies in a better one at least this many times as large is a part of
that one: a chest or a pair of legs passes for a figure itself. One figure that hides most of
another is not larger. Chosen on training pictures."""


def whole(found: Sequence[Detection]) -> list[Detection]:
    """Leave out parts of figures.

    Args:
        found: Finds of one picture.

    Returns:
        Those that are no part of a better one, in the same order. Figures are parts of figures
        alone: a figure in a hand is a thing of its own.
    """
    people = [at for at, detection in enumerate(found) if detection.label in PEOPLE]
    boxes = as_boxes([found[at].box_px for at in people])
    scores = np.array([found[at].score for at in people])
    sizes = areas(boxes)
    held = shared_areas(boxes, boxes) > SHARE * sizes[:, None]
    held &= sizes[None] > SIZE * sizes[:, None]
    held &= scores[None] > scores[:, None]
    parts = {people[at] for at in np.flatnonzero(held.any(axis=1)).tolist()}
    return [detection for at, detection in enumerate(found) if at not in parts]
