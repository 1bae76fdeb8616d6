"""Getting on and off horses and chariots (PM-DIS, PM-CHAR, PM-HORSE)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.actions import Action
from engine.errors import Refused
from engine.rulesets.playmobil.data import data
from engine.rulesets.playmobil.field import on_table, touching
from engine.rulesets.playmobil.marks import (
    aboard,
    carries,
    count,
    crew_of,
    has,
    is_left_horse,
    kind_of,
    own_turn,
    type_of,
    waiting,
)
from engine.rulesets.playmobil.settings import Settings
from engine.spots import living, word
from engine.state import GameState, Unit
from engine.table import TableState
from engine.tale import Tale


def foot_type(unit: Unit, *, spear: bool) -> str:
    """What a rider becomes on foot (PM-DIS-07, PM-ARCH-13): by shield, spear, bow and rank."""
    own = type_of(unit)
    name = "" if own is None else own.on_foot
    armed = spear or word(unit, "carried") == "spear"
    swaps = {"heavy_infantry": "heavy_spearman", "light_infantry": "light_spearman"}
    return swaps.get(name, name) if armed else name


def mounted_type(unit: Unit) -> str:
    """What a man on foot becomes on a horse (PM-HORSE-06)."""
    own = type_of(unit)
    if own is None:
        return "light_cavalry"
    return own.mounted or ("heavy_cavalry" if own.shield else "light_cavalry")


def unshielded_type(unit: Unit) -> str:
    """What a heavy man is without his shield (PM-INF-09, PM-ART-05, PM-ART-16)."""
    own = type_of(unit)
    return "" if own is None else own.unshielded


def wait_fault(state: GameState, unit: Unit) -> tuple[str, str] | None:
    """Why a unit cannot begin to wait now (PM-DIS-01, PM-DIS-05)."""
    if waiting(unit):
        return "PM-DIS-01", f"{unit.name} waits already"
    if has(unit, "moved") or has(unit, "charged"):
        return "PM-DIS-01", f"{unit.name} has moved this turn"
    if has(unit, "attacked") or has(unit, "threw") or count(unit, "shots"):
        return "PM-DIS-05", f"{unit.name} has attacked this turn"
    return None


def dismount_fault(state: GameState, unit: Unit) -> tuple[str, str] | None:
    """Why a unit cannot dismount now; elephants are never left (PM-ELE-11)."""
    carrier = state.unit(aboard(unit))
    if carrier is not None and kind_of(carrier) == "elephant":
        return "PM-ELE-11", "riders stay on their elephants"
    if carrier is None and kind_of(unit) != "horse":
        return "PM-DIS-01", f"{unit.name} rides nothing"
    return wait_fault(state, unit)


def mounts(state: GameState, settings: Settings, table: TableState, unit: Unit) -> Iterator[Unit]:
    """Horses and empty chariots in contact that a man on foot may mount.

    The own horse (PM-DIS-03, PM-DIS-08), anybody's riderless horse (PM-DIS-09), an empty chariot
    of either side (PM-CHAR-07 to PM-CHAR-09).
    """
    figure = on_table(state, table, unit)
    if figure is None or kind_of(unit) != "foot" or aboard(unit):
        return
    taken = {word(u, "wait_on") for u in living(state) if waiting(u) == "mount"}
    free = [
        other
        for other in living(state)
        if other.figure_id not in taken
        and (is_left_horse(other) or (kind_of(other) == "chariot" and not crew_of(state, other)))
    ]
    yield from touching(state, table, settings, figure, free)


def torch_targets(
    state: GameState, settings: Settings, table: TableState, unit: Unit
) -> Iterator[tuple[Unit, tuple[str, str] | None]]:
    """Engines in contact with a man with a torch, and why one cannot burn (PM-SIEGE-01, 03)."""
    figure = on_table(state, table, unit)
    if figure is None or not carries(unit, "torch") or aboard(unit):
        return
    for other in touching(state, table, settings, figure, living(state)):
        own = type_of(other)
        if own is None or own.kind != "engine":
            continue
        if not own.burns:
            yield other, ("PM-SIEGE-03", "ladders do not burn")
        elif own.name == "artillery" and not settings.siege_artillery_is_engine:
            yield other, ("PM-SIEGE-13", "only the crew of artillery can be attacked")
        else:
            yield other, None


def start_dismount(tale: Tale, unit: Unit, action: Action) -> None:
    """A rider begins to dismount; what is useless on foot may be exchanged (PM-DIS-04).

    Raises:
        Refused: He cannot.
    """
    fault = dismount_fault(tale.state, unit)
    if fault is not None:
        raise Refused(fault[1], fault[0])
    weapon = action.value or "sword"
    if weapon not in ("sword", "spear") or (weapon == "spear" and not may_take_spear(unit)):
        raise Refused("on foot it is the sword, or the spear of who has one", "PM-DIS-04")
    rule = "PM-CHAR-08" if aboard(unit) else "PM-DIS-01"
    tale.note("waits", rule, unit, {
        "what": "dismount", "unit.wait": "dismount", "unit.wait_weapon": weapon,
        "unit.wait_turn": own_turn(tale.state, unit.side),
    })  # fmt: skip


def may_take_spear(unit: Unit) -> bool:
    """Whether a rider has a lance or spear that serves on foot (PM-DIS-04)."""
    return carries(unit, "lance") or word(unit, "carried") == "spear"


def start_mount(
    tale: Tale, settings: Settings, table: TableState, unit: Unit, action: Action
) -> None:
    """A man begins to mount a horse or an empty chariot.

    Raises:
        Refused: He cannot.
    """
    fault = wait_fault(tale.state, unit)
    if fault is not None:
        raise Refused(fault[1], fault[0])
    target = next(
        (m for m in mounts(tale.state, settings, table, unit)
         if m.figure_id == action.target_id), None
    )  # fmt: skip
    if target is None:
        raise Refused(f"{unit.name} touches no free horse or chariot of that name", "PM-DIS-08")
    _wait_at(tale, unit, target, "mount", "PM-DIS-03")


def start_torch(
    tale: Tale, settings: Settings, table: TableState, unit: Unit, action: Action
) -> None:
    """A man holds his torch to an engine; he may have walked there (PM-SIEGE-08).

    Raises:
        Refused: He has none, or nothing burnable is in contact.
    """
    if waiting(unit):
        raise Refused(f"{unit.name} waits already", "PM-DIS-01")
    if not carries(unit, "torch"):
        raise Refused(f"{unit.name} has no torch", "PM-SIEGE-01")
    found = {t.figure_id: (t, f) for t, f in torch_targets(tale.state, settings, table, unit)}
    target, fault = found.get(action.target_id or "", (None, None))
    if target is None:
        raise Refused(f"{unit.name} touches no engine of that name", "PM-SIEGE-08")
    if fault is not None:
        raise Refused(fault[1], fault[0])
    _wait_at(tale, unit, target, "torch", "PM-SIEGE-01")


def _wait_at(tale: Tale, unit: Unit, target: Unit, what: str, rule: str) -> None:
    tale.upon("waits", rule, unit, target, {
        "what": what, "unit.wait": what, "unit.wait_on": target.figure_id,
        "unit.wait_turn": own_turn(tale.state, unit.side),
    })  # fmt: skip


def riders_of(kind: str) -> int:
    """How many men a vehicle may carry (PM-ELE-21, PM-CHAR-05)."""
    return data().whole("elephant.riders_most") if kind == "elephant" else 1
