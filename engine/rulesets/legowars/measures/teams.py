"""How fast a team pulls a vehicle (LW-VEH-01 to LW-VEH-08)."""

from __future__ import annotations

from engine.rulesets.legowars.data import data
from engine.rulesets.legowars.settings import Settings


def movement_cm(kind: str, settings: Settings) -> float:
    """MOVEMENT of a man or a horse (LW-STAT-05, LW-HORSE-01, LW-HORSE-05)."""
    if kind == "man":
        return float(settings.man_movement_cm)
    return data().creatures["horse"].movement_cm


def horses_needed(wheels: int, settings: Settings) -> int:
    """Horses a vehicle needs (LW-VEH-02), at least one."""
    per = data().whole("vehicle", "wheels_per_horse")
    rounded = wheels // per if settings.odd_wheels == "round_down_min_1" else -(-wheels // per)
    return max(1, rounded)


def team_speed(wheels: int, horses: int, men: int, settings: Settings) -> float:
    """Centimetres a vehicle can be moved in a turn (LW-VEH-08).

    It goes at part of the speed of its team, slower with each horse missing (LW-VEH-05,
    LW-VEH-06). A leftover of less than a group of men counts nothing and slows nothing (LW-VEH-04).
    """
    needed = horses_needed(wheels, settings)
    groups = men // settings.men_per_horse  # LW-VEH-03
    if horses + groups <= 0:
        return 0.0  # LW-VEH-01
    slow = groups > 0
    if horses >= needed and not settings.surplus_pullers_slow:
        slow = False
    kinds = (["horse"] if horses else []) + (["man"] if slow or not horses else [])
    lowest = min(movement_cm(kind, settings) for kind in kinds)  # LW-VEH-07
    missing = max(0, needed - horses - groups)
    speed = lowest / data().number("vehicle", "speed_divisor")
    return float(speed * settings.vehicle_missing_factor**missing)
