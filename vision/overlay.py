"""Draws what was found on a picture: boxes, names, soles, hands and the table's grid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import Calibration
from engine.table import PointMm
from vision.detection import BoxPx, Detection, Hand, PointPx
from vision.frames import Image

Colour = tuple[int, int, int]
"""Blue, green, red."""

LIGHT: Colour = (245, 245, 245)
DARK: Colour = (20, 20, 20)
FIGURE: Colour = (90, 220, 120)
LEFT_SOLE: Colour = (255, 190, 80)
RIGHT_SOLE: Colour = (80, 130, 255)
HEAD: Colour = (80, 230, 255)
HAND: Colour = (200, 120, 240)
GRID: Colour = (230, 230, 230)
GRID_STEP_MM = 100.0
SUBPIXEL_BITS = 4


@dataclass(frozen=True, slots=True)
class Label:
    """A box with words and, if it is on the table, the way it looks.

    Attributes:
        box_px: Where.
        text: Short words, ASCII.
        colour: Of the box.
        position_mm: For the arrow of its facing.
        facing_deg: Counter-clockwise from +x.
    """

    box_px: BoxPx
    text: str = ""
    colour: Colour = FIGURE
    position_mm: PointMm | None = None
    facing_deg: float | None = None


def draw(
    image: Image,
    labels: Sequence[Label] = (),
    detections: Sequence[Detection] = (),
    hands: Sequence[Hand] = (),
    calibration: Calibration | None = None,
    grid: bool = False,
) -> Image:
    """A copy of the picture with everything on it.

    Args:
        image: (H, W, 3) BGR, left as it is.
        labels: Boxes with words.
        detections: Their soles and heads are marked.
        hands: Boxes of hands.
        calibration: For facings and the grid.
        grid: Lines every 100 mm over the table, as far as it is known.
    """
    canvas = image.copy()
    unit = max(1.0, max(image.shape[:2]) / 960)
    if grid and calibration is not None:
        _grid(canvas, calibration, unit)
    for hand in hands:
        _box(canvas, hand.box_px, HAND, unit)
        _words(canvas, f"hand {hand.score:.2f}", hand.box_px, HAND, unit)
    for label in labels:
        _box(canvas, label.box_px, label.colour, unit)
        if calibration is not None:
            _facing(canvas, label, calibration, unit)
    for detection in detections:
        _keypoints(canvas, detection, unit)
    for label in labels:
        _words(canvas, label.text, label.box_px, label.colour, unit)
    return canvas


def detection_labels(
    detections: Sequence[Detection], states: Sequence[str] | None = None
) -> list[Label]:
    """Labels for plain detections: score, and the state where it is not standing."""
    labels = []
    for at, detection in enumerate(detections):
        state = states[at] if states is not None else "standing"
        words = f"{detection.score:.2f}" + ("" if state == "standing" else f" {state}")
        labels.append(Label(detection.box_px, words))
    return labels


def _line(canvas: Image, a: PointPx, b: PointPx, colour: Colour, unit: float) -> None:
    """A light line on a darker, wider one, so that it shows on any ground."""
    scale = 1 << SUBPIXEL_BITS
    ends = [(round(x * scale), round(y * scale)) for x, y in (a, b)]
    for shade, width in ((DARK, 3 * unit), (colour, 1.3 * unit)):
        cv2.line(canvas, ends[0], ends[1], shade, max(1, round(width)), cv2.LINE_AA, SUBPIXEL_BITS)


def _box(canvas: Image, box: BoxPx, colour: Colour, unit: float) -> None:
    x0, y0, x1, y1 = (round(edge) for edge in box)
    for shade, width in ((DARK, 3 * unit), (colour, 1.3 * unit)):
        cv2.rectangle(canvas, (x0, y0), (x1 - 1, y1 - 1), shade, max(1, round(width)))


def _words(canvas: Image, text: str, box: BoxPx, colour: Colour, unit: float) -> None:
    """Words above the box, or inside it at the upper edge of the picture."""
    if not text:
        return
    size = 0.42 * unit
    (width, height), below = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    x = int(min(max(box[0], 2), max(canvas.shape[1] - width - 2, 2)))
    y = int(box[1] - 4 * unit)
    if y - height < 0:
        y = int(box[1] + height + 4 * unit)
    y = min(y, canvas.shape[0] - below - 1)
    for shade, weight in ((DARK, 3.2 * unit), (LIGHT, 1.1 * unit)):
        cv2.putText(
            canvas,
            text,
            (x, y),
            cv2.FONT_HERSHEY_SIMPLEX,
            size,
            shade,
            max(1, round(weight)),
            cv2.LINE_AA,
        )
    start = (float(x), float(y + below))
    _line(canvas, start, (start[0] + width, start[1]), colour, unit * 0.7)


def _dot(canvas: Image, at: PointPx, colour: Colour, unit: float) -> None:
    scale = 1 << SUBPIXEL_BITS
    centre = (round(at[0] * scale), round(at[1] * scale))
    for shade, radius in ((DARK, 3.0 * unit), (colour, 2.0 * unit)):
        cv2.circle(canvas, centre, round(radius * scale), shade, -1, cv2.LINE_AA, SUBPIXEL_BITS)


def _keypoints(canvas: Image, detection: Detection, unit: float) -> None:
    if detection.soles_px is not None:
        for sole, colour in zip(detection.soles_px, (LEFT_SOLE, RIGHT_SOLE), strict=True):
            _dot(canvas, sole, colour, unit)
    if detection.head_px is not None:
        _dot(canvas, detection.head_px, HEAD, unit)


def _facing(canvas: Image, label: Label, calibration: Calibration, unit: float) -> None:
    """A line of 25 mm from the base's centre the way the figure looks."""
    if label.position_mm is None or label.facing_deg is None:
        return
    turn = np.radians(label.facing_deg)
    start = np.array(label.position_mm)
    ends = np.array([start, start + 25.0 * np.array([np.cos(turn), np.sin(turn)])])
    px = calibration.to_image(ends)
    if np.isfinite(px).all():
        (ax, ay), (bx, by) = px
        _line(canvas, (float(ax), float(ay)), (float(bx), float(by)), label.colour, unit)


def _grid(canvas: Image, calibration: Calibration, unit: float) -> None:
    corners = _table_corners(calibration)
    if corners is None:
        return
    low, high = corners
    for axis in range(2):
        for at in np.arange(np.ceil(low[axis] / GRID_STEP_MM), high[axis] / GRID_STEP_MM + 1e-9):
            along = np.linspace(low[1 - axis], high[1 - axis], 33)
            fixed = np.full_like(along, at * GRID_STEP_MM)
            line = np.stack([fixed, along] if axis == 0 else [along, fixed], axis=1)
            _curve(canvas, calibration.to_image(line), unit)


def _curve(canvas: Image, px: NDArray[np.float64], unit: float) -> None:
    scale = 1 << SUBPIXEL_BITS
    far = 20.0 * max(canvas.shape[:2])
    good = px[np.isfinite(px).all(axis=1) & (np.abs(px) < far).all(axis=1)]
    if len(good) > 1:
        points = np.round(good * scale).astype(np.int32).reshape(-1, 1, 2)
        for shade, width in ((DARK, 2 * unit), (GRID, 0.7 * unit)):
            weight = max(1, round(width))
            cv2.polylines(canvas, [points], False, shade, weight, cv2.LINE_AA, SUBPIXEL_BITS)


def _table_corners(
    calibration: Calibration,
) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """Lowest and highest x and y of the known table."""
    if calibration.size_mm is not None:
        return np.zeros(2), np.array(calibration.size_mm)
    if len(calibration.outline_px) < 3:
        return None
    places = calibration.to_table(calibration.outline_px)
    places = places[np.isfinite(places).all(axis=1)]
    return (places.min(axis=0), places.max(axis=0)) if len(places) else None
