"""Numbers to roll, hits, damage and chances (LW-MEL, LW-RNG, LW-DMG, LW-HVY)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.rulesets.legowars.data import data
from engine.rulesets.legowars.settings import Settings

MELEE: Final = "melee"
SHORT: Final = "short"
LONG: Final = "long"
BUILDING: Final = "building"
VEHICLE: Final = "vehicle"
RAM: Final = "battering_ram"
UNARMED: Final = "unarmed"

NOTHING: Final = "nothing"
DEAD: Final = "dead"
MINUS_ONE: Final = "structure_minus_1"
DESTROYED: Final = "destroyed"


@dataclass(frozen=True, slots=True)
class Strike:
    """One way to attack.

    Attributes:
        mode: ``melee``, ``short`` or ``long``.
        weapon: Row of the weapon tables, ``""`` for a horse.
        attacker: ``man`` or ``horse``.
    """

    mode: str
    weapon: str = UNARMED
    attacker: str = "man"

    @property
    def to_hit(self) -> int:
        """What the weapon adds to the number (LW-MEL-05, LW-WPN-11)."""
        if not self.weapon:
            return 0
        table = data().melee if self.mode == MELEE else data().ranged
        return table[self.weapon].to_hit

    def damage(self, settings: Settings) -> int:
        """What is added to the damage die (LW-DMG-01, LW-DMG-03, LW-STAT-04, LW-EQP-05)."""
        if not self.weapon:
            return data().creatures[self.attacker].damage
        if self.mode != MELEE:
            return data().ranged[self.weapon].damage
        if self.weapon == UNARMED:
            return settings.unarmed_damage
        return data().melee[self.weapon].damage

    def breaks(self, settings: Settings) -> bool:
        """Whether a natural 1 breaks something (LW-DMG-07, LW-DMG-08)."""
        if not self.weapon:
            return False
        if self.mode != MELEE:
            return settings.ranged_nat1_breaks == "weapon"
        return data().melee[self.weapon].breakable


@dataclass(frozen=True, slots=True)
class Goal:
    """What is attacked.

    Attributes:
        kind: ``man``, ``horse``, ``vehicle`` or ``building``.
        dead: It is dead already.
        cover: It is in cover (LW-COV-07: once only).
    """

    kind: str = "man"
    dead: bool = False
    cover: bool = False

    @property
    def has_structure(self) -> bool:
        """It loses structure instead of a life (LW-DMG-09)."""
        return self.kind in (VEHICLE, BUILDING)


def parts(strike: Strike, goal: Goal, settings: Settings) -> tuple[tuple[str, int], ...]:
    """What the number is made of, in the order it is told (LW-MEL-03 to LW-MEL-09).

    Nothing is added for moving, nor against people (LW-STAT-06, LW-RNG-06, LW-RNG-17, LW-HVY-02,
    LW-HVY-07); walls and wagons are easier (LW-SIEGE-01, LW-SIEGE-03, LW-VEH-10).
    """
    rules = data()
    base = rules.creatures[strike.attacker].to_hit
    if strike.mode != MELEE:
        own = base - rules.creatures["man"].to_hit
        base = rules.whole("attack", strike.mode)  # LW-RNG-02
        if settings.shooter_to_hit_stat == "added_difference_from_7":
            base += own
    told = [("base", base)]
    ignored = (
        strike.weapon == RAM
        and goal.kind == BUILDING
        and settings.ram_vs_building_number == "ignore_weapon_to_hit"
    )
    if strike.weapon and strike.to_hit and not ignored:
        told.append((strike.weapon, strike.to_hit))
    if goal.cover:
        told.append(("cover", rules.whole("attack", "cover")))
    if goal.has_structure:
        told.append((goal.kind, rules.whole("attack", f"target_{goal.kind}")))
    if goal.dead:
        told.append(("dead", rules.whole("attack", "target_dead")))
    return tuple(told)


def number(strike: Strike, goal: Goal, settings: Settings) -> int:
    """Number to roll before the natural 1 and 10 (LW-MEL-04)."""
    return sum(value for _, value in parts(strike, goal, settings))


def p_hit(needed: int) -> float:
    """Chance of a hit (LW-MEL-13)."""
    rules = data()
    low, high = rules.whole("attack", "natural_miss") + 1, rules.whole("attack", "natural_hit")
    return (rules.dice_sides + 1 - min(high, max(low, needed))) / rules.dice_sides


def hits(needed: int, roll: int) -> bool:
    """Whether a roll hits: the face shown decides (LW-MEL-10 to LW-MEL-12, LW-GEN-05)."""
    rules = data()
    if roll == rules.whole("attack", "natural_miss"):
        return False
    return roll == rules.whole("attack", "natural_hit") or roll >= needed


def damages(roll: int, damage: int, armor: int, goal: Goal, settings: Settings) -> bool:
    """Whether a damage roll gets through (LW-DMG-02, LW-DMG-04, LW-DMG-05, LW-DMG-10)."""
    rules = data()
    if roll == rules.whole("attack", "natural_break") and settings.nat1_beats_armor_total:
        return False
    special = not goal.has_structure or settings.nat10_vs_structure != "no_special"
    if roll == rules.whole("attack", "natural_kill") and special:
        return True
    return roll + damage >= armor


def outcome(
    strike: Strike, roll: int, armor: int, goal: Goal, settings: Settings
) -> tuple[str, bool]:
    """What a damage roll does, and whether the weapon breaks (LW-DMG-01 to LW-DMG-10)."""
    rules = data()
    breaks = roll == rules.whole("attack", "natural_break") and strike.breaks(settings)
    through = damages(roll, strike.damage(settings), armor, goal, settings)
    if not through or goal.dead:  # LW-STAT-08, LW-MEL-09
        return NOTHING, breaks
    if not goal.has_structure:
        return DEAD, breaks
    kills = roll == rules.whole("attack", "natural_kill")
    if kills and settings.nat10_vs_structure == "destroy":
        return DESTROYED, breaks
    return MINUS_ONE, breaks


def through_faces(strike: Strike, armor: int, goal: Goal, settings: Settings) -> tuple[int, ...]:
    """Faces of the damage die that get through."""
    faces = range(1, data().dice_sides + 1)
    damage = strike.damage(settings)
    return tuple(face for face in faces if damages(face, damage, armor, goal, settings))


def p_damage(strike: Strike, armor: int, goal: Goal, settings: Settings) -> float:
    """Chance that a hit gets through (LW-DMG-11)."""
    return len(through_faces(strike, armor, goal, settings)) / data().dice_sides


def p_kill(
    strike: Strike, armor: int, goal: Goal, settings: Settings, *, on_ladder: bool = False
) -> float:
    """Chance of one attack to kill, or to cost structure (LW-DMG-11, LW-LADD-09)."""
    chance = p_hit(number(strike, goal, settings))
    through = p_damage(strike, armor, goal, settings)
    if not on_ladder:
        return chance * through
    falls = p_fall(armor, settings)
    if settings.ladder_hit_order == "fall_only":
        return chance * falls
    if settings.ladder_fall_trigger == "damage_success":
        return chance * through  # who would fall is dead
    return chance * (through + (1.0 - through) * falls)


def fall_kills(armor: int, roll: int, settings: Settings) -> bool:
    """Whether a fall is deadly (LW-LADD-06); its height does not matter."""
    if settings.fall_auto_rolls == "nat10_kills" and roll == data().whole("attack", "natural_kill"):
        return True
    return roll >= fall_armor(armor, settings)


def fall_armor(armor: int, settings: Settings) -> int:
    """The ARMOR that counts in a fall."""
    return data().creatures["man"].armor if settings.fall_rule == "unarmored_5" else armor


def p_fall(armor: int, settings: Settings) -> float:
    """Chance that a fall is deadly (LW-LADD-06)."""
    faces = range(1, data().dice_sides + 1)
    return sum(fall_kills(armor, face, settings) for face in faces) / data().dice_sides


def structure_after(structure: int, damaging: int) -> int:
    """STRUCTURE left after so many damaging attacks (LW-DMG-09), 0 when destroyed."""
    return max(0, structure - damaging * data().whole("attack", "structure_loss"))
