"""Companies as lists, before there are figures on the table (FM-SET-02 to 05, FM-MAGE-11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from engine.armies.follow_me import WEAPONS
from engine.errors import Refused
from engine.rulesets.follow_me.data import TroopType, data
from engine.rulesets.follow_me.game import FollowMe
from engine.rulesets.follow_me.settings import Settings, settings_of
from engine.state import OptionValue


@dataclass(slots=True)
class _Company:
    """A hero and the men who are listed after him."""

    name: str
    men: int = 0
    spells: list[str] = field(default_factory=list)
    mage: bool = False


def muster(
    entries: Sequence[Mapping[str, object]], options: Mapping[str, OptionValue]
) -> tuple[int | None, tuple[tuple[str, str], ...]]:
    """No points, since the rules have none, and errors of a list.

    Followers belong to the hero listed before them; Giants and Dragons to nobody.

    Args:
        entries: ``kind`` of each figure; a hero's bow or crossbow and a mage's spells as ``items``.
        options: Those that differ from their default.

    Raises:
        Refused: A type, an item or an option is unknown, or a figure has a might.
    """
    settings = settings_of(FollowMe().begin(options, ()))
    companies: list[_Company] = []
    errors: list[tuple[str, str]] = []
    for entry in entries:
        kind, items = _read(entry, settings)
        if kind.hero:
            known = [item for item in items if item not in WEAPONS]
            name = str(entry["name"]) or kind.words
            companies.append(_Company(name, spells=known, mage=kind.mage))
        elif not kind.big_thing:
            if companies:
                companies[-1].men += 1
            else:
                errors.append(("FM-SET-03", f"a {kind.words} is listed before any hero"))
    if not companies:
        errors.append(("FM-SET-02", "there is no hero"))
    for company in companies:
        errors += _faults(company, settings)
    return None, tuple(sorted(set(errors)))


def _faults(company: _Company, settings: Settings) -> list[tuple[str, str]]:
    """What is odd about one company."""
    rules, found = data(), []
    fewest, most = rules.whole("setup.fewest"), rules.whole("setup.most")
    if not fewest <= company.men <= most:
        text = f"{company.name} leads {company.men}; {fewest} to {most} are suggested"
        found.append(("FM-SET-04", text))
    wanted = rules.whole("mage.known") if settings.modules_spells else 0
    if company.mage and len(set(company.spells)) != wanted:
        found.append(
            ("FM-MAGE-11", f"{company.name} knows {len(company.spells)} of {wanted} spells")
        )
    return found


def _read(entry: Mapping[str, object], settings: Settings) -> tuple[TroopType, tuple[str, ...]]:
    """Type and items of one figure."""
    rules, name, items = data(), str(entry["kind"]), entry["items"]
    kind = rules.types.get(name)
    if kind is None:
        raise Refused(f"{name!r} is no type (known: {', '.join(rules.types)})", "FM-SET-06")
    if kind.mage and not settings.modules_mages:
        raise Refused("mages are not in use", "FM-GEN-12")
    if entry["might"] is not None:
        raise Refused("figures have a type, no might", "FM-SET-06")
    held = tuple(str(item) for item in items) if isinstance(items, tuple) else ()
    for item in held:
        if item in WEAPONS and kind.hero:
            continue
        if item in rules.spells and kind.mage:
            continue
        raise Refused(f"a {kind.words} has no {item!r}", "FM-MAGE-11" if kind.mage else "FM-SET-12")
    return kind, held
