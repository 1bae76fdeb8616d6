"""What a move costs and whether it is legal (LW-MOVE, section 5.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.geometry.interval import EXACT_MM
from engine.rulesets.legowars.data import data
from engine.rulesets.legowars.measures.teams import movement_cm
from engine.rulesets.legowars.settings import Settings

TERRAIN: Final = "terrain"
DROP: Final = "drop"
BODY: Final = "body"
FRIEND: Final = "friend"
TOO_FAR: Final = "LW-FLAG-01"
DEAD: Final = "LW-FLAG-03"
NO_WAY: Final = "LW-FLAG-04"
NOT_ENOUGH: Final = "LW-FLAG-05"
OVERLAP: Final = "LW-FLAG-21"
_NEAR: Final = 1e-6


@dataclass(frozen=True, slots=True)
class Crossing:
    """Something met on the way.

    Attributes:
        at_cm: How far along the way.
        bricks: Its height over the mover's own surface, or the height of a drop.
        what: ``terrain``, ``friend``, ``enemy``, ``vehicle``, ``body`` or ``drop``.
    """

    at_cm: float
    bricks: float
    what: str = TERRAIN


@dataclass(frozen=True, slots=True)
class Journey:
    """What a move comes to.

    Attributes:
        cost_cm: Its whole cost, None when the way is closed.
        flag: What is wrong with it, ``""`` when it is legal.
        falls: It ends with a jump and a roll for the fall.
    """

    cost_cm: float | None
    flag: str
    falls: bool = False


def charge_cm(bricks: float, settings: Settings) -> float | None:
    """What crossing costs: nothing, the surcharge, or None when it is closed.

    LW-MOVE-03 to LW-MOVE-05, LW-MOVE-07.
    """
    rules = data()
    if bricks >= rules.number("obstacles", "blocked_from_bricks") - _NEAR:
        return None
    if bricks >= settings.obstacle_free_below_bricks - _NEAR and bricks > _NEAR:
        return rules.number("obstacles", "surcharge_cm")
    return 0.0


def judge(
    kind: str,
    path_cm: float,
    crossings: Sequence[Crossing],
    settings: Settings,
    *,
    limit_cm: float | None = None,
    end_overlap: bool = False,
) -> Journey:
    """Hold a move against the rules.

    Args:
        kind: ``man``, ``dead_man``, ``horse`` (ridden or not) or ``vehicle``.
        path_cm: Length of the way.
        crossings: What is met on it.
        settings: Options of the game.
        limit_cm: Allowance, that of the kind where it is left out.
        end_overlap: It ends on another base (LW-MOVE-10).
    """
    limit = limit_cm
    if limit is None:
        limit = movement_cm("man" if kind == "dead_man" else kind, settings)
    spent, short, falls = 0.0, False, False
    for one in sorted(crossings, key=lambda each: each.at_cm):
        if _jump(kind, one, path_cm, settings):
            falls = True
            continue
        toll = _toll(kind, one, settings)
        if toll is None:
            return Journey(None, NO_WAY)
        # LW-MOVE-06: the whole surcharge must be left at the obstacle; LW-MOVE-08: each time.
        short = short or (toll > 0.0 and limit - one.at_cm - spent < toll - _NEAR)
        spent += toll
    cost = path_cm + spent
    if kind == "dead_man":  # LW-STAT-09
        return Journey(cost, DEAD)
    if short:
        return Journey(cost, NOT_ENOUGH)
    if cost > limit + EXACT_MM:
        return Journey(cost, TOO_FAR)
    return Journey(cost, OVERLAP if end_overlap else "", falls)


def _jump(kind: str, one: Crossing, path_cm: float, settings: Settings) -> bool:
    """A jump ends the move; only men on foot jump (LW-MOVE-15)."""
    deep = one.bricks >= data().number("obstacles", "blocked_from_bricks") - _NEAR
    return (
        one.what == DROP
        and deep
        and kind in ("man", "dead_man")
        and settings.jump_down == "fall_roll"
        and one.at_cm >= path_cm - _NEAR
    )


def _toll(kind: str, one: Crossing, settings: Settings) -> float | None:
    if one.what == FRIEND:
        return 0.0 if settings.pass_friends and kind != "vehicle" else None
    if one.what == BODY:  # LW-MOVE-11
        return charge_cm(one.bricks, settings) if settings.bodies_are_obstacles else 0.0
    if one.what not in (TERRAIN, DROP):
        return None  # LW-MOVE-10: enemies and vehicles are walked round
    toll = charge_cm(one.bricks, settings)
    if kind == "vehicle" and one.bricks >= settings.vehicle_max_obstacle_bricks - _NEAR:
        return None  # LW-MOVE-14
    if one.what == DROP and toll is not None and not settings.charge_descent:
        return 0.0  # LW-MOVE-09
    return toll
