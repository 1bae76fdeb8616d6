"""What a change of the settled table means: comments and measurements, never a refusal."""

from __future__ import annotations

from typing import Final

from engine.events import Event, results
from engine.geometry.interval import Verdict
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
from engine.rulesets.figurslag.placing import (
    UPRIGHT,
    off_table,
    overlapped,
    strip,
    without_base,
)
from engine.rulesets.figurslag.setting_up import edge_of
from engine.rulesets.figurslag.settings import Settings
from engine.rulesets.figurslag.turns import Tale
from engine.state import GameState, Unit
from engine.table import Figure, FigureState, Seen, TableState

STAND_UP_MM: Final = 25.0
"""A model stood up again after a fall is not exactly where it was; so much is no move."""
_DEAD_SHIFT_MM: Final = 40.0
"""A body nudged by less is not worth a word."""
_SAME_LEVEL_MM: Final = 6.0
"""Levels closer than this are the same surface, seen twice."""


def watch(tale: Tale, settings: Settings, before: TableState, after: TableState) -> None:
    """Tell what changed between two settled tables."""
    if before.terrain != after.terrain and before.figures and _phase(tale.state) in IN_PLAY:
        moved = sorted(
            {p.terrain_id for p in set(before.terrain) ^ set(after.terrain)}
        )
        tale.tell(Event("flagged", "FS-FLAG-20", values=results(terrain=tuple(moved))))
    for figure in after.figures:
        unit = tale.state.unit(figure.figure_id)
        if unit is not None and figure.seen is not Seen.HIDDEN:
            _watch_figure(tale, settings, after, figure, unit)


def watch_deployment(tale: Tale, settings: Settings, table: TableState) -> None:
    """Look at every model where it stands now, as when the deployment begins."""
    for figure in table.figures:
        unit = tale.state.unit(figure.figure_id)
        if unit is not None and unit.alive and figure.state in UPRIGHT:
            _deployed(tale, settings, table, figure, unit)


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
        _deployed(tale, settings, table, figure, unit)
        return
    if unit.mark("down"):
        unit = _stands_again(tale, figure, unit)
    _in_play(tale, settings, table, figure, unit)


def _in_play(
    tale: Tale, settings: Settings, table: TableState, figure: Figure, unit: Unit
) -> None:
    here, at = spot_of(figure), spot(unit)
    if at is None:  # it had never been seen standing
        tale.tell(_told("shifted", unit, here, start=True))
        return
    own_move = _phase(tale.state) == Phase.MOVE and tale.state.active_side == unit.side
    if has_open(unit) and _same(here, spot(unit, "open") or at, settings, figure):
        return
    if has_open(unit) and _same(here, at, settings, figure):
        tale.tell(Event("put_back", None, unit.side, unit.figure_id))
        return
    if _same(here, at, settings, figure):
        if own_move:
            watch_move(tale, settings, table, figure, turned_only=True)
        return
    if off_table(figure, table, settings):
        _left(tale, settings, unit, here)
    elif own_move:
        watch_move(tale, settings, table, figure)
    elif figure.seen is Seen.CORRECTED:
        tale.tell(_told("shifted", unit, here))  # a human put the camera right: no move
    else:
        tale.tell(
            _told("flagged", unit, here, "FS-FLAG-10", what="phase", moved_mm=here.away(at))
        )


def _deployed(
    tale: Tale, settings: Settings, table: TableState, figure: Figure, unit: Unit
) -> None:
    here, at, opened = spot_of(figure), spot(unit), spot(unit, "open")
    known = opened or at
    if known is not None and _same(here, known, settings, figure):
        return
    if unit.mark("down"):
        tale.tell(Event("stood_up", "FS-HIT-06", unit.side, unit.figure_id))
    if off_table(figure, table, settings):
        tale.tell(_told("flagged", unit, here, "FS-FLAG-15", what="deploy"))
        return
    under = overlapped(figure, table, settings)
    if under is not None:
        tale.tell(
            _told("flagged", unit, here, "FS-FLAG-14", what="overlap", other=under.figure_id)
        )
        return
    found = strip(figure, edge_of(tale.state, unit.side), table, settings)
    told = {"what": "deploy", "moved_mm": found.length_mm, "limit_mm": found.limit_mm}
    if found.verdict is Verdict.YES:
        tale.tell(_told("placed", unit, here, "FS-SET-07", **told))
    elif found.verdict is Verdict.NO:
        tale.tell(_told("flagged", unit, here, "FS-FLAG-12", **told))
    else:
        tale.tell(
            _told("asked_place", unit, here, "FS-FLAG-19", lo="in", hi="out", **told)
        )


def _stands_again(tale: Tale, figure: Figure, unit: Unit) -> Unit:
    tale.tell(Event("stood_up", "FS-HIT-06", unit.side, unit.figure_id))
    here, at, start = spot_of(figure), spot(unit), spot(unit, "start")
    if at is not None and here.away(at) <= STAND_UP_MM and abs(here.z - at.z) <= _SAME_LEVEL_MM:
        still = start is not None and start == at
        tale.tell(_told("shifted", unit, here, start=still))
    return tale.state.unit(unit.figure_id) or unit


def _gone(tale: Tale, settings: Settings, figure: Figure, unit: Unit) -> None:
    """A model that is out: dead, of a team that gave up, or off the table."""
    here, at = spot_of(figure), spot(unit)
    why = word(unit, "gone")
    if why == "dead":
        if figure.state is FigureState.LYING and not unit.mark("laid"):
            tale.tell(_told("laid", unit, here, "FS-HIT-04"))
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
            tale.tell(_told("laid", unit, here, "FS-HIT-05"))
    elif why == "conceded" and settings.conceded_models == "stay":
        if figure.state in UPRIGHT and at is not None and not _same(here, at, settings, figure):
            tale.tell(Event("flagged", "FS-FLAG-21", unit.side, unit.figure_id))
            tale.tell(_told("shifted", unit, here))


def _left(tale: Tale, settings: Settings, unit: Unit, here: Spot) -> None:
    if settings.leave_table == "removed":
        tale.tell(Event("left_table", "FS-MOVE-07", unit.side, unit.figure_id))
    else:
        tale.tell(_told("flagged", unit, here, "FS-FLAG-15", what="edge"))


def _same(here: Spot, there: Spot, settings: Settings, figure: Figure) -> bool:
    """Whether a model has not moved, as far as anyone can tell."""
    quiet = max(settings.still_tol_mm, 2.0 * figure.sigma_mm)
    return here.away(there) <= quiet and abs(here.z - there.z) <= _SAME_LEVEL_MM


def _told(
    kind: str,
    unit: Unit,
    here: Spot,
    rule: str | None = None,
    **values: str | float | bool,
) -> Event:
    return Event(
        kind,
        rule,
        unit.side,
        unit.figure_id,
        values=results(x_mm=here.x, y_mm=here.y, z_mm=here.z, **values),
    )
