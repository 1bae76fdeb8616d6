"""What each figure may do in step 2: on whose order, how far, or why not (FM-ACT, FM-MOVE)."""

from __future__ import annotations

from dataclasses import dataclass

from engine.rulesets.follow_me.data import data
from engine.rulesets.follow_me.declaring import allowance, enemy_groups
from engine.rulesets.follow_me.field import Field
from engine.rulesets.follow_me.marks import (
    STANDING_DEEDS,
    Deed,
    Phase,
    bound,
    carries_note,
    count,
    flies,
    frozen,
    group_id,
    has,
    hostile,
    is_big,
    is_hero,
    members,
)
from engine.rulesets.follow_me.measures import lengths
from engine.rulesets.follow_me.revealing import beaten, heard
from engine.spots import spot, word
from engine.state import Unit


@dataclass(frozen=True, slots=True)
class Order:
    """What moves a figure.

    Attributes:
        kind: ``free``, ``note``, ``follow``, ``attack``, ``fall_back``, ``run``, ``sally``,
            ``home``, ``after`` (stepping after a pushed enemy) or ``none``.
        limit_mm: Longest way on dry ground.
        code: Flag when it may not move.
        who: Figure or group it is about.
    """

    kind: str
    limit_mm: float = 0.0
    code: str = ""
    who: str = ""


def order_of(field: Field, unit: Unit) -> Order:
    """What a unit may do where the game is now.

    Heroes move as they like, out of contact too, without a blow (FM-HERO-10, FM-HERO-11).
    """
    phase = field.state.phase
    if phase == Phase.SALLY:
        return sally_of(field, unit) or Order("none", code="MOVED")
    if phase == Phase.MELEE_RESULTS:
        return _after(field, unit)
    if phase != Phase.MOVE:
        return Order("none", code="MOVED")
    if frozen(field.state, unit):
        return Order("none", code="FROZEN")
    limit = allowance(field, unit)
    if is_hero(unit):
        if word(unit, "deed") in STANDING_DEEDS:
            return Order("none", code="HERO_MUST_STAND")
        return Order("free", limit)
    if is_big(unit):
        return _beast(field, unit, limit)
    return _follower(field, unit, limit)


def _follower(field: Field, unit: Unit, limit: float) -> Order:
    """Orders of a follower, the most pressing first.

    A hero who hits somebody freezes his men, even under an older order (FM-ACT-04, FM-ACT-05);
    without an order they stay (FM-ACT-25). Who falls back, runs or is called leaves contact
    without a blow (FM-MOVE-10, FM-MORALE-30).
    """
    nerve, called = bound(field.state, unit), heard(field, unit)
    hero = field.state.unit(group_id(unit))
    if nerve == "running":
        return Order("run", limit)
    if nerve == "falling_back" and not called:
        return Order("fall_back", limit)
    engaged = field.was_engaged(unit)
    if carries_note(unit) and not engaged:
        return Order("note", limit)
    if called and hero is not None:
        return Order("follow", limit, who=hero.figure_id)
    if engaged:
        return Order("none", code="LEFT_MELEE")
    if hero is not None and hero.alive and word(hero, "deed") == Deed.HIT:
        return Order("none", code="HERO_BUSY")
    if hero is not None and word(hero, "order") and not has(unit, "unsent"):
        return Order("attack", limit, who=word(hero, "order"))
    if hero is not None and word(hero, "deed") == Deed.FOLLOW:
        return Order("none", code="NOT_HEARD")
    return Order("none", code="NO_ORDER")


def _beast(field: Field, unit: Unit, limit: float) -> Order:
    """Orders of a Giant or Dragon: what it is told, or none (FM-BIG-01, FM-BIG-18)."""
    nerve = bound(field.state, unit)
    if nerve in ("running", "falling_back"):
        return Order("run" if nerve == "running" else "fall_back", limit)
    what = word(unit, "instr")
    if what == "follow":
        leader = field.state.unit(word(unit, "instr_by"))
        if leader is not None and leader.alive:
            return Order("follow", limit, who=leader.figure_id)
    if what == "attack":
        return Order("attack", limit, who=word(unit, "instr_on"))
    if what == "will":
        prey = nearest_group(field, unit)
        if prey:
            return Order("attack", limit, who=prey)
    if what == "defend" and field.settings.big_thing_guard_measured == "snapshot_A":
        enemy = intruder(field, unit)
        if enemy is not None:
            return Order("attack", limit, who=enemy.figure_id)
    return Order("none", code="IDLE")


def _after(field: Field, unit: Unit) -> Order:
    """A winner may step after whom he pushed back (FM-PUSH-03)."""
    whom = word(unit, "follows_up")
    if not whom or field.settings.push_follow_up != "winner_may":
        return Order("none", code="MOVED")
    return Order("after", field.settings.inches(data().numbers["melee.push_in"]), who=whom)


def nearest_group(field: Field, unit: Unit) -> str:
    """The enemy unit a creature attacks at will: nearest, visible before hidden (FM-BIG-13, 16)."""
    best: tuple[float, bool, str] | None = None
    for group in enemy_groups(field.state, unit):
        if beaten(field, group, unit):
            continue
        men = [u for u in members(field.state, group) if u.figure_id in field.before]
        if not men:
            continue
        gap = round(min(field.gap_before(unit, man) for man in men), 1)
        hidden = not any(field.saw(unit, man) for man in men)
        if best is None or (gap, hidden, group) < best:
            best = (gap, hidden, group)
    return "" if best is None else best[2]


def intruder(field: Field, unit: Unit) -> Unit | None:
    """The nearest enemy within eight inches of a creature's post (FM-BIG-11, 12, 21)."""
    post = field.placed(unit, "post")
    if post is None:
        return None
    early = field.settings.big_thing_guard_measured == "snapshot_A"
    figures = field.before if early else field.figures
    enemies = [u for u in field.fighters if hostile(u, unit) and u.figure_id in figures]
    radius = field.settings.inches(data().numbers["command.guard_in"])
    found = lengths.guarded(post, [figures[u.figure_id] for u in enemies], radius)
    return None if found is None else enemies[found]


def sally_of(field: Field, unit: Unit) -> Order | None:
    """The sally of a defending creature, or its way home, None when it has neither (FM-BIG-12)."""
    if not is_big(unit) or word(unit, "instr") != "defend" or frozen(field.state, unit):
        return None
    if field.settings.big_thing_guard_measured == "snapshot_A":
        early = intruder(field, unit)
        if early is not None:
            return None
    enemy = intruder(field, unit)
    here, post = spot(unit, "guard") or spot(unit), spot(unit, "post")
    if enemy is not None:
        return Order("sally", allowance(field, unit), who=enemy.figure_id)
    if here is None or post is None or here.away(post) <= field.settings.move_epsilon_mm:
        return None
    return Order("home", allowance(field, unit))


def leads_on(unit: Unit, field: Field) -> bool:
    """A dragon that attacks may breathe; one that follows, if its owner says so (FM-SHOOT-19)."""
    what = word(unit, "instr")
    if what == "attack":
        return count(unit, "instr_turn") <= field.state.turn
    if what == "defend":
        return intruder(field, unit) is not None
    return what in ("will", "follow") and flies(unit)
