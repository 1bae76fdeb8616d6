"""Whether a figure stands or lies."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from calibration.plane import Calibration
from engine.table import FigureState
from vision.bodies import Body, body_of
from vision.boxes import areas, as_boxes, iou, shared_areas
from vision.detection import BoxPx, Detection

STANDING_NEAR = 0.3
STANDING_BIAS = 0.15
"""A figure stands if its head is within the first share of its height from where it then must be,
or if lying does not explain it better by the second: most figures stand, and seen under 45 degrees
one that lies away from the camera looks the same."""
INSIDE = 0.6


Points = NDArray[np.float64]


def head_says_standing(
    head: Points,
    foot: Points,
    foot_px: Points,
    level_mm: float,
    sole_height: float,
    body: Body,
    calibration: Calibration,
) -> bool:
    """Whether the head is where a standing figure has it, rather than a lying one."""
    flat_height = level_mm + body.half_thickness
    flat_head = calibration.to_table(head[None], flat_height)[0]
    flat_foot = calibration.to_table(foot_px[None], flat_height)[0]
    if not np.isfinite([*flat_head, *flat_foot]).all():
        return True  # above the horizon of the table: it cannot lie there
    along = flat_head - flat_foot
    length = float(np.hypot(*along))
    way = along / length if length > 1e-6 else np.array([1.0, 0.0])
    flat = flat_foot + way * body.height
    expected = calibration.to_image(
        np.array([[*foot, sole_height + body.height], [*flat, flat_height]])
    )
    if not np.isfinite(expected).all():
        return True
    misses = np.hypot(*(expected - head).T) / (body.height * _px_per_mm(foot, calibration))
    return bool(misses[0] <= max(STANDING_NEAR, misses[1] + STANDING_BIAS))


def _px_per_mm(place: Points, calibration: Calibration) -> float:
    """Scale of the picture at a place of the table: focal length over distance."""
    camera = calibration.camera_position_mm
    distance = float(np.linalg.norm(camera - np.array([place[0], place[1], 0.0])))
    return calibration.intrinsics.fx_px / max(distance, 1.0)


def stands_in_box(
    box: BoxPx, foot: Points, sole_height: float, body: Body, calibration: Calibration
) -> bool:
    """Whether the box is that of a standing figure, perhaps partly hidden."""
    standing = _box_of(_block(foot, sole_height, body.radius, body.height), calibration)
    if standing is None:
        return True
    seen = as_boxes([box])
    inside = float(shared_areas(seen, standing)[0, 0] / max(float(areas(seen)[0]), 1e-9))
    if inside >= INSIDE:
        return True
    centre = np.array([[(box[0] + box[2]) / 2, (box[1] + box[3]) / 2]])
    middle = calibration.to_table(centre, sole_height + body.half_thickness)[0]
    if not np.isfinite(middle).all():
        return True
    lying = [
        _box_of(_slab(middle, turn * math.pi / 8, sole_height, body), calibration)
        for turn in range(8)
    ]
    best = max((float(iou(seen, flat)[0, 0]) for flat in lying if flat is not None), default=0.0)
    return float(iou(seen, standing)[0, 0]) >= best


def _block(foot: Points, low: float, radius: float, height: float) -> Points:
    """Corners of an upright block."""
    return np.array(
        [
            [foot[0] + dx * radius, foot[1] + dy * radius, low + dz * height]
            for dx in (-1, 1)
            for dy in (-1, 1)
            for dz in (0, 1)
        ]
    )


def _slab(middle: Points, turn: float, low: float, body: Body) -> Points:
    """Corners of a lying body, its long side along the turn."""
    cos, sin = math.cos(turn), math.sin(turn)
    return np.array(
        [
            [
                middle[0] + cos * along * body.height / 2 - sin * across * body.radius,
                middle[1] + sin * along * body.height / 2 + cos * across * body.radius,
                low + up * 2 * body.half_thickness,
            ]
            for along in (-1, 1)
            for across in (-1, 1)
            for up in (0, 1)
        ]
    )


def _box_of(corners: Points, calibration: Calibration) -> Points | None:
    """Box around projected corners, (1, 4)."""
    px = calibration.to_image(corners)
    if not np.isfinite(px).all():
        return None
    return np.concatenate([px.min(axis=0), px.max(axis=0) + 1.0])[None]


def state_from_picture(detection: Detection) -> FigureState:
    """Standing or lying by the picture's own up and down, for want of anything better."""
    x0, y0, x1, y1 = detection.box_px
    width, height = x1 - x0, y1 - y0
    if not body_of(detection.label, detection.child).can_lie:
        return FigureState.STANDING
    if detection.soles_px is not None and detection.head_px is not None:
        foot = np.mean(np.array(detection.soles_px), axis=0)
        across, up = detection.head_px[0] - foot[0], foot[1] - detection.head_px[1]
        # Seen from above a standing figure's head is close to its soles.
        short = math.hypot(across, up) < 0.5 * max(width, height)
        return FigureState.STANDING if short or up > 0.7 * abs(across) else FigureState.LYING
    return FigureState.LYING if width > 1.3 * height else FigureState.STANDING
