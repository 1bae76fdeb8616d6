"""Armies: what a list of figures costs, and what the rules hold against it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from engine.armies.lists import ArmyList
from engine.errors import Refused
from engine.rulesets import RULESETS, by_id
from engine.rulesets.deathzap import muster as deathzap
from engine.rulesets.figurslag import muster as figurslag
from engine.rulesets.follow_me import muster as follow_me
from engine.rulesets.legowars import muster as legowars
from engine.rulesets.playmobil import muster as playmobil
from engine.state import OptionValue

Facts: TypeAlias = tuple[int | None, tuple[tuple[str, str], ...]]
"""Points, None where the rules know none, and (rule id, what is wrong) of each error."""

Muster: TypeAlias = Callable[[Sequence[Mapping[str, object]], Mapping[str, OptionValue]], Facts]
"""Entries, and the options that differ from their default, to the facts of an army."""

Totals: TypeAlias = Callable[
    [Sequence[Mapping[str, object]], Mapping[str, OptionValue]], Mapping[str, int]
]
"""Entries and options to numbers by name."""

MUSTERS: Final[Mapping[str, Muster]] = {
    "figurslag": figurslag.muster,
    "deathzap": deathzap.muster,
    "playmobil": playmobil.muster,
    "legowars": legowars.muster,
    "follow_me": follow_me.muster,
}
"""By id of the rule set: a new one adds one line."""

TOTALS: Final[Mapping[str, Totals]] = {"playmobil": playmobil.totals}
"""What armies are compared by where the rules know no points, by id of the rule set."""

LIMITS: Final[Mapping[str, str]] = {
    "deathzap": "dz.points.standard",
    "legowars": "army_points",
}
"""The option that says how many points an army may cost, by id of the rule set."""


@dataclass(frozen=True, slots=True)
class Reckoned:
    """What there is to say about an army.

    Attributes:
        name: Of the army.
        figures: How many there are.
        points: What they cost; None where the rules know no points.
        errors: Rule id and what is wrong, in the order of the rules.
        totals: Numbers to compare it by, by name.
        limit: How many points it may cost, None without limit.
    """

    name: str
    figures: int
    points: int | None
    errors: tuple[tuple[str, str], ...]
    totals: tuple[tuple[str, int], ...] = ()
    limit: int | None = None


def reckon(ruleset_id: str, army: ArmyList) -> Reckoned:
    """Points and errors of an army.

    Args:
        ruleset_id: A key of :data:`MUSTERS`.
        army: The list.

    Raises:
        Refused: An entry or option is unknown to the rules, or the list is for others.
    """
    _see_meant_for(ruleset_id, army)
    entries = [
        {"name": one.name, "kind": one.kind, "might": one.might, "items": tuple(one.items)}
        for one in army.figures
        for _ in range(one.count)
    ]
    points, errors = MUSTERS[ruleset_id](entries, army.options)
    totals = TOTALS[ruleset_id](entries, army.options) if ruleset_id in TOTALS else {}
    limit = _limit(ruleset_id, army.options)
    return Reckoned(army.name, len(entries), points, errors, tuple(totals.items()), limit)


def _see_meant_for(ruleset_id: str, army: ArmyList) -> None:
    """A list does not say its rules, but an option that one other game alone has tells them.

    Raises:
        Refused: It is a list for another game.
    """
    ruleset = by_id(ruleset_id)
    for key in army.options:
        having = [
            one.info for one in RULESETS if any(option.key == key for option in one.info.options)
        ]
        if ruleset is not None and len(having) == 1 and having[0].id != ruleset_id:
            other, own = (one.title.partition(" (")[0] for one in (having[0], ruleset.info))
            told = f"this is a list for {other}, not for {own}"
            raise Refused(f"{told}: {key} is an option of {other}")


def _limit(ruleset_id: str, options: Mapping[str, OptionValue]) -> int | None:
    """Points an army may cost, as agreed or as usual."""
    key, ruleset = LIMITS.get(ruleset_id), by_id(ruleset_id)
    if key is None or ruleset is None:
        return None
    usual = {option.key: option.default for option in ruleset.info.options}
    most = options.get(key, usual.get(key))
    return int(most) if isinstance(most, int | float) else None
