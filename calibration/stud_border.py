"""Where the plate ends: which places of the grid have studs, and whether all edges are seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

ALIKE = 0.5
SHIFT = 0.12
"""A stud this far from its place, in steps, is none of the plate's."""

EDGE_SHARE = 0.3
"""An edge row has at least this share of studs of what the plate has elsewhere."""

USUAL = (16, 24, 32, 48)
"""Plates sold; preferred where the evidence is even."""


class Projector(Protocol):
    """Something that knows where places are in the picture."""

    def project(self, places: NDArray[np.float64]) -> NDArray[np.float64]:
        """Pixels of places, (N, 2)."""


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


def find_extent(
    every: NDArray[np.int64],
    alike: NDArray[np.float64],
    shifts: NDArray[np.float64],
    view: Projector,
    shape: tuple[int, ...],
) -> Extent:
    """Decide where the plate ends.

    Args:
        every: Places of a whole rectangle, row by row, (N, 2).
        alike: How like the mean stud each is, (N,).
        shifts: How far each is from its place in steps, (N, 2).
        view: Where places are in the picture.
        shape: Height and width of the picture that ``view`` projects to.

    Returns:
        The plate.
    """
    low, high = every.min(axis=0), every.max(axis=0)
    size = high - low + 1
    stud = (alike > ALIKE) & (np.hypot(*shifts.T) < SHIFT)
    field = stud.reshape(size[1], size[0]).astype(np.float32)
    near = cv2.boxFilter(field, -1, (3, 3), normalize=False, borderType=cv2.BORDER_CONSTANT)
    wide = cv2.boxFilter(field, -1, (7, 7), normalize=False, borderType=cv2.BORDER_CONSTANT)
    field = field * (near >= 3) * (wide >= 9)
    px = view.project(every.astype(np.float64))
    with np.errstate(invalid="ignore"):
        inside = ((px >= 2) & (px <= np.array([shape[1], shape[0]]) - 3)).all(axis=1)
    inside = inside.reshape(size[1], size[0])
    spans = []
    closed = True
    for axis in range(2):
        lines = field.sum(axis=axis)
        first, last = _run(lines)
        seen = inside.mean(axis=axis)
        spans.append((first, last))
        for beyond in (first - 1, last + 1):
            if not 0 <= beyond < len(seen) or seen[beyond] < 0.5:
                closed = False
    (x0, x1), (y0, y1) = spans
    mask = np.zeros_like(field)
    mask[y0 : y1 + 1, x0 : x1 + 1] = 1
    good = (field * mask).ravel() > 0
    return Extent(
        low=low + np.array([x0, y0]), high=low + np.array([x1, y1]), closed=closed, good=good
    )


def _run(lines: NDArray[np.floating]) -> tuple[int, int]:
    """First and last line that belongs to the plate, by the studs in every line."""
    usual = float(np.median(lines[lines > 0.2 * lines.max()]))
    strong = np.nonzero(lines >= EDGE_SHARE * usual)[0]
    return int(strong[0]), int(strong[-1])
