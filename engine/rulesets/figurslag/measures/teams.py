"""Teams: what they may consist of, where they are placed, and which of them wins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine.errors import Refused
from engine.geometry.interval import EXACT_MM
from engine.rulesets.figurslag.data import data
from engine.rulesets.figurslag.settings import Settings

DRAW: Final = "draw"


def deploy_mm(near_mm: float, far_mm: float, settings: Settings) -> float:
    """How far in from its edge a model counts as standing (FS-SET-07, 5.7).

    Args:
        near_mm: Distance from the edge to the nearest point of the base.
        far_mm: Distance from the edge to its farthest point.
        settings: Options of the game.
    """
    if settings.deploy_measure == "whole_base":
        return far_mm
    return near_mm if settings.deploy_measure == "any_part" else (near_mm + far_mm) / 2.0


def deploy_limit_mm(settings: Settings) -> float:
    """Depth of the strip along a team's edge."""
    return data().deploy_segments * settings.segment_mm


def deploy(near_mm: float, far_mm: float, settings: Settings) -> bool:
    """Whether a model stands in its strip; arguments as for :func:`deploy_mm`."""
    return deploy_mm(near_mm, far_mm, settings) <= deploy_limit_mm(settings) + EXACT_MM


def standard(models: Sequence[Sequence[str]]) -> bool:
    """Whether a team is the one of the rules (FS-SET-01 to 03), whatever the order.

    Raises:
        Refused: A weapon is unknown.
    """
    for name in (name for weapons in models for name in weapons):
        if name not in data().weapons:
            raise Refused(f"{name} is no weapon of this game", "FS-SET-02")
    return tuple(sorted(tuple(sorted(weapons)) for weapons in models)) == data().loadouts


def roster(models: Sequence[Sequence[str]], settings: Settings) -> bool:
    """Whether a team passes without a word (FS-FLAG-13).

    Args:
        models: Weapons of each model.
        settings: Options of the game; ``allow`` takes any team.

    Raises:
        Refused: A weapon is unknown.
    """
    return standard(models) or settings.non_standard_team == "allow"


def in_play(living: Mapping[str, int], conceded: Sequence[str] = ()) -> tuple[str, ...]:
    """Teams with somebody living that did not give up (FS-WIN-03).

    Teams give up in the order named; the last one left cannot.

    Raises:
        Refused: A team that gave up does not exist.
    """
    teams = [team for team, count in living.items() if count > 0]
    for team in conceded:
        if team not in living:
            raise Refused(f"{team} is no team of this game", "FS-WIN-03")
        if team in teams and len(teams) > 1:
            teams.remove(team)
    return tuple(teams)


def winner(living: Mapping[str, int], conceded: Sequence[str] = ()) -> str | None:
    """The team that has won (FS-WIN-01), ``"draw"`` when nobody is left, None while it goes on.

    Args:
        living: Living models by team.
        conceded: Teams that gave up, in order.

    Raises:
        Refused: A team that gave up does not exist.
    """
    teams = in_play(living, conceded)
    if len(teams) > 1:
        return None
    return teams[0] if teams else DRAW


def most_survivors(living: Mapping[str, int], conceded: Sequence[str] = ()) -> str:
    """The winner when the turn limit is reached (FS-WIN-02), or ``"draw"``."""
    teams = in_play(living, conceded)
    best = max((living[team] for team in teams), default=0)
    leaders = [team for team in teams if living[team] == best]
    return leaders[0] if len(leaders) == 1 else DRAW
