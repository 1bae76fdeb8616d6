"""What a Deathzap warband may be, and how a figure becomes a fighter of it (DZ-WB)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.actions import Action
from engine.armies.choosing import Amount, Kind, Recruit
from engine.rulesets.deathzap.data import data

MIGHT = "might"
_MOST_MIGHT = 99


def kinds() -> tuple[Kind, ...]:
    """A class with its Might (DZ-WB-02, DZ-WB-12)."""
    least = data().might_min
    might = Amount(MIGHT, "Might", least, least, _MOST_MIGHT)
    return tuple(
        Kind(name, f"{name} ({own.tier})", amounts=(might,)) for name, own in data().classes.items()
    )


def wishes(recruit: Recruit) -> Iterator[Action]:
    """The class, then the Might."""
    yield recruit.wish("class", recruit.entry.kind)
    if recruit.entry.might is not None:
        yield recruit.wish("might", number=recruit.entry.might)
