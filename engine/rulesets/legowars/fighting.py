"""ATK_DECLARE to ATK_END: from naming a target to what it comes to (LW-MEL, LW-RNG, LW-DMG)."""

from __future__ import annotations

from engine.actions import Action
from engine.dice import Dice
from engine.errors import Refused
from engine.events import Event, results
from engine.rulesets.judging import unit_called
from engine.rulesets.legowars import flow
from engine.rulesets.legowars.aiming import Aim, aim, horse_arm, p_kill, strike_of
from engine.rulesets.legowars.arming import (
    Arm,
    Fault,
    action_fault,
    arm_called,
    crew_of,
    horse_fault,
    rider_fault,
    shots_left,
)
from engine.rulesets.legowars.climbing import open_falls, roll_fall
from engine.rulesets.legowars.data import data
from engine.rulesets.legowars.field import place_of
from engine.rulesets.legowars.marks import (
    HORSE,
    UNDER_WAY,
    Phase,
    armor_of,
    heavy_of,
    is_set,
    kind_of,
    whole,
)
from engine.rulesets.legowars.measures import attacks, gear
from engine.rulesets.legowars.riding import attacker_spot, frighten
from engine.rulesets.legowars.ruins import after_death, ruin
from engine.rulesets.legowars.settings import Settings
from engine.spots import number_mark, text_mark, word
from engine.state import GameState, Unit
from engine.table import TableState
from engine.tale import Tale


def attack(tale: Tale, settings: Settings, table: TableState, action: Action) -> None:
    """Name attacker, weapon and target (LW-MEL-01, LW-RNG-01, LW-HVY-06).

    Raises:
        Refused: The attack is not legal.
    """
    unit, arm, source = declared(tale.state, settings, table, action)
    target = tale.state.unit(action.target_id or "")
    if target is None:
        raise Refused("at whom?", "LW-MEL-01")
    _take(tale, settings, table, unit, source, arm, target, action.kind)


def declared(
    state: GameState, settings: Settings, table: TableState, action: Action
) -> tuple[Unit, Arm, Unit]:
    """Who attacks, with what, and from where: himself, his horse or a heavy weapon.

    Raises:
        Refused: That one may not attack now, or not so.
    """
    unit = unit_called(state, action.figure_id, "LW-MEL-01")
    if kind_of(unit) == HORSE:
        fault = horse_fault(state, settings, unit)
        if fault is None and word(unit, "gone") == "conceded":
            fault = Fault("LW-FLAG-32", f"{unit.name} belongs to a side that gave up")
        _may(state, unit, fault)
        return unit, horse_arm(), unit
    if action.kind == "crew_heavy":
        return _crew(state, settings, table, unit, action)
    named = arm_called(state, settings, unit, action.value or "unarmed")
    arm = None if isinstance(named, Fault) else named
    fault = action_fault(settings, unit, arm) or rider_fault(state, settings, unit)
    if fault is None and isinstance(named, Fault):
        fault = named
    _may(state, unit, fault)
    if arm is None:
        raise Refused("with what?", "LW-FLAG-12")
    return unit, arm, unit


def _crew(
    state: GameState, settings: Settings, table: TableState, unit: Unit, action: Action
) -> tuple[Unit, Arm, Unit]:
    weapon = state.unit(action.value or "")
    fault = action_fault(settings, unit, None) or rider_fault(state, settings, unit)
    if fault is None and weapon is not None:
        crew = crew_of(state, settings, table, unit, weapon)
        fault = crew if isinstance(crew, Fault) else None
    _may(state, unit, fault)
    if weapon is None:
        raise Refused("there is no such weapon to serve", "LW-HVY-06")
    row = heavy_of(weapon)
    return unit, Arm(weapon.figure_id, "", row, ranged=row != attacks.RAM), weapon


def _may(state: GameState, unit: Unit, fault: Fault | None) -> None:
    """Whether somebody may act in this step 3 at all."""
    if fault is not None and fault.flag in ("LW-FLAG-03", "LW-FLAG-32"):
        raise Refused(fault.text, fault.flag)
    if state.phase in UNDER_WAY:
        raise Refused("first finish the attack under way", "LW-TURN-11")
    if state.phase != Phase.ATTACK or unit.side != state.active_side:
        raise Refused(f"it is not {unit.name}'s step to attack", "LW-TURN-05")
    if fault is not None:
        raise Refused(fault.text, fault.flag)
    if word(unit, "open"):
        raise Refused(f"first put {unit.name} back or accept where it stands", "LW-TURN-08")


def answer_aim(tale: Tale, settings: Settings, table: TableState, value: str) -> None:
    """The players say how a doubtful reach, range or view is."""
    state = tale.state
    by, goal = text_mark(state, "ask_by"), text_mark(state, "ask_target")
    weapon, kind = text_mark(state, "ask_weapon"), text_mark(state, "ask_kind")
    what = text_mark(state, "ask")
    unit, target = state.unit(by), state.unit(goal)
    if unit is None or target is None:
        raise Refused("nobody is aiming", "LW-RNG-05")
    source_id = weapon if kind == "crew_heavy" else by
    values = results(what=what, said=value, **{"for": f"{source_id}/{weapon}/{goal}"})
    tale.tell(Event("aim_answered", "LW-RNG-05", unit.side, by, goal, values=values))
    action = Action(kind, figure_id=by, target_id=goal, value=weapon)
    unit, arm, source = declared(tale.state, settings, table, action)
    found = aim(tale.state, settings, table, source, target, arm)
    if found.allowed:
        _take(tale, settings, table, unit, source, arm, target, kind)
    else:
        told = (unit.side, by, goal)
        tale.tell(Event("aim_failed", found.rule, *told, values=results(text=found.text)))


def _take(
    tale: Tale,
    settings: Settings,
    table: TableState,
    unit: Unit,
    source: Unit,
    arm: Arm,
    target: Unit,
    kind: str,
) -> None:
    found = aim(tale.state, settings, table, source, target, arm)
    if not found.allowed:
        raise Refused(found.text, found.rule)
    if found.ask:
        values = results(
            what=found.ask,
            length_cm=found.length_cm,
            limit_cm=found.ask_limit,
            weapon=arm.value,
            attack=kind,
        )
        told = (unit.side, unit.figure_id, target.figure_id)
        tale.tell(Event("aim_asked", found.rule, *told, values=values))
        return
    _tell_aim(tale, settings, unit, source, arm, target, found)


def _tell_aim(
    tale: Tale,
    settings: Settings,
    unit: Unit,
    source: Unit,
    arm: Arm,
    target: Unit,
    found: Aim,
) -> None:
    if found.strike is None:
        return
    parts = attacks.parts(found.strike, found.goal, settings)
    crew = source.figure_id if source.figure_id != unit.figure_id else ""
    tale.tell(
        Event(
            "aimed",
            found.rule,
            unit.side,
            unit.figure_id,
            target.figure_id,
            values=results(
                weapon=arm.value,
                row=found.strike.weapon,
                mode=found.strike.mode,
                number=found.number,
                cover=found.goal.cover,
                dead=found.goal.dead,
                crew=crew,
                length_cm=found.length_cm,
                why=tuple(f"{name} {value:+d}" for name, value in parts),
                p_hit=attacks.p_hit(found.number),
                p_kill=p_kill(found, target, settings),
                armor=found.armor,
            ),
        )
    )


def roll(tale: Tale, settings: Settings, table: TableState, action: Action, dice: Dice) -> None:
    """Roll to hit, for damage or for a fall, whichever is next.

    Raises:
        Refused: Nothing waits for a die, or there are several.
    """
    phase = tale.state.phase
    if phase not in UNDER_WAY:
        raise Refused("nothing waits for a die", "LW-MEL-10")
    if action.dice and len(action.dice) != 1:
        raise Refused("one die is rolled", "LW-GEN-02")
    if phase == Phase.ATK_FALL:
        roll_fall(tale, settings, table, action, dice)
    elif phase == Phase.ATK_HIT:
        _roll_hit(tale, settings, table, dice)
    else:
        _roll_damage(tale, settings, table, dice)


def _sides(tale: Tale) -> tuple[Unit, Unit]:
    state = tale.state
    unit = state.unit(text_mark(state, "aim_by"))
    target = state.unit(text_mark(state, "aim_target"))
    if unit is None or target is None:
        raise Refused("nobody attacks", "LW-MEL-10")
    return unit, target


def _roll_hit(tale: Tale, settings: Settings, table: TableState, dice: Dice) -> None:
    unit, target = _sides(tale)
    needed = int(number_mark(tale.state, "aim_number"))
    faces = dice.roll(1, data().dice_sides)
    hit = attacks.hits(needed, faces[0])
    climbs = bool(word(target, "ladder")) and target.alive
    falls = hit and climbs and settings.ladder_hit_order == "fall_only"
    natural = faces[0] in (1, data().dice_sides)
    _use(tale, settings, table, unit, target)
    rule = "LW-MEL-10" if not natural else "LW-MEL-12" if hit else "LW-MEL-11"
    tale.tell(
        Event(
            "hit_rolled",
            rule,
            unit.side,
            unit.figure_id,
            target.figure_id,
            faces,
            results(hit=hit, number=needed, falls=falls, natural=natural),
        )
    )
    if falls:
        open_falls(tale, "LW-LADD-05", [target], Phase.ATTACK)
    elif not hit:
        _finish(tale, settings, table, unit, target, broke=False)


def _use(tale: Tale, settings: Settings, table: TableState, unit: Unit, target: Unit) -> None:
    """The action is used up, a spear leaves the hand, an arrow its bow (LW-RNG-07, LW-RNG-09)."""
    state = tale.state
    if kind_of(unit) == HORSE:
        tale.about("horse_struck", "LW-HORSE-07", unit)
        return
    crew = state.unit(text_mark(state, "aim_crew"))
    if crew is not None:
        men = crew_of(state, settings, table, unit, crew)
        for man in [unit] if isinstance(men, Fault) else men:
            tale.about("crewed", "LW-HVY-06", man)
        tale.about("fired", "LW-HVY-06", crew, turn=state.turn)
        return
    arm = arm_called(state, settings, unit, text_mark(state, "aim_weapon"))
    thing = "" if isinstance(arm, Fault) else arm.thing
    tale.about("struck", "LW-TURN-06", unit, thing=thing)
    if isinstance(arm, Fault) or not arm.ranged:
        return
    unit = tale.now(unit)
    if arm.value == "throw":
        left = list(unit.equipment)
        left.remove(thing)
        tale.about("threw", "LW-RNG-07", unit, equipment=tuple(left), thing=thing)
    elif shots_left(settings, unit) is not None:
        tale.about("shot_spent", "LW-RNG-09", unit)


def _roll_damage(tale: Tale, settings: Settings, table: TableState, dice: Dice) -> None:
    unit, target = _sides(tale)
    strike, goal = strike_of(tale.state)
    faces = dice.roll(1, data().dice_sides)
    armor = armor_of(target, settings)
    came, breaks = attacks.outcome(strike, faces[0], armor, goal, settings)
    rule = {
        attacks.DEAD: "LW-DMG-02",
        attacks.MINUS_ONE: "LW-DMG-09",
        attacks.DESTROYED: "LW-DMG-10",
        attacks.NOTHING: "LW-STAT-08",
    }[came]
    if faces[0] == data().whole("attack", "natural_break"):
        rule = "LW-DMG-05"
    elif faces[0] == data().whole("attack", "natural_kill") and not goal.has_structure:
        rule = "LW-DMG-04"
    tale.tell(
        Event(
            "damage_rolled",
            rule,
            unit.side,
            unit.figure_id,
            target.figure_id,
            faces,
            results(result=came, breaks=breaks, damage=strike.damage(settings), armor=armor),
        )
    )
    if breaks:
        _break(tale, settings, unit)
    fallen: list[Unit] = []
    if came == attacks.DEAD:
        fallen = after_death(tale, settings, table, target, unit, rule)
    elif came == attacks.MINUS_ONE:
        left = attacks.structure_after(whole(target, "structure"), 1)
        fallen = _lose(tale, settings, table, target, left)
    elif came == attacks.DESTROYED:
        fallen = _lose(tale, settings, table, target, 0)
    _fall_or_finish(tale, settings, table, unit, target, breaks, fallen)


def _fall_or_finish(
    tale: Tale,
    settings: Settings,
    table: TableState,
    unit: Unit,
    target: Unit,
    broke: bool,
    fallen: list[Unit],
) -> None:
    """A climber who was hit falls even when he lives (LW-LADD-05, LW-LADD-09)."""
    now = tale.now(target)
    climbs = now.alive and bool(word(now, "ladder")) and not is_set(now, "doomed")
    if climbs and settings.ladder_fall_trigger == "to_hit_success":
        fallen = [*fallen, now]
    _after(tale, settings, table, unit, target, broke=broke)
    if fallen:
        open_falls(tale, "LW-LADD-05", fallen, Phase.ATTACK)
        return
    flow.end_attack(tale, settings, table)


def _break(tale: Tale, settings: Settings, unit: Unit) -> None:
    """A natural 1 broke the weapon (LW-DMG-05, LW-DMG-08, LW-HAND-11)."""
    state = tale.state
    crew = state.unit(text_mark(state, "aim_crew"))
    if crew is not None:
        row = heavy_of(crew)
        tale.about("broke", "LW-DMG-08", crew, thing=row, stays=True)
        return
    value = text_mark(state, "aim_weapon")
    thing = {"throw": "", "bow_club": gear.BOW}.get(value, value)
    if not thing:  # the thrown spear does not land (LW-DMG-08)
        tale.about("broke", "LW-DMG-08", unit, thing=gear.SPEAR, equipment=unit.equipment)
        return
    stays = settings.broken_item == "stays_in_hand"
    left = list(unit.equipment)
    if thing in left and not stays:
        left.remove(thing)
    tale.about("broke", "LW-DMG-05", unit, thing=thing, stays=stays, equipment=tuple(left))


def _lose(tale: Tale, settings: Settings, table: TableState, target: Unit, left: int) -> list[Unit]:
    """A vehicle or building loses structure, or all of it (LW-DMG-09, LW-VEH-12, LW-SIEGE-02)."""
    tale.about("structure_lost", "LW-DMG-09", target, left=left)
    return ruin(tale, settings, table, target) if left == 0 else []


def _finish(
    tale: Tale, settings: Settings, table: TableState, unit: Unit, target: Unit, *, broke: bool
) -> None:
    _after(tale, settings, table, unit, target, broke=broke)
    flow.end_attack(tale, settings, table)


def _after(
    tale: Tale, settings: Settings, table: TableState, unit: Unit, target: Unit, *, broke: bool
) -> None:
    """A thrown spear lies beside the target; a loose horse takes fright (LW-RNG-15)."""
    state = tale.state
    if text_mark(state, "aim_weapon") == "throw" and not broke:
        here = place_of(state, table, settings, target)
        if here is not None and settings.thrown_lands == "at_target":
            x, y = here.centre
            thing = word(tale.now(unit), "used").rpartition(";")[2] or gear.SPEAR
            values = results(thing=thing, x_mm=x, y_mm=y, z_mm=here.low_mm)
            tale.tell(Event("loosed", "LW-RNG-15", unit.side, values=values))
    crew = state.unit(text_mark(state, "aim_crew"))
    frighten(tale, target, attacker_spot(state, table, crew or unit))
