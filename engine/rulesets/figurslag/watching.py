"""What a change of the settled table means: comments and measurements, never a refusal."""

from __future__ import annotations

from typing import Final

from engine.events import Event, results
from engine.rulesets.figurslag.deploying import deployed
from engine.rulesets.figurslag.marks import (
    IN_PLAY,
    Phase,
    Spot,
    has_open,
    spot,
    spot_of,
    text_mark,
    word,
)
from engine.rulesets.figurslag.moving import watch_move
from engine.rulesets.figurslag.placing import UPRIGHT, off_table, same, told, without_base
from engine.rulesets.figurslag.settings import Settings
from engine.rulesets.figurslag.turns import end_if_won
from engine.spots import SAME_LEVEL_MM
from engine.state import GameState, Unit
from engine.table import Figure, FigureState, Seen, TableState
from engine.tale import Tale
from engine.words import piece_names

STAND_UP_MM: Final = 25.0
"""A model stood up again after a fall is not exactly where it was; so much is no move."""
_DEAD_SHIFT_MM: Final = 40.0
"""A body nudged by less is not worth a word."""


def watch(tale: Tale, settings: Settings, before: TableState, after: TableState) -> None:
    """Tell what changed between two settled tables."""
    if before.terrain != after.terrain and before.figures and _phase(tale.state) in IN_PLAY:
        names = piece_names(before.terrain) | piece_names(after.terrain)
        changed = {names[p.terrain_id] for p in set(before.terrain) ^ set(after.terrain)}
        tale.tell(Event("flagged", "FS-FLAG-20", values=results(terrain=tuple(sorted(changed)))))
    for figure in after.figures:
        unit = tale.state.unit(figure.figure_id)
        if unit is not None and figure.seen is not Seen.HIDDEN:
            _watch_figure(tale, settings, after, figure, unit)


def _phase(state: GameState) -> str:
    """The phase that is only interrupted by the question of giving up."""
    return text_mark(state, "back") or state.phase


def _watch_figure(
    tale: Tale, settings: Settings, table: TableState, figure: Figure, unit: Unit
) -> None:
    phase = _phase(tale.state)
    if phase in (Phase.TERRAIN, Phase.ROSTER, Phase.OVER):
        return
    if not unit.alive:
        _gone(tale, settings, figure, unit)
        return
    if figure.state is FigureState.LYING:
        if not unit.mark("down"):
            tale.tell(Event("fell", "FS-HIT-06", unit.side, unit.figure_id))
        return
    if figure.state not in UPRIGHT:
        return
    if without_base(figure) and not unit.mark("no_base"):
        tale.tell(Event("base_missing", "FS-FLAG-18", unit.side, unit.figure_id))
    if phase in (Phase.DEPLOY, Phase.FIRST):
        deployed(tale, settings, table, figure, unit)
        return
    if unit.mark("down"):
        unit = _stands_again(tale, figure, unit)
    _in_play(tale, settings, table, figure, unit)


def _in_play(tale: Tale, settings: Settings, table: TableState, figure: Figure, unit: Unit) -> None:
    here, at = spot_of(figure), spot(unit)
    if at is None:  # it had never been seen standing
        tale.tell(told("shifted", unit, here, start=True))
        return
    own_move = _phase(tale.state) == Phase.MOVE and tale.state.active_side == unit.side
    if has_open(unit) and same(here, spot(unit, "open") or at, settings, figure):
        return
    if has_open(unit) and same(here, at, settings, figure):
        tale.tell(Event("put_back", None, unit.side, unit.figure_id))
        return
    if same(here, at, settings, figure):
        if own_move:
            watch_move(tale, settings, table, figure, turned_only=True)
        return
    if off_table(figure, table, settings):
        _left(tale, settings, unit, here)
    elif own_move:
        watch_move(tale, settings, table, figure)
    elif figure.seen is Seen.CORRECTED:
        tale.tell(told("shifted", unit, here))  # a human put the camera right: no move
    else:
        tale.tell(told("flagged", unit, here, "FS-FLAG-10", what="phase", moved_mm=here.away(at)))


def _stands_again(tale: Tale, figure: Figure, unit: Unit) -> Unit:
    tale.tell(Event("stood_up", "FS-HIT-06", unit.side, unit.figure_id))
    here, at, start = spot_of(figure), spot(unit), spot(unit, "start")
    if at is not None and here.away(at) <= STAND_UP_MM and abs(here.z - at.z) <= SAME_LEVEL_MM:
        still = start is not None and start == at
        tale.tell(told("shifted", unit, here, start=still))
    return tale.state.unit(unit.figure_id) or unit


def _gone(tale: Tale, settings: Settings, figure: Figure, unit: Unit) -> None:
    """A model that is out: dead, of a team that gave up, or off the table."""
    here, at = spot_of(figure), spot(unit)
    why = word(unit, "gone")
    if why == "dead":
        if figure.state is FigureState.LYING and not unit.mark("laid"):
            tale.tell(told("laid", unit, here, "FS-HIT-04"))
        elif figure.state in UPRIGHT and unit.mark("laid"):
            tale.tell(Event("rose", "FS-FLAG-11", unit.side, unit.figure_id))
        elif unit.mark("laid") and at is not None and here.away(at) > _DEAD_SHIFT_MM:
            if settings.dead_models == "stay":
                tale.tell(
                    Event(
                        "flagged",
                        "FS-FLAG-11",
                        unit.side,
                        unit.figure_id,
                        values=results(what="moved"),
                    )
                )
            tale.tell(told("laid", unit, here, "FS-HIT-05"))
    elif (
        why == "conceded"
        and settings.conceded_models == "stay"
        and figure.state in UPRIGHT
        and at is not None
        and not same(here, at, settings, figure)
    ):
        tale.tell(Event("flagged", "FS-FLAG-21", unit.side, unit.figure_id))
        tale.tell(told("shifted", unit, here))


def _left(tale: Tale, settings: Settings, unit: Unit, here: Spot) -> None:
    if settings.leave_table == "removed":
        tale.tell(Event("left_table", "FS-MOVE-07", unit.side, unit.figure_id))
        end_if_won(tale, settings)
    else:
        tale.tell(told("flagged", unit, here, "FS-FLAG-15", what="edge"))
