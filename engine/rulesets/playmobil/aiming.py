"""Whom a unit may strike, shoot at or throw at, with how many dice, and why not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.geometry.interval import Verdict
from engine.rulesets import limits
from engine.rulesets.playmobil.data import TroopType, data
from engine.rulesets.playmobil.faults import FLAME, MELEE, SHOOT, THROW, attack_fault, target_fault
from engine.rulesets.playmobil.field import blocker, on_table, standing, terrain_of
from engine.rulesets.playmobil.marks import bow_of, count, has, kind_of, type_of
from engine.rulesets.playmobil.measures import attacks, lengths, reckoning, views
from engine.rulesets.playmobil.settings import Settings
from engine.spots import living, name_of, number, text_mark, word
from engine.state import GameState, Unit
from engine.table import Figure, TableState, Terrain
from engine.words import BY_RULER


@dataclass(frozen=True, slots=True)
class Aim:
    """What there is to say about an attack before the dice are rolled.

    Attributes:
        allowed: It may be made.
        text: Distance and dice, or why not.
        rule: Rule behind ``text``.
        kind: ``melee``, ``shoot``, ``flame`` or ``throw``.
        a: Attacking dice.
        d: Defending dice.
        mod: Added to the score of the attacker.
        angle: How far off the facing of the target it comes, None where nobody knows.
        rear: It comes from behind.
        spear: Extra dice of a spearman: ``attack``, ``defend`` or ``""``.
        length_mm: Gap or range.
        limit_mm: Reach or range allowed.
        spotter: Comrade whose range is used.
        ask: The players must say whether it is in reach.
    """

    allowed: bool
    text: str
    rule: str
    kind: str
    a: int = 0
    d: int = 0
    mod: int = 0
    angle: float | None = None
    rear: bool = False
    spear: str = ""
    length_mm: float = 0.0
    limit_mm: float = 0.0
    spotter: str = ""
    ask: bool = False


def aim(
    state: GameState, settings: Settings, table: TableState, unit: Unit, target: Unit, kind: str
) -> Aim:
    """Hold an attack against the rules (PM-ATT-04, PM-THROW, PM-ARCH).

    A chain goes on from where the attacker stands now, before he steps (PM-ATT-11). Missiles
    may be aimed at elephant or rider (PM-ELE-14), at anybody in melee or near (PM-ARCH-17).
    """
    fault = attack_fault(state, settings, unit, kind)
    if fault is not None:
        return Aim(False, fault[1], fault[0], kind)
    return aim_at(state, settings, table, unit, target, kind)


def aim_at(
    state: GameState, settings: Settings, table: TableState, unit: Unit, target: Unit, kind: str
) -> Aim:
    """The same for a unit that may attack in that way whatever is near."""
    fault = target_fault(state, settings, unit, target, kind)
    if fault is not None:
        return Aim(False, fault[1], fault[0], kind)
    a, b = on_table(state, table, unit), on_table(state, table, target)
    if a is None or b is None:
        missing = unit if a is None else target
        return Aim(False, f"I do not see {missing.name} on the table", "PM-GEO-18", kind)
    if kind == MELEE:
        return _melee(state, settings, table, unit, target, a, b)
    return _missile(state, settings, table, unit, target, a, b, kind)


def _melee(
    state: GameState,
    settings: Settings,
    table: TableState,
    unit: Unit,
    target: Unit,
    a: Figure,
    b: Figure,
) -> Aim:
    """A blow within 2 inches, facing or not (PM-ATT-04, PM-ATT-06, PM-ATT-13)."""
    gap, limit = lengths.edge_gap(a, b), settings.reach_mm
    stepped = word(unit, "step_to")
    if stepped and stepped != target.figure_id:
        text = f"{unit.name} stepped up to {name_of(state, stepped)}"
        return Aim(False, text, "PM-ATT-05", MELEE)
    verdict = settled(state, settings, gap, limit, a, b)
    if verdict is Verdict.NO:
        text = f"{gap:.0f} millimetres: more than two inches, no attack"
        if _said(state, a, b) == "no":
            text = f"{target.name} is out of reach {BY_RULER}"
        return Aim(False, text, "PM-ATT-06", MELEE, length_mm=gap, limit_mm=limit)
    stands = blocker(state, standing(state, table), terrain_of(state, table, settings), a, b)
    if stands is not None:
        who = "Terrain"
        if isinstance(stands, Terrain):
            who = stands.kind.capitalize()
        elif isinstance(stands, Figure):
            who = name_of(state, stands.figure_id)
        return Aim(False, f"{who} stands in between", "PM-ATT-04", MELEE)
    if verdict is Verdict.BORDERLINE:
        return _ask(MELEE, target, gap, limit)
    own, opponent = _types(unit, target)
    faces = _faces(a, b, settings)
    bonus = has(unit, "charged") and not (
        settings.charge_bonus == "first_attack" and has(unit, "attacked")
    )
    dice = attacks.attack_dice(own, opponent, charge=bonus, facing=faces)
    return _reckoned(
        state, settings, unit, target, a, b, Aim(True, "", "PM-ATT-01", MELEE, dice, 0, 0,
        spear="attack" if own.spear and faces and attacks.against_spears(opponent) else "",
        length_mm=gap, limit_mm=limit),
    )  # fmt: skip


def _missile(
    state: GameState,
    settings: Settings,
    table: TableState,
    unit: Unit,
    target: Unit,
    a: Figure,
    b: Figure,
    kind: str,
) -> Aim:
    """A shot or a throw: range, the circle, sight (PM-ARCH-03, PM-CIRC-02, PM-THROW-01).

    An arrow has one die whatever bonuses its archer has (PM-ARCH-19), and there are always
    more of them (PM-ARCH-18). Of a circle each uses up only his own shots (PM-CIRC-06).
    """
    far = lengths.range_mm(a, b, settings)
    limit = range_of(unit, kind, settings)
    terrain = terrain_of(state, table, settings)
    verdict = settled(state, settings, far, limit, a, b)
    spotter: Unit | None = None
    if verdict is Verdict.NO and kind == SHOOT:
        spotter = _spotter(state, settings, table, unit, a, b)
        if spotter is not None:
            verdict = Verdict.YES
    if verdict is Verdict.NO:
        text = f"{target.name} is {far:.0f} mm away, {far - limit:.0f} out of range"
        if _said(state, a, b) == "no":
            text = f"{target.name} is out of range {BY_RULER}"
        rule = "PM-THROW-01" if kind == THROW else "PM-ARCH-03"
        return Aim(False, text, rule, kind, length_mm=far, limit_mm=limit)
    seen = views.sight(a, b, terrain, settings)
    there = None if spotter is None else on_table(state, table, spotter)
    if there is not None and settings.circle_sight_from == "spotter" and seen is views.Sight.NONE:
        seen = views.sight(there, b, terrain, settings)
    if seen is views.Sight.NONE:
        rule = "PM-THROW-09" if kind == THROW else "PM-ARCH-16"
        lent = "the spotter lends range only; " if spotter is not None else ""
        rule = "PM-CIRC-02" if spotter is not None else rule
        text = f"{lent}{unit.name} must see {target.name}"
        return Aim(False, text, rule, kind, length_mm=far, limit_mm=limit)
    if settings.archery_two_inch_rule and kind != THROW and count(unit, "shots"):
        near = limits.disc((number(unit, "last_x"), number(unit, "last_y")), 0.0)
        if not limits.fits(lengths.edge_gap(near, b), settings.reach_mm):
            text = f"{target.name} is more than two inches from the last target"
            return Aim(False, text, "PM-ARCH-15", kind, length_mm=far, limit_mm=limit)
    if verdict is Verdict.BORDERLINE:
        return _ask(kind, target, far, limit)
    own, _ = _types(unit, target)
    rules = data()
    dice = own.a if kind == THROW else rules.whole("missiles.dice")
    mod = rules.whole("missiles.flaming_roll") if kind == FLAME else 0
    cover = int(settings.cover == "plus_one_d" and seen is views.Sight.PARTLY)
    rule = {SHOOT: "PM-ARCH-04", FLAME: "PM-ARCH-06", THROW: "PM-THROW-06"}[kind]
    found = Aim(
        True, "", "PM-CIRC-01" if spotter else rule, kind, dice, 0, mod, length_mm=far,
        limit_mm=limit, spotter="" if spotter is None else spotter.figure_id,
    )  # fmt: skip
    return _reckoned(state, settings, unit, target, a, b, found, there, cover)


def range_of(unit: Unit, kind: str, settings: Settings) -> float:
    """Range of a thrown weapon or of a bow in mm (PM-THROW-01, PM-THROW-11, PM-ARCH-03)."""
    if kind == THROW:
        return settings.feet(settings.throw_range_ft)
    return settings.feet(data().numbers[f"missiles.{bow_of(unit)}_ft"])


def _spotter(
    state: GameState,
    settings: Settings,
    table: TableState,
    unit: Unit,
    a: Figure,
    b: Figure,
) -> Unit | None:
    """The nearest comrade in the circle whose range is lent (PM-CIRC-01 to PM-CIRC-04)."""
    own = type_of(unit)
    if own is None or not own.circle:
        return None
    link = settings.feet(data().numbers["missiles.link_ft"])
    pieces = terrain_of(state, table, settings)
    found = []
    for friend in living(state, unit.side):
        theirs = type_of(friend)
        other = on_table(state, table, friend)
        if friend.figure_id == unit.figure_id or theirs is None or not theirs.circle:
            continue
        if other is None:
            continue
        gap, far = (lengths.range_mm(other, one, settings) for one in (a, b))
        reach = range_of(friend, SHOOT, settings)
        if not reckoning.in_circle(float("inf"), [(gap, far, reach)], reach, link):
            continue
        if settings.circle_sight_from == "spotter" and all(
            views.sight(one, b, pieces, settings) is views.Sight.NONE for one in (a, other)
        ):
            continue
        found.append((far, friend.figure_id, friend))
    return min(found, key=lambda one: one[:2])[2] if found else None


def _reckoned(
    state: GameState,
    settings: Settings,
    unit: Unit,
    target: Unit,
    a: Figure,
    b: Figure,
    found: Aim,
    spotter: Figure | None = None,
    cover: int = 0,
) -> Aim:
    """An aim with the dice of the defender by arc, and its words (PM-FACE-05).

    A defender whose facing nobody knows counts as facing the attack (PM-FACE-06).
    """
    own, opponent = _types(unit, target)
    angle, arc = None, attacks.FRONT
    if b.facing_deg is not None and opponent.kind != "engine" and a.position_mm != b.position_mm:
        lent = None if spotter is None else spotter.position_mm
        angle, arc = lengths.arc(b.position_mm, b.facing_deg, a.position_mm, settings, lent)
    mode = attacks.MELEE if found.kind == MELEE else attacks.MISSILE
    d = attacks.defend_dice(
        opponent, own, arc=arc, mode=mode, cover=cover, agreed=agreed_dice(target, settings)
    )
    defends = opponent.spear and mode == attacks.MELEE and attacks.against_spears(own)
    spear = "defend" if defends and arc == attacks.FRONT else found.spear
    behind = ", from behind" if arc == attacks.REAR else ""
    dice = f"{found.a} against {d} dice"
    text = f"{found.length_mm:.0f} mm{behind}, {dice}"
    return Aim(
        True, text, found.rule, found.kind, found.a, d, found.mod, angle, arc == attacks.REAR,
        spear, found.length_mm, found.limit_mm, found.spotter,
    )  # fmt: skip


def agreed_dice(unit: Unit, settings: Settings) -> int | None:
    """Dice of an artillery piece against fire as agreed (PM-SIEGE-07, PM-SIEGE-13)."""
    own = type_of(unit)
    if own is None or own.name != "artillery":
        return None
    return count(unit, "dice_agreed") or settings.siege_artillery_d


def double_targets(
    state: GameState, settings: Settings, table: TableState, unit: Unit
) -> Iterator[Unit]:
    """Men a chariot may strike at two at once (PM-CHAR-02, PM-CHAR-04)."""
    if kind_of(unit) != "chariot" or word(unit, "step_to"):
        return
    for enemy in living(state):
        if kind_of(enemy) in ("foot", "horse"):
            found = aim(state, settings, table, unit, enemy, MELEE)
            if found.allowed and not found.ask:
                yield enemy


def settled(
    state: GameState, settings: Settings, length: float, limit: float, a: Figure, b: Figure
) -> Verdict:
    """The verdict on a length, or what the players said about it (PM-GEO-14)."""
    said = _said(state, a, b)
    if said:
        return Verdict.YES if said == "yes" else Verdict.NO
    return lengths.held(length, limit, settings, a.sigma_mm, b.sigma_mm)


def _said(state: GameState, a: Figure, b: Figure) -> str:
    """``yes`` or ``no`` where the players were asked about this pair, else ``""``."""
    pair = (text_mark(state, "aim_by"), text_mark(state, "aim_target"))
    return text_mark(state, "said_range") if pair == (a.figure_id, b.figure_id) else ""


def _faces(a: Figure, b: Figure, settings: Settings) -> bool:
    """Whether an attacker looks at his target before he turns to it (PM-INF-06)."""
    if a.facing_deg is None or a.position_mm == b.position_mm:
        return True
    return lengths.arc(a.position_mm, a.facing_deg, b.position_mm, settings)[1] == attacks.FRONT


def _types(unit: Unit, target: Unit) -> tuple[TroopType, TroopType]:
    plain = data().types["light_infantry"]
    return type_of(unit) or plain, type_of(target) or plain


def _ask(kind: str, target: Unit, length: float, limit: float) -> Aim:
    text = f"{target.name} is {length:.0f} of {limit:.0f} mm away, too close to call"
    return Aim(True, text, "PM-GEO-14", kind, length_mm=length, limit_mm=limit, ask=True)
