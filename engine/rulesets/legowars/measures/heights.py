"""Heights in plates, bricks and levels (LW-GEN-09, LW-MOVE-16, LW-BLDG-03)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from engine.errors import Refused
from engine.rulesets.legowars.data import data
from engine.rulesets.legowars.settings import Settings
from engine.table import Terrain

_SLACK: Final = 1e-9
_PLATES_PER_BRICK: Final = 3


@dataclass(frozen=True, slots=True)
class Snapped:
    """A height as it counts.

    Attributes:
        plates: Whole plates, None where heights are not rounded to them.
        mm: Height in mm.
        ask: Its reading is so near 1 or 3 bricks that the players confirm it.
    """

    plates: int | None
    mm: float
    ask: bool

    @property
    def bricks(self) -> float:
        """Height in bricks."""
        if self.plates is not None:
            return self.plates / _PLATES_PER_BRICK
        return self.mm / data().number("heights", "brick_mm")


def snap(height_mm: float, settings: Settings, *, lego: bool = True) -> Snapped:
    """Settle a height (LW-GEN-09).

    Args:
        height_mm: As read, without knobs.
        settings: Options of the game.
        lego: It comes in whole plates; other things in whole millimetres.

    Raises:
        Refused: It is below the table.
    """
    if height_mm < 0.0:
        raise Refused("a height cannot be below the table", "LW-GEN-09")
    rules = data()
    raw = height_mm / rules.number("heights", "brick_mm")
    limits = (
        rules.number("obstacles", "step_bricks"),
        rules.number("obstacles", "blocked_from_bricks"),
    )
    tol = settings.obstacle_height_tol_bricks + _SLACK
    ask = any(abs(raw - limit) <= tol for limit in limits)
    if settings.height_snap == "none":
        return Snapped(None, height_mm, ask)
    if not lego:
        return Snapped(None, float(math.floor(height_mm + 0.5 + _SLACK)), ask)
    plate = rules.number("heights", "plate_mm")
    plates = math.floor(height_mm / plate + 0.5 + _SLACK)
    return Snapped(plates, round(plates * plate, 6), ask)


def settled_mm(piece: Terrain, settings: Settings) -> float:
    """Height of a piece of terrain as it counts in play."""
    return snap(piece.height_mm, settings, lego=piece.lego).mm


def bricks(mm: float) -> float:
    """A difference in height in bricks."""
    return mm / data().number("heights", "brick_mm")


def rise(from_mm: float, top_mm: float, settings: Settings) -> float:
    """Height of an obstacle in bricks for whoever stands in front of it (LW-MOVE-16)."""
    over = 0.0 if settings.obstacle_height_from == "table" else from_mm
    return bricks(top_mm - over)


def levels(height_mm: float, settings: Settings) -> int:
    """Levels of a building of that height (LW-BLDG-03, LW-BLDG-04)."""
    rules = data()
    exact = bricks(height_mm) / rules.number("heights", "level_bricks")
    if settings.level_rounding == "up":
        return max(1, math.ceil(exact - _SLACK))
    if settings.level_rounding == "down_min_1":
        return max(1, math.floor(exact + _SLACK))
    return max(1, math.floor(exact + 0.5 + _SLACK))
