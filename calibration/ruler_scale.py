"""Evenly spaced marks along a line, as perspective shows them."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d
from scipy.signal import find_peaks

Floats = NDArray[np.float64]

STEP_PX = 0.5
LEAST_MARKS = 14
LEAST_FILL = 0.75
"""Of the marks between the first and the last, so many must be seen."""

LEAST_PEAK = 0.2
TOLERANCE = 0.16
"""A mark may stand so many spaces off its place."""


@dataclass(frozen=True, slots=True, eq=False)
class Marching:
    """Marks that stand at whole numbers of a space.

    Attributes:
        at: Where they are along the line, px, (N,).
        number: Which mark each is, (N,).
        curve: Numerator and denominator of number as a function of ``at``: (a, b, c) with
            number = (a at + b) / (1 + c at).
    """

    at: Floats
    number: NDArray[np.int64]
    curve: Floats

    @property
    def fill(self) -> float:
        """Part of the marks from first to last that is seen."""
        return len(self.number) / float(self.number[-1] - self.number[0] + 1)

    def numbers(self, at: Floats) -> Floats:
        """Number, in parts, at places along the line."""
        a, b, c = self.curve
        return np.asarray((a * at + b) / (1 + c * at))

    def places(self, number: Floats) -> Floats:
        """Places along the line of numbers."""
        a, b, c = self.curve
        return np.asarray((number - b) / (a - c * number))


def peaks_of(signal: Floats) -> tuple[Floats, Floats]:
    """Sub-sample places, in samples, and heights of what stands out of a signal, (N,) each."""
    smooth = gaussian_filter1d(signal, 1.0)
    flat = smooth - gaussian_filter1d(signal, 14.0)
    scale = 1.48 * float(np.median(np.abs(flat))) + 1e-9
    found, _ = find_peaks(flat, prominence=max(1.2 * scale, 1e-3))
    found = found[(found > 1) & (found < len(flat) - 2)]
    if len(found):  # What is far fainter than most is an echo between two strokes.
        found = found[flat[found] > LEAST_PEAK * np.percentile(flat[found], 80)]
    left, middle, right = flat[found - 1], flat[found], flat[found + 1]
    bend = left - 2 * middle + right
    shift = np.where(bend < 0, 0.5 * (left - right) / np.minimum(bend, -1e-12), 0.0)
    return found + np.clip(shift, -0.5, 0.5), middle


def _fit(at: Floats, number: NDArray[np.int64]) -> Floats:
    """Curve of ``Marching`` through marks, least squares."""
    middle, reach = float(at.mean()), max(float(np.ptp(at)) / 2, 1.0)
    u = (at - middle) / reach
    rows = np.column_stack([u, np.ones(len(u)), -u * number])
    try:
        a, b, c = np.linalg.solve(rows.T @ rows, rows.T @ number)
    except np.linalg.LinAlgError:
        return np.full(3, np.nan)
    # (a u + b) / (1 + c u) with u = (at - middle) / reach
    base = 1 - c * middle / reach
    curve = np.array([a / reach, b - a * middle / reach, c / reach]) / base
    return np.asarray(curve, dtype=np.float64)


def march(at: Floats, size: float) -> Marching | None:
    """Number marks that stand evenly on a line seen at a slant.

    Args:
        at: Candidate places along the line in order, px, (N,).
        size: Length of the line in px.

    Returns:
        The longest march; None where the marks do not stand evenly.
    """
    best: Marching | None = None
    if len(at) < LEAST_MARKS:
        return None
    gaps, places = np.diff(at), at.tolist()
    for start in np.linspace(2, len(at) - 4, min(8, len(at) - 6)).astype(int):
        for space in {
            round(float(np.median(gaps[start - 2 : start + 3])), 1),
            round(float(gaps[start]), 1),
        }:
            if space < 2.2 or space > size / LEAST_MARKS:
                continue
            longest = LEAST_MARKS - 1 if best is None else len(best.number)
            best = _grow(at, places, int(start), space, longest) or best
    return best


def _nearest(places: list[float], low: int, high: int, wanted: float) -> int:
    """Index from low up to high, which is left out, of the place nearest to one."""
    above = bisect_left(places, wanted, low, high)
    if above == low:
        return low
    if above == high or wanted - places[above - 1] <= places[above] - wanted:
        return above - 1
    return above


def _grow(
    at: Floats, spots: list[float], start: int, space: float, longest: int
) -> Marching | None:
    """March from one mark both ways, learning how the spaces change on the way.

    None where the march is no longer than the longest so far.
    """
    chosen = [(start, 0)]
    for way in (1, -1):
        index, number, step = start, 0, space
        while True:
            low, high = (index + 1, len(spots)) if way > 0 else (0, index)
            if low == high:
                break
            here = spots[index]
            for count in (1, 2, 3, 4):
                pick = _nearest(spots, low, high, here + way * count * step)
                distance = abs(spots[pick] - here)
                if abs(distance - count * step) < 0.22 * step * math.sqrt(count):
                    break
            else:
                break
            measured = distance / count
            index = pick
            number += way * count
            step = 0.75 * step + 0.25 * measured
            chosen.append((index, number))
    chosen.sort()
    if len(chosen) <= longest:
        return None
    places = at[[index for index, _ in chosen]]
    numbers = np.array([number for _, number in chosen], dtype=np.int64)
    good = np.ones(len(places), dtype=bool)
    for _ in range(5):
        curve = _fit(places[good], numbers[good])
        if not np.isfinite(curve).all():
            return None
        off = np.abs((curve[0] * places + curve[1]) / (1 + curve[2] * places) - numbers)
        before, good = good, off < TOLERANCE
        if good.sum() < LEAST_MARKS:
            return None
        if (good == before).all():
            break
    if good.sum() <= longest:
        return None
    found = Marching(places[good], numbers[good], curve)
    rising = found.numbers(np.linspace(places[good][0], places[good][-1], 50))
    if found.fill < LEAST_FILL or (np.diff(rising) <= 0).any():
        return None
    return found
