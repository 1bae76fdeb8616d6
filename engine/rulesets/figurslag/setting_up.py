"""TERRAIN, ROSTER and FIRST: what players settle before the first move."""

from __future__ import annotations

from engine.actions import Action
from engine.common import assigned
from engine.dice import Dice
from engine.errors import Refused
from engine.events import Event, results
from engine.rulesets.figurslag.data import data
from engine.rulesets.figurslag.deploying import watch_deployment
from engine.rulesets.figurslag.marks import Phase, side_name, word
from engine.rulesets.figurslag.measures.heights import snap
from engine.rulesets.figurslag.measures.teams import standard
from engine.rulesets.figurslag.settings import Settings
from engine.rulesets.figurslag.turns import begin_phase, flagged_models
from engine.rulesets.figurslag.words import cm, listed
from engine.spots import living
from engine.state import GameState
from engine.table import TableState
from engine.tale import Tale
from engine.words import count, piece_names


def settled_heights(table: TableState, settings: Settings) -> tuple[str, ...]:
    """Terrain heights as confirmed: ``"Wall 1: 12 plates, measured 3.9 cm"`` (FS-SET-05)."""
    told = []
    names = piece_names(table.terrain)
    for piece in table.terrain:
        plates, height_mm = snap(piece.height_mm, settings, lego=piece.lego)
        unit = f"{plates} plates" if plates is not None else f"{cm(height_mm)} cm"
        told.append(f"{names[piece.terrain_id]}: {unit}, measured {piece.height_mm / 10:.1f} cm")
    return tuple(told)


def terrain_done(tale: Tale, settings: Settings, table: TableState) -> None:
    """Terrain stands; its heights are confirmed with it (FS-SET-06)."""
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
                tale.tell(Event("flagged", "FS-FLAG-13", side, values=results(fault=fault)))
    begin_phase(tale, table, Phase.DEPLOY, None, 0, "")
    watch_deployment(tale, settings, table)


def is_standard(state: GameState, side: str) -> bool:
    """Whether the team is two models with two small weapons and three with a large one."""
    return standard([unit.equipment for unit in living(state, side)])


def team_fault(state: GameState, side: str) -> str:
    """What is not standard about a team, in one sentence."""
    models = [unit.equipment for unit in living(state, side)]
    wanted = data().models
    if len(models) != wanted:
        return f"{side_name(side)} has {count(len(models), 'model')}; the rules want {wanted}."
    two_small = sum(1 for held in models if sorted(held) == ["small", "small"])
    large = sum(1 for held in models if list(held) == ["large"])
    return (
        f"{side_name(side)} has {two_small} models with two small guns and {large} with one "
        "big gun; the rules want two and three."
    )


def suggest_weapons(tale: Tale, settings: Settings) -> None:
    """A first guess for models without a weapon: what the standard team still lacks (FS-AMB-20).

    Raises:
        Refused: The players assign in this game, or nobody lacks a weapon.
    """
    _expect(tale.state, Phase.ROSTER)
    if settings.weapon_classes != "camera_suggests":
        raise Refused("the players assign the weapons in this game", "FS-SET-02")
    before = len(tale.events)
    for side in tale.state.sides:
        lacking = list(data().loadouts)
        for unit in living(tale.state, side):
            held = tuple(sorted(unit.equipment))
            if held in lacking:
                lacking.remove(held)
        for unit in [one for one in living(tale.state, side) if not one.equipment]:
            if lacking:
                tale.tell(assigned(unit.figure_id, side, unit.name, lacking.pop(0)))
    if len(tale.events) == before:
        raise Refused("every model has its weapon", "FS-SET-02")


def choose_first(tale: Tale, settings: Settings, table: TableState, action: Action) -> None:
    """The players say who begins.

    Raises:
        Refused: The program is to roll, or there is no such team.
    """
    _expect(tale.state, Phase.FIRST)
    if settings.first_player == "app_rolls":
        raise Refused("the program rolls who begins", "FS-SET-08")
    side = action.value or action.side
    if side not in tale.state.sides:
        raise Refused(f"who begins is one of {', '.join(tale.state.sides)}", "FS-SET-08")
    _begins(tale, table, side or "", ())


def roll_first(tale: Tale, table: TableState, dice: Dice) -> None:
    """The program rolls who begins, one side of the die for each team."""
    _expect(tale.state, Phase.FIRST)
    rolled = dice.roll(1, len(tale.state.sides))
    _begins(tale, table, tale.state.sides[rolled[0] - 1], rolled)


def _begins(tale: Tale, table: TableState, side: str, rolled: tuple[int, ...]) -> None:
    flagged = flagged_models(tale.state)
    if flagged:
        names = listed([unit.name for unit in flagged])
        raise Refused(f"first put back or accept {names}", word(flagged[0], "open_rule"))
    tale.tell(Event("begins", "FS-SET-08", side, dice=rolled))
    begin_phase(tale, table, Phase.MOVE, side, 1, side)


def _expect(state: GameState, phase: Phase) -> None:
    if state.phase != phase:
        raise Refused(f"that is done in {phase.value}, not in {state.phase}", "FS-SET-06")
