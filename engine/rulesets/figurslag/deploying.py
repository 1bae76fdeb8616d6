"""DEPLOY: every model inside the strip along its own edge of the table."""

from __future__ import annotations

from typing import Final

from engine.actions import Action
from engine.errors import Refused
from engine.events import Event, results
from engine.geometry.interval import Verdict
from engine.rulesets.figurslag.marks import Phase, has_open, spot, spot_of, text_mark, word
from engine.rulesets.figurslag.placing import (
    UPRIGHT,
    off_table,
    overlapped,
    same,
    strip,
    told,
)
from engine.rulesets.figurslag.settings import Settings
from engine.rulesets.figurslag.turns import begin_phase, flagged_models
from engine.rulesets.figurslag.words import listed
from engine.rulesets.judging import EDGES
from engine.spots import living
from engine.state import GameState, Unit
from engine.table import Figure, TableState
from engine.tale import Tale

_OWN: Final = {"red": "south", "blue": "north", "green": "west", "yellow": "east"}


def edge_of(state: GameState, side: str) -> str:
    """The edge of the table a team deploys along; opposite ones for red and blue."""
    chosen = text_mark(state, f"edge_{side}")
    at = state.sides.index(side) if side in state.sides else 0
    return chosen or _OWN.get(side, EDGES[at % len(EDGES)])


def choose_edge(tale: Tale, settings: Settings, table: TableState, action: Action) -> None:
    """Give a team another edge of the table.

    Raises:
        Refused: No such edge or team, or play has begun.
    """
    if tale.state.phase not in (Phase.TERRAIN, Phase.ROSTER, Phase.DEPLOY):
        raise Refused("edges are chosen before play", "FS-SET-07")
    if action.side is None or action.side not in tale.state.sides:
        raise Refused("whose edge?", "FS-SET-07")
    if action.value not in EDGES:
        raise Refused(f"an edge is one of {', '.join(EDGES)}", "FS-SET-07")
    tale.tell(Event("edge_chosen", "FS-SET-07", action.side, values=results(edge=action.value)))
    if tale.state.phase == Phase.DEPLOY:
        watch_deployment(tale, settings, table, action.side)


def watch_deployment(
    tale: Tale, settings: Settings, table: TableState, anew: str | None = None
) -> None:
    """Look at every model where it stands now, as when the deployment begins.

    Args:
        tale: Told so far.
        settings: Options of the game.
        table: The settled table.
        anew: Team whose models are judged again though they did not move.
    """
    for figure in table.figures:
        unit = tale.state.unit(figure.figure_id)
        if unit is not None and unit.alive and figure.state in UPRIGHT:
            deployed(tale, settings, table, figure, unit, anew=anew == unit.side)


def deployed(
    tale: Tale,
    settings: Settings,
    table: TableState,
    figure: Figure,
    unit: Unit,
    *,
    anew: bool = False,
) -> None:
    """Judge where a model was put down, unless it is known there already."""
    here, at, opened = spot_of(figure), spot(unit), spot(unit, "open")
    known = opened or at
    if known is not None and not anew and same(here, known, settings, figure):
        return
    if unit.mark("down"):
        tale.tell(Event("stood_up", "FS-HIT-06", unit.side, unit.figure_id))
    if off_table(figure, table, settings):
        tale.tell(told("flagged", unit, here, "FS-FLAG-15", what="deploy"))
        return
    under = overlapped(figure, table.figures, settings)
    if under is not None:
        tale.tell(told("flagged", unit, here, "FS-FLAG-14", what="overlap", other=under.figure_id))
        return
    found = strip(figure, edge_of(tale.state, unit.side), table, settings)
    facts = {"moved_mm": found.length_mm, "limit_mm": found.limit_mm}
    if found.verdict is Verdict.YES:
        tale.tell(told("placed", unit, here, "FS-SET-07", what="deploy", **facts))
    elif found.verdict is Verdict.NO:
        tale.tell(told("flagged", unit, here, "FS-FLAG-12", what="deploy", **facts))
    else:
        tale.tell(
            told("asked_place", unit, here, "FS-FLAG-19", what="deploy", lo="in", hi="out", **facts)
        )


def deploy_done(tale: Tale, settings: Settings, table: TableState) -> None:
    """All models are placed; whoever stands outside is told so once more (FS-SET-09).

    Where the camera could not tell, these words of the players settle it: they stand inside.

    Raises:
        Refused: A model is not on the table, or stands outside its strip unaccepted.
    """
    if tale.state.phase != Phase.DEPLOY:
        raise Refused(f"models are placed in DEPLOY, not in {tale.state.phase}", "FS-SET-07")
    watch_deployment(tale, settings, table)
    open_units = flagged_models(tale.state)
    if open_units and tale.events:
        return
    if open_units:
        first = open_units[0]
        raise Refused(
            f"first put right or accept {listed([unit.name for unit in open_units])}",
            word(first, "open_rule"),
        )
    missing = [unit.name for unit in living(tale.state) if not (spot(unit) or has_open(unit))]
    if missing:
        raise Refused(f"I do not see {listed(missing)} on the table", "FS-SET-07")
    for unit in [one for one in living(tale.state) if has_open(one)]:
        place = spot(unit, "open")
        if place is not None:
            tale.tell(told("placed", unit, place, "FS-FLAG-19", what="deploy"))
    begin_phase(tale, table, Phase.FIRST, None, 0, "")
