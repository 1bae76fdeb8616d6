"""How far each point of a reference is from where the calibration puts it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.plane import Calibration

MOST = 160
"""So many points are enough to see whether a grid fits."""

GRADES_MM = (0.5, 1.5)
"""Nearer than the first a point fits, nearer than the second it is fair."""


@dataclass(frozen=True, slots=True, eq=False)
class Residuals:
    """What is left over at points of the reference.

    Attributes:
        px: Where they are seen, original pixels, (N, 2).
        off_px: How far from where the calibration would show them, (N,).
        off_mm: How far from their place on the table, (N,).
        grades: How many of all points fit, are fair and are farther off, by ``GRADES_MM``.
    """

    px: NDArray[np.float64]
    off_px: NDArray[np.float64]
    off_mm: NDArray[np.float64]
    grades: tuple[int, int, int] = (0, 0, 0)

    @property
    def largest_mm(self) -> float | None:
        """Of all, None where nothing is known of any point."""
        return float(self.off_mm.max()) if len(self.off_mm) else None


def residuals(calibration: Calibration, most: int = MOST) -> Residuals:
    """Compare a reference's points with their places.

    Args:
        calibration: With its reference points, as it comes from the picture.
        most: Points to tell; of more, the worst and others evenly chosen.

    Returns:
        Those points; none for a calibration that was read from a file.
    """
    seen, places = calibration.seen_px, calibration.seen_mm
    if not len(seen):
        return Residuals(np.zeros((0, 2)), np.zeros(0), np.zeros(0))
    off_px = np.hypot(*(calibration.to_image(places) - seen).T)
    off_mm = np.hypot(*(calibration.to_table(seen, places[:, 2]) - places[:, :2]).T)
    known = np.flatnonzero(np.isfinite(off_px) & np.isfinite(off_mm))
    grades = np.bincount(np.searchsorted(GRADES_MM, off_mm[known]), minlength=3)
    counts = int(grades[0]), int(grades[1]), int(grades[2])
    if len(known) > most:
        worst = known[np.argsort(-off_mm[known])[: most // 4]]
        rest = np.setdiff1d(known, worst)
        known = np.concatenate([worst, rest[:: -(-len(rest) // (most - len(worst)))]])
    return Residuals(seen[known], off_px[known], off_mm[known], counts)
