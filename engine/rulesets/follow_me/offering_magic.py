"""What is offered in UPKEEP, MAGIC and END_TURN: spells, their targets and dice."""

from __future__ import annotations

from collections.abc import Iterator

from engine.announce import Shape
from engine.ruleset import InputKind, Option, Target
from engine.rulesets.follow_me import creatures, working
from engine.rulesets.follow_me.casting import COLOURS, casters, point_of, spotless, target_fault
from engine.rulesets.follow_me.data import Spell, data
from engine.rulesets.follow_me.declaring import castable
from engine.rulesets.follow_me.field import Field
from engine.rulesets.follow_me.marks import count, hostile, placing, unsettled
from engine.rulesets.follow_me.offering_orders import place_option
from engine.rulesets.follow_me.words import need_words, spell_words
from engine.spots import name_of, text_mark, word
from engine.state import Unit


def _dice(count: int) -> tuple[int, int]:
    return (count, data().whole("dice.sides"))


def upkeep(field: Field) -> Iterator[Option]:
    """Dice of creatures that follow, and of spells where they fade at the start."""
    due = creatures.followers_due(field.state)
    early = field.settings.wear_off_roll_at == "start_of_turn"
    fades = working.fading(field.state) if early and not text_mark(field.state, "upkept") else []
    texts = [f"{unit.name}: on a 1 it has had enough." for unit in due]
    texts += [f"{spell_words(name)} on {unit.name}: on a 1 it ends." for unit, name in fades]
    if texts:
        yield Option(
            "roll", "Roll for what goes on", dice=_dice(len(texts)), dice_text=" ".join(texts),
            rule="FM-BIG-09" if due else "FM-MAGE-26",
        )  # fmt: skip


def end_turn(field: Field) -> Iterator[Option]:
    """Dice of spells that may wear off (FM-MAGE-26)."""
    fades = working.fading(field.state)
    texts = [f"{spell_words(name)} on {unit.name}: on a 1 it ends." for unit, name in fades]
    if fades:
        yield Option(
            "roll", "Roll for spells that may wear off", dice=_dice(len(fades)),
            dice_text=" ".join(texts), rule="FM-MAGE-26",
        )  # fmt: skip


def magic(field: Field) -> Iterator[Option]:
    """Spells to be named, then to be worked out."""
    state = field.state
    for mage in casters(state):
        for key in castable(state, field, mage):
            yield _spell(field, mage, data().spells[key])
        yield Option(
            "no_spell", f"{mage.name} casts nothing", InputKind.TAP, mage.side, mage.figure_id,
            rule="FM-MAGE-16", minor=True,
        )  # fmt: skip
    for mage in spotless(state):
        whom = name_of(state, word(mage, "spell_on"))
        yield Option(
            "spot", f"{mage.name}: where does {whom} go?", InputKind.POINT, mage.side,
            mage.figure_id, rule="FM-SPELL-01",
        )  # fmt: skip
    if working.waiting(state):
        return
    yield from _works(field)


def _works(field: Field) -> Iterator[Option]:
    state = field.state
    clash = working.contested(state)
    if clash:
        names = ", ".join(name_of(state, name) for name in clash)
        yield Option(
            "roll", "Whose spell works first?", dice=_dice(len(clash)),
            dice_text=f"One die each for {names}: the highest works first.", rule="FM-MAGE-21",
        )  # fmt: skip
        return
    mages = working.unworked(state)
    if mages:
        cast = working.cast_of(field, mages[0])
        yield Option(
            "roll", f"{mages[0].name}: {cast.spell.name}", InputKind.TAP, None, mages[0].figure_id,
            dice=_dice(cast.dice), dice_text=_wanted(cast), rule=cast.spell.rule,
            shapes=_circle(field, cast),
        )  # fmt: skip
        return
    for unit in placing(state):
        yield place_option(unit)
    if not unsettled(state):
        yield Option("done", "All is in its place", rule="FM-SPELL-01")


def _wanted(cast: working.Cast) -> str:
    """What the dice of a spell are for, in their order."""
    parts = [f"{len(cast.shields)} for the magic shield: 1 breaks it"] if cast.shields else []
    if cast.spell.to_hit:
        parts.append(f"one to work: {need_words(cast.spell.to_hit)}")
    if cast.struck:
        limit, knights = cast.spell.strikes_other, cast.spell.strikes_knight
        under = f"{len(cast.struck)} under it: up to {limit} strikes"
        parts.append(f"{under}, knights only up to {knights}")
    if cast.spell.lasts == "counted" and cast.spell.to_hit:
        parts.append("one for its turns")
    if cast.spell.key == "fear":
        parts.append(f"one for the test, minus {-data().whole('morale.fear')}")
    return "; ".join(parts) + "."


def _circle(field: Field, cast: working.Cast) -> tuple[Shape, ...]:
    if not cast.spell.across_in:
        return ()
    radius = field.settings.inches(cast.spell.across_in) / 2.0
    return (Shape("circle", (point_of(cast.mage),), radius, "range", cast.spell.name),)


def _spell(field: Field, mage: Unit, spell: Spell) -> Option:
    """One spell of a mage, with whom it may be cast on."""
    text = f"{mage.name}: {spell.name}, {spell.cost}"
    hint = f"{count(mage, 'points')} power points left."
    if spell.target == "none":
        colours = tuple((f"{spell.key}:{colour}", colour) for colour in COLOURS)
        return Option(
            "spell", text, InputKind.CHOICE, mage.side, mage.figure_id, colours, rule=spell.rule,
            hint=hint,
        )  # fmt: skip
    if spell.target == "circle":
        return Option(
            "spell", text, InputKind.POINT, mage.side, mage.figure_id, rule=spell.rule,
            value=spell.key, hint=hint,
        )  # fmt: skip
    return Option(
        "spell", text, InputKind.FIGURE, mage.side, mage.figure_id,
        targets=_targets(field, mage, spell), rule=spell.rule, value=spell.key, hint=hint,
    )  # fmt: skip


def _targets(field: Field, mage: Unit, spell: Spell) -> tuple[Target, ...]:
    found = []
    for unit in field.state.units:
        if spell.target == "dead_figure" and unit.alive:
            continue
        if spell.target != "dead_figure" and not unit.alive:
            continue
        if spell.target == "non_hero" and not hostile(mage, unit):
            continue
        fault = target_fault(field, mage, spell, unit)
        text = "" if fault is None else fault[1]
        found.append(
            Target(unit.figure_id, fault is None, text, None if fault is None else fault[0])
        )
    return tuple(found)
