"""Mounting, steering and frightened horses (LW-HORSE)."""

from __future__ import annotations

import math
from dataclasses import replace

from engine.actions import Action
from engine.errors import Refused
from engine.events import Event, results
from engine.rulesets.legowars.climbing import mover
from engine.rulesets.legowars.data import data
from engine.rulesets.legowars.field import off_table, on_table, place_of
from engine.rulesets.legowars.hauling import team_limit_cm
from engine.rulesets.legowars.marks import (
    BEFORE,
    HORSE,
    MAN,
    climbing,
    is_set,
    kind_of,
    living,
    mount_of,
    must_flee,
    rider_of,
    steered,
)
from engine.rulesets.legowars.measures.teams import movement_cm
from engine.rulesets.legowars.measures.turns import flee_to
from engine.rulesets.legowars.settings import Settings
from engine.rulesets.legowars.walking import going_of
from engine.spots import Spot, number, spot, spot_of, word
from engine.state import GameState, Unit
from engine.table import PointMm, TableState
from engine.tale import Tale
from engine.units import MM_PER_CM

_NEAR = 1e-6
_STEP_MM = 10.0


def mount_fault(
    state: GameState, settings: Settings, table: TableState, man: Unit, horse: Unit
) -> tuple[str, str] | None:
    """Why a man cannot mount a horse, as rule and sentence; None when he can."""
    if kind_of(horse) != HORSE or not horse.alive or horse.side != man.side:
        return "LW-HORSE-12", "one mounts a horse of his own side"
    if "saddle" not in horse.equipment:
        return "LW-FLAG-16", f"{horse.name} has no saddle"
    if rider_of(state, horse) is not None:
        return "LW-HORSE-12", f"{horse.name} has a rider"
    if word(horse, "team"):
        return "LW-HORSE-04", f"{horse.name} pulls a vehicle"
    a, b = place_of(state, table, settings, man), place_of(state, table, settings, horse)
    reach = data().number("mounting", "contact_cm") * MM_PER_CM
    if a is None or b is None or a.gap(b, settings).lo > reach + _NEAR:
        return "LW-HORSE-12", f"{horse.name} is too far away"
    if state.phase not in BEFORE and left_cm(settings, man) < settings.mount_cost_cm - _NEAR:
        return "LW-HORSE-12", f"{man.name} has not enough of his move left"
    return None


def left_cm(settings: Settings, man: Unit) -> float:
    """What a man on foot has left of his move."""
    spent = number(man, "moved") + number(man, "spent_move")
    return movement_cm("man", settings) - spent


def mount(tale: Tale, settings: Settings, table: TableState, action: Action) -> None:
    """A man mounts a horse (LW-HORSE-03, LW-HORSE-12), before play at no cost.

    Raises:
        Refused: It is not his step, or he cannot.
    """
    state = tale.state
    horse = state.unit(action.target_id or "")
    if state.phase in BEFORE:
        man = state.unit(action.figure_id or "")
        cost = 0.0
    else:
        man = mover(state, action)
        cost = settings.mount_cost_cm
    if man is None or kind_of(man) != MAN or horse is None:
        raise Refused("who mounts which horse?", "LW-HORSE-12")
    if climbing(man) or word(man, "mount"):
        raise Refused(f"{man.name} cannot mount now", "LW-HORSE-12")
    fault = mount_fault(state, settings, table, man, horse)
    if fault is not None:
        raise Refused(fault[1], fault[0])
    values = results(cost_cm=cost, free=cost == 0.0)
    tale.tell(
        Event("mounted", "LW-HORSE-12", man.side, man.figure_id, horse.figure_id, values=values)
    )
    if state.phase in BEFORE:
        tale.about("rested", "LW-TURN-12", tale.now(man))


def may_dismount(state: GameState, settings: Settings, man: Unit) -> bool:
    """Whether a rider can get off: who mounted this turn has little of his move left."""
    if state.phase in BEFORE or not is_set(man, "mounted_now"):
        return True
    return settings.mount_cost_cm <= left_cm(settings, man) + _NEAR


def dismount(tale: Tale, settings: Settings, table: TableState, action: Action) -> None:
    """A rider gets off beside his horse (LW-HORSE-12).

    Raises:
        Refused: It is not his step, or he does not ride.
    """
    state = tale.state
    if state.phase in BEFORE:
        man = state.unit(action.figure_id or "")
        cost = 0.0
    else:
        man = mover(state, action)
        cost = settings.mount_cost_cm
    horse = None if man is None else mount_of(state, man)
    if man is None or horse is None:
        raise Refused("nobody rides there", "LW-HORSE-12")
    if not may_dismount(state, settings, man):
        raise Refused(f"{man.name} has not enough of his move left", "LW-HORSE-12")
    if number(horse, "moved") > 0.0:  # he has ridden: only the getting off is left to him
        cost = movement_cm("man", settings)
    at = spot(horse) or spot(man)
    if at is None:
        tale.about("dismounted", "LW-HORSE-12", man, cost_cm=cost)
    else:
        tale.at("dismounted", "LW-HORSE-12", man, at, cost_cm=cost)


def steer(tale: Tale, settings: Settings, table: TableState, action: Action) -> None:
    """A man takes the reins of a horse without riding, or lets go (LW-HORSE-10).

    Raises:
        Refused: It is not his step, or the horse is not at hand.
    """
    man = mover(tale.state, action)
    if action.kind == "let_go":
        tale.about("lets_go", "LW-HORSE-10", man)
        return
    horse = tale.state.unit(action.target_id or "")
    if horse is None or horse not in steerable(tale.state, settings, table, man):
        raise Refused("one steers a horse of his side within reach", "LW-HORSE-10")
    tale.tell(Event("steers", "LW-HORSE-10", man.side, man.figure_id, horse.figure_id))


def steerable(state: GameState, settings: Settings, table: TableState, man: Unit) -> list[Unit]:
    """Horses whose reins a man can take: riderless, of his side, within reach."""
    if kind_of(man) != MAN or climbing(man) or word(man, "mount"):
        return []
    here = place_of(state, table, settings, man)
    found = []
    for horse in living(state, man.side, HORSE):
        there = place_of(state, table, settings, horse)
        if here is None or there is None or rider_of(state, horse) or steered(state, horse):
            continue
        if here.gap(there, settings).lo <= settings.reach_mm + _NEAR:
            found.append(horse)
    return found


def frighten(tale: Tale, target: Unit, attacker: Spot) -> None:
    """A loose horse that was attacked and lives will run (LW-HORSE-08, 10, 11)."""
    horse = tale.now(target)
    if kind_of(horse) != HORSE or not horse.alive or is_set(horse, "doomed"):
        return
    if rider_of(tale.state, horse) is not None or steered(tale.state, horse):
        return
    tale.about("frightened", "LW-HORSE-08", horse, from_x=attacker.x, from_y=attacker.y)


def flight(
    state: GameState, settings: Settings, table: TableState, horse: Unit
) -> tuple[PointMm, bool] | None:
    """Where a frightened horse runs to, and whether it leaves the table (LW-HORSE-09).

    None when it need not run.
    """
    figure = on_table(table, horse)
    start = spot(horse, "start") or spot(horse)
    if not must_flee(horse) or figure is None or start is None:
        return None
    far = flight_cm(state, settings, table, horse) * MM_PER_CM
    attacker = (number(horse, "flee_x"), number(horse, "flee_y"))
    goal = flee_to(attacker, start.xy, far)
    going = going_of(state, settings, table, figure)
    walk = replace(going, walk=replace(going.walk, straight=True))
    reached, leaves = start.xy, False
    steps = max(1, math.ceil(far / _STEP_MM))
    for i in range(1, steps + 1):
        t = i / steps
        at = (start.x + (goal[0] - start.x) * t, start.y + (goal[1] - start.y) * t)
        there = replace(figure, position_mm=at)
        if off_table(there, table):
            leaves = settings.flee_at_edge == "removed"
            break
        went = walk.journey(start.xy, at, far / MM_PER_CM)
        if went.flag:
            break
        reached = at
    return reached, leaves


def flight_cm(state: GameState, settings: Settings, table: TableState, horse: Unit) -> float:
    """How far a frightened horse runs; a hitched one drags its vehicle along."""
    cart = state.unit(word(horse, "team"))
    if cart is not None and settings.hitched_flee == "with_vehicle":
        return team_limit_cm(state, settings, cart)
    return movement_cm("horse", settings)


def flee(tale: Tale, settings: Settings, table: TableState, action: Action) -> None:
    """A frightened horse that cannot run stays, or runs off the table (LW-HORSE-09).

    Raises:
        Refused: It has room to run: the players move the model.
    """
    horse = mover(tale.state, action)
    found = flight(tale.state, settings, table, horse)
    start = spot(horse, "start") or spot(horse)
    if found is None or start is None:
        raise Refused(f"{horse.name} need not run", "LW-HORSE-08")
    goal, leaves = found
    if leaves:
        tale.about("left", "LW-HORSE-09", horse)
    elif math.dist(goal, start.xy) <= data().number("watching", "nudge_mm"):
        tale.about("calmed", "LW-HORSE-09", horse)
    else:
        raise Refused(f"move {horse.name} to the place shown", "LW-FLAG-18")


def fled_right(
    state: GameState, settings: Settings, table: TableState, horse: Unit, here: Spot
) -> bool:
    """Whether a horse ran as it must: away, and as far as it can (LW-HORSE-09)."""
    found = flight(state, settings, table, horse)
    start = spot(horse, "start") or spot(horse)
    if found is None or start is None:
        return True
    goal = found[0]
    tol = data().number("watching", "place_tol_mm")
    if settings.flee_distance == "full":
        return math.dist(goal, here.xy) <= 2.0 * tol
    far = max(math.dist(goal, start.xy), 1.0)
    t = ((here.x - start.x) * (goal[0] - start.x) + (here.y - start.y) * (goal[1] - start.y)) / (
        far * far
    )
    on_line = (start.x + (goal[0] - start.x) * t, start.y + (goal[1] - start.y) * t)
    return 0.0 < t <= 1.0 + tol / far and math.dist(on_line, here.xy) <= 2.0 * tol


def attacker_spot(state: GameState, table: TableState, attacker: Unit) -> Spot:
    """Where an attacker stands, remembered for the flight."""
    mount_unit = mount_of(state, attacker)
    figure = on_table(table, mount_unit or attacker) or on_table(table, attacker)
    if figure is not None:
        return spot_of(figure)
    return spot(attacker) or Spot(0.0, 0.0, 0.0)
