"""Warbands, actions and morale: plain arithmetic (DZ-WB, AP, MORALE)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from engine.rulesets.deathzap.data import data
from engine.rulesets.deathzap.settings import Settings

BASIC = "basic"
RARE = "rare"


def faults(fighters: Sequence[tuple[str, int]], settings: Settings) -> list[str]:
    """What is wrong with a warband, in the order points, count, basic, rare, might.

    Args:
        fighters: Class and Might of each; the cost of a fighter is its Might (DZ-WB-05).
        settings: Options of the game.
    """
    rules = data()
    total = sum(might for _, might in fighters)
    tiers = [rules.classes[name].tier for name, _ in fighters]
    over = total != settings.points_standard if settings.points_exact else False
    # DZ-WB-06, DZ-WB-11, DZ-WB-14: up to the points agreed on. DZ-WB-07: ten at most.
    # DZ-WB-10: half of an odd number is rounded up. DZ-WB-09: two rare ones at most.
    wrong = {
        "points": over or total > settings.points_standard,
        "count": not 1 <= len(fighters) <= rules.max_fighters,
        "basic": rules.basic_share * tiers.count(BASIC) < len(fighters),
        "rare": tiers.count(RARE) > rules.rare_at_most,
        "might": any(might < rules.might_min for _, might in fighters),
    }
    return [name for name, is_wrong in wrong.items() if is_wrong]


def basic_needed(fighters: int) -> int:
    """Basic fighters a warband of that size needs (DZ-WB-08, DZ-WB-10)."""
    share = data().basic_share
    return -(-fighters // share)


def actions(*, stunned: bool) -> int:
    """Actions of an activation (DZ-AP-01, DZ-AP-02); stuns do not add up (DZ-AP-08)."""
    return data().actions_stunned if stunned else data().actions_normal


def morale(killed: int, left: int, roll_killer: int, roll_other: int) -> tuple[int, int, bool]:
    """Products of both players and whether the enemy breaks (DZ-MORALE-01 to DZ-MORALE-04).

    The killer's own losses do not matter (DZ-MORALE-08).

    Args:
        killed: Fighters the enemy has lost, the one just killed included (DZ-MORALE-05).
        left: Fighters the enemy has left, that one not included.
        roll_killer: Die of the killer's player.
        roll_other: Die of the enemy.
    """
    killer, other = roll_killer * killed, roll_other * left
    return killer, other, killer > other


def p_morale(killed: int, left: int) -> Fraction:
    """Chance that the enemy breaks."""
    faces = range(1, data().dice_sides + 1)
    broken = sum(morale(killed, left, a, b)[2] for a in faces for b in faces)
    return Fraction(broken, len(faces) ** 2)
