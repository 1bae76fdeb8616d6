"""What a ruler's strokes say: how far they reach in, which unit that makes, and where each is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from calibration.ruler_find import Strip, sample
from calibration.ruler_scale import STEP_PX

Floats = NDArray[np.float64]

INCH_MM = 25.4
PATTERNS: dict[str, tuple[float, tuple[float, ...]]] = {
    "mm": (1.0, (1.0, 0, 0, 0, 0, 0.6, 0, 0, 0, 0)),
    "1/16 inch": (
        INCH_MM / 16,
        (1.0, 0, 0.3, 0, 0.5, 0, 0.3, 0, 0.75, 0, 0.3, 0, 0.5, 0, 0.3, 0),
    ),
    "1/8 inch": (INCH_MM / 8, (1.0, 0, 0.4, 0, 0.7, 0, 0.4, 0)),
    "1/4 inch": (INCH_MM / 4, (1.0, 0, 0.6, 0)),
    "half": (5.0, (1.0, 0)),
}
"""Distance of neighbouring strokes, and how long they are from one number to the next."""

LEAST_LIKENESS = 0.45
LEAST_LEAD = 0.08
DEPTH_STEP = 1.5
REACH = 6.0
"""Strokes are followed this many times as deep as they are best seen."""


@dataclass(frozen=True, slots=True, eq=False)
class Strokes:
    """The strokes of one strip.

    Attributes:
        number: Which stroke each point lies on, (N,).
        px: Points on them, original pixels, (N, 2).
        likeness: How well each of ``PATTERNS`` tells their lengths, -1 to 1.
    """

    number: NDArray[np.int64]
    px: Floats
    likeness: dict[str, float]

    def unit(self) -> str | None:
        """The pattern they follow, None when it cannot be told."""
        ranked = sorted(self.likeness, key=lambda name: -self.likeness[name])
        best = ranked[0]
        if self.likeness[best] < LEAST_LIKENESS or best == "half":
            return None
        others = [name for name in ranked[1:] if name[:1] != best[:1]]
        rival = max(self.likeness[name] for name in others)
        return best if self.likeness[best] - rival > LEAST_LEAD else None


def read_strokes(gray: NDArray[np.float32], strip: Strip) -> Strokes:
    """Follow every stroke inwards and outwards.

    Args:
        gray: Brightness, (H, W).
        strip: Where they stand.

    Returns:
        Their points and what their lengths are like.
    """
    marching = strip.marching
    numbers = np.arange(marching.number[0], marching.number[-1] + 1)
    places = marching.places(numbers.astype(np.float64))
    gap = np.gradient(places)
    slope = _slope(gray, strip, places, gap)
    depths = np.arange(1.5, max(REACH * strip.depth_px, strip.depth_px + 10), DEPTH_STEP)
    contrast = np.zeros((len(depths), len(numbers)))
    spots = np.zeros((len(depths), len(numbers)))
    for row, depth in enumerate(depths):
        along = places + slope * (depth - strip.depth_px)
        spots[row], contrast[row] = _refine(gray, strip, along, gap, float(depth))
    usual = float(np.median(contrast[np.abs(depths - strip.depth_px).argmin()]))
    seen = contrast > 0.45 * max(usual, 1e-6)
    near = np.abs(spots - (places + slope[None] * (depths - strip.depth_px)[:, None])) < 0.3 * gap
    close = np.abs(depths - strip.depth_px)[:, None] <= max(3.0, 0.6 * strip.depth_px)
    use = seen & near & close
    rows, columns = np.nonzero(use)
    px = (
        np.stack(
            [
                strip.point(spots[row, column : column + 1], float(depths[row]))[0]
                for row, column in zip(rows, columns, strict=True)
            ]
        )
        if len(rows)
        else np.zeros((0, 2))
    )
    length = _reach(
        contrast > 0.4 * max(usual, 1e-6), int(np.abs(depths - strip.depth_px).argmin())
    )
    return Strokes(numbers[columns].astype(np.int64), px, _likeness(numbers, length))


def _reach(seen: NDArray[np.bool_], start: int) -> Floats:
    """How many steps strokes go on inwards from a depth without two gaps in a row, (N,)."""
    alive = np.ones(seen.shape[1], dtype=bool)
    reach = np.zeros(seen.shape[1])
    for row in range(start, len(seen)):
        ahead = seen[row] | (seen[row + 1] if row + 1 < len(seen) else False)
        alive &= ahead
        reach += alive
    return reach


def _slope(gray: NDArray[np.float32], strip: Strip, places: Floats, gap: Floats) -> Floats:
    """How far strokes move along the line for every px inwards, (N,): they lean by perspective."""
    parts = np.array_split(np.arange(len(places)), 3)
    centres, leans = [], []
    tries = np.linspace(-1.2, 1.2, 61)
    for part in parts:
        scores = []
        for lean in tries:
            total = 0.0
            for away in (-0.5, -0.25, 0.25, 0.5):
                depth = strip.depth_px * (1 + away)
                if depth < 1.0:
                    continue
                along = places[part] + lean * (depth - strip.depth_px)
                total += float(np.mean(_contrast(gray, strip, along, gap[part], depth)))
            scores.append(total)
        centres.append(float(part.mean()))
        leans.append(float(tries[int(np.argmax(scores))]))
    if np.ptp(leans) > 0.5:
        return np.full(len(places), float(np.median(leans)))
    return np.asarray(np.polyval(np.polyfit(centres, leans, 1), np.arange(len(places))))


def _contrast(
    gray: NDArray[np.float32], strip: Strip, along: Floats, gap: Floats, depth: float
) -> Floats:
    """How much darker (or lighter) strokes are than half-way to their neighbours, (N,)."""
    middle, left, right = (
        np.nan_to_num(
            sample(gray, strip.origin, strip.way, strip.inward, along + part * gap, depth)
        )
        for part in (0.0, -0.5, 0.5)
    )
    apart = (left + right) / 2 - middle
    return np.asarray(apart if strip.dark else -apart)


def _refine(
    gray: NDArray[np.float32], strip: Strip, along: Floats, gap: Floats, depth: float
) -> tuple[Floats, Floats]:
    """Sub-pixel places of strokes at a depth and their contrast, (N,) each."""
    at = np.arange(along.min() - 4, along.max() + 4, STEP_PX)
    signal = np.nan_to_num(sample(gray, strip.origin, strip.way, strip.inward, at, depth))
    signal = gaussian_filter1d(-signal if strip.dark else signal, 0.8)
    spots = along.copy()
    for _ in range(2):
        window = np.linspace(-0.4, 0.4, 17)
        grid = spots[:, None] + window * gap[:, None]
        values = np.interp(grid, at, signal)
        values -= values.min(axis=1, keepdims=True)
        values = np.clip(values - 0.3 * values.max(axis=1, keepdims=True), 0, None)
        spots = (values * grid).sum(axis=1) / np.maximum(values.sum(axis=1), 1e-9)
        spots = np.where(np.isfinite(spots) & (values.sum(axis=1) > 0), spots, along)
    return spots, _contrast(gray, strip, spots, gap, depth)


def _likeness(numbers: NDArray[np.int64], length: Floats) -> dict[str, float]:
    """Correlation of stroke lengths with every pattern at its best place."""
    length = np.minimum(length, np.percentile(length, 97))
    level = gaussian_filter1d(length, 12.0)
    apart = length - level
    result = {}
    for name, (_, pattern) in PATTERNS.items():
        best = -1.0
        for shift in range(len(pattern)):
            told = np.array(pattern)[(numbers + shift) % len(pattern)]
            if told.std() > 0 and apart.std() > 0 and len(numbers) >= 2 * len(pattern):
                best = max(best, float(np.corrcoef(told, apart)[0, 1]))
        result[name] = best
    return result
