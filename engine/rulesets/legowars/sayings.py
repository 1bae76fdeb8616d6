"""What is said about horses, vehicles, ladders, things, doors and the end of a turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from engine.announce import Level
from engine.events import Event
from engine.rulesets.legowars.measures import attacks
from engine.rulesets.legowars.settings import Settings
from engine.spots import name_of, side_name
from engine.state import GameState
from engine.words import listed

Said: TypeAlias = tuple[Level, str, str]
"""Level, text for the eye, text for the ear (empty: the same)."""
Saying = Callable[[GameState, Settings, Event], Said | None]


def _thing(event: Event) -> str:
    return event.text("thing").replace("_", " ")


def _accepted(state: GameState, settings: Settings, event: Event) -> Said:
    return Level.INFO, f"Accepted: {name_of(state, event.figure_id)} stays there.", "Accepted."


def _put_back(state: GameState, settings: Settings, event: Event) -> Said:
    return Level.INFO, f"{name_of(state, event.figure_id)} is back in its place.", "Thank you."


def _mounted(state: GameState, settings: Settings, event: Event) -> Said:
    name, cost = name_of(state, event.figure_id), event.number("cost_cm")
    if not cost:
        return Level.INFO, f"{name} is mounted.", ""
    when = "rides on" if settings.ride_same_turn else "rides from next turn"
    return Level.INFO, f"{name} mounts: {cost:g} centimetres; {when} (house rule).", ""


def _dismounted(state: GameState, settings: Settings, event: Event) -> Said:
    return Level.INFO, f"{name_of(state, event.figure_id)} gets off. Place the model.", ""


def _steers(state: GameState, settings: Settings, event: Event) -> Said:
    name, horse = name_of(state, event.figure_id), name_of(state, event.target_id)
    return Level.INFO, f"{name} holds the reins of {horse}: it will not run.", ""


def _harnessed(state: GameState, settings: Settings, event: Event) -> Said:
    name, cart = name_of(state, event.figure_id), name_of(state, event.target_id)
    return Level.INFO, f"{name} pulls {cart} and makes no other move.", ""


def _frightened(state: GameState, settings: Settings, event: Event) -> Said:
    name = name_of(state, event.figure_id)
    return Level.WARN, f"{name} was attacked: it must run away on its next move.", ""


def _fled(state: GameState, settings: Settings, event: Event) -> Said:
    name, moved = name_of(state, event.figure_id), event.number("moved_cm")
    return Level.INFO, f"{name} ran {moved:.0f} centimetres.", f"{name} ran."


def _calmed(state: GameState, settings: Settings, event: Event) -> Said:
    return Level.INFO, f"{name_of(state, event.figure_id)} need not run any more.", ""


def _left(state: GameState, settings: Settings, event: Event) -> Said:
    return Level.WARN, f"{name_of(state, event.figure_id)} left the table and is out.", ""


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


def _set_beside(state: GameState, settings: Settings, event: Event) -> Said:
    return Level.INFO, f"{name_of(state, event.figure_id)} stands beside it. Place the model.", ""


def _structure_lost(state: GameState, settings: Settings, event: Event) -> Said:
    name, left = name_of(state, event.figure_id), int(event.number("left"))
    return Level.INFO, f"{name} loses structure: {left} left.", ""


def _destroyed(state: GameState, settings: Settings, event: Event) -> Said:
    name = name_of(state, event.figure_id)
    return Level.WARN, f"{name} is destroyed. Take it away or scatter its pieces.", ""


def _doomed(state: GameState, settings: Settings, event: Event) -> Said:
    name = name_of(state, event.figure_id)
    return Level.WARN, f"{name} is hit for good, and may still strike this turn.", ""


def _threw(state: GameState, settings: Settings, event: Event) -> Said:
    return Level.INFO, f"{name_of(state, event.figure_id)}'s spear is thrown.", ""


def _shot_spent(state: GameState, settings: Settings, event: Event) -> Said:
    return Level.INFO, f"{name_of(state, event.figure_id)} has shot the only arrow of a bow.", ""


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


def _fell_over(state: GameState, settings: Settings, event: Event) -> Said:
    name = name_of(state, event.figure_id)
    return Level.ASK, f"{name} lies down but was not killed. Stand it up?", ""


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


def _conceding(state: GameState, settings: Settings, event: Event) -> Said:
    return Level.INFO, f"{side_name(event.side)} gives up after this attack.", ""


def _conceded(state: GameState, settings: Settings, event: Event) -> Said:
    return Level.WARN, f"{side_name(event.side)} is out (house rule).", ""


MORE: Final[dict[str, Saying]] = {
    "accepted": _accepted,
    "put_back": _put_back,
    "mounted": _mounted,
    "dismounted": _dismounted,
    "steers": _steers,
    "harnessed": _harnessed,
    "frightened": _frightened,
    "fled": _fled,
    "calmed": _calmed,
    "left": _left,
    "climbs": _climbs,
    "climbed": _climbed,
    "fall_rolled": _fall_rolled,
    "falls_open": _falls_open,
    "aim_failed": _aim_failed,
    "set_beside": _set_beside,
    "structure_lost": _structure_lost,
    "destroyed": _destroyed,
    "doomed": _doomed,
    "threw": _threw,
    "shot_spent": _shot_spent,
    "loosed": _loosed,
    "picked_up": _picked_up,
    "dropped": _dropped,
    "door_turned": _door_turned,
    "wires_rolled": _wires_rolled,
    "agreed": _agreed,
    "fell_over": _fell_over,
    "missing": _missing,
    "turn_ended": _turn_ended,
    "conceding": _conceding,
    "conceded": _conceded,
}
"""Sayings by kind of event, besides those of moves and attacks."""
