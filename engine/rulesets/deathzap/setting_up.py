"""SETUP, ROLL_OFF and deployment: everything before the first activation."""

from __future__ import annotations

from engine.actions import Action
from engine.common import assigned
from engine.dice import Dice
from engine.errors import Refused
from engine.events import Event, results
from engine.roster import next_name, state_mark
from engine.rulesets.deathzap.asking import MULTI_KEY
from engine.rulesets.deathzap.data import data
from engine.rulesets.deathzap.field import edge_of, shrine_of
from engine.rulesets.deathzap.flow import end_if_beaten
from engine.rulesets.deathzap.marks import DEPLOYING, Phase, class_of, might
from engine.rulesets.deathzap.measures import bands
from engine.rulesets.deathzap.settings import Settings
from engine.rulesets.deathzap.watching import open_flags, watch_deployment
from engine.rulesets.judging import (
    OPPOSITE,
    check_all_seen,
    check_edge,
    check_joins,
    check_put_right,
)
from engine.spots import living, other_side, side_name, spot, text_mark, word
from engine.state import GameState, Unit
from engine.table import TableState
from engine.tale import Tale

FAULT_CODES = {
    "points": "WARBAND_POINTS",
    "count": "WARBAND_COUNT",
    "basic": "WARBAND_BASIC",
    "rare": "WARBAND_RARE",
    "might": "WARBAND_MIGHT",
}


def join(tale: Tale, table: TableState, action: Action) -> None:
    """A figure becomes a fighter of a side (DZ-WB-01).

    Raises:
        Refused: There is no such figure or side, or it belongs to one already.
    """
    _expect(tale.state, Phase.SETUP, "DZ-WB-13")
    figure_id, side = action.figure_id or "", action.value or ""
    check_joins(tale.state, table, figure_id, side, ("DZ-WB-01", "DZ-WB-01", "DZ-GEN-05"))
    tale.tell(assigned(figure_id, side, next_name(tale.state, side), ()))


def choose_class(tale: Tale, action: Action) -> None:
    """A fighter gets its class (DZ-WB-02 to DZ-WB-04).

    Raises:
        Refused: There is no such class or fighter.
    """
    unit = _recruit(tale.state, action)
    if action.value not in data().classes:
        raise Refused(f"a class is one of {', '.join(data().classes)}", "DZ-WB-02")
    tale.tell(assigned(unit.figure_id, unit.side, unit.name, (action.value or "",)))


def choose_might(tale: Tale, action: Action) -> None:
    """A fighter gets its Might (DZ-WB-12).

    Raises:
        Refused: It is no whole number from 1 on.
    """
    unit = _recruit(tale.state, action)
    number = action.numbers[0] if len(action.numbers) == 1 else 0.0
    most = dict(tale.state.options)["dz.points.standard"]
    if not float(number).is_integer() or number < data().might_min:
        raise Refused(f"Might is a whole number from {data().might_min} on", "DZ-WB-12")
    if isinstance(most, int | float) and number > most:
        raise Refused(f"no fighter costs more than {most:.0f} points", "DZ-WB-06")
    tale.about("might_set", "DZ-WB-12", unit, might=int(number))


def choose_shrine(tale: Tale, table: TableState, action: Action) -> None:
    """One piece of terrain is the Shrine (DZ-BOARD-02).

    Raises:
        Refused: There is no such piece.
    """
    _expect(tale.state, Phase.SETUP, "DZ-BOARD-02")
    names = {piece.terrain_id for piece in table.terrain}
    if action.value not in names:
        raise Refused("the Shrine is one of the pieces on the table", "DZ-BOARD-02")
    values = results(terrain_id=action.value)
    tale.tell(Event("shrine_chosen", "DZ-BOARD-02", values=values))


def choose_multi(tale: Tale, value: str) -> None:
    """The players say what two attacks mean (DZ-CHAIN-07, DZ-GEN-09); then the roll-off."""
    values = results(key=MULTI_KEY, value=value)
    tale.tell(Event("multi_chosen", "DZ-CHAIN-07", values=values))
    tale.begin(Phase.ROLL_OFF, None, "DZ-DEP-01")


def fighters_of(state: GameState, side: str) -> list[tuple[str, int]]:
    """Class and Might of every fighter of a side that has a class."""
    return [
        (kind.name, might(unit))
        for unit in living(state, side)
        if (kind := class_of(unit)) is not None
    ]


def faults_of(state: GameState, settings: Settings, side: str) -> list[str]:
    """Codes of what is wrong with a warband (DZ-WB-13: looked at before play only)."""
    if any(class_of(unit) is None for unit in living(state, side)):
        return [FAULT_CODES["might"]]
    found = bands.faults(fighters_of(state, side), settings)
    return [FAULT_CODES[name] for name in found]


def band_facts(state: GameState, side: str) -> dict[str, int]:
    """Fighters, points, and basic fighters there are and are needed."""
    fighters = fighters_of(state, side)
    tiers = [data().classes[name].tier for name, _ in fighters]
    return {
        "fighters": sum(1 for _ in living(state, side)),
        "points": sum(worth for _, worth in fighters),
        "basic": tiers.count(bands.BASIC),
        "needed": bands.basic_needed(len(fighters)),
    }


def ready(tale: Tale, settings: Settings, table: TableState) -> None:
    """The players are ready: with their warbands, or with placing their fighters.

    Raises:
        Refused: It is no time for it, a side has no fighters, or a place is in doubt.
    """
    phase = tale.state.phase
    if phase == Phase.SETUP:
        _warbands_ready(tale, settings, table)
    elif phase in DEPLOYING:
        _placing_ready(tale, settings, table)
    else:
        raise Refused("nothing waits for you to be ready", "DZ-DEP-05")


def _warbands_ready(tale: Tale, settings: Settings, table: TableState) -> None:
    state = tale.state
    for side in state.sides:
        if not any(living(state, side)):
            raise Refused(f"{side_name(side)} has no fighters yet: tap a figure", "DZ-WB-01")
    wrong = False
    for side in state.sides:
        facts = band_facts(state, side)
        for code in faults_of(state, settings, side):
            wrong = True
            rule = data().flags[code].rule
            values = results(code=code, **facts)
            tale.tell(Event("warband_flagged", rule, side, values=values))
        if not wrong:
            tale.tell(Event("warband_legal", "DZ-WB-13", side, values=results(**facts)))
    if wrong:
        return
    shrine = shrine_of(state, table, settings) or ""
    tale.tell(Event("shrine_told", "DZ-BOARD-02", values=results(terrain_id=shrine)))
    if settings.setup_show == MULTI_KEY and state_mark(state, "shown") is not True:
        tale.tell(Event("options_shown", "DZ-GEN-09"))
        return
    tale.begin(Phase.ROLL_OFF, None, "DZ-DEP-01")


def roll_off(tale: Tale, action: Action, dice: Dice) -> None:
    """Both roll; the higher chooses an edge, a tie is rolled again (DZ-DEP-01, DZ-DEP-03).

    Raises:
        Refused: It is no time for it, or the dice are not two.
    """
    _expect(tale.state, Phase.ROLL_OFF, "DZ-DEP-01")
    if action.dice and len(action.dice) != len(tale.state.sides):
        raise Refused("each player rolls one die", "DZ-DEP-01")
    faces = dice.roll(len(tale.state.sides), data().dice_sides)
    if faces[0] == faces[1]:
        tale.tell(Event("rolled_off", "DZ-DEP-03", None, dice=faces))
        return
    winner = tale.state.sides[0 if faces[0] > faces[1] else 1]
    tale.tell(Event("rolled_off", "DZ-DEP-01", winner, dice=faces))
    tale.begin(Phase.DEPLOY_FIRST, winner, "DZ-DEP-01", first=winner)


def choose_edge(tale: Tale, settings: Settings, table: TableState, action: Action) -> None:
    """The winner of the roll-off takes an edge, the other one the opposite (DZ-DEP-02).

    Raises:
        Refused: It is no time for it, or no such edge.
    """
    _expect(tale.state, Phase.DEPLOY_FIRST, "DZ-DEP-01")
    side = tale.state.active_side
    edge = check_edge(action, side, "DZ-DEP-01")
    values = results(edge=edge, far=OPPOSITE[edge])
    tale.tell(Event("edge_chosen", "DZ-DEP-01", side, values=values))
    for unit in living(tale.state, side):
        if word(unit, "open") or spot(unit) is not None:
            tale.about("taken_up", "DZ-DEP-01", unit)
    watch_deployment(tale, settings, table)


def leave_out(tale: Tale, action: Action) -> None:
    """The players agree that a fighter that is not placed does not play (DZ-DEP-06).

    Raises:
        Refused: It is placed, or not of the side that places.
    """
    unit = tale.state.unit(action.figure_id or "")
    if unit is None or unit not in unplaced(tale.state):
        raise Refused("only a fighter not placed is left out", "DZ-DEP-06")
    tale.about("left_out", "DZ-DEP-06", unit)
    end_if_beaten(tale)


def unplaced(state: GameState) -> list[Unit]:
    """Fighters of the side that places and is not on the table with."""
    if state.phase not in DEPLOYING or not edge_of(state, state.active_side or ""):
        return []
    return [u for u in living(state, state.active_side) if spot(u) is None and not u.mark("open")]


def _placing_ready(tale: Tale, settings: Settings, table: TableState) -> None:
    side = tale.state.active_side or ""
    if not edge_of(tale.state, side):
        raise Refused(f"{side_name(side)} chooses an edge first", "DZ-DEP-01")
    watch_deployment(tale, settings, table)
    wrong = open_flags(tale, side)
    if wrong and tale.events:
        return
    check_put_right(wrong)
    if tale.state.question is not None:
        return
    missing = [unit.name for unit in unplaced(tale.state)]
    check_all_seen(missing, "DZ-DEP-06")
    other = other_side(tale.state, side)
    if tale.state.phase == Phase.DEPLOY_FIRST:
        tale.begin(Phase.DEPLOY_SECOND, other, "DZ-DEP-02")
        watch_deployment(tale, settings, table)
        return
    # Who placed second acts first (DZ-CHAIN-01).
    first = other_side(tale.state, text_mark(tale.state, "first"))
    tale.begin(Phase.PICK, first, "DZ-CHAIN-01", why="DZ-CHAIN-01")


def _recruit(state: GameState, action: Action) -> Unit:
    _expect(state, Phase.SETUP, "DZ-WB-13")
    unit = state.unit(action.figure_id or "")
    if unit is None:
        raise Refused("which fighter?", "DZ-WB-01")
    return unit


def _expect(state: GameState, phase: Phase, rule: str) -> None:
    if state.phase != phase:
        raise Refused(f"that is done in {phase.value}, not in {state.phase}", rule)
