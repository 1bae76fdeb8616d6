"""Fights of one against one or more: who fights whom, scores, margins and odds (FM-MELEE)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from engine.rulesets.follow_me.data import TroopType, data
from engine.rulesets.follow_me.measures.matching import parts, two_sided


@dataclass(frozen=True, slots=True)
class Fight:
    """One fighter against one or more enemies (FM-MELEE-01).

    Attributes:
        single: Who stands alone.
        many: His enemies.
    """

    single: str
    many: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """What the dice of a fight came to.

    Attributes:
        single: Score of the single fighter.
        many: Score of his enemies.
        margin: Difference, 0 or more.
        winner: ``single``, ``many`` or ``none``.
        outcome: ``tie``, ``push_single``, ``kill_single``, ``hit_single``, ``push_many``,
            ``kill_one`` or ``hit_one``.
    """

    single: int
    many: int
    margin: int
    winner: str
    outcome: str


def outnumbered(many: int) -> int:
    """Factor of one who fights so many (FM-MELEE-04)."""
    row = data().rows["melee.outnumbered"]
    return int(row[min(many, len(row)) - 1])


def resolve(
    single: TroopType,
    many: Sequence[TroopType],
    faces: tuple[int, int],
    mods: tuple[int, int] = (0, 0),
    victim: int = 0,
) -> Result:
    """Compare the scores of both sides of a fight (FM-MELEE-02 to 11, 16 to 24, FM-MAGE-03, 04).

    Args:
        single: Type of the single fighter.
        many: Types of his enemies; the best factor counts once.
        faces: Face of the single fighter, face of the others.
        mods: Further factors of each (FM-MELEE-25).
        victim: Index of the enemy the single fighter names.
    """
    mine = faces[0] + single.melee + outnumbered(len(many)) + mods[0]
    theirs = faces[1] + max(one.melee for one in many) + mods[1]
    margin = abs(mine - theirs)
    if margin < data().whole("melee.push_margin"):
        return Result(mine, theirs, margin, "none", "tie")
    won = mine > theirs
    loser = many[victim] if won else single
    return Result(
        mine, theirs, margin, "single" if won else "many",
        f"{fate(loser, margin)}_{_WHOM[won, fate(loser, margin)]}",
    )  # fmt: skip


_WHOM = {
    (True, "kill"): "one", (True, "hit"): "one", (True, "push"): "many",
    (False, "kill"): "single", (False, "hit"): "single", (False, "push"): "single",
}  # fmt: skip


def fate(loser: TroopType, margin: int) -> str:
    """``push``, ``kill`` or ``hit``, by the margin (FM-MELEE-06 to 10, FM-MELEE-22)."""
    if margin < loser.margin:
        return "push"
    return "hit" if loser.hits > 1 else "kill"


def odds(single: TroopType, many: Sequence[TroopType]) -> Mapping[str, Fraction]:
    """Chances over both dice."""
    faces = range(1, data().whole("dice.sides") + 1)
    won = dict.fromkeys(("single_wins", "many_win", "tie", "kills_one", "kills_single"), 0)
    for mine, theirs in product(faces, faces):
        found = resolve(single, many, (mine, theirs))
        won[{"single": "single_wins", "many": "many_win", "none": "tie"}[found.winner]] += 1
        won["kills_one"] += found.outcome in ("kill_one", "hit_one")
        won["kills_single"] += found.outcome in ("kill_single", "hit_single")
    return {name: Fraction(count, len(faces) ** 2) for name, count in won.items()}


def split(contacts: Mapping[tuple[str, str], float], sides: Mapping[str, str]) -> list[Fight]:
    """Split a brawl into fights (FM-MELEE-12 to 15, 27, 29, 30).

    Each figure takes part in one fight. In a part with two sides there are as many fights as can
    be, and whoever is left over joins the smallest one he can, so that a fight only grows on one
    side.

    Args:
        contacts: Gap by pair of hostile figures in contact.
        sides: Alliance of each figure.
    """
    found: list[Fight] = []
    for part in parts(contacts):
        inside = {pair: gap for pair, gap in contacts.items() if pair[0] in part}
        found += _fights(inside, sides)
    return found


def _fights(contacts: Mapping[tuple[str, str], float], sides: Mapping[str, str]) -> list[Fight]:
    names = sorted({name for pair in contacts for name in pair})
    alliances = sorted({sides[name] for name in names})
    gaps = {frozenset(pair): gap for pair, gap in contacts.items()}
    if len(alliances) == 2:
        first = alliances[0]
        edges = {(a, b) if sides[a] == first else (b, a): gap for (a, b), gap in contacts.items()}
        partner = two_sided(edges)
    else:
        partner = _closest(contacts)
    groups = {(name, other): [name] for name, other in partner.items() if name < other}
    # A pair is a fight; which of the two stands alone is only known when others have joined.
    joined: dict[tuple[str, str], dict[str, list[str]]] = {
        pair: {pair[0]: [], pair[1]: []} for pair in groups
    }
    for name in names:
        if name in partner:
            continue
        choices = [
            (len(joined[pair][enemy]), gaps[frozenset((name, enemy))], enemy, pair)
            for pair in joined
            for enemy, friend in (pair, pair[::-1])
            if frozenset((name, enemy)) in gaps
            and sides[name] == sides[friend]
            and not joined[pair][friend]
        ]
        if choices:
            _, _, enemy, pair = min(choices)
            joined[pair][enemy].append(name)
    return [_fight(pair, more) for pair, more in sorted(joined.items())]


def _fight(pair: tuple[str, str], more: Mapping[str, Sequence[str]]) -> Fight:
    a, b = pair
    if more[b]:
        return Fight(b, (a, *more[b]))
    return Fight(a, (b, *more[a]))


def _closest(contacts: Mapping[tuple[str, str], float]) -> dict[str, str]:
    """Pairs one after the other, the closest first (FM-MELEE-29)."""
    partner: dict[str, str] = {}
    for (a, b), _ in sorted(contacts.items(), key=lambda item: (item[1], item[0])):
        if a not in partner and b not in partner:
            partner[a], partner[b] = b, a
    return partner


def sizes(fights: Iterable[Fight]) -> list[list[int]]:
    """How many fight on each side, the smaller first, in rising order."""
    return sorted([1, len(fight.many)] for fight in fights)
