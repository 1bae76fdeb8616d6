"""Which figures ride: they sit on an animal or in a vehicle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.boxes import areas, as_boxes, shared_areas
from vision.detection import Detection
from vision.families import FAMILIES

FIGURES, MOUNTS = FAMILIES
SURE_MOUNT = 0.75
"""What is fainter is no mount: of thirteen finds on fainter animals and vehicles only five rode. On
mounts that are truly there 40 of 41 did."""
SOLES_ASIDE = 0.18
"""A rider's soles are no farther from the middle of the mount than this share of its width."""
BODY_ASIDE = 0.3
"""The same for the middle of the rider's box."""
INSIDE = 0.4
"""Least share of the rider's box that lies in the mount's."""
SOLES_UP = 0.1
"""A rider's soles are higher than the mount's lower edge by this share of its height: who stands
before it has them lower, and who stands behind it has them to the side or hidden."""
BODY_UP = -0.05
"""The same for the lower edge of the rider's box."""


def with_riders(detections: Sequence[Detection]) -> tuple[Detection, ...]:
    """Say of each figure whether it rides, by where its soles are in the box of a mount.

    Args:
        detections: Of one picture, animals and vehicles among them.

    Returns:
        The same, in order.
    """
    mounts = [one for one in detections if one.label in MOUNTS and one.score >= SURE_MOUNT]
    return tuple(
        replace(one, rides=rides) if (rides := _rides(one, mounts)) != one.rides else one
        for one in detections
    )


def _rides(one: Detection, mounts: Sequence[Detection]) -> bool:
    """Whether a figure rides one of the mounts."""
    if one.label not in FIGURES or one.soles_px is None or not mounts:
        return False
    box, boxes = as_boxes([one.box_px]), as_boxes([mount.box_px for mount in mounts])
    inside = shared_areas(box, boxes)[0] / np.maximum(areas(box)[0], 1e-9)
    x, y = np.mean(np.array(one.soles_px), axis=0) + 0.5
    middle = (boxes[:, 0] + boxes[:, 2]) / 2
    wide, tall = np.maximum(boxes[:, 2:] - boxes[:, :2], 1e-9).T
    good = np.abs(x - middle) < SOLES_ASIDE * wide
    good &= np.abs(box[0, ::2].mean() - middle) < BODY_ASIDE * wide
    good &= inside > INSIDE
    good &= boxes[:, 3] - y > SOLES_UP * tall
    good &= boxes[:, 3] - box[0, 3] > BODY_UP * tall
    return bool(good.any())
