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
SPACES_MM = {
    "1 mm": 1.0,
    "1/2 mm": 0.5,
    "half": 5.0,
    "1/8 inch": INCH_MM / 8,
    "1/16 inch": INCH_MM / 16,
}
"""Distance of neighbouring strokes; ``half`` are halves of something, a cm in the table."""

PERIODS = (2, 4, 5, 8, 10, 16)
LEAST_SHARE = 0.4
"""Of the differences in length, so much must repeat with a period."""

LEAST_HALVES = 0.25
"""The same for every other stroke: there are many of them, so that less is no chance."""

CLEAR_SHARE = 0.8
LEAST_GAIN = 0.12
"""Of the differences a period leaves, so much must a finer one explain to be there."""

DEPTH_STEP = 1.0
REACH_SPACES, LEAST_REACH_PX, MOST_REACH_PX = 10.0, 14.0, 70.0
"""How far strokes are followed to either side."""


@dataclass(frozen=True, slots=True, eq=False)
class Strokes:
    """The strokes of one strip.

    Attributes:
        number: Which stroke each point lies on, (N,).
        px: Points on them, original pixels, (N, 2).
        shares: For each of ``PERIODS`` how much of the differences in length repeats with it.
        reach: Length of the shorter of every two strokes in spaces, as far as it stands alone.
    """

    number: NDArray[np.int64]
    px: Floats
    shares: dict[int, float]
    reach: float = 0.0

    def unit(self) -> str | None:
        """Key of ``SPACES_MM``, None when the lengths do not tell it.

        Fifths and tenths are longer on a metric ruler, halves and quarters on one in inches.
        """
        share = self.shares
        if max(share[5], share[10]) > max(LEAST_SHARE, share[16] + 0.1) and share[2] < share[5]:
            return "1 mm"
        if share[2] < LEAST_HALVES:
            # Where the two finest kinds look alike, the longer ones may still tell.
            return self._parts_of_inch(4) if share[4] > LEAST_SHARE else None
        if min(_gain(share[2], share[10]), _gain(share[16], share[10])) > LEAST_GAIN:
            return "1/2 mm"
        if _gain(share[2], share[4]) <= LEAST_GAIN:
            return "half"
        return self._parts_of_inch(2) if share[2] >= LEAST_SHARE else None

    def _parts_of_inch(self, period: int) -> str | None:
        """The part of an inch that is halved up to the longest strokes, if that is clear.

        A level of halving missed is a factor of two: only what is quite clear is believed.

        Args:
            period: Of the longer strokes that are sure.
        """
        share = self.shares
        while period < 16 and _gain(share[period], share[2 * period]) > LEAST_GAIN:
            period *= 2
        return f"1/{period} inch" if period > 4 and share[period] > CLEAR_SHARE else None


def _gain(share: float, finer: float) -> float:
    """Part of what one period leaves unexplained that a finer one explains."""
    return (finer - share) / max(1 - share, 0.1)


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
    reach = float(np.clip(REACH_SPACES * np.median(gap), LEAST_REACH_PX, MOST_REACH_PX))
    depths = strip.depth_px + np.arange(-reach, reach + DEPTH_STEP, DEPTH_STEP)
    start = len(depths) // 2
    contrast = np.zeros((len(depths), len(numbers)))
    spots = np.zeros((len(depths), len(numbers)))
    expected = places + slope * (depths - strip.depth_px)[:, None]
    for row, depth in enumerate(depths):
        spots[row], contrast[row] = _refine(gray, strip, expected[row], gap, float(depth))
    usual = max(float(np.median(contrast[start])), 1e-6)
    dark = contrast > 0.4 * usual
    alive = np.concatenate([_alive(dark[: start + 1][::-1])[::-1], _alive(dark[start:])[1:]])
    use = alive & dark & (np.abs(spots - expected) < 0.3 * gap)
    rows, columns = np.nonzero(use)
    points = [
        strip.point(spots[row, column : column + 1], float(depths[row]))[0]
        for row, column in zip(rows, columns, strict=True)
    ]
    length = (np.clip(contrast / usual, 0, 1) * alive).sum(axis=0)
    return Strokes(
        numbers[columns].astype(np.int64),
        np.array(points).reshape(-1, 2),
        _shares(numbers, length),
        min(float(np.median((alive & dark).sum(axis=0)[numbers % 2 == odd])) for odd in (0, 1))
        / max(float(np.median(gap)), 1e-6),
    )


def _alive(seen: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Where strokes still go on from the first row without two gaps in a row, (D, N)."""
    ahead = seen.copy()
    ahead[:-1] |= seen[1:]
    return np.logical_and.accumulate(ahead, axis=0)


def _slope(gray: NDArray[np.float32], strip: Strip, places: Floats, gap: Floats) -> Floats:
    """How far strokes move along the line for every px inwards, (N,): they lean by perspective."""
    parts = np.array_split(np.arange(len(places)), 3)
    centres, leans = [], []
    tries = np.linspace(-1.2, 1.2, 61)
    for part in parts:
        scores = []
        for lean in tries:
            total = 0.0
            for away in (-4.0, -2.0, 2.0, 4.0):
                depth = strip.depth_px + away
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


def _shares(numbers: NDArray[np.int64], length: Floats) -> dict[int, float]:
    """How much of the differences in length repeats with each period, chance taken off."""
    numbers, length = numbers[1:-1], length[1:-1]
    length = np.clip(length, *np.percentile(length, [3, 97]))
    apart = length - gaussian_filter1d(length, 12.0)
    total = float((apart**2).sum())
    result = {}
    for period in PERIODS:
        if len(numbers) < 2 * period or total <= 0:
            result[period] = 0.0
            continue
        left = 0.0
        for rest in range(period):
            own = apart[numbers % period == rest]
            left += float(((own - own.mean()) ** 2).sum())
        spare = len(numbers) - period
        result[period] = 1 - left / spare / (total / (len(numbers) - 1))
    return result
