"""What the program says about an event (section 8), in words of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.announce import Announcement, Level, Shape
from engine.events import Event
from engine.rulesets.follow_me.asking import question_of
from engine.rulesets.follow_me.data import data
from engine.rulesets.follow_me.field import KINDS
from engine.rulesets.follow_me.marks import Phase, group_name, sides_in_play
from engine.rulesets.follow_me.measures.scales import allowance
from engine.rulesets.follow_me.sayings import FIGHT_SAYINGS, Said, Saying
from engine.rulesets.follow_me.settings import settings_of
from engine.rulesets.follow_me.words import MORALE, deed_words, spell_words
from engine.spots import name_of, number, side_name
from engine.state import GameState
from engine.words import BY_RULER, listed


def announce(state: GameState, event: Event) -> tuple[Announcement, ...]:
    """The sentences about ``event``; ``state`` already contains it."""
    saying = _SAYINGS.get(event.kind)
    said = None if saying is None else saying(state, event)
    if said is None:
        return ()
    level, text, spoken = said
    shapes = _shapes(state, event, level)
    return (Announcement(0, level, text, spoken or text, event.rule, shapes),)


def _shapes(state: GameState, event: Event, level: Level) -> tuple[Shape, ...]:
    """A ring where a figure stands or belongs, a line from a moved one to its start."""
    if event.kind == "fog":
        radius = settings_of(state).inches(data().spells["fog"].across_in) / 2.0
        at = (event.number("fog_x"), event.number("fog_y"))
        return (Shape("circle", (at,), radius, "blocked", "fog"),)
    if event.value("x_mm") is None:
        return ()
    here = (event.number("x_mm"), event.number("y_mm"))
    role = "path" if level is Level.INFO else "warning"
    role = "target" if event.kind in ("set_at", "raised") else role
    shapes = [Shape("circle", (here,), 20.0, role, name_of(state, event.figure_id))]
    unit = state.unit(event.figure_id or "")
    prefix = "a" if event.kind == "moved" else "at"
    if unit is not None and unit.mark(f"{prefix}_x") is not None:
        start = (number(unit, f"{prefix}_x"), number(unit, f"{prefix}_y"))
        if start != here:
            far = f"{event.number('moved_mm'):.0f} mm"
            shapes.append(Shape("line", (start, here), role=role, text=far))
    return tuple(shapes)


def _name(state: GameState, event: Event) -> str:
    return name_of(state, event.figure_id)


def _game_began(state: GameState, event: Event) -> Said:
    text = (
        "Follow Me, Men! Lay out the land, tap each figure: whose is it, what is it, who leads "
        "it? Then say that everybody is ready."
    )
    return Level.INFO, text, "Follow me, men. Tell me your heroes."


def _assigned(state: GameState, event: Event) -> Said | None:
    if event.side is None or state.phase != Phase.SETUP:
        return None
    return Level.INFO, f"{event.text('name')} is on the side of {side_name(event.side)}.", ""


def _typed(state: GameState, event: Event) -> Said:
    return Level.INFO, f"{_name(state, event)}: {data().types[event.text('type')].words}.", ""


def _labelled(state: GameState, event: Event) -> Said | None:
    kind = event.text("what")
    if kind not in KINDS:
        return None
    return Level.INFO, f"A piece of terrain is a {kind.replace('_', ' ')}.", ""


def _factor(state: GameState, event: Event) -> Said:
    options = settings_of(state)
    walk, ride = (allowance(data().types[name], (), options) for name in _PACES)
    table = "LEGO table" if options.contact_mm < 8.0 else "Playmobil table"
    text = (
        f"{table}: one rule inch is {options.inches(1.0):.1f} millimetres. A soldier walks "
        f"{walk:.0f}, a horse {ride:.0f}."
    )
    sides = listed([side_name(side) for side in sides_in_play(state)])
    return Level.INFO, f"{text} {sides} play.", f"A soldier walks {walk:.0f} millimetres."


_PACES: Final = ("light_soldier", "horseman")


def _odd_size(state: GameState, event: Event) -> Said:
    text = f"{_name(state, event)} leads {int(event.number('size'))} figures. The rules suggest " \
        "6 to 20. Keep it?"  # fmt: skip
    return Level.WARN, text, ""


def _far_out(state: GameState, event: Event) -> Said:
    text = (
        f"{_name(state, event)} stands {event.number('reach_mm'):.0f} millimetres from its own "
        f"edge, {event.number('limit_mm'):.0f} are usual. Confirm, or put it back."
    )
    return Level.WARN, text, f"{_name(state, event)} stands far out."


def _asked(state: GameState, event: Event) -> Said | None:
    question = question_of(state)
    return None if question is None else (Level.ASK, question.text, "")


def _turn_began(state: GameState, event: Event) -> Said | None:
    return None


def _phase_began(state: GameState, event: Event) -> Said | None:
    phase = event.text("phase")
    if phase == Phase.DECLARE:
        text = f"Turn {state.turn}. All heroes choose an action in secret."
        return Level.ASK, text, ""
    texts = {
        Phase.MOVE.value: "Everybody moves.",
        Phase.SHOOT_TARGETS.value: "",
        Phase.SHOOT_CASUALTIES.value: "Lay the fallen down.",
        Phase.DUELS.value: "",
        Phase.MELEE_RESULTS.value: "",
    }
    text = texts.get(phase, "")
    return (Level.ASK, text, "") if text else None


def _declared(state: GameState, event: Event) -> Said:
    return Level.INFO, f"{_name(state, event)} has chosen.", ""


def _revealed(state: GameState, event: Event) -> Said:
    name, deed = _name(state, event), event.text("deed")
    words = deed_words(state, deed, event.text("on"))
    if deed == "follow":
        heard, of = int(event.number("heard")), int(event.number("of"))
        text = f"{name}: Follow me. {heard} of {of} men heard it"
        text += f"; {of - heard} are too far away." if heard < of else "."
        return Level.INFO, text, f"{name}: follow me. {heard} of {of}."
    return Level.INFO, f"{name}: {words}.", ""


def _no_deed(state: GameState, event: Event) -> Said:
    return Level.INFO, f"{_name(state, event)} does nothing this turn.", ""


def _words_heard(state: GameState, event: Event) -> Said:
    hero, group = _name(state, event), group_name(state, event.target_id or "")
    told = {
        "speech": f"{hero}'s speech reaches {group}: plus 2.",
        "insulted": f"{hero} insults {group}: minus 1 for them.",
        "cheered": f"{hero}'s insults cheer his own men: plus 2.",
    }
    return Level.INFO, told[event.text("what")], ""


def _forced(state: GameState, event: Event) -> Said:
    group = group_name(state, event.figure_id or "")
    what = MORALE[event.text("what")]
    return Level.WARN, f"{group} is {what}: move it now.", ""


def _instructed(state: GameState, event: Event) -> Said:
    first = int(event.number("first")) - state.turn
    when = f"in {first} turns" if first > 1 else "next turn" if first else "at once"
    return Level.INFO, f"{_name(state, event)} will obey {when}.", ""


def _pending(state: GameState, event: Event) -> Said:
    return Level.INFO, f"{_name(state, event)} will obey in {int(event.number('turns'))} turns.", ""


def _began(state: GameState, event: Event) -> Said:
    if event.text("what") == "attack":
        text = f"{_name(state, event)} now goes for {group_name(state, event.text('on'))}."
    else:
        text = f"{_name(state, event)} now follows."
    return Level.INFO, text, ""


def _follow_rolled(state: GameState, event: Event) -> Said:
    name, face = _name(state, event), int(event.number("face"))
    if event.value("stops") is True:
        return Level.INFO, f"{name} rolls {face}: it has had enough and stops.", ""
    return Level.INFO, f"{name} rolls {face}: it follows on.", ""


def _moved(state: GameState, event: Event) -> Said:
    moved, limit = event.number("moved_mm"), event.number("limit_mm")
    name = _name(state, event)
    text = f"{name}: {moved:.0f} of {limit:.0f} millimetres."
    if event.rule == "FM-OBS-03":
        text = f"{name} is across."
    if event.value("close") is True:
        text = f"{name}: {moved:.0f} of {limit:.0f}. Close, I let it stand."
    return Level.INFO, text, f"{name}, {moved:.0f}."


def _flagged(state: GameState, event: Event) -> Said:
    name, code = _name(state, event), event.text("code")
    moved, limit = event.number("moved_mm"), event.number("limit_mm")
    other = name_of(state, event.text("target"))
    if code == "TOO_FAR":
        text = f"{name} went {moved:.0f} of {limit:.0f} millimetres. Put it back by " \
            f"{moved - limit:.0f}."  # fmt: skip
        if moved <= limit:
            text = (
                f"{name} went more than {limit:.0f} millimetres {BY_RULER}. Put it back a little."
            )
    elif code == "LANDED_ON_FIGURE":
        text = f"{name} may fly over {other}, not land on it: move it."
    elif code == "OVERLAP" and event.value("meet_x") is not None:
        at = f"{event.number('meet_x'):.0f}, {event.number('meet_y'):.0f}"
        text = f"{name} and {other} walk at each other: {name} meets it at {at}."
    elif code == "MOVED":
        was = f"{event.number('was_x'):.0f}, {event.number('was_y'):.0f}"
        place = f" Its place is {was}." if event.value("was_x") is not None else ""
        text = f"{name} moved {moved:.0f} millimetres when nobody moves.{place}"
    else:
        text = f"{data().flags[code].text.format(figure=name, target=other)} Put it back."
    return Level.WARN, text, text.split(". ")[0].rstrip(".") + "."


def _at_wall(state: GameState, event: Event) -> Said | None:
    if not event.text("wall"):
        return None
    text = f"{_name(state, event)} is at the wall: no move next turn, then across."
    return Level.INFO, text, ""


def _lagged(state: GameState, event: Event) -> Said:
    short = f"{event.number('short_mm'):.0f} millimetres"
    text = f"{_name(state, event)} could have gone {short} more."
    return Level.INFO, text, ""


def _sallies(state: GameState, event: Event) -> Said:
    name, other = _name(state, event), name_of(state, event.target_id)
    gap, limit = event.number("gap_mm"), event.number("limit_mm")
    text = f"{other} ends {gap:.0f} of {limit:.0f} millimetres from {name}'s place: {name} goes " \
        "for it now."  # fmt: skip
    return Level.ASK, text, f"{name} goes for {other}."


def _plainly(words: str, level: Level = Level.INFO) -> Saying:
    """A saying that only needs the names of a figure and its target."""

    def say(state: GameState, event: Event) -> Said:
        text = words.format(
            figure=_name(state, event), target=name_of(state, event.target_id),
            side=side_name(event.side), group=group_name(state, event.figure_id or ""),
            spell=spell_words(event.text("spell")),
        )  # fmt: skip
        return level, text[0].upper() + text[1:], ""

    return say


def _missing(state: GameState, event: Event) -> Said | None:
    if event.value("ask") is not True:
        return None
    return Level.ASK, f"I do not see {_name(state, event)}. Removed, hidden or carried?", ""


def _over(state: GameState, event: Event) -> Said:
    outcome = event.text("outcome")
    if outcome == "draw":
        return Level.INFO, "Nobody has won: a draw.", ""
    return Level.INFO, f"{side_name(outcome)} wins.", ""


_SAYINGS: Final[dict[str, Callable[[GameState, Event], Said | None]]] = {
    "game_began": _game_began,
    "assigned": _assigned,
    "typed": _typed,
    "labelled": _labelled,
    "factor_settled": _factor,
    "odd_size": _odd_size,
    "far_out": _far_out,
    "asked_mine": _asked,
    "asked_place": _asked,
    "aim_asked": _asked,
    "surprise_asked": _asked,
    "end_proposed": _asked,
    "phase_began": _phase_began,
    "declared": _declared,
    "revealed": _revealed,
    "no_deed": _no_deed,
    "words_heard": _words_heard,
    "forced": _forced,
    "instructed": _instructed,
    "pending": _pending,
    "began": _began,
    "follow_rolled": _follow_rolled,
    "moved": _moved,
    "flagged": _flagged,
    "at_wall": _at_wall,
    "lagged": _lagged,
    "sallies": _sallies,
    "missing": _missing,
    "over": _over,
    "goes_home": _plainly("{figure} goes back to its place.", Level.ASK),
    "talked": _plainly("{figure} and {target} talk."),
    "note_arrived": _plainly("A note has come for {target}; reading it costs an action."),
    "note_lost": _plainly("The note {figure} carried is lost."),
    "adopted": _plainly("{figure} has a new leader."),
    "order_ended": _plainly("{figure}'s order to attack is done."),
    "idle": _plainly("{figure} stands and waits."),
    "accepted": _plainly("Accepted: {figure} stays there."),
    "put_back": _plainly("{figure} is back in its place."),
    "put": _plainly("{figure} is in its place."),
    "left_out": _plainly("{figure} does not play."),
    "back_in": _plainly("{figure} plays after all."),
    "removed": _plainly("{figure} is out of the game by agreement."),
    "left": _plainly("{figure} runs off the table.", Level.WARN),
    "fell": _plainly("{figure} is lying. Killed or knocked over?", Level.ASK),
    "conceded": _plainly("{side} gives up."),
    **FIGHT_SAYINGS,
}
