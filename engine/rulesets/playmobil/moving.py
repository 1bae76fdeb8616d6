"""A figure is moved: how far, round what, a charge, a step, or something it may not."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from engine.actions import Action
from engine.errors import Refused
from engine.events import Value
from engine.geometry.interval import Verdict
from engine.rulesets.playmobil.aiming import MELEE, aim, may_charge_now
from engine.rulesets.playmobil.data import data
from engine.rulesets.playmobil.field import (
    SAME_LEVEL_MM,
    crew_beside,
    on_table,
    over_edge_mm,
    overlapped,
    shaped,
    standing,
    terrain_of,
    wall_gap,
)
from engine.rulesets.playmobil.marks import (
    Phase,
    aboard,
    crew_of,
    has,
    hostile,
    is_left_horse,
    kind_of,
    living,
    own_turn,
    type_of,
    waiting,
    wild,
)
from engine.rulesets.playmobil.measures import lengths, reckoning
from engine.rulesets.playmobil.measures.ways import Mover, mover
from engine.rulesets.playmobil.settings import Settings
from engine.rulesets.playmobil.tale import Tale
from engine.rulesets.playmobil.turns import actor, engaged
from engine.spots import Spot, number, spot, spot_of, word
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


def move_fault(
    state: GameState, settings: Settings, table: TableState, unit: Unit
) -> tuple[str, str] | None:
    """Flag and sentence why a unit has no move now, None when it has one.

    Nobody moves after an attack (PM-ATT-09). Leaving a melee is free (PM-MOVE-03).
    """
    own = type_of(unit)
    if own is None or is_left_horse(unit) or wild(unit) or aboard(unit):
        return "MOVED", f"{unit.name} does not move by itself"
    if waiting(unit):
        return "WAIT_BROKEN", f"{unit.name} is waiting"
    if has(unit, "attacked") or has(unit, "threw") or unit.mark("shots") is not None:
        return "MOVED_AFTER_ATTACK", "no movement after attacking"
    if own.kind == "chariot":
        crew = crew_of(state, unit)
        if not crew:
            return "MOVED", f"{unit.name} has no driver"
        if any(waiting(man) for man in crew):  # PM-CHAR-08
            return "WAIT_BROKEN", f"{unit.name}: its driver is dismounting"
    if own.kind == "engine":
        if has(unit, "fired"):
            return "NO_CREW", f"{unit.name} has shot this turn"
        if len(crew_beside(state, table, settings, unit)[0]) < data().whole("siege.crew_to_move"):
            return "NO_CREW", f"{unit.name} is moved by two men in contact"
    return None


def announce_charge(tale: Tale, settings: Settings, table: TableState, action: Action) -> None:
    """The next shift of a rider is a charge (PM-CAV-03, PM-ARCH-11).

    Raises:
        Refused: He cannot charge that enemy.
    """
    unit = actor(tale.state, action.figure_id)
    target = tale.state.unit(action.target_id or "")
    if target is None:
        raise Refused("an enemy is charged", "PM-CAV-03")
    fault = charge_fault(tale.state, settings, table, unit, target)
    if fault is not None:
        raise Refused(fault[1], fault[0])
    tale.upon("charge_declared", "PM-CAV-03", unit, target, {"unit.charge_of": target.figure_id})


def charge_fault(
    state: GameState, settings: Settings, table: TableState, unit: Unit, target: Unit
) -> tuple[str, str] | None:
    """Why an enemy cannot be charged, as rule and sentence; None when he can (PM-GEO-24)."""
    fault = may_charge_now(state, settings, unit)
    if fault is not None:
        return fault
    gone = move_fault(state, settings, table, unit)
    if gone is not None or has(unit, "moved"):
        words = "has already moved" if gone is None else gone[1]
        return "PM-TURN-02", f"{unit.name}: {words}"
    if not target.alive or not hostile(state, unit, target) or aboard(target):
        return "PM-CAV-05", "an enemy on the table is charged"
    if kind_of(target) in ("engine", ""):
        return "PM-CAV-05", "a charge goes at troops"
    if engaged(state, settings, table, unit):
        return "PM-CAV-06", f"{unit.name} is already in melee, no charge"
    figure, enemy = on_table(state, table, unit), on_table(state, table, target)
    if figure is None or enemy is None:
        return "PM-GEO-18", f"I do not see {target.name} on the table"
    gap = lengths.edge_gap(figure, enemy)
    way = max(0.0, gap - settings.reach_mm)
    if not lengths.fits(way, charge_limit(settings)):
        return "PM-CAV-03", f"{target.name} is {gap:.0f} mm away, too far for a charge"
    if settings.charge_min_ft and gap < settings.feet(settings.charge_min_ft) - settings.reach_mm:
        return "PM-CAV-09", f"{target.name} is {gap:.0f} mm away, too near for a charge"
    goal = _near(figure, enemy, way)
    going = going_of(state, settings, table, figure, unit)
    length = going.shortest(figure.position_mm, goal)
    straight = math.dist(figure.position_mm, goal)
    if length is None or length > data().numbers["charge.detour"] * straight + 1.0:
        return "PM-CAV-10", f"nothing leads straight to {target.name}"
    return None


def _near(figure: Figure, enemy: Figure, way: float) -> tuple[float, float]:
    (ax, ay), (bx, by) = figure.position_mm, enemy.position_mm
    far = max(math.dist((ax, ay), (bx, by)), 1e-6)
    return (ax + (bx - ax) * way / far, ay + (by - ay) * way / far)


def going_of(
    state: GameState, settings: Settings, table: TableState, figure: Figure, unit: Unit
) -> Mover:
    """A figure about to move over the table as it is now (PM-MOVE-02)."""
    everybody = standing(state, table)
    enemies = [
        other
        for other in everybody
        if (u := state.unit(other.figure_id)) is not None
        and hostile(state, unit, u)
        and not is_left_horse(u)
    ]
    others = [] if kind_of(unit) == "engine" else [
        o for o in everybody
        if (u := state.unit(o.figure_id)) is not None
        and not is_left_horse(u) and kind_of(u) != "engine"
    ]  # fmt: skip
    return mover(figure, enemies, others, terrain_of(state, table, settings), table.size_mm)


def watch_move(tale: Tale, settings: Settings, table: TableState, seen: Figure, unit: Unit) -> None:
    """Tell what a figure of the side whose turn it is did at its new place."""
    here = spot_of(seen)
    figure = shaped(seen, unit)
    if unit.mark("beside") and _beside(tale.state, settings, table, unit, figure):
        tale.at("shifted", "PM-DIS-05", unit, here)
        return
    if _stepped(tale, settings, table, unit, figure, here):
        return
    fault = move_fault(tale.state, settings, _before(table, unit, seen), unit)
    if fault is not None:
        tale.at("flagged", data().flags[fault[0]].rule, unit, here, code=fault[0],
                moved_mm=_from(unit, here))  # fmt: skip
        return
    went = journey(tale.state, settings, table, figure, unit)
    values = {"moved_mm": went.length_mm, "limit_mm": went.limit_mm, "move": True}
    if went.verdict is Verdict.NO:
        rule = data().flags[went.code].rule
        tale.at("flagged", rule, unit, here, code=went.code, charge_of=went.charge_of, **values)
    elif went.verdict is Verdict.BORDERLINE:
        tale.at("asked_place", "PM-GEO-14", unit, here, code="TOO_FAR",
                charge_of=went.charge_of, **values)  # fmt: skip
    else:
        arrived(tale, unit, here, went)


def _before(table: TableState, unit: Unit, seen: Figure) -> TableState:
    """The table with the mover where it stood, so that its crew is counted there."""
    at = spot(unit)
    if at is None:
        return table
    old = replace(seen, position_mm=at.xy, level_mm=at.z)
    figures = tuple(old if f.figure_id == unit.figure_id else f for f in table.figures)
    return replace(table, figures=figures)


def _from(unit: Unit, here: Spot) -> float:
    at = spot(unit)
    return 0.0 if at is None else here.away(at)


def _beside(
    state: GameState, settings: Settings, table: TableState, unit: Unit, figure: Figure
) -> bool:
    """Who has just dismounted is put beside his horse or chariot (PM-DIS-05)."""
    left = state.unit(word(unit, "beside"))
    other = None if left is None else on_table(state, table, left)
    return other is not None and lengths.is_contact(lengths.edge_gap(figure, other), settings)


def _stepped(
    tale: Tale, settings: Settings, table: TableState, unit: Unit, figure: Figure, here: Spot
) -> bool:
    """The step up to the next victim is no move (PM-ATT-05, PM-ATT-10, PM-TURN-05)."""
    at = spot(unit)
    if at is None or not has(unit, "attacked"):
        return False
    named = word(unit, "step_to")
    tol = settings.place_tol_mm
    enemies = [u for u in living(tale.state) if hostile(tale.state, unit, u)]
    for enemy in enemies:
        if named and enemy.figure_id != named:
            continue
        if not named and (has(unit, "stopped") or not has(unit, "chain")):
            continue
        other = on_table(tale.state, table, enemy)
        if other is None:
            continue
        before = replace(figure, position_mm=at.xy)
        gap = number(unit, "step_gap") if named else lengths.edge_gap(before, other)
        if (
            not named
            and not aim(tale.state, settings, _put(table, unit, at), unit, enemy, MELEE).allowed
        ):
            continue
        if lengths.is_step(at.xy, here.xy, other.position_mm, gap, tol):
            values: dict[str, Value] = {"unit.step_to": enemy.figure_id, "unit.step_gap": 0.0}
            tale.at("stepped", "PM-ATT-10", unit, here, moved_mm=here.away(at), **values)
            return True
    return False


def _put(table: TableState, unit: Unit, at: Spot) -> TableState:
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
    if declared or not lengths.fits(length, limit):
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
    there = _put(table, unit, start)
    targets = [
        u for u in living(state)
        if hostile(state, unit, u) and (not declared or u.figure_id == declared)
    ]  # fmt: skip
    hit = [u for u in targets if aim(state, settings, table, unit, u, MELEE).allowed]
    if not declared and not hit:
        known = data().flags["CHARGE_NO_ATTACK"]
        if lengths.fits(length, limit) and known and may_charge_now(state, settings, unit) is None:
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
        near = not lengths.fits(length, limit)
        if near and settings.close_policy == "ask":
            return Journey(Verdict.BORDERLINE, "", length, limit, charge_of=name)
        return Journey(Verdict.YES, "", length, limit, charge_of=name, close=near)
    if declared and reason == "no_attack" and lengths.fits(length, move_limit(unit, settings)):
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


def arrived(tale: Tale, unit: Unit, here: Spot, went: Journey) -> None:
    """The move is made and counts."""
    charge = bool(went.charge_of)
    own = type_of(unit)
    rule = "PM-CAV-03" if charge else "PM-TURN-02"
    if own is not None and own.kind == "engine":
        rule = "PM-ART-12" if own.name == "artillery" else "PM-SIEGE-10"
    marks: dict[str, Value] = {
        "unit.moved": True, "unit.beside": "", "unit.charge_of": "",
        "unit.charged": charge, "unit.charged_at": went.charge_of,
    }  # fmt: skip
    if charge:
        marks["unit.last_charge"] = own_turn(tale.state, unit.side)
        if not has(unit, "charged"):
            marks["unit.charge_before"] = unit.mark("last_charge")
    elif went.again and has(unit, "charged"):
        marks["unit.last_charge"] = unit.mark("charge_before")  # it was none after all
    tale.at(
        "moved", "PM-MOVE-04" if went.climbed else rule, unit, here,
        moved_mm=went.length_mm, limit_mm=went.limit_mm, again=went.again, close=went.close,
        charge=charge, at_whom=went.charge_of, **marks,
    )  # fmt: skip


def may_move(state: GameState, unit: Unit) -> bool:
    """Whether a shift of this unit is looked at as a move or step: it is its side's turn."""
    if unit.side != state.active_side or wild(unit):
        return False
    return state.phase == Phase.ACT or (state.phase == Phase.RESOLVE and has(unit, "attacked"))


_CHARGE_CODES = {
    "engaged": "CHARGE_ENGAGED",
    "every_three_turns": "CHARGE_TOO_SOON",
    "too_far": "TOO_FAR",
    "no_attack": "CHARGE_NO_ATTACK",
    "direction": "CHARGE_DIRECTION",
}
