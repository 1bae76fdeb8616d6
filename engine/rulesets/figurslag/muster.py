"""Teams as lists, before there are models on the table (FS-SET)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.errors import Refused
from engine.rulesets.figurslag.data import data
from engine.rulesets.figurslag.game import Figurslag, settings_of
from engine.rulesets.figurslag.measures.teams import roster
from engine.state import OptionValue


def muster(
    entries: Sequence[Mapping[str, object]], options: Mapping[str, OptionValue]
) -> tuple[int | None, tuple[tuple[str, str], ...]]:
    """No points, since the rules have none, and errors of a team (FS-FLAG-13).

    Args:
        entries: ``items`` of each model: its weapons.
        options: Those that differ from their default.

    Raises:
        Refused: A weapon or an option is unknown, or a model has a class.
    """
    settings = settings_of(Figurslag().begin(options, ()))
    for entry in entries:
        if entry["kind"] or entry["might"] is not None:
            raise Refused("models have weapons only, as items", "FS-SET-02")
    weapons = [tuple(str(item) for item in _items(entry)) for entry in entries]
    if roster(weapons, settings):
        return None, ()
    flag = data().items["FS-FLAG-13"]
    return None, (("FS-FLAG-13", flag.text),)


def _items(entry: Mapping[str, object]) -> Sequence[object]:
    items = entry["items"]
    return items if isinstance(items, tuple) else ()
