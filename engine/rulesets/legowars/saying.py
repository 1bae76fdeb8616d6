"""What the program says about an event (section 8), in words of its own."""

from __future__ import annotations

from typing import Final

from engine.announce import Announcement, Level, Shape
from engine.events import Event
from engine.rulesets.legowars.asking import question_of
from engine.rulesets.legowars.data import data
from engine.rulesets.legowars.flags import flag_sentence
from engine.rulesets.legowars.marks import MAN, Phase, armor_of, held, kind_of
from engine.rulesets.legowars.sayings import MORE
from engine.rulesets.legowars.settings import Settings
from engine.rulesets.legowars.words import (
    damage_words,
    need_words,
    number_words,
    percent,
    thing_words,
)
from engine.rulesets.sentences import (
    Said,
    Saying,
    announced,
    place_shapes,
    warning,
)
from engine.spots import name_of, side_name
from engine.state import GameState
from engine.words import listed


def announce(state: GameState, settings: Settings, event: Event) -> tuple[Announcement, ...]:
    """The sentences about ``event``; ``state`` already contains it."""
    return announced(_SAYINGS, _shapes, state, settings, event)


def _shapes(state: GameState, event: Event, level: Level) -> tuple[Shape, ...]:
    """A ring where a warned model stands, a line from a moved one to its start."""
    if event.figure_id is None:
        return ()
    far = f"{event.number('moved_cm'):.1f} cm"
    return place_shapes(state, event, level, 14.0, "start", far)


def _game_began(state: GameState, settings: Settings, event: Event) -> Said:
    bare = settings.unarmed_damage
    return (
        Level.INFO,
        f"Playing {data().title}. Men walk {settings.man_movement_cm} centimetres, bare hands add "
        f"{bare}. Tap each figure: whose is it, and what?",
        f"Playing {data().title}.",
    )


def _assigned(state: GameState, settings: Settings, event: Event) -> Said | None:
    if event.side is None:
        return None
    held_words = listed([thing_words(one) for one in event.words("equipment")]) or "nothing yet"
    return Level.INFO, f"{event.text('name')}: {held_words}.", ""


def _gear(state: GameState, settings: Settings, event: Event) -> Said | None:
    unit = state.unit(event.figure_id or "")
    if unit is None:
        return None
    told = f"{unit.name}: armor {armor_of(unit, settings)}"
    if kind_of(unit) != MAN:
        return Level.INFO, f"{told}.", ""
    hands = held(unit, settings)
    full = {0: "empty hands", 1: "one hand full", 2: "both hands full"}.get(hands)
    if full is None:
        text = f"{unit.name}: {hands} things in two hands. Which one stays behind?"
        return Level.WARN, text, ""
    return Level.INFO, f"{told}, {full}.", ""


def _list_flagged(state: GameState, settings: Settings, event: Event) -> Said:
    code = event.text("code")
    text = data().flags[code].text.format(figure=name_of(state, event.figure_id), target="")
    if code == "LW-FLAG-25":
        text = f"{side_name(event.side)}: {event.number('points'):.0f} points. {text}"
    return Level.WARN, text, ""


def _list_told(state: GameState, settings: Settings, event: Event) -> Said:
    limit = "" if settings.army_points is None else f" of {settings.army_points}"
    return (
        Level.INFO,
        f"{side_name(event.side)}: {event.number('points'):.0f}{limit} points.",
        "",
    )


def _heights_stored(state: GameState, settings: Settings, event: Event) -> Said:
    count = int(event.number("count"))
    whole = " (house rule: whole plates)" if settings.height_snap == "plates" else ""
    return Level.INFO, f"I count {count} heights. All heights stored{whole}.", "Heights stored."


def _ram_told(state: GameState, settings: Settings, event: Event) -> Said | None:
    if settings.ram_vs_building_number != "as_written":
        return None
    return Level.WARN, "Note: a ram hits a wall only on a 10.", ""


def _asked(state: GameState, settings: Settings, event: Event) -> Said | None:
    question = question_of(state)
    return None if question is None else (Level.ASK, question.text, "")


def _phase_began(state: GameState, settings: Settings, event: Event) -> Said | None:
    side, phase = side_name(event.side), event.text("phase")
    if phase == Phase.BUY:
        return Level.ASK, "What does everybody wear and hold? Say ready when the lists stand.", ""
    if phase == Phase.DEPLOY:
        doors = int(event.number("doors"))
        gate = f" {doors} doors: open or closed?" if doors else ""
        return Level.ASK, f"Place the models.{gate} Say start when they stand right.", ""
    if phase == Phase.INIT:
        turn = int(event.number("turn"))
        return Level.ASK, f"Turn {turn}. Each side: roll a ten-sided die.", ""
    if phase == Phase.MOVE:
        return Level.ASK, f"{side} moves.", ""
    if phase == Phase.ATTACK:
        return Level.ASK, f"{side} attacks.", ""
    return None


def _rolled(state: GameState, settings: Settings, event: Event) -> Said:
    sides = event.words("sides")
    told = ", ".join(
        f"{side_name(side)} {face}" for side, face in zip(sides, event.dice, strict=True)
    )
    if event.value("tied") is not True:
        return Level.INFO, f"{told}.", ""
    shared = [place for place in event.words("places") if "+" in place]
    names = listed([side_name(side) for side in shared[0].split("+")])
    again = "all roll again" if settings.initiative_tie == "reroll_all" else "those again"
    return Level.ASK, f"{told}. A tie between {names}: {again}.", f"A tie between {names}."


def _ordered(state: GameState, settings: Settings, event: Event) -> Said:
    first = side_name(event.side)
    rest = listed([side_name(side) for side in event.words("order")[1:]])
    return Level.INFO, f"{first} goes first, then {rest}.", f"{first} goes first."


def _flagged(state: GameState, settings: Settings, event: Event) -> Said:
    text = flag_sentence(state, event)
    return Level.WARN, text, text.split(". ")[0].rstrip(".") + "."


def _moved(state: GameState, settings: Settings, event: Event) -> Said:
    name = name_of(state, event.figure_id)
    moved, limit = event.number("moved_cm"), event.number("limit_cm")
    return (
        Level.INFO,
        f"{name} moved {moved:.1f} of {limit:g} centimetres: fine.",
        f"{name}: {moved:.1f}.",
    )


def _aimed(state: GameState, settings: Settings, event: Event) -> Said:
    who, whom = name_of(state, event.figure_id), name_of(state, event.target_id)
    needed = int(event.number("number"))
    mode = event.text("mode")
    band = f"{mode} range" if mode != "melee" else "in reach"
    cm = event.number("length_cm")
    cover = " In cover." if event.value("cover") is True else ""
    useless = " Dead already: it changes nothing." if event.value("dead") is True else ""
    text = (
        f"{who} at {whom}: {cm:.1f} centimetres, {band}.{cover}{useless} "
        f"Needs {number_words(event.words('why'), needed)}. "
        f"Chance to hit {percent(event.number('p_hit'))}, to do harm "
        f"{percent(event.number('p_kill'))}."
    )
    return Level.ASK, text, f"Needs {needed}: {need_words(needed)}."


def _hit_rolled(state: GameState, settings: Settings, event: Event) -> Said:
    face, hit = event.dice[0], event.value("hit") is True
    if event.value("natural") is True:
        text = "A 10: always a hit." if hit else "A 1: always a miss."
    else:
        text = f"{face}: a {'hit' if hit else 'miss'}."
    if hit and event.value("falls") is not True:
        return Level.ASK, f"{text} Damage: {damage_words(state, settings)}", f"{text} Damage."
    return Level.INFO, text, ""


def _damage_rolled(state: GameState, settings: Settings, event: Event) -> Said:
    face, damage = event.dice[0], int(event.number("damage"))
    name, armor = name_of(state, event.target_id), int(event.number("armor"))
    total = f"{face}" if not damage else f"{face} {damage:+d} is {face + damage}"
    came = event.text("result")
    if came == "nothing":
        return Level.INFO, f"{total} against {armor}: {name} shrugs it off.", f"{name} is fine."
    if came == "dead":
        return Level.INFO, f"{total} against {armor}: enough.", "Enough."
    return Level.INFO, f"{total} against {armor}: damage.", "Damage."


def _broke(state: GameState, settings: Settings, event: Event) -> Said:
    name, thing = name_of(state, event.figure_id), thing_words(event.text("thing"))
    return Level.WARN, f"Natural 1: {name}'s {thing} breaks. Take it off.", f"The {thing} breaks."


def _over(state: GameState, settings: Settings, event: Event) -> Said:
    outcome, turn = event.text("outcome"), int(event.number("turn"))
    if outcome == "draw":
        return Level.INFO, "Nobody is left. A draw.", "A draw."
    side = side_name(outcome)
    return Level.INFO, f"Only {side} is left. {side} wins in turn {turn}.", f"{side} wins."


_SAYINGS: Final[dict[str, Saying[Settings]]] = {
    **MORE,
    "game_began": _game_began,
    "assigned": _assigned,
    "gear": _gear,
    "list_flagged": _list_flagged,
    "list_told": _list_told,
    "lists_asked": _asked,
    "height_asked": _asked,
    "heights_stored": _heights_stored,
    "ram_told": _ram_told,
    "phase_began": _phase_began,
    "rolled": _rolled,
    "ordered": _ordered,
    "flagged": _flagged,
    "body_moved": _flagged,
    "asked_place": _asked,
    "aim_asked": _asked,
    "moved": _moved,
    "aimed": _aimed,
    "hit_rolled": _hit_rolled,
    "damage_rolled": _damage_rolled,
    "killed": warning("{figure} is dead. Please lay the model down.", "{figure} is dead."),
    "broke": _broke,
    "over": _over,
}
