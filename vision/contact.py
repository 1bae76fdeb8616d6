"""Where a figure touches the table, which way it looks, and whether it stands or lies."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.plane import Calibration
from engine.table import FigureState, PointMm
from vision.bodies import Body, body_of
from vision.detection import BoxPx, Detection, PointPx
from vision.posture import head_says_standing, stands_in_box, state_from_picture

SOLE_SIGMA_SHARE = 0.045
"""Doubt of a sole as a share of the box's longer side, which a coarser look leaves larger."""
MIN_SOLE_SIGMA_PX = 0.8
POSE_SIGMA_MM = 0.4
"""Shoes, bent legs and play between figure and studs."""
BOX_SIGMA_SHARE = 0.06
BOX_SIGMA_MM = 3.0
HEAD_SIGMA_MM = 2.5
HEAD_SIGMA_SHARE = 0.04
"""Doubt of the head as a share of the box's longer side, from the validation renders."""
HEAD_SHARE = ((25.0, 0.2), (78.0, 0.75))
"""How much the head counts against the soles for a standing figure's place, by the camera's
elevation in degrees: the steeper it looks down, the more the body hides the feet. Best on the
validation renders; without the head the median error there is 1.6 times as large."""
SADDLE_SIGMA_MM = 6.0
"""Mounts differ in height, and a rider's soles hang before or beside its middle."""
Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Contact:
    """One detection put on the table.

    Attributes:
        contact_px: Pixel of the place where it touches its ground.
        position_mm: Centre of the base; of a lying figure the point below the middle of its
            body. None without a calibration or above the horizon.
        sigma_mm: One standard deviation along the worst direction, None like the position.
        facing_deg: Counter-clockwise from +x; of a lying figure from feet to head. None when
            unknown.
        state: Standing, lying or riding.
    """

    contact_px: PointPx
    position_mm: PointMm | None
    sigma_mm: float | None
    facing_deg: float | None
    state: FigureState


def ground(
    detection: Detection,
    calibration: Calibration | None,
    level_mm: float = 0.0,
    base_height_mm: float = 0.0,
) -> Contact:
    """Put a detection on the table.

    Args:
        detection: What the picture shows.
        calibration: How the camera sees the table; None leaves positions open.
        level_mm: Height of the surface the figure's base stands on, over z = 0.
        base_height_mm: Thickness of the base under the soles.
    """
    if calibration is None:
        state = FigureState.RIDER if detection.rides else state_from_picture(detection)
        return Contact(_contact_px(detection), None, None, None, state)
    sole_height = level_mm + base_height_mm
    if detection.rides and detection.soles_px is not None:
        return _riding(detection, detection.soles_px, calibration, level_mm)
    if detection.soles_px is not None:
        return _from_soles(detection, detection.soles_px, calibration, level_mm, sole_height)
    return _from_box(detection, calibration, level_mm, sole_height)


def facing_from_soles(left_mm: PointMm, right_mm: PointMm) -> float:
    """Way the chest looks, from where the soles are.

    Seen from above, a figure that looks along +y has its left sole at smaller x and its right
    sole at larger x; so the way it looks is left-to-right turned by 90 degrees counter-clockwise.

    Args:
        left_mm: Its own left sole.
        right_mm: Its own right sole.

    Returns:
        Degrees counter-clockwise from +x, 0 to 360.
    """
    across_x, across_y = right_mm[0] - left_mm[0], right_mm[1] - left_mm[1]
    return math.degrees(math.atan2(across_x, -across_y)) % 360.0


def _from_soles(
    detection: Detection,
    soles_px: tuple[PointPx, PointPx],
    calibration: Calibration,
    level_mm: float,
    sole_height: float,
) -> Contact:
    body = body_of(detection.label, detection.child)
    soles = calibration.to_table(np.array(soles_px), sole_height)
    middle_px = np.mean(np.array(soles_px), axis=0)
    if not np.isfinite(soles).all():
        return Contact(_point(middle_px), None, None, None, state_from_picture(detection))
    foot = soles.mean(axis=0)
    if detection.head_px is None:
        standing = not body.can_lie or stands_in_box(
            detection.box_px, foot, sole_height, body, calibration
        )
        head = None
    else:
        head = np.array(detection.head_px)
        standing = not body.can_lie or head_says_standing(
            head, foot, middle_px, level_mm, sole_height, body, calibration
        )
    sole_sigma = _sole_sigma_px(detection.box_px)
    if not standing:
        return _lying(detection, np.array(soles_px), head, calibration, level_mm, sole_sigma)
    sigma = calibration.sigma_mm(middle_px[None], sole_height, sole_sigma / math.sqrt(2))[0]
    if head is not None:
        top = sole_height + body.height
        below = calibration.to_table(head[None], top)[0]
        if np.isfinite(below).all():
            share = _head_share(foot, sole_height, calibration)
            head_sigma = calibration.sigma_mm(head[None], top, _head_sigma_px(detection.box_px))[0]
            foot = foot + share * (below - foot)
            sigma = math.hypot((1 - share) * float(sigma), share * float(head_sigma))
            middle_px = calibration.to_image(np.array([[*foot, sole_height]]))[0]
    left, right = _point(soles[0]), _point(soles[1])
    low, high = body.sole_gap
    facing = facing_from_soles(left, right) if low <= math.dist(left, right) <= high else None
    return Contact(
        _point(middle_px),
        _point(foot),
        math.hypot(float(sigma), POSE_SIGMA_MM),
        facing,
        FigureState.STANDING,
    )


def _riding(
    detection: Detection,
    soles_px: tuple[PointPx, PointPx],
    calibration: Calibration,
    level_mm: float,
) -> Contact:
    """A rider: its soles hang at the height of a saddle, and its legs are bent."""
    body = body_of(detection.label, detection.child)
    height = level_mm + body.saddle
    middle_px = np.mean(np.array(soles_px), axis=0)
    soles = calibration.to_table(np.array(soles_px), height)
    if not np.isfinite(soles).all():
        return Contact(_point(middle_px), None, None, None, FigureState.RIDER)
    sole_sigma = _sole_sigma_px(detection.box_px) / math.sqrt(2)
    sigma = calibration.sigma_mm(middle_px[None], height, sole_sigma)[0]
    left, right = _point(soles[0]), _point(soles[1])
    low, high = body.sole_gap
    facing = facing_from_soles(left, right) if low <= math.dist(left, right) <= high else None
    return Contact(
        _point(middle_px),
        _point(soles.mean(axis=0)),
        math.hypot(float(sigma), SADDLE_SIGMA_MM),
        facing,
        FigureState.RIDER,
    )


def _head_share(foot: Points, sole_height: float, calibration: Calibration) -> float:
    """How much the place plumb below the head counts against the place of the soles."""
    camera = calibration.camera_position_mm
    away = float(np.hypot(*(camera[:2] - foot)))
    elevation = math.degrees(math.atan2(float(camera[2]) - sole_height, away))
    (low, least), (high, most) = HEAD_SHARE
    return float(np.interp(elevation, (low, high), (least, most)))


def _lying(
    detection: Detection,
    soles_px: Points | None,
    head: Points | None,
    calibration: Calibration,
    level_mm: float,
    pixel_sigma: float,
) -> Contact:
    """A lying figure: the point below the middle of its body."""
    body = body_of(detection.label, detection.child)
    height = level_mm + body.half_thickness
    x0, y0, x1, y1 = detection.box_px
    centre = np.array([(x0 + x1) / 2 - 0.5, (y0 + y1) / 2 - 0.5])
    facing: float | None = None
    middle = calibration.to_table(centre[None], height)[0]
    if soles_px is not None and head is not None:
        points = calibration.to_table(np.array([*soles_px, head]), height)
        if np.isfinite(points).all():
            feet, top = points[:2].mean(axis=0), points[2]
            middle = (feet + top) / 2
            facing = math.degrees(math.atan2(*(top - feet)[::-1])) % 360.0
    else:
        pixel_sigma = BOX_SIGMA_SHARE * max(x1 - x0, y1 - y0)
    if not np.isfinite(middle).all():
        return Contact(_point(centre), None, None, None, FigureState.LYING)
    below = calibration.to_image(np.array([[*middle, level_mm]]))[0]
    sigma = calibration.sigma_mm(below[None], level_mm, pixel_sigma)[0]
    return Contact(
        _point(below),
        _point(middle),
        math.hypot(float(sigma), 2 * POSE_SIGMA_MM),
        facing,
        FigureState.LYING,
    )


def _from_box(
    detection: Detection, calibration: Calibration, level_mm: float, sole_height: float
) -> Contact:
    """Without soles: below the head if that is seen, else behind the box's lower edge."""
    body = body_of(detection.label, detection.child)
    x0, y0, x1, y1 = detection.box_px
    pixel_sigma = BOX_SIGMA_SHARE * max(x1 - x0, y1 - y0)
    if detection.head_px is not None:
        seen, height, spread = np.array(detection.head_px), sole_height + body.height, HEAD_SIGMA_MM
        foot = calibration.to_table(seen[None], height)[0]
    else:
        seen, height, spread = np.array(_contact_px(detection)), sole_height, BOX_SIGMA_MM
        foot = _behind_edge(calibration.to_table(seen[None], height)[0], body, calibration)
    if not np.isfinite(foot).all():
        return Contact(_contact_px(detection), None, None, None, state_from_picture(detection))
    if body.can_lie and not stands_in_box(detection.box_px, foot, sole_height, body, calibration):
        return _lying(detection, None, None, calibration, level_mm, pixel_sigma)
    sigma = calibration.sigma_mm(seen[None], height, pixel_sigma)[0]
    contact = calibration.to_image(np.array([[*foot, sole_height]]))[0]
    return Contact(
        _point(contact),
        _point(foot),
        math.hypot(float(sigma), spread),
        None,
        FigureState.STANDING,
    )


def _behind_edge(edge: Points, body: Body, calibration: Calibration) -> Points:
    """Centre of the feet: their front edge is what the box ends with."""
    away = edge - calibration.camera_position_mm[:2]
    return np.asarray(edge + away / max(float(np.hypot(*away)), 1e-6) * body.radius * 0.8)


def _contact_px(detection: Detection) -> PointPx:
    """Between the soles, or the middle of the box's lower edge."""
    if detection.soles_px is not None:
        return _point(np.mean(np.array(detection.soles_px), axis=0))
    x0, _, x1, y1 = detection.box_px
    return (x0 + x1) / 2 - 0.5, y1 - 1.0


def _head_sigma_px(box: BoxPx) -> float:
    return max(MIN_SOLE_SIGMA_PX, HEAD_SIGMA_SHARE * max(box[2] - box[0], box[3] - box[1]))


def _sole_sigma_px(box: BoxPx) -> float:
    return max(MIN_SOLE_SIGMA_PX, SOLE_SIGMA_SHARE * max(box[2] - box[0], box[3] - box[1]))


def _point(values: Points) -> tuple[float, float]:
    return float(values[0]), float(values[1])
