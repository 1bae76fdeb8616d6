"""A figure's maker told by its height, which a calibrated camera measures."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from calibration.plane import Calibration
from vision.bodies import BODIES, CHILD
from vision.detection import Detection
from vision.families import FAMILIES

STATURES_MM = (
    *((label, BODIES[label].height) for label in FAMILIES[0]),
    ("playmobil", CHILD.height),
)
"""Bare heads over soles."""
ADULT_AT, CHILD_AT = 1, 2
CLEAR_MM = 3.0
"""A measured height must be nearer to the other maker's than to the named one's by this. No height
makes a minifigure a child: in a tall hat it is as high."""
CHILD_CLEAR_MM = 14.0
"""A Playmobil figure must be nearer to a child's height than to an adult's by this: adults are
commoner, and of one in four the network sees less than 65 of their 75 mm."""
FAR = 0.18
"""A head that is farther than this share of the height from where any standing figure has it is
that of one that lies, leans or is held."""
STEEPEST_DEG = 65.0
"""Seen from more above, a head hides its own height."""


def named_by_height(
    detection: Detection, calibration: Calibration | None, sole_height_mm: float = 0.0
) -> Detection:
    """Call a standing figure after its height where that is clear.

    LEGO and Playmobil figures look alike where they are small, but one is hardly more than half as
    tall as the other. A Playmobil child is in between.

    Args:
        detection: What the picture shows; a rider sits, and keeps its name.
        calibration: How the camera sees the table; None leaves the name.
        sole_height_mm: Height of the soles over z = 0.

    Returns:
        The detection, under the other maker's label if its height says so, and as a child's.
    """
    if calibration is None or detection.label not in FAMILIES[0] or detection.rides:
        return detection
    if detection.soles_px is None or detection.head_px is None:
        return detection
    soles = calibration.to_table(np.array(detection.soles_px), sole_height_mm)
    if not np.isfinite(soles).all():
        return detection
    foot = soles.mean(axis=0)
    camera = calibration.camera_position_mm
    across = float(np.hypot(*(camera[:2] - foot)))
    if math.degrees(math.atan2(float(camera[2]) - sole_height_mm, across)) > STEEPEST_DEG:
        return detection
    tops = np.array([[*foot, sole_height_mm + height] for _, height in STATURES_MM])
    foot_px = calibration.to_image(np.array([[*foot, sole_height_mm]]))[0]
    heads = calibration.to_image(tops)
    if not np.isfinite(heads).all():
        return detection
    tall = np.hypot(*(heads - foot_px).T)
    misses = np.hypot(*(heads - np.array(detection.head_px)).T)
    heights = np.array([height for _, height in STATURES_MM])
    misses_mm = misses / np.maximum(tall, 1e-6) * heights
    fits = misses_mm <= FAR * heights
    label, named = detection.label, np.array([one == detection.label for one, _ in STATURES_MM])
    nearest = int(misses_mm[:CHILD_AT].argmin())
    if fits[nearest] and misses_mm[nearest] + CLEAR_MM <= misses_mm[named].min():
        label = STATURES_MM[nearest][0]
    child = bool(
        label == STATURES_MM[CHILD_AT][0]
        and fits[CHILD_AT]
        and misses_mm[CHILD_AT] + CHILD_CLEAR_MM <= misses_mm[ADULT_AT]
    )
    if (label, child) == (detection.label, detection.child):
        return detection
    return replace(detection, label=label, child=child)
