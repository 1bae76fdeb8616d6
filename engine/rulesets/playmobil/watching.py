"""What a change of the settled table means: comments and measurements, never a refusal."""

from __future__ import annotations

from typing import Final

from engine.events import Value
from engine.geometry.arcs import between_deg
from engine.geometry.interval import Verdict
from engine.rulesets import limits
from engine.rulesets.playmobil.data import data
from engine.rulesets.playmobil.field import UPRIGHT, from_edge, over_edge_mm, shaped
from engine.rulesets.playmobil.marks import (
    IN_PLAY,
    Phase,
    aboard,
    count,
    has,
    is_left_horse,
    kind_of,
    waiting,
)
from engine.rulesets.playmobil.measures import lengths
from engine.rulesets.playmobil.moving import may_move, watch_move
from engine.rulesets.playmobil.settings import Settings
from engine.rulesets.standing import Stillness
from engine.spots import Spot, flagged, living, same, spot, spot_of, text_mark
from engine.state import Unit
from engine.table import Figure, FigureState, Seen, TableState
from engine.tale import Tale

_NS: Final = 1e9
_TURN_DEG: Final = 20.0
"""Turns of less than this are noise of the camera."""


def watch(tale: Tale, settings: Settings, before: TableState, after: TableState) -> None:
    """Tell what changed between two settled tables (PM-GEO-15)."""
    if tale.state.phase not in (Phase.DEPLOY, *IN_PLAY):
        return
    old = {figure.figure_id: figure for figure in before.figures}
    for unit in tale.state.units:
        figure = next((f for f in after.figures if f.figure_id == unit.figure_id), None)
        if figure is None or figure.state is FigureState.HIDDEN or figure.seen is Seen.HIDDEN:
            _missing(tale, after, unit, known=figure is not None or unit.figure_id in old)
        else:
            _watch_figure(tale, settings, after, figure, unit, old.get(unit.figure_id))


def _missing(tale: Tale, table: TableState, unit: Unit, *, known: bool) -> None:
    """A figure is not seen; its state is kept, and after a while the players are asked."""
    seen = known or unit.mark("seen") is True or unit.mark("missing") is not None
    if not unit.alive or spot(unit) is None or aboard(unit) or not seen or is_left_horse(unit):
        return
    now = table.t_ns / _NS
    since = unit.mark("missing")
    if since is None:
        tale.note("missing", "PM-GEO-18", unit, {"ask": False, "unit.missing": now + 1e-3})
        return
    waited = now - since if isinstance(since, int | float) else 0.0
    if waited >= data().numbers["geometry.missing_s"] and not has(unit, "missing_asked"):
        tale.note("missing", "PM-GEO-18", unit, {"ask": True, "unit.missing_asked": True})


def _watch_figure(
    tale: Tale,
    settings: Settings,
    table: TableState,
    figure: Figure,
    unit: Unit,
    before: Figure | None,
) -> None:
    if not unit.alive:
        if figure.state is FigureState.LYING and not has(unit, "laid"):
            tale.note("laid", "PM-DICE-04", unit, {"unit.laid": True})
        return
    if figure.state is FigureState.LYING:
        if not has(unit, "down"):
            tale.note("fell", "PM-GEO-17", unit, {"unit.down": True})
        return
    if figure.state not in UPRIGHT or aboard(unit):
        return
    if unit.mark("missing") is not None:
        found: dict[str, Value] = {"unit.missing": "", "unit.missing_asked": ""}
        tale.note("found", "PM-GEO-18", unit, found)
    if has(unit, "down"):
        tale.note("stood_up", "PM-GEO-17", unit, {"unit.down": ""})
        at = spot(tale.now(unit))
        if at is not None and same(spot_of(figure), at, settings.place_tol_mm):
            return
    if tale.state.phase == Phase.DEPLOY:
        deployed(tale, settings, table, figure, tale.now(unit))
        return
    _in_play(tale, settings, table, figure, tale.now(unit))
    if before is not None:
        _turned(tale, before, figure, tale.now(unit))


def _in_play(tale: Tale, settings: Settings, table: TableState, figure: Figure, unit: Unit) -> None:
    band = data().numbers["geometry.min_band_mm"]
    still = Stillness(
        settings.move_epsilon_mm, settings.place_tol_mm, band, "PM-GEO-02", "PM-GEO-19"
    )
    here, at = spot_of(figure), spot(unit)
    if not still.moved(tale, figure, unit) or at is None:
        return
    if figure.seen is Seen.CORRECTED:
        tale.at("shifted", "PM-GEO-02", unit, here)  # a human put the camera right: no move
        return
    if has(unit, "raging") and _raged(tale, settings, table, figure, unit, here, at):
        return
    if may_move(tale.state, unit):
        watch_move(tale, settings, table, figure, unit)
    else:
        _stray(tale, figure, unit, here, at)


def _raged(
    tale: Tale,
    settings: Settings,
    table: TableState,
    figure: Figure,
    unit: Unit,
    here: Spot,
    at: Spot,
) -> bool:
    """A wild elephant is put where it went: up to 1 foot (PM-ELE-16)."""
    own = data().types["riderless_elephant"]
    limit = settings.feet(own.move_ft)
    if not limits.fits(here.away(at), limit + settings.place_tol_mm):
        return False
    tale.at("moved", "PM-ELE-16", unit, here, moved_mm=here.away(at), limit_mm=limit,
            **{"unit.raging": ""})  # fmt: skip
    return True


def _stray(tale: Tale, figure: Figure, unit: Unit, here: Spot, at: Spot) -> None:
    """A figure moved that has no right to (PM-GEO-19)."""
    code = "MOVED"
    if waiting(unit):
        code = "WAIT_BROKEN"
    elif tale.state.phase == Phase.ACT and unit.side != tale.state.active_side:
        code = "NOT_YOUR_TURN"
    elif is_left_horse(unit):
        code = "HORSE_MOVED"
    rule = data().flags[code].rule
    tale.at("flagged", rule, unit, here, code=code, moved_mm=here.away(at), was_x=at.x, was_y=at.y)


def _turned(tale: Tale, before: Figure, figure: Figure, unit: Unit) -> None:
    """A figure looks another way: free before it attacks, only next turn after (PM-FACE-08).

    After an attack it should look to where the victim stood (PM-GEO-27).
    """
    if before.facing_deg is None or figure.facing_deg is None or kind_of(unit) == "engine":
        return
    if between_deg(before.facing_deg, figure.facing_deg) < _TURN_DEG:
        return
    locked = unit.mark("faces")
    if unit.side != tale.state.active_side or tale.state.phase != Phase.ACT:
        return
    spent = has(unit, "attacked") or has(unit, "threw") or count(unit, "shots")
    if isinstance(locked, int | float) and spent:
        off = between_deg(float(locked), figure.facing_deg)
        if off > data().numbers["facing.turned_deg"]:
            tale.note("turn_flagged", "PM-ATT-08", unit, {"off": off})
        return
    if locked is not None:
        tale.note("turned", "PM-FACE-08", unit, {"unit.faces": figure.facing_deg + 0.001})


def watch_deployment(tale: Tale, settings: Settings, table: TableState) -> None:
    """Look at every figure where it stands now, as when the placing begins."""
    for unit in living(tale.state):
        figure = next((f for f in table.figures if f.figure_id == unit.figure_id), None)
        if figure is not None and figure.state in UPRIGHT and not aboard(unit):
            deployed(tale, settings, table, figure, unit)


def deployed(tale: Tale, settings: Settings, table: TableState, seen: Figure, unit: Unit) -> None:
    """Judge where a figure was put down, unless it is known there already (PM-PREP-07)."""
    here, at, opened = spot_of(seen), spot(unit), spot(unit, "open")
    quiet = max(data().numbers["geometry.min_band_mm"], 2.0 * seen.sigma_mm)
    if opened is not None and same(here, opened, quiet):
        return
    if opened is None and at is not None and same(here, at, settings.move_epsilon_mm):
        return
    if unit.side != tale.state.active_side:
        if unit.side == text_mark(tale.state, "winner") and at is not None:
            if opened is not None and same(here, at, settings.place_tol_mm):
                tale.about("put_back", "PM-GEO-19", unit)
                return
            tale.at("flagged", "PM-PREP-07", unit, here, code="MOVED", moved_mm=here.away(at))
        return
    edge = text_mark(tale.state, f"edge_{unit.side}")
    figure = shaped(seen, unit)
    if table.size_mm is None or not edge:
        tale.at("placed", "PM-PREP-07", unit, here)
        return
    reach = from_edge(figure, edge, table.size_mm)
    limit = settings.feet(settings.setup_depth_ft)
    verdict = lengths.held(reach, limit, settings, figure.sigma_mm, 0.0)
    if over_edge_mm(figure, table) > 0.0:
        verdict = Verdict.NO
    told: dict[str, Value] = {"moved_mm": reach, "limit_mm": limit, "code": "DEPLOY_ZONE"}
    if verdict is Verdict.YES:
        tale.at("placed", "PM-PREP-07", unit, here, moved_mm=reach, limit_mm=limit)
    elif verdict is Verdict.NO:
        tale.at("flagged", "PM-PREP-07", unit, here, **told)
    else:
        tale.at("asked_place", "PM-GEO-14", unit, here, **told)


def open_flags(tale: Tale, side: str | None) -> list[Unit]:
    """Units of a side about whose place a flag is open."""
    return [unit for unit in living(tale.state, side) if flagged(unit)]
