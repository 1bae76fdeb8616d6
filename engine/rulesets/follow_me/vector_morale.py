"""Test vectors of morale."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, Final

from engine.rulesets.follow_me import vector_reading as read
from engine.rulesets.follow_me.measures import nerve
from engine.rulesets.follow_me.settings import Settings
from engine.vector_args import Given, Unsupported

_COUNTS: Final = ("commoners_this_turn", "nobles_this_turn", "nobles_earlier")
_NERVE: Final = tuple(field.name for field in fields(nerve.Nerve))


def test(args: Given, opts: Settings) -> dict[str, Any]:
    """Total and result of one test."""
    opts = replace(
        opts,
        morale_noble_game_includes_this_turn=args.truth(
            "noble_game_includes_this_turn", opts.morale_noble_game_includes_this_turn
        ),
        inspire_insult_cheers_own=args.truth("insult_cheers_own", opts.inspire_insult_cheers_own),
    )
    points = nerve.total(read.face(args, "roll"), _pressed(args), opts)
    return {"total": points, "result": nerve.result(points, opts)}


def chances(args: Given, opts: Settings) -> Mapping[str, Any]:
    """Chance of each result."""
    return nerve.chances(_pressed(args), opts)


def two_tests(args: Given, opts: Settings) -> dict[str, Any]:
    """Results of two tests in one turn, and the one that stands."""
    if "two_tests" in args.values:
        how = read.one_of(args, "two_tests", ("worse", "last", "first"))
        opts = replace(opts, morale_two_tests=how)
    before = read.one_of(args, "before", ("normal", "shaken", "falling_back", "running"))
    totals = []
    for key in ("fear", "end"):
        test = args.given(key, "roll", "f")
        totals.append(nerve.total(read.face(test, "roll"), _pressed(test), opts))
    fear, end = (nerve.result(points, opts) for points in totals)
    stands = nerve.stands(
        fear, end, running=before == "running", rallied=nerve.rallies(totals[1], opts),
        settings=opts,
    )  # fmt: skip
    return {"fear": fear, "end": end, "stands": stands}


def _pressed(args: Given) -> nerve.Nerve:
    """Everything that presses on a group; what is not written does not."""
    if "f" not in args.values:
        raise Unsupported("f is missing")
    told = args.given("f", *_NERVE)
    values: dict[str, Any] = {
        key: told.truth(key, False) for key in _NERVE if key not in (*_COUNTS, "other")
    }
    values |= {key: read.count(told, key) for key in _COUNTS if key in told.values}
    values["other"] = told.whole("other") if "other" in told.values else 0
    return nerve.Nerve(**values)
