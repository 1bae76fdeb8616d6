"""Dice of an attack: how many, who wins, and the odds (PM-DICE, INF, ELE, GENL)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from engine.rulesets.playmobil.data import TroopType, data

FRONT = "front"
REAR = "rear"
MELEE = "melee"
MISSILE = "missile"


@dataclass(frozen=True, slots=True)
class Result:
    """What the dice of an attack came to.

    Attributes:
        attack: Score of the attacker.
        defend: Score of the defender.
        kill: The attacker wins.
    """

    attack: int
    defend: int
    kill: bool


def resolve(attack: Sequence[int], defend: Sequence[int], mod: int, compare: str) -> Result:
    """Compare the dice of both sides (PM-DICE-01 to PM-DICE-05).

    A tie goes to the attacker; scores may fall to 0 and below (PM-ARCH-09).

    Args:
        attack: Faces of the attacker.
        defend: Faces of the defender.
        mod: Added once to the score of the attacker (PM-ARCH-06).
        compare: ``highest``, ``sum`` or ``pairwise`` (PM-DICE-03).
    """
    if compare == "sum":
        a, d = sum(attack) + mod, sum(defend)
        return Result(a, d, a >= d)
    a, d = max(attack) + mod, max(defend)
    if compare == "pairwise":
        # The best die of the attacker carries what is added to his score.
        mine = [a, *sorted(attack, reverse=True)[1:]]
        theirs = sorted(defend, reverse=True)
        won = [x >= y for x, y in zip(mine, theirs, strict=False)]
        return Result(a, d, won.count(True) > won.count(False))
    return Result(a, d, a >= d)


def against_spears(opponent: TroopType | None) -> bool:
    """Whether spearmen have their bonus against it (PM-INF-05, PM-INF-07, PM-CHAR-13)."""
    return opponent is not None and opponent.kind in ("horse", "elephant")


def attack_dice(
    own: TroopType, opponent: TroopType | None = None, *, charge: bool = False, facing: bool = True
) -> int:
    """Dice of a blow (PM-INF-01 to PM-INF-06, PM-CAV-03, PM-ELE-01, PM-ELE-02, PM-CHAR-01).

    Archers have one hand to hand (PM-ARCH-01, PM-ARCH-02), a general two (PM-GENL-01).

    Args:
        own: Type of the attacker.
        opponent: Type of the defender.
        charge: The extra die of a charge counts (PM-CAV-12).
        facing: The attacker faced his target before he turned to strike (PM-INF-06).
    """
    rules = data()
    dice = own.a + charge * rules.whole("charge.dice")
    if own.spear and facing and against_spears(opponent):
        dice += rules.whole("spear.attack")
    return max(rules.whole("dice.least"), dice)


def defend_dice(
    own: TroopType,
    opponent: TroopType | None = None,
    *,
    arc: str = FRONT,
    mode: str = MELEE,
    cover: int = 0,
    agreed: int | None = None,
) -> int:
    """Dice of a defender (PM-DICE-06, PM-DICE-07, PM-FACE-01 to PM-FACE-03, PM-FACE-07).

    A mounted general has three (PM-GENL-02), a ram two (PM-SIEGE-04), a tower three
    (PM-SIEGE-05). Extra dice are added first; then the rear reduces them all to one. Engines
    have no rear (PM-FACE-10); elephants and chariots do (PM-ELE-19).

    Args:
        own: Type of the defender.
        opponent: Type of the attacker.
        arc: ``front`` or ``rear``.
        mode: ``melee`` or ``missile``: spears only help hand to hand (PM-INF-08).
        cover: Extra dice for being partly hidden (PM-ARCH-20).
        agreed: Dice agreed on for an engine (PM-SIEGE-07, PM-SIEGE-13).
    """
    rules = data()
    if own.kind == "engine":
        return own.d if agreed is None else agreed
    if arc == REAR:
        return rules.whole("facing.rear_dice")
    dice = own.d + cover
    if own.spear and mode == MELEE and against_spears(opponent):
        dice += rules.whole("spear.defend")
    return max(rules.whole("dice.least"), dice)


def odds(attackers: int, defenders: int, mod: int = 0, compare: str = "highest") -> Fraction:
    """Chance of the attacker (PM-DICE-08)."""
    if compare == "highest":
        return _best_of(attackers, defenders, mod)
    faces = range(1, data().whole("dice.sides") + 1)
    won = total = 0
    for a in product(faces, repeat=attackers):
        for d in product(faces, repeat=defenders):
            won += resolve(a, d, mod, compare).kill
            total += 1
    return Fraction(won, total)


def _best_of(attackers: int, defenders: int, mod: int) -> Fraction:
    sides = data().whole("dice.sides")
    chance = Fraction(0)
    for best in range(1, sides + 1):
        mine = Fraction(best**attackers - (best - 1) ** attackers, sides**attackers)
        at_most = min(sides, max(0, best + mod))
        chance += mine * Fraction(at_most**defenders, sides**defenders)
    return chance


def double_strike(
    attack: Sequence[int], defenders: Sequence[Sequence[int]], mode: str, compare: str = "highest"
) -> tuple[list[bool], bool]:
    """Who of two men dies by one strike of a chariot, and whether it may go on (PM-CHAR-03).

    Args:
        attack: Faces of the chariot, rolled once.
        defenders: Faces of each man.
        mode: ``each`` or ``both_or_none``.
        compare: How several dice are compared.
    """
    kills = [resolve(attack, faces, 0, compare).kill for faces in defenders]
    if mode == "both_or_none" and not all(kills):
        kills = [False] * len(kills)
    return kills, all(kills)
