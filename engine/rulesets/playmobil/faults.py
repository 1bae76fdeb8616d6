"""Why a unit cannot attack or charge now, whatever is near."""

from __future__ import annotations

from engine.rulesets.playmobil.data import data
from engine.rulesets.playmobil.marks import (
    aboard,
    bow_of,
    count,
    crew_of,
    has,
    hostile,
    is_left_horse,
    kind_of,
    own_turn,
    thrown_left,
    type_of,
    waiting,
    wild,
)
from engine.rulesets.playmobil.measures import reckoning
from engine.rulesets.playmobil.settings import Settings
from engine.state import GameState, Unit

MELEE, SHOOT, FLAME, THROW = "melee", "shoot", "flame", "throw"


def attack_fault(
    state: GameState, settings: Settings, unit: Unit, kind: str
) -> tuple[str, str] | None:
    """Why a unit cannot attack in that way now, as rule and sentence; None when it can.

    Elephants with a rider fight like all others (PM-ELE-22).
    """
    own = type_of(unit)
    if own is None:
        return "PM-PREP-08", f"nobody said what {unit.name} is"
    if waiting(unit):
        return "PM-DIS-01", f"{unit.name} is waiting and does not attack"
    if own.kind == "engine" or is_left_horse(unit) or wild(unit):
        return "PM-SIEGE-12", f"{unit.name} does not attack"
    if own.kind == "chariot" and not crew_of(state, unit):
        return "PM-CHAR-10", f"{unit.name} has no driver"
    if own.kind == "chariot" and any(waiting(man) for man in crew_of(state, unit)):
        return "PM-CHAR-08", f"{unit.name}: its driver is dismounting"
    if kind == MELEE:
        return _melee_fault(state, unit)
    return _missile_fault(state, settings, unit, kind)


def _melee_fault(state: GameState, unit: Unit) -> tuple[str, str] | None:
    carrier = state.unit(aboard(unit))
    if carrier is not None:
        rule = "PM-ELE-13" if kind_of(carrier) == "elephant" else "PM-CHAR-12"
        return rule, f"{unit.name} rides and only shoots or throws"
    if has(unit, "stopped"):
        return "PM-ATT-02", f"{unit.name} was blocked and is finished this turn"
    if has(unit, "threw"):
        return "PM-THROW-05", f"{unit.name} threw this turn, no melee"
    if count(unit, "shots"):
        return "PM-ARCH-14", f"{unit.name} shot this turn, no melee"
    return None


def _missile_fault(
    state: GameState, settings: Settings, unit: Unit, kind: str
) -> tuple[str, str] | None:
    """Shots and throws come after a move, never after a charge or blow (PM-THROW-10)."""
    rules = data()
    if kind != THROW and not bow_of(unit):
        return "PM-ARCH-03", f"{unit.name} has no bow"
    if kind == FLAME and (kind_of(unit) == "horse" or aboard(unit)):
        return "PM-ARCH-10", "flaming arrows frighten horses; dismount first"
    if kind == FLAME and unit_flames(unit) is False:
        return "PM-ARCH-06", f"{unit.name} has no flaming arrows"
    if kind == THROW and not thrown_left(unit) and not has(unit, "threw"):
        return "PM-THROW-02", f"{unit.name} has nothing left to throw; thrown weapons are spent"
    if has(unit, "attacked"):
        rule = "PM-THROW-05" if kind == THROW else "PM-ARCH-14"
        return rule, f"{unit.name} struck this turn"
    if kind == THROW:
        if has(unit, "threw"):
            return "PM-THROW-04", f"{unit.name} threw already this turn"
        if count(unit, "shots"):
            return "PM-THROW-01", f"{unit.name} shot this turn"
        if not thrown_left(unit):
            return "PM-THROW-02", f"{unit.name} has nothing left to throw"
        if has(unit, "charged") and not settings.charge_throw:
            return "PM-CAV-14", "a charge ends hand to hand; throw after an ordinary move"
        return None
    if has(unit, "charged"):
        return "PM-ARCH-12", "no shooting at the end of a charge"
    if has(unit, "threw"):
        return "PM-THROW-05", f"{unit.name} threw this turn"
    shots, flamed = count(unit, "shots"), has(unit, "flamed")
    if kind == FLAME and shots >= rules.whole("missiles.flaming_shots"):
        return "PM-ARCH-07", "one flaming arrow a turn and no other"
    if flamed:
        return "PM-ARCH-07", "after a flaming arrow no other this turn"
    left = reckoning.shots_left(
        shots, flamed=flamed, stopped=has(unit, "stopped"), settings=settings
    )
    if left == 0:
        missed = has(unit, "stopped") and settings.archery_stop_on_fail
        text = "missed and is finished this turn" if missed else "shot three times, the limit"
        return "PM-ARCH-05" if missed else "PM-ARCH-04", f"{unit.name} {text}"
    return None


def unit_flames(unit: Unit) -> bool:
    """Whether an archer may use flaming arrows at all (PM-ARCH-06)."""
    own = type_of(unit)
    return own is not None and own.flaming


def target_fault(
    state: GameState, settings: Settings, unit: Unit, target: Unit, kind: str
) -> tuple[str, str] | None:
    """Why a target cannot be attacked in that way, whoever is near; None when it can."""
    if not target.alive:
        return "PM-DICE-04", f"{target.name} is out of the game"
    if is_left_horse(target):
        return "PM-DIS-09", "a horse without rider is no target"
    if not hostile(state, unit, target):
        return "PM-TURN-04", f"{target.name} is of the same side"
    own = type_of(target)
    if own is None:
        return "PM-PREP-08", f"nobody said what {target.name} is"
    carrier = state.unit(aboard(target))
    if kind == MELEE and carrier is not None:
        if kind_of(carrier) == "elephant":
            return "PM-ELE-08", "only arrows and thrown weapons reach the rider"
        return "PM-CHAR-06", "attack the chariot: its driver is out of reach"
    if own.kind != "engine":
        return None
    if kind != FLAME:
        return "PM-SIEGE-12", "an engine falls to fire and artillery; attack its crew"
    if not own.burns:
        return "PM-SIEGE-03", "ladders do not burn"
    if own.name == "artillery" and not settings.siege_artillery_is_engine:
        return "PM-SIEGE-13", "only the crew of artillery can be attacked"
    return None


def may_charge_now(state: GameState, settings: Settings, unit: Unit) -> tuple[str, str] | None:
    """Why a unit cannot charge in this turn, whatever is near; None when it can."""
    own = type_of(unit)
    if own is None or not own.charge:
        return "PM-CAV-03", f"{unit.name} does not charge"
    now = own_turn(state, unit.side)
    last = unit.mark("last_charge")
    before = int(last) if isinstance(last, int | float) else None
    if not reckoning.charge_turn(before, now, settings):
        if before is None:
            text = f"the first charge is in turn {settings.charge_first_turn}"
            return "PM-CAV-08", text
        again = before + data().whole("charge.every_turns")
        return "PM-CAV-07", f"{unit.name} charged in turn {before}; again from turn {again}"
    return None
