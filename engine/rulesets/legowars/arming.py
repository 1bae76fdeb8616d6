"""What a unit can attack with now, and why not (LW-WPN, LW-RNG-07 to 11, LW-HVY)."""

from __future__ import annotations

from dataclasses import dataclass

from engine.rulesets.legowars.data import data
from engine.rulesets.legowars.field import aboard, men_near, place_of, standing_on
from engine.rulesets.legowars.marks import (
    HEAVY,
    HORSE,
    MOUNT,
    VEHICLE,
    broken,
    heavy_of,
    is_set,
    kind_of,
    living,
    mount_of,
    rider_of,
    steered,
    things_of,
    whole,
    whole_things,
)
from engine.rulesets.legowars.measures import gear
from engine.rulesets.legowars.settings import Settings
from engine.spots import word
from engine.state import GameState, Unit
from engine.table import TableState
from engine.units import MM_PER_CM

UNARMED = "unarmed"
THROW = "throw"
BOW_CLUB = "bow_club"
_NEAR = 1e-6


@dataclass(frozen=True, slots=True)
class Arm:
    """One way of attacking.

    Attributes:
        value: What an action says for it.
        thing: What is held for it, ``""`` for bare hands.
        row: Row of the weapon tables.
        ranged: It is shot or thrown.
    """

    value: str
    thing: str
    row: str
    ranged: bool = False


@dataclass(frozen=True, slots=True)
class Fault:
    """Why something is refused: the flag and one sentence."""

    flag: str
    text: str


def arms_of(state: GameState, settings: Settings, unit: Unit) -> tuple[Arm, ...]:
    """Everything a man could attack with, bare hands last (LW-MEL-01, LW-MEL-15)."""
    found = []
    for thing in dict.fromkeys(whole_things(unit)):
        if thing == gear.BOW:
            found.append(Arm(gear.BOW, thing, gear.BOW, ranged=True))
            if settings.bow_as_club:
                found.append(Arm(BOW_CLUB, thing, "club"))
            continue
        if thing not in gear.weapons():
            continue
        if gear.stabs(thing, settings):
            row = gear.SPEAR if thing == gear.THROWN_SPEAR else thing
            row = lance_row(state, settings, unit) if thing == gear.LANCE else row
            found.append(Arm(thing, thing, row))
        if gear.throws(thing, settings):
            found.append(Arm(THROW, thing, gear.SPEAR, ranged=True))
    return (*found, Arm(UNARMED, "", UNARMED))


def lance_row(state: GameState, settings: Settings, unit: Unit) -> str:
    """Row of the lance: mounted or on foot (LW-WPN-03, LW-WPN-04)."""
    mount = mount_of(state, unit)
    if mount is None:
        return "lance_foot"
    other = MOUNT in mount.equipment
    good = not other or (settings.other_mounts == "ask" and is_set(mount, "lance_ok"))
    return "lance_mounted" if good else "lance_foot"


def arm_called(state: GameState, settings: Settings, unit: Unit, value: str) -> Arm | Fault:
    """The arm that an action names, or why it cannot be used (LW-DMG-06, LW-MEL-14)."""
    aliases = {"lance_foot": gear.LANCE, "lance_mounted": gear.LANCE}
    value = aliases.get(value, value)
    found = next((arm for arm in arms_of(state, settings, unit) if arm.value == value), None)
    if found is None:
        return _why_not(settings, unit, value)
    if found.value == gear.BOW and shots_left(settings, unit) == 0:
        return Fault("LW-FLAG-14", f"{unit.name} has no arrow left: pick up another bow")
    return found


def _why_not(settings: Settings, unit: Unit, value: str) -> Fault:
    if value == BOW_CLUB:
        return Fault("LW-FLAG-13", "a bow is no melee weapon")
    if value == gear.BOW and gear.QUIVER in unit.equipment and gear.BOW not in unit.equipment:
        return Fault("LW-FLAG-27", f"{unit.name} has a quiver, but no bow")
    if value == THROW:
        return Fault("LW-FLAG-14", f"{unit.name} has nothing left to throw")
    if value in broken(unit):
        return Fault("LW-FLAG-12", f"{unit.name}'s {value.replace('_', ' ')} is broken")
    return Fault("LW-FLAG-12", f"{unit.name} does not hold a {value.replace('_', ' ')}")


def shots_left(settings: Settings, unit: Unit) -> int | None:
    """Arrows of a man's bows, None without limit (LW-RNG-09, LW-RNG-10, LW-RNG-16)."""
    things = whole_things(unit)
    bows, spent = things.count(gear.BOW), whole(unit, "spent")
    quiver = gear.QUIVER in things
    if quiver and spent and settings.spent_bow != "reusable_with_quiver":
        bows, spent = bows - spent, 0
    return gear.shots(0, max(0, bows), quiver, spent)


def action_fault(settings: Settings, unit: Unit, arm: Arm | None) -> Fault | None:
    """Why a man has no attack left this turn (LW-TURN-06, LW-TURN-07, LW-LADD-04)."""
    if word(unit, "gone") == "conceded":
        return Fault("LW-FLAG-32", f"{unit.name} belongs to a side that gave up")
    if not unit.alive:
        return Fault("LW-FLAG-03", f"{unit.name} is dead")
    if word(unit, "ladder"):
        return Fault("LW-FLAG-06", f"{unit.name} is on a ladder")
    if is_set(unit, "fell"):
        return Fault("LW-FLAG-06", f"{unit.name} fell this turn")
    acted = word(unit, "acted")
    if acted == "attack" or whole(unit, "struck"):
        if arm is not None and _second(settings, unit, arm):
            return None
        return Fault("LW-FLAG-07", f"{unit.name} attacked already this turn")
    if acted:
        return Fault("LW-FLAG-08", f"{unit.name} did something else this turn already")
    return None


def _second(settings: Settings, unit: Unit, arm: Arm) -> bool:
    """A house rule lets a man strike once with each of two weapons (LW-AMB-64)."""
    used = [one for one in word(unit, "used").split(";") if one]
    weapons = [thing for thing in things_of(unit) if thing in gear.weapons()]
    if not settings.two_weapons_two_attacks or not arm.thing or len(used) >= 2:
        return False
    left = list(weapons)
    for one in used:
        if one in left:
            left.remove(one)
    return arm.thing in left


def horse_fault(state: GameState, settings: Settings, horse: Unit) -> Fault | None:
    """Why a horse may not attack (LW-HORSE-06, LW-HORSE-07, LW-HORSE-10)."""
    if not horse.alive:
        return Fault("LW-FLAG-03", f"{horse.name} is dead")
    rider = rider_of(state, horse)
    if rider is None or kind_of(horse) != HORSE or steered(state, horse):
        return Fault("LW-FLAG-17", f"{horse.name} attacks only when ridden")
    if settings.horse_attack == "never":
        return Fault("LW-FLAG-17", "horses do not attack in this game")
    if is_set(horse, "horse_struck"):
        return Fault("LW-FLAG-07", f"{horse.name} attacked already this turn")
    if settings.horse_attack == "instead_of_rider" and word(rider, "acted"):
        return Fault("LW-FLAG-07", f"{rider.name} acted already: horse or rider, not both")
    return None


def rider_fault(state: GameState, settings: Settings, man: Unit) -> Fault | None:
    """With one attack for both, a rider whose horse struck has none left."""
    mount = mount_of(state, man)
    if mount is None or settings.horse_attack != "instead_of_rider":
        return None
    if is_set(mount, "horse_struck"):
        return Fault("LW-FLAG-07", f"{mount.name} attacked already: horse or rider, not both")
    return None


def crew_of(
    state: GameState, settings: Settings, table: TableState, man: Unit, weapon: Unit
) -> list[Unit] | Fault:
    """Who serves a heavy weapon with that man, or why it cannot be served (LW-HVY-06)."""
    row = heavy_of(weapon)
    if not row or not weapon.alive:
        return Fault("LW-FLAG-12", "there is no such weapon")
    if row in broken(weapon):
        return Fault("LW-FLAG-12", f"the {row.replace('_', ' ')} is broken")
    if weapon.side != man.side:
        return Fault("LW-FLAG-22", f"the {row.replace('_', ' ')} belongs to somebody else")
    fired = weapon.mark("fired")
    if isinstance(fired, int) and state.turn - fired <= settings.heavy_reload_turns:
        text = f"the {row.replace('_', ' ')} is not loaded again yet"
        return Fault("LW-FLAG-07", text if state.turn > fired else "it was used this turn already")
    here = place_of(state, table, settings, weapon)
    if here is None:
        return Fault("LW-FLAG-12", "I do not see the weapon")
    near = list(men_near(state, table, settings, man.side, here, settings.reach_mm))
    if man not in near:
        return Fault("LW-FLAG-09", f"{man.name} is not at the {row.replace('_', ' ')}")
    free = [one for one in near if one != man and action_fault(settings, one, None) is None]
    if len(free) + 1 < settings.heavy_crew:
        return Fault("LW-FLAG-26", f"the weapon needs {settings.heavy_crew} men")
    if row == "battering_ram" and not _carried(state, settings, table, weapon):
        return Fault("LW-FLAG-26", f"a ram needs {settings.ram_carriers} men or a vehicle")
    return [man, *free[: settings.heavy_crew - 1]]


def _carried(state: GameState, settings: Settings, table: TableState, weapon: Unit) -> bool:
    """A ram hangs on a vehicle or a building, or enough men hold it (LW-HVY-03, LW-HVY-04)."""
    if kind_of(weapon) == VEHICLE:
        return True
    if any(weapon in aboard(state, table, cart) for cart in living(state, None, VEHICLE)):
        return True
    here = place_of(state, table, settings, weapon)
    if here is None or standing_on(table, here.centre, here.low_mm) is not None:
        return here is not None
    reach = data().number("team", "contact_cm") * MM_PER_CM
    holders = list(men_near(state, table, settings, weapon.side, here, reach))
    return len(holders) >= settings.ram_carriers


def heavy_weapons(state: GameState, side: str) -> list[Unit]:
    """Heavy weapons of a side, by themselves or on vehicles."""
    return [u for u in living(state, side) if heavy_of(u) and kind_of(u) in (HEAVY, VEHICLE)]
