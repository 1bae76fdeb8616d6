"""What a Figurslag team may be, and how a model becomes one of it (FS-SET-02)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.actions import Action
from engine.armies.choosing import Kind, Recruit, things_of
from engine.rulesets.figurslag.game import Figurslag

_MOST = 2


def kinds() -> tuple[Kind, ...]:
    """Models are told apart by their weapons alone."""
    return (Kind("", "model", things=tuple(things_of(Figurslag().info.equipment, _MOST))),)


def wishes(recruit: Recruit) -> Iterator[Action]:
    """The weapons a model holds."""
    items = tuple(recruit.entry.items)
    yield Action("assign", side=recruit.side, figure_id=recruit.figure_id, items=items)
