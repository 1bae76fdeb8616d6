"""Rulers in a picture: long lines with evenly spaced strokes on one side."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.ruler_scale import LEAST_MARKS, STEP_PX, Marching, march, peaks_of
from calibration.sheet_lines import straight_lines

Floats = NDArray[np.float64]

SEARCH_SIDE_PX = 1600
LINES = 16
DEPTHS = 9
DEEPEST = 0.045
"""How far from the edge strokes are looked for, in picture widths."""

LEAST_SPACES_PX = 60.0


@dataclass(frozen=True, slots=True, eq=False)
class Strip:
    """One side of a line with strokes on it.

    Attributes:
        origin: A point of the line, original pixels, (2,).
        way: Unit direction along it, (2,).
        inward: Unit direction across, towards the strokes, (2,).
        depth_px: How far from the line they are best seen.
        marching: Their places along it.
        dark: Strokes are darker than the ruler.
        worth: How evenly and clearly they stand.
    """

    origin: Floats
    way: Floats
    inward: Floats
    depth_px: float
    marching: Marching
    dark: bool
    worth: float

    def point(self, at: Floats, depth: float) -> Floats:
        """Pixels at places along the line and a depth, (N, 2)."""
        return np.asarray(
            self.origin + at[:, None] * self.way[None, :] + depth * self.inward[None, :]
        )


def sample(
    gray: NDArray[np.float32], origin: Floats, way: Floats, across: Floats, at: Floats, depth: float
) -> Floats:
    """Brightness along a line at a depth, (N,), NaN outside the picture."""
    total = np.zeros(len(at))
    for shift in (-0.75, 0.0, 0.75):
        px = origin + at[:, None] * way + (depth + shift) * across
        total += cv2.remap(
            gray,
            px[None, :, 0].astype(np.float32),
            px[None, :, 1].astype(np.float32),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_CONSTANT,
            borderValue=(float("nan"),),
        )[0]
    return total / 3


def brightness(image: NDArray[np.uint8]) -> NDArray[np.float32]:
    """(H, W, 3) BGR as (H, W), 0 to 1."""
    gray = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.float32)
    return np.asarray(gray / np.float32(255), dtype=np.float32)


def find_strips(image: NDArray[np.uint8]) -> list[Strip]:
    """Strips of strokes, the clearest first.

    Args:
        image: (H, W, 3) BGR.

    Returns:
        Strips in original pixels, no two on the same line.
    """
    scale = min(1.0, SEARCH_SIDE_PX / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    gray = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    full = brightness(image)
    found: list[Strip] = []
    for x, y, way_x, way_y, low, high in straight_lines(gray, LINES):
        if high - low < 0.06 * max(gray.shape):
            continue
        way = np.array([way_x, way_y])
        origin = (np.array([x, y]) + 0.5) / scale - 0.5
        for sign in (1.0, -1.0):
            across = sign * np.array([-way_y, way_x])
            strip = _strip(full, origin, way, across, (low / scale, high / scale))
            if strip is not None:
                found.append(strip)
    found.sort(key=lambda strip: -strip.worth)
    kept: list[Strip] = []
    for strip in found:
        if all(_apart(strip, other) for other in kept):
            kept.append(strip)
    return kept


def _apart(first: Strip, second: Strip) -> bool:
    """Whether two strips lie on different rulers or sides."""
    turn = abs(float(first.way @ second.way))
    middle = first.point(np.array([float(np.median(first.marching.at))]), first.depth_px)[0]
    normal = np.array([-second.way[1], second.way[0]])
    off = abs(float((middle - second.origin) @ normal))
    return turn < 0.97 or off > 25 * max(1.0, second.depth_px / 20)


def _strip(
    gray: NDArray[np.float32],
    origin: Floats,
    way: Floats,
    across: Floats,
    ends: tuple[float, float],
) -> Strip | None:
    """The depth at which strokes along one side of a line stand most evenly."""
    reach = 0.35 * (ends[1] - ends[0])
    at = np.arange(ends[0] - reach, ends[1] + reach, STEP_PX)
    inside = origin + at[:, None] * way + 4.0 * across
    height, width = gray.shape
    at = at[(inside > 1).all(axis=1) & (inside < np.array([width - 2, height - 2])).all(axis=1)]
    if len(at) * STEP_PX < LEAST_SPACES_PX:
        return None
    depths = np.geomspace(2.0, max(14.0, DEEPEST * width), DEPTHS)
    found = _at_depths(gray, (origin, way, across), at, depths)
    return max(found, key=lambda strip: strip.worth, default=None)


def coarser_strips(gray: NDArray[np.float32], strip: Strip) -> list[Strip]:
    """Deeper on the same ruler, where only its longer strokes still stand.

    Args:
        gray: Brightness, (H, W).
        strip: Of its finest strokes.

    Returns:
        Marches of fewer strokes along the same line, the clearest first.
    """
    gap = float(np.median(np.diff(strip.marching.places(strip.marching.number.astype(float)))))
    gap /= max(float(np.median(np.diff(strip.marching.number))), 1.0)
    ends = strip.marching.at[0] - 2 * gap, strip.marching.at[-1] + 2 * gap
    at = np.arange(ends[0], ends[1], STEP_PX)
    depths = strip.depth_px + np.arange(0.5, 8.0, 0.5) * gap
    line = strip.origin, strip.way, strip.inward
    found = [one for one in _at_depths(gray, line, at, depths) if one.dark == strip.dark]
    return sorted(found, key=lambda one: -one.worth)


def _at_depths(
    gray: NDArray[np.float32], line: tuple[Floats, Floats, Floats], at: Floats, depths: Floats
) -> list[Strip]:
    """Even strokes at several depths beside a line, dark and light ones."""
    origin, way, across = line
    found = []
    for depth in depths:
        signal = sample(gray, origin, way, across, at, float(depth))
        good = np.isfinite(signal)
        if good.mean() < 0.5:
            continue
        signal = np.where(good, signal, np.nanmedian(signal))
        both: list[tuple[float, Strip]] = []
        for dark in (True, False):
            place, peak = peaks_of(-signal if dark else signal)
            if len(place) < LEAST_MARKS:
                continue
            marching = march(at[0] + place * STEP_PX, float(at[-1] - at[0]))
            if marching is None:
                continue
            index = np.searchsorted(at[0] + place * STEP_PX, marching.at)
            strength = float(np.median(peak[np.clip(index, 0, len(peak) - 1)]))
            off = marching.numbers(marching.at) - marching.number
            worth = len(marching.number) * marching.fill**2 * min(strength / 0.05, 1.0)
            worth *= float(np.exp(-((float(np.std(off)) / 0.08) ** 2)))
            one = Strip(origin, way, across, float(depth), marching, dark, worth)
            both.append((strength, one))
        # The spaces between strokes stand as evenly, but strokes are the thinner of the two and
        # so stand out more.
        if len(both) == 2 and _as_many(both[0][1], both[1][1]):
            both.remove(min(both, key=lambda pair: pair[0]))
        found += [strip for _, strip in both]
    return found


def _as_many(first: Strip, second: Strip) -> bool:
    """Whether two strips have marks as far apart."""
    spaces = [np.ptp(one.marching.at) / np.ptp(one.marching.number) for one in (first, second)]
    return bool(0.9 < spaces[0] / spaces[1] < 1.1)
