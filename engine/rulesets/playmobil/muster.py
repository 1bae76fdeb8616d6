"""Forces as lists, before there are figures on the table (PM-PREP)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.armies.playmobil import RIDER, THROWN, carried
from engine.drill import Drill
from engine.errors import Refused
from engine.rulesets.playmobil.data import data
from engine.rulesets.playmobil.equipping import balance
from engine.rulesets.playmobil.game import Playmobil
from engine.rulesets.playmobil.marks import BOWS, men
from engine.state import OptionValue


def muster(
    entries: Sequence[Mapping[str, object]], options: Mapping[str, OptionValue]
) -> tuple[int | None, tuple[tuple[str, str], ...]]:
    """No points, since the rules have none (PM-PREP-02), and errors of a force.

    Args:
        entries: ``kind`` of each figure, its troop type, and ``items``: a bow, a kind of piece,
            ``torch``, ``lance``, one ``javelin`` for each weapon to throw, one ``rider`` for each
            man on an elephant.
        options: Those that differ from their default.

    Raises:
        Refused: A troop type, a thing or an option is unknown, or a figure has Might.
    """
    drill, errors = _set_up(entries, options)
    if not any(men(drill.state, drill.side)):
        errors.append(("PM-END-01", "A side without men has lost before it begins."))
    return None, tuple(dict.fromkeys(errors))


def totals(
    entries: Sequence[Mapping[str, object]], options: Mapping[str, OptionValue]
) -> dict[str, int]:
    """Men, attacking and defending dice, by which two forces are compared (PM-PREP-02)."""
    drill, _ = _set_up(entries, options)
    return balance(drill.state, drill.side)


def _set_up(
    entries: Sequence[Mapping[str, object]], options: Mapping[str, OptionValue]
) -> tuple[Drill, list[tuple[str, str]]]:
    drill = Drill(Playmobil(), options, len(entries))
    errors: list[tuple[str, str]] = []
    for i, entry in enumerate(entries):
        kind, items = _known(entry)
        name = str(entry["name"]) or data().types[kind].words
        figure_id = str(i + 1)
        drill.do("join", figure_id, drill.side)
        for wish in (("type", kind, None), *carried(items)):
            try:
                drill.do(wish[0], figure_id, wish[1], wish[2])
            except Refused as refused:
                errors.append((refused.rule or "PM-PREP-08", f"{name}: {refused.reason}."))
                if wish[0] == "type":
                    break
    return drill, errors


def _known(entry: Mapping[str, object]) -> tuple[str, tuple[str, ...]]:
    """Troop type and things, all of them words of the rules."""
    kind = str(entry["kind"])
    if kind not in data().types:
        raise Refused(f"{kind!r} is no troop type (known: {', '.join(data().types)})", "PM-PREP-08")
    if entry["might"] is not None:
        raise Refused("figures have a troop type, no Might", "PM-PREP-08")
    found = entry["items"]
    items = tuple(str(one) for one in found) if isinstance(found, tuple) else ()
    known = (*BOWS, *data().words["artillery.pieces"], "torch", "lance", *THROWN, RIDER)
    for item in items:
        if item not in known:
            raise Refused(f"{item!r} is no equipment (known: {', '.join(known)})", "PM-PREP-08")
    return kind, items
