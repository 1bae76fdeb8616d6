"""Giving up: asked once, confirmed, and carried out after a shot under way (FS-WIN-03)."""

from __future__ import annotations

from engine.actions import Action
from engine.errors import Refused
from engine.events import Event, results
from engine.rulesets.figurslag.marks import (
    IN_PLAY,
    Phase,
    conceded,
    leaving,
    may_give_up,
    side_name,
    text_mark,
)
from engine.rulesets.figurslag.settings import Settings
from engine.rulesets.figurslag.turns import after_done, can_shoot, end_if_won
from engine.table import TableState
from engine.tale import Tale


def ask_to_concede(tale: Tale, action: Action) -> None:
    """A team wants to give up.

    Raises:
        Refused: Not during play, no such team, or it is out already.
    """
    state = tale.state
    side = action.side or state.active_side
    if state.phase not in IN_PLAY:
        raise Refused("a team gives up while moving or shooting", "FS-WIN-03")
    if side is None or side not in state.sides:
        raise Refused("which team gives up?", "FS-WIN-03")
    if side in leaving(state):
        raise Refused(f"{side_name(side)} leaves after this shot", "FS-WIN-03")
    if not may_give_up(state, side):
        raise Refused(f"{side_name(side)} is out already", "FS-WIN-03")
    tale.tell(Event("conceding", "FS-WIN-03", side))


def answer_concede(tale: Tale, settings: Settings, table: TableState, yes: bool) -> None:
    """Confirmed or taken back."""
    side = text_mark(tale.state, "conceding")
    tale.tell(Event("concede_answered", "FS-WIN-03", side, values=results(yes=yes)))
    if yes and tale.state.phase not in (Phase.HIT, Phase.DODGE):
        carry_out(tale, settings, table)


def carry_out(tale: Tale, settings: Settings, table: TableState) -> None:
    """The teams that are leaving are out, in order; the game goes on or ends."""
    remove = settings.conceded_models == "removed"
    for side in leaving(tale.state):
        if tale.state.phase == Phase.OVER:
            return
        tale.tell(Event("conceded", "FS-WIN-03", side, values=results(removed=remove)))
        end_if_won(tale, settings)
    if tale.state.phase != Phase.OVER and tale.state.active_side in conceded(tale.state):
        after_done(tale, settings, table)


def finish_shots(tale: Tale, settings: Settings, table: TableState) -> None:
    """SHOT_END: who leaves, leaves now; a team that cannot shoot any more is done."""
    if tale.state.phase in (Phase.HIT, Phase.SHOT_CHECK) and not leaving(tale.state):
        return
    if tale.state.phase == Phase.DODGE:
        return
    carry_out(tale, settings, table)
    state = tale.state
    if state.phase == Phase.SHOOT and not can_shoot(state, settings, state.active_side):
        after_done(tale, settings, table)
