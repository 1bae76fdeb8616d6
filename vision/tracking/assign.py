"""Best one-to-one pairing under a cost with forbidden pairs (SciPy adapter)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

FORBIDDEN = np.inf
_WALL = 1e6


def assign(cost: NDArray[np.float64]) -> list[tuple[int, int]]:
    """Pair rows with columns so that as many as possible are paired at the least total cost.

    Args:
        cost: (R, C); FORBIDDEN for pairs that must not be.

    Returns:
        Pairs of row and column, by row; forbidden pairs are left out.
    """
    if cost.size == 0:
        return []
    walled = np.where(np.isfinite(cost), cost, _WALL)
    rows, columns = linear_sum_assignment(walled)
    return [
        (int(row), int(column))
        for row, column in zip(rows, columns, strict=True)
        if np.isfinite(cost[row, column])
    ]
