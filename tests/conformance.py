"""Random legal games of a rule system for as long as wanted.

    python -m tests.conformance ID --minutes 30 --first 1000

Each game is one of the system's own random test, with a seed of its own, in a forked child; a
fault is told with its seed and does not end the run.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import time
from dataclasses import asdict, dataclass

from tests.forked import in_child

LONGEST_S = 600.0


@dataclass(slots=True)
class Tally:
    """What a run came to; ``ended`` counts games with an outcome, ``faults`` names seeds."""

    ruleset: str
    games: int = 0
    turns: int = 0
    inputs: int = 0
    ended: int = 0
    cpu_s: float = 0.0
    faults: list[int] | None = None


def main() -> int:
    """Play until the time is over; the tally goes to stdout as one line of JSON."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance", description=__doc__)
    parser.add_argument("ruleset")
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--first", type=int, default=1000, help="seed of the first game")
    asked = parser.parse_args()
    play = importlib.import_module(f"tests.engine.{asked.ruleset}.test_random").legal_game
    tally = Tally(asked.ruleset, faults=[])
    until = time.monotonic() + 60.0 * asked.minutes
    seed = asked.first
    while time.monotonic() < until:
        played = in_child(lambda seed=seed: _told(play(seed)), LONGEST_S)
        tally.games += 1
        tally.cpu_s = round(tally.cpu_s + played.cpu_s, 1)
        if played.ended:
            turns, inputs, ended = played.answer
            tally.turns += turns
            tally.inputs += inputs
            tally.ended += ended
        else:
            tally.faults.append(seed)
            print(f"fault: {asked.ruleset} seed {seed}", file=sys.stderr, flush=True)
        seed += 1
    print(json.dumps(asdict(tally)))
    return 1 if tally.faults else 0


def _told(game) -> tuple[int, int, bool]:
    return game.state.turn, len(game.inputs), game.state.outcome is not None


if __name__ == "__main__":
    sys.exit(main())
