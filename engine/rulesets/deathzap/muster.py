"""Warbands as lists, before there are figures on the table (DZ-WB)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.errors import Refused
from engine.rulesets.deathzap.data import data
from engine.rulesets.deathzap.game import Deathzap
from engine.rulesets.deathzap.measures.bands import faults
from engine.rulesets.deathzap.setting_up import FAULT_CODES
from engine.rulesets.deathzap.settings import settings_of
from engine.state import OptionValue


def muster(
    entries: Sequence[Mapping[str, object]], options: Mapping[str, OptionValue]
) -> tuple[int | None, tuple[tuple[str, str], ...]]:
    """Points and errors of a warband; a fighter costs its Might (DZ-WB-05).

    Args:
        entries: ``kind`` and ``might`` of each fighter.
        options: Those that differ from their default.

    Raises:
        Refused: A class or an option is unknown, or a fighter holds things.
    """
    settings = settings_of(Deathzap().begin(options, ()))
    fighters = []
    for entry in entries:
        kind, might = str(entry["kind"]), entry["might"]
        if kind not in data().classes:
            known = ", ".join(data().classes)
            raise Refused(f"{kind!r} is no class (known: {known})", "DZ-WB-02")
        if entry["items"]:
            raise Refused("fighters have a class, no items", "DZ-WB-02")
        fighters.append((kind, might if isinstance(might, int) else 0))
    flags = [data().flags[FAULT_CODES[name]] for name in faults(fighters, settings)]
    errors = tuple((flag.rule, flag.text) for flag in flags)
    return sum(might for _, might in fighters), errors
