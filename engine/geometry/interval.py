"""A length that is known to lie between two bounds, and how it is held against a limit."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

EXACT_MM: Final = 1e-6
"""Rounding slack of comparisons: binary fractions never decide a game."""


class Verdict(StrEnum):
    """Whether a limit is kept."""

    YES = "yes"
    NO = "no"
    BORDERLINE = "borderline"


@dataclass(frozen=True, slots=True)
class Interval:
    """A length with what is not known about it.

    Attributes:
        lo: Shortest possible length in mm.
        hi: Longest possible length in mm, equal to ``lo`` when nothing is in doubt.
        sigma_mm: One standard deviation of the measuring error, on top of the bounds.
    """

    lo: float
    hi: float
    sigma_mm: float = 0.0

    @property
    def middle(self) -> float:
        """Middle of the two bounds."""
        return (self.lo + self.hi) / 2.0

    def slant(self, dz_mm: float) -> Interval:
        """The same flat length with a difference in height of ``dz_mm``, at both bounds."""
        return Interval(math.hypot(self.lo, dz_mm), math.hypot(self.hi, dz_mm), self.sigma_mm)


def cmp(d: float, limit: float, tol: float = 0.0) -> Verdict:
    """Hold a length against an inclusive limit.

    Args:
        d: Length, in any unit.
        limit: Limit in the same unit.
        tol: Measuring tolerance in the same unit.
    """
    return cmp_interval(d, d, limit, tol)


def cmp_interval(lo: float, hi: float, limit: float, tol: float = 0.0) -> Verdict:
    """Hold a length between ``lo`` and ``hi`` against an inclusive limit.

    Yes when even the longest is ``tol`` inside, no when even the shortest is more than ``tol``
    outside, otherwise borderline. All in one unit.
    """
    if hi <= limit - tol + EXACT_MM:
        return Verdict.YES
    if lo > limit + tol + EXACT_MM:
        return Verdict.NO
    return Verdict.BORDERLINE
