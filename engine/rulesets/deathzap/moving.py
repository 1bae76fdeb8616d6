"""The activated fighter is moved: how far, round what, and is it a charge."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.actions import Action
from engine.errors import Refused
from engine.events import Event, results
from engine.geometry.interval import Verdict
from engine.rulesets import limits
from engine.rulesets.deathzap.data import data
from engine.rulesets.deathzap.field import (
    contacts,
    on_table,
    over_edge_mm,
    overlapped,
    standing,
    terrain_of,
)
from engine.rulesets.deathzap.fighting import struck
from engine.rulesets.deathzap.flow import actor, after_action
from engine.rulesets.deathzap.marks import Phase, actions_left, class_of
from engine.rulesets.deathzap.measures import lengths
from engine.rulesets.deathzap.measures.lengths import edge_gap
from engine.rulesets.deathzap.measures.ways import Mover, may_charge, mover
from engine.rulesets.deathzap.settings import Settings
from engine.spots import Spot, spot, spot_of, text_mark
from engine.state import GameState, Unit
from engine.table import Figure, TableState
from engine.tale import Tale


@dataclass(frozen=True, slots=True)
class Journey:
    """What a move came to.

    Attributes:
        verdict: It keeps the rules, does not, or the players must say.
        code: Flag when it does not.
        length_mm: Length with climbs, of the straight line where there is no way.
        limit_mm: Longest move.
        again: It only goes on with the move made before.
        close: A near thing was settled in favour of the mover.
    """

    verdict: Verdict
    code: str
    length_mm: float
    limit_mm: float
    again: bool = False
    close: bool = False


def announce_move(tale: Tale, action: Action) -> None:
    """The next shift of the fighter is a plain move."""
    unit = _chooser(tale.state, action)
    tale.tell(_intent("move", "DZ-MOVE-01", unit, None))


def announce_charge(tale: Tale, settings: Settings, table: TableState, action: Action) -> None:
    """The next shift of the fighter is a charge.

    Raises:
        Refused: Its class cannot, or the enemy is out of reach.
    """
    unit = _chooser(tale.state, action)
    target = tale.state.unit(action.target_id or "")
    if target is None or not target.alive or target.side == unit.side:
        raise Refused("which enemy is charged?", "DZ-CHG-01")
    fault = charge_fault(tale.state, settings, table, unit, target)
    if fault is not None:
        raise Refused(fault[1], fault[0])
    tale.tell(_intent("charge", "DZ-CHG-01", unit, target.figure_id))


def _chooser(state: GameState, action: Action) -> Unit:
    unit = actor(state, action.figure_id)
    if state.phase != Phase.CHOOSE_ACTION:
        raise Refused("a move is announced already", "DZ-AP-04")
    return unit


def call_off(tale: Tale) -> None:
    """The announced move is not made.

    Raises:
        Refused: None is announced.
    """
    if tale.state.phase != Phase.MOVING:
        raise Refused("no move is announced", "DZ-AP-06")
    tale.tell(Event("called_off", "DZ-AP-06", tale.state.active_side))


def charge_fault(
    state: GameState, settings: Settings, table: TableState, unit: Unit, target: Unit
) -> tuple[str, str] | None:
    """Why an enemy cannot be charged, as rule and sentence; None when it can."""
    own = class_of(unit)
    if own is None or not own.charge:
        return "DZ-CHG-01", f"{unit.name} cannot charge"
    figure, enemy = on_table(table, unit), on_table(table, target)
    if figure is None or enemy is None:
        return "DZ-GEO-18", f"I do not see {target.name} on the table"
    gap = edge_gap(figure, enemy)
    if lengths.is_contact(gap, settings):
        return "DZ-CHG-04", f"{target.name} is touched already: strike it"
    move = lengths.move_mm(own, settings)
    if not lengths.charge_offered(gap, move, settings):
        short = lengths.charge_way_mm(gap, settings) - move
        return "DZ-CHG-07", f"{target.name} is {gap:.0f} mm away, {short:.0f} too far"
    going = going_of(state, settings, table, figure)
    area = going.reach(figure.position_mm, move)
    if not may_charge(figure, enemy, going, area, move, settings):
        return "DZ-GEO-25", f"{target.name} is {gap:.0f} mm away, but the way there is blocked"
    return None


def going_of(state: GameState, settings: Settings, table: TableState, figure: Figure) -> Mover:
    """A figure about to move over the table as it is now."""
    terrain = terrain_of(state, table, settings)
    return mover(figure, standing(state, table), terrain, table.size_mm, settings)


def watch_move(tale: Tale, settings: Settings, table: TableState, figure: Figure) -> None:
    """Tell what the activated fighter at its new place did; leaving contact is free (DZ-MOVE-06).

    Args:
        tale: Told so far.
        settings: Options of the game.
        table: The settled table.
        figure: The activated fighter, somewhere else than before.
    """
    unit = tale.state.unit(figure.figure_id)
    if unit is None:
        return
    here = spot_of(figure)
    went = journey(tale.state, settings, table, figure, unit)
    values = {"moved_mm": went.length_mm, "limit_mm": went.limit_mm, "move": True}
    if went.verdict is Verdict.NO:
        rule = _RULES[went.code]
        tale.at("flagged", rule, unit, here, code=went.code, **values)
    elif went.verdict is Verdict.BORDERLINE:
        tale.at("asked_place", "DZ-GEO-14", unit, here, code="TOO_FAR", **values)
    else:
        arrived(tale, settings, table, unit, here, went)


def journey(
    state: GameState, settings: Settings, table: TableState, figure: Figure, unit: Unit
) -> Journey:
    """Hold a move against the rules: as part of the last one first, then as one of its own."""
    at, start = spot(unit), spot(unit, "start")
    if text_mark(state, "last_move") == unit.figure_id and start is not None:
        longer = _measured(state, settings, table, figure, unit, start)
        if longer.verdict is Verdict.YES:
            return replace(longer, again=True)
    return _measured(state, settings, table, figure, unit, at or spot_of(figure))


def arrived(
    tale: Tale,
    settings: Settings,
    table: TableState,
    unit: Unit,
    here: Spot,
    went: Journey,
) -> None:
    """The move is made and counts; a charge that touches an enemy goes on with its blow.

    Whatever is left of the activation may follow (DZ-CHG-05).
    """
    state = tale.state
    charging = text_mark(state, "intent") == "charge"
    plain = text_mark(state, "intent") == "move"
    goal = text_mark(state, "intent_target")
    figure = on_table(table, unit)
    before = set() if figure is None else _touched_before(state, settings, table, figure, unit)
    touched = [] if figure is None else list(contacts(state, table, settings, figure))
    new = [enemy for enemy in touched if enemy.figure_id not in before]
    enemy = state.unit(goal)
    enemy_figure = None if enemy is None else on_table(table, enemy)
    short = 0.0
    if charging and not new and figure is not None and enemy_figure is not None:
        short = max(0.0, edge_gap(figure, enemy_figure) - settings.contact_mm)
    own = class_of(unit)
    can_charge = own is not None and own.charge and not plain and bool(new)
    strikes = can_charge and (charging or not went.again)
    rule = "DZ-CHG-01" if charging and new else "DZ-CHG-03" if charging else _move_rule(unit)
    tale.at(
        "moved",
        rule,
        unit,
        here,
        moved_mm=went.length_mm,
        limit_mm=went.limit_mm,
        again=went.again,
        close=went.close,
        charge=charging,
        touches=tuple(one.figure_id for one in touched),
        short_mm=short,
    )
    if strikes:
        declared = next((one for one in new if one.figure_id == goal), None)
        if charging and declared is not None and len(new) == 1:
            struck(tale, settings, table, tale.now(unit), declared)
            return
        names = tuple(one.figure_id for one in new)
        told = results(contacts=names, plain=not charging)
        tale.tell(
            Event("target_open", "DZ-CHG-06", unit.side, unit.figure_id, goal or None, values=told)
        )
        return
    after_action(tale, settings)


def _measured(
    state: GameState,
    settings: Settings,
    table: TableState,
    figure: Figure,
    unit: Unit,
    start: Spot,
) -> Journey:
    own = class_of(unit)
    limit = 0.0 if own is None else lengths.move_mm(own, settings)
    here = figure.position_mm
    straight = start.away(spot_of(figure))
    if over_edge_mm(figure, table, settings) > 0.0:
        return Journey(Verdict.NO, "BOARD_EDGE", straight, limit)
    if overlapped(state, table, figure) is not None:
        return Journey(Verdict.NO, "THROUGH_FIGHTER", straight, limit)
    going = going_of(state, settings, table, figure)
    length = going.shortest(start.xy, here)
    alone = replace(going, walk=replace(going.walk, blockers=(), occupied=()))
    if length is None:
        code = "NO_WAY" if alone.shortest(start.xy, here) is None else "THROUGH_FIGHTER"
        return Journey(Verdict.NO, code, straight, limit)
    verdict = lengths.held(length, limit, settings, figure.sigma_mm, figure.sigma_mm)
    if verdict is not Verdict.NO:
        read = lengths.close(length, limit, figure.sigma_mm, figure.sigma_mm)
        close = settings.close_policy != "strict" and read is Verdict.BORDERLINE
        return Journey(verdict, "", length, limit, close=close)
    free = alone.shortest(start.xy, here)
    through = free is not None and limits.fits(free, limit)
    return Journey(Verdict.NO, "THROUGH_FIGHTER" if through else "TOO_FAR", length, limit)


def _touched_before(
    state: GameState, settings: Settings, table: TableState, figure: Figure, unit: Unit
) -> set[str]:
    """Enemies it touched where it began: those are struck, not charged (DZ-CHG-04)."""
    start = spot(unit, "start") or spot(unit)
    if start is None:
        return set()
    there = replace(figure, position_mm=start.xy, level_mm=start.z)
    return {one.figure_id for one in contacts(state, table, settings, there)}


def may_move(state: GameState, unit: Unit) -> bool:
    """Whether a shift of this fighter is a move of its activation."""
    if text_mark(state, "fighter") != unit.figure_id:
        return False
    return state.phase in (Phase.CHOOSE_ACTION, Phase.MOVING) and actions_left(state) > 0


def _move_rule(unit: Unit) -> str:
    own = class_of(unit)
    usual = min(kind.move_in for kind in data().classes.values())
    return "DZ-MOVE-02" if own is not None and own.move_in > usual else "DZ-MOVE-01"


def _intent(what: str, rule: str, unit: Unit, target_id: str | None) -> Event:
    return Event("intent", rule, unit.side, unit.figure_id, target_id, values=results(what=what))


_RULES = {
    "BOARD_EDGE": "DZ-MOVE-08",
    "THROUGH_FIGHTER": "DZ-MOVE-03",
    "NO_WAY": "DZ-MOVE-05",
    "TOO_FAR": "DZ-MOVE-01",
}
