"""TERRAIN, ROSTER, DEPLOY and FIRST: everything before the first move."""

from __future__ import annotations

from typing import Final

from engine.actions import Action
from engine.dice import Dice
from engine.errors import Refused
from engine.events import Event, results
from engine.rulesets.figurslag.marks import Phase, has_open, living, side_name, spot, text_mark
from engine.rulesets.figurslag.measures.heights import snap
from engine.rulesets.figurslag.measures.teams import standard
from engine.rulesets.figurslag.settings import Settings
from engine.rulesets.figurslag.turns import Tale, begin_phase
from engine.rulesets.figurslag.words import listed
from engine.state import GameState
from engine.table import TableState

EDGES: Final = ("south", "north", "west", "east")
"""Edges of the table in the order teams are given them; south is y = 0, west x = 0."""


def edge_of(state: GameState, side: str) -> str:
    """The edge of the table a team deploys along; opposite ones for two teams."""
    chosen = text_mark(state, f"edge_{side}")
    at = state.sides.index(side) if side in state.sides else 0
    return chosen or EDGES[at % len(EDGES)]


def settled_heights(table: TableState, settings: Settings) -> tuple[str, ...]:
    """Every terrain height as it is confirmed: ``"t1: 12 plates (reads 39.0 mm)"``."""
    told = []
    for piece in table.terrain:
        plates, height_mm = snap(piece.height_mm, settings, lego=piece.lego)
        unit = f"{plates} plates" if plates is not None else f"{height_mm:g} mm"
        told.append(f"{piece.terrain_id}: {unit} (reads {piece.height_mm:.1f} mm)")
    return tuple(told)


def terrain_done(tale: Tale, settings: Settings, table: TableState) -> None:
    """Terrain stands; its heights are confirmed with it."""
    _expect(tale.state, Phase.TERRAIN)
    heights = settled_heights(table, settings)
    tale.tell(Event("terrain_confirmed", "FS-GEN-05", values=results(heights=heights)))
    begin_phase(tale, table, Phase.ROSTER, None, 0, "")


def roster_done(tale: Tale, settings: Settings, table: TableState) -> None:
    """Every team has its models and weapons.

    Raises:
        Refused: A team has no model, or is not standard where that is forbidden.
    """
    _expect(tale.state, Phase.ROSTER)
    for side in tale.state.sides:
        if not any(living(tale.state, side)):
            raise Refused(f"{side_name(side)} has no models yet: tap a figure", "FS-SET-01")
    for side in tale.state.sides:
        if not is_standard(tale.state, side):
            if settings.non_standard_team == "forbid":
                raise Refused(team_fault(tale.state, side), "FS-FLAG-13")
            if settings.non_standard_team == "warn":
                fault = team_fault(tale.state, side)
                tale.tell(
                    Event("flagged", "FS-FLAG-13", side, values=results(fault=fault))
                )
    begin_phase(tale, table, Phase.DEPLOY, None, 0, "")


def is_standard(state: GameState, side: str) -> bool:
    """Whether the team is two models with two small weapons and three with a large one."""
    return standard([unit.equipment for unit in living(state, side)])


def team_fault(state: GameState, side: str) -> str:
    """What is not standard about a team, in one sentence."""
    models = [unit.equipment for unit in living(state, side)]
    if len(models) != 5:
        return f"{side_name(side)} has {len(models)} models; the rules want 5."
    two_small = sum(1 for held in models if sorted(held) == ["small", "small"])
    large = sum(1 for held in models if list(held) == ["large"])
    return (
        f"{side_name(side)} has {two_small} models with two small guns and {large} with one "
        "big gun; the rules want two and three."
    )


def choose_edge(tale: Tale, action: Action) -> None:
    """Give a team another edge of the table.

    Raises:
        Refused: No such edge or team, or play has begun.
    """
    if tale.state.phase not in (Phase.TERRAIN, Phase.ROSTER, Phase.DEPLOY):
        raise Refused("edges are chosen before play", "FS-SET-07")
    if action.side not in tale.state.sides:
        raise Refused("whose edge?", "FS-SET-07")
    if action.value not in EDGES:
        raise Refused(f"an edge is one of {', '.join(EDGES)}", "FS-SET-07")
    tale.tell(
        Event("edge_chosen", "FS-SET-07", action.side, values=results(edge=action.value))
    )


def deploy_done(tale: Tale, settings: Settings, table: TableState) -> None:
    """All models are placed.

    Raises:
        Refused: A model is not on the table, or stands outside its strip unaccepted.
    """
    _expect(tale.state, Phase.DEPLOY)
    for unit in living(tale.state):
        if has_open(unit):
            raise Refused(
                f"{unit.name} stands outside the strip; put it inside or accept it", "FS-FLAG-12"
            )
    missing = [unit.name for unit in living(tale.state) if spot(unit) is None]
    if missing:
        raise Refused(f"I do not see {listed(missing)} on the table", "FS-SET-07")
    begin_phase(tale, table, Phase.FIRST, None, 0, "")


def choose_first(tale: Tale, settings: Settings, table: TableState, action: Action) -> None:
    """The players say who begins.

    Raises:
        Refused: The program is to roll, or there is no such team.
    """
    _expect(tale.state, Phase.FIRST)
    if settings.first_player == "app_rolls":
        raise Refused("the program rolls who begins", "FS-SET-08")
    if action.value not in tale.state.sides:
        raise Refused(f"who begins is one of {', '.join(tale.state.sides)}", "FS-SET-08")
    _begins(tale, table, action.value, ())


def roll_first(tale: Tale, table: TableState, dice: Dice) -> None:
    """The program rolls who begins, one side of the die for each team."""
    _expect(tale.state, Phase.FIRST)
    rolled = dice.roll(1, len(tale.state.sides))
    _begins(tale, table, tale.state.sides[rolled[0] - 1], rolled)


def _begins(tale: Tale, table: TableState, side: str, rolled: tuple[int, ...]) -> None:
    tale.tell(Event("begins", "FS-SET-08", side, dice=rolled))
    begin_phase(tale, table, Phase.MOVE, side, 1, side)


def _expect(state: GameState, phase: Phase) -> None:
    if state.phase != phase:
        raise Refused(f"that is done in {phase.value}, not in {state.phase}")
