"""Where the plate ends: which places of the grid have studs, and whether all edges are seen."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.stud_points import Placed, View

ALIKE = 0.5
SHIFT = 0.12
"""A stud this far from its place, in steps, is none of the plate's."""

EDGE_SHARE = 0.3
"""An edge row has at least this share of studs of what the plate has elsewhere."""

EDGE_IN_VIEW = 0.6
"""Share of an edge that must be in the picture."""

USUAL = (16, 24, 32, 48)
"""Plates sold; preferred where the evidence is even."""


@dataclass(frozen=True, slots=True, eq=False)
class Extent:
    """A plate in its own grid.

    Attributes:
        low: First place along both axes, (2,).
        high: Last place along both axes, (2,).
        closed: All four edges are in the picture.
        good: Which of the places looked at are studs of the plate, (N,).
    """

    low: NDArray[np.int64]
    high: NDArray[np.int64]
    closed: bool
    good: NDArray[np.bool_]


def find_extent(placed: Placed, view: View, shape: tuple[int, ...]) -> Extent:
    """Decide where the plate ends.

    Args:
        placed: A rectangle of places, looked at.
        view: Camera in the pixels of the picture looked at.
        shape: Its height and width.

    Returns:
        The plate.
    """
    low, high = placed.nodes.min(axis=0), placed.nodes.max(axis=0)
    size = high - low + 1
    stud = (placed.alike > ALIKE) & (placed.off < SHIFT)
    field = stud.reshape(size[1], size[0]).astype(np.float32)
    near = cv2.boxFilter(field, -1, (3, 3), normalize=False, borderType=cv2.BORDER_CONSTANT)
    wide = cv2.boxFilter(field, -1, (7, 7), normalize=False, borderType=cv2.BORDER_CONSTANT)
    field = field * (near >= 3) * (wide >= 9)
    (x0, x1), (y0, y1) = _run(field.sum(axis=0)), _run(field.sum(axis=1))
    mask = np.zeros_like(field)
    mask[y0 : y1 + 1, x0 : x1 + 1] = 1
    first, last = low + np.array([x0, y0]), low + np.array([x1, y1])
    return Extent(
        low=first,
        high=last,
        closed=_closed(first, last, view, shape),
        good=(field * mask).ravel() > 0,
    )


def _closed(
    first: NDArray[np.int64], last: NDArray[np.int64], view: View, shape: tuple[int, ...]
) -> bool:
    """Whether the lines just beyond all four edges are mostly in the picture."""
    across, deep = (np.arange(first[axis], last[axis] + 1) for axis in range(2))
    lines = [
        np.column_stack([across, np.full_like(across, first[1] - 1)]),
        np.column_stack([across, np.full_like(across, last[1] + 1)]),
        np.column_stack([np.full_like(deep, first[0] - 1), deep]),
        np.column_stack([np.full_like(deep, last[0] + 1), deep]),
    ]
    for line in lines:
        px = view.project(line.astype(np.float64))
        with np.errstate(invalid="ignore"):
            inside = ((px >= 0) & (px <= np.array([shape[1], shape[0]]) - 1)).all(axis=1)
        if inside.mean() < EDGE_IN_VIEW:
            return False
    return True


def _run(lines: NDArray[np.floating]) -> tuple[int, int]:
    """First and last line that belongs to the plate, by the studs in every line."""
    usual = float(np.median(lines[lines > 0.2 * lines.max()]))
    strong = np.nonzero(lines >= EDGE_SHARE * usual)[0]
    return int(strong[0]), int(strong[-1])
