"""Paste cut-out figures onto backgrounds at table size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.training.backgrounds import background, clutter
from vision.training.labels import Labels, boxes_only, no_labels
from vision.training.pictures import blurred, compressed

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    Picture = NDArray[np.uint8]
    Plane = NDArray[np.float32]

HEIGHT_PX = (14.0, 250.0)
"""Heights of pasted figures, drawn evenly in the logarithm."""

LEAST_SEEN = 0.4
"""Figures of which less is left after others cover them are painted over, not labelled."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A cutout resized, turned and at its place.

    Attributes:
        colour: (h, w, 3) float32 BGR.
        alpha: (h, w) float32 0..1.
        x: column of its left edge in the picture, may be negative.
        y: row of its upper edge.
    """

    colour: Plane
    alpha: Plane
    x: int
    y: int

    def window(self, height: int, width: int) -> tuple[slice, slice, slice, slice]:
        """Return rows and columns in the picture, then rows and columns in the cutout."""
        h, w = self.alpha.shape
        y0, x0 = max(0, self.y), max(0, self.x)
        y1, x1 = max(y0, min(height, self.y + h)), max(x0, min(width, self.x + w))
        return (
            slice(y0, y1),
            slice(x0, x1),
            slice(y0 - self.y, y1 - self.y),
            slice(x0 - self.x, x1 - self.x),
        )


def shape_cutout(
    rng: Generator, colour: Picture, alpha: Picture, height_px: float
) -> tuple[Plane, Plane]:
    """Resize, squash, turn, mirror and recolour a cutout to a height.

    Args:
        rng: source of randomness.
        colour: (H, W, 3) uint8 BGR.
        alpha: (H, W) uint8.
        height_px: height of the figure before it is turned.

    Returns:
        Colour (h, w, 3) and alpha (h, w), float32, cropped to the figure.
    """
    aspect = rng.uniform(0.8, 1.25)
    scale = height_px / alpha.shape[0]
    size = (max(4, round(alpha.shape[1] * scale * aspect)), max(6, round(height_px)))
    # Colour is spread under the mask's edge first, so that shrinking mixes in no background.
    premultiplied = colour.astype(np.float32) * (alpha[..., None] / np.float32(255))
    small = cv2.resize(premultiplied, size, interpolation=cv2.INTER_AREA)
    mask = cv2.resize(alpha.astype(np.float32) / 255, size, interpolation=cv2.INTER_AREA)
    if rng.random() < 0.5:
        small, mask = small[:, ::-1], mask[:, ::-1]
    angle = float(rng.normal(0, 5)) if rng.random() < 0.9 else float(rng.uniform(-15, 15))
    pad = int(0.3 * max(size)) + 2
    framed = cv2.copyMakeBorder(
        np.dstack([small, mask]), pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=(0, 0, 0, 0)
    )
    h, w = framed.shape[:2]
    turn = cv2.getRotationMatrix2D((w / 2, h / 2), angle, 1.0)
    framed = np.asarray(cv2.warpAffine(framed, turn, (w, h)), np.float32)
    mask = framed[..., 3]
    rows, columns = np.where(mask > 0.3)
    if rows.size == 0:
        rows, columns = np.array([pad]), np.array([pad])
    cut = np.s_[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
    mask = np.ascontiguousarray(mask[cut])
    tint = framed[..., :3][cut] / np.maximum(mask, 0.02)[..., None]
    grey = tint.mean(axis=2, keepdims=True)
    tint = grey + (tint - grey) * rng.uniform(0.5, 1.3)
    tint = tint * rng.uniform(0.55, 1.3) * rng.uniform(0.92, 1.08, 3) + rng.uniform(-12, 12)
    if rng.random() < 0.15:  # another team's colours
        hsv = cv2.cvtColor(np.clip(tint, 0, 255).astype(np.uint8), cv2.COLOR_BGR2HSV)
        hsv[..., 0] = (hsv[..., 0].astype(np.int32) + int(rng.integers(180))) % 180
        tint = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR).astype(np.float32)
    return np.asarray(tint, np.float32), np.asarray(np.clip(mask, 0, 1), np.float32)


def _stain(plane: Plane, mask: Plane, x: int, y: int, strength: float) -> None:
    """Darken the picture under a mask laid at (x, y)."""
    cover = Placed(np.zeros((*mask.shape, 3), np.float32), mask, x, y)
    rows, columns, own_rows, own_columns = cover.window(*plane.shape[:2])
    plane[rows, columns] *= 1 - strength * mask[own_rows, own_columns][..., None]


def shadow(rng: Generator, plane: Plane, placed: Placed) -> None:
    """Cast a soft shadow of the figure on the table and darken the line where it stands."""
    h, w = placed.alpha.shape
    lean, flat = rng.uniform(-1.0, 1.0), rng.uniform(0.2, 0.7)
    reach = int(abs(lean) * h) + w
    shear = np.array([[1, -lean, lean * h + (reach if lean < 0 else 0)], [0, flat, 0]], np.float32)
    shift = reach if lean < 0 else 0
    tall = max(2, int(flat * h) + 2)
    cast = np.asarray(cv2.warpAffine(placed.alpha, shear, (w + 2 * reach, tall)), np.float32)
    cast = blurred(cast, max(0.6, 0.05 * h))
    _stain(plane, cast, placed.x - shift, placed.y + h - tall, rng.uniform(0.15, 0.6))
    foot = np.zeros((max(3, h // 7), w + 4), np.float32)
    cv2.ellipse(
        foot,
        (foot.shape[1] // 2, foot.shape[0] // 2),
        (max(1, int(w * 0.4)), max(1, foot.shape[0] // 3)),
        0,
        0,
        360,
        1.0,
        -1,
    )
    foot = blurred(foot, max(0.6, 0.03 * h))
    _stain(plane, foot, placed.x - 2, placed.y + h - foot.shape[0] // 2, rng.uniform(0.2, 0.7))


def reflection(rng: Generator, plane: Plane, placed: Placed) -> None:
    """Mirror the figure in a polished table."""
    flipped = np.ascontiguousarray(placed.colour[::-1])
    fade = np.linspace(rng.uniform(0.15, 0.45), 0, placed.alpha.shape[0], dtype=np.float32)
    mask = placed.alpha[::-1] * fade[:, None]
    blur = max(0.5, 0.02 * placed.alpha.shape[0])
    mask = blurred(np.ascontiguousarray(mask), blur)
    paste(plane, Placed(flipped, mask, placed.x, placed.y + placed.alpha.shape[0] - 1))


def paste(plane: Plane, placed: Placed) -> None:
    """Blend a placed cutout into the picture."""
    rows, columns, own_rows, own_columns = placed.window(*plane.shape[:2])
    mask = placed.alpha[own_rows, own_columns][..., None]
    plane[rows, columns] = plane[rows, columns] * (1 - mask) + (
        placed.colour[own_rows, own_columns] * mask
    )


def tight_box(placed: Placed, height: int, width: int) -> NDArray[np.float32] | None:
    """Return the box of the part of a figure inside the picture, or None below 40 percent."""
    rows, columns, own_rows, own_columns = placed.window(height, width)
    inside = placed.alpha[own_rows, own_columns] > 0.5
    whole = int(np.count_nonzero(placed.alpha > 0.5))
    if whole == 0 or int(np.count_nonzero(inside)) < LEAST_SEEN * whole:
        return None
    ys, xs = np.where(inside)
    return np.array(
        [
            columns.start + xs.min(),
            rows.start + ys.min(),
            columns.start + xs.max() + 1,
            rows.start + ys.max() + 1,
        ],
        np.float32,
    )


def compose(
    rng: Generator,
    cutouts: list[tuple[Picture, Picture]],
    photos: list[Picture],
    height: int,
    width: int,
    most: int = 12,
) -> tuple[Picture, Labels]:
    """Make one picture of pasted figures.

    Args:
        rng: source of randomness.
        cutouts: colour and alpha of the figures at hand.
        photos: backgrounds without figures.
        height: rows of the picture.
        width: columns of the picture.
        most: most figures in it; about one picture in eight has none.

    Returns:
        The (height, width, 3) uint8 BGR picture and its boxes.
    """
    plane = background(rng, height, width, photos)
    count = 0 if rng.random() < 0.12 else int(rng.integers(1, most + 1))
    low, high = HEIGHT_PX
    crowd = float(np.exp(rng.uniform(np.log(low), np.log(high))))
    placed: list[Placed] = []
    owners = np.full((height, width), -1, np.int32)
    for _ in range(count):
        tall = float(np.clip(crowd * np.exp(rng.normal(0, 0.35)), low, min(high, 0.95 * height)))
        colour, alpha = cutouts[int(rng.integers(len(cutouts)))]
        tint, mask = shape_cutout(rng, colour, alpha, tall)
        h, w = mask.shape
        x = int(rng.uniform(-0.3 * w, width - 0.7 * w))
        foot = rng.uniform(0.75 * h, height + 0.25 * h)
        placed.append(Placed(tint, mask, x, int(foot - h)))
    placed.sort(key=lambda figure: figure.y + figure.alpha.shape[0])
    for index, figure in enumerate(placed):
        if rng.random() < 0.3:
            reflection(rng, plane, figure)
        if rng.random() < 0.85:
            shadow(rng, plane, figure)
        paste(plane, figure)
        rows, columns, own_rows, own_columns = figure.window(height, width)
        owners[rows, columns][figure.alpha[own_rows, own_columns] > 0.5] = index
        if rng.random() < 0.2:  # something in front of the figure
            before = plane.copy()
            clutter_near(rng, plane, figure)
            owners[np.abs(plane - before).max(axis=2) > 1] = -1
    boxes: list[NDArray[np.float32]] = []
    for index, figure in enumerate(placed):
        box = tight_box(figure, height, width)
        seen = int(np.count_nonzero(owners == index))
        whole = int(np.count_nonzero(figure.alpha > 0.5))
        if box is not None and seen >= LEAST_SEEN * whole:
            boxes.append(box)
        elif seen:  # too little to be called a figure: leave nothing that looks like one
            smear = blurred(plane, max(2.0, 0.3 * figure.alpha.shape[1]))
            plane[owners == index] = smear[owners == index]
    labels = boxes_only(np.array(boxes, np.float32)) if boxes else no_labels()
    return camera(rng, plane), labels


def clutter_near(rng: Generator, plane: Plane, figure: Placed) -> None:
    """Put one painted thing over the edge of a figure."""
    height, width = plane.shape[:2]
    h, w = figure.alpha.shape
    y0 = max(0, figure.y + int(h * rng.uniform(0.35, 0.8)))
    x0 = max(0, figure.x + int(w * rng.uniform(-0.5, 0.8)))
    y1, x1 = min(height, y0 + max(4, h // 2)), min(width, x0 + max(4, w))
    if y1 - y0 > 3 and x1 - x0 > 3:
        patch = np.ascontiguousarray(plane[y0:y1, x0:x1])
        clutter(rng, patch, 1)
        plane[y0:y1, x0:x1] = patch


def camera(rng: Generator, plane: Plane) -> Picture:
    """Turn a drawn plane into what a camera gives: blur, noise, compression."""
    picture = plane
    if rng.random() < 0.7:
        picture = blurred(picture, float(rng.uniform(0.3, 1.1)))
    if rng.random() < 0.8:
        grain = rng.normal(0, rng.uniform(1, 9), picture.shape)
        picture = picture + grain.astype(np.float32)
    image = np.asarray(np.clip(picture, 0, 255), np.uint8)
    return compressed(image, int(rng.integers(45, 95))) if rng.random() < 0.7 else image
