"""What the program says about attacks, shots, hits and falls (section 8)."""

from __future__ import annotations

from typing import Final

from engine.announce import Level
from engine.events import Event
from engine.rulesets.playmobil.data import data
from engine.rulesets.playmobil.marks import kind_of, type_of
from engine.rulesets.playmobil.settings import Settings
from engine.rulesets.playmobil.words import against_words, dice_words, percent
from engine.rulesets.sentences import (
    Said,
    Saying,
    plainly,
    warning,
)
from engine.spots import name_of, side_name
from engine.state import GameState
from engine.words import small_number


def _aimed(state: GameState, settings: Settings, event: Event) -> Said:
    who, whom = name_of(state, event.figure_id), name_of(state, event.target_id)
    a, d = int(event.number("a")), int(event.number("d"))
    kind = event.text("kind")
    parts = []
    if kind == "melee":
        angle = event.number("angle")
        behind = f", from behind ({angle:.0f} degrees)" if event.value("rear") is True else ""
        parts.append(f"{who} against {whom}{behind}: {against_words(a, d)}.")
    else:
        far = f"{event.number('length_mm'):.0f} of {event.number('limit_mm'):.0f} millimetres"
        shot = int(event.number("shot"))
        cap = data().whole("missiles.shots")
        what = f"shot {shot} of {cap} at" if kind == "shoot" else "throws at"
        if kind == "flame":
            what = "flaming arrow at"
        parts.append(f"{who}: {what} {whom}, {far}. {against_words(a, d).capitalize()}.")
    if kind == "flame":
        parts.append("Minus two on the die, two men if it hits, only one arrow.")
    if event.text("spotter"):
        lender = name_of(state, event.text("spotter"))
        parts.append(f"{who} uses the range of {lender} but shoots from his own place.")
    if event.text("spear"):
        spear = whom if event.text("spear") == "defend" else who
        parts.append(f"{spear} faces the horse: one die more.")
    if event.value("d2") is not None:
        parts.append(f"And {dice_words(int(event.number('d2')))} for the second man.")
    parts.append(f"About {percent(event.number('chance'))}.")
    spoken = f"{who} against {whom}: {against_words(a, d)}."
    return Level.ASK, " ".join(parts), spoken


def _fought(state: GameState, settings: Settings, event: Event) -> Said:
    a, d = int(event.number("attack")), int(event.number("defend"))
    who, whom = name_of(state, event.figure_id), name_of(state, event.target_id)
    scores = f"{a} against {d}"
    if event.value("kill") is True:
        tie = f"{a} each: a tie, the attacker wins." if a == d else f"{scores}: {whom} is beaten."
        return Level.INFO, tie, f"{whom} is beaten."
    return Level.INFO, f"{scores}: blocked. {who} is finished this turn.", "Blocked."


def _struck_two(state: GameState, settings: Settings, event: Event) -> Said:
    names = [name_of(state, event.target_id), name_of(state, event.text("second"))]
    dies = [event.value("first_dies") is True, event.value("second_dies") is True]
    told = [
        f"{name} {'falls' if dead else 'stands'}" for name, dead in zip(names, dies, strict=True)
    ]
    return Level.INFO, f"{told[0]}, {told[1]}.", ""


def _killed(state: GameState, settings: Settings, event: Event) -> Said:
    name = name_of(state, event.figure_id)
    if event.rule == "PM-ARCH-08":
        return Level.WARN, f"{name} falls too: the arrow burns two.", ""
    return Level.WARN, f"{name} falls. Lay it down or take it away.", f"{name} falls."


def _destroyed(state: GameState, settings: Settings, event: Event) -> Said:
    name = name_of(state, event.figure_id)
    if event.text("how") == "fire":
        unit = state.unit(event.figure_id or "")
        own = None if unit is None else type_of(unit)
        crew = "; its crew is unharmed" if own is not None and own.name == "artillery" else ""
        return Level.WARN, f"{name} burns down{crew}.", f"{name} burns down."
    return Level.WARN, f"{name} is destroyed.", ""


def _fire_hit(state: GameState, settings: Settings, event: Event) -> Said:
    hits, limit = int(event.number("hits")), data().whole("siege.fire_hits")
    name = name_of(state, event.figure_id)
    text = f"{name} burns in {small_number(hits)} of {small_number(limit)} places."
    return Level.INFO, text, ""


def _artillery_hit(state: GameState, settings: Settings, event: Event) -> Said:
    points, limit = int(event.number("points")), int(event.number("limit"))
    name = name_of(state, event.target_id)
    unit = state.unit(event.target_id or "")
    kind = "" if unit is None else kind_of(unit)
    what = "damage" if kind in ("elephant", "chariot") else "hits"
    return Level.INFO, f"{name}: {points} of {limit} {what}.", ""


def _wall_hit(state: GameState, settings: Settings, event: Event) -> Said:
    done, limit = int(event.number("done")), int(event.number("limit"))
    return Level.INFO, f"Wall {event.text('wall')}: {done} of {limit} hits.", ""


def _wall_broken(state: GameState, settings: Settings, event: Event) -> Said:
    wide = data().numbers["walls.breach_mm"]
    where = f"{event.number('wall_x'):.0f}, {event.number('wall_y'):.0f}"
    text = f"Wall {event.text('wall')} is broken at {where}, {wide:.0f} millimetres wide."
    return Level.WARN, text, "The wall is broken."


def _shield_lost(state: GameState, settings: Settings, event: Event) -> Said:
    unit = state.unit(event.target_id or "")
    own = None if unit is None else type_of(unit)
    now = "" if own is None else f", he is {own.words} now"
    return Level.INFO, f"Shield gone: {name_of(state, event.target_id)}{now}.", ""


def _rampage(state: GameState, settings: Settings, event: Event) -> Said:
    whom = name_of(state, event.target_id)
    text = (
        f"The elephant without rider goes for the nearest: {whom}. "
        f"{side_name(event.text('roller'))} rolls {dice_words(int(event.number('a')))} for it."
    )
    return Level.ASK, text, f"The elephant goes for {whom}."


def _gun_rolled(state: GameState, settings: Settings, event: Event) -> Said:
    hit = "hits" if event.value("hit") is True else "misses"
    return Level.INFO, f"{event.dice[0]}: {name_of(state, event.figure_id)} {hit}.", ""


def _horse_fell(state: GameState, settings: Settings, event: Event) -> Said:
    return Level.INFO, "The horse falls too.", ""


FIGHT_SAYINGS: Final[dict[str, Saying[Settings]]] = {
    "aimed": _aimed,
    "fought": _fought,
    "struck_two": _struck_two,
    "killed": _killed,
    "destroyed": _destroyed,
    "fire_hit": _fire_hit,
    "artillery_hit": _artillery_hit,
    "wall_hit": _wall_hit,
    "wall_broken": _wall_broken,
    "shield_lost": _shield_lost,
    "horse_shot": plainly("The horse falls; {target} goes on on foot."),
    "rampage": _rampage,
    "went_wild": warning("{figure} has lost its rider: two dice each way, and nobody steers it."),
    "driverless": plainly("{figure} has no driver; a man may take it."),
    "gun_rolled": _gun_rolled,
    "horse_taken": plainly("{figure} takes the horse and is mounted in its place."),
    "horse_fell": _horse_fell,
    "on_foot": plainly("{figure} lives and goes on on foot."),
}
