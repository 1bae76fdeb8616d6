"""What a shooter sees of a target, with everything in play that may hide it."""

from __future__ import annotations

from engine.rulesets.figurslag.measures.views import in_front, visible_share
from engine.rulesets.figurslag.settings import Settings
from engine.rulesets.figurslag.walks import present
from engine.state import GameState
from engine.table import Figure, TableState


def visible(
    state: GameState, settings: Settings, table: TableState, shooter: Figure, target: Figure
) -> float:
    """Visible share of the target, 0 to 1."""
    others = present(state, settings, table)
    return visible_share(shooter, target, others, table.terrain, settings)


def behind(shooter: Figure, target: Figure) -> bool:
    """Whether the target is behind the shooter's back; never when nobody knows its facing."""
    return not in_front(shooter, target.position_mm)
