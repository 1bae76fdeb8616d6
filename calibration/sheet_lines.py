"""Four-sided shapes made of straight strokes: sheets whose outline is broken by what covers it."""

from __future__ import annotations

from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MOST_LINES = 26
BINS = 256
LEAST_COVER = 0.4
"""Of every side so much must be stroke."""

MOST_SHAPES = 16


def _strokes(gray: NDArray[np.uint8]) -> Floats:
    """Straight strokes, (N, 4) as x0, y0, x1, y1, longest first."""
    finder = cv2.createLineSegmentDetector(cv2.LSD_REFINE_STD)
    found = finder.detect(cv2.GaussianBlur(gray, (0, 0), 0.8))[0]
    if found is None:
        return np.zeros((0, 4))
    strokes = found.reshape(-1, 4).astype(np.float64)
    length = np.hypot(strokes[:, 2] - strokes[:, 0], strokes[:, 3] - strokes[:, 1])
    order = np.argsort(-length)
    return np.asarray(strokes[order][length[order] > 0.012 * max(gray.shape)][:400])


def _merge(strokes: Floats, size: tuple[int, int]) -> tuple[Floats, Floats]:
    """Strokes of one line together.

    Args:
        strokes: (N, 4), longest first.
        size: Width and height of the picture.

    Returns:
        Lines, (M, 4) as point and direction, and how much of each is covered up to every bin of
        the picture's diagonal either way, (M, BINS + 1) in px.
    """
    reach = float(np.hypot(*size))
    lines: list[tuple[Floats, Floats, list[tuple[float, float]]]] = []
    points, ways = np.zeros_like(strokes[:, :2]), np.zeros_like(strokes[:, :2])
    spans: list[float] = []
    for x0, y0, x1, y1 in strokes:
        start, end = np.array([x0, y0]), np.array([x1, y1])
        count = len(lines)
        to_start, to_end, way = start - points[:count], end - points[:count], ways[:count]
        off = np.maximum(
            np.abs(to_start[:, 1] * way[:, 0] - to_start[:, 0] * way[:, 1]),
            np.abs(to_end[:, 1] * way[:, 0] - to_end[:, 0] * way[:, 1]),
        )
        ends = (to_start * way).sum(axis=1), (to_end * way).sum(axis=1)
        near, far = np.minimum(*ends), np.maximum(*ends)
        apart = np.maximum(0.0, np.maximum(near - np.array(spans), -far))
        same = np.flatnonzero(off < 1.5 + 0.012 * apart)
        if len(same):
            first = int(same[0])
            lines[first][2].append((float(near[first]), float(far[first])))
            continue
        span = float(np.hypot(*(end - start)))
        points[count], ways[count] = start, (end - start) / span
        spans.append(span)
        lines.append((start, ways[count].copy(), [(0.0, span)]))
    lines.sort(key=lambda line: -sum(high - low for low, high in line[2]))
    lines = lines[:MOST_LINES]
    covered = np.zeros((len(lines), BINS + 1))
    edges = np.linspace(-reach, reach, BINS + 1)
    for index, (_, _, parts) in enumerate(lines):
        fine = np.zeros(8 * BINS)
        for low, high in parts:
            a, b = ((np.array([low, high]) + reach) / (2 * reach) * 8 * BINS).astype(int)
            fine[max(a, 0) : b + 1] = 1
        total = np.concatenate([[0.0], np.cumsum(fine)]) * 2 * reach / (8 * BINS)
        covered[index] = np.interp(edges, np.linspace(-reach, reach, 8 * BINS + 1), total)
    return np.array([[*point, *way] for point, way, _ in lines]).reshape(-1, 4), covered


def straight_lines(gray: NDArray[np.uint8], count: int) -> Floats:
    """The longest straight lines of a picture.

    Args:
        gray: (H, W).
        count: How many at most.

    Returns:
        (N, 6): a point, the direction, and where along it the first and last stroke lie.
    """
    height, width = gray.shape
    strokes = _strokes(gray)
    if not len(strokes):
        return np.zeros((0, 6))
    lines, covered = _merge(strokes, (width, height))
    reach = float(np.hypot(width, height))
    edges = np.linspace(-reach, reach, BINS + 1)
    found = []
    for line, total in zip(lines[:count], covered, strict=False):
        inside = np.flatnonzero(np.diff(total) > 0)
        found.append([*line, edges[inside[0]], edges[inside[-1] + 1]])
    return np.array(found)


def stroke_shapes(gray: NDArray[np.uint8]) -> list[Floats]:
    """Shapes whose four sides are mostly strokes.

    Args:
        gray: (H, W).

    Returns:
        Corners in order round each shape, (4, 2) each, those with the most stroke first.
    """
    height, width = gray.shape
    strokes = _strokes(gray)
    if len(strokes) < 4:
        return []
    lines, covered = _merge(strokes, (width, height))
    count = len(lines)
    if count < 4:
        return []
    quads = np.array(list(combinations(range(count), 4)))
    turn = np.arctan2(lines[:, 3], lines[:, 2]) % np.pi
    quads = np.take_along_axis(quads, np.argsort(turn[quads], axis=1), axis=1)
    # By angle the first two lines are one pair of opposite sides and the last two the other,
    # or the inner two and the outer two.
    quads = np.concatenate([quads[:, [0, 2, 1, 3]], quads[:, [1, 0, 2, 3]]])
    corners = np.stack(
        [_meet(lines[quads[:, side - 1]], lines[quads[:, side]]) for side in range(4)], axis=1
    )
    sides = np.roll(corners, -1, axis=1) - corners
    crosses = np.stack(
        [
            sides[:, side, 0] * sides[:, (side + 1) % 4, 1]
            - sides[:, side, 1] * sides[:, (side + 1) % 4, 0]
            for side in range(4)
        ],
        axis=1,
    )
    good = np.isfinite(corners).all(axis=(1, 2))
    good &= (crosses.min(axis=1) > 0) | (crosses.max(axis=1) < 0)
    margin = 0.02 * width
    good &= (corners > -margin).all(axis=(1, 2))
    good &= (corners < np.array([width, height]) + margin).all(axis=(1, 2))
    lengths = np.hypot(sides[:, :, 0], sides[:, :, 1])
    good &= lengths.min(axis=1) > 0.03 * width
    quads, corners, lengths = quads[good], corners[good], lengths[good]
    if not len(quads):
        return []
    cover = np.stack(
        [
            _cover(
                lines,
                covered,
                quads[:, side],
                (corners[:, side], corners[:, (side + 1) % 4]),
                float(np.hypot(width, height)),
            )
            for side in range(4)
        ],
        axis=1,
    ) / np.maximum(lengths, 1e-9)
    least = cover.min(axis=1)
    score = cover.mean(axis=1) * np.sqrt(lengths.sum(axis=1))
    order = np.argsort(-np.where(least > LEAST_COVER, score, -1))
    return [corners[index] for index in order[:MOST_SHAPES] if least[index] > LEAST_COVER]


def _meet(first: Floats, second: Floats) -> Floats:
    """Where lines meet, (N, 2), NaN where they are nearly parallel."""
    turn = first[:, 2] * second[:, 3] - first[:, 3] * second[:, 2]
    gap = second[:, :2] - first[:, :2]
    with np.errstate(divide="ignore", invalid="ignore"):
        along = (gap[:, 0] * second[:, 3] - gap[:, 1] * second[:, 2]) / turn
    places = first[:, :2] + along[:, None] * first[:, 2:]
    places[np.abs(turn) < 0.05] = np.nan
    return np.asarray(places)


def _cover(
    lines: Floats,
    covered: Floats,
    which: NDArray[np.int64],
    ends: tuple[Floats, Floats],
    reach: float,
) -> Floats:
    """Length of stroke between two points of lines, (N,) px."""
    line = lines[which]
    values = []
    for place in ends:
        along = ((place - line[:, :2]) * line[:, 2:]).sum(axis=1)
        at = np.clip((along + reach) / (2 * reach) * BINS, 0, BINS - 1e-6)
        low = at.astype(int)
        part = at - low
        values.append(covered[which, low] * (1 - part) + covered[which, low + 1] * part)
    return np.asarray(np.abs(values[1] - values[0]))
