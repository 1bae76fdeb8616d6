"""A hand in a single picture: skin that comes in over the picture's border."""

from __future__ import annotations

import cv2
import numpy as np

from vision.frames import Image
from vision.skin import Mask

MAX_SHARE = 0.25
"""Skin on more of the picture than this is no skin."""
MAX_SIDE_SHARE = 0.45
"""An arm crosses at most this share of one side of the picture; a wooden table more."""
MIN_SOLIDITY = 0.4
MIN_REACH = 0.8
"""It reaches into the picture at least this share of its width at the border."""
MIN_CONTRAST = 14.0
"""Colour distance (Lab) over its outline ..."""
MIN_CONTRAST_SHARE = 0.75
"""... on at least this share of it ..."""
ACROSS_PX = 4.0
"""... this far inside and outside."""


def entering_skin(small: Image, colour: Mask, min_area: float) -> list[Mask]:
    """Parts of one picture that look like an arm.

    Args:
        small: (h, w, 3) BGR.
        colour: Skin in it, (h, w).
        min_area: Smallest area in pixels.

    Returns:
        A mask for each.
    """
    lab = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2Lab), dtype=np.uint8)
    if cv2.countNonZero(colour) > MAX_SHARE * colour.size:
        return []  # a wooden table: here the colour says nothing
    opened = cv2.morphologyEx(colour, cv2.MORPH_OPEN, _disc(3))
    solid = cv2.morphologyEx(opened, cv2.MORPH_CLOSE, _disc(5))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(solid, connectivity=8)
    found: list[Mask] = []
    for index in range(1, count):
        area = int(stats[index, cv2.CC_STAT_AREA])
        if area >= min_area:
            mask = ((labels == index) * np.uint8(255)).astype(np.uint8)
            if _is_arm(mask, area) and _stands_out(mask, lab):
                found.append(mask)
    return found


def _disc(size: int) -> Mask:
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), dtype=np.uint8)


def _is_arm(mask: Mask, area: int) -> bool:
    """Whether it enters over one stretch of the border and reaches inwards."""
    rim = np.concatenate([mask[0], mask[1:, -1], mask[-1, -2::-1], mask[-2:0:-1, 0]]) > 0
    border = int(np.count_nonzero(rim))
    sides = [np.mean(side > 0) for side in (mask[0], mask[:, -1], mask[-1], mask[:, 0])]
    if border == 0 or max(sides) > MAX_SIDE_SHARE:
        return False
    if (sides[0] and sides[2]) or (sides[1] and sides[3]):
        return False  # from one side to the other: a board, a rug
    runs = int(np.count_nonzero(rim & ~np.roll(rim, 1)))
    _, _, across, down = cv2.boundingRect(mask)
    reach = max(across, down)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    hull = cv2.contourArea(cv2.convexHull(contours[0]))
    return runs <= 3 and reach >= MIN_REACH * border and area >= MIN_SOLIDITY * hull


def _stands_out(mask: Mask, lab: Image) -> bool:
    """Whether it has another colour than what lies across its outline, nearly all along."""
    height, width = mask.shape
    blurred = cv2.GaussianBlur(mask, (0, 0), 2.0)
    normal_x = cv2.Sobel(blurred, cv2.CV_32F, 1, 0)
    normal_y = cv2.Sobel(blurred, cv2.CV_32F, 0, 1)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outline = max(contours, key=len)[:, 0]
    x, y = outline[:, 0], outline[:, 1]
    inner = (x > 4) & (y > 4) & (x < width - 5) & (y < height - 5)
    x, y = x[inner], y[inner]
    if len(x) < 10:
        return False
    across = np.stack([normal_x[y, x], normal_y[y, x]], axis=1)
    across *= ACROSS_PX / np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-6)
    here = np.stack([x, y], axis=1).astype(np.float32)
    smooth = cv2.blur(lab, (3, 3)).astype(np.float32)
    tones = []
    for places in (here + across, here - across):
        column = np.clip(np.rint(places[:, 0]), 0, width - 1).astype(int)
        row = np.clip(np.rint(places[:, 1]), 0, height - 1).astype(int)
        tones.append(smooth[row, column])
    apart = np.linalg.norm(tones[0] - tones[1], axis=1) >= MIN_CONTRAST
    return bool(np.mean(apart) >= MIN_CONTRAST_SHARE)
