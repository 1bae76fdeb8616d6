"""How long options take: ``python -m tests.benchmarks.options``.

Forty figures among thirty pieces of terrain. ``side`` is a whole side of twenty, ``one`` a side of
one among thirty-nine enemies, put where each of the twenty would stand, and the median of them
(``one_worst``: the slowest); ``cold`` forgets everything, ``known`` keeps what belongs to terrain
and to others, ``again`` is the same table asked a second time.
"""

from __future__ import annotations

import json
import statistics
import sys
from time import process_time

from tests.benchmarks.crowd import GAMES, MEN
from tests.engine.tables import Game

TIMES = 5
TERRAIN = {
    "_ground", "blocked_ground", "without_stairs", "_tops", "_edges", "outline",
    "cliffs", "forbidden", "surfaces", "walls", "_at_or_over", "_grown", "_outline",
    "wide", "_piece", "data",
}  # fmt: skip
"""Caches of what belongs to the terrain, to where others stand or to the data files."""


def forget(keep: frozenset[str] = frozenset({"data"})) -> None:
    """Empty every cache of the engine but those named."""
    for name, module in list(sys.modules.items()):
        if name.startswith("engine"):
            for one in list(vars(module).values()):
                if hasattr(one, "cache_clear") and one.__name__ not in keep:
                    one.cache_clear()


def taken_ms(game: Game, keep: frozenset[str] | None) -> float:
    """Median time of asking for options, in ms of processor time."""
    ruleset, state, table = game.referee.ruleset, game.state, game.table()
    ruleset.options(state, table)
    taken = []
    for _ in range(TIMES):
        if keep is not None:
            forget(keep)
        start = process_time()
        ruleset.options(state, table)
        taken.append(1000.0 * (process_time() - start))
    return statistics.median(taken)


def main() -> None:
    """Print one line of JSON for each rule system named, or for all."""
    kept = frozenset(TERRAIN)
    for name in sys.argv[1:] or GAMES:
        side = GAMES[name](MEN, MEN)
        ones = [GAMES[name](1, 2 * MEN - 1, lone) for lone in range(MEN)]
        known = [taken_ms(one, kept) for one in ones]
        told = {
            "rules": name,
            "side_cold_ms": taken_ms(side, frozenset({"data"})),
            "side_known_ms": taken_ms(side, kept),
            "side_again_ms": taken_ms(side, None),
            "one_known_ms": statistics.median(known),
            "one_worst_ms": max(known),
            "one_again_ms": statistics.median(taken_ms(one, None) for one in ones),
        }
        print(json.dumps({k: v if isinstance(v, str) else round(v, 1) for k, v in told.items()}))


if __name__ == "__main__":
    main()
