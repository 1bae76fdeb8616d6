"""What the program says about magic, shots, fights, duels and morale (section 8)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from engine.announce import Level
from engine.events import Event
from engine.rulesets.follow_me.brawling import fights_of
from engine.rulesets.follow_me.data import data
from engine.rulesets.follow_me.dueling import duels_of
from engine.rulesets.follow_me.marks import group_name, is_hero, rank_of
from engine.rulesets.follow_me.measures.fights import outnumbered
from engine.rulesets.follow_me.words import (
    MORALE,
    RESULTS,
    factors_words,
    need_words,
    signed,
    spell_words,
)
from engine.spots import name_of, text_mark
from engine.state import GameState
from engine.words import count, listed, small_number

Said: TypeAlias = tuple[Level, str, str]
"""Level, text for the eye, text for the ear (empty: the same)."""
Saying: TypeAlias = Callable[[GameState, Event], Said | None]


def _name(state: GameState, event: Event) -> str:
    return name_of(state, event.figure_id)


def _named(state: GameState, event: Event) -> Said:
    spell = data().spells[event.text("spell")]
    on = f" on {name_of(state, event.text('on'))}" if event.text("on") else ""
    colour = f", {event.text('colour')}" if event.text("colour") else ""
    works = f": {need_words(spell.to_hit)} works" if spell.to_hit else ""
    left = count(int(event.number("left")), "point")
    text = f"{_name(state, event)} casts {spell.name}{on}{colour}{works}. {left} left."
    return Level.INFO, text, f"{_name(state, event)} casts {spell.name}{on}."


def _rolled_off(state: GameState, event: Event) -> Said:
    first = name_of(state, text_mark(state, "cast_order").split(",")[0])
    return Level.INFO, f"{first}'s spell works first.", ""


def _fizzled(state: GameState, event: Event) -> Said:
    face, spell = int(event.number("face")), spell_words(event.text("spell"))
    return Level.INFO, f"A {face}: {spell} fails, its points are spent.", f"{spell} fails."


def _shield_tried(state: GameState, event: Event) -> Said:
    group, face = group_name(state, event.figure_id or ""), int(event.number("face"))
    if event.value("fails") is True:
        return Level.INFO, f"A {face}: the shield of {group} breaks, the spell works.", ""
    return Level.INFO, f"A {face}: the shield of {group} holds.", ""


def _held(state: GameState, event: Event) -> Said:
    spell, name = spell_words(event.text("spell")), _name(state, event)
    last = int(event.number("last"))
    return Level.INFO, f"{spell} on {name} stays until the end of turn {last}.", ""


def _enchanted(state: GameState, event: Event) -> Said:
    spell, name = spell_words(event.text("spell")), _name(state, event)
    name = group_name(state, event.figure_id or "") if event.value("group") is True else name
    return Level.INFO, f"{spell} works on {name}.", ""


def _fog(state: GameState, event: Event) -> Said:
    last = int(event.number("last"))
    text = f"Fog, cast in turn {state.turn}, stays until the end of turn {last}."
    return Level.INFO, text, ""


def _healed(state: GameState, event: Event) -> Said:
    return Level.INFO, f"{_name(state, event)} has {int(event.number('taken'))} hits taken.", ""


def _spells_run(state: GameState, event: Event) -> Said:
    parts = [one.split("|") for one in event.words("spells")]
    names = [
        spell_words(key) if key == "fog" else f"{spell_words(key)} on {name_of(state, on)}"
        for key, on in parts
    ]
    return Level.INFO, f"Still at work: {listed(names)}.", ""


def _wear_rolled(state: GameState, event: Event) -> Said:
    spell, face = spell_words(event.text("spell")), int(event.number("face"))
    ends = "it ends" if event.value("ends") is True else "it goes on"
    return Level.INFO, f"{spell} on {_name(state, event)}: a {face}, {ends}.", ""


def _ran_out(state: GameState, event: Event) -> Said:
    return Level.INFO, f"{spell_words(event.text('spell'))} on {_name(state, event)} is over.", ""


def _set_at(state: GameState, event: Event) -> Said:
    name, far = _name(state, event), event.number("moved_mm")
    if event.rule == "FM-PUSH-01":
        text = f"{name} goes back {far:.0f} millimetres."
        return Level.ASK, text, ""
    at = f"{event.number('x_mm'):.0f}, {event.number('y_mm'):.0f}"
    return Level.ASK, f"{name} is gone: put it at {at}.", f"Put {name} in its place."


def _raised(state: GameState, event: Event) -> Said:
    return Level.ASK, f"{_name(state, event)} stands up where it fell.", ""


def _aimed(state: GameState, event: Event) -> Said:
    need, far = int(event.number("need")), event.number("range_mm")
    close = " Close, it counts." if event.value("close") is True else ""
    name, target = _name(state, event), name_of(state, event.target_id)
    text = f"{name} at {target}: {far:.0f} millimetres, needs {need_words(need)}.{close}"
    return Level.INFO, text, f"{name} needs {need_words(need)}."


def _volley(state: GameState, event: Event) -> Said:
    fired, hits = int(event.number("shots")), int(event.number("hits"))
    text = f"{count(fired, 'shot')}, {count(hits, 'hit')}."
    return Level.INFO, text.capitalize(), ""


def _hit(state: GameState, event: Event) -> Said | None:
    of = int(event.number("of"))
    if of <= 1:
        return None
    taken = int(event.number("taken"))
    return Level.INFO, f"{_name(state, event)} has taken {taken} of {of} hits.", ""


def _killed(state: GameState, event: Event) -> Said:
    unit = state.unit(event.figure_id or "")
    name = _name(state, event)
    if unit is not None and is_hero(unit):
        text = (
            f"{name} falls: a noble lost, minus 2 this turn and minus 1 for the whole game. His "
            "men are without a leader."
        )
        return Level.WARN, text, f"{name} falls."
    own = "none" if unit is None else rank_of(unit)
    rank = "" if own == "none" else f", a {own}"
    return Level.WARN, f"{name} falls{rank}. Lay it down.", f"{name} falls."


def _split(state: GameState, event: Event) -> Said | None:
    fights, duels = fights_of(state), duels_of(state)
    if not fights and not duels:
        return None
    parts = []
    for one in fights:
        names = listed([name_of(state, name) for name in one.many])
        worse = outnumbered(len(one.many))
        more = f" (outnumbered, {signed(worse)})" if worse else ""
        parts.append(f"{name_of(state, one.single)}{more} against {names}")
    parts += [f"a duel of {name_of(state, a)} and {name_of(state, b)}" for a, b in duels]
    number = count(len(fights), "fight") if fights else count(len(duels), "duel")
    text = f"{number.capitalize()}: {'; '.join(parts)}."
    watch = [name_of(state, name) for name in text_mark(state, "watch").split(",") if name]
    text += f" {listed(watch)} {'watches' if len(watch) == 1 else 'watch'}." if watch else ""
    across = [name_of(state, name) for name in event.words("across")]
    text += f" Across the wall: {listed(across)}." if across else ""
    return Level.INFO, text, f"{number}."


def _fought(state: GameState, event: Event) -> Said:
    mine, theirs = int(event.number("score_single")), int(event.number("score_many"))
    name, margin = _name(state, event), int(event.number("margin"))
    names = listed([name_of(state, one) for one in event.words("many")])
    winner = {"single": name, "many": names, "none": ""}[event.text("winner")]
    if not winner:
        return Level.INFO, f"{mine} against {theirs}: nothing happens.", ""
    by = f"{small_number(mine).capitalize()} against {small_number(theirs)}" \
        if min(mine, theirs) >= 0 else f"{mine} against {theirs}"  # fmt: skip
    plural = event.text("winner") == "many" and len(event.words("many")) > 1
    verb = "win" if plural else "wins"
    ends = {
        "push_single": f"{name} goes back", "kill_single": f"{name} falls",
        "hit_single": f"{name} takes a hit and goes back", "push_many": f"{names} go back",
        "kill_one": "one falls", "hit_one": "one takes a hit",
    }  # fmt: skip
    if text_mark(state, "ask_victim"):
        text = f"{by}: {winner} {verb} by {margin}. Which one falls? The others go back."
        return Level.ASK, text, f"{winner} {verb} by {margin}. Which one falls?"
    end = ends[event.text("outcome")]
    text = f"{by}: {winner} {verb} by {margin}, {end}."
    return Level.INFO, text, f"{winner} {verb} by {margin}."


def _dueled(state: GameState, event: Event) -> Said:
    a, b = _name(state, event), name_of(state, event.target_id)
    won, lost = int(event.number("won_a")), int(event.number("won_b"))
    if won == lost:
        return Level.INFO, f"{a} and {b}: {won} all, nobody is hit.", ""
    better = a if won > lost else b
    return Level.INFO, f"{max(won, lost)} to {min(won, lost)} for {better}.", ""


def _meditated(state: GameState, event: Event) -> Said:
    if not event.number("gained"):
        return Level.INFO, f"{_name(state, event)} gains no power point.", ""
    return Level.INFO, f"{_name(state, event)} gains a power point.", ""


def _tested(state: GameState, event: Event) -> Said:
    group = group_name(state, event.figure_id or "")
    total, result = int(event.number("total")), event.text("result")
    factors = factors_words(event.words("factors"))
    why = f" ({factors})" if factors else ""
    text = f"{group} tests: a {event.dice[0]}{why}, total {total}: {RESULTS[result]}."
    if dict(state.options).get("fm.morale.table") == "proposed_v1":
        text += " (This result table is a house proposal.)"
    stands = event.text("stands")
    if stands and stands != result:
        text += f" {RESULTS[stands].capitalize()} stands."
    if event.value("fear") is True:
        text = f"Fear! {text}"
    return Level.INFO, text, f"{group}: {RESULTS[stands or result]}."


def _decided(state: GameState, event: Event) -> Said:
    group = group_name(state, event.figure_id or "")
    return Level.INFO, f"{group}: {RESULTS[event.text('result')]}.", ""


def _calmed(state: GameState, event: Event) -> Said:
    group = group_name(state, event.figure_id or "")
    now = state.unit(event.figure_id or "")
    morale = "" if now is None else str(now.mark("morale") or "")
    more = "for one more turn" if morale else "again"
    return Level.INFO, f"{group} is {MORALE[morale]} {more}.", ""


def _plain(words: str) -> Saying:
    def say(state: GameState, event: Event) -> Said:
        text = words.format(
            figure=_name(state, event), target=name_of(state, event.target_id),
            group=group_name(state, event.figure_id or ""),
        )  # fmt: skip
        return Level.INFO, text[0].upper() + text[1:], ""

    return say


FIGHT_SAYINGS: Final[dict[str, Saying]] = {
    "named": _named,
    "rolled_off": _rolled_off,
    "fizzled": _fizzled,
    "shield_tried": _shield_tried,
    "held": _held,
    "enchanted": _enchanted,
    "fog": _fog,
    "healed": _healed,
    "spells_run": _spells_run,
    "wear_rolled": _wear_rolled,
    "ran_out": _ran_out,
    "set_at": _set_at,
    "raised": _raised,
    "aimed": _aimed,
    "volley": _volley,
    "hit": _hit,
    "killed": _killed,
    "split": _split,
    "fought": _fought,
    "dueled": _dueled,
    "meditated": _meditated,
    "tested": _tested,
    "decided": _decided,
    "calmed": _calmed,
    "fog_gone": _plain("The fog is gone."),
    "no_shots": _plain("Nobody has a shot."),
    "disturbed": _plain("{figure} is disturbed and gains no power point."),
    "spared": _plain("{figure} cannot be harmed."),
    "taken_over": _plain("{figure} changes sides."),
    "held_fast": _plain("{figure} cannot go back."),
    "may_follow": _plain("{figure} may step after whom it pushed."),
    "spilt": _plain("A hit that is left over goes to {target}."),
    "fear_stands": _plain("What fear did to {group} stands."),
    "cast_nothing": _plain("{figure} casts nothing."),
}
