"""What the program says about an event (section 8), in words of its own."""

from __future__ import annotations

from typing import Final

from engine.announce import Announcement, Level, Shape
from engine.events import Event
from engine.rulesets.playmobil.asking import question_of
from engine.rulesets.playmobil.data import data
from engine.rulesets.playmobil.faults import may_charge_now
from engine.rulesets.playmobil.marks import Phase, kind_of, men, own_turn, type_of
from engine.rulesets.playmobil.results import FIGHT_SAYINGS
from engine.rulesets.playmobil.settings import Settings
from engine.rulesets.playmobil.words import dice_words
from engine.rulesets.sentences import (
    FELL,
    LEFT_OUT,
    REMOVED,
    Said,
    Saying,
    announced,
    missing,
    moved_shapes,
    plainly,
    warning,
)
from engine.spots import name_of, number, other_side, side_name
from engine.state import GameState
from engine.words import BY_RULER, count, listed, small_number


def announce(state: GameState, settings: Settings, event: Event) -> tuple[Announcement, ...]:
    """The sentences about ``event``; ``state`` already contains it."""
    return announced(_SAYINGS, _shapes, state, settings, event)


def _shapes(state: GameState, event: Event, level: Level) -> tuple[Shape, ...]:
    """A ring where a warned figure stands, a line from a moved one to its start."""
    return moved_shapes(state, event, level, 20.0)


def _name(state: GameState, event: Event) -> str:
    return name_of(state, event.figure_id)


def _game_began(state: GameState, settings: Settings, event: Event) -> Said:
    return (
        Level.INFO,
        "Playmobil. Build the battlefield, tap each figure: whose is it, which type, what does it "
        "carry? Then say ready.",
        "Playmobil. Tell me your forces.",
    )


def _assigned(state: GameState, settings: Settings, event: Event) -> Said | None:
    if event.side is None or state.phase != Phase.SETUP:
        return None
    held = listed(list(event.words("equipment"))) or "no type yet"
    return Level.INFO, f"{event.text('name')}: {held}.", ""


def _typed(state: GameState, settings: Settings, event: Event) -> Said:
    own = data().types[event.text("type")]
    move = settings.feet(own.move_ft)
    dice = f"{dice_words(own.a)} to attack, {dice_words(own.d)} to defend"
    text = f"{_name(state, event)}: {own.words}, {move:.0f} millimetres, {dice}."
    return Level.INFO, text, f"{_name(state, event)}: {own.words}."


def _numbers_agreed(state: GameState, settings: Settings, event: Event) -> Said:
    hits, dice = int(event.number("hits")), int(event.number("dice"))
    more = f" and {dice_words(dice)} against fire" if dice else ""
    return Level.INFO, f"{event.text('name')}: {small_number(hits)} hits{more}, agreed.", ""


def _asked(state: GameState, settings: Settings, event: Event) -> Said | None:
    question = question_of(state)
    return None if question is None else (Level.ASK, question.text, "")


def _balance(state: GameState, settings: Settings, event: Event) -> Said:
    men, a, d = (int(event.number(key)) for key in ("men", "attack", "defend"))
    who = f"{side_name(event.side)}: {count(men, 'man', 'men')}"
    return Level.INFO, f"{who}, {a} attacking and {d} defending dice in all.", ""


def _rolled_off(state: GameState, settings: Settings, event: Event) -> Said:
    a, b = (side_name(side) for side in state.sides)
    rolled = f"{a} {event.dice[0]}, {b} {event.dice[1]}"
    if event.side is None:
        return Level.INFO, f"{rolled}: a tie. Roll again.", "A tie. Roll again."
    winner = side_name(event.side)
    loser = side_name(next(s for s in state.sides if s != event.side))
    text = f"{rolled}: {winner} picks an edge, {loser} starts."
    return Level.INFO, text, f"{winner} picks an edge."


def _edge_chosen(state: GameState, settings: Settings, event: Event) -> Said:
    other = side_name(next(s for s in state.sides if s != event.side))
    text = f"{side_name(event.side)} sets up in the {event.text('edge')}, {other} in the " \
        f"{event.text('far')}."  # fmt: skip
    return Level.INFO, text, ""


def _phase_began(state: GameState, settings: Settings, event: Event) -> Said | None:
    phase, side = event.text("phase"), side_name(event.side)
    if phase == Phase.ROLL_OFF:
        return Level.ASK, "Each player rolls one die for the edge.", ""
    if phase == Phase.DEPLOY:
        depth = settings.feet(settings.setup_depth_ft)
        return Level.ASK, f"{side} places within {depth:.0f} millimetres of the edge.", ""
    if phase == Phase.AFTER_KILL:
        return Level.ASK, "Take the horse? Otherwise it falls too.", ""
    if phase == Phase.ARTILLERY:
        return Level.ASK, "Fire one shot, then tell me what was hit.", ""
    return None


def _turn_began(state: GameState, settings: Settings, event: Event) -> Said:
    units = [u for u in state.units if u.alive and u.side == event.side and type_of(u)]
    riders = [u for u in units if may_charge_now(state, settings, u) is None]
    minutes = int(event.number("minutes"))
    clock = f" About {count(minutes, 'minute')}." if minutes else ""
    text = (
        f"{side_name(event.side)}'s turn {own_turn(state, event.side)}. "
        f"{count(len(units), 'figure')} may act, {len(riders)} may charge.{clock}"
    )
    return Level.ASK, text, f"{side_name(event.side)}'s turn."


def _moved(state: GameState, settings: Settings, event: Event) -> Said:
    moved, limit = event.number("moved_mm"), event.number("limit_mm")
    name = _name(state, event)
    text = f"{name}: {moved:.0f} of {limit:.0f} millimetres."
    if event.rule == "PM-MOVE-04":
        text = f"{name} climbs; that was its whole move."
    if event.value("charge") is True:
        whom = name_of(state, event.text("at_whom"))
        text = f"{name} charges {whom}: {moved:.0f} of {limit:.0f} millimetres."
    if event.value("close") is True:
        text = f"{text} That was close; it counts."
    return Level.INFO, text, f"{name}, {moved:.0f}."


def _flagged(state: GameState, settings: Settings, event: Event) -> Said:
    name, code = _name(state, event), event.text("code")
    moved, limit = event.number("moved_mm"), event.number("limit_mm")
    if code == "TOO_FAR":
        text = f"{name}: {moved:.0f} of {limit:.0f} millimetres. Back by {moved - limit:.0f}."
        if moved <= limit:
            text = f"{name}: more than {limit:.0f} millimetres {BY_RULER}. Put it back a little."
    elif code == "CHARGE_NO_ATTACK":
        text = f"{name}: no enemy within two inches: that was no charge. Shorten to " \
            f"{_plain(state, settings, event):.0f} millimetres."  # fmt: skip
    elif code == "CHARGE_TOO_SOON":
        unit = state.unit(event.figure_id or "")
        last = int(number(unit, "last_charge")) if unit is not None else 0
        again = last + data().whole("charge.every_turns")
        text = f"{name} charged in turn {last}; again from turn {again}. Put it back."
    elif code == "MOVED_AFTER_ATTACK":
        text = f"{name} attacked already and may not move: put it back."
    elif code == "DEPLOY_ZONE":
        out = moved - limit
        text = f"{name} sticks out of the strip by {out:.0f} millimetres." if out > 0.0 else (
            f"{name} stands over the edge of the table.")  # fmt: skip
    elif code in ("MOVED", "NOT_YOUR_TURN"):
        was = f"{event.number('was_x'):.0f}, {event.number('was_y'):.0f}"
        place = f" Its place is {was}." if event.value("was_x") is not None else ""
        turn = ", but it is the other side's turn" if code == "NOT_YOUR_TURN" else (
            " without a right to")  # fmt: skip
        text = f"{name} moved {moved:.0f} millimetres{turn}.{place}"
    else:
        told = data().flags[code].text.format(figure=name, target=name_of(state, event.target_id))
        text = f"{told} Put it back."
    return Level.WARN, text, text.split(". ")[0].rstrip(".") + "."


def _plain(state: GameState, settings: Settings, event: Event) -> float:
    unit = state.unit(event.figure_id or "")
    own = None if unit is None else type_of(unit)
    return 0.0 if own is None else settings.feet(own.move_ft)


def _waits(state: GameState, settings: Settings, event: Event) -> Said:
    name, what = _name(state, event), event.text("what")
    if what == "torch":
        text = f"{name} holds his torch to {name_of(state, event.target_id)}. If he is there " \
            "next turn it burns."  # fmt: skip
    elif what == "mount":
        text = f"{name} waits at {name_of(state, event.target_id)}. If nobody attacks him he is " \
            "mounted next turn."  # fmt: skip
    else:
        text = f"{name} waits. If nobody attacks him he is on foot next turn."
    return Level.INFO, text, f"{name} waits."


def _wait_broken(state: GameState, settings: Settings, event: Event) -> Said:
    if event.rule == "PM-DIS-06":
        return Level.INFO, f"{_name(state, event)} was attacked and must start again.", ""
    return Level.INFO, f"{_name(state, event)} waits no longer.", ""


def _dismounted(state: GameState, settings: Settings, event: Event) -> Said:
    unit = state.unit(event.figure_id or "")
    own = None if unit is None else type_of(unit)
    if own is None:
        return Level.INFO, f"{_name(state, event)} is on foot.", ""
    text = f"{_name(state, event)} is on foot: {own.words}, {settings.feet(own.move_ft):.0f} " \
        f"millimetres, {dice_words(own.a)} and {dice_words(own.d)}."  # fmt: skip
    return Level.INFO, text, ""


def _mounted(state: GameState, settings: Settings, event: Event) -> Said:
    unit = state.unit(event.target_id or "")
    name, what = _name(state, event), name_of(state, event.target_id)
    if unit is not None and kind_of(unit) == "chariot":
        return Level.INFO, f"{name} has {what}: it is {side_name(event.side)}'s now.", ""
    return Level.INFO, f"{name} is mounted.", ""


def _over(state: GameState, settings: Settings, event: Event) -> Said:
    outcome = event.text("outcome")
    if outcome == "draw":
        return Level.INFO, "Nobody is left: a draw.", ""
    if event.rule == "PM-GENL-04":
        text = f"The general has fallen. {side_name(outcome)} wins."
    elif any(men(state, loser := other_side(state, outcome))):
        text = f"{side_name(loser)} gives up. {side_name(outcome)} wins."
    else:
        text = f"Only {side_name(outcome)} has men left. {side_name(outcome)} wins."
    return Level.INFO, text, f"{side_name(outcome)} wins."


_SAYINGS: Final[dict[str, Saying[Settings]]] = {
    "game_began": _game_began,
    "assigned": _assigned,
    "typed": _typed,
    "numbers_agreed": _numbers_agreed,
    "numbers_asked": _asked,
    "aim_asked": _asked,
    "asked_place": _asked,
    "balance": _balance,
    "rolled_off": _rolled_off,
    "edge_chosen": _edge_chosen,
    "phase_began": _phase_began,
    "turn_began": _turn_began,
    "moved": _moved,
    "flagged": _flagged,
    "turn_flagged": warning("Please turn {figure} towards where his victim stood."),
    "waits": _waits,
    "wait_broken": _wait_broken,
    "dismounted": _dismounted,
    "mounted": _mounted,
    "fell": FELL,
    "missing": missing,
    "charge_declared": plainly("{figure} charges {target}: move it."),
    "called_off": plainly("{figure} does not charge."),
    "stepped": plainly("{figure} steps up."),
    "double_named": plainly("{figure} strikes at {target} and whom else?"),
    "accepted": plainly("Accepted: {figure} stays there."),
    "put_back": plainly("{figure} is back in its place."),
    "left_out": LEFT_OUT,
    "removed": REMOVED,
    "over": _over,
    **FIGHT_SAYINGS,
}
