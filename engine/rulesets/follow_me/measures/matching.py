"""Pairs among figures in contact: as many as can be, close ones before others."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeAlias, TypeVar

Name = TypeVar("Name", bound=Hashable)
Cost: TypeAlias = tuple[float, ...]
"""Compared from the left; costs of several pairs add up place by place."""


def parts(edges: Iterable[tuple[str, str]]) -> list[list[str]]:
    """The connected parts of a graph, each sorted, in order of their first names."""
    near: dict[str, set[str]] = {}
    for a, b in edges:
        near.setdefault(a, set()).add(b)
        near.setdefault(b, set()).add(a)
    found: list[list[str]] = []
    seen: set[str] = set()
    for name in sorted(near):
        if name in seen:
            continue
        part, waiting = {name}, [name]
        while waiting:
            new = near[waiting.pop()] - part
            part |= new
            waiting += sorted(new)
        seen |= part
        found.append(sorted(part))
    return found


def two_sided(edges: Mapping[tuple[str, str], float]) -> dict[str, str]:
    """The largest set of pairs between two sides with the least sum of gaps, then low names.

    Augments along the cheapest way until no way is left (successive shortest paths).

    Args:
        edges: Gap by pair, first the figure of one side, then that of the other.

    Returns:
        Partner of each matched figure, both ways.
    """
    order = {name: i for i, name in enumerate(sorted({n for pair in edges for n in pair}))}
    cost = {(a, b): (gap, float((order[a] + 1) * (order[b] + 1))) for (a, b), gap in edges.items()}
    left = sorted({a for a, _ in edges}, key=order.__getitem__)
    partner: dict[str, str] = {}
    while True:
        way = _cheapest_way(left, cost, partner)
        if way is None:
            return partner
        for a, b in way:
            partner[a], partner[b] = b, a


def _cheapest_way(
    left: Sequence[str], cost: Mapping[tuple[str, str], Cost], partner: Mapping[str, str]
) -> list[tuple[str, str]] | None:
    """Pairs to be made along the cheapest way from a free figure to a free one."""
    nothing: Cost = (0.0, 0.0)
    best: dict[str, tuple[Cost, list[tuple[str, str]]]] = {
        a: (nothing, []) for a in left if a not in partner
    }
    ends: dict[str, tuple[Cost, list[tuple[str, str]]]] = {}
    for _ in range(len(left) + 1):
        changed = False
        for (a, b), price in sorted(cost.items()):
            if a not in best or partner.get(a) == b:
                continue
            so_far, way = best[a]
            if any(b == other for _, other in way):
                continue
            total = _sum(so_far, price)
            if b not in partner:
                if b not in ends or total < ends[b][0]:
                    ends[b] = (total, [*way, (a, b)])
                continue
            on = partner[b]
            back = _less(total, cost[(on, b)])
            if on not in best or back < best[on][0]:
                best[on] = (back, [*way, (a, b)])
                changed = True
        if not changed:
            break
    return min(ends.values(), key=lambda end: end[0], default=(nothing, None))[1]


def best_pairs(edges: Mapping[tuple[str, str], tuple[bool, float]]) -> list[tuple[str, str]]:
    """Among any number of sides the most pairs, then the most that were named, then near ones.

    Args:
        edges: By pair whether one named the other, and their gap.

    Returns:
        Pairs in order of their names.
    """
    found: list[tuple[str, str]] = []
    for part in parts(edges):
        inside = {pair: edges[pair] for pair in edges if pair[0] in part}
        found += _search(tuple(part), inside)[1]
    return sorted(found)


def _search(
    free: tuple[str, ...], edges: Mapping[tuple[str, str], tuple[bool, float]]
) -> tuple[tuple[int, int, float], list[tuple[str, str]]]:
    """Score (pairs, named ones, minus the gaps) and pairs of the best choice among the free."""
    memo: dict[tuple[str, ...], tuple[tuple[int, int, float], list[tuple[str, str]]]] = {}

    def best(names: tuple[str, ...]) -> tuple[tuple[int, int, float], list[tuple[str, str]]]:
        if not names:
            return (0, 0, 0.0), []
        if names in memo:
            return memo[names]
        first, rest = names[0], names[1:]
        top: tuple[tuple[int, int, float], list[tuple[str, str]]] = ((-1, 0, 0.0), [])
        for other in rest:
            pair = (first, other) if (first, other) in edges else (other, first)
            if pair not in edges:
                continue
            named, gap = edges[pair]
            score, pairs = best(tuple(name for name in rest if name != other))
            whole = (score[0] + 1, score[1] + named, round(score[2] - gap, 6))
            if whole > top[0]:
                top = (whole, [pair, *pairs])
        alone = best(rest)
        memo[names] = alone if alone[0] > top[0] else top
        return memo[names]

    return best(free)


def _sum(a: Cost, b: Cost) -> Cost:
    return tuple(round(x + y, 6) for x, y in zip(a, b, strict=True))


def _less(a: Cost, b: Cost) -> Cost:
    return tuple(round(x - y, 6) for x, y in zip(a, b, strict=True))
