"""Whether one model may shoot at another, and if not, why not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.geometry.interval import Interval, Verdict
from engine.roster import state_mark
from engine.rulesets.figurslag.marks import (
    CLIMB_NOSHOOT,
    FAR,
    conceded,
    side_name,
    text_mark,
)
from engine.rulesets.figurslag.measures.distances import gap, within
from engine.rulesets.figurslag.measures.shooting import los, los_close, range_mm
from engine.rulesets.figurslag.settings import Settings
from engine.rulesets.figurslag.shots import (
    OVER,
    claims_bonus,
    has_shot,
    mode_of,
    shots_left,
    weapons_left,
)
from engine.rulesets.figurslag.views import behind, visible
from engine.rulesets.figurslag.words import cm, share
from engine.state import GameState, Unit
from engine.table import Figure, TableState

NOWHERE: Final = Interval(0.0, 0.0)
"""Length of a shot that was never measured."""


@dataclass(frozen=True, slots=True)
class Aim:
    """What there is to say about a shot before the die is rolled.

    Attributes:
        verdict: It may be fired, may not, or the players must say.
        text: Distance, or why not.
        rule: Rule or flag behind ``text``.
        ask: ``range`` or ``sight`` when the players must say.
        length: Length of the shot in mm.
        limit_mm: Range of the weapon.
        seen: Visible share of the target.
    """

    verdict: Verdict
    text: str
    rule: str
    ask: str = ""
    length: Interval = NOWHERE
    limit_mm: float = 0.0
    seen: float = 1.0


def shooter_fault(state: GameState, settings: Settings, unit: Unit) -> tuple[str, str] | None:
    """Why a model may not shoot now, as flag and sentence; None when it may."""
    name = unit.name
    if unit.side in conceded(state):
        return "FS-FLAG-21", f"{side_name(unit.side)} gave up; {name} takes no part any more"
    if not unit.alive:
        return "FS-FLAG-11", f"{name} is dead and takes no part any more"
    if unit.side != state.active_side:
        return "FS-FLAG-10", f"it is {side_name(state.active_side)}'s turn, not {name}'s"
    if not unit.equipment:
        return "FS-FLAG-08", f"{name} holds no weapon"
    if unit.mark("noshoot"):
        return "FS-FLAG-02", f"{name} gave up shooting this turn"
    if mode_of(unit) == FAR:
        return "FS-FLAG-02", f"{name} moved far and may not shoot"
    if mode_of(unit) == CLIMB_NOSHOOT:
        return "FS-FLAG-04", f"{name} climbed too far or too high to shoot"
    if shots_left(state, settings, unit):
        return None
    if has_shot(state, unit) or unit.mark("shooting") == OVER:
        return "FS-FLAG-08", f"{name} has done its shooting this turn"
    if claims_bonus(unit):
        return "FS-FLAG-17", f"{name} moved, so it has no extra shot"
    return "FS-FLAG-08", f"{name} has no shots left"


def target_fault(state: GameState, shooter: Unit, target: Unit) -> tuple[str, str] | None:
    """Why a model is no target wherever it stands; None when it may be one (FS-SHOOT-09)."""
    if target.side in conceded(state):
        return "FS-FLAG-21", f"{side_name(target.side)} gave up; {target.name} is no target"
    if target.side == shooter.side:
        return "FS-FLAG-09", f"{target.name} is of the same team"
    if not target.alive:
        return "FS-FLAG-09", f"{target.name} is dead already"
    if target.mark("struck"):
        return "FS-FLAG-09", f"{target.name} is struck already"
    only = text_mark(state, "only_target")
    mine = state_mark(state, "shooter") == shooter.figure_id and bool(shooter.mark("shooting"))
    if only and mine and only != target.figure_id:
        return "FS-SHOOT-08", "all shots of a model go to the same target"
    return None


def aim(
    state: GameState,
    settings: Settings,
    table: TableState,
    shooter: Unit,
    target: Unit,
    weapon: str,
) -> Aim:
    """Hold a shot against range, which has no lower end, and sight.

    FS-SHOOT-02 to 04, FS-SHOOT-10, FS-LOS-01.
    """
    fault = target_fault(state, shooter, target)
    if fault is not None:
        return Aim(Verdict.NO, fault[1], fault[0])
    a, b = on_table(table, shooter), on_table(table, target)
    if a is None or b is None:
        missing = shooter if a is None else target
        return Aim(Verdict.NO, f"I do not see {missing.name} on the table", "FS-SHOOT-04")
    length, limit = gap(a, b, settings), range_mm(weapon, settings)
    reach = within(length, limit, settings)
    if reach is Verdict.NO:
        away = f"{target.name} is {cm(length.lo)} cm away, {cm(length.lo - limit)} cm too far"
        return Aim(Verdict.NO, away, "FS-FLAG-06", length=length, limit_mm=limit)
    if settings.use_facing and behind(a, b):
        text = f"{target.name} is behind {shooter.name}'s back"
        return Aim(Verdict.NO, text, "FS-FLAG-07", length=length, limit_mm=limit)
    seen = visible(state, settings, table, a, b)
    sight = _sight(seen, settings)
    if sight is Verdict.NO:
        text = f"{target.name} is not seen enough, {share(seen)} visible"
        return Aim(Verdict.NO, text, "FS-FLAG-07", length=length, limit_mm=limit, seen=seen)
    if reach is Verdict.BORDERLINE:
        text = f"{_said(length)} against {cm(limit)} cm, too close to call"
        return Aim(reach, text, "FS-FLAG-19", "range", length, limit, seen)
    if sight is Verdict.BORDERLINE:
        text = f"{_said(length)}, just about half visible"
        return Aim(sight, text, "FS-FLAG-19", "sight", length, limit, seen)
    return Aim(Verdict.YES, f"{_said(length)}", "FS-SHOOT-04", "", length, limit, seen)


def best_aim(
    state: GameState, settings: Settings, table: TableState, shooter: Unit, target: Unit
) -> Aim | None:
    """The best aim any weapon with a shot left allows, None without such a weapon."""
    ranks = {Verdict.YES: 0, Verdict.BORDERLINE: 1, Verdict.NO: 2}
    aims = (
        aim(state, settings, table, shooter, target, weapon)
        for weapon in weapons_left(state, settings, shooter)
    )
    return min(aims, key=lambda one: ranks[one.verdict], default=None)


def on_table(table: TableState, unit: Unit) -> Figure | None:
    """The figure of a unit where it stands or is remembered, None when it is nowhere."""
    for figure in table.figures:
        if figure.figure_id == unit.figure_id:
            return figure
    return None


def _sight(seen: float, settings: Settings) -> Verdict:
    if los_close(seen, settings):
        # Exactly half is a clear case of the text only when nobody doubts the measurement.
        if settings.boundary_policy == "ask" and settings.los_tol > 0:
            return Verdict.BORDERLINE
        if settings.boundary_policy == "favour_actor" and settings.los_tol > 0:
            return Verdict.YES
    return Verdict.YES if los(seen, settings) else Verdict.NO


def _said(length: Interval) -> str:
    if length.hi - length.lo > 0.5:
        return f"{cm(length.lo)} to {cm(length.hi)} cm"
    return f"{cm(length.middle)} cm"
