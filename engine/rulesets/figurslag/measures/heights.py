"""Heights of terrain, settled in whole plates before play."""

from __future__ import annotations

import math
from typing import Final

from engine.errors import Refused
from engine.rulesets.figurslag.data import data
from engine.rulesets.figurslag.settings import Settings
from engine.table import Terrain

_SLACK: Final = 1e-9


def snap(height_mm: float, settings: Settings, *, lego: bool = True) -> tuple[int | None, float]:
    """Round a height to what the players confirm (FS-GEN-05).

    Args:
        height_mm: Height as measured, without knobs.
        settings: Options of the game.
        lego: It comes in whole plates; other terrain in whole millimetres.

    Returns:
        Number of plates, None where heights are not rounded to them, and the height in mm.

    Raises:
        Refused: The height is below the table.
    """
    if height_mm < 0.0:
        raise Refused("a height cannot be below the table", "FS-GEN-05")
    if settings.height_snap == "none":
        return None, height_mm
    if not lego:
        return None, float(math.floor(height_mm + 0.5 + _SLACK))
    plates = math.floor(height_mm / data().plate_mm + 0.5 + _SLACK)
    return plates, round(plates * data().plate_mm, 6)


def settled_mm(piece: Terrain, settings: Settings) -> float:
    """Height of a piece of terrain as it counts in play.

    Raises:
        Refused: The height is below the table.
    """
    return snap(piece.height_mm, settings, lego=piece.lego)[1]
