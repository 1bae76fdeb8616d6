"""What a change of the settled table means: comments and measurements, never a refusal."""

from __future__ import annotations

from typing import Final

from engine.rulesets.legowars.data import data
from engine.rulesets.legowars.field import UPRIGHT, on_table
from engine.rulesets.legowars.marks import (
    BUILDING,
    IN_PLAY,
    MAN,
    Phase,
    climbing,
    kind_of,
    living,
    moving_sides,
)
from engine.rulesets.legowars.moving import driven, watch_move, watch_placing
from engine.rulesets.legowars.settings import Settings
from engine.rulesets.standing import Stillness
from engine.spots import same, spot, spot_of
from engine.state import GameState, Unit
from engine.table import Figure, FigureState, Seen, TableState
from engine.tale import Tale
from engine.units import MM_PER_CM

_NS: Final = 1e9
_BODY_MM: Final = 80.0
_DOUBT_MM: Final = 3.0
"""Falling over shifts a model; only more than this is a body moved."""


def watch(tale: Tale, settings: Settings, before: TableState, after: TableState) -> None:
    """Tell what changed between two settled tables."""
    if tale.state.phase not in (Phase.DEPLOY, *IN_PLAY):
        return
    for unit in tale.state.units:
        if kind_of(unit) == BUILDING:
            continue
        figure = driven(after, tale.state, unit)
        if figure is None or figure.state is FigureState.HIDDEN or figure.seen is Seen.HIDDEN:
            _missing(tale, after, unit)
        else:
            _watch_figure(tale, settings, after, figure, tale.now(unit))


def _missing(tale: Tale, table: TableState, unit: Unit) -> None:
    """A unit is not seen; its state is kept, and after a while the players are asked."""
    if not unit.alive or spot(unit) is None or unit.mark("mount") is not None:
        return
    now = table.t_ns / _NS
    since = unit.mark("missing")
    if since is None:
        tale.about("missing", "LW-GEN-07", unit, t_s=now, ask=False)
        return
    waited = now - since if isinstance(since, int | float) else 0.0
    wait = data().number("watching", "missing_s")
    if waited >= wait and unit.mark("missing_asked") is None:
        tale.about("missing", "LW-GEN-07", unit, t_s=now - waited, ask=True)


def _watch_figure(
    tale: Tale, settings: Settings, table: TableState, figure: Figure, unit: Unit
) -> None:
    if not unit.alive:
        _watch_body(tale, figure, unit)
        return
    if figure.state is FigureState.LYING:
        if not unit.mark("down") and kind_of(unit) == MAN:
            tale.about("fell_over", "LW-STAT-08", unit)
        return
    if figure.state not in UPRIGHT:
        return
    if unit.mark("missing") is not None:
        tale.about("found", "LW-GEN-07", unit)
    if unit.mark("down"):
        tale.about("stood_up", "LW-STAT-08", unit)
    unit = tale.now(unit)
    if tale.state.phase == Phase.DEPLOY:
        deployed(tale, settings, table, figure, unit)
    elif unit.mark("mount") is None and not climbing(unit):
        _in_play(tale, settings, table, figure, unit)


def _watch_body(tale: Tale, figure: Figure, unit: Unit) -> None:
    """The dead are laid down and stay where they are (LW-STAT-09)."""
    if unit.mark("gone") != "dead":
        if unit.mark("gone") == "conceded" and _stays(tale.state):
            _stray_inert(tale, figure, unit)
        return
    if figure.state is FigureState.LYING and not unit.mark("laid"):
        tale.about("laid", "LW-STAT-09", unit)
    here, at = spot_of(figure), spot(unit)
    if at is not None and here.away(at) > _BODY_MM:
        moved = here.away(at) / MM_PER_CM
        tale.at("body_moved", "LW-STAT-09", unit, here, code="LW-FLAG-03", moved_cm=moved)


def _stays(state: GameState) -> bool:
    return dict(state.options)["conceded_units"] == "stay_inert"


def _stray_inert(tale: Tale, figure: Figure, unit: Unit) -> None:
    """Models of a side that gave up stand where they stand (LW-WIN-04)."""
    here, at = spot_of(figure), spot(unit)
    nudge = data().number("watching", "nudge_mm")
    if at is not None and here.away(at) > max(nudge, 2.0 * figure.sigma_mm):
        moved = here.away(at) / MM_PER_CM
        tale.at("body_moved", "LW-WIN-04", unit, here, code="LW-FLAG-32", moved_cm=moved)


def _in_play(tale: Tale, settings: Settings, table: TableState, figure: Figure, unit: Unit) -> None:
    here, at, rules = spot_of(figure), spot(unit), data()
    if at is not None and watch_placing(tale, unit, here):
        return
    moving = unit.side in moving_sides(tale.state)
    still = Stillness(
        rules.number("watching", "nudge_mm"),
        rules.number("watching", "place_tol_mm"),
        _DOUBT_MM,
        "LW-MOVE-02",
        "LW-TURN-08",
    )
    if not still.moved(tale, figure, unit) or at is None:
        return
    if figure.seen is Seen.CORRECTED:
        tale.at("shifted", "LW-MOVE-02", unit, here)  # a human put the camera right: no move
    elif moving:
        watch_move(tale, settings, table, figure, unit)
    else:
        code = "LW-FLAG-22" if tale.state.phase == Phase.MOVE else "LW-FLAG-02"
        moved = here.away(at) / MM_PER_CM
        tale.at("flagged", rules.flags[code].rule, unit, here, code=code, moved_cm=moved)


def watch_deployment(tale: Tale, settings: Settings, table: TableState) -> None:
    """Look at every unit where it stands now."""
    for unit in list(living(tale.state)):
        figure = on_table(table, unit)
        if figure is not None and figure.state in UPRIGHT:
            deployed(tale, settings, table, figure, tale.now(unit))


def deployed(tale: Tale, settings: Settings, table: TableState, figure: Figure, unit: Unit) -> None:
    """Take where a unit was put down, unless it is known there already (LW-GEN-08)."""
    here, at, opened = spot_of(figure), spot(unit), spot(unit, "open")
    if opened is not None and same(here, opened, max(_DOUBT_MM, 2.0 * figure.sigma_mm)):
        return
    if opened is None and at is not None and same(here, at, data().number("watching", "nudge_mm")):
        return
    out_mm = _outside_mm(tale.state, settings, table, figure, unit)
    if out_mm <= 0.0:
        tale.at("placed", "LW-GEN-08", unit, here)
        return
    limit = data().number("deployment", "band_cm")
    moved = limit + out_mm / MM_PER_CM
    tale.at("flagged", "LW-GEN-08", unit, here, code="DEPLOY", moved_cm=moved, limit_cm=limit)


def _outside_mm(
    state: GameState, settings: Settings, table: TableState, figure: Figure, unit: Unit
) -> float:
    """How far a figure stands outside the band of its side (LW-GEN-08)."""
    if settings.deployment == "free" or table.size_mm is None:
        return 0.0
    width, depth = table.size_mm
    x, y = figure.position_mm
    from_edge = (y, depth - y, x, width - x)
    edge = state.sides.index(unit.side) % len(from_edge)
    return from_edge[edge] - data().number("deployment", "band_cm") * MM_PER_CM
