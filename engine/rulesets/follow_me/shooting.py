"""SHOOT: who may shoot at whom, the dice of each group, and who is hit (FM-SHOOT)."""

from __future__ import annotations

from engine.actions import Action
from engine.errors import Refused
from engine.events import Event, Value, results
from engine.geometry.interval import Verdict
from engine.rulesets.follow_me.data import data
from engine.rulesets.follow_me.declaring import Fault
from engine.rulesets.follow_me.field import Field
from engine.rulesets.follow_me.marks import (
    Deed,
    Phase,
    blinded,
    bound,
    carries_note,
    count,
    frozen,
    group_id,
    has,
    hostile,
    is_big,
    is_hero,
    kind_of,
    living,
    members,
    weapon_of,
)
from engine.rulesets.follow_me.measures import lengths, shots
from engine.rulesets.follow_me.orders import leads_on
from engine.rulesets.follow_me.play import Play, expect, hurt, living_unit
from engine.rulesets.follow_me.testing import note_surprise
from engine.spots import number, number_mark, text_mark, word
from engine.state import GameState, Unit

_PAST_MM = 0.01
"""Just beyond the end of a band."""


def shooter_fault(field: Field, unit: Unit) -> Fault | None:
    """Why a unit cannot shoot at all this turn (FM-SHOOT-01, 13, 18, 19, 21).

    Shots never run out (FM-SHOOT-20), and a push of the last turn does not count (FM-PUSH-04).
    """
    weapon, state = weapon_of(unit), field.state
    if not weapon or not unit.alive or unit.figure_id not in field.figures:
        return "FM-SET-12", f"{unit.name} has nothing to shoot with"
    if frozen(state, unit):
        return "FM-SPELL-08", f"{unit.name} is frozen"
    if blinded(state, unit):
        return "FM-SPELL-02", f"{unit.name} cannot see to shoot"
    moved = has(unit, "crossed") or has(unit, "teleported")
    if weapon != "dragon_breath" and (
        moved or not shots.may_shoot(weapon, number(unit, "moved"), field.settings)
    ):
        return "FM-SHOOT-01", f"{unit.name} moved, so no shot"
    if is_hero(unit) and word(unit, "deed") != Deed.HOLD:
        return "FM-SHOOT-21", f"{unit.name} shoots only when he holds"
    if is_big(unit) and not leads_on(unit, field):
        return "FM-SHOOT-19", f"{unit.name} breathes only when it is told to attack or follow"
    if carries_note(unit):
        return "FM-MSG-06", f"{unit.name} carries a note"
    if bound(state, unit) in ("running", "falling_back"):
        return "FM-SHOOT-13", f"{unit.name} is running away"
    if weapon != "dragon_breath" and field.enemies_touching(unit):
        return "FM-SHOOT-13", f"{unit.name} is in contact with an enemy"
    return None


def shot_at(field: Field, unit: Unit, target: Unit) -> tuple[Fault | None, int, bool, float]:
    """Why a unit cannot shoot at a target, else the lowest face that hits.

    Returns:
        The fault or None, the face, whether the range is too close to call, and the range in mm.
    """
    mine, theirs = field.figures.get(unit.figure_id), field.figures.get(target.figure_id)
    if mine is None or theirs is None or not target.alive or not hostile(unit, target):
        return ("FM-SHOOT-14", "an enemy on the table is shot at"), 0, False, 0.0
    if not kind_of(target).hits:
        return ("FM-SHOOT-10", f"{target.name} cannot be hurt: aim at the crew"), 0, False, 0.0
    far = lengths.range_mm(mine, theirs, field.settings)
    needed, close = _need(field, unit, target, far, mine.sigma_mm, theirs.sigma_mm)
    if needed is None:
        text = f"{target.name} is {far:.0f} mm away: out of range or not hurt at this range"
        return ("FM-SHOOT-07", text), 0, False, far
    if any(
        not hostile(friend, unit) and friend.figure_id != unit.figure_id
        for friend in field.enemies_touching(target)
    ):
        text = f"{target.name} is locked with your own people"
        return ("FM-SHOOT-17", text), 0, False, far
    if not field.sees(unit, target):
        return ("FM-SHOOT-11", f"{target.name} cannot be seen"), 0, False, far
    return None, needed, close, far


def _need(
    field: Field, unit: Unit, target: Unit, far: float, sigma_1: float, sigma_2: float
) -> tuple[int | None, bool]:
    """Lowest face that hits; a near thing at the end of a band is granted (FM-GEO-14)."""
    weapon, kind, options = weapon_of(unit), kind_of(target), field.settings
    needed = shots.need(weapon, kind, far, options)
    for band in data().weapons[weapon].bands_in:
        limit = options.inches(band)
        if lengths.close(far, limit, sigma_1, sigma_2) is Verdict.BORDERLINE:
            if options.close_policy == "strict":
                return needed, False
            return shots.need(weapon, kind, min(far, limit), options), True
    return needed, False


def targets(field: Field, unit: Unit) -> list[tuple[Unit, int, float]]:
    """Whom a unit may shoot at, with the face it needs, nearest first (FM-SHOOT-14)."""
    found = []
    for target in living(field.state):
        if not hostile(unit, target):
            continue
        fault, needed, _, far = shot_at(field, unit, target)
        if fault is None:
            found.append((target, needed, far))
    return sorted(found, key=lambda one: (one[2], one[0].figure_id))


def shooters(field: Field) -> list[Unit]:
    """Units with a legal shot (FM-ACT-26)."""
    return [
        u for u in living(field.state)
        if weapon_of(u) and shooter_fault(field, u) is None and targets(field, u)
    ]  # fmt: skip


def aim(play: Play, action: Action) -> None:
    """A shooter names his target (FM-SHOOT-14).

    Raises:
        Refused: It is no time for it, or he cannot shoot at that.
    """
    expect(play, Phase.SHOOT_TARGETS, "FM-SHOOT-14")
    unit = living_unit(play, action.figure_id, "FM-SHOOT-13")
    target = play.state.unit(action.target_id or "")
    if target is None:
        raise Refused("at whom?", "FM-SHOOT-14")
    field = play.field
    fault = shooter_fault(field, unit)
    if fault is not None:
        raise Refused(fault[1], fault[0])
    fault, needed, close, far = shot_at(field, unit, target)
    if fault is not None:
        raise Refused(fault[1], fault[0])
    if close and field.settings.close_policy == "ask":
        limit = band_of(field, unit, far)
        asked: dict[str, Value] = {"game.ask_aim": f"{unit.figure_id}|{target.figure_id}",
                                   "game.ask_aim_mm": far, "game.ask_aim_limit": limit}  # fmt: skip
        play.upon("aim_asked", "FM-GEO-14", unit, target, asked)
        return
    _aimed(play, unit, target, needed, close=close, far=far)


def band_of(field: Field, unit: Unit, far: float) -> float:
    """The end of a band that a range is too close to, in mm."""
    limits = [field.settings.inches(band) for band in data().weapons[weapon_of(unit)].bands_in]
    return min(limits, key=lambda limit: abs(limit - far))


def answer_range(play: Play, yes: bool) -> None:
    """The players say on which side of the end of a band a target is (FM-GEO-14)."""
    names = text_mark(play.state, "ask_aim").split("|")
    unit, target = play.state.unit(names[0]), play.state.unit(names[-1])
    limit = number_mark(play.state, "ask_aim_limit")
    gone: dict[str, Value] = {"game.ask_aim": "", "game.ask_aim_mm": "", "game.ask_aim_limit": ""}
    play.tell(Event("range_told", "FM-GEO-14", values=results(yes=yes, **gone)))
    if unit is None or target is None:
        return
    far = limit if yes else limit + _PAST_MM
    needed = shots.need(weapon_of(unit), kind_of(target), far, play.settings)
    if needed is None:
        play.note("passed", "FM-SHOOT-07", unit, {"unit.passed": True, "unit.aim": ""})
    else:
        _aimed(play, unit, target, needed, close=True, far=far)


def _aimed(play: Play, unit: Unit, target: Unit, needed: int, *, close: bool, far: float) -> None:
    play.upon("aimed", "FM-SHOOT-14", unit, target, {
        "need": needed, "range_mm": far, "close": close, "weapon": weapon_of(unit),
        "unit.aim": target.figure_id, "unit.need": needed, "unit.passed": "",
    })  # fmt: skip


def hold_fire(play: Play, action: Action) -> None:
    """A shooter does not shoot this turn.

    Raises:
        Refused: It is no time for it.
    """
    expect(play, Phase.SHOOT_TARGETS, "FM-SHOOT-14")
    unit = living_unit(play, action.figure_id, "FM-SHOOT-13")
    play.note("passed", "FM-SHOOT-14", unit, {"unit.passed": True, "unit.aim": ""})


def all_aimed(play: Play) -> None:
    """Who has named no target shoots at the nearest (FM-SHOOT-14); dragons only when told."""
    field = play.field
    for unit in shooters(field):
        if word(unit, "aim") or has(unit, "passed") or weapon_of(unit) == "dragon_breath":
            continue
        target, needed, far = targets(field, unit)[0]
        _aimed(play, unit, target, needed, close=False, far=far)


def volleys(state: GameState) -> dict[str, list[Unit]]:
    """Shooters with a target whose dice have not been rolled, by group (FM-GEN-08)."""
    found: dict[str, list[Unit]] = {}
    for unit in living(state):
        if word(unit, "aim") and unit.mark("rolled") is None:
            found.setdefault(group_id(unit), []).append(unit)
    return found


def volley(play: Play, action: Action) -> None:
    """One die for each shooting figure of a group (FM-SHOOT-02 to 04).

    Raises:
        Refused: It is no time for it, or that group shoots at nobody.
    """
    expect(play, Phase.SHOOT_ROLL, "FM-SHOOT-02")
    group = volleys(play.state).get(action.value or "")
    if not group:
        raise Refused("that group has no dice to roll", "FM-SHOOT-02")
    faces = play.roll(len(group))
    hits = sum(face >= count(unit, "need") for unit, face in zip(group, faces, strict=True))
    play.tell(Event("volley", "FM-SHOOT-02", group[0].side, dice=faces, values=results(
        group=action.value, shots=len(group), hits=hits)))  # fmt: skip
    for unit, face in zip(group, faces, strict=True):
        play.note("shot", "FM-SHOOT-02", unit, {"unit.rolled": face, "unit.shot": True})


def resolve(play: Play) -> None:
    """All shots strike together; what is left over strikes the next (FM-SHOOT-15, 16)."""
    field, state = play.field, play.state
    left: dict[str, int] = {}
    struck: list[tuple[Unit, Unit, bool]] = []
    archers = [u for u in living(state) if word(u, "aim") and u.mark("rolled") is not None]
    for unit in archers:
        target = state.unit(word(unit, "aim"))
        if target is None:
            continue
        if word(target, "deed") == Deed.MEDITATE:
            play.note("disturbed", "FM-MAGE-19", target, {"unit.disturbed": True})
        face = count(unit, "rolled")
        if face < count(unit, "need"):
            continue
        for one in [target, *_next_to(field, unit, target, face)]:
            room = left.setdefault(one.figure_id, max(1, kind_of(one).hits) - one.wounds)
            if room > 0:
                left[one.figure_id] = room - 1
                struck.append((unit, one, one is not target))
                break
    for shooter, victim, spilt in struck:
        if spilt:
            play.upon("spilt", "FM-SHOOT-15", shooter, victim, {})
        hurt(play, victim, "FM-HIT-01", by=shooter.figure_id)
    shot = [(state.unit(word(unit, "aim")), unit) for unit in archers]
    note_surprise(play, ((aimed, unit) for aimed, unit in shot if aimed is not None))


def _next_to(field: Field, unit: Unit, target: Unit, face: int) -> list[Unit]:
    """Others of the target's contingent that the same die would hit, nearest first."""
    found = []
    for one in members(field.state, group_id(target)):
        if one.figure_id == target.figure_id:
            continue
        fault, needed, _, far = shot_at(field, unit, one)
        if fault is None and face >= needed:
            found.append((far, one.figure_id, one))
    return [one for _, _, one in sorted(found, key=lambda item: item[:2])]
