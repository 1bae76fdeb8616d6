"""Shots: how many, how far, what they need to see, and what the dice do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from engine.dice import TypedDice
from engine.errors import Refused
from engine.geometry.interval import EXACT_MM
from engine.rulesets.figurslag.data import data
from engine.rulesets.figurslag.settings import Settings

BAD_DIE: Final = "FS-FLAG-16"
_SHARE_SLACK: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Volley:
    """What several shots at one target came to.

    Attributes:
        dead: The target died.
        dodges_used: Dodge dice rolled.
        shots_used: Shots spent; lost ones are spent.
    """

    dead: bool
    dodges_used: int
    shots_used: int


def shots(weapons: Sequence[str], mode: str) -> int:
    """Dice a model may roll in its shooting phase (FS-SHOOT-05, FS-SHOOT-06, FS-CLIMB-10).

    Args:
        weapons: Weapons held.
        mode: What it did in the movement phase.

    Raises:
        Refused: There is no such weapon or mode.
    """
    move = data().moves.get(mode)
    if move is None:
        raise Refused(f"{mode} is no kind of move")
    held = sum(_weapon_shots(name) for name in weapons)
    if not move.may_shoot or held == 0:
        return 0
    return held + move.bonus_shots


def range_mm(weapon: str, settings: Settings) -> float:
    """Range of a weapon (FS-SHOOT-02, FS-SHOOT-03).

    Raises:
        Refused: There is no such weapon.
    """
    if weapon not in data().weapons:
        raise Refused(f"{weapon} is no weapon of this game")
    return data().weapons[weapon].range_segments * settings.segment_mm


def in_range(weapon: str, d_mm: float, settings: Settings) -> bool:
    """Whether a length is within range, the limit included (FS-SHOOT-04, FS-SHOOT-10).

    Raises:
        Refused: There is no such weapon.
    """
    return d_mm <= range_mm(weapon, settings) + EXACT_MM


def bonus_weapons(weapons: Sequence[str], settings: Settings) -> tuple[str, ...]:
    """Weapon classes that may fire the extra shot (FS-SHOOT-07), in the order held."""
    held = tuple(dict.fromkeys(weapons))
    if settings.bonus_shot_weapon == "player_choice" or not held:
        return held
    return (max(held, key=lambda name: range_mm(name, settings)),)


def los(visible: float, settings: Settings) -> bool:
    """Whether so much of a target is enough (FS-LOS-02).

    Args:
        visible: Visible share, 0 to 1.
        settings: Options of the game.
    """
    if settings.los_half == "half_or_more":
        return visible >= data().visible_share - _SHARE_SLACK
    return visible > data().visible_share + _SHARE_SLACK


def los_close(visible: float, settings: Settings) -> bool:
    """Whether a visible share is too close to the limit to call (5.2)."""
    return abs(visible - data().visible_share) <= settings.los_tol + _SHARE_SLACK


def hits(die: int) -> bool:
    """Whether a die hits (FS-HIT-01, FS-GEN-04).

    Raises:
        Refused: The die cannot show that.
    """
    return _face(die) >= data().hit_from


def dodges(die: int) -> bool:
    """Whether a die dodges (FS-HIT-02, FS-GEN-04).

    Raises:
        Refused: The die cannot show that.
    """
    return _face(die) >= data().dodge_from


def resolve(
    hit_dice: Sequence[int], dodge_dice: Sequence[int | None], settings: Settings
) -> Volley:
    """Play several shots at one target in order, until it dies (FS-HIT).

    Args:
        hit_dice: One a shot.
        dodge_dice: One a hit, in order; more than needed are left lying. None declines the dodge,
            where that is allowed.
        settings: Options of the game.

    Raises:
        Refused: A die cannot show that, or a dodge die is missing.
    """
    for die in (*hit_dice, *(die for die in dodge_dice if die is not None)):
        _face(die)
    waiting = list(dodge_dice)
    rolled = 0
    for used, die in enumerate(hit_dice, start=1):
        if not hits(die):
            continue
        if not waiting:
            raise Refused("a dodge die is missing", BAD_DIE)
        dodge = waiting.pop(0)
        if dodge is None:
            if not settings.dodge_optional:
                raise Refused("a dodge is always rolled", "FS-AMB-29")
        else:
            rolled += 1
            if dodges(dodge):
                continue
        # What is left may go elsewhere only where targets are named shot by shot (FS-HIT-07).
        kept = settings.split_fire == "sequential"
        return Volley(True, rolled, used if kept else len(hit_dice))
    return Volley(False, rolled, len(hit_dice))


def p_kill(count: int) -> Fraction:
    """Chance that a target dies of so many shots (FS-HIT-03)."""
    sides = data().dice_sides
    hit = Fraction(sides + 1 - data().hit_from, sides)
    struck = Fraction(data().dodge_from - 1, sides)
    return 1 - (1 - hit * struck) ** count


def typed(text: str) -> int:
    """A die as typed by a player (FS-GEN-03).

    Raises:
        Refused: It is not one of the faces.
    """
    faces = {str(face): face for face in range(1, data().dice_sides + 1)}
    face = faces.get(text.strip())
    if face is None:
        raise Refused(f"a die shows 1 to {data().dice_sides}, not {text.strip()!r}", BAD_DIE)
    return face


def _face(die: int) -> int:
    return TypedDice([die], BAD_DIE).roll(1, data().dice_sides)[0]


def _weapon_shots(name: str) -> int:
    if name not in data().weapons:
        raise Refused(f"{name} is no weapon of this game")
    return data().weapons[name].shots
