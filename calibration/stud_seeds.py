"""Places in a picture where something repeats in two directions, as studs do."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy import fft

Gray = NDArray[np.float32]

SHORTEST_PX = 3.2
"""Two pixels a period is the limit of sampling; near it nothing can be placed."""


LEAST_SCORE = 0.25

LEAST_SMOOTH_PX = 0.3
"""Smoothing by less changes nothing."""

STEEPEST = 3.0
"""Steps along and across the view differ by no more than this from 25 degrees up."""


@dataclass(frozen=True, slots=True, eq=False)
class Seed:
    """A window of the picture with a repeating pattern.

    Attributes:
        middle_px: Middle of the window, (2,).
        basis_px: Columns are the two shortest steps from one copy to the next, (2, 2).
        score: Correlation of the pattern with itself one step away, 0 to 1.
    """

    middle_px: NDArray[np.float64]
    basis_px: NDArray[np.float64]
    score: float


def flatten(image: NDArray[np.generic], detail_px: float, level_px: float | None = None) -> Gray:
    """Take away slow changes of light and bring faint and strong patterns to one level.

    Args:
        image: (H, W) brightness.
        detail_px: Patterns larger than this are taken away.
        level_px: Over how much one level is kept; None is twice the detail. The shorter, the
            nearer to something contrasty faint studs still show.

    Returns:
        (H, W) with mean 0 and deviation about 1 everywhere.
    """
    gray = image.astype(np.float32)
    size = round(detail_px) | 1
    gray = gray - cv2.blur(gray, (size, size))
    near = 2 * size + 1 if level_px is None else round(level_px) | 1
    power = cv2.blur(gray * gray, (near, near))
    return np.asarray(np.clip(gray / np.sqrt(power + 1.5), -3.0, 3.0), dtype=np.float32)


def flatten_colours(
    image: NDArray[np.uint8], detail_px: float, level_px: float, smooth_px: float = 0.0
) -> Gray:
    """``flatten`` of all three channels together, each by how much of a pattern it shows.

    In one fixed mixture the studs of a blue plate all but vanish; the strongest channel is cut
    off white where a plate is light.

    Args:
        image: (H, W, 3).
        detail_px: Patterns larger than this are taken away.
        level_px: Over how much one level is kept.
        smooth_px: Grain finer than this is taken away before.

    Returns:
        (H, W) with mean 0 and deviation about 1 everywhere.
    """
    size, near = round(detail_px) | 1, round(level_px) | 1
    colours = image.astype(np.float32)
    if smooth_px > LEAST_SMOOTH_PX:
        colours = np.asarray(cv2.GaussianBlur(colours, (0, 0), smooth_px), dtype=np.float32)
    colours -= cv2.blur(colours, (size, size))
    power = np.maximum(cv2.blur(colours * colours, (near, near)), 0)
    mixed = (colours * np.sqrt(power)).sum(axis=2) / (power.sum(axis=2) + 1.5)
    return np.asarray(np.clip(mixed, -3.0, 3.0), dtype=np.float32)


def self_correlation(windows: NDArray[np.float32]) -> NDArray[np.float64]:
    """Correlation of square windows with themselves at every shift.

    Args:
        windows: (N, S, S).

    Returns:
        (N, S, S), shift 0 in the middle (S // 2), 1 there.
    """
    size = windows.shape[1]
    taper = np.hanning(size + 2)[1:-1].astype(np.float32)
    weight = np.outer(taper, taper)
    mean = (windows * weight).sum(axis=(1, 2), keepdims=True) / weight.sum()
    tapered = (windows - mean) * weight
    whole = (size * 3 // 2, size * 3 // 2)  # shifts up to half the window stay apart
    raw = fft.irfft2(np.abs(fft.rfft2(tapered, whole)) ** 2, whole)
    own = fft.irfft2(np.abs(fft.rfft2(weight, whole)) ** 2, whole)
    middle = np.arange(-(size // 2), size - size // 2)
    raw, own = raw[:, middle][:, :, middle], own[middle][:, middle]
    level = np.maximum(own, 0.02 * own.max()) / own.max()
    energy = np.maximum(raw[:, size // 2, size // 2], 1e-6)
    return np.asarray(raw / level / energy[:, None, None], dtype=np.float64)


def _peaks(correlation: NDArray[np.float64], reach: int) -> NDArray[np.float64]:
    """Local maxima in one half of a self-correlation.

    Args:
        correlation: (S, S).
        reach: Largest shift looked at in px.

    Returns:
        Rows of x, y, height; (K, 3), highest first.
    """
    middle = correlation.shape[0] // 2
    field = correlation[middle : middle + reach + 1, middle - reach : middle + reach + 1]
    smooth = field.astype(np.float32)
    best = cv2.dilate(smooth, np.ones((3, 3), np.uint8))
    ys, xs = np.nonzero((smooth >= best) & (smooth > 0.15))
    inside = (ys < reach) & (xs > 0) & (xs < 2 * reach)
    upper = (ys > 0) | (xs > reach)
    far = np.hypot(xs - reach, ys) >= SHORTEST_PX - 0.5
    ys, xs = ys[inside & upper & far], xs[inside & upper & far]
    found = []
    for y, x in zip(ys, xs, strict=True):
        rows = correlation[middle + y - 1 : middle + y + 2, middle + x - reach]
        columns = correlation[middle + y, middle + x - reach - 1 : middle + x - reach + 2]
        found.append((x - reach + _vertex(columns), y + _vertex(rows), field[y, x]))
    table = np.array(found).reshape(-1, 3)
    return table[np.argsort(-table[:, 2])][:24]


def _vertex(three: NDArray[np.float64]) -> float:
    """Where the parabola through three neighbours has its top, -0.5 to 0.5."""
    bend = three[0] - 2 * three[1] + three[2]
    if bend >= 0:
        return 0.0
    return min(max(float((three[0] - three[2]) / (2 * bend)), -0.5), 0.5)


def reduce_basis(basis: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shortest two steps of the lattice that two steps span (Gauss), columns of (2, 2)."""
    a, b = basis[:, 0].copy(), basis[:, 1].copy()
    for _ in range(20):
        if a @ a > b @ b:
            a, b = b, a
        turns = round(float((a @ b) / max(float(a @ a), 1e-9)))
        if turns == 0:
            break
        b = b - turns * a
    return np.column_stack([a, b])


def _at(correlation: NDArray[np.float64], shift: NDArray[np.float64]) -> float:
    """Highest correlation within a pixel of a shift."""
    middle = correlation.shape[0] // 2
    x, y = (round(float(value)) + middle for value in shift)
    if not (1 <= x < len(correlation) - 1 and 1 <= y < len(correlation) - 1):
        return -1.0
    return float(correlation[y - 1 : y + 2, x - 1 : x + 2].max())


def lattice_of(correlation: NDArray[np.float64], reach: int) -> tuple[NDArray[np.float64], float]:
    """The two shortest steps of a repeating pattern.

    Args:
        correlation: Self-correlation, (S, S).
        reach: Largest step looked for in px.

    Returns:
        (2, 2) with the steps as columns, and how well all four of a, b, a + b, a - b repeat, 0
        where nothing repeats in two directions.
    """
    nothing = np.zeros((2, 2)), 0.0
    peaks = _peaks(correlation, reach)
    if len(peaks) < 2 or peaks[0, 2] < 0.25:
        return nothing
    strong = peaks[peaks[:, 2] > 0.55 * peaks[0, 2]]
    strong = strong[np.argsort(np.hypot(strong[:, 0], strong[:, 1]))]
    first = strong[0, :2]
    for second in strong[1:, :2]:
        cross = abs(first[0] * second[1] - first[1] * second[0])
        if cross < 0.3 * np.hypot(*first) * np.hypot(*second):
            continue
        basis = reduce_basis(np.column_stack([first, second]))
        if np.hypot(*basis[:, 0]) < SHORTEST_PX:
            return nothing
        a, b = basis.T
        score = float(np.mean([_at(correlation, step) for step in (a, b, a + b, a - b)]))
        return basis, max(score, 0.0)
    return nothing


def _plausible(basis: NDArray[np.float64]) -> bool:
    """Whether a square lattice looks like this from above a table."""
    lengths = np.linalg.svd(basis, compute_uv=False)
    return bool(lengths[0] < STEEPEST * lengths[1])


def find_seeds(flat: Gray, window: int, step: int) -> list[Seed]:
    """Windows with a repeating pattern, best first.

    Args:
        flat: Flattened brightness, (H, W).
        window: Side of the windows in px.
        step: From one window to the next in px.

    Returns:
        All that repeat at least faintly.
    """
    height, width = flat.shape
    if min(height, width) < window:
        return []
    corners = [
        (y, x)
        for y in range(0, height - window + 1, step)
        for x in range(0, width - window + 1, step)
    ]
    windows = np.stack([flat[y : y + window, x : x + window] for y, x in corners])
    seeds = []
    for start in range(0, len(windows), 64):
        batch = self_correlation(windows[start : start + 64])
        for (y, x), correlation in zip(corners[start : start + 64], batch, strict=True):
            basis, score = lattice_of(correlation, window * 2 // 5)
            if score > LEAST_SCORE and _plausible(basis):
                middle = np.array([x, y]) + (window - 1) / 2
                seeds.append(Seed(middle, basis, score))
    return sorted(seeds, key=lambda seed: -seed.score)
