"""The ways a model can have gone between two places, as the rules measure them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.geometry.routes import Route
from engine.geometry.walks import Walk
from engine.rulesets.figurslag.marks import Spot, word
from engine.rulesets.figurslag.measures.journeys import surfaces, walk
from engine.rulesets.figurslag.measures.moves import MoveFacts
from engine.rulesets.figurslag.settings import Settings
from engine.state import GameState
from engine.table import Figure, FigureState, TableState


@dataclass(frozen=True, slots=True)
class Ending:
    """Whether a model may stand where it stands now.

    Attributes:
        standable: On a surface meant for it.
        hanging_mm: Height over the surface below it, 0 when it stands on it.
    """

    standable: bool
    hanging_mm: float


def present(state: GameState, settings: Settings, table: TableState) -> tuple[Figure, ...]:
    """Figures that can be in the way or hide something; those out of the game are left out."""
    return tuple(figure for figure in table.figures if _counts(state, settings, figure))


def walker(state: GameState, settings: Settings, table: TableState, figure: Figure) -> Walk:
    """The model about to walk over the table as it is now."""
    others = present(state, settings, table)
    return walk(figure, others, table.terrain, table.size_mm, settings)


def ways(
    state: GameState, settings: Settings, table: TableState, figure: Figure, start: Spot
) -> tuple[MoveFacts, ...]:
    """Every way worth comparing from ``start`` to where the figure is now; none when closed."""
    way = walker(state, settings, table, figure)
    routes = way.routes(start.xy, figure.position_mm)
    hung = hanging(settings, table, start)
    hangs = hanging(settings, table, Spot(*figure.position_mm, figure.level_mm))
    return tuple(_hung(_facts(route), hung, hangs) for route in routes)


def ending(state: GameState, settings: Settings, table: TableState, figure: Figure) -> Ending:
    """Whether the model may end its move where it is (FS-CLIMB-09)."""
    ground = surfaces(table.terrain, settings)
    here = Spot(*figure.position_mm, figure.level_mm)
    return Ending(
        ground.standable_at(figure.position_mm, settings.step_mm),
        hanging(settings, table, here),
    )


def hanging(settings: Settings, table: TableState, place: Spot) -> float:
    """Height of a place over the surface below it; less than a step is measuring error."""
    over = place.z - surfaces(table.terrain, settings).level_at(place.xy)
    return over if over > max(settings.step_mm, 10.0) else 0.0


def _counts(state: GameState, settings: Settings, figure: Figure) -> bool:
    unit = state.unit(figure.figure_id)
    if unit is None or unit.alive:
        return True
    why = word(unit, "gone")
    if why == "conceded":
        return settings.conceded_models == "stay"
    stays = why == "dead" and settings.dead_models == "stay"
    return stays and figure.state is FigureState.LYING


def _facts(route: Route) -> MoveFacts:
    return MoveFacts(
        route.length_mm,
        route.climbs.up_mm,
        route.climbs.down_mm,
        route.climbs.stairs_up_mm,
        route.climbs.stairs_down_mm,
    )


def _hung(facts: MoveFacts, hung: float, hangs: float) -> MoveFacts:
    """The same way of a model that hung on a wall before it, or hangs after it."""
    up, down = list(facts.up_mm), list(facts.down_mm)
    if hung and up:
        up[0] = max(0.0, up[0] - hung)
    elif hung:
        down.append(hung)
    if hangs:
        up.append(hangs)
    return replace(facts, up_mm=tuple(up), down_mm=tuple(down))
