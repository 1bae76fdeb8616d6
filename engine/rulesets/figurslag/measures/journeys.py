"""Moves over a real table: what a displacement counts as, and where a model can still go."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from shapely.geometry.base import BaseGeometry

from engine.geometry.bases import inscribed_radius
from engine.geometry.obstacles import Walker
from engine.geometry.surfaces import Ground, ground
from engine.geometry.walks import Route, Walk
from engine.rulesets.figurslag.data import data
from engine.rulesets.figurslag.measures.heights import settled_mm
from engine.rulesets.figurslag.measures.moves import ILLEGAL, MoveFacts, MoveVerdict, classify
from engine.rulesets.figurslag.settings import Settings
from engine.table import Figure, FigureState, PointMm, Terrain

_BEST: Final = ("still", "normal", "climb", "far", "climb_noshoot", ILLEGAL)
"""Modes from best to worst for the player: shots first, then the freer move."""
_ON_PATH_STATES: Final = frozenset({FigureState.STANDING, FigureState.HIDDEN, FigureState.RIDER})


@dataclass(frozen=True, slots=True)
class Journey:
    """A way and what it counts as.

    Attributes:
        route: The way.
        verdict: Its mode, or the flag it raises.
    """

    route: Route
    verdict: MoveVerdict


@lru_cache(maxsize=8)
def surfaces(terrain: tuple[Terrain, ...], settings: Settings) -> Ground:
    """Standing surfaces of a table with heights as they count in play."""
    return ground(terrain, lambda piece: settled_mm(piece, settings))


def walk(
    figure: Figure,
    figures: Iterable[Figure],
    terrain: tuple[Terrain, ...],
    size_mm: tuple[float, float] | None,
    settings: Settings,
) -> Walk:
    """A model about to move.

    Args:
        figure: The model.
        figures: All models that stand in the way; leave out those out of the game.
        terrain: All terrain.
        size_mm: Size of the table, None where its edges are unknown.
        settings: Options of the game.
    """
    others = tuple(
        other
        for other in figures
        if other.figure_id != figure.figure_id and other.state in _ON_PATH_STATES
    )
    edge = None if settings.leave_table == "removed" else size_mm
    return Walk(
        ground=surfaces(terrain, settings),
        walker=Walker(inscribed_radius(figure.base), settings.step_mm, edge),
        blockers=tuple(other for other in others if not _passes(figure, other, settings)),
        occupied=others,
        straight=settings.move_path == "straight",
    )


def journey(
    way: Walk,
    start: PointMm,
    goal: PointMm,
    settings: Settings,
    *,
    strayed_mm: float = 0.0,
    turned: bool = False,
) -> Journey | None:
    """What a displacement counts as: of all ways worth comparing the best for the player.

    Args:
        way: The model about to move.
        start: Centre of its base before.
        goal: Centre of its base after.
        settings: Options of the game.
        strayed_mm: Farthest it was from its start during the phase.
        turned: It was turned on the spot.

    Returns:
        None when there is no way at all (FS-FLAG-14).
    """
    best: Journey | None = None
    for route in way.routes(start, goal):
        verdict = classify(_facts(route, strayed_mm, turned), settings)
        if best is None or _rank(verdict) < _rank(best.verdict):
            best = Journey(route, verdict)
    return best


def reach(
    way: Walk, start: PointMm, settings: Settings, modes: Iterable[str] | None = None
) -> Mapping[str, BaseGeometry]:
    """Where a model can end its move, as area of the centre of its base.

    Args:
        way: The model about to move.
        start: Centre of its base.
        settings: Options of the game.
        modes: Modes asked for, all but ``still`` when left out.

    Returns:
        Area by mode. Those of climbing hold only what is won by climbing; all are nested, so that
        ``far`` contains ``normal``.
    """
    wanted = [name for name in data().moves if name != "still"] if modes is None else list(modes)
    areas: dict[str, BaseGeometry] = {}
    for name in wanted:
        mode = data().moves[name]
        allowance = mode.max_segments * settings.segment_mm
        if mode.climbs:
            allowed = _BEST[: _BEST.index(name) + 1]
            areas[name] = way.climb_reach(
                start,
                allowance,
                lambda r, a=allowed: _verdict(r, settings).mode in a,  # type: ignore[misc]
            )
        else:
            areas[name] = way.reach(start, allowance)
    return areas


def _passes(figure: Figure, other: Figure, settings: Settings) -> bool:
    friends = figure.side is not None and figure.side == other.side
    return {"none": False, "friends": friends, "all": True}[settings.pass_models]


def _facts(route: Route, strayed_mm: float, turned: bool) -> MoveFacts:
    climbs = route.climbs
    return MoveFacts(
        moved_mm=route.length_mm,
        up_mm=climbs.up_mm,
        down_mm=climbs.down_mm,
        stairs_up_mm=climbs.stairs_up_mm,
        stairs_down_mm=climbs.stairs_down_mm,
        strayed_mm=strayed_mm,
        turned=turned,
    )


def _verdict(route: Route, settings: Settings) -> MoveVerdict:
    return classify(_facts(route, 0.0, False), settings)


def _rank(verdict: MoveVerdict) -> tuple[int, float]:
    return _BEST.index(verdict.mode), verdict.climbed_mm
