"""The factor of a table and how far a troop type moves on it (FM-GEN-01 to 07)."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import numpy as np

from engine.rulesets.follow_me.data import TroopType, data
from engine.rulesets.follow_me.settings import Settings


def nearest_published(height_mm: float) -> float:
    """Factor of the published scale nearest to a height (FM-GEN-01 to 04)."""
    heights, factors = data().rows["scale.heights_mm"], data().rows["scale.factors"]
    nearest = min(range(len(heights)), key=lambda i: abs(heights[i] - height_mm))
    return factors[nearest]


def interpolated(height_mm: float) -> float:
    """Factor that follows the height, in quarters (FM-GEN-05)."""
    heights, factors = data().rows["scale.heights_mm"], data().rows["scale.factors"]
    if height_mm > heights[-1]:
        factor = height_mm / data().numbers["scale.beyond_mm"]
    else:
        factor = float(np.interp(height_mm, heights, factors))
    step = data().numbers["scale.step"]
    return round(factor / step) * step


def factor_of(heights_mm: Iterable[float], settings: Settings) -> float:
    """The one factor of a table (FM-GEN-06): by hand, by the figures, or the mixed one."""
    if settings.scale_factor is not None:
        return settings.scale_factor
    find = interpolated if settings.scale_mode == "height_interpolated" else nearest_published
    found = {find(height) for height in heights_mm}
    if not found or settings.scale_mode == "explicit":
        return 1.0
    return found.pop() if len(found) == 1 else data().numbers["scale.mixed"]


def allowance(kind: TroopType, mods: Collection[str], settings: Settings) -> float:
    """Longest move in mm (FM-MOVE-02 to 07, FM-OBS-05, FM-SPELL-06, 09, 22).

    Args:
        kind: Type of the mover.
        mods: Any of ``ford``, ``flash`` and ``slow``; each counts once, and they multiply.
        settings: Options of the game.
    """
    share = 1.0
    for spell in ("flash", "slow"):
        if spell in mods:
            share *= data().spells[spell].move_factor
    if "ford" in mods:
        share *= data().numbers["obstacles.wade_share"]
    return settings.inches(kind.move_in) * share
