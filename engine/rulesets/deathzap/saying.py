"""What the program says about an event (section 8), in words of its own."""

from __future__ import annotations

from typing import Final

from engine.announce import Announcement, Level, Shape
from engine.events import Event
from engine.rulesets.deathzap.asking import question_of
from engine.rulesets.deathzap.data import data
from engine.rulesets.deathzap.flags import flag_sentence
from engine.rulesets.deathzap.marks import Phase, alive_count, killed_count
from engine.rulesets.deathzap.settings import Settings
from engine.rulesets.deathzap.words import (
    band_words,
    count_words,
    dice_words,
    mod_words,
    need_words,
    percent,
    ratio_words,
    roll_words,
)
from engine.rulesets.sentences import (
    ACCEPTED,
    FELL,
    LEFT_OUT,
    PUT_BACK,
    REMOVED,
    Said,
    Saying,
    announced,
    missing,
    moved_shapes,
    plainly,
    warning,
)
from engine.spots import name_of, other_side, side_name, text_mark
from engine.state import GameState
from engine.words import count, listed


def announce(state: GameState, settings: Settings, event: Event) -> tuple[Announcement, ...]:
    """The sentences about ``event``; ``state`` already contains it."""
    return announced(_SAYINGS, _shapes, state, settings, event)


def _shapes(state: GameState, event: Event, level: Level) -> tuple[Shape, ...]:
    """A ring where a warned fighter stands, a line from a moved one to its start."""
    return moved_shapes(state, event, level, 14.0)


def _game_began(state: GameState, settings: Settings, event: Event) -> Said:
    return (
        Level.INFO,
        "Deathzap. Build the board with the Shrine in the middle, tap each figure: whose fighter, "
        "which class, how much Might? Then say ready.",
        "Deathzap. Tell me your warbands.",
    )


def _warband_flagged(state: GameState, settings: Settings, event: Event) -> Said:
    facts = {key: int(event.number(key)) for key in ("fighters", "points", "basic", "needed")}
    told = band_words(event.side or "", facts)
    flag = data().flags[event.text("code")].text
    return Level.WARN, f"{told} {flag}", flag


def _warband_legal(state: GameState, settings: Settings, event: Event) -> Said:
    facts = {key: int(event.number(key)) for key in ("fighters", "points", "basic", "needed")}
    return Level.INFO, band_words(event.side or "", facts), ""


def _shrine_told(state: GameState, settings: Settings, event: Event) -> Said:
    name = event.text("terrain_id")
    if not name:
        return Level.WARN, "I see no Shrine in the middle of the board.", "No Shrine."
    effect = "is only decoration" if settings.shrine == "none" else "is terrain like any other"
    return Level.INFO, f"{name} is the Shrine; it {effect}.", f"{name} is the Shrine."


def _multi_chosen(state: GameState, settings: Settings, event: Event) -> Said:
    words = {
        "last_attack": "After two attacks the last one decides.",
        "any_survivor": "After two attacks a target that is still alive acts next.",
        "any_kill": "After two attacks one kill is enough to stay active.",
    }
    return Level.INFO, words[event.text("value")], ""


def _rolled_off(state: GameState, settings: Settings, event: Event) -> Said:
    a, b = (side_name(side) for side in state.sides)
    rolled = f"{a} {event.dice[0]}, {b} {event.dice[1]}"
    if event.side is None:
        return Level.INFO, f"{rolled}: a tie. Roll again.", "A tie. Roll again."
    winner, loser = side_name(event.side), side_name(other_side(state, event.side))
    return (
        Level.INFO,
        f"{rolled}: {winner} picks an edge and sets up. {loser} sets up second and acts first.",
        f"{winner} picks an edge.",
    )


def _edge_chosen(state: GameState, settings: Settings, event: Event) -> Said:
    loser = side_name(other_side(state, event.side))
    return (
        Level.INFO,
        f"{side_name(event.side)} sets up in the {event.text('edge')}, "
        f"{loser} in the {event.text('far')}.",
        "",
    )


def _phase_began(state: GameState, settings: Settings, event: Event) -> Said | None:
    side = side_name(event.side)
    phase = event.text("phase")
    if phase == Phase.ROLL_OFF:
        return Level.ASK, "Each player rolls one die for the edge.", ""
    if phase == Phase.DEPLOY_SECOND:
        return Level.INFO, f"{side} places within the strip along the opposite edge.", ""
    if phase == Phase.PICK:
        if event.rule == "DZ-CHAIN-03":
            but = name_of(state, event.text("not_again"))
            text = f"Kill: {side} stays active. Pick another fighter, not {but}."
            return Level.ASK, text, f"{side}, pick another fighter."
        if event.rule == "DZ-CHAIN-04":
            return Level.ASK, f"Kill: {side} stays active with the only fighter left.", ""
        if event.rule == "DZ-CHAIN-05":
            return Level.ASK, f"No attack: {side} is active. Activate any fighter.", ""
        return Level.ASK, f"{side}: activate any fighter.", ""
    if phase == Phase.MORALE:
        other = other_side(state, event.side)
        dead, left = killed_count(state, other), alive_count(state, other)
        return (
            Level.ASK,
            f"{dead} killed, {left} left. {side} rolls times {dead}, "
            f"{side_name(other)} rolls times {left}.",
            "",
        )
    if phase == Phase.OFFER_DRAW:
        return _asked(state, settings, event)
    return None


def _activated(state: GameState, settings: Settings, event: Event) -> Said:
    name = name_of(state, event.figure_id)
    actions = count_words(int(event.number("actions")), "action")
    stun = "Stunned: o" if event.value("stunned") is True else ""
    told = f"{stun}{actions[1:]}" if stun else actions
    if event.value("forced") is True:
        return Level.INFO, f"No kill: {name} was attacked and acts now. {told}.", f"{name} acts."
    return Level.INFO, f"{name} acts. {told}.", f"{name} acts."


def _intent(state: GameState, settings: Settings, event: Event) -> Said:
    name = name_of(state, event.figure_id)
    if event.text("what") == "charge":
        return Level.ASK, f"{name} charges {name_of(state, event.target_id)}: move it.", "Charge!"
    return Level.ASK, f"{name} moves: put it where it goes.", ""


def _flagged(state: GameState, settings: Settings, event: Event) -> Said:
    text = flag_sentence(state, event)
    return Level.WARN, text, text.split(". ")[0].rstrip(".") + "."


def _asked(state: GameState, settings: Settings, event: Event) -> Said | None:
    question = question_of(state)
    return None if question is None else (Level.ASK, question.text, "")


def _moved(state: GameState, settings: Settings, event: Event) -> Said:
    name = name_of(state, event.figure_id)
    moved, limit = event.number("moved_mm"), event.number("limit_mm")
    text = f"{name}: {moved:.0f} of {limit:.0f} millimetres."
    if event.value("close") is True:
        text = f"{text} That was close; it counts."
    if event.rule == "DZ-CHG-03":
        short = event.number("short_mm")
        failed = f"{short:.0f} millimetres short of contact: counts as a move."
        return Level.INFO, f"{text} {failed}", failed
    return Level.INFO, text, f"{name}, {moved:.0f}."


def _target_open(state: GameState, settings: Settings, event: Event) -> Said:
    names = listed([name_of(state, one) for one in event.words("contacts")])
    if event.value("plain") is True:
        return Level.ASK, f"In contact with {names}: was that a charge?", ""
    return Level.ASK, f"In contact with {names}: whom does it strike?", ""


def _aimed(state: GameState, settings: Settings, event: Event) -> Said:
    a, t = int(event.number("a")), int(event.number("t"))
    need, mod = int(event.number("need")), int(event.number("mod"))
    parts = []
    who, whom = name_of(state, event.figure_id), name_of(state, event.target_id)
    if event.text("kind") == "melee":
        parts.append(f"{who} strikes {whom}.")
    else:
        parts.append(f"{who} at {whom}: {event.number('length_mm'):.0f} millimetres.")
        if event.value("close") is True:
            parts.append("That was close; it counts.")
    why = [ratio_words(a, t)]
    why += ["partly hidden"] if event.value("hidden") is True else []
    why += ["defending"] if event.value("defending") is True else []
    why += [mod_words(mod)] if mod else []
    better = event.value("always") is True and need - mod > min(_sure_faces())
    sure = "; fours and up hit anyway" if better else ""
    parts.append(f"Might {a} against {t}: {', '.join(why)}, {need_words(need)}{sure}.")
    parts.append(f"{dice_words(int(event.number('dice'))).capitalize()}.")
    kill, wound = event.number("p_kill"), event.number("p_wound")
    parts.append(f"Chance to kill about {percent(kill)}, at least a wound {round(100 * wound)}.")
    return Level.ASK, " ".join(parts), roll_words(state)


def _sure_faces() -> tuple[int, ...]:
    """Faces with which a Sniper's shot always hits."""
    return next(c.always_hits_on for c in data().classes.values() if c.always_hits_on)


def _attacked(state: GameState, settings: Settings, event: Event) -> Said:
    name = name_of(state, event.target_id)
    hits = int(event.number("hits"))
    rolled = " ".join(str(face) for face in event.dice)
    told = count_words(hits, "hit")
    came = event.text("result")
    if came == "none":
        result = "No hit."
    elif came == "stunned":
        result = f"{told}: {name} is stunned."
    elif came == "wounded":
        result = f"{told}: {name} is wounded."
    elif event.value("second") is True:
        result = f"Second wound: {name} dies."
    else:
        result = f"{told}: {name} is killed."
    return Level.INFO, f"{rolled}. {result}", result


def _morale(state: GameState, settings: Settings, event: Event) -> Said:
    killer, other = int(event.number("killer")), int(event.number("other"))
    side, enemy = side_name(event.side), side_name(other_side(state, event.side))
    if event.value("broken") is True:
        return Level.INFO, f"{killer} against {other}: {enemy}'s force breaks. {side} wins.", ""
    return Level.INFO, f"{killer} against {other}: they hold.", ""


def _draw_refused(state: GameState, settings: Settings, event: Event) -> Said:
    return (
        Level.INFO,
        f"No draw; the next {count(settings.stalemate, 'activation')} count anew.",
        "",
    )


def _over(state: GameState, settings: Settings, event: Event) -> Said:
    outcome = event.text("outcome")
    if outcome == "draw":
        return Level.INFO, "A draw.", ""
    why = {
        "DZ-MORALE-06": f"{side_name(other_side(state, outcome))} has nobody left. ",
        "DZ-END-02": f"{side_name(other_side(state, outcome))} gives up. ",
    }.get(event.rule or "", "")
    return Level.INFO, f"{why}{side_name(outcome)} wins.", f"{side_name(outcome)} wins."


def _assigned(state: GameState, settings: Settings, event: Event) -> Said | None:
    if event.side is None or text_mark(state, "fighter"):
        return None
    held = listed(list(event.words("equipment"))) or "no class yet"
    return Level.INFO, f"{event.text('name')}: {held}.", ""


def _might_set(state: GameState, settings: Settings, event: Event) -> Said:
    return Level.INFO, f"{name_of(state, event.figure_id)}: Might {event.number('might'):.0f}.", ""


_SAYINGS: Final[dict[str, Saying[Settings]]] = {
    "game_began": _game_began,
    "assigned": _assigned,
    "might_set": _might_set,
    "warband_flagged": _warband_flagged,
    "warband_legal": _warband_legal,
    "shrine_told": _shrine_told,
    "options_shown": _asked,
    "multi_chosen": _multi_chosen,
    "rolled_off": _rolled_off,
    "edge_chosen": _edge_chosen,
    "phase_began": _phase_began,
    "activated": _activated,
    "intent": _intent,
    "flagged": _flagged,
    "asked_place": _asked,
    "aim_asked": _asked,
    "moved": _moved,
    "target_open": _target_open,
    "aimed": _aimed,
    "attacked": _attacked,
    "killed": warning("{figure} is out. Take it away.", "Take it away."),
    "morale": _morale,
    "defended": plainly("{figure} defends: minus one on every die."),
    "boosted": plainly("{figure} boosts: one more die for its attack.", "{figure} boosts."),
    "fell": FELL,
    "missing": missing,
    "accepted": ACCEPTED,
    "put_back": PUT_BACK,
    "left_out": LEFT_OUT,
    "removed": REMOVED,
    "draw_refused": _draw_refused,
    "over": _over,
}
