"""How long a way is, and whether it is a move, a charge or a climb (PM-GEO-07)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from engine.geometry.interval import Verdict
from engine.memo import kept
from engine.rulesets import limits
from engine.rulesets.playmobil.aiming import aim
from engine.rulesets.playmobil.data import data
from engine.rulesets.playmobil.faults import MELEE, may_charge_now
from engine.rulesets.playmobil.field import (
    on_table,
    over_edge_mm,
    overlapped,
    standing,
    terrain_of,
    wall_gap,
)
from engine.rulesets.playmobil.marks import has, hostile, is_left_horse, kind_of, own_turn, type_of
from engine.rulesets.playmobil.measures import lengths, reckoning
from engine.rulesets.playmobil.measures.ways import Mover, mover
from engine.rulesets.playmobil.settings import Settings
from engine.rulesets.playmobil.turns import engaged
from engine.spots import SAME_LEVEL_MM, Spot, living, spot, spot_of, word
from engine.state import GameState, Unit
from engine.table import Figure, TableState


@dataclass(frozen=True, slots=True)
class Journey:
    """What a move came to.

    Attributes:
        verdict: It keeps the rules, does not, or the players must say.
        code: Flag when it does not.
        length_mm: Length of the way, of the straight line where there is none.
        limit_mm: Longest move.
        again: It only goes on with the move made before.
        charge_of: Enemy charged, ``""`` when it is no charge.
        climbed: It went up or down by a ladder or tower.
        close: A near thing was settled in favour of the mover.
    """

    verdict: Verdict
    code: str
    length_mm: float
    limit_mm: float
    again: bool = False
    charge_of: str = ""
    climbed: bool = False
    close: bool = False


def move_limit(unit: Unit, settings: Settings) -> float:
    """Longest plain move in mm (PM-INF-01 to 04, PM-CAV-01, 02, PM-GENL-03, PM-TURN-02)."""
    own = type_of(unit)
    return 0.0 if own is None else settings.feet(own.move_ft)


def charge_limit(settings: Settings) -> float:
    """Longest charge in mm (PM-CAV-03)."""
    return settings.feet(data().numbers["charge.move_ft"])


@kept
def going_of(
    state: GameState, settings: Settings, table: TableState, figure: Figure, unit: Unit
) -> Mover:
    """A figure about to move over the table as it is now (PM-MOVE-02)."""
    around = _around(state, table)
    enemies = [other for other, u in around if hostile(state, unit, u)]
    engine = kind_of(unit) == "engine"
    others = [] if engine else [other for other, u in around if kind_of(u) != "engine"]
    return mover(figure, enemies, others, terrain_of(state, table, settings), table.size_mm)


@kept
def _around(state: GameState, table: TableState) -> tuple[tuple[Figure, Unit], ...]:
    """Who stands about, with the unit of each; horses left behind are in nobody's way."""
    units = {u.figure_id: u for u in reversed(state.units) if not is_left_horse(u)}
    return tuple(
        (figure, units[figure.figure_id])
        for figure in standing(state, table)
        if figure.figure_id in units
    )


def put_at(table: TableState, unit: Unit, at: Spot) -> TableState:
    """The table with a unit standing elsewhere."""
    figures = tuple(
        replace(f, position_mm=at.xy) if f.figure_id == unit.figure_id else f for f in table.figures
    )
    return replace(table, figures=figures)


def journey(
    state: GameState, settings: Settings, table: TableState, figure: Figure, unit: Unit
) -> Journey:
    """Hold a move against the rules: as part of the one made before, or as the only one."""
    at, start = spot(unit), spot(unit, "start")
    begin = at or spot_of(figure)
    if has(unit, "moved"):
        went = _measured(state, settings, table, figure, unit, start or begin)
        if went.verdict is Verdict.NO and not has(unit, "charged"):
            way = begin.away(spot_of(figure))
            return Journey(Verdict.NO, "SECOND_MOVE", way, went.limit_mm)
        return replace(went, again=True)
    return _measured(state, settings, table, figure, unit, begin)


def _measured(
    state: GameState,
    settings: Settings,
    table: TableState,
    figure: Figure,
    unit: Unit,
    start: Spot,
) -> Journey:
    limit = move_limit(unit, settings)
    straight = start.away(spot_of(figure))
    if over_edge_mm(figure, table) > 0.0:
        return Journey(Verdict.NO, "TABLE_EDGE", straight, limit)
    if overlapped(state, table, figure) is not None:
        return Journey(Verdict.NO, "OVERLAP", straight, limit)
    if abs(figure.level_mm - start.z) > max(SAME_LEVEL_MM, figure.height_mm / 3.0):
        climbed = _climb(state, settings, table, figure, unit, start)
        if climbed is not None:
            return climbed
    going = going_of(state, settings, table, figure, unit)
    length = going.shortest(start.xy, figure.position_mm)
    declared = word(unit, "charge_of") or (
        unit.figure_id and word(unit, "charged_at") if has(unit, "charged") else ""
    )
    if length is None:
        alone = going.past_all().shortest(start.xy, figure.position_mm)
        code = "NO_WAY" if alone is None else "THROUGH_ENEMY"
        return Journey(Verdict.NO, code, straight, limit, charge_of=declared)
    if declared or not limits.fits(length, limit):
        charge = _charge(state, settings, table, figure, unit, start, length, declared)
        if charge is not None:
            return charge
    verdict = lengths.held(length, limit, settings, figure.sigma_mm, figure.sigma_mm)
    read = lengths.close(length, limit, figure.sigma_mm, figure.sigma_mm)
    near = settings.close_policy != "strict" and read is Verdict.BORDERLINE
    code = "TOO_FAR" if verdict is Verdict.NO else ""
    return Journey(verdict, code, length, limit, close=near)


def _charge(
    state: GameState,
    settings: Settings,
    table: TableState,
    figure: Figure,
    unit: Unit,
    start: Spot,
    length: float,
    declared: str,
) -> Journey | None:
    """The move as a charge, None when it is none (PM-CAV-04 to PM-CAV-13)."""
    own = type_of(unit)
    if own is None or not own.charge:
        return None
    limit = charge_limit(settings)
    before = replace(figure, position_mm=start.xy, level_mm=start.z)
    there = put_at(table, unit, start)
    targets = [
        u for u in living(state)
        if hostile(state, unit, u) and (not declared or u.figure_id == declared)
    ]  # fmt: skip
    hit = [u for u in targets if aim(state, settings, table, unit, u, MELEE).allowed]
    if not declared and not hit:
        known = data().flags["CHARGE_NO_ATTACK"]
        if limits.fits(length, limit) and known and may_charge_now(state, settings, unit) is None:
            plain = move_limit(unit, settings)
            verdict = lengths.held(length, plain, settings, figure.sigma_mm, figure.sigma_mm)
            if verdict is Verdict.NO:
                return Journey(Verdict.NO, "CHARGE_NO_ATTACK", length, plain)
        return None
    target = hit[0] if hit else targets[0] if targets else None
    if target is None:
        return Journey(Verdict.NO, "CHARGE_NO_ATTACK", length, limit, charge_of=declared)
    last = unit.mark("last_charge")
    repeated = has(unit, "charged")
    reason = reckoning.charge_fault(
        int(last) if isinstance(last, int | float) and not repeated else None,
        own_turn(state, unit.side),
        engaged=engaged(state, settings, there, unit),
        length_mm=min(length, limit) if _fits(length, limit, settings, figure) else length,
        attacks=bool(hit),
        kind=MELEE,
        settings=settings,
        tol_mm=settings.place_tol_mm,
    )
    other = on_table(state, table, target)
    if reason is None and other is not None:
        way = math.dist(start.xy, figure.position_mm)
        nearer = lengths.edge_gap(figure, other) <= lengths.edge_gap(before, other)
        if not nearer or length > data().numbers["charge.detour"] * way + 1.0:
            reason = "direction"
    name = target.figure_id
    if reason is None:
        near = not limits.fits(length, limit)
        if near and settings.close_policy == "ask":
            return Journey(Verdict.BORDERLINE, "", length, limit, charge_of=name)
        return Journey(Verdict.YES, "", length, limit, charge_of=name, close=near)
    if declared and reason == "no_attack" and limits.fits(length, move_limit(unit, settings)):
        return None  # it was a plain move after all (PM-CAV-13)
    return Journey(Verdict.NO, _CHARGE_CODES[reason], length, limit, charge_of=name)


def _fits(length: float, limit: float, settings: Settings, figure: Figure) -> bool:
    found = lengths.held(length, limit, settings, figure.sigma_mm, figure.sigma_mm)
    return found is not Verdict.NO


def _climb(
    state: GameState,
    settings: Settings,
    table: TableState,
    figure: Figure,
    unit: Unit,
    start: Spot,
) -> Journey | None:
    """Up or down a wall: by a ladder or tower in contact, with the whole move (PM-MOVE-04)."""
    limit = move_limit(unit, settings)
    kinds = data().words["geometry.impassable"]
    walls = [
        p for p in terrain_of(state, table, settings)
        if p.kind in kinds and wall_gap(figure, p) <= settings.contact_mm
    ]  # fmt: skip
    low = replace(figure, position_mm=start.xy)
    if not walls and not any(
        wall_gap(low, p) <= settings.contact_mm
        for p in terrain_of(state, table, settings) if p.kind in kinds
    ):  # fmt: skip
        return None
    if any(m.kind in ("ladder", "stairs") for p in walls for m in p.marks):
        return None if not walls else Journey(Verdict.YES, "", limit, limit, climbed=True)
    for engine in living(state):
        own = type_of(engine)
        if own is None or own.name not in ("ladder", "siege_tower"):
            continue
        other = on_table(state, table, engine)
        if other is None:
            continue
        foot = lengths.is_contact(lengths.edge_gap(low, other), settings)
        top = lengths.is_contact(lengths.edge_gap(figure, other), settings)
        leans = any(
            wall_gap(other, p) <= settings.contact_mm
            for p in terrain_of(state, table, settings) if p.kind in kinds
        )  # fmt: skip
        if foot and top and leans:
            if has(unit, "moved"):
                return Journey(Verdict.NO, "SECOND_MOVE", limit, limit)
            return Journey(Verdict.YES, "", limit, limit, climbed=True)
    return Journey(Verdict.NO, "NO_WAY", limit, limit)


_CHARGE_CODES = {
    "engaged": "CHARGE_ENGAGED",
    "every_three_turns": "CHARGE_TOO_SOON",
    "too_far": "TOO_FAR",
    "no_attack": "CHARGE_NO_ATTACK",
    "direction": "CHARGE_DIRECTION",
}
