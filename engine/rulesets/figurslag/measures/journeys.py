"""Moves over a real table: what a displacement counts as, and where a model can still go."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from shapely.geometry.base import BaseGeometry

from engine.geometry.bases import Standing, circumscribed_radius, inscribed_radius
from engine.geometry.foresight import Plan, foresee
from engine.geometry.interval import EXACT_MM
from engine.geometry.obstacles import Walker
from engine.geometry.routes import Route
from engine.geometry.surfaces import Ground, ground
from engine.geometry.walks import Walk
from engine.memo import each_kept
from engine.rulesets.figurslag.data import MoveMode, data
from engine.rulesets.figurslag.measures.heights import settled_mm
from engine.rulesets.figurslag.measures.moves import MoveFacts, climb_limit_mm, span
from engine.rulesets.figurslag.settings import Settings
from engine.table import Figure, FigureState, PointMm, Terrain

_ON_PATH_STATES: Final = frozenset({FigureState.STANDING, FigureState.HIDDEN, FigureState.RIDER})


@lru_cache(maxsize=8)
def surfaces(terrain: tuple[Terrain, ...], settings: Settings) -> Ground:
    """Standing surfaces of a table with heights as they count in play (FS-MOVE-05)."""
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
        stairs_count=_stairs_count(settings),
    )


def facts(route: Route, *, strayed_mm: float = 0.0, turned: bool = False) -> MoveFacts:
    """What was seen of a move that went a certain way.

    Args:
        route: The way.
        strayed_mm: Farthest the model was from its start during the phase.
        turned: It was turned on the spot.
    """
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
        Area by mode. Those of climbing hold only what is won by climbing; ``far`` contains
        ``normal``.
    """
    return reaches([(way, start)], settings, modes)[0]


def reaches(
    ways: Iterable[tuple[Walk, PointMm]], settings: Settings, modes: Iterable[str] | None = None
) -> list[Mapping[str, BaseGeometry]]:
    """The same for several models: together they take less long."""
    wanted = tuple(name for name in data().moves if name != "still") if modes is None else modes
    longest = max(mode.max_segments for mode in data().moves.values()) * settings.segment_mm
    keys = []
    for way, start in ways:
        # What stands farther off changes nothing, so that a move elsewhere leaves this remembered.
        near = replace(
            way,
            blockers=_within(way.blockers, way, start, longest),
            occupied=_within(way.occupied, way, start, longest),
            longest_mm=longest,
        )
        parts = tuple(getattr(near, one.name) for one in fields(near))
        keys.append((parts, start, settings, (*wanted,)))
    return _reaches(keys)


def _within(
    models: tuple[Standing, ...], way: Walk, start: PointMm, longest_mm: float
) -> tuple[Standing, ...]:
    """Models whose base a model could come upon."""
    reached = longest_mm + way.walker.radius_mm
    return tuple(
        model
        for model in models
        if math.dist(model.position_mm, start) <= reached + circumscribed_radius(model.base)
    )


_Key: TypeAlias = tuple[tuple[Any, ...], PointMm, Settings, tuple[str, ...]]


@each_kept(256)
def _reaches(keys: Sequence[_Key]) -> list[Mapping[str, BaseGeometry]]:
    plans = []
    for parts, start, settings, wanted in keys:
        modes = [data().moves[name] for name in wanted]
        climbing = tuple(
            (_allowance(mode, settings), _highest(mode, settings)) for mode in modes if mode.climbs
        )
        on_foot = tuple(_allowance(mode, settings) for mode in modes if not mode.climbs)
        plans.append(Plan(Walk(*parts), start, on_foot, climbing))
    foresee(plans)
    return [
        _reach(plan.walk, start, settings, wanted)
        for plan, (_, start, settings, wanted) in zip(plans, keys, strict=True)
    ]


def _reach(
    way: Walk, start: PointMm, settings: Settings, wanted: tuple[str, ...]
) -> Mapping[str, BaseGeometry]:
    areas: dict[str, BaseGeometry] = {}
    for name in wanted:
        mode = data().moves[name]
        allowance = _allowance(mode, settings)
        free = partial(_span, mode, settings)
        on_foot = partial(_span, mode, settings, walking=True) if _stairs_count(settings) else None
        if mode.climbs:
            highest = _highest(mode, settings)
            areas[name] = way.climb_reach(start, allowance, free, on_foot, highest)
        else:
            areas[name] = way.reach(start, allowance, on_foot)
            if settings.jump_down == "free":
                jumps = partial(_span, mode, settings, walking=True)
                areas[name] = areas[name].union(way.climb_reach(start, allowance, jumps))
    return MappingProxyType(areas)


def _allowance(mode: MoveMode, settings: Settings) -> float:
    return mode.max_segments * settings.segment_mm


def _highest(mode: MoveMode, settings: Settings) -> float:
    """Rises and drops from here on are closed to a mode of climbing."""
    if settings.jump_down == "free":  # what is jumped down may be any height
        return math.inf
    return climb_limit_mm(mode, _allowance(mode, settings), settings) + 2.0 * EXACT_MM


def _stairs_count(settings: Settings) -> bool:
    """Height on stairs is held against a limit."""
    return settings.stairs_fh_limit or not settings.stairs_both_ways


def _passes(figure: Figure, other: Figure, settings: Settings) -> bool:
    """Whether one may walk through the other (FS-MOVE-06)."""
    friends = figure.side is not None and figure.side == other.side
    return {"none": False, "friends": friends, "all": True}[settings.pass_models]


def _span(
    mode: MoveMode, settings: Settings, route: Route, *, walking: bool = False
) -> tuple[float, float] | None:
    """How long a way may be for a model that wants to keep its shots or gives them up."""
    return span(facts(route), mode, settings, walking=walking)
