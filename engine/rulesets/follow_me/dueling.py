"""DUELS: heroes and Big Things, three rounds of signs each (FM-HERO)."""

from __future__ import annotations

from typing import Final

from engine.actions import Action
from engine.errors import Refused
from engine.events import Event, Value, results
from engine.rulesets.follow_me.data import data
from engine.rulesets.follow_me.field import Field
from engine.rulesets.follow_me.marks import (
    Deed,
    Phase,
    duels,
    group_id,
    is_big,
    listed_mark,
    living,
)
from engine.rulesets.follow_me.measures import duels as rounds
from engine.rulesets.follow_me.play import Play, expect, hurt, living_unit
from engine.spots import word
from engine.state import GameState, Unit

SIGNS: Final = tuple(rounds.BEATS)


def paired(
    field: Field, contacts: dict[tuple[str, str], float]
) -> tuple[list[tuple[str, str]], list[str]]:
    """Duels of this turn, and who looks on (FM-HERO-02, 03, 09, 13, 14, 16, 17, 19)."""
    able = {u.figure_id for u in field.fighters if duels(u)}
    between = {pair: gap for pair, gap in contacts.items() if able >= set(pair)}
    named = [
        (u.figure_id, word(u, "deed_on"))
        for u in living(field.state)
        if word(u, "deed") == Deed.HIT
    ]
    return rounds.pairs(between, named, field.settings.duel_pairs)


def duels_of(state: GameState) -> list[tuple[str, str]]:
    """The duels of this turn."""
    return [(a, b) for a, b in listed_mark(state, "duels")]


def signs_of(unit: Unit) -> list[str]:
    """Signs a duellist has shown so far, round by round."""
    wanted = data().whole("duel.rounds")
    found = [word(unit, f"sign{i}") for i in range(1, wanted + 1)]
    return [sign for sign in found if sign]


def unsigned(state: GameState) -> list[Unit]:
    """Duellists who still have signs to choose."""
    units = [state.unit(name) for pair in duels_of(state) for name in pair]
    wanted = data().whole("duel.rounds")
    return [u for u in units if u is not None and len(signs_of(u)) < wanted]


def sign(play: Play, action: Action) -> None:
    """A sign is chosen in secret for the next round (FM-HERO-04, FM-HERO-08).

    Raises:
        Refused: It is no time for it, no duellist, or no sign.
    """
    expect(play, Phase.DUELS, "FM-HERO-04")
    unit = living_unit(play, action.figure_id, "FM-HERO-04")
    if unit not in unsigned(play.state):
        raise Refused(f"{unit.name} has his one duel of the turn already", "FM-HERO-03")
    if action.value not in SIGNS:
        raise Refused(f"a sign is one of {', '.join(SIGNS)}", "FM-HERO-04")
    number = len(signs_of(unit)) + 1
    play.note("signed", "FM-HERO-04", unit, {f"unit.sign{number}": action.value, "round": number})


def chance(play: Play, action: Action) -> None:
    """Chance shows the signs of a Big Thing that nobody plays (FM-HERO-08).

    Raises:
        Refused: It is no time for it, or it is no Big Thing in a duel.
    """
    expect(play, Phase.DUELS, "FM-HERO-08")
    unit = living_unit(play, action.figure_id, "FM-HERO-08")
    if not is_big(unit) or unit not in unsigned(play.state):
        raise Refused("chance plays for Giants and Dragons only", "FM-HERO-08")
    missing = data().whole("duel.rounds") - len(signs_of(unit))
    faces = play.roll(missing, data().whole("dice.signs"))
    for face in faces:
        number = len(signs_of(play.now(unit))) + 1
        values: dict[str, Value] = {f"unit.sign{number}": SIGNS[face - 1], "round": number}
        play.note("signed", "FM-HERO-08", unit, values)


def resolve(play: Play) -> None:
    """The better of three rounds hits the other; nobody is pushed (FM-HERO-05 to 07, 15)."""
    for a, b in duels_of(play.state):
        one, other = play.state.unit(a), play.state.unit(b)
        if one is None or other is None:
            continue
        won = rounds.wins(zip(signs_of(one), signs_of(other), strict=False))
        loser = rounds.hit_on(won)
        play.tell(Event("dueled", "FM-HERO-05", one.side, a, b, values=results(
            won_a=won[0], won_b=won[1], signs=(*signs_of(one), *signs_of(other)),
            hit_on="" if loser is None else (a, b)[loser])))  # fmt: skip
        for unit in (one, other):
            _was_in(play, unit)
        if loser is not None:
            for _ in range(data().whole("duel.hits")):
                hurt(play, (one, other)[loser], "FM-HERO-05", by=(a, b)[1 - loser])


def _was_in(play: Play, unit: Unit) -> None:
    """A duel counts as fighting, and disturbs who meditates (FM-MORALE-08, FM-MAGE-22)."""
    holder = play.state.unit(group_id(unit))
    if holder is not None and holder.mark("fought") is not True:
        play.note("in_melee", "FM-MORALE-08", holder, {"unit.fought": True, "group": True})
    if word(unit, "deed") == Deed.MEDITATE:
        play.note("disturbed", "FM-MAGE-19", unit, {"unit.disturbed": True})
