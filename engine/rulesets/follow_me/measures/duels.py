"""Duels of heroes: signs, and who fights whom (FM-HERO)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from engine.rulesets.follow_me.measures.matching import best_pairs, parts

BEATS: Final = {"stone": "scissors", "scissors": "paper", "paper": "stone"}
"""Each sign and the one it beats."""


def wins(rounds: Iterable[tuple[str, str]]) -> tuple[int, int]:
    """Rounds won by each; equal signs count for nobody (FM-HERO-04, FM-HERO-07)."""
    first = second = 0
    for a, b in rounds:
        first += BEATS[a] == b
        second += BEATS[b] == a
    return first, second


def hit_on(won: tuple[int, int]) -> int | None:
    """0 or 1 for who takes the hit, None for nobody (FM-HERO-05)."""
    if won[0] == won[1]:
        return None
    return 1 if won[0] > won[1] else 0


def pairs(
    contacts: Mapping[tuple[str, str], float],
    named: Sequence[tuple[str, str]],
    how: str = "as_many_as_possible",
) -> tuple[list[tuple[str, str]], list[str]]:
    """Who duels with whom, and who looks on (FM-HERO-03, 09, 13, 14, 17, 19).

    Args:
        contacts: Gap by pair of opposing heroes or big things in contact.
        named: Who named whom with Hit Someone.
        how: ``as_many_as_possible`` or ``one_per_knot``.

    Returns:
        Pairs in order of names, and the others in order of names.
    """
    called = {frozenset(pair) for pair in named}
    edges = {pair: (frozenset(pair) in called, gap) for pair, gap in contacts.items()}
    if how == "one_per_knot":
        found = sorted(
            min(
                (pair for pair in edges if pair[0] in part),
                key=lambda pair: (not edges[pair][0], edges[pair][1], pair),
            )
            for part in parts(edges)
        )
    else:
        found = best_pairs(edges)
    fighting = {name for pair in found for name in pair}
    return found, sorted({name for pair in contacts for name in pair} - fighting)
