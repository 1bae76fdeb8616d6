"""Everything the players may do now, described for a page that knows no rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from engine.ruleset import InputKind, Option, Target
from engine.rulesets.legowars.buying import army_cost, cost_of, faults
from engine.rulesets.legowars.data import data
from engine.rulesets.legowars.field import UPRIGHT, doors, on_table
from engine.rulesets.legowars.flow import rollers, stats_line
from engine.rulesets.legowars.marks import (
    BUILDING,
    HORSE,
    IN_PLAY,
    KINDS,
    MAN,
    MOUNT,
    UNDER_WAY,
    VEHICLE,
    Phase,
    armor_of,
    full_hands,
    in_game,
    is_set,
    kind_of,
    living,
    things_of,
    words_mark,
)
from engine.rulesets.legowars.measures import gear
from engine.rulesets.legowars.measures.prices import shown
from engine.rulesets.legowars.riding import mount_fault
from engine.rulesets.legowars.setting_up import BUILDING_STATS, HORSE_THINGS, VEHICLE_STATS
from engine.rulesets.legowars.settings import Settings
from engine.rulesets.legowars.stepping import move_options
from engine.rulesets.legowars.striking import attack_options
from engine.rulesets.legowars.words import roll_words
from engine.rulesets.offers import accept_options, concede_options, down_options, question_options
from engine.spots import flagged, side_name, word
from engine.state import GameState, Unit
from engine.table import TableState
from engine.words import piece_names

Offer = Callable[[GameState, Settings, TableState], Iterator[Option]]


def options(state: GameState, settings: Settings, table: TableState) -> tuple[Option, ...]:
    """All options of all players, the most pressing first."""
    if state.phase == Phase.GAME_OVER:
        return ()
    found = list(question_options(state))
    found += accept_options(
        unit for unit in living(state) if flagged(unit) and state.phase not in UNDER_WAY
    )
    if state.question is None:
        found += _PHASES[Phase(state.phase)](state, settings, table)
    if state.phase in (Phase.DEPLOY, *IN_PLAY) and state.phase not in UNDER_WAY:
        found += _down(state)
    if state.phase in IN_PLAY:
        if state.question is None and state.phase not in UNDER_WAY:
            found += _agreements(state, settings)
        found += _status(state, settings)
        found += concede_options(in_game(state), "LW-WIN-04")
    return tuple(found)


def _down(state: GameState) -> Iterator[Option]:
    """Models that lie or are not seen: only the players know why."""
    out, stays = ("out", "It is out of the game"), "Fell over: stand it up"
    yield from down_options(living(state), out, stays, "LW-STAT-08", "LW-GEN-07")


def _agreements(state: GameState, settings: Settings) -> Iterator[Option]:
    """Anything the players agree on (LW-SIEGE-10)."""
    for unit in living(state, None, MAN):
        club = () if full_hands(unit, settings) else (("club", "What he holds counts as a club"),)
        yield Option(
            "agree",
            f"You all agree about {unit.name}",
            InputKind.CHOICE,
            unit.side,
            unit.figure_id,
            (
                ("noted", "Something no rule lists: write it down"),
                ("falls", "He falls"),
                ("out", "He is out"),
                *club,
            ),
            rule="LW-SIEGE-10",
            minor=True,
        )


def _status(state: GameState, settings: Settings) -> Iterator[Option]:
    for unit in living(state):
        yield Option(
            "status",
            unit.name,
            InputKind.SHOW,
            unit.side,
            unit.figure_id,
            rule="LW-STAT-07",
            hint=stats_line(unit, settings),
        )


def _setup(state: GameState, settings: Settings, table: TableState) -> Iterator[Option]:
    kinds = tuple((kind, kind.replace("_", " ")) for kind in KINDS)
    if settings.boats == "refuse":
        kinds = tuple(pair for pair in kinds if pair[0] != "boat")
    for figure in table.figures:
        if figure.state in UPRIGHT and state.unit(figure.figure_id) is None:
            for side in state.sides:
                yield Option(
                    "join",
                    f"It is {side_name(side)}'s",
                    InputKind.CHOICE,
                    side,
                    figure.figure_id,
                    kinds,
                    rule="LW-GEN-07",
                )
    names = piece_names(table.terrain)
    for piece in table.terrain:
        if state.unit(piece.terrain_id) is None and piece.kind not in ("ladder", "stairs"):
            yield Option(
                "building",
                f"Whose building is {names[piece.terrain_id]}?",
                InputKind.CHOICE,
                figure_id=piece.terrain_id,
                choices=tuple((side, side_name(side)) for side in state.sides),
                rule="LW-BLDG-06",
            )
    yield from _openings(state, table)
    if all(any(living(state, side, MAN)) for side in state.sides):
        yield Option("ready", "Terrain is ready: on to the armies", rule="LW-GEN-09")
    else:
        yield Option(
            "setup",
            "Tap each figure: whose is it, and what?",
            InputKind.SHOW,
            rule="LW-GEN-01",
            hint="Every side needs a man. Tap walls and towers that are somebody's building.",
        )


def _openings(state: GameState, table: TableState) -> Iterator[Option]:
    """What is told of doors before play (LW-BLDG-12, LW-BLDG-14)."""
    for door in doors(state, table):
        if door.mark.kind == "door":
            text = "a plain door" if door.bridge else "a drawbridge"
            yield Option("bridge", f"{door.name} is {text}", value=door.door_id, rule="LW-BLDG-12")
        is_open = door.door_id in words_mark(state, "doors_open")
        text = "closed" if is_open else "open"
        yield Option("door_state", f"{door.name} is {text}", value=door.door_id, rule="LW-BLDG-14")


def _buy(state: GameState, settings: Settings, table: TableState) -> Iterator[Option]:
    for unit in living(state):
        yield from _purchases(state, settings, unit)
        yield from mount_options(state, settings, table, unit)
    found: list[str] = []
    for side in state.sides:
        found += [flag for flag, _ in faults(state, settings, table, side)]
        points = shown(army_cost(state, settings, table, side))
        limit = "" if settings.army_points is None else f" of {settings.army_points}"
        yield Option(
            "army",
            side_name(side),
            InputKind.SHOW,
            side,
            rule="LW-COST-07",
            hint=f"{side_name(side)}: {points}{limit} points.",
        )
    yield Option("ready", "The lists are ready", rule="LW-COST-07")
    if found and "LW-FLAG-15" not in found:
        yield Option(
            "ready",
            "Play with these lists all the same",
            InputKind.CONFIRM,
            value="accept",
            rule="LW-COST-07",
        )


def _purchases(state: GameState, settings: Settings, unit: Unit) -> Iterator[Option]:
    kind = kind_of(unit)
    hint = (
        f"{unit.name}: armor {armor_of(unit, settings)}, {cost_of(state, settings, unit)} points."
    )
    if kind in (MAN, HORSE):
        known = gear.things() if kind == MAN else HORSE_THINGS
        choices = [
            (item, f"{item.replace('_', ' ')} ({gear.price(item, settings)})")
            for item in known
            if item not in unit.equipment or item in gear.weapons() or item == gear.SHIELD
        ]
        choices += [(f"-{item}", f"no {item.replace('_', ' ')}") for item in things_of(unit)]
        yield Option(
            "gear",
            f"What has {unit.name}?",
            InputKind.CHOICE,
            unit.side,
            unit.figure_id,
            tuple(dict(choices).items()),
            rule="LW-COST-01",
            hint=hint,
        )
    if MOUNT in unit.equipment and settings.other_mounts == "ask" and not is_set(unit, "lance_ok"):
        yield Option(
            "lance",
            f"A lance on {unit.name} is as good as on a horse",
            InputKind.CONFIRM,
            unit.side,
            unit.figure_id,
            rule="LW-WPN-04",
        )
    stats = {VEHICLE: VEHICLE_STATS, BUILDING: BUILDING_STATS}.get(kind, ())
    for name in stats:
        yield Option(
            "stat",
            f"{name.replace('_', ' ').capitalize()} of {unit.name}",
            InputKind.NUMBER,
            unit.side,
            unit.figure_id,
            rule="LW-VEH-13" if kind == VEHICLE else "LW-BLDG-08",
            value=name,
            hint=hint,
        )


def mount_options(
    state: GameState, settings: Settings, table: TableState, unit: Unit
) -> Iterator[Option]:
    """Before play a man may sit on a horse at no cost (LW-HORSE-12)."""
    if kind_of(unit) != MAN:
        return
    if word(unit, "mount"):
        yield Option(
            "dismount",
            f"{unit.name} gets off",
            InputKind.TAP,
            unit.side,
            unit.figure_id,
            rule="LW-HORSE-12",
        )
        return
    horses = [
        horse
        for horse in living(state, unit.side, HORSE)
        if mount_fault(state, settings, table, unit, horse) is None
    ]
    if horses:
        yield Option(
            "mount",
            f"{unit.name} rides",
            InputKind.FIGURE,
            unit.side,
            unit.figure_id,
            targets=tuple(Target(h.figure_id, True, h.name, "LW-HORSE-12") for h in horses),
            rule="LW-HORSE-12",
        )


def _deploy(state: GameState, settings: Settings, table: TableState) -> Iterator[Option]:
    for unit in living(state, None, MAN):
        yield from mount_options(state, settings, table, unit)
    yield from _openings(state, table)
    seen = ", ".join(
        f"{side_name(side)} {sum(1 for u in living(state, side) if on_table(table, u))}"
        for side in state.sides
    )
    yield Option("ready", "Start: all stand right", rule="LW-GEN-08", hint=f"I see {seen}.")


def _initiative(state: GameState, settings: Settings, table: TableState) -> Iterator[Option]:
    sides = rollers(state)
    names = ", ".join(side_name(side) for side in sides)
    again = " again" if state.phase == Phase.INIT_TIE else ""
    yield Option(
        "initiative",
        f"Roll for the order{again}: {names}",
        dice=(len(sides), data().dice_sides),
        dice_text=f"One die a side, in this order: {names}. High goes first.",
        rule="LW-TURN-02" if again else "LW-TURN-01",
    )


def _roll(state: GameState, settings: Settings, table: TableState) -> Iterator[Option]:
    text, why, rule, side = roll_words(state, settings)
    yield Option("roll", text, side=side, dice=(1, data().dice_sides), dice_text=why, rule=rule)


_PHASES: Final[dict[Phase, Offer]] = {
    Phase.SETUP: _setup,
    Phase.BUY: _buy,
    Phase.DEPLOY: _deploy,
    Phase.INIT: _initiative,
    Phase.INIT_TIE: _initiative,
    Phase.MOVE: move_options,
    Phase.ATTACK: attack_options,
    Phase.ATK_HIT: _roll,
    Phase.ATK_DAMAGE: _roll,
    Phase.ATK_FALL: _roll,
}
