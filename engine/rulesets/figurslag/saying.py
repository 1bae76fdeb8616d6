"""What the program says about an event (section 8), in words of its own."""

from __future__ import annotations

from typing import Final

from engine.announce import Announcement, Level, Shape
from engine.events import Event
from engine.rulesets.figurslag.asking import question_of
from engine.rulesets.figurslag.flags import flag_sentence
from engine.rulesets.figurslag.marks import STILL, Phase, living_count, name_of, side_name, word
from engine.rulesets.figurslag.settings import Settings
from engine.rulesets.figurslag.shots import bonus_shots, total_shots
from engine.rulesets.figurslag.words import cm, count, listed, small_number
from engine.rulesets.sentences import (
    Said,
    Saying,
    announced,
    place_shapes,
    plainly,
    warning,
)
from engine.spots import living
from engine.state import GameState
from engine.table import TableState


def announce(
    state: GameState, settings: Settings, table: TableState, event: Event
) -> tuple[Announcement, ...]:
    """The sentences about ``event``; ``state`` already contains it."""
    return announced(_SAYINGS, _shapes, state, settings, event)


def _shapes(state: GameState, event: Event, level: Level) -> tuple[Shape, ...]:
    """A ring where a warned model stands, a line from a moved one to its start."""
    start = "start" if event.kind in ("moved", "flagged") else ""
    return place_shapes(state, event, level, 14.0, start, f"{cm(event.number('moved_mm'))} cm")


def _game_began(state: GameState, settings: Settings, event: Event) -> Said:
    return (
        Level.INFO,
        "Figurslag. Build the terrain, tap stairs and roofs you may stand on, then say done.",
        "Figurslag. Build the terrain.",
    )


def _terrain_confirmed(state: GameState, settings: Settings, event: Event) -> Said:
    heights = event.words("heights")
    if not heights:
        return Level.INFO, "Terrain stored: an open table.", "Terrain stored."
    counted = count(len(heights), "height")
    house = ", in whole plates (house rule)" if settings.height_snap == "plates" else ""
    return (
        Level.INFO,
        f"Terrain stored. I count {counted}{house}: {'; '.join(heights)}.",
        f"Terrain stored, {counted}.",
    )


def _phase_began(state: GameState, settings: Settings, event: Event) -> Said | None:
    side = side_name(event.side)
    phase = event.text("phase")
    if phase == Phase.MOVE:
        if settings.turn_order == "player_by_player":
            return Level.INFO, f"{side}'s turn: movement.", ""
        return Level.INFO, f"{side} moves.", ""
    if phase == Phase.SHOOT:
        return _shooting_began(state, settings, event)
    return {
        Phase.ROSTER: (
            Level.INFO,
            "Tap each figure: whose is it, and what does it hold? "
            "Two with two small guns, three with one big gun.",
            "Whose figure is whose?",
        ),
        Phase.DEPLOY: (
            Level.INFO,
            "Place your models: whole base within one segment of your edge.",
            "Place your models.",
        ),
        Phase.FIRST: (Level.ASK, "Who begins? Tap a team, or roll.", "Who begins?"),
    }.get(Phase(phase))


def _shooting_began(state: GameState, settings: Settings, event: Event) -> Said:
    side = side_name(event.side)
    together = settings.turn_order != "player_by_player" and event.side == event.text("first")
    begins = f"All have moved. {side} shoots." if together else f"{side} shoots."
    still = [u for u in living(state, event.side) if word(u, "mode") == STILL and bonus_shots(u)]
    if not still:
        return Level.INFO, begins, ""
    still.sort(key=lambda unit: unit.name)
    told = "; ".join(f"{u.name} stood still: {count(total_shots(u), 'shot')}" for u in still)
    return Level.INFO, f"{begins} {told}.", begins


def _begins(state: GameState, settings: Settings, event: Event) -> Said:
    how = " by the die" if event.dice else ""
    return Level.INFO, f"{side_name(event.side)} begins{how}.", ""


def _assigned(state: GameState, settings: Settings, event: Event) -> Said | None:
    if event.side is None or state.phase not in (Phase.TERRAIN, Phase.ROSTER):
        return None
    team = [unit.equipment for unit in living(state, event.side)]
    two_small = sum(1 for held in team if sorted(held) == ["small", "small"])
    large = sum(1 for held in team if list(held) == ["large"])
    if (two_small, large, len(team)) != (2, 3, 5):
        return None
    text = (
        f"{side_name(event.side)}: {small_number(2)} with two small guns, "
        f"{small_number(3)} with one big gun. Correct."
    )
    return Level.INFO, text, f"{side_name(event.side)} is complete."


def _flagged(state: GameState, settings: Settings, event: Event) -> Said:
    text, spoken = flag_sentence(state, settings, event)
    return Level.WARN, text, spoken


def _asked(state: GameState, settings: Settings, event: Event) -> Said | None:
    question = question_of(state)
    if question is None:
        return None
    return Level.ASK, question.text, ""


def _moved(state: GameState, settings: Settings, event: Event) -> Said:
    name, mode = name_of(state, event.figure_id), event.text("mode")
    length = f"{cm(event.number('moved_mm'))} cm"
    if event.value("turned") is True:
        return Level.INFO, f"{name} turned on the spot; that is no standing still here.", ""
    if mode == STILL:
        return Level.INFO, f"{name} stands still.", ""
    extra = ""
    if event.number("climbed_mm") > 0:
        extra = f" climbing {cm(event.number('climbed_mm'))} cm"
    elif event.number("stairs_mm") > settings.step_mm:
        extra = " by the stairs"
    if event.value("may_shoot") is not True:
        return Level.INFO, f"{name}: {length}{extra}, no shooting this turn.", ""
    if event.number("moved_mm") <= settings.still_tol_mm < event.number("out_mm"):
        return Level.INFO, f"{name} went out and back: it may shoot, without an extra shot.", ""
    return Level.INFO, f"{name}: {length}{extra}, may shoot.", ""


def _placed(state: GameState, settings: Settings, event: Event) -> Said | None:
    return None


def _reported(state: GameState, settings: Settings, event: Event) -> Said:
    length = f"{cm(event.number('moved_mm'))} cm"
    return Level.INFO, f"{name_of(state, event.figure_id)} walked {length} as you say.", ""


def _noshoot(state: GameState, settings: Settings, event: Event) -> Said:
    name = name_of(state, event.figure_id)
    if event.value("on") is True:
        return Level.INFO, f"{name} gives up shooting this turn.", ""
    return Level.INFO, f"{name} may shoot after all.", ""


def _declared(state: GameState, settings: Settings, event: Event) -> Said:
    a, b = name_of(state, event.figure_id), name_of(state, event.target_id)
    return Level.INFO, f"{a} aims a shot at {b}.", ""


def _shot(state: GameState, settings: Settings, event: Event) -> Said:
    a, b = name_of(state, event.figure_id), name_of(state, event.target_id)
    die, left = event.dice[0], int(event.number("shots_left"))
    if event.value("hit") is not True:
        more = f" {_left(left)}" if left else ""
        return Level.INFO, f"{a} at {b}: {die}. Miss.{more}", "Miss."
    return (
        Level.INFO,
        f"{a} at {b}: {die}. Hit. {b} may duck: 4, 5 or 6.",
        f"Hit. {b} may duck: 4, 5 or 6.",
    )


def _left(left: int) -> str:
    return f"{count(left, 'shot')} left: another target?"


def _dodged(state: GameState, settings: Settings, event: Event) -> Said:
    name = name_of(state, event.figure_id)
    if event.value("dodged") is True:
        return Level.INFO, f"{name}: {event.dice[0]}. Ducked.", "Ducked."
    if not event.dice:
        return Level.INFO, f"{name} does not duck.", ""
    return Level.INFO, f"{name}: {event.dice[0]}. Not ducked.", "Not ducked."


def _died(state: GameState, settings: Settings, event: Event) -> Said:
    name = name_of(state, event.figure_id)
    what = "Take it away." if settings.dead_models == "removed" else "Lay it down."
    if event.rule == "FS-TURN-06":
        return Level.WARN, f"{name} falls. {what}", ""
    return Level.WARN, f"Struck: {name} is dead. {what}", ""


def _concede_answered(state: GameState, settings: Settings, event: Event) -> Said | None:
    if event.value("yes") is True:
        return None
    return Level.INFO, f"{side_name(event.side)} plays on.", ""


def _conceded(state: GameState, settings: Settings, event: Event) -> Said:
    what = (
        "its models leave the table"
        if event.value("removed") is True
        else "its models stay in the way, and nobody shoots at them"
    )
    return Level.WARN, f"{side_name(event.side)} is out; {what} (house rule).", ""


def _over(state: GameState, settings: Settings, event: Event) -> Said:
    outcome = event.text("outcome")
    if outcome == "draw":
        return Level.INFO, "A draw.", ""
    left = count(int(event.number("survivors")), "survivor")
    if event.rule == "FS-WIN-02":
        return Level.INFO, f"The turns are over. {side_name(outcome)} wins with {left}.", ""
    standing = living_count(state)
    losers = [side_name(side) for side in event.words("losers") if not standing.get(side)]
    verb = "has" if len(losers) == 1 else "have"
    return (
        Level.INFO,
        f"{listed(losers)} {verb} nobody left. {side_name(outcome)} wins with {left}.",
        f"{side_name(outcome)} wins.",
    )


_SAYINGS: Final[dict[str, Saying[Settings]]] = {
    "game_began": _game_began,
    "terrain_confirmed": _terrain_confirmed,
    "phase_began": _phase_began,
    "begins": _begins,
    "passed_over": plainly("Nobody of {side} can shoot."),
    "assigned": _assigned,
    "flagged": _flagged,
    "rose": _flagged,
    "base_missing": _flagged,
    "asked_place": _asked,
    "shot_asked": _asked,
    "conceding": _asked,
    "moved": _moved,
    "put_back": plainly("{figure} is back in its place."),
    "accepted": plainly("Agreed: {figure} stays where it is."),
    "bumped": plainly("{figure} was only bumped: it stood still."),
    "reported": _reported,
    "fell": plainly("{figure} lies down but was not shot. Stand it up, please.", level=Level.ASK),
    "stood_up": plainly("{figure} stands again."),
    "left_table": warning("{figure} left the table and is out."),
    "noshoot": _noshoot,
    "declared": _declared,
    "shot": _shot,
    "shot_wasted": plainly("{target} is down already: the shot is lost."),
    "dodged": _dodged,
    "died": _died,
    "struck": warning("Struck: {figure} still shoots this turn and falls when all have shot."),
    "shots_lost": plainly("{figure} has done its shooting."),
    "concede_answered": _concede_answered,
    "conceded": _conceded,
    "over": _over,
}
