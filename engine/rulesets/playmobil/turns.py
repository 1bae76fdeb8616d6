"""From own turn to own turn: what was waited for, wild elephants, and the end of the game."""

from __future__ import annotations

from engine.dice import Dice
from engine.errors import Refused
from engine.events import Event, Value, results
from engine.rulesets.judging import check_gives_up
from engine.rulesets.playmobil.aiming import aim
from engine.rulesets.playmobil.data import data
from engine.rulesets.playmobil.faults import MELEE
from engine.rulesets.playmobil.field import on_table, reachable, touching
from engine.rulesets.playmobil.marks import (
    HORSE,
    Phase,
    aboard,
    count,
    has,
    is_left_horse,
    is_man,
    kind_of,
    men,
    own_turn,
    type_of,
    waiting,
    wild,
)
from engine.rulesets.playmobil.measures import attacks, lengths, reckoning
from engine.rulesets.playmobil.mounting import foot_type, mounted_type
from engine.rulesets.playmobil.settings import Settings
from engine.spots import Spot, living, other_side, side_name, spot, text_mark, word
from engine.state import GameState, Unit
from engine.table import TableState
from engine.tale import Tale
from engine.words import listed


def begin_turn(tale: Tale, settings: Settings, table: TableState, side: str, rule: str) -> None:
    """TURN_START: an own turn begins and what was waited for is done (PM-DIS-05)."""
    minutes = 0
    if settings.turn_clock == "little_wars":
        guns = sum(1 for u in living(tale.state, side) if _is(u, "artillery"))
        minutes = reckoning.minutes(sum(1 for _ in men(tale.state, side)), guns)
    tale.tell(Event("turn_began", rule, side, values=results(minutes=minutes)))
    now = own_turn(tale.state, side)
    for unit in list(living(tale.state, side)):
        ready = reckoning.ready_turn(count(unit, "wait_turn"), attacked=False, moved=False)
        if waiting(unit) and ready is not None and ready <= now:
            _DONE[waiting(unit)](tale, settings, table, unit)


def _is(unit: Unit, name: str) -> bool:
    own = type_of(unit)
    return own is not None and own.name == name


def _no_wait() -> dict[str, Value]:
    return {"unit.wait": "", "unit.wait_turn": "", "unit.wait_on": "", "unit.wait_weapon": ""}


def _dismounted(tale: Tale, settings: Settings, table: TableState, unit: Unit) -> None:
    """The rider stands beside his horse or chariot (PM-DIS-02, PM-DIS-05, PM-CHAR-08)."""
    here = spot(unit) or spot(tale.state.unit(aboard(unit)) or unit)
    figure = on_table(tale.state, table, unit)
    place = _place(here)
    weapon = word(unit, "wait_weapon")
    if aboard(unit):
        tale.note(
            "dismounted", "PM-CHAR-08", unit,
            {**_no_wait(), "unit.aboard": "", "unit.beside": aboard(unit)},
        )  # fmt: skip
        if here is not None:
            tale.at("shifted", "PM-CHAR-08", tale.now(unit), here)
        return
    spear = weapon == "spear"
    horse = f"{unit.figure_id}_horse"
    tale.note(
        "dismounted", "PM-DIS-02", unit,
        {
            **_no_wait(), "unit.type": foot_type(unit, spear=spear), "unit.beside": horse,
            "unit.lance": "" if weapon else unit.mark("lance"), "unit.horse": horse,
        },
    )  # fmt: skip
    looks = None if figure is None else figure.facing_deg
    leave_horse(tale, tale.now(unit), horse, place, looks)


def leave_horse(
    tale: Tale, unit: Unit, name: str, place: dict[str, Value], looks: float | None
) -> None:
    """A horse stays where its rider left it, looking the same way (PM-DIS-02, PM-DIS-09)."""
    values: dict[str, Value] = {
        "name": f"Horse of {unit.name}", "unit.thing": HORSE, "unit.owner": unit.figure_id,
        "unit.gone": "", "unit.lies": None if looks is None else looks + 0.001, **place,
    }  # fmt: skip
    tale.tell(Event("appeared", "PM-DIS-09", unit.side, name, values=results(**values)))


def _place(here: Spot | None) -> dict[str, Value]:
    return {} if here is None else {"x_mm": here.x, "y_mm": here.y, "z_mm": here.z}


def _mounted(tale: Tale, settings: Settings, table: TableState, unit: Unit) -> None:
    """The man mounts the horse or chariot he waited at (PM-DIS-03, PM-DIS-09, PM-CHAR-09)."""
    target = tale.state.unit(word(unit, "wait_on"))
    figure = on_table(tale.state, table, unit)
    free = target is not None and target.alive and figure is not None
    if not free or target is None or figure is None:
        tale.note("wait_broken", "PM-DIS-06", unit, _no_wait())
        return
    if not any(touching(tale.state, table, settings, figure, [target])):
        tale.note("wait_broken", "PM-DIS-08", unit, _no_wait())
        return
    if kind_of(target) == "chariot":
        if any(aboard(u) == target.figure_id for u in living(tale.state)):
            tale.note("wait_broken", "PM-CHAR-09", unit, _no_wait())
            return
        rule = "PM-CHAR-08" if target.side == unit.side else "PM-CHAR-07"
        tale.upon(
            "mounted", rule, unit, target,
            {**_no_wait(), "unit.aboard": target.figure_id, "target.side": unit.side},
        )  # fmt: skip
        return
    rule = "PM-DIS-03" if word(target, "owner") == unit.figure_id else "PM-DIS-09"
    here = spot(target)
    tale.upon(
        "mounted", rule, unit, target,
        {
            **_no_wait(), "unit.type": mounted_type(unit), "unit.horse": "",
            "unit.carried": _weapon(unit),
        },
    )  # fmt: skip
    tale.tell(Event("taken", rule, target.side, target.figure_id))
    if here is not None:
        tale.at("shifted", rule, tale.now(unit), here)


def _weapon(unit: Unit) -> str:
    own = type_of(unit)
    return "spear" if own is not None and own.spear else ""


def _torched(tale: Tale, settings: Settings, table: TableState, unit: Unit) -> None:
    """The engine burns if the torch is still beside it (PM-SIEGE-01, PM-SIEGE-08)."""
    engine = tale.state.unit(word(unit, "wait_on"))
    figure = on_table(tale.state, table, unit)
    tale.note("torch_held", "PM-SIEGE-08", unit, _no_wait())
    if engine is None or not engine.alive or figure is None:
        return
    if any(touching(tale.state, table, settings, figure, [engine])):
        rule = "PM-SIEGE-13" if _is(engine, "artillery") else "PM-SIEGE-01"
        tale.tell(Event("destroyed", rule, engine.side, engine.figure_id, unit.figure_id,
                        values=results(how="fire")))  # fmt: skip


_DONE = {"dismount": _dismounted, "mount": _mounted, "torch": _torched}


def end_turn(
    tale: Tale, settings: Settings, table: TableState, side: str | None, dice: Dice
) -> None:
    """The player is done; elephants without rider act, then the other side (PM-TURN-03).

    Raises:
        Refused: It is no time for it, a flag is open or a charge has not attacked.
    """
    state = tale.state
    if state.phase != Phase.ACT:
        raise Refused("no turn can end now", "PM-TURN-03")
    if side is not None and side != state.active_side:
        raise Refused("it is the other side's turn", "PM-TURN-04")
    fault = end_fault(state, settings, table)
    if fault is not None:
        raise Refused(fault[1], fault[0])
    queue = raging(state, settings)
    tale.tell(Event("turn_ended", "PM-TURN-03", state.active_side,
                    values=results(**{"game.raging": ";".join(queue)})))  # fmt: skip
    next_rampage(tale, settings, table, dice)


def end_fault(state: GameState, settings: Settings, table: TableState) -> tuple[str, str] | None:
    """Why a turn cannot end yet, as rule and sentence; None when it can."""
    open_flags = [u.name for u in living(state) if word(u, "open") == "flag"]
    if open_flags:
        return "PM-GEO-19", f"put right or accept {listed(open_flags)}"
    owing = charge_owing(state, settings, table)
    if owing is not None:
        return "PM-CAV-04", f"{owing.name} charged and must attack"
    return None


def charge_owing(state: GameState, settings: Settings, table: TableState) -> Unit | None:
    """A unit whose charge has not led to an attack though it could (PM-CAV-04)."""
    for unit in living(state, state.active_side):
        if not has(unit, "charged") or has(unit, "attacked") or has(unit, "threw"):
            continue
        figure = on_table(state, table, unit)
        if figure is None:
            continue
        for enemy in living(state):
            if aim(state, settings, table, unit, enemy, MELEE).allowed:
                return unit
    return None


def raging(state: GameState, settings: Settings) -> list[str]:
    """Elephants without rider that act at the end of this turn (PM-ELE-05, PM-ELE-16)."""
    side = state.active_side
    second = side != text_mark(state, "first")
    return [
        unit.figure_id
        for unit in living(state)
        if wild(unit)
        and (
            settings.elephant_rampage == "end_of_each_own_turn"
            or (settings.elephant_rampage == "end_of_round" and second)
            or (settings.elephant_rampage == "enemy_turn" and unit.side != side)
        )
    ]


def next_rampage(tale: Tale, settings: Settings, table: TableState, dice: Dice | None) -> None:
    """RAMPAGE: the next elephant goes for the nearest troops (PM-ELE-03, 04, 06, 07)."""
    waiting_ids = [name for name in text_mark(tale.state, "raging").split(";") if name]
    while waiting_ids:
        unit = tale.state.unit(waiting_ids.pop(0))
        rest = ";".join(waiting_ids)
        tale.tell(Event("elephant_looks", "PM-ELE-06", None,
                        values=results(**{"game.raging": rest})))  # fmt: skip
        if unit is None or not unit.alive:
            continue
        victim, drawn = nearest_troops(tale.state, settings, table, unit, dice)
        if victim is not None:
            _goes_for(tale, settings, table, unit, victim, drawn)
            return
    finish_turn(tale, settings, table)


def nearest_troops(
    state: GameState, settings: Settings, table: TableState, unit: Unit, dice: Dice | None
) -> tuple[Unit | None, tuple[int, ...]]:
    """The nearest troops of either army; lots are drawn where two are as near (PM-ELE-17).

    Without dice of the program the first of them is taken.
    """
    figure = on_table(state, table, unit)
    if figure is None:
        return None, ()
    troops, gaps = [], []
    for other in living(state):
        there = on_table(state, table, other)
        if other.figure_id == unit.figure_id or aboard(other) or wild(other) or there is None:
            continue
        if is_man(other) or kind_of(other) in ("elephant", "chariot"):
            troops.append(other)
            gaps.append(lengths.edge_gap(figure, there))
    near = reckoning.nearest(gaps, settings.feet(data().numbers["elephant.rage_ft"]))
    if not near:
        return None, ()
    drawn: tuple[int, ...] = dice.roll(1, len(near)) if dice and len(near) > 1 else ()
    return troops[near[drawn[0] - 1 if drawn else 0]], drawn


def _goes_for(
    tale: Tale,
    settings: Settings,
    table: TableState,
    unit: Unit,
    victim: Unit,
    drawn: tuple[int, ...],
) -> None:
    own, theirs = type_of(unit), type_of(victim)
    a, b = on_table(tale.state, table, unit), on_table(tale.state, table, victim)
    if own is None or theirs is None or a is None or b is None:
        return
    arc = attacks.FRONT
    if b.facing_deg is not None and a.position_mm != b.position_mm:
        arc = lengths.arc(b.position_mm, b.facing_deg, a.position_mm, settings)[1]
    attack, defend = attacks.attack_dice(own, theirs), attacks.defend_dice(theirs, own, arc=arc)
    roller = other_side(tale.state, victim.side)
    ending = tale.state.active_side
    tale.upon(
        "rampage", "PM-ELE-07", unit, victim,
        {
            "a": attack, "d": defend, "gap_mm": lengths.edge_gap(a, b), "roller": roller,
            "game.ending": ending, "unit.raging": True, "rear": arc == attacks.REAR,
        },
        drawn,
    )  # fmt: skip
    tale.tell(Event("phase_began", "PM-ELE-04", roller,
                    values=results(phase=Phase.RAMPAGE.value, **aim_marks(
                        unit, victim, "rampage", attack, defend))))  # fmt: skip


def aim_marks(
    unit: Unit, target: Unit, kind: str, a: int, d: int, mod: int = 0
) -> dict[str, Value]:
    """What is kept of an attack until its dice are there."""
    return {
        "game.aim_by": unit.figure_id, "game.aim_target": target.figure_id,
        "game.aim_kind": kind, "game.aim_a": a, "game.aim_d": d, "game.aim_mod": mod,
    }  # fmt: skip


def finish_turn(tale: Tale, settings: Settings, table: TableState) -> None:
    """TURN_END: the other side has its turn."""
    if end_if_beaten(tale):
        return
    side = text_mark(tale.state, "ending") or tale.state.active_side
    begin_turn(tale, settings, table, other_side(tale.state, side), "PM-TURN-03")


def end_if_beaten(tale: Tale) -> bool:
    """End the game when a side has no man left (PM-END-01); says whether it is over."""
    if tale.state.phase == Phase.FINISHED:
        return True
    left = [side for side in tale.state.sides if any(men(tale.state, side))]
    if len(left) == len(tale.state.sides):
        return False
    over(tale, left[0] if left else "draw", "PM-END-01")
    return True


def over(tale: Tale, outcome: str, rule: str) -> None:
    """The game is over."""
    tale.tell(Event("over", rule, values=results(outcome=outcome)))


def concede(tale: Tale, side: str | None) -> None:
    """A player gives up.

    Raises:
        Refused: There is no such side.
    """
    side = check_gives_up(tale.state, side, "PM-END-01")
    over(tale, other_side(tale.state, side), "PM-END-01")


def engaged(state: GameState, settings: Settings, table: TableState, unit: Unit) -> bool:
    """Whether an enemy is within reach with nothing between (PM-CAV-06, PM-CAV-11)."""
    figure = on_table(state, table, unit)
    return figure is not None and any(reachable(state, table, settings, unit, figure))


def actor(state: GameState, figure_id: str | None) -> Unit:
    """A unit that may act in this turn; figures are handled in any order (PM-TURN-06).

    Raises:
        Refused: It is not its turn, it is out, or its place is in doubt.
    """
    unit = state.unit(figure_id or "")
    if state.phase != Phase.ACT:
        raise Refused("first finish what is under way", "PM-TURN-04")
    if unit is None or is_left_horse(unit):
        raise Refused("which figure?", "PM-TURN-02")
    if not unit.alive:
        raise Refused(f"{unit.name} is out of the game", "PM-DICE-04")
    if unit.side != state.active_side:
        raise Refused(f"it is the turn of {side_name(state.active_side)}", "PM-TURN-04")
    if word(unit, "open"):
        raise Refused(f"first put {unit.name} back or accept where it stands", "PM-GEO-19")
    return unit
