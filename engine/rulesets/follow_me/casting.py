"""MAGIC: mages name their spells and targets (FM-MAGE-11 to 18, FM-MAGE-23)."""

from __future__ import annotations

from engine.actions import Action
from engine.errors import Refused
from engine.events import Value
from engine.geometry.interval import Verdict
from engine.rulesets.follow_me.data import Spell, data
from engine.rulesets.follow_me.declaring import Fault
from engine.rulesets.follow_me.field import OVERLAP_MM, Field
from engine.rulesets.follow_me.marks import (
    Deed,
    Phase,
    count,
    followers,
    frozen,
    group_id,
    has,
    heroes,
    hostile,
    is_big,
    is_hero,
    kind_of,
    members,
    spells_known,
    weapon_of,
)
from engine.rulesets.follow_me.measures import lengths, sorcery, views, ways
from engine.rulesets.follow_me.play import Play, expect, living_unit
from engine.spots import number, spot, word
from engine.state import GameState, Unit
from engine.table import Figure, PointMm

COLOURS = ("red", "green", "blue", "gold", "white")
"""Of FIRE IN THE SKY (FM-SPELL-05)."""
GROUP_TARGETS = ("missile_group", "contingent", "follower_group")
_SPOT_MM = 20.0
"""A figure so near a chosen point is meant itself."""


def casters(state: GameState) -> list[Unit]:
    """Mages who cast this turn and have not named a spell; the frozen lose it (FM-TURN-11)."""
    return [
        u for u in heroes(state)
        if word(u, "deed") == Deed.CAST and not word(u, "named") and not has(u, "cast_done")
        and not frozen(state, u) and u.mark("moved") is None
    ]  # fmt: skip


def spotless(state: GameState) -> list[Unit]:
    """Mages whose BEGONE! still lacks a place to send its target."""
    return [
        u for u in heroes(state)
        if word(u, "named") == "begone" and u.mark("spell_x") is None and not has(u, "cast_done")
    ]  # fmt: skip


def in_range(field: Field, mage: Unit, other: Figure, spell: Spell) -> bool:
    """Whether a spell reaches so far (FM-MAGE-23); near things are granted as agreed."""
    mine = field.figures.get(mage.figure_id)
    if mine is None:
        return False
    if not spell.range_in:
        return True
    gap = lengths.range_mm(mine, other, field.settings)
    limit = field.settings.inches(spell.range_in)
    held = lengths.held(gap, limit, field.settings, mine.sigma_mm, other.sigma_mm)
    return held is not Verdict.NO


def target_fault(field: Field, mage: Unit, spell: Spell, target: Unit) -> Fault | None:
    """Why a spell cannot be cast on somebody, as rule and sentence (FM-MAGE-14, FM-SPELL)."""
    if spell.target == "dead_figure":
        return _dead_fault(field, mage, spell, target)
    if not target.alive or target.figure_id not in field.figures:
        return "FM-MAGE-14", f"{target.name} is not on the table"
    fault = _kind_fault(field, mage, spell, target)
    if fault is not None:
        return fault
    if spell.target in GROUP_TARGETS:  # FM-SPELL-23: one of the group is enough
        men = members(field.state, group_id(target))
        near = [u for u in men if _reached(field, mage, u, spell)]
        if not near:
            return "FM-MAGE-23", f"{target.name}'s group is out of range of that spell"
        seen = any(_seen(field, mage, u) for u in near)
    else:
        if not _reached(field, mage, target, spell):
            return "FM-MAGE-23", f"{target.name} is out of range of that spell"
        seen = _seen(field, mage, target)
    return None if seen else ("FM-MAGE-14", f"{mage.name} does not see {target.name}")


def _reached(field: Field, mage: Unit, target: Unit, spell: Spell) -> bool:
    figure = field.figures.get(target.figure_id)
    return figure is not None and in_range(field, mage, figure, spell)


def _seen(field: Field, mage: Unit, target: Unit) -> bool:
    return mage.figure_id == target.figure_id or field.sees(mage, target)


def _kind_fault(field: Field, mage: Unit, spell: Spell, target: Unit) -> Fault | None:
    """Whether a figure is one that the spell is for."""
    what, group = spell.target, group_id(target)
    if what == "hero" and not is_hero(target):
        return spell.rule, f"{target.name} is no hero"
    if what == "follower" and (is_hero(target) or is_big(target) or not kind_of(target).fights):
        return spell.rule, f"{target.name} is no follower"
    if what in GROUP_TARGETS and is_big(target):
        return spell.rule, f"{target.name} is in no contingent"
    if what == "follower_group" and not followers(field.state, group):
        return spell.rule, "that group has no followers"
    if what == "missile_group" and not any(
        weapon_of(man) in ("bow", "crossbow") for man in members(field.state, group)
    ):
        return "FM-SPELL-02a", "nobody there has a bow or crossbow"
    if what == "non_hero":
        return _mine_fault(field, mage, target)
    if spell.key == "begone" and target.figure_id == mage.figure_id:
        return "FM-SPELL-01a", "not the caster himself"
    return None


def _mine_fault(field: Field, mage: Unit, target: Unit) -> Fault | None:
    """YOU ARE MINE takes enemies, but no heroes (FM-SPELL-18, FM-SPELL-18a)."""
    if is_hero(target) or target.mark("fx_mighty") is not None:
        return "FM-SPELL-18a", "heroes and mighty warriors are immune"
    if not hostile(mage, target):
        return "FM-SPELL-18", f"{target.name} is on that side already"
    if is_big(target) and not field.settings.mine_big_things:
        return "FM-SPELL-18a", "Giants and Dragons are immune in this game"
    return None


def _dead_fault(field: Field, mage: Unit, spell: Spell, target: Unit) -> Fault | None:
    """PHOENIX DOWN: where somebody fell, near and in sight (FM-SPELL-17, FM-SPELL-17a)."""
    here, mine = spot(target), field.figures.get(mage.figure_id)
    if target.alive or word(target, "gone") not in ("killed", "removed") or here is None:
        return "FM-SPELL-17", f"{target.name} is not dead"
    if mine is None:
        return "FM-MAGE-14", f"{mage.name} is not on the table"
    gap = lengths.to_point(mine, here.xy, field.settings)
    if not lengths.fits(gap, field.settings.inches(spell.range_in)):
        return "FM-MAGE-23", f"{target.name} fell out of range of that spell"
    if not views.sees_point(mine, here.xy, field.scene, field.settings):
        return "FM-MAGE-14", f"{mage.name} does not see where {target.name} fell"
    return None


def point_fault(field: Field, mage: Unit, point: PointMm) -> Fault | None:
    """Why a circle cannot be laid there: he must see the spot, or who stands there."""
    mine = field.figures.get(mage.figure_id)
    if mine is None:
        return "FM-MAGE-14", f"{mage.name} is not on the table"
    if not _on_table(field, point):
        return "FM-GEO-20", "that place is off the table"
    if views.sees_point(mine, point, field.scene, field.settings):
        return None
    here = lengths.disc(point, 0.0)
    if any(
        lengths.edge_gap(figure, here) <= _SPOT_MM
        and views.sees(mine, figure, field.scene, field.settings)
        for figure in field.figures.values()
    ):
        return None
    return "FM-MAGE-14", f"{mage.name} does not see that spot"


def _on_table(field: Field, point: PointMm) -> bool:
    size = field.table.size_mm
    return size is None or (0.0 <= point[0] <= size[0] and 0.0 <= point[1] <= size[1])


def landing_fault(field: Field, target: Unit, point: PointMm) -> Fault | None:
    """Why a figure cannot be set down there (FM-SPELL-01a)."""
    figure = field.figures.get(target.figure_id)
    if figure is None:
        return None
    there = ways.moved(figure, point)
    size = field.table.size_mm
    if size is not None and not ways.on_table(there, point, size):
        return "FM-GEO-20", "that place is not wholly on the table"
    others = [f for name, f in field.figures.items() if name != target.figure_id]
    if lengths.landed_on(there, others, OVERLAP_MM) is not None:
        return "FM-SPELL-01a", "somebody stands there"
    if ways.inside(there, field.lay(target).closed):
        return "FM-SPELL-01a", "nobody can stand there"
    return None


def name_spell(play: Play, action: Action) -> None:
    """A mage says his spell and its target aloud, and pays for it (FM-MAGE-13, FM-MAGE-16).

    Raises:
        Refused: He casts nothing, does not know the spell, cannot pay, or may not aim it there.
    """
    expect(play, Phase.MAGIC, "FM-MAGE-16")
    mage = living_unit(play, action.figure_id, "FM-MAGE-07")
    if mage not in casters(play.state):
        raise Refused(f"{mage.name} casts nothing now", "FM-MAGE-15")
    key, _, colour = (action.value or "").partition(":")
    spell = data().spells.get(key)
    if spell is None or key not in spells_known(mage):
        raise Refused("not among the six spells", "FM-MAGE-12")
    left = sorcery.paid(count(mage, "points"), spell)
    if left is None:
        have = count(mage, "points")
        raise Refused(f"it costs {spell.cost}, he has {have}", "FM-MAGE-18")
    values = _aimed(play, mage, spell, colour, action)
    play.note("named", "FM-MAGE-13", mage, {
        "spell": key, "cost": spell.cost, "left": left, "unit.named": key, "unit.points": left,
        **values,
    })  # fmt: skip


def _aimed(play: Play, mage: Unit, spell: Spell, colour: str, action: Action) -> dict[str, Value]:
    field = play.field
    if spell.target == "none":
        if colour not in COLOURS:
            raise Refused(f"a colour is one of {', '.join(COLOURS)}", spell.rule)
        return {"colour": colour}
    if spell.target == "circle":
        if action.point_mm is None:
            raise Refused("where is the middle of the circle?", spell.rule)
        fault = point_fault(field, mage, action.point_mm)
        if fault is not None:
            raise Refused(fault[1], fault[0])
        x, y = action.point_mm
        return {"unit.spell_x": float(x), "unit.spell_y": float(y)}
    target = play.state.unit(action.target_id or "")
    if target is None:
        raise Refused("on whom?", spell.rule)
    fault = target_fault(field, mage, spell, target)
    if fault is not None:
        raise Refused(fault[1], fault[0])
    return {"on": target.figure_id, "unit.spell_on": target.figure_id}


def name_spot(play: Play, action: Action) -> None:
    """Where BEGONE! sends its target: any point of the map where it can stand (FM-SPELL-01).

    Raises:
        Refused: Nothing waits for it, or it cannot stand there.
    """
    expect(play, Phase.MAGIC, "FM-SPELL-01")
    mage = living_unit(play, action.figure_id, "FM-SPELL-01")
    target = play.state.unit(word(mage, "spell_on"))
    if mage not in spotless(play.state) or target is None:
        raise Refused(f"{mage.name} sends nobody away", "FM-SPELL-01")
    if action.point_mm is None:
        raise Refused("where does it go?", "FM-SPELL-01")
    fault = landing_fault(play.field, target, action.point_mm)
    if fault is not None:
        raise Refused(fault[1], fault[0])
    x, y = action.point_mm
    values: dict[str, Value] = {"unit.spell_x": float(x), "unit.spell_y": float(y)}
    play.note("spot_named", "FM-SPELL-01", mage, values)


def cast_nothing(play: Play, action: Action) -> None:
    """A mage who has announced Cast casts nothing after all.

    Raises:
        Refused: He has named a spell, or casts nothing anyway.
    """
    expect(play, Phase.MAGIC, "FM-MAGE-16")
    mage = living_unit(play, action.figure_id, "FM-MAGE-07")
    if mage not in casters(play.state):
        raise Refused(f"{mage.name} casts nothing now", "FM-MAGE-15")
    play.note("cast_nothing", "FM-MAGE-16", mage, {"unit.cast_done": True})


def point_of(mage: Unit) -> PointMm:
    """The point a spell is aimed at."""
    return (number(mage, "spell_x"), number(mage, "spell_y"))
