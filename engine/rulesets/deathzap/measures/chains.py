"""Who is activated next (DZ-CHAIN)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Next:
    """What follows an activation.

    Attributes:
        same_player: The active player stays active.
        fighter: Who is activated, None when that player picks.
        not_again: Fighter that may not be picked, None when any may.
    """

    same_player: bool
    fighter: str | None = None
    not_again: str | None = None


def next_activation(
    fighter: str, attacks: Sequence[tuple[str, bool]], alive_own: int, multi: str
) -> Next:
    """What follows an activation.

    Args:
        fighter: Who was activated.
        attacks: Target of each attack in order, and whether it was killed; an attack without any
            hit counts like every other (DZ-CHAIN-06).
        alive_own: Fighters the active player has left.
        multi: What two attacks mean (DZ-CHAIN-07).
    """
    if not attacks:
        return Next(same_player=False)  # DZ-CHAIN-05
    survivor = _survivor(attacks, multi)
    if survivor is not None:
        return Next(same_player=False, fighter=survivor)  # DZ-CHAIN-02
    if alive_own == 1:
        return Next(same_player=True, fighter=fighter)  # DZ-CHAIN-04
    return Next(same_player=True, not_again=fighter)  # DZ-CHAIN-03, DZ-CHAIN-11


def _survivor(attacks: Sequence[tuple[str, bool]], multi: str) -> str | None:
    """The target that acts next, None when the attacks count as a kill."""
    dead = {target for target, killed in attacks if killed}  # DZ-CHAIN-08
    last = attacks[-1][0]
    if multi == "any_kill":
        return None if dead else last
    if multi == "any_survivor":
        return next((target for target, _ in reversed(attacks) if target not in dead), None)
    return None if last in dead else last
