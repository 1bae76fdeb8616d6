"""Dice of an attack: how many, what hits, what hits do, and the odds (DZ-MEL, RNG, HIT, DMG)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import comb

from engine.rulesets.deathzap.data import FighterClass, MightLine, data

NONE = "none"
STUNNED = "stunned"
WOUNDED = "wounded"
KILLED = "killed"


def need(a: int, t: int) -> int:
    """Lowest face with which Might ``a`` hits Might ``t`` (DZ-HIT-01 to DZ-HIT-05).

    Whole numbers are compared, nothing is rounded (DZ-HIT-09).
    """
    return next(line.need for line in data().might_table if _applies(line, a, t))


def _applies(line: MightLine, a: int, t: int) -> bool:
    left, right = line.a * a, line.t * t
    return {
        "at_least": left >= right,
        "above": left > right,
        "equal": left == right,
        "anything": True,
    }[line.relation]


def melee_dice(kind: FighterClass, boost: int = 0) -> int:
    """Dice of a blow (DZ-MEL-02, DZ-MEL-03), a boost included (DZ-BST-01).

    The Gunslinger's and the Mech's fourth die is for shots only (DZ-RNG-09).
    """
    return kind.melee_dice + boost * data().boost_dice


def ranged_dice(kind: FighterClass, *, close: bool = False, boost: int = 0) -> int | None:
    """Dice of a shot (DZ-RNG-02 to DZ-RNG-04), None for a class without (DZ-RNG-01).

    Args:
        kind: Class of the shooter.
        close: The target is as near as a Gunslinger likes it.
        boost: Boosts before it.
    """
    if kind.ranged_dice is None:
        return None
    dice = kind.ranged_dice
    if close and kind.ranged_dice_close is not None:
        dice = kind.ranged_dice_close
    return dice + boost * data().boost_dice


def is_hit(face: int, needed: int, mod: int = 0, always: Iterable[int] = ()) -> bool:
    """Whether one die hits.

    The natural face is judged first (DZ-HIT-06, DZ-SNI-01), then the die with what is added to it
    (DZ-HIT-07); a 1 has no rule of its own (DZ-HIT-08). A Sniper so has the better of both
    (DZ-SNI-02), and nothing spoils its natural faces (DZ-SNI-03).
    """
    return face == data().always_hits or face in tuple(always) or face + mod >= needed


def count_hits(faces: Iterable[int], needed: int, mod: int = 0, always: Iterable[int] = ()) -> int:
    """Dice that hit (DZ-MEL-04, DZ-RNG-05)."""
    faces_always = tuple(always)
    return sum(is_hit(face, needed, mod, faces_always) for face in faces)


def result(hits: int, *, wounded: bool = False) -> str:
    """What the hits of one attack do (DZ-DMG-01 to DZ-DMG-07); attacks never add up (DZ-DMG-08).

    Args:
        hits: How many.
        wounded: The target was wounded before (DZ-DMG-04).
    """
    rules = data()
    if hits >= rules.killed_hits or (wounded and hits >= rules.wounded_hits):
        return KILLED
    if hits >= rules.wounded_hits:
        return WOUNDED
    return STUNNED if hits >= rules.stunned_hits else NONE


def modifier(*, partly_hidden: bool, defending: bool) -> int:
    """What is added to every die; both add up (DZ-VIS-01, DZ-DEF-02, DZ-HIT-07).

    Defending helps against blows and shots alike (DZ-DEF-03).
    """
    return partly_hidden * data().partly_hidden + defending * data().defending


def p_hit(needed: int, mod: int = 0, always: Iterable[int] = ()) -> Fraction:
    """Chance of one die to hit."""
    faces = range(1, data().dice_sides + 1)
    return Fraction(count_hits(faces, needed, mod, always), len(faces))


def p_at_least(hits: int, dice: int, p: Fraction) -> Fraction:
    """Chance of so many hits or more with so many dice."""
    chances = (comb(dice, k) * p**k * (1 - p) ** (dice - k) for k in range(hits, dice + 1))
    return sum(chances, Fraction(0))


def p_kill(dice: int, needed: int, mod: int = 0, always: Iterable[int] = ()) -> Fraction:
    """Chance to kill a target that is not wounded (DZ-DMG-03)."""
    return p_at_least(data().killed_hits, dice, p_hit(needed, mod, always))


def p_wound(dice: int, needed: int, mod: int = 0, always: Iterable[int] = ()) -> Fraction:
    """Chance of at least a wound (DZ-DMG-02)."""
    return p_at_least(data().wounded_hits, dice, p_hit(needed, mod, always))
