"""One training view: a 320 px window of a picture at a random scale, turned and recoloured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.families import KINDS
from vision.training.film import filmed
from vision.training.labels import Labels, mirror
from vision.training.pictures import blurred, compressed

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    Picture = NDArray[np.uint8]

SIZE_PX = 320
LEAST_INSIDE = 0.4
"""A figure with less of its box inside the view is not labelled."""
LEAST_HAND_INSIDE = 0.15
"""The same for a hand with its arm, of which any part is a hand still."""
LEAST_TALL_PX = 11.0
PADDING_GREY = 114


@dataclass(frozen=True, slots=True)
class Warp:
    """A view's affine map.

    Attributes:
        view_A_image: (2, 3) float64, picture pixels to view pixels (edge-based coordinates).
        scale: (x, y) pixels of the view per pixel of the picture.
        turn_deg: clockwise turn as seen in the picture.
    """

    view_A_image: NDArray[np.float64]
    scale: tuple[float, float]
    turn_deg: float


def choose_warp(
    rng: Generator,
    labels: Labels,
    width: int,
    height: int,
    scale: tuple[float, float],
    turn_deg: float,
    kind: int | None = None,
) -> Warp:
    """Place the view on the picture: mostly over some figure, sometimes anywhere.

    Args:
        rng: source of randomness.
        labels: the picture's figures.
        width: the picture's width in pixels.
        height: its height.
        scale: (x, y) magnification.
        turn_deg: turn about the view's centre.
        kind: the kind to look at, one that is there; None for any.

    Returns:
        The map; the view stays on the picture as far as the picture is large enough.
    """
    sx, sy = scale
    wide, tall = SIZE_PX / sx, SIZE_PX / sy
    if len(labels) and rng.random() < 0.85:
        # The kind first: one horse among twenty figures is looked at as often as all of them.
        if kind is None:
            kind = int(rng.choice(np.unique(labels.kinds)))
        box = labels.boxes[int(rng.choice(np.flatnonzero(labels.kinds == kind)))]
        x = float(box[0] + box[2]) / 2 + rng.uniform(-0.42, 0.42) * wide
        y = float(box[1] + box[3]) / 2 + rng.uniform(-0.42, 0.42) * tall
    else:
        x, y = rng.uniform(0, width), rng.uniform(0, height)
    x = np.clip(x, wide / 2, width - wide / 2) if width > wide else width / 2
    y = np.clip(y, tall / 2, height - tall / 2) if height > tall else height / 2
    if width < wide:
        x += rng.uniform(-0.5, 0.5) * (wide - width)
    if height < tall:
        y += rng.uniform(-0.5, 0.5) * (tall - height)
    angle = np.deg2rad(turn_deg)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    linear = turn @ np.diag([sx, sy])
    offset = SIZE_PX / 2 - linear @ np.array([x, y])
    return Warp(np.hstack([linear, offset[:, None]]), scale, turn_deg)


def warp_labels(labels: Labels, warp: Warp) -> Labels:
    """Carry labels into a view, clip the boxes to it and drop what is mostly outside.

    A turned box is the box of the turned ellipse inside it, nearer to a figure's outline than the
    box of its turned corners.
    """
    if not len(labels):
        return labels
    linear, offset = warp.view_A_image[:, :2], warp.view_A_image[:, 2]
    centres = (labels.boxes[:, :2] + labels.boxes[:, 2:]) / 2 @ linear.T + offset
    halves = (labels.boxes[:, 2:] - labels.boxes[:, :2]) / 2
    reach = np.sqrt((halves**2) @ (linear**2).T)
    whole = np.hstack([centres - reach, centres + reach])
    clipped = np.clip(whole, 0, SIZE_PX)
    area = np.prod(whole[:, 2:] - whole[:, :2], axis=1)
    inside = np.prod(np.clip(clipped[:, 2:] - clipped[:, :2], 0, None), axis=1)
    hands = labels.kinds == KINDS.index("hand")
    least = np.where(hands, LEAST_HAND_INSIDE, LEAST_INSIDE)
    keep = (inside >= least * area) & (2 * reach[:, 1] >= LEAST_TALL_PX)
    points = labels.points.astype(np.float64)
    known = points[..., 2] > 0
    moved = points[..., :2] @ linear.T + offset
    within = ((moved >= 0) & (moved <= SIZE_PX)).all(axis=2)
    # A point outside the view is still where it is, but nobody can see it.
    seen = np.where(known, np.where(within, points[..., 2], 1), 0)
    moved = np.where(known[..., None], moved, 0)
    carried = np.concatenate([moved, seen[..., None]], axis=2)
    labels = Labels(labels.kinds, clipped.astype(np.float32), carried.astype(np.float32))
    return labels.take(keep)


def sidelight(rng: Generator) -> NDArray[np.float32]:
    """Return (320, 320, 1) factors of a light that falls off across a view.

    Up to 1.7 stops from one side to the other, and now and then the soft edge of a shadow: a lamp
    beside the table, a window, somebody who bends over it.
    """
    angle = rng.uniform(0, 2 * np.pi)
    ramp = np.linspace(-0.5, 0.5, SIZE_PX, dtype=np.float32)
    along = np.float32(np.cos(angle)) * ramp[None, :] + np.float32(np.sin(angle)) * ramp[:, None]
    stops = along * np.float32(rng.uniform(0.3, 1.7))
    if rng.random() < 0.4:
        edge, soft = rng.uniform(-0.4, 0.4), rng.uniform(0.01, 0.15)
        inside = 1 / (1 + np.exp(np.clip((edge - along) / soft, -30, 30)))
        stops = stops - np.float32(rng.uniform(0.3, 1.2)) * inside.astype(np.float32)
    return np.asarray(np.exp2(stops)[..., None], np.float32)


def recolour(rng: Generator, image: Picture) -> Picture:
    """Change a view's light, white balance, sharpness and noise."""
    hsv = cv2.cvtColor(image, cv2.COLOR_BGR2HSV).astype(np.float32)
    turn = 18 if rng.random() < 0.25 else 4
    hsv[..., 0] = (hsv[..., 0] + rng.uniform(-turn, turn)) % 180
    hsv[..., 1] *= rng.uniform(0.4, 1.5)
    hsv[..., 2] = 255 * (hsv[..., 2] / 255) ** float(np.exp(rng.normal(0, 0.25)))
    hsv[..., 2] *= rng.uniform(0.55, 1.35)
    plane = cv2.cvtColor(np.clip(hsv, 0, 255).astype(np.uint8), cv2.COLOR_HSV2BGR)
    view = np.asarray(plane, np.float32)
    if rng.random() < 0.3:
        view *= sidelight(rng)
    if rng.random() < 0.06:  # a dim room
        view *= np.float32(rng.uniform(0.35, 0.75))
    if rng.random() < 0.5:
        view *= rng.uniform(0.85, 1.15, 3).astype(np.float32)
    if rng.random() < 0.3:
        view = (view - 128) * np.float32(rng.uniform(0.5, 1.4)) + 128
    if rng.random() < 0.25:
        view = blurred(view, float(rng.uniform(0.4, 1.4)))
    if rng.random() < 0.3:
        grain = rng.standard_normal(view.shape, dtype=np.float32)
        view = view + grain * np.float32(rng.uniform(1, 9))
    out = np.asarray(np.clip(view, 0, 255), np.uint8)
    if rng.random() < 0.03:
        grey = cv2.cvtColor(out, cv2.COLOR_BGR2GRAY)
        out = np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8)
    kind = rng.random()
    if kind < 0.25:
        out = compressed(out, int(rng.integers(35, 92)))
    elif kind < 0.37:
        out = filmed(out, int(rng.integers(20, 37)))
    return out


def random_view(
    rng: Generator,
    image: Picture,
    labels: Labels,
    scale: tuple[float, float],
    kind: int | None = None,
) -> tuple[Picture, Labels]:
    """Return one augmented (320, 320, 3) view of a picture with its labels.

    Args:
        rng: source of randomness.
        image: (H, W, 3) uint8 BGR.
        labels: its figures.
        scale: (x, y) magnification.
        kind: the kind to look at, one that is there; None for any.
    """
    height, width = image.shape[:2]
    if rng.random() < 0.5:
        image, labels = np.ascontiguousarray(image[:, ::-1]), mirror(labels, width)
    turn = float(np.clip(rng.normal(0, 4), -12, 12)) if rng.random() < 0.6 else 0.0
    warp = choose_warp(rng, labels, width, height, scale, turn, kind)
    if min(scale) < 0.6:  # a warp does not average: shrink first, or small figures are aliased
        small = cv2.resize(
            image,
            (max(1, round(width * scale[0])), max(1, round(height * scale[1]))),
            interpolation=cv2.INTER_AREA,
        )
        undo = np.diag([width / small.shape[1], height / small.shape[0]])
        matrix = np.hstack([warp.view_A_image[:, :2] @ undo, warp.view_A_image[:, 2:]])
    else:
        small, matrix = image, warp.view_A_image
    # OpenCV puts whole numbers at pixel centres; labels count from the pixel's edge.
    centred = matrix.copy()
    centred[:, 2] += matrix[:, :2] @ np.array([0.5, 0.5]) - 0.5
    view = cv2.warpAffine(
        small,
        centred,
        (SIZE_PX, SIZE_PX),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=(PADDING_GREY,) * 3,
    )
    return recolour(rng, np.asarray(view, np.uint8)), warp_labels(labels, warp)
