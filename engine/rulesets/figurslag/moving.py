"""A model moved in its own movement phase: how far, in which way, and is that allowed."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from engine.roster import state_mark
from engine.rulesets.figurslag.judging import Judged, best, judge, undeclared
from engine.rulesets.figurslag.marks import STILL, Spot, has_open, number, spot, spot_of, word
from engine.rulesets.figurslag.measures.moves import MoveFacts
from engine.rulesets.figurslag.placing import overlapped, told
from engine.rulesets.figurslag.settings import Settings
from engine.rulesets.figurslag.walks import ending, present, ways
from engine.state import GameState, Unit
from engine.table import Figure, TableState
from engine.tale import Tale

_TURN_DEG: Final = 20.0
"""A camera reads facings no better; a smaller turn is none."""


def watch_move(
    tale: Tale,
    settings: Settings,
    table: TableState,
    figure: Figure,
    turned_only: bool = False,
) -> None:
    """Tell what the model at its new place did since the movement phase began.

    Args:
        tale: Told so far.
        settings: Options of the game.
        table: The settled table.
        figure: The model, of the team that moves.
        turned_only: It stands where it stood; only a turn on the spot counts.
    """
    unit = tale.state.unit(figure.figure_id)
    if unit is None:
        return
    turned = _turned(unit, figure)
    if turned_only:
        if turned and not settings.turning_is_still and word(unit, "mode") == STILL:
            facts = MoveFacts(0.0, turned=True)
            _tell_legal(tale, unit, spot_of(figure), judge(facts, settings, 0.0), "FS-MOVE-08")
        return
    here = spot_of(figure)
    under = overlapped(figure, present(tale.state, settings, table), settings)
    if under is not None:
        tale.tell(told("flagged", unit, here, "FS-FLAG-14", what="overlap", other=under.figure_id))
        return
    if _second_move(tale.state, unit):
        moved = here.away(spot(unit) or here)
        tale.tell(told("flagged", unit, here, "FS-FLAG-10", what="twice", moved_mm=moved))
        return
    end = ending(tale.state, settings, table, figure)
    if end.hanging_mm and not settings.climb_pause:
        tale.tell(told("flagged", unit, here, "FS-FLAG-05", what="hang", climbed_mm=end.hanging_mm))
        return
    if not end.standable and not end.hanging_mm:
        tale.tell(told("flagged", unit, here, "FS-FLAG-14", what="end"))
        return
    judged = best(
        (
            judge(facts, settings, _tolerance(settings, figure))
            for facts in _readings(tale.state, settings, table, figure, unit, turned)
        ),
        settings,
    )
    if judged is None:
        moved = here.away(spot(unit, "start") or here)
        tale.tell(told("flagged", unit, here, "FS-FLAG-14", what="path", moved_mm=moved))
        return
    _tell(tale, settings, unit, here, judged)


def _readings(
    state: GameState,
    settings: Settings,
    table: TableState,
    figure: Figure,
    unit: Unit,
    turned: bool,
) -> Iterable[MoveFacts]:
    """The move from its start, and the last step added to what was walked before.

    A step after a flag is no step but a correction, so it is measured from the start only.
    """
    here, at = spot_of(figure), spot(unit)
    start = spot(unit, "start") or at or here
    strayed = max(number(unit, "out"), here.away(start))
    for way in ways(state, settings, table, figure, start):
        yield replace(way, strayed_mm=strayed, turned=turned)
    walked = number(unit, "moved")
    if at is None or at == start or has_open(unit) or number(unit, "climbed"):
        return
    for way in ways(state, settings, table, figure, at):
        longer = walked + way.moved_mm
        yield replace(way, moved_mm=longer, strayed_mm=strayed, turned=turned)


def _tell(tale: Tale, settings: Settings, unit: Unit, here: Spot, judged: Judged) -> None:
    verdict = judged.verdict
    facts: dict[str, str | float] = {
        "moved_mm": verdict.distance_mm,
        "climbed_mm": verdict.climbed_mm,
        "limit_mm": judged.limit_mm,
    }
    if judged.other is not None:
        facts |= {"what": "move", "lo": verdict.mode, "hi": judged.other.mode}
        facts["flag"] = judged.other.flag or ""
        facts["moved_mm"] = judged.facts.moved_mm
        tale.tell(told("asked_place", unit, here, "FS-FLAG-19", **facts))
        return
    flag = judged.flag or undeclared(unit, judged, settings)
    if flag is not None:
        tale.tell(told("flagged", unit, here, flag, what="length", **facts))
        return
    rule = {
        "normal": "FS-MOVE-01",
        "far": "FS-MOVE-02",
        "climb": "FS-CLIMB-01",
        "climb_noshoot": "FS-CLIMB-02",
    }.get(verdict.mode, "FS-MOVE-08")
    _tell_legal(tale, unit, here, judged, rule)


def _tell_legal(tale: Tale, unit: Unit, here: Spot, judged: Judged, rule: str) -> None:
    start = spot(unit, "start") or here
    verdict = judged.verdict
    tale.tell(
        told(
            "moved",
            unit,
            here,
            rule,
            mode=verdict.mode,
            may_shoot=verdict.may_shoot,
            moved_mm=verdict.distance_mm,
            climbed_mm=verdict.climbed_mm,
            stairs_mm=float(judged.facts.stairs_up_mm + judged.facts.stairs_down_mm),
            out_mm=max(here.away(start), number(unit, "out")),
            turned=judged.facts.turned and verdict.distance_mm == 0.0,
        )
    )


def _second_move(state: GameState, unit: Unit) -> bool:
    """It moved, then another model of the team did, and now it moves again (FS-TURN-03)."""
    mover = state_mark(state, "mover")
    moved = word(unit, "mode") not in ("", STILL)
    return moved and not has_open(unit) and mover not in (None, unit.figure_id)


def _turned(unit: Unit, figure: Figure) -> bool:
    before = unit.mark("start_turn")
    if figure.facing_deg is None or not isinstance(before, int | float):
        return False
    return abs((figure.facing_deg - before + 180.0) % 360.0 - 180.0) > _TURN_DEG


def _tolerance(settings: Settings, figure: Figure) -> float:
    """Both ends are measured, each with the error of the figure."""
    return max(settings.measure_tol_mm, 2.0 * math.sqrt(2.0) * figure.sigma_mm)
