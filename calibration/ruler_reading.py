"""Which unit the lengths of a ruler's strokes speak for, and how clearly.

Every tenth and fifth stroke of a ruler in mm is longer, every second, fourth, eighth and sixteenth
of one in inches. Each kind of ruler is laid over the measured lengths at every phase; how much of
their differences it explains, at the price of what it leaves free, is its evidence.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

ALIKE = 3.0
"""So many neighbouring strokes count as one: light and blur make them alike."""

LEAST_SPREAD = 0.08
"""Lengths are measured no better than to this part of their usual one."""

LEAST_STEP = 0.04
"""Of the usual length: strokes of the next kind are longer by so much at least."""


def _tens(number: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.where(number % 10 == 0, 2, np.where(number % 5 == 0, 1, 0))


def _twenties(number: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.where(number % 2 == 0, 1 + _tens(number // 2), 0)


def _halves(levels: int) -> Callable[[NDArray[np.int64]], NDArray[np.int64]]:
    def level(number: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.asarray(sum((number % 2 ** (k + 1) == 0).astype(int) for k in range(levels)))

    return level


@dataclass(frozen=True, slots=True)
class Kind:
    """One way to divide a ruler.

    Attributes:
        space_mm: From stroke to stroke.
        period: After so many strokes their lengths repeat.
        level: How long strokes are against each other by their number from a longest one.
    """

    space_mm: float
    period: int
    level: Callable[[NDArray[np.int64]], NDArray[np.int64]]


KINDS: tuple[Kind, ...] = (
    Kind(1.0, 10, _tens),
    Kind(0.5, 20, _twenties),
    Kind(5.0, 2, _halves(1)),
    Kind(25.4 / 16, 16, _halves(4)),
    Kind(25.4 / 8, 8, _halves(3)),
    Kind(25.4 / 4, 4, _halves(2)),
)


def evidence(number: NDArray[np.int64], length: Floats) -> dict[float, float]:
    """Logarithm of how well each kind of ruler explains lengths of strokes.

    Args:
        number: Numbers of strokes in order, (N,).
        length: Their lengths in any unit, (N,).

    Returns:
        From the space in mm to the evidence over strokes that are all alike; kinds whose longer
        strokes are not longer here are left out.
    """
    if len(number) < 12 or not np.median(length) > 0:
        return {}
    usual = float(np.median(length))
    floor = (LEAST_SPREAD * usual) ** 2
    count = len(number) / ALIKE
    alone = float(np.var(length)) + floor
    result: dict[float, float] = {}
    for kind in KINDS:
        if len(number) < 1.5 * kind.period:
            continue
        best: float | None = None
        for phase in range(kind.period):
            level = kind.level(number - phase)
            kinds = np.unique(level)
            means = np.array([np.median(length[level == one]) for one in kinds])
            if len(kinds) < 2 or (np.diff(means) < LEAST_STEP * usual).any():
                continue
            left = length - means[np.searchsorted(kinds, level)]
            spread = 1.48 * float(np.median(np.abs(left)))
            left = np.clip(left, -3 * max(spread, np.sqrt(floor)), 3 * max(spread, np.sqrt(floor)))
            score = 0.5 * count * float(np.log(alone / (np.mean(left**2) + floor)))
            score -= 0.5 * len(kinds) * float(np.log(count)) + float(np.log(kind.period))
            best = score if best is None else max(best, score)
        if best is not None:
            result[kind.space_mm] = best
    return result


SPACES_MM = (0.5, 1.0, 25.4 / 16, 25.4 / 8, 5.0, 25.4 / 4, 10.0, 25.4 / 2, 25.4)
"""Usual distances of strokes."""

USUAL_NEAR = 0.02
"""Strokes stand so near to a usual distance, relatively."""

CONTRADICTED = -3.0
"""Evidence of a kind whose longer strokes are not longer."""

AS_READ = 1.0
"""What the reading of one ruler alone counts for."""

USUAL_DISTANCE_MM, DISTANCE_SPREAD = 800.0, 0.6
"""Cameras over tables: distance, and its spread as a logarithm."""

CLEAR = 2.5
"""A likelier unit is believed when it leads by so much."""


def likeliest(
    spaces: Sequence[float], evidences: Sequence[dict[float, float]], distance_mm: float
) -> tuple[float, float]:
    """The unit of the first of several rulers that all of them together make likeliest.

    Args:
        spaces: Distances of strokes as read, mm; their ratios are known from the picture.
        evidences: What the lengths of each ruler's strokes speak for.
        distance_mm: How far away the camera is if the spaces are as read.

    Returns:
        The factor by which all spaces are to be multiplied, and how far it leads.
    """
    scores = []
    for first in SPACES_MM:
        times = first / spaces[0]
        score = AS_READ if abs(times - 1) < 0.01 else 0.0
        score -= 0.5 * (np.log(times * distance_mm / USUAL_DISTANCE_MM) / DISTANCE_SPREAD) ** 2
        for space, known in zip(spaces, evidences, strict=True):
            apart = np.abs(np.log(np.array(SPACES_MM) / (times * space)))
            near = SPACES_MM[int(apart.argmin())]
            if apart.min() > USUAL_NEAR:
                score = -np.inf
                break
            unseen = CONTRADICTED if any(kind.space_mm == near for kind in KINDS) else 0.0
            score += known.get(near, unseen)
        scores.append((float(score), times))
    scores.sort(reverse=True)
    return scores[0][1], scores[0][0] - scores[1][0]
