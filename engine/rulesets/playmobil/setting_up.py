"""SETUP, ROLL_OFF, CHOOSE_EDGE and DEPLOY: everything before the first turn."""

from __future__ import annotations

from collections.abc import Iterator

from engine.actions import Action
from engine.dice import Dice
from engine.errors import Refused
from engine.events import Event, Value, results
from engine.roster import state_mark
from engine.rulesets.judging import OPPOSITE, check_all_seen, check_edge, check_put_right
from engine.rulesets.playmobil.data import data
from engine.rulesets.playmobil.engines import hits_agreed
from engine.rulesets.playmobil.equipping import balance, expect, fill_crew
from engine.rulesets.playmobil.marks import (
    Phase,
    aboard,
    count,
    crew_of,
    game_count,
    kind_of,
    men,
    type_of,
)
from engine.rulesets.playmobil.measures.reckoning import wall_hits
from engine.rulesets.playmobil.settings import Settings
from engine.rulesets.playmobil.turns import begin_turn, end_if_beaten
from engine.rulesets.playmobil.watching import open_flags, watch_deployment
from engine.spots import living, other_side, side_name, spot, text_mark, word
from engine.state import GameState, Unit
from engine.table import TableState
from engine.tale import Tale
from engine.words import listed

WALLS = {
    "wood": ("wood", False),
    "wood_slanted": ("wood", True),
    "stone": ("stone", False),
    "stone_slanted": ("stone", True),
}


def to_agree(
    state: GameState, settings: Settings, table: TableState
) -> Iterator[tuple[str, str, int, int]]:
    """Engines and walls whose numbers are not agreed: id, name, hits, dice (PM-PREP-09)."""
    siege = False
    for unit in living(state):
        own = type_of(unit)
        if own is None or own.kind != "engine":
            continue
        siege = siege or own.name in ("artillery", "battering_ram")
        if own.name == "artillery" and not settings.siege_artillery_is_engine:
            continue
        if not count(unit, "hits_agreed"):
            dice = settings.siege_artillery_d if own.name == "artillery" else 0
            yield unit.figure_id, unit.name, hits_agreed(unit, settings), dice
    for piece in table.terrain if siege else ():
        name = piece.terrain_id
        if piece.kind == "wall" and not game_count(state, f"wall_hits_{name}"):
            material = "stone" if not piece.lego else "wood"
            yield f"wall:{name}", f"Wall {name}", wall_hits(material, slanted=False), 0


def choose_wall(tale: Tale, table: TableState, action: Action) -> None:
    """What a wall is made of proposes its hits (PM-WALL-02, PM-WALL-04).

    Raises:
        Refused: There is no such wall or material.
    """
    expect(tale.state, Phase.SETUP)
    name, _, material = (action.value or "").partition(":")
    if material not in WALLS or all(p.terrain_id != name for p in table.terrain):
        raise Refused("which wall, and of what?", "PM-WALL-02")
    what, slanted = WALLS[material]
    hits = wall_hits(what, slanted=slanted)
    tale.tell(Event("wall_agreed", "PM-WALL-03", values=results(
        wall=name, hits=hits, **{f"game.wall_hits_{name}": hits})))  # fmt: skip


def answer_numbers(tale: Tale, settings: Settings, table: TableState, value: str) -> None:
    """The players agree on a proposed number or change it (PM-PREP-09, PM-SIEGE-13)."""
    state = tale.state
    what = text_mark(state, "agree")
    hits, dice = game_count(state, "agree_hits"), game_count(state, "agree_dice")
    if value != "yes":
        hits += (value == "more") - (value == "fewer")
        dice += (value == "dice") - (value == "fewer_dice")
        _ask_numbers(tale, (what, text_mark(state, "agree_name"), hits, dice))
        return
    done: dict[str, Value] = {"game.agree": "", "hits": hits, "dice": dice,
                              "name": text_mark(state, "agree_name")}  # fmt: skip
    unit = state.unit(what)
    if unit is not None:
        tale.note("numbers_agreed", "PM-PREP-09", unit, {
            **done, "unit.hits_agreed": hits, "unit.dice_agreed": dice or None})  # fmt: skip
    else:
        wall = what.removeprefix("wall:")
        values = results(**{**done, f"game.wall_hits_{wall}": hits})
        tale.tell(Event("numbers_agreed", "PM-WALL-03", values=values))
    ready(tale, settings, table)


def _ask_numbers(tale: Tale, asked: tuple[str, str, int, int]) -> None:
    what, name, hits, dice = asked
    values: dict[str, Value] = {
        "game.agree": what,
        "game.agree_name": name,
        "game.agree_hits": hits,
        "game.agree_dice": dice,
    }
    tale.tell(Event("numbers_asked", "PM-PREP-09", values=results(**values)))


def ready(tale: Tale, settings: Settings, table: TableState) -> None:
    """The players are ready: with their forces, or with placing them.

    Raises:
        Refused: It is no time for it, a side has no men, a type is missing or a place in doubt.
    """
    if tale.state.phase == Phase.SETUP:
        _forces_ready(tale, settings, table)
    elif tale.state.phase == Phase.DEPLOY:
        _placing_ready(tale, settings, table)
    else:
        raise Refused("nothing waits for you to be ready", "PM-PREP-07")


def _forces_ready(tale: Tale, settings: Settings, table: TableState) -> None:
    state = tale.state
    nameless = [unit.name for unit in living(state) if type_of(unit) is None]
    if nameless:
        raise Refused(f"first say what {listed(nameless)} is", "PM-PREP-08")
    for side in state.sides:
        if not any(men(state, side)):
            raise Refused(f"{side_name(side)} has no men yet: tap a figure", "PM-PREP-08")
    for unit in list(living(state)):
        if kind_of(unit) in ("elephant", "chariot") and not crew_of(state, unit):
            fill_crew(tale, unit, 1)
    asked = next(to_agree(tale.state, settings, table), None)
    if asked is not None:
        _ask_numbers(tale, asked)
        return
    for side in state.sides:
        tale.tell(Event("balance", "PM-PREP-02", side, values=results(**balance(state, side))))
    tale.begin(Phase.ROLL_OFF, None, "PM-PREP-04")


def roll_off(tale: Tale, action: Action, dice: Dice) -> None:
    """Each player rolls one die, ties again; the higher wins (PM-PREP-04).

    Raises:
        Refused: It is no time for it, or the dice are not two.
    """
    expect(tale.state, Phase.ROLL_OFF)
    if action.dice and len(action.dice) != len(tale.state.sides):
        raise Refused("each player rolls one die", "PM-PREP-04")
    faces = dice.roll(len(tale.state.sides), data().whole("dice.sides"))
    if faces[0] == faces[1]:
        tale.tell(Event("rolled_off", "PM-PREP-04", None, dice=faces))
        return
    winner = tale.state.sides[0 if faces[0] > faces[1] else 1]
    loser = other_side(tale.state, winner)  # PM-TURN-01
    tale.tell(Event("rolled_off", "PM-PREP-04", winner, dice=faces,
                    values=results(**{"game.first": loser, "game.winner": winner})))  # fmt: skip
    tale.begin(Phase.CHOOSE_EDGE, winner, "PM-PREP-05")


def choose_edge(tale: Tale, settings: Settings, table: TableState, action: Action) -> None:
    """The winner takes an edge, the other one the opposite (PM-PREP-05, PM-PREP-06).

    Raises:
        Refused: It is no time for it, or no such edge.
    """
    expect(tale.state, Phase.CHOOSE_EDGE)
    side = tale.state.active_side or ""
    edge = check_edge(action, side, "PM-PREP-05")
    far = OPPOSITE[edge]
    tale.tell(Event("edge_chosen", "PM-PREP-05", side, values=results(**{
        "edge": edge, "far": far, f"game.edge_{side}": edge,
        f"game.edge_{other_side(tale.state, side)}": far,
    })))  # fmt: skip
    tale.begin(Phase.DEPLOY, side, "PM-PREP-07")
    watch_deployment(tale, settings, table)


def leave_out(tale: Tale, action: Action) -> None:
    """The players agree that a figure that is not placed does not play.

    Raises:
        Refused: It is placed, or not of the side that places.
    """
    unit = tale.state.unit(action.figure_id or "")
    if unit is None or unit not in unplaced(tale.state):
        raise Refused("only a figure not placed is left out", "PM-PREP-07")
    for man in crew_of(tale.state, unit):
        tale.tell(Event("left_out", "PM-PREP-07", man.side, man.figure_id))
    tale.tell(Event("left_out", "PM-PREP-07", unit.side, unit.figure_id))
    end_if_beaten(tale)


def unplaced(state: GameState) -> list[Unit]:
    """Units of the side that places that are not on the table."""
    if state.phase != Phase.DEPLOY:
        return []
    return [
        u for u in living(state, state.active_side)
        if spot(u) is None and not word(u, "open") and not aboard(u)
    ]  # fmt: skip


def _placing_ready(tale: Tale, settings: Settings, table: TableState) -> None:
    side = tale.state.active_side or ""
    watch_deployment(tale, settings, table)
    wrong = open_flags(tale, side)
    if wrong and tale.events:
        return
    check_put_right(wrong)
    if tale.state.question is not None:
        return
    missing = [unit.name for unit in unplaced(tale.state)]
    check_all_seen(missing, "PM-PREP-07")
    if side == state_mark(tale.state, "winner"):
        tale.begin(Phase.DEPLOY, other_side(tale.state, side), "PM-PREP-06")
        watch_deployment(tale, settings, table)
        return
    begin_turn(tale, settings, table, text_mark(tale.state, "first"), "PM-TURN-01")
