"""Faint studs matched together with their neighbours: what is left of them adds up."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.peaks import peak_shifts

OWN_PART = 0.4
"""Share of what a place shows together with its neighbours that it must show itself."""

LEAST_WEIGHT = 0.05
"""Places that are like nothing still count so much among their neighbours."""


def pooled(fields: NDArray[np.float32], shape: tuple[int, int]) -> NDArray[np.float32]:
    """Mean of every place's correlation field with those of its eight neighbours.

    Neighbours are off their places alike. Places where nothing is alike, such as those under a
    figure, count little.

    Args:
        fields: Of a rectangle of places row by row, (N, S, S).
        shape: Places along x and y.

    Returns:
        (N, S, S).
    """
    count, size, _ = fields.shape
    weight = np.maximum(fields.reshape(count, -1).max(axis=1), LEAST_WEIGHT) ** 2
    heavy = (fields * weight[:, None, None]).reshape(shape[1], shape[0], -1)
    total = _around(weight.reshape(shape[1], shape[0], 1))
    return np.asarray((_around(heavy) / total).reshape(count, size, size), dtype=np.float32)


def pooled_shifts(
    fields: NDArray[np.float32], shape: tuple[int, int]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Where every place and its neighbours together match best.

    Args:
        fields: Correlations of a rectangle of places row by row, (N, S, S), S odd.
        shape: Places along x and y.

    Returns:
        Shifts from the middle in px, (N, 2), and heights, (N,): 0 for places that have no part in
        what their neighbours show.
    """
    shifts, height = peak_shifts(pooled(fields, shape))
    column, row = np.round(shifts).astype(np.int64).T + fields.shape[1] // 2
    own = fields[np.arange(len(fields)), row, column]
    return shifts, np.where(own > OWN_PART * height, height, 0.0)


def _around(grid: NDArray[np.float32]) -> NDArray[np.float32]:
    """Sum over three by three places, (NY, NX, K)."""
    wide = np.pad(grid, ((1, 1), (1, 1), (0, 0)))
    rows = wide[:-2] + wide[1:-1] + wide[2:]
    return np.asarray(rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:])
