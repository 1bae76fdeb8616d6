"""What a change of the settled table means: comments and measurements, never a refusal."""

from __future__ import annotations

from typing import Final

from engine.events import Value
from engine.geometry.interval import Verdict
from engine.roster import state_mark
from engine.rulesets.deathzap.data import data
from engine.rulesets.deathzap.field import (
    UPRIGHT,
    board,
    edge_of,
    from_edge,
    on_table,
    over_edge_mm,
)
from engine.rulesets.deathzap.flow import activate, may_pick
from engine.rulesets.deathzap.marks import DEPLOYING, IN_PLAY, Phase
from engine.rulesets.deathzap.measures import lengths
from engine.rulesets.deathzap.moving import arrived, journey, may_move, watch_move
from engine.rulesets.deathzap.settings import Settings
from engine.rulesets.standing import Stillness
from engine.spots import Spot, living, same, spot, spot_of, text_mark, word
from engine.state import Unit
from engine.table import Figure, FigureState, Seen, TableState
from engine.tale import Tale

_NS: Final = 1e9


def watch(tale: Tale, settings: Settings, before: TableState, after: TableState) -> None:
    """Tell what changed between two settled tables (DZ-GEO-15)."""
    if tale.state.phase not in (*DEPLOYING, *IN_PLAY):
        return
    for unit in tale.state.units:
        figure = on_table(after, unit)
        if figure is None or figure.state is FigureState.HIDDEN or figure.seen is Seen.HIDDEN:
            _missing(tale, after, unit)
        else:
            _watch_figure(tale, settings, after, figure, unit)


def _missing(tale: Tale, table: TableState, unit: Unit) -> None:
    """A fighter is not seen; its state is kept, and after a while the players are asked."""
    if not unit.alive or spot(unit) is None:
        return
    now = table.t_ns / _NS
    since = unit.mark("missing")
    if since is None:
        tale.about("missing", "DZ-GEO-18", unit, t_s=now, ask=False)
        return
    waited = now - since if isinstance(since, int | float) else 0.0
    if waited >= data().missing_s and unit.mark("missing_asked") is None:
        tale.about("missing", "DZ-GEO-18", unit, t_s=now - waited, ask=True)


def _watch_figure(
    tale: Tale, settings: Settings, table: TableState, figure: Figure, unit: Unit
) -> None:
    # Nothing is laid down but the killed (DZ-GEN-08).
    if not unit.alive:
        if figure.state is FigureState.LYING and not unit.mark("laid"):
            tale.about("laid", "DZ-DMG-10", unit)
        return
    if figure.state is FigureState.LYING:
        if not unit.mark("down"):
            tale.about("fell", "DZ-GEO-17", unit)
        return
    if figure.state not in UPRIGHT:
        return
    if unit.mark("missing") is not None:
        tale.about("found", "DZ-GEO-18", unit)
    if unit.mark("down"):
        tale.about("stood_up", "DZ-GEO-17", unit)
        unit = tale.now(unit)
        at = spot(unit)
        if at is not None and same(spot_of(figure), at, settings.place_tol_mm):
            return
    if tale.state.phase in DEPLOYING:
        deployed(tale, settings, table, figure, tale.now(unit))
    else:
        _in_play(tale, settings, table, figure, tale.now(unit))


def _in_play(tale: Tale, settings: Settings, table: TableState, figure: Figure, unit: Unit) -> None:
    here, at, opened = spot_of(figure), spot(unit), spot(unit, "open")
    still = Stillness(
        settings.move_epsilon_mm,
        settings.place_tol_mm,
        data().min_band_mm,
        "DZ-GEO-02",
        "DZ-GEO-19",
    )
    if not still.moved(tale, figure, unit) or at is None:
        return
    if may_move(tale.state, unit):
        watch_move(tale, settings, table, figure)
    elif may_pick(tale.state, unit) and figure.seen is not Seen.CORRECTED and opened is None:
        # Who moves a fighter that may be picked has picked it.
        activate(tale, unit, text_mark(tale.state, "why") or "DZ-CHAIN-05")
        watch_move(tale, settings, table, figure)
    elif not _goes_on(tale, settings, table, figure, unit):
        _stray(tale, settings, table, figure, unit, here, at)


def _doubt(figure: Figure) -> float:
    """How far apart two looks at a figure that stands still may be.

    A flagged one is put right by little shifts, so nothing more is ignored.
    """
    return max(data().min_band_mm, 2.0 * figure.sigma_mm)


def _goes_on(tale: Tale, settings: Settings, table: TableState, figure: Figure, unit: Unit) -> bool:
    """The move that ended the last activation is put right before anybody else acts."""
    state = tale.state
    waiting = state.phase == Phase.PICK or text_mark(state, "contacts")
    if text_mark(state, "last_move") != unit.figure_id or not waiting:
        return False
    went = journey(state, settings, table, figure, unit)
    if not went.again:
        return False
    if state.phase == Phase.PICK:
        arrived(tale, settings, table, unit, spot_of(figure), went)
        return True
    return False


def _stray(
    tale: Tale,
    settings: Settings,
    table: TableState,
    figure: Figure,
    unit: Unit,
    here: Spot,
    at: Spot,
) -> None:
    """A fighter moved that has no right to (DZ-GEO-19)."""
    if figure.seen is Seen.CORRECTED:
        tale.at("shifted", "DZ-GEO-02", unit, here)  # a human put the camera right: no move
        return
    state = tale.state
    code = "MOVED"
    if over_edge_mm(figure, table, settings) > 0.0:
        code = "BOARD_EDGE"
    elif text_mark(state, "fighter") == unit.figure_id:
        code = "MOVED"
    elif unit.side != state.active_side:
        code = "WRONG_PLAYER"
        if text_mark(state, "just_acted") == unit.figure_id:
            # DZ-AP-01, DZ-AP-02: its actions are used up.
            code = "STUNNED_SECOND" if state_mark(state, "just_stunned") is True else "NO_ACTIONS"
    elif state.phase == Phase.PICK:
        code = "SAME_FIGHTER"
    else:
        code = "WRONG_FIGHTER"
    rule = data().flags[code].rule
    tale.at("flagged", rule, unit, here, code=code, moved_mm=here.away(at), was_x=at.x, was_y=at.y)


def watch_deployment(tale: Tale, settings: Settings, table: TableState) -> None:
    """Look at every fighter where it stands now, as when the placing begins."""
    for unit in living(tale.state):
        figure = on_table(table, unit)
        if figure is not None and figure.state in UPRIGHT:
            deployed(tale, settings, table, figure, unit)


def deployed(tale: Tale, settings: Settings, table: TableState, figure: Figure, unit: Unit) -> None:
    """Judge where a fighter was put down, unless it is known there already."""
    here, at, opened = spot_of(figure), spot(unit), spot(unit, "open")
    if opened is not None and same(here, opened, _doubt(figure)):
        return
    if opened is None and at is not None and same(here, at, settings.move_epsilon_mm):
        return
    if unit.side != tale.state.active_side:
        if tale.state.phase == Phase.DEPLOY_SECOND and at is not None:
            if opened is not None and same(here, at, settings.place_tol_mm):
                tale.about("put_back", "DZ-GEO-19", unit)
                return
            tale.at("flagged", "DZ-DEP-05", unit, here, code="MOVED", moved_mm=here.away(at))
        return
    edge = edge_of(tale.state, unit.side)
    if not edge:
        return  # judged as soon as the edge is chosen
    square = board(table, settings)
    limit = lengths.strip_depth_mm(settings)
    if square is None:
        tale.at("placed", "DZ-DEP-01", unit, here)
        return
    near, far = from_edge(figure, edge, square)
    reach = lengths.strip_mm(near, far, settings)
    verdict = lengths.held(reach, limit, settings, figure.sigma_mm, 0.0)
    if over_edge_mm(figure, table, settings) > 0.0 and settings.deploy_rule == "wholly":
        verdict = Verdict.NO
    told: dict[str, Value] = {"moved_mm": reach, "limit_mm": limit, "code": "DEPLOY_ZONE"}
    if verdict is Verdict.YES:
        tale.at("placed", "DZ-DEP-01", unit, here, moved_mm=reach, limit_mm=limit)
    elif verdict is Verdict.NO:
        tale.at("flagged", "DZ-DEP-04", unit, here, **told)
    else:
        tale.at("asked_place", "DZ-GEO-14", unit, here, **told)


def open_flags(tale: Tale, side: str | None) -> list[Unit]:
    """Fighters of a side about whose place a flag is open."""
    return [unit for unit in living(tale.state, side) if word(unit, "open") == "flag"]
