"""Four-sided shapes of a picture that may be a sheet."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.sheet_lines import stroke_shapes

Floats = NDArray[np.float64]

SEARCH_SIDE_PX = 900
LEAST_AREA = 0.005
"""Of the picture; a smaller shape gives no calibration worth having."""

MOST_AREA = 0.9
LEVELS = 14
ALIKE = 0.008
"""Corners nearer than this part of the picture's width are the same shape."""


def four_corners(outline: Floats) -> Floats | None:
    """The four-sided shape round an outline with the least to add.

    Sides are dropped one after another and their neighbours prolonged until four are left, so
    that rounded or covered corners come out where the edges would meet.

    Args:
        outline: (N, 2).

    Returns:
        (4, 2) in order round the shape; None where no such shape goes round it.
    """
    reach = float(np.hypot(*(outline.max(axis=0) - outline.min(axis=0))))
    shape = cv2.approxPolyDP(cv2.convexHull(outline.astype(np.float32)), 0.004 * reach, True)
    corners = [np.array(corner, dtype=np.float64) for corner in shape.reshape(-1, 2)]
    while len(corners) > 4:
        best: tuple[float, int, Floats] | None = None
        for index in range(len(corners)):
            before, start = corners[index - 1], corners[index]
            end, after = (corners[(index + step) % len(corners)] for step in (1, 2))
            meet = _meet(before, start, end, after)
            if meet is None:
                continue
            added = abs(_cross(start - end, meet - end)) / 2
            if best is None or added < best[0]:
                best = (added, index, meet)
        if best is None:
            return None
        _, index, meet = best
        corners[index] = meet
        del corners[(index + 1) % len(corners)]
    return np.array(corners) if len(corners) == 4 else None


def _cross(a: Floats, b: Floats) -> float:
    return float(a[0] * b[1] - a[1] * b[0])


def _meet(before: Floats, start: Floats, end: Floats, after: Floats) -> Floats | None:
    """Where two sides meet beyond the one between them."""
    first, second = start - before, end - after
    turn = _cross(first, second)
    if abs(turn) < 1e-9:
        return None
    along = _cross(end - start, second) / turn
    back = _cross(end - start, first) / turn
    if along < 0 or back < 0:
        return None
    return np.asarray(start + along * first)


def _channels(image: NDArray[np.uint8]) -> list[NDArray[np.uint8]]:
    """Pictures in which a sheet may stand out, (H, W) each."""
    smooth = cv2.GaussianBlur(image, (0, 0), 1.2)
    lab = cv2.cvtColor(smooth, cv2.COLOR_BGR2LAB)
    spread = smooth.max(axis=2).astype(np.int16) - smooth.min(axis=2)
    white = np.clip(lab[:, :, 0].astype(np.int16) - spread, 0, 255).astype(np.uint8)
    return [lab[:, :, 0], white, lab[:, :, 1], lab[:, :, 2]]


def _outlines(image: NDArray[np.uint8]) -> list[Floats]:
    """Outlines of everything that is apart from its surroundings."""
    found: list[Floats] = []
    area = image.shape[0] * image.shape[1]

    def gather(mask: NDArray[np.uint8]) -> None:
        contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        for contour in contours:
            size = cv2.contourArea(contour)
            if LEAST_AREA * area < size < MOST_AREA * area and len(contour) >= 4:
                found.append(contour.reshape(-1, 2).astype(np.float64))

    kernel = np.ones((3, 3), np.uint8)
    for channel in _channels(image):
        low, high = np.percentile(channel, [1, 99])
        if high - low < 6:
            continue
        edges = np.linspace(low, high, LEVELS + 2)[1:-1]
        otsu, _ = cv2.threshold(channel, 0, 255, cv2.THRESH_OTSU)
        for level in [*edges, otsu]:
            mask = (channel > level).astype(np.uint8)
            gather(mask)
            opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel, iterations=2)
            gather(np.asarray(opened, dtype=np.uint8))
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    for high in (20, 45, 90):
        lines = cv2.Canny(cv2.GaussianBlur(gray, (0, 0), 1.2), high // 2, high)
        thick = np.asarray(cv2.dilate(lines, kernel), dtype=np.uint8)
        gather(thick)
        gather(np.asarray(thick == 0, dtype=np.uint8))
    return found


def _plain(corners: Floats, outline: Floats) -> bool:
    """Whether a shape is convex, no sliver, and close round its outline."""
    sides = np.roll(corners, -1, axis=0) - corners
    lengths = np.hypot(*sides.T)
    turns = [_cross(a, b) for a, b in pairwise([*sides, sides[0]])]
    if min(turns) * max(turns) <= 0 or lengths.min() < 12 or lengths.min() < lengths.max() / 12:
        return False
    shape = corners.astype(np.float32)
    hull = cv2.contourArea(cv2.convexHull(outline.astype(np.float32)))
    area = abs(cv2.contourArea(shape))
    return bool(hull > 0.85 * area and cv2.contourArea(outline.astype(np.float32)) > 0.5 * area)


def find_shapes(image: NDArray[np.uint8]) -> list[Floats]:
    """Four-sided shapes, those seen in most ways first.

    Args:
        image: (H, W, 3) BGR.

    Returns:
        Corners in original pixels, (4, 2) each, from the one nearest the picture's bottom left
        counter-clockwise.
    """
    scale = min(1.0, SEARCH_SIDE_PX / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    counts: list[int] = []
    middles = np.zeros((0, 4, 2))
    near = ALIKE * small.shape[1]
    shapes = []
    for outline in _outlines(np.asarray(small, dtype=np.uint8)):
        whole = four_corners(outline)
        if whole is not None and _plain(whole, outline):
            shapes.append(whole)
    gray = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    for corners in [*shapes, *stroke_shapes(gray)]:
        sides = np.roll(corners, -1, axis=0) - corners
        if _cross(sides[0], sides[1]) > 0:
            corners = corners[::-1]
        first = int(np.argmin(corners[:, 0] - corners[:, 1]))
        corners = np.roll(corners, -first, axis=0)
        turns = np.stack([np.roll(corners, turn, axis=0) for turn in range(4)])
        apart = np.linalg.norm(turns[None] - middles[:, None], axis=3).max(axis=2).min(axis=1)
        alike = np.flatnonzero(apart < near)
        if len(alike):
            counts[alike[0]] += 1
        else:
            counts.append(1)
            middles = np.concatenate([middles, corners[None]])
    order = np.argsort(-np.array(counts), kind="stable")
    return [(middles[index] + 0.5) / scale - 0.5 for index in order]
