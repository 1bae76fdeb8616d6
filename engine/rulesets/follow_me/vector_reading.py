"""Arguments of test vectors as troop types, faces, places and footprints; all are checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from engine.rulesets.follow_me.data import Spell, TroopType, data
from engine.rulesets.follow_me.measures import duels, lengths
from engine.rulesets.follow_me.settings import Settings
from engine.table import PointMm, Terrain
from engine.vector_args import Given, Unsupported

ALIASES: Final[Mapping[str, str]] = {
    "hero": "hero_foot_light", "hero_mounted": "hero_horse_armoured",
}  # fmt: skip
"""Names of the vectors for heroes where their kinds do not differ."""
MOST: Final = 60


def on(args: Given, opts: Settings) -> Settings:
    """The settings for the table a vector names."""
    return replace(opts, contact_tol_mm=one_of(args, "table", tuple(data().contact_tol_mm)))


def scaled(args: Given, opts: Settings) -> Settings:
    """The settings with the factor a vector names."""
    factor = args.number("factor")
    if factor <= 0.0:
        raise Unsupported("a factor is more than 0")
    return replace(opts, factor=factor)


def kind(args: Given, key: str) -> TroopType:
    """A troop type."""
    return named_kind(args.text(key))


def named_kind(name: str) -> TroopType:
    """A troop type by name."""
    found = data().types.get(ALIASES.get(name, name))
    if found is None:
        raise Unsupported(f"{name} is no troop type")
    return found


def fighter(name: str) -> TroopType:
    """A troop type that fights hand to hand."""
    found = named_kind(name)
    if not found.fights:
        raise Unsupported(f"a {found.words} does not fight")
    return found


def mortal(args: Given, key: str) -> TroopType:
    """A troop type that can be hurt."""
    found = kind(args, key)
    if not found.hits:
        raise Unsupported(f"a {found.words} cannot be hurt")
    return found


def spell(name: str) -> Spell:
    """A spell by its spoken name, with or without the exclamation mark."""
    for found in data().spells.values():
        if name in (found.name, found.name.removesuffix("!")):
            return found
    raise Unsupported(f"{name} is no spell")


def count(args: Given, key: str, least: int = 0) -> int:
    """A whole number of a likely size."""
    value = args.whole(key)
    if not least <= value <= (MOST if least else 10_000):
        raise Unsupported(f"{key} is out of all proportion")
    return value


def turn(args: Given, key: str) -> int:
    """The number of a turn, or of turns."""
    value = args.whole(key)
    if value < 1:
        raise Unsupported(f"{key} begins with 1")
    return value


def face(args: Given, key: str) -> int:
    """A face of the die."""
    value = args.whole(key)
    if not 1 <= value <= data().whole("dice.sides"):
        raise Unsupported(f"{key} is no face of a die")
    return value


def faces(name: str, values: list[Any]) -> list[int]:
    """Faces of the die."""
    return [face(Given({name: each}), name) for each in values]


def one_of(args: Given, key: str, known: tuple[str, ...]) -> str:
    """One of some words."""
    word = args.text(key)
    if word not in known:
        raise Unsupported(f"{key} is none of {', '.join(known)}")
    return word


def signs(value: Any) -> tuple[str, str]:
    """The signs of one round of a duel."""
    a, b = names(value)
    if a not in duels.BEATS or b not in duels.BEATS:
        raise Unsupported("a round is two signs")
    return a, b


def names(value: Any) -> tuple[str, str]:
    """Two words."""
    if not isinstance(value, list) or len(value) != 2:
        raise Unsupported("two words are wanted")
    a, b = (Given({"name": one}).text("name") for one in value)
    return a, b


def numbers(name: str, value: Any, wanted: int) -> list[float]:
    """So many numbers."""
    if not isinstance(value, list) or len(value) != wanted:
        raise Unsupported(f"{name} is not {wanted} numbers")
    return [Given({name: each}).number(name) for each in value]


def pair(name: str, value: Any) -> PointMm:
    """A point."""
    x, y = numbers(name, value, 2)
    return (x, y)


def point(args: Given, key: str) -> PointMm:
    """A point under a key."""
    return pair(key, args.listed(key))


def disc(args: Given, at: str, radius: str) -> lengths.Disc:
    """A round footprint from a point and a radius."""
    return lengths.disc(point(args, at), args.length(radius))


def discs(args: Given, key: str) -> list[lengths.Disc]:
    """Round footprints, each [x, y, r]."""
    found = []
    for each in args.listed(key):
        x, y, r = numbers(key, each, 3)
        if r < 0.0:
            raise Unsupported(f"{key} has a radius below 0")
        found.append(lengths.disc((x, y), r))
    return found


def wall(args: Given, what: str) -> Terrain:
    """An upright oblong from [x0, y0, x1, y1]."""
    x0, y0, x1, y1 = numbers("wall", args.listed("wall"), 4)
    return Terrain("wall", what, ((x0, y0), (x1, y0), (x1, y1), (x0, y1)), 100.0)
