"""Whose turn it is next, in each of the three turn orders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.errors import Refused
from engine.rulesets.figurslag.data import Transition, data
from engine.rulesets.figurslag.settings import Settings

NEXT: Final = "NEXT"
WORK: Final = ("MOVE", "SHOOT")
"""States that a team ends with "done"."""


def after(
    state: str, team: str, teams: Sequence[str], settings: Settings
) -> tuple[str, str | None]:
    """State and team that follow directly, NEXT included (FS-TURN-02, FS-TURN-06).

    Args:
        state: ``MOVE``, ``SHOOT`` or ``NEXT``.
        team: Team that is done; for NEXT the team that shot last.
        teams: Teams with living models in order; the first began this turn. After NEXT the order
            is still that of the turn that ends.
        settings: Options of the game.

    Raises:
        Refused: There is no such state or team.
    """
    if team not in teams:
        raise Refused(f"{team} is no team with living models")
    step = _transition(state, team == teams[-1], settings)
    if step.team is None:
        return step.to, None
    if step.team == "same":
        return step.to, team
    if step.team == "following":
        return step.to, teams[(teams.index(team) + 1) % len(teams)]
    return step.to, begins(teams, settings) if state == NEXT else teams[0]


def phase_next(
    state: str, team: str, teams: Sequence[str], settings: Settings
) -> tuple[str, str | None]:
    """State and team at work after the "done" of a team, passing through NEXT.

    Arguments and errors as for :func:`after`; ``state`` is ``MOVE`` or ``SHOOT``.
    """
    if state not in WORK:
        raise Refused(f"nobody is done in {state}")
    to, follower = after(state, team, teams, settings)
    return after(NEXT, team, teams, settings) if to == NEXT else (to, follower)


def begins(teams: Sequence[str], settings: Settings) -> str:
    """The team that begins the turn after this one, where all move before all shoot."""
    return teams[1 % len(teams)] if settings.phase_first == "alternate" else teams[0]


def deaths_wait(settings: Settings) -> bool:
    """Struck models fall only when all have shot."""
    return data().turn_orders[settings.turn_order].deaths == "in_next"


def _transition(state: str, last: bool, settings: Settings) -> Transition:
    for step in data().turn_orders[settings.turn_order].transitions:
        if step.state == state and step.last in (None, last):
            return step
    raise Refused(f"nothing follows {state}")
