"""A figure's maker told by its height, which a calibrated camera measures."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from calibration.plane import Calibration
from vision.bodies import BODIES
from vision.detection import Detection
from vision.families import FAMILIES

STATURES_MM = tuple((label, BODIES[label].height) for label in FAMILIES[0])
"""Bare heads over soles. A Playmobil child is left out: a minifigure with a tall hat is as high."""
CLEAR_MM = 3.0
"""A measured height must be nearer to the other maker's than to the named one's by this."""
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
    tall as the other.

    Args:
        detection: What the picture shows.
        calibration: How the camera sees the table; None leaves the name.
        sole_height_mm: Height of the soles over z = 0.

    Returns:
        The detection, under the other maker's label if its height says so.
    """
    if calibration is None or detection.label not in FAMILIES[0]:
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
    nearest = int(misses_mm.argmin())
    if misses_mm[nearest] > FAR * heights[nearest]:
        return detection
    named = [label == detection.label for label, _ in STATURES_MM]
    if misses_mm[nearest] + CLEAR_MM > float(misses_mm[named].min()):
        return detection
    return replace(detection, label=STATURES_MM[nearest][0])
