"""The turn: order of play, steps of the sides, turn end, giving up and the winner (LW-TURN)."""

from __future__ import annotations

from engine.actions import Action
from engine.dice import Dice
from engine.errors import Refused
from engine.events import Event, results
from engine.rulesets.legowars.data import data
from engine.rulesets.legowars.field import ladder_called
from engine.rulesets.legowars.marks import (
    HORSE,
    IN_PLAY,
    ROLLING,
    UNDER_WAY,
    Phase,
    armor_of,
    climbing,
    conceded,
    counts,
    in_game,
    is_set,
    kind_of,
    living,
    moving_sides,
    must_flee,
    order_of,
    whole_things,
    words_mark,
)
from engine.rulesets.legowars.measures import turns
from engine.rulesets.legowars.settings import Settings
from engine.spots import flagged, side_name, text_mark, word
from engine.state import GameState, Unit
from engine.table import TableState
from engine.tale import Tale
from engine.words import listed


def begin_turn(tale: Tale) -> None:
    """A new turn from step 1 (LW-TURN-01, LW-TURN-10)."""
    tale.begin(Phase.INIT, None, "LW-TURN-01", turn=tale.state.turn + 1)


def rollers(state: GameState) -> tuple[str, ...]:
    """Sides that roll now: all, or the first that share a place (LW-TURN-02)."""
    if state.phase == Phase.INIT:
        return in_game(state)
    if state.phase != Phase.INIT_TIE:
        return ()
    if dict(state.options)["initiative_tie"] == "reroll_all":
        return in_game(state)
    for place in words_mark(state, "places"):
        sides = tuple(place.split("+"))
        if len(sides) > 1:
            return sides
    return in_game(state)


def initiative(tale: Tale, settings: Settings, action: Action, dice: Dice) -> None:
    """Every side that rolls throws one die (LW-TURN-01, LW-TURN-02).

    Raises:
        Refused: It is no time for it, or the dice are not one a side.
    """
    state = tale.state
    if state.phase not in ROLLING:
        raise Refused("the order of this turn is settled", "LW-TURN-01")
    sides = rollers(state)
    if action.dice and len(action.dice) != len(sides):
        raise Refused(f"one die a side: {listed([side_name(s) for s in sides])}", "LW-TURN-01")
    faces = dice.roll(len(sides), data().dice_sides)
    rolled = turns.order(dict(zip(sides, faces, strict=True)))
    places = ["+".join(place) for place in rolled]
    if state.phase == Phase.INIT_TIE and settings.initiative_tie == "reroll_tied":
        places = _settle(words_mark(state, "places"), sides, places)
    if settings.initiative_tie == "previous_order":
        before = order_of(state) or state.sides
        places = [side for place in places for side in sorted(place.split("+"), key=before.index)]
    tied = any("+" in place for place in places)
    tale.tell(
        Event(
            "rolled",
            "LW-TURN-02" if tied else "LW-TURN-01",
            dice=faces,
            values=results(sides=sides, places=tuple(places), tied=tied),
        )
    )
    if tied:
        tale.begin(Phase.INIT_TIE, None, "LW-TURN-02")
        return
    settle_order(tale, settings, tuple(places))


def _settle(old: tuple[str, ...], sides: tuple[str, ...], new: list[str]) -> list[str]:
    shared = next((i for i, place in enumerate(old) if set(place.split("+")) == set(sides)), None)
    if shared is None:
        return new
    return [*old[:shared], *new, *old[shared + 1 :]]


def settle_order(tale: Tale, settings: Settings, order: tuple[str, ...]) -> None:
    """The order of this turn is known; the first side moves (LW-TURN-03)."""
    tale.tell(Event("ordered", "LW-TURN-01", order[0], values=results(order=order)))
    begin_moves(tale, settings, order[0])


def begin_moves(tale: Tale, settings: Settings, side: str) -> None:
    """A side's step 2 begins; its climbers may arrive only now (LW-LADD-10)."""
    tale.begin(Phase.MOVE, side, "LW-TURN-03")


def arrive(tale: Tale, settings: Settings, table: TableState, when: str) -> None:
    """Climbers reach the other end of their ladders (LW-LADD-10, LW-AMB-26)."""
    late = settings.ladder_arrival != "turn_end"
    sides = moving_sides(tale.state) if when == "move" else tale.state.sides
    if late != (when == "move"):
        return
    for unit in list(living(tale.state)):
        if not climbing(unit) or unit.side not in sides:
            continue
        ladder = ladder_called(tale.state, table, settings, word(unit, "ladder"))
        if ladder is None:  # it was taken away: he falls where he hangs
            tale.about("set_beside", "LW-LADD-12", unit)
            continue
        to = "top" if word(unit, "ladder_from") == "foot" else "foot"
        whole = settings.ladder_arrival == "uses_next_move"
        tale.at("climbed", "LW-LADD-10", unit, ladder.end(to), to=to, whole_move=whole)


def done(tale: Tale, settings: Settings, table: TableState, action: Action) -> None:
    """A side has finished its step; the next one follows (LW-TURN-03 to LW-TURN-05).

    Raises:
        Refused: It is another side's step, or something is left to do.
    """
    state = tale.state
    if state.phase not in (Phase.MOVE, Phase.ATTACK) or state.active_side is None:
        raise Refused("no side is at work", "LW-TURN-03")
    sides = moving_sides(state) or (state.active_side,)
    if action.side is not None and action.side not in sides:
        raise Refused(f"it is {side_name(state.active_side)}'s step", "LW-TURN-05")
    wrong = [u for u in living(state) if flagged(u) and u.side in sides]
    if wrong:
        names = listed([unit.name for unit in wrong])
        raise Refused(f"first put right or accept {names}", word(wrong[0], "open_rule"))
    if state.phase == Phase.MOVE:
        waiting = [u for u in living(state, None, HORSE) if u.side in sides and must_flee(u)]
        if waiting:
            raise Refused(f"{waiting[0].name} must run from its attacker first", "LW-FLAG-18")
    after_step(tale, settings, table)


def after_step(tale: Tale, settings: Settings, table: TableState) -> None:
    """On to the next side, the attacks, or the end of the turn."""
    state = tale.state
    playing = in_game(state)
    order = order_of(state)
    at = order.index(state.active_side) if state.active_side in order else -1
    rest = [side for side in order[at + 1 :] if side in playing]
    if state.phase == Phase.MOVE:
        if settings.extra_sides_move == "merged_with_side_2" and at >= 1:
            rest = []
        if rest:
            begin_moves(tale, settings, rest[0])
            arrive(tale, settings, table, "move")
            return
        first = next((side for side in order if side in playing), None)
        if first is not None:
            tale.begin(Phase.ATTACK, first, "LW-TURN-05")
        return
    if rest:
        tale.begin(Phase.ATTACK, rest[0], "LW-TURN-05")
        return
    end_turn(tale, settings, table)


def end_turn(tale: Tale, settings: Settings, table: TableState) -> None:
    """Climbs end, what counts for one turn is cleared, the doomed fall (LW-TURN-12)."""
    men = counts(tale.state)
    arrive(tale, settings, table, "turn_end")
    for unit in list(living(tale.state)):
        if is_set(unit, "doomed"):  # LW-AMB-22: all attacks of a turn count as one moment
            tale.about("killed", "LW-TURN-09", unit, late=True)
    for unit in list(tale.state.units):
        tale.about("rested", "LW-TURN-12", unit)
    told = tuple(f"{side} {men[side]}" for side in tale.state.sides)
    tale.tell(Event("turn_ended", "LW-TURN-10", values=results(turn=tale.state.turn, men=told)))
    if not over_if_won(tale):
        begin_turn(tale)


def over_if_won(tale: Tale) -> bool:
    """Whether the game is over; it ends when one side is left (LW-WIN-01 to LW-WIN-03)."""
    state = tale.state
    if state.phase == Phase.GAME_OVER:
        return True
    won = turns.winner(counts(state), conceded(state))
    if won is None:
        return False
    rule = "LW-WIN-03" if won == "draw" else "LW-WIN-01"
    tale.tell(Event("over", rule, values=results(outcome=won, turn=state.turn)))
    return True


def concede(tale: Tale, settings: Settings, table: TableState, side: str | None) -> None:
    """A side gives up; an attack under way is finished first (LW-WIN-04).

    Raises:
        Refused: There is no such side in the game, or it is no time for it.
    """
    state = tale.state
    if state.phase not in IN_PLAY:
        raise Refused("nobody can give up now", "LW-WIN-04")
    if side is None or side not in in_game(state):
        raise Refused("which side gives up?", "LW-WIN-04")
    if state.phase in UNDER_WAY:
        tale.tell(Event("conceding", "LW-WIN-04", side))
        return
    out(tale, settings, table, side)


def out(tale: Tale, settings: Settings, table: TableState, side: str) -> None:
    """A side is out (LW-WIN-04)."""
    at_work = tale.state.active_side == side
    tale.tell(Event("conceded", "LW-WIN-04", side))
    if over_if_won(tale):
        return
    state = tale.state
    if state.phase in (Phase.MOVE, Phase.ATTACK) and at_work:
        after_step(tale, settings, table)
    elif state.phase == Phase.INIT_TIE:
        places = words_mark(state, "places")
        if places and not any("+" in place for place in places):
            settle_order(tale, settings, places)


def end_attack(tale: Tale, settings: Settings, table: TableState) -> None:
    """ATK_END: on with the step, or the game is over; who gave up meanwhile is out."""
    tale.tell(Event("attack_ended", "LW-TURN-11", tale.state.active_side))
    settle_leaving(tale, settings, table)


def settle_leaving(tale: Tale, settings: Settings, table: TableState) -> None:
    """The game may be over, and a side that gave up during an attack is out now."""
    if over_if_won(tale):
        return
    leaving = text_mark(tale.state, "leaving")
    if leaving:
        out(tale, settings, table, leaving)


def kill(tale: Tale, settings: Settings, unit: Unit, rule: str, by: Unit | None = None) -> None:
    """Somebody is dead, now or with all others when the turn ends (LW-TURN-09)."""
    at = None if by is None else by.figure_id
    if settings.attack_resolution == "simultaneous" and tale.state.phase != Phase.MOVE:
        tale.tell(Event("doomed", "LW-TURN-09", unit.side, unit.figure_id, at))
        return
    tale.tell(Event("killed", rule, unit.side, unit.figure_id, at))


def stats_line(unit: Unit, settings: Settings) -> str:
    """Armor and gear of a unit, for the status shown (LW-STAT-01, LW-STAT-07)."""
    things = listed([thing.replace("_", " ") for thing in whole_things(unit)]) or "nothing"
    structure = unit.mark("structure")
    if isinstance(structure, int) and kind_of(unit) not in ("man", HORSE):
        return f"{unit.name}: armor {armor_of(unit, settings)}, structure {structure}."
    return f"{unit.name}: armor {armor_of(unit, settings)}, {things}."
