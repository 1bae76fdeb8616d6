"""RESOLVE and AFTER_KILL: from naming the enemy to what it comes to."""

from __future__ import annotations

from engine.actions import Action
from engine.dice import Dice
from engine.errors import Refused
from engine.events import Event, Value, results
from engine.geometry.arcs import bearing_deg
from engine.rulesets import limits
from engine.rulesets.playmobil.aiming import Aim, aim, double_targets
from engine.rulesets.playmobil.data import data
from engine.rulesets.playmobil.engines import fire_resolved
from engine.rulesets.playmobil.falling import falls
from engine.rulesets.playmobil.faults import FLAME, MELEE, SHOOT, THROW
from engine.rulesets.playmobil.field import on_table
from engine.rulesets.playmobil.marks import (
    Phase,
    aiming,
    count,
    game_count,
    has,
    is_man,
    kind_of,
    own_turn,
    thrown_left,
    type_of,
    waiting,
)
from engine.rulesets.playmobil.measures import attacks, lengths, reckoning
from engine.rulesets.playmobil.mounting import mounted_type
from engine.rulesets.playmobil.settings import Settings
from engine.rulesets.playmobil.turns import (
    actor,
    aim_marks,
    end_if_beaten,
    next_rampage,
)
from engine.spots import living, spot, text_mark, word
from engine.state import Unit
from engine.table import TableState
from engine.tale import Tale


def attack(tale: Tale, settings: Settings, table: TableState, action: Action) -> None:
    """Name the enemy of a blow, a shot or a throw (PM-ATT-15: each attack is new).

    Raises:
        Refused: The attack is not legal.
    """
    unit = actor(tale.state, action.figure_id)
    target = tale.state.unit(action.target_id or "")
    if target is None:
        raise Refused("at whom?", "PM-ATT-04" if action.kind == MELEE else "PM-ARCH-03")
    found = aim(tale.state, settings, table, unit, target, action.kind)
    if not found.allowed:
        raise Refused(found.text, found.rule)
    if found.ask:
        tale.upon("aim_asked", "PM-GEO-14", unit, target, {
            "game.aim_by": unit.figure_id, "game.aim_target": target.figure_id,
            "game.aim_kind": found.kind, "game.aim_ask": "range",
            "game.aim_mm": found.length_mm, "game.aim_limit": found.limit_mm,
            "game.said_range": "",
        })  # fmt: skip
        return
    _tell_aim(tale, table, settings, found, unit, target)


def answer_aim(tale: Tale, settings: Settings, table: TableState, yes: bool) -> None:
    """The players say whether a target is in reach (PM-GEO-14)."""
    state = tale.state
    unit, target = aiming(state), state.unit(text_mark(state, "aim_target"))
    if unit is None or target is None:
        raise Refused("nobody is aiming", "PM-GEO-14")
    kind = text_mark(state, "aim_kind")
    tale.upon("aim_answered", "PM-GEO-14", unit, target, {
        "yes": yes, "game.aim_ask": "", "game.said_range": "yes" if yes else "no",
    })  # fmt: skip
    found = aim(tale.state, settings, table, unit, target, kind)
    if found.allowed and not found.ask:
        _tell_aim(tale, table, settings, found, unit, target)


def start_double(tale: Tale, settings: Settings, table: TableState, action: Action) -> None:
    """A chariot names the first of two men (PM-CHAR-02, PM-CHAR-04).

    Raises:
        Refused: It is no chariot, or they are not two in reach.
    """
    unit = actor(tale.state, action.figure_id)
    near = list(double_targets(tale.state, settings, table, unit))
    target = next((u for u in near if u.figure_id == action.target_id), None)
    if len(near) < data().whole("chariot.strikes") or target is None:
        raise Refused("a chariot strikes at two men within two inches", "PM-CHAR-04")
    tale.upon("double_named", "PM-CHAR-02", unit, target, {
        "game.double_by": unit.figure_id, "game.double_first": target.figure_id,
    })  # fmt: skip


def name_second(tale: Tale, settings: Settings, table: TableState, action: Action) -> None:
    """The second man of the strike is named, before the dice (PM-CHAR-04).

    Raises:
        Refused: No first one is named, or he is out of reach.
    """
    state = tale.state
    unit = state.unit(text_mark(state, "double_by"))
    first = state.unit(text_mark(state, "double_first"))
    if unit is None or first is None or unit.figure_id != action.figure_id:
        raise Refused("first name the first man", "PM-CHAR-04")
    actor(state, unit.figure_id)
    near = {u.figure_id: u for u in double_targets(state, settings, table, unit)}
    second = near.get(action.target_id or "")
    if second is None or second.figure_id == first.figure_id or first.figure_id not in near:
        raise Refused("both men must be within two inches", "PM-CHAR-04")
    one = aim(state, settings, table, unit, first, MELEE)
    two = aim(state, settings, table, unit, second, MELEE)
    marks: dict[str, Value] = {
        "game.aim_second": second.figure_id,
        "game.aim_d2": two.d,
        "d2": two.d,
        "game.double_by": "",
        "game.double_first": "",
    }
    _tell_aim(tale, table, settings, one, unit, first, marks)


def _tell_aim(
    tale: Tale,
    table: TableState,
    settings: Settings,
    found: Aim,
    unit: Unit,
    target: Unit,
    more: dict[str, Value] | None = None,
) -> None:
    """An attack is under way; attacking turns a man to his enemy at once (PM-ATT-07).

    The defender stays as he looks (PM-FACE-09).
    """
    a, b = on_table(tale.state, table, unit), on_table(tale.state, table, target)
    chance = attacks.odds(found.a, max(1, found.d), found.mod, settings.dice_compare)
    marks: dict[str, Value] = {}
    if a is not None and b is not None:
        marks["unit.faces"] = bearing_deg(a.position_mm, b.position_mm)
        if found.kind == MELEE and has(unit, "chain") and not word(unit, "step_to"):
            marks |= {"unit.step_to": target.figure_id, "unit.step_gap": found.length_mm}
    tale.upon("aimed", found.rule, unit, target, {
        "kind": found.kind, "a": found.a, "d": found.d, "mod": found.mod,
        "angle": found.angle, "rear": found.rear, "spear": found.spear,
        "length_mm": found.length_mm, "limit_mm": found.limit_mm, "spotter": found.spotter,
        "shot": count(unit, "shots") + 1, "chance": float(chance), **marks, **(more or {}),
    })  # fmt: skip
    tale.tell(Event("phase_began", found.rule, unit.side, values=results(
        phase=Phase.RESOLVE.value,
        **aim_marks(unit, target, found.kind, found.a, found.d, found.mod),
    )))  # fmt: skip


def roll(tale: Tale, settings: Settings, table: TableState, action: Action, dice: Dice) -> None:
    """Both roll: first the dice of the attacker, then those of the defender (PM-DICE-01).

    Raises:
        Refused: Nothing waits for dice, or they are not as many as needed.
    """
    state = tale.state
    unit, target = aiming(state), state.unit(text_mark(state, "aim_target"))
    if state.phase not in (Phase.RESOLVE, Phase.RAMPAGE) or unit is None or target is None:
        raise Refused("no attack waits for its dice", "PM-DICE-01")
    a, d, d2 = (game_count(state, name) for name in ("aim_a", "aim_d", "aim_d2"))
    if action.dice and len(action.dice) != a + d + d2:
        raise Refused(f"{a + d + d2} dice are rolled, not {len(action.dice)}", "PM-DICE-01")
    faces = dice.roll(a + d + d2, data().whole("dice.sides"))
    kind = text_mark(state, "aim_kind")
    if kind == "artillery":
        fire_resolved(tale, settings, table, unit, target, faces)
        return
    second = state.unit(text_mark(state, "aim_second"))
    if second is not None and d2:
        _double(tale, settings, table, unit, (target, second), (a, d), faces)
        return
    mod = game_count(state, "aim_mod")
    found = attacks.resolve(faces[:a], faces[a:], mod, settings.dice_compare)
    _disturb(tale, target)
    tale.upon(
        "fought", "PM-DICE-02" if found.attack == found.defend else "PM-DICE-01", unit, target,
        {
            "kind": kind, "attack": found.attack, "defend": found.defend, "kill": found.kill,
            **_spent(tale, table, settings, unit, target, kind, found.kill),
        },
        faces,
    )  # fmt: skip
    if found.kill:
        _beaten(tale, settings, table, tale.now(unit), target, kind)
    if kind == "rampage":
        if not end_if_beaten(tale):
            ending = text_mark(tale.state, "ending")
            tale.tell(Event("phase_began", "PM-ELE-05", ending,
                            values=results(phase=Phase.ACT.value)))  # fmt: skip
            next_rampage(tale, settings, table, None if action.dice else dice)
        return
    _go_on(tale)


def _go_on(tale: Tale) -> None:
    if tale.state.phase in (Phase.AFTER_KILL, Phase.FINISHED) or end_if_beaten(tale):
        return
    side = tale.state.active_side
    tale.tell(Event("phase_began", "PM-ATT-03", side, values=results(phase=Phase.ACT.value)))


def _spent(
    tale: Tale,
    table: TableState,
    settings: Settings,
    unit: Unit,
    target: Unit,
    kind: str,
    won: bool,
) -> dict[str, Value]:
    """What an attack leaves of the attacker's turn (PM-ATT-01, PM-ATT-02, PM-ATT-14).

    Who has thrown is finished (PM-THROW-07), and what was thrown is spent for both sides
    (PM-THROW-03).
    """
    there = on_table(tale.state, table, target)
    marks: dict[str, Value] = {}
    if there is not None:
        marks |= {"unit.last_x": there.position_mm[0], "unit.last_y": there.position_mm[1]}
    if kind == MELEE:
        kills = won and not _survives(tale, settings, target)
        marks |= {"unit.attacked": True, "unit.chain": kills, "unit.stopped": not kills,
                  "unit.step_to": "", "unit.step_gap": ""}  # fmt: skip
    elif kind == THROW:
        left = thrown_left(unit) - 1
        marks |= {"unit.threw": True, "unit.stopped": True, "unit.thrown": left}
        own = type_of(unit)
        if own is not None and own.plain and left == 0:  # PM-THROW-08
            marks["unit.type"] = own.plain
        if left == 0:
            marks["unit.thrown"] = 0
    elif kind in (SHOOT, FLAME):
        marks |= {"unit.shots": count(unit, "shots") + 1, "unit.flamed": kind == FLAME,
                  "unit.stopped": not won}  # fmt: skip
    return marks


def _survives(tale: Tale, settings: Settings, target: Unit) -> bool:
    """An elephant that stands more than one lost attack (PM-ELE-18)."""
    if kind_of(target) != "elephant":
        return False
    return count(target, "struck") + 1 < settings.elephant_melee_hits


def _disturb(tale: Tale, target: Unit) -> None:
    """An attack cancels waiting, but a blocked one never a torch (PM-DIS-06, PM-SIEGE-08)."""
    ready = reckoning.ready_turn(own_turn(tale.state, target.side), attacked=True, moved=False)
    if waiting(target) and waiting(target) != "torch" and ready is None:
        tale.note("wait_broken", "PM-DIS-06", target,
                  {"unit.wait": "", "unit.wait_turn": "", "unit.wait_on": ""})  # fmt: skip


def _beaten(
    tale: Tale, settings: Settings, table: TableState, unit: Unit, target: Unit, kind: str
) -> None:
    """The attacker has won (PM-DICE-04)."""
    if kind_of(target) == "engine":
        _burns(tale, target, unit)
        return
    if kind_of(target) == "elephant":
        struck = count(target, "struck") + 1
        tale.note("struck", "PM-ELE-18", target, {"unit.struck": struck})
        if struck < settings.elephant_melee_hits:
            return
    neighbour = None
    if kind == FLAME and is_man(target):
        neighbour = second_victim(tale, settings, table, target)
    takes = kind == MELEE and kind_of(unit) == "foot" and kind_of(target) == "horse"
    falls(tale, settings, target, _kill_rule(kind, target), unit)
    if neighbour is not None:
        falls(tale, settings, neighbour, "PM-ARCH-08", unit)
    if takes and tale.state.phase != Phase.FINISHED:
        # PM-HORSE-04: only a man on foot, hand to hand; a tie counts too (PM-HORSE-03).
        tale.tell(Event("phase_began", "PM-HORSE-01", unit.side,
                        values=results(phase=Phase.AFTER_KILL.value)))  # fmt: skip


def _kill_rule(kind: str, target: Unit) -> str:
    if kind_of(target) == "horse":
        return "PM-HORSE-02" if kind == MELEE else "PM-HORSE-07"
    return "PM-DICE-04"


def second_victim(tale: Tale, settings: Settings, table: TableState, victim: Unit) -> Unit | None:
    """Who else dies of a flaming arrow: the nearest man within 2 inches (PM-ARCH-08)."""
    if data().whole("missiles.flaming_kills") < 2:
        return None
    here = on_table(tale.state, table, victim)
    if here is None:
        return None
    near = []
    for other in living(tale.state, victim.side):
        there = on_table(tale.state, table, other)
        if other.figure_id == victim.figure_id or not is_man(other) or there is None:
            continue
        if word(other, "aboard"):
            continue
        gap = lengths.edge_gap(here, there)
        if limits.fits(gap, settings.inches(data().numbers["missiles.second_in"])):
            near.append((gap, other.figure_id, other))
    return min(near, key=lambda one: one[:2])[2] if near else None


def _burns(tale: Tale, engine: Unit, unit: Unit) -> None:
    """A flaming arrow hits an engine; three burn it down (PM-SIEGE-02, PM-SIEGE-09)."""
    hits = count(engine, "fire_hits") + 1
    own = type_of(engine)
    rule = "PM-SIEGE-13" if own is not None and own.name == "artillery" else "PM-SIEGE-02"
    tale.note("fire_hit", rule, engine, {"hits": hits, "unit.fire_hits": hits})
    if reckoning.burned(hits):
        tale.tell(Event("destroyed", rule, engine.side, engine.figure_id, unit.figure_id,
                        values=results(how="fire")))  # fmt: skip


def _double(
    tale: Tale,
    settings: Settings,
    table: TableState,
    unit: Unit,
    men: tuple[Unit, Unit],
    counts: tuple[int, int],
    faces: tuple[int, ...],
) -> None:
    """One strike at two men (PM-CHAR-03)."""
    a, d = counts
    parts = (faces[a : a + d], faces[a + d :])
    kills, on = attacks.double_strike(
        faces[:a], parts, settings.chariot_double, settings.dice_compare
    )
    for man in men:
        _disturb(tale, man)
    tale.upon("struck_two", "PM-CHAR-03", unit, men[0], {
        "second": men[1].figure_id, "first_dies": kills[0], "second_dies": kills[1],
        "unit.attacked": True, "unit.chain": on, "unit.stopped": not on,
        "unit.step_to": "", "unit.step_gap": "",
    }, faces)  # fmt: skip
    for man, dead in zip(men, kills, strict=True):
        if dead:
            falls(tale, settings, man, _kill_rule(MELEE, man), unit)
    _go_on(tale)


def take_horse(tale: Tale, settings: Settings, table: TableState, take: bool) -> None:
    """The horse of a beaten rider is taken at once, or falls too (PM-HORSE-01, PM-HORSE-05)."""
    state = tale.state
    unit, victim = aiming(state), state.unit(text_mark(state, "aim_target"))
    if unit is None or victim is None:
        raise Refused("no horse is to be had", "PM-HORSE-01")
    if take:
        spear = type_of(unit)
        tale.upon("horse_taken", "PM-HORSE-05", unit, victim, {
            "unit.type": mounted_type(unit), "unit.stopped": True, "unit.chain": "",
            "unit.carried": "spear" if spear is not None and spear.spear else "",
        })  # fmt: skip
        here = spot(victim)
        if here is not None:
            tale.at("shifted", "PM-HORSE-05", tale.now(unit), here)
    else:
        tale.upon("horse_fell", "PM-HORSE-01", unit, victim, {})
    tale.tell(Event("phase_began", "PM-ATT-03", unit.side, values=results(phase=Phase.ACT.value)))
