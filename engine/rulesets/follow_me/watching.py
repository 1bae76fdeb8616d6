"""What a change of the settled table means: comments and measurements, never a refusal."""

from __future__ import annotations

from typing import Final

from engine.events import Value
from engine.rulesets.follow_me.data import data
from engine.rulesets.follow_me.field import UPRIGHT, same
from engine.rulesets.follow_me.marks import Phase, has
from engine.rulesets.follow_me.moving import watch_move
from engine.rulesets.follow_me.play import Play
from engine.rulesets.standing import Stillness
from engine.spots import Spot, spot, spot_of
from engine.state import Unit
from engine.table import Figure, FigureState, Seen, TableState

_NS: Final = 1e9
_MOVING: Final = (Phase.MOVE, Phase.SALLY, Phase.MELEE_RESULTS)


def watch(play: Play, before: TableState) -> None:
    """Tell what changed between two settled tables (FM-GEO-15)."""
    if play.state.phase in (Phase.SETUP, Phase.FINISHED):
        return
    known = {figure.figure_id for figure in before.figures}
    now = {figure.figure_id: figure for figure in play.table.figures}
    # Heroes first: their men follow them (FM-ACT-09).
    for unit in sorted(play.state.units, key=lambda u: bool(u.mark("led_by"))):
        figure = now.get(unit.figure_id)
        if figure is None or figure.state is FigureState.HIDDEN or figure.seen is Seen.HIDDEN:
            _missing(play, unit, known=figure is not None or unit.figure_id in known)
        else:
            _watch_figure(play, figure, unit)


def _missing(play: Play, unit: Unit, *, known: bool) -> None:
    """A figure is not seen; its state is kept, and after a while the players are asked."""
    since = unit.mark("missing")
    if not unit.alive or spot(unit) is None or not (known or since is not None):
        return
    now = play.table.t_ns / _NS
    if since is None:
        play.note("missing", "FM-GEO-18", unit, {"ask": False, "unit.missing": now + 1e-3})
        return
    waited = now - since if isinstance(since, int | float) else 0.0
    if waited >= data().numbers["geometry.missing_s"] and not has(unit, "missing_asked"):
        play.note("missing", "FM-GEO-18", unit, {"ask": True, "unit.missing_asked": True})


def _watch_figure(play: Play, figure: Figure, unit: Unit) -> None:
    if not unit.alive:
        if figure.state is FigureState.LYING and not has(unit, "laid"):
            play.note("laid", "FM-HIT-05", unit, {"unit.laid": True})
        return
    if figure.state is FigureState.LYING:
        if not has(unit, "down"):
            play.note("fell", "FM-GEO-17", unit, {"unit.down": True})
        return
    if figure.state not in UPRIGHT:
        return
    if unit.mark("missing") is not None:
        found: dict[str, Value] = {"unit.missing": "", "unit.missing_asked": ""}
        play.note("found", "FM-GEO-18", unit, found)
    if has(unit, "down"):
        play.note("stood_up", "FM-GEO-17", unit, {"unit.down": ""})
        at = spot(play.now(unit))
        if at is not None and same(spot_of(figure), at, play.settings.place_tol_mm):
            return
    _where(play, figure, play.now(unit))


def _where(play: Play, figure: Figure, unit: Unit) -> None:
    """Judge where a figure stands, unless it is known there already."""
    here, at, options = spot_of(figure), spot(unit), play.settings
    if has(unit, "placing") and at is not None:
        if same(here, at, options.place_tol_mm):
            play.at("put", "FM-GEO-12", unit, here)
        return
    band = data().numbers["geometry.min_band_mm"]
    still = Stillness(options.move_epsilon_mm, options.place_tol_mm, band, "FM-GEO-02", "FM-GEO-19")
    if not still.moved(play, figure, unit) or at is None:
        return
    if figure.seen is Seen.CORRECTED:
        play.at("shifted", "FM-GEO-02", unit, here)  # a human put the camera right: no move
        return
    if play.state.phase in _MOVING:
        watch_move(play, unit, figure)
    else:
        _stray(play, unit, here, at)


def _stray(play: Play, unit: Unit, here: Spot, at: Spot) -> None:
    """A figure moved when nobody moves (FM-GEO-19)."""
    rule = data().flags["MOVED"].rule
    play.at("flagged", rule, unit, here, code="MOVED", moved_mm=here.away(at),
            was_x=at.x, was_y=at.y)  # fmt: skip
