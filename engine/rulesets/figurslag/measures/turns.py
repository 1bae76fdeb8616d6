"""Whose turn it is next, in each of the three turn orders."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from engine.errors import Refused
from engine.rulesets.figurslag.data import Transition, data
from engine.rulesets.figurslag.settings import Settings

NEXT: Final = "NEXT"
WORK: Final = ("MOVE", "SHOOT")
"""States that a team ends with "done"."""


def after(
    state: str,
    team: str,
    teams: Sequence[str],
    settings: Settings,
    out: Collection[str] = (),
) -> tuple[str, str | None]:
    """State and team that follow directly, NEXT included (FS-TURN-02, FS-TURN-06).

    Args:
        state: ``MOVE``, ``SHOOT`` or ``NEXT``.
        team: Team that is done; for NEXT the team that shot last.
        teams: Teams of this turn in order; the first began it.
        settings: Options of the game.
        out: Teams of this turn that have nobody living any more; they are passed over.

    Returns:
        The state, and the team at work or None.

    Raises:
        Refused: There is no such state or team, or nobody is left.
    """
    if team not in teams:
        raise Refused(f"{team} is no team of this turn")
    later = [other for other in teams[teams.index(team) + 1 :] if other not in out]
    living = [other for other in teams if other not in out]
    if not living:
        raise Refused("no team has anybody living")
    step = _transition(state, not later, settings)
    if step.team is None or step.team == "same":
        return step.to, None if step.team is None else team
    if step.team == "following":
        return step.to, (later or living)[0]
    return step.to, begins(teams, settings, out) if state == NEXT else living[0]


def phase_next(
    state: str,
    team: str,
    teams: Sequence[str],
    settings: Settings,
    out: Collection[str] = (),
) -> tuple[str, str | None]:
    """State and team at work after the "done" of a team, passing through NEXT.

    Arguments and errors as for :func:`after`; ``state`` is ``MOVE`` or ``SHOOT``. A team that is
    out never works: its shooting ends at once.
    """
    if state not in WORK:
        raise Refused(f"nobody is done in {state}")
    to, follower = after(state, team, teams, settings, out)
    while to == NEXT or follower in out:
        to, follower = after(to, follower or team, teams, settings, out)
    return to, follower


def begins(teams: Sequence[str], settings: Settings, out: Collection[str] = ()) -> str:
    """The team that begins the turn after this one, where all move before all shoot.

    Raises:
        Refused: Nobody is left.
    """
    order = [*teams[1:], *teams[:1]] if settings.phase_first == "alternate" else list(teams)
    for team in order:
        if team not in out:
            return team
    raise Refused("no team has anybody living")


def deaths_wait(settings: Settings) -> bool:
    """Struck models fall only when all have shot."""
    return data().turn_orders[settings.turn_order].deaths == "in_next"


def _transition(state: str, last: bool, settings: Settings) -> Transition:
    for step in data().turn_orders[settings.turn_order].transitions:
        if step.state == state and step.last in (None, last):
            return step
    raise Refused(f"nothing follows {state}")
