"""What a person could do so that a calibration succeeds, or comes out better."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import NotFound, UnitUnknown
from calibration.plane import Calibration
from calibration.quality import sigma_summary


class Advice(StrEnum):
    """One thing to do; the words for it belong to who shows them."""

    LIGHT = "light"
    """More light."""
    STILL = "still"
    """Hold the camera still and let it focus."""
    UNIT = "unit"
    """Say whether the ruler is in centimetres or inches."""
    HIGHER = "higher"
    """Look at the table from higher up."""
    TILT = "tilt"
    """Tilt a camera that looks straight down."""
    NEARER = "nearer"
    """Bring the reference nearer, or take a larger one."""
    VIEW = "view"
    """Move the reference into view."""
    EDGES = "edges"
    """Say where the table's edges are."""


DARK_LEVEL: Final = 70.0
"""The brightest parts of a picture of a lit table are brighter than this."""
LEAST_CONTRAST: Final = 12.0
"""Grey levels; with less there is nothing that could be sharp."""

SOFT: Final = 0.14
"""Steepest slopes of a picture in parts of its contrast; below it, everything is blurred."""
POOR_MM: Final = 3.0
"""A place less sure than this (two sigma) is worth another try."""
LOW_DEG: Final = 28.0
STEEP_DEG: Final = 80.0
SMALL_PART: Final = 0.04
"""Of the picture; a smaller reference gives a poor table."""
_SIDE_PX: Final = 960


def elevation_deg(calibration: Calibration) -> float:
    """How steeply the camera looks down: 90 straight down, 0 along the table."""
    forward = calibration.camera_T_table[2, :3]
    return float(np.degrees(np.arcsin(np.clip(-forward[2], -1, 1))))


def advise(image: NDArray[np.uint8], error: NotFound) -> tuple[Advice, ...]:
    """What to do after nothing was found.

    Args:
        image: (H, W, 3) BGR, the picture that was looked at.
        error: Why nothing was found.

    Returns:
        The most likely help first.
    """
    if isinstance(error, UnitUnknown):
        return (Advice.UNIT,)
    if float(np.percentile(_small(image), 99.5)) < DARK_LEVEL:
        return Advice.LIGHT, Advice.VIEW
    if is_blurred(image):
        return Advice.STILL, Advice.VIEW
    return (Advice.VIEW,)


def is_blurred(image: NDArray[np.uint8]) -> bool:
    """Whether something is seen in a picture, and nothing of it sharp.

    Args:
        image: (H, W, 3) BGR.
    """
    small = _small(image)
    low, high = np.percentile(small, [1, 99.5])
    if high - low < LEAST_CONTRAST:
        return False
    slope = np.abs(np.diff(small.astype(np.float64), axis=1))
    return float(np.percentile(slope, 99.9)) < SOFT * float(high - low)


def _small(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Brightness at the size at which sharpness is judged, (H, W)."""
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    scale = min(1.0, _SIDE_PX / max(gray.shape))
    small = cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.uint8)


def improve(calibration: Calibration) -> tuple[Advice, ...]:
    """What to do where something was found but more would be better.

    Args:
        calibration: What was found.

    Returns:
        The most likely help first; nothing where all is well.
    """
    found = []
    largest = sigma_summary(calibration)["max"]
    if largest is None or 2 * largest > POOR_MM:
        elevation = elevation_deg(calibration)
        if elevation < LOW_DEG:
            found.append(Advice.HIGHER)
        elif elevation > STEEP_DEG:
            found.append(Advice.TILT)
        width, height = calibration.image_size_px
        outline = calibration.outline_px.astype(np.float32)
        if len(outline) > 2 and cv2.contourArea(outline) < SMALL_PART * width * height:
            found.append(Advice.NEARER)
    if calibration.size_mm is None:
        found.append(Advice.EDGES)
    return tuple(found)
