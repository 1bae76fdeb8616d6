"""Order of play, arrivals by ladder, flights and the end (LW-TURN, LW-LADD-10, LW-WIN)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import groupby

from engine.rulesets.legowars.settings import Settings
from engine.table import PointMm


def order(rolls: Mapping[str, int]) -> tuple[tuple[str, ...], ...]:
    """Sides from the highest roll to the lowest; those with the same roll share a place.

    LW-TURN-01, LW-TURN-02.
    """
    ranked = sorted(rolls.items(), key=lambda one: -one[1])
    places = groupby(ranked, key=lambda one: one[1])
    return tuple(tuple(side for side, _ in place) for _, place in places)


def walk_after_climb_cm(movement_cm: float, settings: Settings) -> float:
    """What a man may walk in the turn after a climb (LW-LADD-10, LW-AMB-26)."""
    return 0.0 if settings.ladder_arrival == "uses_next_move" else movement_cm


def flee_to(attacker: PointMm, horse: PointMm, far_mm: float) -> PointMm:
    """Where a frightened horse runs on open ground (LW-HORSE-09, section 5.8)."""
    dx, dy = horse[0] - attacker[0], horse[1] - attacker[1]
    away = math.hypot(dx, dy)
    if away <= 0.0:
        dx, dy, away = 1.0, 0.0, 1.0  # on the same spot any way is away
    return horse[0] + dx / away * far_mm, horse[1] + dy / away * far_mm


def winner(living: Mapping[str, int], conceded: Sequence[str] = ()) -> str | None:
    """The side that has won, ``"draw"``, or None while the game goes on (LW-WIN-01 to 04)."""
    left = [side for side, count in living.items() if count > 0 and side not in conceded]
    if len(left) > 1:
        return None
    return left[0] if left else "draw"
