"""MAGIC: spells are worked out together, each with its dice (FM-MAGE-21, FM-SPELL)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from engine.events import Event, Value, results
from engine.rulesets.follow_me.casting import GROUP_TARGETS, casters, point_of, spotless
from engine.rulesets.follow_me.data import Spell, data
from engine.rulesets.follow_me.field import Field
from engine.rulesets.follow_me.marks import (
    Deed,
    count,
    group_id,
    has,
    hostile,
    is_big,
    kind_of,
    living,
    members,
    shielded,
    undead,
)
from engine.rulesets.follow_me.measures import lengths, sorcery, ways
from engine.rulesets.follow_me.play import Play, hurt
from engine.rulesets.follow_me.testing import frighten, leader_present
from engine.spots import Spot, spot, text_mark, word
from engine.state import GameState, Unit

HARMFUL: Final = (
    "begone", "blinder", "decay", "fear", "freeze", "slow", "storm", "lightning", "mine",
)  # fmt: skip
"""Spells that disturb a meditation when an enemy aims them (FM-MAGE-19)."""


@dataclass(frozen=True, slots=True)
class Cast:
    """A named spell about to work.

    Attributes:
        mage: Who cast it.
        spell: The spell.
        target: Figure it was cast on, None for a circle or a signal.
        caught: Everybody it names or covers.
        shields: Enemy groups whose magic shield it meets.
        struck: Those under a storm who roll.
        dice: Dice to be rolled for it.
    """

    mage: Unit
    spell: Spell
    target: Unit | None
    caught: tuple[Unit, ...]
    shields: tuple[str, ...]
    struck: tuple[Unit, ...]
    dice: int


def waiting(state: GameState) -> bool:
    """Somebody has still to name a spell or the place it needs."""
    return bool(casters(state) or spotless(state))


def unworked(state: GameState) -> list[Unit]:
    """Mages whose spells have still to be worked out, in their order (FM-MAGE-21)."""
    mages = [u for u in state.units if word(u, "named") and not has(u, "cast_done")]
    order = text_mark(state, "cast_order").split(",")
    return sorted(mages, key=lambda u: (_place(order, u.figure_id), u.figure_id))


def _place(order: list[str], name: str) -> int:
    return order.index(name) if name in order else len(order)


def contested(state: GameState) -> list[str]:
    """Mages whose spells contradict one another and who have not rolled off (FM-MAGE-21)."""
    if text_mark(state, "cast_order"):
        return []
    mages = unworked(state)
    found = {
        name
        for a in mages
        for b in mages
        if a.figure_id < b.figure_id and _clash(state, a, b)
        for name in (a.figure_id, b.figure_id)
    }
    return sorted(found)


def _clash(state: GameState, a: Unit, b: Unit) -> bool:
    """Two spells on one figure of which each undoes or forbids the other."""
    one, two = word(a, "named"), word(b, "named")
    same = word(a, "spell_on") == word(b, "spell_on") != ""
    if one == two and one in ("begone", "mine"):
        return same
    first, second = state.unit(word(a, "spell_on")), state.unit(word(b, "spell_on"))
    for guard, other, kept, aimed in ((one, two, first, second), (two, one, second, first)):
        if kept is None or aimed is None:
            continue
        if guard in ("safe", "gone") and other in HARMFUL and kept is aimed:
            return True
        if guard == "shield" and other in HARMFUL and group_id(kept) == group_id(aimed):
            return True
    return False


def roll_off(play: Play) -> None:
    """Mages whose spells contradict roll; the highest works first, ties by the order rolled."""
    names = contested(play.state)
    faces = play.roll(len(names))
    ranked = sorted(zip(names, faces, strict=True), key=lambda pair: -pair[1])
    order = ",".join(name for name, _ in ranked)
    told: dict[str, Value] = {"game.cast_order": order, "names": tuple(names)}
    play.tell(Event("rolled_off", "FM-MAGE-21", dice=faces, values=results(**told)))


def cast_of(field: Field, mage: Unit) -> Cast:
    """What a named spell meets, and how many dice it wants."""
    state, spell = field.state, data().spells[word(mage, "named")]
    target = state.unit(word(mage, "spell_on"))
    caught = _caught(field, mage, spell, target)
    shields = sorted({group_id(u) for u in caught if hostile(mage, u) and shielded(state, u)})
    struck = tuple(
        u for u in caught
        if spell.strikes_other and kind_of(u).hits and not (undead(u) and spell.spares_undead)
    )  # fmt: skip
    dice = len(shields) + bool(spell.to_hit) + len(struck) + (spell.key in _SECOND_DIE)
    return Cast(mage, spell, target, caught, tuple(shields), struck, dice)


_SECOND_DIE: Final = ("blinder", "freeze", "fear")
"""Spells with a die for their turns, or for the test they enforce."""


def _caught(field: Field, mage: Unit, spell: Spell, target: Unit | None) -> tuple[Unit, ...]:
    """Everybody a spell names or covers."""
    if spell.strikes_other:
        across = field.settings.inches(spell.across_in)
        centre = point_of(mage)
        return tuple(
            u for u in living(field.state)
            if (f := field.figures.get(u.figure_id)) is not None
            and lengths.under_template(centre, across, f, field.settings)
        )  # fmt: skip
    if target is None:
        return ()
    if spell.target in GROUP_TARGETS:
        return tuple(members(field.state, group_id(target)))
    return (target,)


def work(play: Play, mage: Unit) -> None:
    """One spell is worked out; its points are spent even when it fails (FM-MAGE-17)."""
    cast = cast_of(play.field, mage)
    faces = list(play.roll(cast.dice)) if cast.dice else []
    play.note("worked", cast.spell.rule, mage, {
        "spell": cast.spell.key, "on": None if cast.target is None else cast.target.figure_id,
        "unit.cast_done": True, "faces": tuple(float(face) for face in faces) or None,
    })  # fmt: skip
    for unit in cast.caught:
        if (
            hostile(mage, unit)
            and cast.spell.key in HARMFUL
            and word(unit, "deed") == Deed.MEDITATE
        ):
            play.note("disturbed", "FM-MAGE-19", unit, {"unit.disturbed": True})
    kept = {
        group for group, face in zip(cast.shields, faces, strict=False)
        if not _breaks(play, cast, group, face)
    }  # fmt: skip
    faces = faces[len(cast.shields) :]
    if cast.spell.to_hit:
        face = faces.pop(0)
        if not sorcery.works(cast.spell, face):
            play.note("fizzled", cast.spell.rule, mage, {"spell": cast.spell.key, "face": face})
            return
    if cast.target is not None and group_id(cast.target) in kept and hostile(mage, cast.target):
        return
    if cast.struck:
        _strike(play, cast, faces, kept)
        return
    effect = _EFFECTS.get(cast.spell.key)
    if effect is not None:
        effect(play, cast, faces)


def _breaks(play: Play, cast: Cast, group: str, face: int) -> bool:
    """A magic shield is attacked; on a 1 it ends and the spell works (FM-SPELL-15, 15a)."""
    holder = play.state.unit(group)
    fails = sorcery.shield_fails(face)
    if holder is not None:
        gone: dict[str, Value] = {"unit.fx_shield": "", "unit.shield_leader": ""} if fails else {}
        told: dict[str, Value] = {"face": face, "fails": fails, "spell": cast.spell.key}
        play.note("shield_tried", "FM-SPELL-15", holder, told | gone)
    return fails


def _strike(play: Play, cast: Cast, faces: list[int], kept: set[str]) -> None:
    """Everyone under a storm rolls, friends and the caster too (FM-SPELL-03, 11, 19, 21)."""
    for unit, face in zip(cast.struck, faces, strict=True):
        if group_id(unit) in kept and hostile(cast.mage, unit) and shielded(play.state, unit):
            continue
        if sorcery.struck(cast.spell, kind_of(unit), face, undead=undead(unit)):
            hurt(play, unit, cast.spell.rule, by=cast.mage.figure_id)


def _target(cast: Cast) -> Unit:
    assert cast.target is not None  # noqa: S101  a spell with a target has one
    return cast.target


def _begone(play: Play, cast: Cast, faces: list[int]) -> None:
    """The target is gone to another place, which counts as its move (FM-SPELL-01, 01a)."""
    target = play.now(_target(cast))
    x, y = point_of(cast.mage)
    at = spot(target)
    far = 0.0 if at is None else at.away(Spot(x, y, 0.0))
    marks: dict[str, Value] = {
        "unit.moved": max(far, play.settings.move_epsilon_mm),
        "unit.teleported": True,
        "unit.at_wall": "",
    }
    play.at("set_at", "FM-SPELL-01", target, Spot(x, y, 0.0), moved_mm=far, **marks)


def _until(play: Play, cast: Cast, holder: Unit, turns: int) -> None:
    """A counted spell is active for so many turns; the longer one counts (FM-SPELL-02a)."""
    name = f"fx_{cast.spell.key}"
    last = sorcery.last_turn(cast.spell, play.state.turn, turns, play.settings)
    last = max(last, count(holder, name))
    play.note("held", cast.spell.rule, holder, {
        "spell": cast.spell.key, "turns": turns, "last": last, f"unit.{name}": last,
    })  # fmt: skip


def _blinder(play: Play, cast: Cast, faces: list[int]) -> None:
    _until(play, cast, _holder(play, cast), faces[0])


def _freeze(play: Play, cast: Cast, faces: list[int]) -> None:
    _until(play, cast, play.now(_target(cast)), faces[0])


def _fear(play: Play, cast: Cast, faces: list[int]) -> None:
    frighten(play, _holder(play, cast), faces[0])


def _holder(play: Play, cast: Cast) -> Unit:
    """Who keeps the marks of the target's group: its hero, dead or alive."""
    return play.state.unit(group_id(_target(cast))) or _target(cast)


def _lasting(play: Play, cast: Cast, faces: list[int]) -> None:
    """A spell on one figure that wears off (FM-SPELL-06, 10, 12, 16, FM-MAGE-26)."""
    values: dict[str, Value] = {"spell": cast.spell.key,
                                f"unit.fx_{cast.spell.key}": play.state.turn}  # fmt: skip
    play.note("enchanted", cast.spell.rule, play.now(_target(cast)), values)


def _on_group(play: Play, cast: Cast, faces: list[int]) -> None:
    """A spell on a group of followers, and its leader if he is near (FM-SPELL-09, FM-SPELL-15)."""
    holder, key = _holder(play, cast), cast.spell.key
    led = holder.alive and leader_present(play.field, holder)
    values: dict[str, Value] = {
        "spell": key, "group": True, f"unit.fx_{key}": play.state.turn, f"unit.{key}_leader": led,
    }  # fmt: skip
    play.note("enchanted", cast.spell.rule, holder, values)


def _fire(play: Play, cast: Cast, faces: list[int]) -> None:
    """A signal everybody sees; its colour was named with it (FM-SPELL-05)."""


def _fog(play: Play, cast: Cast, faces: list[int]) -> None:
    """A bank of fog blocks sight, not movement (FM-SPELL-07, FM-SPELL-20)."""
    turns = data().whole("mage.fog_turns")
    last = sorcery.last_turn(cast.spell, play.state.turn, turns, play.settings)
    x, y = point_of(cast.mage)
    fogs = ";".join(f for f in (text_mark(play.state, "fogs"), f"{x:.1f}|{y:.1f}|{last}") if f)
    play.note("fog", "FM-SPELL-07", cast.mage, {
        "game.fogs": fogs, "fog_x": x, "fog_y": y, "last": last})  # fmt: skip


def _heal(play: Play, cast: Cast, faces: list[int]) -> None:
    """One hit is taken away, never below none (FM-SPELL-13, FM-SPELL-13a, FM-HIT-04)."""
    target = play.now(_target(cast))
    left = max(0, target.wounds - cast.spell.heals)
    play.note("healed", "FM-SPELL-13", target, {"unit.wounds": left, "taken": left})


def _lightning(play: Play, cast: Cast, faces: list[int]) -> None:
    """It kills, but figures of four hits take one (FM-SPELL-14, FM-SPELL-14a)."""
    target = play.now(_target(cast))
    kills = is_big(target) and play.settings.lightning_big_things == "kill"
    hurt(play, target, "FM-SPELL-14", by=cast.mage.figure_id, kills=kills)


def _phoenix(play: Play, cast: Cast, faces: list[int]) -> None:
    """The dead stands up where it fell, in its old contingent (FM-SPELL-17, FM-SPELL-17a)."""
    target = play.now(_target(cast))
    field, here = play.field, spot(target)
    figure = field.placed(target)
    if here is None or figure is None:
        return
    others, closed = list(field.figures.values()), field.lay(target).closed
    x, y = ways.free_near(figure, here.xy, others, closed)
    hits = kind_of(target).hits
    play.at("raised", "FM-SPELL-17", target, Spot(x, y, here.z),
            **{"unit.wounds": hits - 1 if hits > 1 else 0})  # fmt: skip


def _mine(play: Play, cast: Cast, faces: list[int]) -> None:
    """It changes sides for good, and joins the mage's men (FM-SPELL-18, FM-SPELL-18a)."""
    target, mage = play.now(_target(cast)), cast.mage
    values: dict[str, Value] = {
        "to": mage.figure_id, "unit.side": mage.side, "unit.note_to": "", "unit.unsent": "",
        "unit.led_by": "" if is_big(target) else mage.figure_id, "unit.instr": "",
        "unit.next_turn": "", "unit.next_instr": "", "unit.morale": "",
    }  # fmt: skip
    play.note("taken_over", "FM-SPELL-18", target, values)


_EFFECTS: Final[dict[str, Callable[[Play, Cast, list[int]], None]]] = {
    "begone": _begone, "blinder": _blinder, "fear": _fear, "fire": _fire, "flash": _lasting,
    "fog": _fog, "freeze": _freeze, "slow": _on_group, "gone": _lasting, "safe": _lasting,
    "heal": _heal, "lightning": _lightning, "shield": _on_group, "mighty": _lasting,
    "phoenix": _phoenix, "mine": _mine,
}  # fmt: skip


def going_on(state: GameState) -> tuple[str, ...]:
    """Spells at work, as ``"freeze|b1"``, and banks of fog (FM-TURN-12)."""
    found = [
        f"{name.removeprefix('fx_')}|{unit.figure_id}"
        for unit in state.units
        for name, _ in unit.marks
        if name.startswith("fx_")
    ]
    return (*found, *(f"fog|{i}" for i, _ in enumerate(_fogs(state), start=1)))


def _fogs(state: GameState) -> list[str]:
    return [fog for fog in text_mark(state, "fogs").split(";") if fog]


def fading(state: GameState) -> list[tuple[Unit, str]]:
    """Spells about which it is rolled now whether they wear off (FM-MAGE-26)."""
    names = ("flash", "gone", "safe", "mighty", "slow")
    return [
        (unit, name)
        for unit in state.units
        for name in names
        if unit.mark(f"fx_{name}") is not None
        and sorcery.may_wear_off(count(unit, f"fx_{name}"), state.turn)
        and (unit.alive or name == "slow")
    ]


def fade(play: Play) -> None:
    """One die for each of them; a mighty warrior forgets his hits when it ends."""
    fades = fading(play.state)
    for (unit, name), face in zip(fades, play.roll(len(fades)), strict=True):
        ends = sorcery.wears_off(face)
        values: dict[str, Value] = {"spell": name, "face": face, "ends": ends}
        if ends:
            values |= {f"unit.fx_{name}": "", f"unit.{name}_leader": ""}
        if ends and name == "mighty":
            values["unit.wounds"] = 0
        rule = "FM-SPELL-16a" if ends and name == "mighty" else "FM-MAGE-26"
        play.note("wear_rolled", rule, unit, values)


def run_out(play: Play) -> None:
    """Counted spells end with their last active turn (FM-TURN-13, FM-MAGE-25, FM-SPELL-20).

    Whether their mage still lives makes no difference (FM-MAGE-27).
    """
    turn = play.state.turn
    for unit in list(play.state.units):
        for name in ("blinder", "freeze"):
            mark = f"fx_{name}"
            if unit.mark(mark) is not None and count(unit, mark) <= turn:
                play.note("ran_out", "FM-MAGE-25", unit, {"spell": name, f"unit.{mark}": ""})
    fogs = _fogs(play.state)
    left = [fog for fog in fogs if int(fog.split("|")[2]) > turn]
    if left != fogs:
        values = results(**{"game.fogs": ";".join(left), "spell": "fog"})
        play.tell(Event("fog_gone", "FM-SPELL-20", values=values))
