"""ATK_CHECK: may this attack be made, and what has to be rolled (LW-MEL, LW-RNG)."""

from __future__ import annotations

from dataclasses import dataclass

from engine.geometry.interval import Interval, Verdict, cmp_interval
from engine.roster import state_mark
from engine.rulesets.legowars.arming import Arm, Fault
from engine.rulesets.legowars.data import data
from engine.rulesets.legowars.field import place_of
from engine.rulesets.legowars.marks import (
    BUILDING,
    HEAVY,
    HORSE,
    armor_of,
    kind_of,
    mount_of,
    rider_of,
)
from engine.rulesets.legowars.measures import attacks, lengths
from engine.rulesets.legowars.measures.attacks import Goal, Strike
from engine.rulesets.legowars.measures.views import Sight
from engine.rulesets.legowars.seeing import View, in_front, lit, view
from engine.rulesets.legowars.settings import Settings
from engine.spots import text_mark, word
from engine.state import GameState, Unit
from engine.table import TableState
from engine.units import MM_PER_CM
from engine.words import BY_RULER

_PLAIN = Goal()
Views = dict[tuple[str, str], View]


@dataclass(frozen=True, slots=True)
class Aim:
    """What an attack on a target comes to.

    Attributes:
        allowed: It may be made.
        text: Distance and number, or why not.
        rule: Rule or flag behind ``text``.
        strike: How it is made.
        goal: What is attacked.
        length_cm: Distance.
        number: Number to roll.
        ask: What the players have to say first: ``reach``, ``short``, ``long`` or ``cover``.
        ask_limit: Limit or share the question is about.
        armor: ARMOR of the target.
    """

    allowed: bool
    text: str
    rule: str
    strike: Strike | None = None
    goal: Goal = _PLAIN
    length_cm: float = 0.0
    number: int = 0
    ask: str = ""
    ask_limit: float = 0.0
    armor: int = 0


def target_fault(
    state: GameState, settings: Settings, attacker: Unit, target: Unit
) -> Fault | None:
    """Why something can be no target at all."""
    if word(target, "gone") == "conceded":
        return Fault("LW-FLAG-32", f"{target.name} belongs to a side that gave up")
    if target.side == attacker.side:
        return Fault("LW-MEL-01", f"{target.name} is on the same side")
    if kind_of(target) == HEAVY or word(target, "gone") in ("left", "destroyed"):
        return Fault("LW-MEL-01", f"{target.name} can be no target")
    if not target.alive and settings.attack_dead == "forbidden":
        return Fault("LW-FLAG-29", f"{target.name} is dead already")
    ridden = rider_of(state, target) if kind_of(target) == HORSE else None
    if ridden is not None and settings.mounted_target == "rider_only":
        return Fault("LW-HORSE-13", "on a horse the rider is hit")
    mounted = mount_of(state, target) is not None
    if mounted and settings.mounted_target == "horse_only":
        return Fault("LW-HORSE-13", "on a horse the horse is hit")
    return None


def aim(
    state: GameState,
    settings: Settings,
    table: TableState,
    attacker: Unit,
    target: Unit,
    arm: Arm,
    views: Views | None = None,
) -> Aim:
    """Hold one attack against the rules; only what is seen is attacked (LW-MEL-16, LW-RNG-13).

    Args:
        state: The game.
        settings: Options of the game.
        table: The settled table.
        attacker: The man or horse, or the heavy weapon that is served.
        target: What is attacked.
        arm: With what.
        views: Views already found for this table, to be added to.
    """
    fault = target_fault(state, settings, attacker, target)
    if fault is not None:
        return Aim(False, fault.text, fault.flag)
    a = place_of(state, table, settings, attacker)
    b = place_of(state, table, settings, target)
    if a is None or b is None:
        return Aim(False, f"I do not see {target.name} on the table", "LW-FLAG-11")
    key = f"{attacker.figure_id}/{arm.value}/{target.figure_id}"
    length = a.gap(b, settings)
    cm = length.middle / MM_PER_CM
    if not in_front(table, attacker, b.centre, settings):
        return Aim(False, f"{target.name} is not in front of {attacker.name}", "LW-AMB-60")
    if arm.ranged:
        found = _band(state, settings, arm.row, length, key)
        if found == "out":
            text = f"{cm:.1f} cm: out of range"
            if _told(state, key, "long"):
                text = f"out of range {BY_RULER}"
            return Aim(False, text, "LW-FLAG-10", length_cm=cm)
        if found == "none":
            return Aim(False, f"{cm:.1f} cm: between the ranges", "LW-RNG-05", length_cm=cm)
        if found.startswith("ask"):
            return _asking(settings, target, found.removeprefix("ask "), arm, cm)
        mode = found
    else:
        verdict = _reach(state, settings, length, key)
        if verdict is Verdict.NO:
            short = cm - settings.melee_reach_cm
            text = f"{cm:.1f} cm away, {short:.1f} too far"
            if _told(state, key, "reach"):
                text = f"out of reach {BY_RULER}"
            return Aim(False, text, "LW-FLAG-09", length_cm=cm)
        if verdict is Verdict.BORDERLINE:
            return _asking(settings, target, "reach", arm, cm)
        mode = attacks.MELEE
    if not lit(table, settings, length.middle, attacker, target):
        return Aim(False, f"{target.name} is in the dark", "LW-EQP-04", length_cm=cm)
    return _seen(state, settings, table, attacker, target, arm, mode, cm, key, views)


def _seen(
    state: GameState,
    settings: Settings,
    table: TableState,
    attacker: Unit,
    target: Unit,
    arm: Arm,
    mode: str,
    cm: float,
    key: str,
    views: Views | None,
) -> Aim:
    pair = (attacker.figure_id, target.figure_id)
    seen = None if views is None else views.get(pair)
    if seen is None:
        seen = view(state, settings, table, attacker, target)
        if views is not None:
            views[pair] = seen
    sight = seen.sight
    said = _told(state, key, "cover")
    if said:
        sight = Sight(said)
    elif seen.doubtful:
        hidden = 1.0 - seen.visible
        text = f"{target.name} is about {round(100 * hidden)} in 100 hidden: too close to call"
        return Aim(True, text, "LW-COV-06", length_cm=hidden, ask="cover", ask_limit=hidden)
    if sight is Sight.NONE:
        if not (arm.row == "catapult" and settings.catapult_indirect):
            return Aim(False, f"{target.name} is not visible from here", "LW-FLAG-11", length_cm=cm)
        sight = Sight.COVER
    kind = kind_of(target)
    creature = HORSE if kind_of(attacker) == HORSE else "man"
    strike = Strike(mode, "" if creature == HORSE else arm.row, creature)
    goal = Goal(kind, not target.alive, sight is Sight.COVER)
    needed = attacks.number(strike, goal, settings)
    chance = round(100 * attacks.p_hit(needed))
    words = {attacks.SHORT: "short range, ", attacks.LONG: "long range, "}.get(mode, "")
    if goal.cover:
        words += "in cover, "
    useless = " Dead already: it changes nothing." if goal.dead else ""
    return Aim(
        True,
        f"{cm:.1f} cm, {words}needs {needed} ({chance} %){useless}",
        "LW-FLAG-29" if goal.dead else "LW-RNG-02" if arm.ranged else "LW-MEL-10",
        strike,
        goal,
        cm,
        needed,
        armor=armor_of(target, settings) if kind != BUILDING or target.alive else 0,
    )


def _told(state: GameState, key: str, what: str) -> str:
    """What the players said about a near thing of this attack, ``""`` where they were not asked."""
    return text_mark(state, f"said_{what}") if text_mark(state, "said_for") == key else ""


def _reach(state: GameState, settings: Settings, length: Interval, key: str) -> Verdict:
    said = _told(state, key, "reach")
    if said:
        return Verdict.YES if said == "yes" else Verdict.NO
    return lengths.held(length, settings.reach_mm, settings)


def _band(state: GameState, settings: Settings, row: str, length: Interval, key: str) -> str:
    """Range band, or ``ask`` and what to ask (LW-RNG-03 to LW-RNG-05)."""
    short, far = lengths.band_limits_mm(row, settings)
    if settings.boundary_policy != "strict_reading":
        for what, limit in (("long", far), ("short", short)):
            said = _told(state, key, what)
            if said == "no":
                return "out" if what == "long" else "long"
            if said == "yes":
                if what == "short":
                    return "short"
                continue
            tol = settings.measure_tol_mm
            if cmp_interval(length.lo, length.hi, limit, tol) is not Verdict.BORDERLINE:
                continue
            if settings.boundary_policy == "ask":
                return f"ask {what}"
            return what
        if _told(state, key, "long") == "yes":
            return "long"
    return lengths.band(row, length.middle / MM_PER_CM, settings)


def _asking(settings: Settings, target: Unit, what: str, arm: Arm, cm: float) -> Aim:
    limit = settings.melee_reach_cm
    if what != "reach":
        row = data().ranged[arm.row]
        limit = row.short_cm if what == "short" else row.long_cm
    text = f"{target.name} is about {cm:.1f} of {limit:g} cm away: too close to call"
    return Aim(True, text, "LW-RNG-05", length_cm=cm, ask=what, ask_limit=limit)


def p_kill(found: Aim, target: Unit, settings: Settings) -> float:
    """Chance of an attack that may be made (LW-DMG-11)."""
    if found.strike is None:
        return 0.0
    climber = bool(word(target, "ladder"))
    return attacks.p_kill(found.strike, found.armor, found.goal, settings, on_ladder=climber)


def horse_arm() -> Arm:
    """A horse strikes with its hooves."""
    return Arm("horse", "", "")


def strike_of(state: GameState) -> tuple[Strike, Goal]:
    """The attack under way."""
    unit = state.unit(text_mark(state, "aim_by"))
    target = state.unit(text_mark(state, "aim_target"))
    creature = HORSE if unit is not None and kind_of(unit) == HORSE else "man"
    strike = Strike(text_mark(state, "aim_mode"), text_mark(state, "aim_row"), creature)
    if target is None:
        return strike, Goal()
    cover = state_mark(state, "aim_cover") is True
    return strike, Goal(kind_of(target), not target.alive, cover)
