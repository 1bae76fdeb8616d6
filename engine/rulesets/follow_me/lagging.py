"""End of step 2: who did not go as far as his order wants; told, never forbidden (FM-ACT-29)."""

from __future__ import annotations

from engine.rulesets.follow_me.data import data
from engine.rulesets.follow_me.field import Field
from engine.rulesets.follow_me.marks import has, kind_of, living, weapon_of
from engine.rulesets.follow_me.measures import lengths, shots
from engine.rulesets.follow_me.moving import going_of, prey
from engine.rulesets.follow_me.orders import Order, order_of
from engine.rulesets.follow_me.play import Play
from engine.spots import number
from engine.state import Unit

_RULES = {"attack": "FM-ACT-29", "fall_back": "FM-MORALE-23", "run": "FM-MORALE-24",
          "follow": "FM-ACT-09"}  # fmt: skip


def lagging(play: Play) -> None:
    """Tell whose move fell short of what the order wants; others may go less far (FM-MOVE-13)."""
    field = play.field
    for unit in list(living(play.state)):
        order = order_of(field, unit)
        rule = _RULES.get(order.kind)
        short = order.limit_mm - number(unit, "moved")
        if rule is None or short <= data().numbers["command.shortfall_mm"] or has(unit, "crossed"):
            continue
        if order.kind == "follow":
            if number(unit, "moved") or not _left_behind(field, unit, order):
                continue
        elif order.kind == "attack" and arrived(field, unit, order):
            continue
        play.about("lagged", rule, unit, short_mm=short, order=order.kind)


def arrived(field: Field, unit: Unit, order: Order) -> bool:
    """In weapon range, in contact, or with nowhere to go (FM-ACT-22, FM-ACT-10)."""
    if field.enemies_touching(unit):
        return True
    enemies = prey(field, unit, order)
    if not enemies or any(in_reach(field, unit, enemy) for enemy in enemies):
        return True
    figure = field.figures[unit.figure_id]
    near = min(enemies, key=lambda u: field.gap(unit, u))
    goal = field.figures[near.figure_id].position_mm
    return going_of(field, unit, figure).shortest(figure.position_mm, goal) is None


def in_reach(field: Field, unit: Unit, enemy: Unit) -> bool:
    """Whether a weapon reaches and can hurt an enemy: contact, or usable range (FM-ACT-22)."""
    weapon = weapon_of(unit)
    if not weapon:
        return field.touch(unit, enemy)
    limit = field.settings.inches(shots.usable_range_in(weapon, kind_of(enemy)))
    return lengths.fits(field.gap(unit, enemy), limit)


def _left_behind(field: Field, unit: Unit, order: Order) -> bool:
    """His hero is farther away than the shout reaches, and he has not stirred."""
    hero = field.state.unit(order.who)
    limit = field.settings.inches(data().numbers["command.follow_me_in"])
    return hero is not None and not lengths.fits(field.gap(unit, hero), limit)
