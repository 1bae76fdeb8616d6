"""DECLARE: what each hero may choose, and his choice (FM-TURN-02, FM-ACT, FM-MSG)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.actions import Action
from engine.errors import Refused
from engine.events import Value
from engine.geometry.interval import Verdict
from engine.rulesets.follow_me.data import data
from engine.rulesets.follow_me.field import Field
from engine.rulesets.follow_me.marks import (
    Deed,
    Phase,
    carries_note,
    count,
    followers,
    frozen,
    group_id,
    groups,
    heroes,
    hostile,
    is_big,
    is_hero,
    is_mage,
    kind_of,
    living,
    members,
    morale_of,
    speed_mods,
    spells_known,
)
from engine.rulesets.follow_me.measures import lengths, scales
from engine.rulesets.follow_me.play import Play, expect, living_unit
from engine.spots import word
from engine.state import GameState, Unit

RULES = {
    Deed.HIT: "FM-ACT-03", Deed.FOLLOW: "FM-ACT-07", Deed.SPEECH: "FM-ACT-11",
    Deed.INSULT: "FM-ACT-12", Deed.NOTE: "FM-MSG-02", Deed.READ: "FM-MSG-04",
    Deed.ATTACK: "FM-ACT-16", Deed.INSTRUCT: "FM-ACT-23", Deed.CAST: "FM-MAGE-07",
    Deed.MEDITATE: "FM-MAGE-08", Deed.HOLD: "FM-ACT-02", Deed.ADOPT: "FM-ACT-28",
}  # fmt: skip
INSTRUCTIONS = {"follow": "Follow me", "defend": "Defend this place", "will": "Attack at will"}
Fault = tuple[str, str]
"""Rule and sentence."""


def undecided(state: GameState) -> list[Unit]:
    """Heroes who still have to choose; the frozen cannot (FM-ACT-27)."""
    return [u for u in heroes(state) if not word(u, "deed") and not frozen(state, u)]


def allowance(field: Field, unit: Unit) -> float:
    """Longest move of a unit in mm on dry ground."""
    return scales.allowance(kind_of(unit), speed_mods(field.state, unit), field.settings)


def in_radius(field: Field, a: Unit, b: Unit, name: str) -> bool:
    """Whether two are within one of the command radii; near things are granted (FM-GEO-14)."""
    one, other = field.figures.get(a.figure_id), field.figures.get(b.figure_id)
    if one is None or other is None:
        return False
    limit = field.settings.inches(data().numbers[f"command.{name}"])
    gap = lengths.edge_gap(one, other)
    verdict = lengths.held(gap, limit, field.settings, one.sigma_mm, other.sigma_mm)
    return verdict is not Verdict.NO


def hit_fault(field: Field, hero: Unit, target: Unit) -> Fault | None:
    """Why a hero cannot go for somebody: too far even if both come nearer (FM-ACT-06)."""
    if not target.alive or not hostile(hero, target):
        return "FM-ACT-03", "an enemy is hit"
    if not kind_of(target).fights:
        return "FM-MELEE-28", f"{target.name} does not fight: aim at the crew"
    if field.touch(hero, target):
        return None
    gap = field.gap(hero, target)
    far = allowance(field, hero) + allowance(field, target)
    if not lengths.fits(gap, far):
        return "FM-ACT-06", f"{gap:.0f} mm away, {far:.0f} for both moves together"
    return None


def insult_fault(field: Field, hero: Unit, group: str) -> Fault | None:
    """Why a contingent cannot hear insults: it stays too far away (FM-ACT-12, FM-ACT-15)."""
    enemies = [u for u in members(field.state, group) if hostile(hero, u)]
    if not enemies or is_big(enemies[0]):
        return "FM-ACT-12", "an enemy contingent is insulted"
    limit = field.settings.inches(data().numbers["command.insult_in"])
    if not any(
        lengths.fits(field.gap(hero, enemy), limit + allowance(field, enemy)) for enemy in enemies
    ):
        return "FM-ACT-12", "too far away to be insulted"
    return None


def attack_fault(field: Field, hero: Unit, group: str) -> Fault | None:
    """Why a group cannot be named for Attack Them: he must see one of it (FM-ACT-16, 20)."""
    enemies = [u for u in members(field.state, group) if hostile(hero, u)]
    if not enemies:
        return "FM-ACT-16", "an enemy group is named"
    if not followers(field.state, hero.figure_id):
        return "FM-ACT-17", f"{hero.name} has nobody to send"
    if not any(field.sees(hero, enemy) for enemy in enemies):
        return "FM-ACT-20", f"{hero.name} sees nobody of that group"
    return None


def instruct_fault(field: Field, hero: Unit, beast: Unit, group: str = "") -> Fault | None:
    """Why a Big Thing cannot be instructed (FM-BIG-02 to 04)."""
    if not beast.alive or not is_big(beast) or hostile(hero, beast):
        return "FM-BIG-03", "only a Giant or Dragon of the own side is instructed"
    if frozen(field.state, beast):
        return "FM-SPELL-08", f"{beast.name} is frozen"
    if not in_radius(field, hero, beast, "big_thing_in"):
        limit = field.settings.inches(data().numbers["command.big_thing_in"])
        return "FM-BIG-02", f"{field.gap(hero, beast):.0f} millimetres, {limit:.0f} allowed"
    if group:
        enemies = [u for u in members(field.state, group) if hostile(hero, u)]
        if not enemies:
            return "FM-BIG-04", "an enemy group is named"
        if not any(field.sees(beast, enemy) for enemy in enemies):
            return "FM-BIG-04", "the creature cannot see that group"
    return None


def couriers(state: GameState, hero: Unit) -> list[Unit]:
    """Followers who could carry a note (FM-MSG-03)."""
    return [
        u for u in followers(state, hero.figure_id)
        if kind_of(u).fights and morale_of(state, u) != "running"
        and not carries_note(u) and not frozen(state, u)
    ]  # fmt: skip


def addressees(state: GameState, hero: Unit) -> list[Unit]:
    """Whom a hero can write to: every other hero."""
    return [u for u in heroes(state) if u.figure_id != hero.figure_id]


def orphans(field: Field, hero: Unit) -> list[str]:
    """Contingents without a living hero that he could adopt (FM-ACT-28)."""
    found = []
    for group in groups(field.state, hero.side):
        leader = field.state.unit(group)
        men = followers(field.state, group)
        if leader is None or leader.alive or not men:
            continue
        if any(in_radius(field, hero, man, "adopt_in") for man in men):
            found.append(group)
    return found


def notes_in(unit: Unit, turn: int) -> list[list[str]]:
    """Notes that have arrived in an earlier turn: turn, sender, words (FM-MSG-04, FM-MSG-07)."""
    notes = [note.split("|", 2) for note in word(unit, "inbox").split("\n") if note]
    return [note for note in notes if int(note[0]) < turn]


def castable(state: GameState, field: Field, hero: Unit) -> list[str]:
    """Spells of a mage that his points can pay (FM-MAGE-12, FM-MAGE-18)."""
    if not field.settings.modules_spells:
        return []
    points = count(hero, "points")
    return [key for key in spells_known(hero) if data().spells[key].cost <= points]


def simple_deeds(field: Field, hero: Unit) -> Iterator[tuple[Deed, Fault | None]]:
    """Actions that need no more words, and why not (FM-ACT-01, FM-ACT-02)."""
    men = followers(field.state, hero.figure_id)
    heard = any(in_radius(field, hero, man, "follow_me_in") for man in men)
    yield Deed.FOLLOW, None if heard else ("FM-ACT-07", "none of his men is within earshot")
    yield Deed.SPEECH, None
    if notes_in(hero, field.state.turn):
        yield Deed.READ, None
    if is_mage(hero):
        paid = bool(castable(field.state, field, hero))
        yield Deed.CAST, None if paid else ("FM-MAGE-18", "no spell he knows can be paid")
        yield Deed.MEDITATE, None
    yield Deed.HOLD, None


def declare(play: Play, action: Action) -> None:
    """A hero chooses his one action of the turn (FM-TURN-09, FM-TURN-10).

    Raises:
        Refused: It is no time for it, he has chosen already, cannot act, or may not do that.
    """
    expect(play, Phase.DECLARE, "FM-TURN-02")
    deed = Deed(action.kind) if action.kind != "instruct_attack" else Deed.INSTRUCT
    hero = living_unit(play, action.figure_id, "FM-TURN-09")
    if not is_hero(hero):
        raise Refused("only heroes choose actions", "FM-TURN-09")
    if action.side is not None and action.side != hero.side:
        raise Refused(f"{hero.name} is led by the other side", "FM-TURN-09")
    if word(hero, "deed"):
        raise Refused(f"{hero.name} has already used the action of this turn", "FM-TURN-09")
    if frozen(play.state, hero):
        raise Refused(f"{hero.name} is frozen", "FM-ACT-27")
    field = play.field
    fault, values = _read(play, field, hero, deed, action)
    if fault is not None:
        raise Refused(fault[1], fault[0])
    told: dict[str, Value] = {"unit.deed": deed.value, **values}
    play.note("declared", RULES[deed], hero, told)


def _read(
    play: Play, field: Field, hero: Unit, deed: Deed, action: Action
) -> tuple[Fault | None, dict[str, Value]]:
    """What was chosen beyond the action itself, and why it is not allowed."""
    state, value = play.state, action.value or ""
    if deed is Deed.HIT:
        target = living_unit(play, action.target_id, "FM-ACT-03")
        return hit_fault(field, hero, target), {"unit.deed_on": target.figure_id}
    if deed is Deed.INSULT:
        return insult_fault(field, hero, value), {"unit.deed_on": value}
    if deed is Deed.ATTACK:
        return attack_fault(field, hero, value), {"unit.deed_on": value}
    if deed is Deed.ADOPT:
        fault = None if value in orphans(field, hero) else ("FM-ACT-28", "nobody there to adopt")
        return fault, {"unit.deed_on": value}
    if deed is Deed.NOTE:
        return _note(state, field, hero, action)
    if deed is Deed.INSTRUCT:
        return _instruction(play, field, hero, action)
    for simple, fault in simple_deeds(field, hero):
        if simple is deed:
            return fault, {}
    return (RULES[deed], f"{hero.name} has no use for that"), {}


def _note(
    state: GameState, field: Field, hero: Unit, action: Action
) -> tuple[Fault | None, dict[str, Value]]:
    """A written note: to whom, and the nearest man carries it (FM-MSG-02, FM-MSG-03)."""
    men = couriers(state, hero)
    if action.value not in {u.figure_id for u in addressees(state, hero)}:
        return ("FM-MSG-02", "a note goes to another hero"), {}
    if not men:
        return ("FM-MSG-03", f"{hero.name} has nobody to carry it"), {}
    carrier = min(men, key=lambda u: (field.gap(hero, u), u.figure_id))
    words = " ".join(action.items).replace("|", "/").replace("\n", " ")
    values: dict[str, Value] = {
        "unit.deed_on": action.value, "unit.deed_to": carrier.figure_id, "unit.draft": words,
    }  # fmt: skip
    return None, values


def choose_carrier(play: Play, action: Action) -> None:
    """Another man carries the note (FM-MSG-03).

    Raises:
        Refused: No note is written, or that is no man of his who could carry it.
    """
    expect(play, Phase.DECLARE, "FM-MSG-03")
    hero = living_unit(play, action.figure_id, "FM-MSG-03")
    if word(hero, "deed") != Deed.NOTE:
        raise Refused(f"{hero.name} writes no note", "FM-MSG-03")
    if action.target_id not in {u.figure_id for u in couriers(play.state, hero)}:
        raise Refused("one of his own men carries it", "FM-MSG-03")
    play.note("carrier_chosen", "FM-MSG-03", hero, {"unit.deed_to": action.target_id})


def _instruction(
    play: Play, field: Field, hero: Unit, action: Action
) -> tuple[Fault | None, dict[str, Value]]:
    """One of four instructions to a Big Thing (FM-BIG-04 to 14)."""
    name, _, what = (action.value or "").partition("|")
    beast = living_unit(play, name, "FM-BIG-02")
    attack = action.kind == "instruct_attack"
    if not attack and what not in INSTRUCTIONS:
        return ("FM-ACT-23", "it is told to follow, to defend, or to attack"), {}
    fault = instruct_fault(field, hero, beast, what if attack else "")
    if fault is not None:
        return fault, {}
    values: dict[str, Value] = {"unit.deed_on": name, "unit.deed_to": what}
    if attack:
        if not what:
            return ("FM-BIG-04", "an enemy group is named"), {}
        values["unit.deed_to"] = f"attack|{what}|{play.roll(1)[0]}"
    return None, values


def talk(play: Play, action: Action) -> None:
    """Two heroes talk, which is free within five inches (FM-MSG-01, FM-MSG-05).

    Raises:
        Refused: They are too far apart, or one of them cannot speak.
    """
    expect(play, Phase.DECLARE, "FM-MSG-01")
    hero = living_unit(play, action.figure_id, "FM-MSG-01")
    other = living_unit(play, action.target_id, "FM-MSG-01")
    fault = talk_fault(play.field, hero, other)
    if fault is not None:
        raise Refused(fault[1], fault[0])
    play.upon("talked", "FM-MSG-01", hero, other, {})


def talk_fault(field: Field, hero: Unit, other: Unit) -> Fault | None:
    """Why two cannot talk (FM-MSG-01)."""
    if not (is_hero(hero) and is_hero(other)) or hero.figure_id == other.figure_id:
        return "FM-MSG-01", "two heroes talk"
    if frozen(field.state, hero) or frozen(field.state, other):
        return "FM-SPELL-08", "the frozen cannot talk"
    if not in_radius(field, hero, other, "talk_in"):
        return "FM-MSG-01", "too far to talk, send a note"
    return None


def enemy_groups(state: GameState, unit: Unit) -> list[str]:
    """Groups of enemies with somebody alive (FM-ACT-16)."""
    return sorted({group_id(u) for u in living(state) if hostile(unit, u)})
