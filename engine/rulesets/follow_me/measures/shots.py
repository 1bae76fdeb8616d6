"""What a shot needs, and who is hit (FM-SHOOT, FM-HIT)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from engine.geometry.interval import EXACT_MM
from engine.rulesets.follow_me.data import TroopType, data
from engine.rulesets.follow_me.settings import Settings


def need(weapon: str, target: TroopType, range_mm: float, settings: Settings) -> int | None:
    """Lowest face that hits, None where there is no chance (FM-SHOOT-02 to 10).

    A band reaches up to and including its limit; beyond the last there is no shot.
    """
    known = data().weapons[weapon]
    row = known.rows.get(target.breath_row if weapon == "dragon_breath" else target.shoot_row)
    if row is None:
        return None
    for band, face in zip(known.bands_in, row, strict=True):
        if range_mm <= settings.inches(band) + EXACT_MM:
            return face or None
    return None


def usable_range_in(weapon: str, target: TroopType) -> float:
    """Longest range in inches at which a target can be hurt, 0 for none (FM-ACT-22)."""
    known = data().weapons[weapon]
    row = known.rows.get(target.breath_row if weapon == "dragon_breath" else target.shoot_row, ())
    return max((band for band, face in zip(known.bands_in, row, strict=False) if face), default=0.0)


def hits(needed: int, faces: Iterable[int]) -> int:
    """How many faces hit."""
    return sum(face >= needed for face in faces)


def chance(needed: int | None) -> Fraction:
    """Chance of one die."""
    sides = data().whole("dice.sides")
    return Fraction(0) if needed is None else Fraction(sides + 1 - needed, sides)


def may_shoot(weapon: str, moved_mm: float, settings: Settings) -> bool:
    """Whether a shooter's own move leaves it the shot (FM-SHOOT-01, FM-SHOOT-18)."""
    return weapon == "dragon_breath" or moved_mm < settings.move_epsilon_mm


def taken(kind: TroopType, before: int, new: int) -> tuple[int, bool]:
    """Hits taken after some more, and whether that kills (FM-HIT-01 to 04, FM-MAGE-02)."""
    now = before + new
    return now, bool(kind.hits) and now >= kind.hits
