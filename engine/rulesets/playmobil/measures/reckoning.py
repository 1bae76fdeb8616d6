"""Charges, shots, chains, artillery, fire, waiting and the clock: plain reckoning."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from engine.geometry.interval import EXACT_MM
from engine.rulesets.playmobil.data import data
from engine.rulesets.playmobil.settings import Settings

NORMAL = "normal"
CANNON = "cannon"


def charge_turn(last: int | None, now: int, settings: Settings) -> bool:
    """Whether the own turn allows a charge (PM-CAV-07, PM-CAV-08, PM-TURN-07)."""
    if now < settings.charge_first_turn:
        return False
    return last is None or now >= last + data().whole("charge.every_turns")


def charge_length(length_mm: float, settings: Settings, tol_mm: float = 0.0) -> bool:
    """Whether a charge is as long as it may be (PM-CAV-03, PM-CAV-09)."""
    longest = settings.feet(data().numbers["charge.move_ft"])
    shortest = settings.feet(settings.charge_min_ft) - tol_mm
    return shortest - EXACT_MM <= length_mm <= longest + EXACT_MM


def charge_fault(
    last: int | None,
    now: int,
    *,
    engaged: bool,
    length_mm: float,
    attacks: bool,
    kind: str,
    settings: Settings,
    tol_mm: float = 0.0,
) -> str | None:
    """Why a charge is not legal, None when it is (PM-CAV-04, PM-CAV-06 to PM-CAV-09, PM-CAV-14).

    Args:
        last: Own turn of the last charge, None before the first.
        now: Own turn.
        engaged: An enemy was in reach at the start (PM-CAV-11).
        length_mm: Length of its way.
        attacks: It can attack at the end (PM-CAV-13).
        kind: ``melee``, ``missile`` (PM-ARCH-12) or ``throw``.
        settings: Options of the game.
        tol_mm: Tolerance of placing by hand.
    """
    if engaged:
        return "engaged"
    if not charge_turn(last, now, settings):
        return "every_three_turns"
    if not charge_length(length_mm, settings, tol_mm):
        return "too_far"
    if not attacks:
        return "no_attack"
    melee_only = kind == "missile" or (kind == "throw" and not settings.charge_throw)
    return "must_be_melee" if melee_only else None


def shots_left(shots: int, *, flamed: bool, stopped: bool, settings: Settings) -> int:
    """Arrows an archer may still shoot in this turn (PM-ARCH-04, PM-ARCH-05, PM-ARCH-07)."""
    if flamed or (stopped and settings.archery_stop_on_fail):
        return 0
    return max(0, data().whole("missiles.shots") - shots)


def goes_on(*, shots: int, cap: int, killed: bool, settings: Settings) -> bool:
    """Whether an archer may shoot again after a shot (PM-ARCH-04, PM-ARCH-05)."""
    return shots < cap and (killed or not settings.archery_stop_on_fail)


def in_circle(
    own_mm: float, links: Iterable[tuple[float, float, float]], range_mm: float, link_mm: float
) -> bool:
    """Whether the range allows a shot, own or lent (PM-CIRC-01 to PM-CIRC-04).

    Args:
        own_mm: Distance to the target.
        links: Of each comrade: gap to him, his distance to the target, range of his bow.
        range_mm: Range of the own bow.
        link_mm: Widest gap to a comrade that lends his range; it is not passed on.
    """
    if own_mm <= range_mm + EXACT_MM:
        return True
    return any(gap <= link_mm + EXACT_MM and far <= reach + EXACT_MM for gap, far, reach in links)


def artillery_points(kind: str, hits: Sequence[str]) -> int:
    """Damage points of some hits (PM-ART-07 to PM-ART-10); an engine takes one for each."""
    if kind not in ("elephant", "chariot"):
        return len(hits)
    return sum(data().whole(f"artillery.{hit}.{kind}") for hit in hits)


def artillery_destroys(kind: str, points: int, agreed: int) -> bool:
    """Whether so many points are enough (PM-ART-10, PM-SIEGE-06)."""
    limit = data().numbers.get(f"artillery.stands.{kind}", agreed)
    return points >= limit


def burned(fire_hits: int) -> bool:
    """Whether an engine burns down (PM-SIEGE-02); hits add up (PM-SIEGE-09)."""
    return fire_hits >= data().whole("siege.fire_hits")


def nearest(gaps: Sequence[float], rage_mm: float) -> tuple[int, ...]:
    """Whom an elephant without rider goes for (PM-ELE-03, PM-ELE-06, PM-ELE-07, PM-GEO-26).

    Returns:
        Indices of the nearest; several when they are as near as one another (PM-ELE-17).
    """
    near = [i for i, gap in enumerate(gaps) if gap <= rage_mm + EXACT_MM]
    if not near:
        return ()
    least = min(gaps[i] for i in near)
    same = data().numbers["elephant.same_mm"]
    return tuple(i for i in near if gaps[i] <= least + same + EXACT_MM)


def ready_turn(declared: int, *, attacked: bool, moved: bool) -> int | None:
    """Own turn in which a waiting man is ready, None when he was disturbed (PM-DIS-05, 06)."""
    return None if attacked or moved else declared + 1


def minutes(men: int, guns: int) -> int:
    """Minutes for a turn as in Little Wars (PM-TURN-08)."""
    rules = data()
    begun = math.ceil(men / rules.whole("clock.men_a_minute"))
    return begun + guns * rules.whole("clock.minutes_a_gun")


def wall_hits(material: str, *, slanted: bool) -> int:
    """Hits proposed for a wall (PM-WALL-02, PM-WALL-04)."""
    return data().whole(f"walls.{material}") + slanted * data().whole("walls.slanted")
