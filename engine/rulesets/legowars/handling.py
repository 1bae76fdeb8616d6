"""Picking up and dropping (LW-HAND)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.actions import Action
from engine.errors import Refused
from engine.events import Event, results
from engine.rulesets.judging import unit_called
from engine.rulesets.legowars.arming import Fault
from engine.rulesets.legowars.data import data
from engine.rulesets.legowars.field import on_table, place_of, spot_place
from engine.rulesets.legowars.marks import (
    MAN,
    Phase,
    broken,
    climbing,
    dead,
    held,
    is_set,
    kind_of,
    things_of,
    whole,
    whole_things,
    words_mark,
)
from engine.rulesets.legowars.measures import gear
from engine.rulesets.legowars.settings import Settings
from engine.spots import Spot, spot, spot_of, word
from engine.state import GameState, Unit
from engine.table import TableState
from engine.tale import Tale

_NEAR = 1e-6


@dataclass(frozen=True, slots=True)
class Loose:
    """A thing that can be picked up (LW-HAND-10).

    Attributes:
        item_id: Its number, or the name of the body it is on with the thing.
        thing: What it is.
        at: Where it lies.
        body: The body it is on, ``""`` for none.
    """

    item_id: str
    thing: str
    at: Spot
    body: str = ""


def loose_items(state: GameState, settings: Settings, table: TableState) -> Iterator[Loose]:
    """Everything that lies about, on bodies too; broken things are useless."""
    for entry in words_mark(state, "loose"):
        number, thing, x, y, z = entry.split("|")
        yield Loose(number, thing, Spot(float(x), float(y), float(z)))
    if not settings.loot_dead:
        return
    for unit in dead(state):
        figure = on_table(table, unit)
        at = spot(unit) if figure is None else spot_of(figure)
        if at is None or kind_of(unit) != MAN:
            continue
        for thing in dict.fromkeys(whole_things(unit)):
            if portable(thing):
                yield Loose(f"{unit.figure_id}:{thing}", thing, at, unit.figure_id)


def portable(thing: str) -> bool:
    """Whether a thing is picked up and dropped: what is held, and a quiver."""
    return thing in (*gear.weapons(), gear.SHIELD, gear.QUIVER)


def item_fault(state: GameState, settings: Settings, unit: Unit) -> Fault | None:
    """Why somebody may not handle things now (LW-HAND-04 to LW-HAND-06)."""
    if kind_of(unit) != MAN or not unit.alive:
        return Fault("LW-FLAG-03", f"{unit.name} handles nothing")
    if state.phase != Phase.ATTACK or unit.side != state.active_side:
        return Fault("LW-TURN-07", f"it is not {unit.name}'s step to act")
    if climbing(unit):
        return Fault("LW-FLAG-20", f"{unit.name} is on a ladder")
    if is_set(unit, "fell"):
        return Fault("LW-FLAG-06", f"{unit.name} fell this turn")
    acted = word(unit, "acted")
    more = acted == "item" and whole(unit, "handled") < settings.item_actions_per_turn
    if acted and not more:
        return Fault("LW-FLAG-08", f"{unit.name} acted already this turn")
    return None


def reachable(state: GameState, settings: Settings, table: TableState, unit: Unit) -> list[Loose]:
    """Things a man can reach (LW-HAND-07)."""
    here = place_of(state, table, settings, unit)
    if here is None:
        return []
    return [
        one
        for one in loose_items(state, settings, table)
        if here.gap(spot_place(one.at), settings).lo <= settings.pickup_mm + _NEAR
    ]


def pick_up(tale: Tale, settings: Settings, table: TableState, action: Action) -> None:
    """A man picks something up instead of attacking (LW-HAND-04, LW-HAND-08, LW-HAND-09).

    Raises:
        Refused: He may not, cannot reach it, or has no hand free.
    """
    unit = _handler(tale.state, settings, action)
    items = reachable(tale.state, settings, table, unit)
    found = next((one for one in items if action.value in (one.item_id, one.thing)), None)
    if found is None:
        raise Refused(f"{unit.name} cannot reach that", "LW-HAND-07")
    needs = gear.hands_of(found.thing, settings)
    if held(unit, settings) + needs > data().whole("hands", "most"):
        raise Refused(f"{unit.name} has both hands full", "LW-FLAG-15")
    body = tale.state.unit(found.body)
    if body is not None:
        left = list(body.equipment)
        left.remove(found.thing)
        tale.about("looted", "LW-HAND-10", body, equipment=tuple(left))
    else:
        tale.tell(Event("taken", "LW-HAND-04", values=results(item=found.item_id)))
    revives = settings.spent_bow == "reusable_after_any_pickup"
    equipment = (*unit.equipment, found.thing)
    told = results(equipment=equipment, thing=found.thing, revives=revives)
    tale.tell(Event("picked_up", "LW-HAND-04", unit.side, unit.figure_id, values=told))


def drop(tale: Tale, settings: Settings, table: TableState, action: Action) -> None:
    """A man drops something instead of attacking (LW-HAND-05, LW-ARM-09).

    Raises:
        Refused: He may not, or does not hold it.
    """
    unit = _handler(tale.state, settings, action)
    thing = action.value or ""
    if thing not in things_of(unit) or not portable(thing):
        raise Refused(f"{unit.name} does not hold that", "LW-HAND-05")
    left = list(unit.equipment)
    left.remove(thing)
    useless = thing in broken(unit)
    figure = on_table(table, unit)
    at = spot(unit) if figure is None else spot_of(figure)
    told = results(equipment=tuple(left), thing=thing)
    tale.tell(Event("dropped", "LW-HAND-05", unit.side, unit.figure_id, values=told))
    if at is not None and not useless:
        values = results(thing=thing, x_mm=at.x, y_mm=at.y, z_mm=at.z)
        tale.tell(Event("loosed", "LW-HAND-10", unit.side, values=values))


def _handler(state: GameState, settings: Settings, action: Action) -> Unit:
    unit = unit_called(state, action.figure_id, "LW-HAND-04")
    fault = item_fault(state, settings, unit)
    if fault is not None:
        raise Refused(fault.text, fault.flag)
    return unit
