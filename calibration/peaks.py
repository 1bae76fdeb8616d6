"""Highest points of correlation fields, between pixels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def peak_shifts(
    fields: NDArray[np.float32],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Highest point of small correlation fields, between pixels.

    Args:
        fields: (N, S, S), S odd; the outermost pixels only help between pixels.

    Returns:
        Shifts from the middle in px, (N, 2), and heights, (N,).
    """
    count, size, _ = fields.shape
    inner = fields[:, 1:-1, 1:-1].reshape(count, -1)
    y, x = np.divmod(inner.argmax(axis=1), size - 2)
    row, column, one = y + 1, x + 1, np.arange(count)
    middle = fields[one, row, column].astype(np.float64)
    shifts = []
    for low, high in (
        (fields[one, row, column - 1], fields[one, row, column + 1]),
        (fields[one, row - 1, column], fields[one, row + 1, column]),
    ):
        bend = np.minimum(low - 2 * middle + high, -1e-6)
        shifts.append(np.clip((low - high) / (2 * bend), -0.5, 0.5))
    from_middle = np.stack([column, row], axis=1) - size // 2
    return from_middle + np.stack(shifts, axis=1), middle
