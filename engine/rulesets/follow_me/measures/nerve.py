"""Morale: factors, totals, results, and two tests in one turn (FM-MORALE)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from engine.rulesets.follow_me.data import data
from engine.rulesets.follow_me.settings import Settings

RESULTS: Final = ("steady", "shaken", "fall_back", "run")
"""From best to worst."""
TOLD: Final = "told"
"""The result where the players decide what a total means."""


@dataclass(frozen=True, slots=True)
class Nerve:
    """What presses on a group when it tests.

    Attributes:
        commoners_this_turn: Commoners lost this turn.
        nobles_this_turn: Nobles lost this turn.
        nobles_earlier: Nobles lost in earlier turns.
        fighting_undead: Living men fought undead.
        outnumbered: Visibly outnumbered.
        speech: A friendly hero made a speech.
        own_hero_insults: Insults of the own hero reached somebody.
        insulted: An enemy hero insulted this group.
        no_leader: The leader is not present.
        fighting_big: The group fought a Dragon or Giant.
        other: Added as it is.
    """

    commoners_this_turn: int = 0
    nobles_this_turn: int = 0
    nobles_earlier: int = 0
    fighting_undead: bool = False
    outnumbered: bool = False
    speech: bool = False
    own_hero_insults: bool = False
    insulted: bool = False
    no_leader: bool = False
    fighting_big: bool = False
    other: int = 0


def reckoning(nerve: Nerve, settings: Settings) -> list[tuple[str, int]]:
    """Every factor that counts, by the name of its number (FM-MORALE-09 to 17, FM-ACT-13)."""
    in_game = nerve.nobles_earlier
    if settings.morale_noble_game_includes_this_turn:
        in_game += nerve.nobles_this_turn
    cheered = nerve.own_hero_insults and settings.inspire_insult_cheers_own
    counts = (
        ("commoner_this_turn", nerve.commoners_this_turn),
        ("fighting_undead", nerve.fighting_undead),
        ("noble_this_turn", nerve.nobles_this_turn),
        ("noble_in_game", in_game),
        ("outnumbered", nerve.outnumbered),
        ("speech", nerve.speech or cheered),
        ("insulted", nerve.insulted),
        ("no_leader", nerve.no_leader),
        ("fighting_big", nerve.fighting_big),
    )
    found = [(name, count * data().whole(f"morale.{name}")) for name, count in counts if count]
    return [*found, ("other", nerve.other)] if nerve.other else found


def total(roll: int, nerve: Nerve, settings: Settings) -> int:
    """Die and factors (FM-MORALE-02)."""
    return roll + sum(value for _, value in reckoning(nerve, settings))


def limits(settings: Settings) -> tuple[int, int, int]:
    """Lowest totals that are steady, shaken and fall back (FM-MORALE-20)."""
    if settings.morale_table == "custom":
        return (
            settings.morale_custom_steady,
            settings.morale_custom_shaken,
            settings.morale_custom_fall_back,
        )
    steady, shaken, fall_back = (
        data().whole(f"morale.{name}") for name in ("steady", "shaken", "fall_back")
    )
    return steady, shaken, fall_back


def result(points: int, settings: Settings) -> str:
    """What a total means (FM-MORALE-20); who only wants the total told, decides himself."""
    for name, least in zip(RESULTS, limits(settings), strict=False):
        if points >= least:
            return name
    return RESULTS[-1]


def chances(nerve: Nerve, settings: Settings) -> Mapping[str, Fraction]:
    """Chance of each result."""
    sides = data().whole("dice.sides")
    found = dict.fromkeys(RESULTS, Fraction(0))
    for face in range(1, sides + 1):
        found[result(total(face, nerve, settings), settings)] += Fraction(1, sides)
    return found


def rallies(points: int, settings: Settings) -> bool:
    """Whether a running group comes to its senses (FM-MORALE-24)."""
    own = settings.morale_table == "custom"
    return points >= (settings.morale_custom_steady if own else data().whole("morale.rally"))


def stands(fear: str | None, end: str, *, running: bool, rallied: bool, settings: Settings) -> str:
    """The result that counts at the end of a turn (FM-MORALE-24, FM-MORALE-32).

    Args:
        fear: Result of a test that fear enforced in the same turn, None without one.
        end: Result of the test at the end.
        running: The group was running when the turn began.
        rallied: The test at the end rallies a running group.
        settings: Options of the game.
    """
    if running:
        return "shaken" if rallied else "run"
    if fear is None or settings.morale_two_tests == "last":
        return end
    if settings.morale_two_tests == "first":
        return fear
    return max(fear, end, key=RESULTS.index)
