"""Whose turn and phase follow; the end of the game."""

from __future__ import annotations

from collections.abc import Sequence

from engine.events import Event, results
from engine.rulesets.figurslag.marks import (
    Phase,
    conceded,
    has_open,
    living_count,
    spot,
    spot_of,
    text_mark,
    word,
)
from engine.rulesets.figurslag.measures.teams import most_survivors, winner
from engine.rulesets.figurslag.measures.turns import phase_next
from engine.rulesets.figurslag.settings import Settings
from engine.rulesets.figurslag.shots import shots_left
from engine.spots import living
from engine.state import GameState, Unit
from engine.table import FigureState, TableState
from engine.tale import Tale


def order(state: GameState) -> tuple[str, ...]:
    """Teams of this turn, the one who began it first."""
    first = text_mark(state, "first")
    at = state.sides.index(first) if first in state.sides else 0
    return (*state.sides[at:], *state.sides[:at])


def begin_phase(
    tale: Tale, table: TableState, phase: Phase, side: str | None, turn: int, first: str
) -> None:
    """Tell that a phase began, with a snapshot of the models where movement is measured from.

    A shift that nobody put right before its team moves again is taken as it is.
    """
    state = tale.state
    shown = _snapshot(state, table, side) if phase == Phase.MOVE else []
    values = results(
        phase=phase.value,
        turn=turn,
        first=first,
        figures=tuple(unit.figure_id for unit, _, _ in shown),
        places_mm=tuple(c for _, place, _ in shown for c in place),
        turns_deg=tuple(turned for _, _, turned in shown),
    )
    rule = {Phase.MOVE: "FS-TURN-01", Phase.SHOOT: "FS-TURN-01"}.get(phase)
    tale.tell(Event("phase_began", rule=rule, side=side, values=values))


def after_done(tale: Tale, settings: Settings, table: TableState) -> None:
    """What follows the "done" of the team at work, passing over those who cannot shoot."""
    phase, side = tale.state.phase, tale.state.active_side or ""
    while True:
        state = tale.state
        teams = [t for t in order(state) if t == side or any(living(state, t))]
        to_phase, follower = phase_next(phase, side, teams, settings)
        to_side = follower or side
        first, turn = text_mark(state, "first"), state.turn
        if to_phase == Phase.MOVE and phase != Phase.MOVE:
            if next_turn(tale, settings, side, to_side):
                return
            if settings.turn_order != "player_by_player":
                # A team that died in NEXT never begins.
                alive = [t for t in teams if any(living(tale.state, t))]
                at = teams.index(to_side)
                to_side = next(t for t in (*teams[at:], *teams[:at]) if t in alive)
                first, turn = to_side, turn + 1
            elif teams.index(to_side) <= teams.index(side):
                first, turn = to_side, turn + 1
        if to_phase == Phase.SHOOT and not can_shoot(tale.state, settings, to_side):
            if any(living(tale.state, to_side)):
                tale.tell(Event("passed_over", "FS-SHOOT-01", to_side))
            phase, side = to_phase, to_side
            continue
        begin_phase(tale, table, Phase(to_phase), to_side, turn, first)
        return


def next_turn(tale: Tale, settings: Settings, side: str, to_side: str) -> bool:
    """NEXT: lay the marked down, look for a winner and for the turn limit.

    Returns:
        Whether the game is over.
    """
    for unit in tale.state.units:
        if unit.mark("struck"):
            tale.tell(Event("died", "FS-TURN-06", unit.side, unit.figure_id))
    if end_if_won(tale, settings):
        return True
    teams = order(tale.state)
    ends = settings.turn_order != "player_by_player" or teams.index(to_side) <= teams.index(side)
    limit = settings.turn_limit
    if limit is None or not ends or tale.state.turn < limit:
        return False
    outcome = most_survivors(living_count(tale.state), conceded(tale.state))
    _over(tale, outcome, "FS-WIN-02")
    return True


def end_if_won(tale: Tale, settings: Settings) -> bool:
    """End the game when at most one team has living models; says whether it did."""
    if tale.state.phase == Phase.OVER:
        return True
    outcome = winner(living_count(tale.state), conceded(tale.state))
    if outcome is None:
        return False
    _over(tale, outcome, "FS-WIN-01")
    return True


def can_shoot(state: GameState, settings: Settings, side: str | None) -> bool:
    """Whether any model of the team has a shot left."""
    return any(shots_left(state, settings, unit) for unit in living(state, side))


def open_models(state: GameState) -> Sequence[Unit]:
    """Living models with an open flag or question."""
    return [unit for unit in living(state) if has_open(unit)]


def flagged_models(state: GameState) -> Sequence[Unit]:
    """Living models with an open flag."""
    return [unit for unit in living(state) if word(unit, "open") == "flag"]


def _snapshot(
    state: GameState, table: TableState, side: str | None
) -> list[tuple[Unit, tuple[float, float, float], float]]:
    seen = {figure.figure_id: figure for figure in table.figures}
    shown = []
    for unit in living(state, side):
        figure = seen.get(unit.figure_id)
        place = spot(unit)
        turned = -1.0
        if figure is not None:
            if figure.facing_deg is not None:
                turned = figure.facing_deg % 360.0
            if figure.state in (FigureState.STANDING, FigureState.RIDER):
                place = spot_of(figure)
        if place is not None:
            shown.append((unit, (place.x, place.y, place.z), turned))
    return shown


def _over(tale: Tale, outcome: str, rule: str) -> None:
    left = living_count(tale.state).get(outcome, 0)
    losers = tuple(side for side in tale.state.sides if side != outcome)
    tale.tell(Event("over", rule, values=results(outcome=outcome, survivors=left, losers=losers)))
