"""What is said about horses, vehicles, ladders, things, doors and the end of a turn."""

from __future__ import annotations

from typing import Final

from engine.announce import Level
from engine.events import Event
from engine.rulesets.legowars.measures import attacks
from engine.rulesets.legowars.settings import Settings
from engine.rulesets.sentences import (
    ACCEPTED,
    PUT_BACK,
    Said,
    Saying,
    plainly,
    warning,
)
from engine.spots import name_of, side_name
from engine.state import GameState
from engine.words import listed


def _thing(event: Event) -> str:
    return event.text("thing").replace("_", " ")


def _mounted(state: GameState, settings: Settings, event: Event) -> Said:
    name, cost = name_of(state, event.figure_id), event.number("cost_cm")
    if not cost:
        return Level.INFO, f"{name} is mounted.", ""
    when = "rides on" if settings.ride_same_turn else "rides from next turn"
    return Level.INFO, f"{name} mounts: {cost:g} centimetres; {when} (house rule).", ""


def _fled(state: GameState, settings: Settings, event: Event) -> Said:
    name, moved = name_of(state, event.figure_id), event.number("moved_cm")
    return Level.INFO, f"{name} ran {moved:.0f} centimetres.", f"{name} ran."


def _climbs(state: GameState, settings: Settings, event: Event) -> Said:
    name = name_of(state, event.figure_id)
    text = f"{name} is on the ladder this turn: no attack, and any hit makes him fall."
    return Level.INFO, text, f"{name} is on the ladder."


def _climbed(state: GameState, settings: Settings, event: Event) -> Said:
    name, end = name_of(state, event.figure_id), event.text("to")
    return Level.INFO, f"{name} reaches the {end} of the ladder. Place the model there.", ""


def _fall_rolled(state: GameState, settings: Settings, event: Event) -> Said:
    name, armor = name_of(state, event.figure_id), int(event.number("armor"))
    needed = attacks.fall_armor(armor, settings)
    end = "dead" if event.value("dead") is True else "alive, at the foot, and done for this turn"
    return Level.INFO, f"{event.dice[0]} against {needed}: {name} is {end}.", ""


def _falls_open(state: GameState, settings: Settings, event: Event) -> Said:
    names = listed([name_of(state, one) for one in event.words("falls")])
    many = len(event.words("falls")) > 1
    return Level.ASK, f"{names} fall: roll for each." if many else f"{names} falls: roll.", ""


def _aim_failed(state: GameState, settings: Settings, event: Event) -> Said:
    return Level.INFO, f"No attack: {event.text('text')}.", "No attack."


def _structure_lost(state: GameState, settings: Settings, event: Event) -> Said:
    name, left = name_of(state, event.figure_id), int(event.number("left"))
    return Level.INFO, f"{name} loses structure: {left} left.", ""


def _loosed(state: GameState, settings: Settings, event: Event) -> Said:
    return Level.INFO, f"The {_thing(event)} lies there and can be picked up.", ""


def _picked_up(state: GameState, settings: Settings, event: Event) -> Said:
    name = name_of(state, event.figure_id)
    return Level.INFO, f"{name} picks up the {_thing(event)}; no attack this turn.", ""


def _dropped(state: GameState, settings: Settings, event: Event) -> Said:
    name = name_of(state, event.figure_id)
    return Level.INFO, f"{name} drops the {_thing(event)}; no attack this turn.", ""


def _door_turned(state: GameState, settings: Settings, event: Event) -> Said:
    name, is_open = name_of(state, event.figure_id), event.value("on") is True
    if event.value("cut") is True:
        return Level.INFO, "The wires are cut: the bridge is down for good.", ""
    if event.value("bridge") is True:
        verb = "lowers the bridge" if is_open else "raises the bridge"
    else:
        verb = "opens the door" if is_open else "closes the door"
    later = "; walk through next turn (house rule)" if is_open else ""
    if settings.door_step == "movement_step":
        later = ""
    return Level.INFO, f"{name} {verb}; no attack this turn{later}.", f"{name} {verb}."


def _wires_rolled(state: GameState, settings: Settings, event: Event) -> Said:
    hit = "the wires give" if event.value("hit") is True else "the wires hold"
    needed = int(event.number("number"))
    return Level.INFO, f"{event.dice[0]}, needs {needed}: {hit}.", ""


def _agreed(state: GameState, settings: Settings, event: Event) -> Said:
    name = name_of(state, event.figure_id)
    what = {
        "noted": "something no rule lists is agreed",
        "falls": "he falls",
        "out": "he is out",
        "club": "he has something that counts as a club",
    }[event.text("what")]
    return Level.INFO, f"By agreement, about {name}: {what}.", "Agreed."


def _missing(state: GameState, settings: Settings, event: Event) -> Said | None:
    if event.value("ask") is not True:
        return None
    return Level.ASK, f"I do not see {name_of(state, event.figure_id)}. Hidden or out?", ""


def _turn_ended(state: GameState, settings: Settings, event: Event) -> Said:
    men = ", ".join(_side_men(entry) for entry in event.words("men"))
    return Level.INFO, f"End of turn {event.number('turn'):.0f}. {men}.", ""


def _side_men(entry: str) -> str:
    side, _, count = entry.rpartition(" ")
    return f"{side_name(side)} {count} {'man' if count == '1' else 'men'}"


MORE: Final[dict[str, Saying[Settings]]] = {
    "accepted": ACCEPTED,
    "put_back": PUT_BACK,
    "mounted": _mounted,
    "dismounted": plainly("{figure} gets off. Place the model."),
    "steers": plainly("{figure} holds the reins of {target}: it will not run."),
    "harnessed": plainly("{figure} pulls {target} and makes no other move."),
    "frightened": warning("{figure} was attacked: it must run away on its next move."),
    "fled": _fled,
    "calmed": plainly("{figure} need not run any more."),
    "left": warning("{figure} left the table and is out."),
    "climbs": _climbs,
    "climbed": _climbed,
    "fall_rolled": _fall_rolled,
    "falls_open": _falls_open,
    "aim_failed": _aim_failed,
    "set_beside": plainly("{figure} stands beside it. Place the model."),
    "structure_lost": _structure_lost,
    "destroyed": warning("{figure} is destroyed. Take it away or scatter its pieces."),
    "doomed": warning("{figure} is hit for good, and may still strike this turn."),
    "threw": plainly("{figure}'s spear is thrown."),
    "shot_spent": plainly("{figure} has shot the only arrow of a bow."),
    "loosed": _loosed,
    "picked_up": _picked_up,
    "dropped": _dropped,
    "door_turned": _door_turned,
    "wires_rolled": _wires_rolled,
    "agreed": _agreed,
    "fell_over": plainly("{figure} lies down but was not killed. Stand it up?", level=Level.ASK),
    "missing": _missing,
    "turn_ended": _turn_ended,
    "conceding": plainly("{side} gives up after this attack."),
    "conceded": plainly("{side} is out (house rule).", level=Level.WARN),
}
"""Sayings by kind of event, besides those of moves and attacks."""
