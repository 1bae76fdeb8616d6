"""What is offered in shooting, melee, duels and morale: targets, dice, signs, tests."""

from __future__ import annotations

from collections.abc import Iterator

from engine.announce import Shape
from engine.ruleset import InputKind, Option, Target
from engine.rulesets.follow_me import brawling, dueling, shooting
from engine.rulesets.follow_me.data import data
from engine.rulesets.follow_me.field import Field
from engine.rulesets.follow_me.marks import (
    count,
    group_name,
    has,
    hostile,
    is_big,
    kind_of,
    living,
    weapon_of,
)
from engine.rulesets.follow_me.measures import fights, nerve
from engine.rulesets.follow_me.testing import due, pressed, reasons, tests
from engine.rulesets.follow_me.words import RESULTS, factors_words, need_words, signed
from engine.spots import name_of, text_mark, word
from engine.state import GameState, Unit
from engine.words import listed


def aims(field: Field) -> Iterator[Option]:
    """A target for each shooter; the nearest when none is named (FM-SHOOT-14)."""
    for unit in shooting.shooters(field):
        found = []
        for target in living(field.state):
            if not hostile(unit, target):
                continue
            fault, needed, close, far = shooting.shot_at(field, unit, target)
            near = " Close: it counts." if close else ""
            text = f"{far:.0f} mm: {need_words(needed)} hits.{near}" if fault is None else fault[1]
            rule = "FM-SHOOT-05" if fault is None else fault[0]
            found.append(Target(target.figure_id, fault is None, text, rule))
        aimed = word(unit, "aim")
        breath = weapon_of(unit) == "dragon_breath"
        nearest = "nobody, unless told" if breath else "the nearest"
        at = name_of(field.state, aimed) if aimed else nearest
        at = "nobody" if has(unit, "passed") else at
        verb = "breathes" if breath else "shoots"
        yield Option(
            "aim", f"{unit.name} {verb} at {at}", InputKind.FIGURE, unit.side, unit.figure_id,
            targets=tuple(found), rule="FM-SHOOT-14",
        )  # fmt: skip
        if not has(unit, "passed"):
            yield Option(
                "hold_fire", f"{unit.name} does not shoot", InputKind.TAP, unit.side,
                unit.figure_id, rule="FM-SHOOT-14", minor=True,
            )  # fmt: skip
    yield Option("done", "All shots are named", rule="FM-SHOOT-14")


def volleys(field: Field) -> Iterator[Option]:
    """One die for each shooter of a group (FM-GEN-08)."""
    for group, units in shooting.volleys(field.state).items():
        needs = [
            f"{u.name} at {name_of(field.state, word(u, 'aim'))}: {need_words(count(u, 'need'))}"
            for u in units
        ]
        yield Option(
            "volley", f"Shots of {group_name(field.state, group)}", InputKind.TAP, units[0].side,
            value=group, dice=(len(units), data().whole("dice.sides")),
            dice_text=f"{'; '.join(needs)}.", rule="FM-SHOOT-02",
        )  # fmt: skip


def casualties(field: Field) -> Iterator[Option]:
    """The fallen are laid down (FM-SHOOT-16, FM-HIT-05)."""
    yield Option("done", "The fallen are laid down", rule="FM-HIT-05")


def split(field: Field) -> Iterator[Option]:
    """The fights as split, and what may be changed (FM-MELEE-13)."""
    state = field.state
    for one in brawling.fights_of(state):
        yield Option(
            "fight", _fight_words(state, one), InputKind.SHOW, None, one.single,
            shapes=_lines(field, one), rule="FM-MELEE-01",
        )  # fmt: skip
    for a, b in dueling.duels_of(state):
        yield Option(
            "duel", f"Duel: {name_of(state, a)} against {name_of(state, b)}", InputKind.SHOW, None,
            a, rule="FM-HERO-02",
        )  # fmt: skip
    for name, enemies in brawling.changes(field).items():
        unit = state.unit(name)
        yield Option(
            "reassign", f"{name_of(state, name)} fights somebody else", InputKind.FIGURE,
            None if unit is None else unit.side, name,
            targets=tuple(Target(enemy, True, "") for enemy in enemies), rule="FM-MELEE-13",
            minor=True,
        )  # fmt: skip
    yield Option("done", "The fights stand", rule="FM-MELEE-13")


def _fight_words(state: GameState, one: fights.Fight) -> str:
    names = listed([name_of(state, name) for name in one.many])
    worse = fights.outnumbered(len(one.many))
    more = f", outnumbered, {signed(worse)}" if worse else ""
    return f"{name_of(state, one.single)} against {names}{more}"


def _lines(field: Field, one: fights.Fight) -> tuple[Shape, ...]:
    here = field.figures.get(one.single)
    found = [field.figures.get(name) for name in one.many]
    if here is None:
        return ()
    return tuple(
        Shape("line", (here.position_mm, figure.position_mm), role="target")
        for figure in found
        if figure is not None
    )


def rolls(field: Field) -> Iterator[Option]:
    """Two dice for each fight (FM-MELEE-02)."""
    state = field.state
    made = brawling.fights_of(state)
    for index in brawling.unrolled(state):
        one = made[index]
        unit = state.unit(one.single)
        yield Option(
            "roll", _fight_words(state, one), InputKind.TAP, None if unit is None else unit.side,
            one.single, dice=(2, data().whole("dice.sides")), dice_text=_wants(state, one),
            rule="FM-MELEE-02", value=str(index), shapes=_lines(field, one),
        )  # fmt: skip


def _wants(state: GameState, one: fights.Fight) -> str:
    """``"First die Knight 1, plus 2; second Grunts. ... 4 more kills, ... 2 more."``."""
    single = state.unit(one.single)
    many = [unit for unit in map(state.unit, one.many) if unit is not None]
    if single is None or not many:
        return ""
    mine, theirs = brawling.mods(state, one)
    mine += kind_of(single).melee + fights.outnumbered(len(many))
    theirs += max(kind_of(unit).melee for unit in many)
    least = min(kind_of(unit).margin for unit in many)
    return (
        f"First die {single.name}, {signed(mine)}; second the others, {signed(theirs)}. The others "
        f"need {kind_of(single).margin} more, {single.name} {least} more."
    )


def duels(field: Field) -> Iterator[Option]:
    """Three secret signs for each duellist (FM-HERO-04)."""
    for unit in dueling.unsigned(field.state):
        number = len(dueling.signs_of(unit)) + 1
        yield Option(
            "sign", f"{unit.name}: sign of round {number}", InputKind.CHOICE, unit.side,
            unit.figure_id, tuple((sign, sign) for sign in dueling.SIGNS), rule="FM-HERO-04",
            hint="Cover your hand.",
        )  # fmt: skip
        if is_big(unit):
            missing = data().whole("duel.rounds") - number + 1
            yield Option(
                "chance", f"Chance shows the signs of {unit.name}", InputKind.TAP, unit.side,
                unit.figure_id, dice=(missing, data().whole("dice.signs")),
                dice_text="1 stone, 2 scissors, 3 paper.", rule="FM-HERO-08", minor=True,
            )  # fmt: skip


def morale(field: Field) -> Iterator[Option]:
    """Tests that are due, and those that players may wish for (FM-MORALE-03 to 07)."""
    state = field.state
    waiting = text_mark(state, "decide").split("|")
    if len(waiting) > 1:
        holder = state.unit(waiting[0])
        yield Option(
            "decide", f"A total of {waiting[2]}: what does it mean?", InputKind.CHOICE,
            None if holder is None else holder.side, waiting[0],
            tuple((name, RESULTS[name]) for name in nerve.RESULTS), rule="FM-MORALE-20",
        )  # fmt: skip
        return
    wanted = {unit.figure_id for unit in due(state)}
    for holder in state.units:
        if not tests(state, holder) or has(holder, "tested"):
            continue
        yield _test(field, holder, due=holder.figure_id in wanted)
    if not wanted:
        yield Option("done", "No more tests", rule="FM-MORALE-07")


def _test(field: Field, holder: Unit, *, due: bool) -> Option:
    press = pressed(field, holder)
    reckoned = nerve.reckoning(press, field.settings)
    factors = factors_words(tuple(f"{name}={value}" for name, value in reckoned))
    sum_of = sum(value for _, value in reckoned)
    why = ", ".join(reasons(field.state, holder)) or "if it is wished"
    return Option(
        "test", f"{group_name(field.state, holder.figure_id)} tests: {why}", InputKind.TAP,
        holder.side, value=holder.figure_id, dice=(1, data().whole("dice.sides")),
        dice_text=f"{factors or 'Nothing counts'}. Die {signed(sum_of)}.", rule="FM-MORALE-02",
        minor=not due,
    )  # fmt: skip
