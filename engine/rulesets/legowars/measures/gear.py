"""What a man wears and holds: ARMOR, hands, shots and prices (LW-ARM, LW-HAND, LW-EQP)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from engine.errors import Refused
from engine.memo import known_by
from engine.rulesets.legowars.data import Data, data
from engine.rulesets.legowars.settings import Settings

SHIELD: Final = "shield"
SPEAR: Final = "spear"
THROWN_SPEAR: Final = "throwing_spear"
BOW: Final = "bow"
QUIVER: Final = "quiver"
TORCH: Final = "torch"
LANCE: Final = "lance"
LADDER: Final = "ladder"
HEAVY: Final = ("ballista", "battering_ram", "catapult")


def weapons() -> tuple[str, ...]:
    """Things that are held as weapons, without the heavy ones."""
    return _weapons(data())


@known_by(4)
def _weapons(rules: Data) -> tuple[str, ...]:
    names = [weapon.item or name for name, weapon in rules.melee.items() if not weapon.heavy]
    names += [name for name, weapon in rules.ranged.items() if not weapon.heavy]
    found = dict.fromkeys([*names, THROWN_SPEAR])
    return tuple(name for name in found if name != "unarmed")


def things() -> tuple[str, ...]:
    """Everything a man can wear or hold."""
    return (*data().armor, *weapons(), QUIVER)


def hands_of(item: str, settings: Settings) -> int:
    """Hands a thing takes (LW-HAND-02, LW-HAND-03, LW-EQP-06)."""
    if item == SHIELD:
        return 1 if settings.shield_uses_hand else 0
    return 1 if item in weapons() else 0


def hands(items: Iterable[str], settings: Settings) -> int:
    """Hands that all things take together (LW-HAND-01)."""
    return sum(hands_of(item, settings) for item in items)


def armor(items: Iterable[str], settings: Settings) -> int:
    """ARMOR of a man with these things (LW-ARM-01, LW-ARM-05 to LW-ARM-07, LW-STAT-07)."""
    rules = data()
    worn = [item for item in items if item in rules.armor]
    torso = [rules.armor[item].bonus for item in worn if rules.armor[item].slot == "torso"]
    shields = min(worn.count(SHIELD), settings.max_shields)
    heads = [rules.armor[item].bonus for item in worn if rules.armor[item].slot == "head"]
    bonus = sum(torso) if settings.torso_armor == "add_all" else max(torso, default=0)
    bonus += max(heads, default=0) + shields * rules.armor[SHIELD].bonus
    return rules.creatures["man"].armor + bonus


def armor_span(settings: Settings) -> tuple[int, int]:
    """Least and most ARMOR a man can have (LW-ARM-08)."""
    everything = [*data().armor, *[SHIELD] * settings.max_shields]
    return armor((), settings), armor(everything, settings)


def horse_armor(items: Iterable[str]) -> int:
    """ARMOR of a horse (LW-HORSE-01, LW-EQP-02)."""
    rules = data()
    worn = {item for item in items if item in rules.other}
    return rules.creatures["horse"].armor + sum(rules.other[item].horse_armor for item in worn)


def price(item: str, settings: Settings) -> int:
    """Price of one thing (LW-COST-03: the table goes before the formula).

    A spear is priced once, a ladder as agreed (LW-WPN-06, LW-LADD-13, LW-EQP-01).

    Raises:
        Refused: There is no such thing.
    """
    rules = data()
    if item in (LANCE, "lance_foot", "lance_mounted"):
        return settings.lance_cost
    if item == LADDER:
        return int(settings.ladder_cost)
    if item in rules.creatures:
        return rules.creatures[item].cost
    found: list[int] = [
        table[name].cost
        for table, name in (
            (rules.armor, item),
            (rules.melee, item),
            (rules.ranged, SPEAR if item == THROWN_SPEAR else item),
            (rules.other, item),
        )
        if name in table
    ]
    if not found:
        raise Refused(f"{item!r} has no price", "LW-COST-01")
    return found[0]


def man_cost(items: Sequence[str], settings: Settings) -> int:
    """Price of a man with these things (LW-COST-01, LW-STAT-03)."""
    return price("man", settings) + sum(price(item, settings) for item in items)


def horse_cost(items: Sequence[str], settings: Settings) -> int:
    """Price of a horse with these things (LW-COST-02, LW-EQP-03)."""
    return price("horse", settings) + sum(price(item, settings) for item in items)


def shots(spears: int, bows: int, quiver: bool, fired: int) -> int | None:
    """Shots left, None without limit (LW-RNG-07 to LW-RNG-11)."""
    if bows and quiver:
        return None
    return max(0, spears + bows - fired)


def stabs(item: str, settings: Settings) -> bool:
    """Whether a thing is a melee weapon."""
    if item == THROWN_SPEAR:
        return settings.spear_priced_once
    return item in data().melee or item == LANCE


def throws(item: str, settings: Settings) -> bool:
    """Whether a thing can be thrown (LW-RNG-14: a spear does both)."""
    if item == THROWN_SPEAR:
        return data().ranged[SPEAR].thrown
    row = data().ranged.get(item)
    return row is not None and row.thrown and settings.spear_priced_once
