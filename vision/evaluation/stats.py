"""Shares and spreads, rounded as reports show them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

Summary = dict[str, Any]


def share(part: int, whole: int) -> float | None:
    """Part of a whole, None of nothing."""
    return round(part / whole, 4) if whole else None


def spread(values: Iterable[float | None]) -> Summary | None:
    """Count, median and what 95 % are below; None of nothing. Missing values are left out."""
    known = np.array([value for value in values if value is not None], dtype=np.float64)
    if not len(known):
        return None
    return {
        "count": len(known),
        "median": round(float(np.median(known)), 2),
        "p95": round(float(np.percentile(known, 95)), 2),
    }
