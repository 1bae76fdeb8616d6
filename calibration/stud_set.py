"""Studs found so far: their places in steps, where they are seen, and how well."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SOME = 500
"""So many studs are enough to know where to look."""

STEEPNESS = 1.5
"""How fast a stud that is less alike loses weight: light that falls differently on it makes it so,
and that pulls all studs of a region the same way, unlike noise."""

USUAL_ALIKE = 0.85
"""A stud that correlates so much with the mean stud is placed with the usual noise."""

OUTER_SPREAD = 2.2
"""So much less sure is a stud at the edge of the plate or beside something."""

LEAST_SPREAD = 0.2
"""Even perfect correlation would leave so much of 1, the noise where nothing correlates more than
half with itself: what light and lens do to all studs alike is not in the correlation."""


@dataclass(frozen=True, slots=True, eq=False)
class Studs:
    """Studs so far.

    Attributes:
        nodes: Places in steps, (N, 2).
        px: Where they are seen in the picture, (N, 2).
        alike: Correlation of each with the mean stud, (N,).
    """

    nodes: NDArray[np.int64]
    px: NDArray[np.float64]
    alike: NDArray[np.float64]

    def only(self, chosen: NDArray[np.bool_] | NDArray[np.int64]) -> Studs:
        """Those chosen, by mask or index."""
        return Studs(self.nodes[chosen], self.px[chosen], self.alike[chosen])

    def some(self, most: int = SOME) -> Studs:
        """An even choice of them."""
        if len(self.nodes) <= most:
            return self
        order = np.lexsort((self.nodes[:, 0], self.nodes[:, 1]))
        return self.only(order[np.linspace(0, len(order) - 1, most).astype(np.int64)])

    @property
    def spread(self) -> NDArray[np.float64]:
        """How many times less sure each place is than that of a usual inner stud, (N,)."""
        usual = float(_spread(np.array([USUAL_ALIKE]))[0])
        return _spread(self.alike) / usual * np.where(self.enclosed, 1.0, OUTER_SPREAD)

    @property
    def enclosed(self) -> NDArray[np.bool_]:
        """Which have a stud on all four sides, (N,).

        The edge of the plate, or something that stands beside a stud, pulls at its match.
        """
        low = self.nodes.min(axis=0) - 1
        size = self.nodes.max(axis=0) - low + 2
        field = np.zeros((size[1], size[0]), dtype=bool)
        x, y = (self.nodes - low).T
        field[y, x] = True
        return np.asarray(field[y, x - 1] & field[y, x + 1] & field[y - 1, x] & field[y + 1, x])

    def inner(self, least: float) -> Studs:
        """Those with a stud on all four sides, or all if they are fewer than ``least``."""
        keep = self.enclosed
        return self.only(keep) if keep.sum() >= least else self


def _spread(alike: NDArray[np.float64]) -> NDArray[np.float64]:
    """Noise of a match by its correlation: what is not alike is noise, and it pulls at the peak."""
    like = np.clip(alike, 0.2, 1.0)
    return np.asarray(np.sqrt(1 / like**2 - 1 + LEAST_SPREAD**2) ** STEEPNESS)
