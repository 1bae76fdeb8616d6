"""Where a model can still go, in words and as outlines to draw."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from shapely import Point, union_all
from shapely.geometry.base import BaseGeometry

from engine.announce import Shape
from engine.rulesets.figurslag.data import data
from engine.rulesets.figurslag.marks import has_open, number, spot, spot_of, word
from engine.rulesets.figurslag.measures.journeys import reaches, surfaces
from engine.rulesets.figurslag.measures.moves import climb_limit_mm
from engine.rulesets.figurslag.settings import Settings
from engine.rulesets.figurslag.walks import walker
from engine.rulesets.figurslag.words import cm
from engine.rulesets.offers import area_shapes
from engine.state import GameState, Unit
from engine.table import Figure, TableState


def reach_hint(settings: Settings, unit: Unit) -> str:
    """Both limits, or what the model did."""
    shoot = data().moves["normal"].max_segments * settings.segment_mm
    far = data().moves["far"].max_segments * settings.segment_mm
    if has_open(unit):
        return f"{unit.name}: put it back or accept it."
    if word(unit, "mode") in ("", "still"):
        stay = "Stay for one extra shot." if unit.equipment else "It holds no weapon."
        if unit.mark("noshoot"):
            return f"{unit.name}: {cm(far)} cm, without shooting."
        return f"{unit.name}: {cm(shoot)} cm and shoot, {cm(far)} cm without shooting. {stay}"
    shots = "may shoot" if data().moves[word(unit, "mode")].may_shoot else "no shooting"
    return f"{unit.name}: {cm(number(unit, 'moved'))} cm so far, {shots}."


def climb_hints(settings: Settings, table: TableState, unit: Unit, figure: Figure) -> Iterator[str]:
    """What the walls and tops close to the model mean for it, nearest first."""
    if has_open(unit) or word(unit, "mode") not in ("", "still"):
        return
    climb, noshoot = data().moves["climb"], data().moves["climb_noshoot"]
    near = noshoot.max_segments * settings.segment_mm
    here = Point(figure.position_mm)
    ground = surfaces(table.terrain, settings)
    level = ground.level_at(figure.position_mm)
    pieces = sorted(
        (surface.area.distance(here), surface.terrain_id, surface.height_mm)
        for surface in ground.surfaces
        if surface.area.distance(here) <= near and surface.standable
    )
    for _, name, top in pieces[:2]:
        rise = abs(top - level)
        if rise <= settings.step_mm:
            continue
        if any(
            mark.kind == "stairs" for t in table.terrain if t.terrain_id == name for mark in t.marks
        ):
            yield "By the stairs: normal movement."
        if rise <= climb_limit_mm(climb, near, settings) and not unit.mark("noshoot"):
            within = cm(climb.max_segments * settings.segment_mm)
            yield (f"{name} is {cm(rise)} cm: climb it within {within} cm and still shoot.")
        elif rise <= climb_limit_mm(noshoot, near, settings):
            yield f"{name} is {cm(rise)} cm: only if {unit.name} does not shoot."
        else:
            yield f"{name} is {cm(rise)} cm: too high in one go."


def reaches_of(
    state: GameState, settings: Settings, table: TableState, movers: Sequence[tuple[Unit, Figure]]
) -> list[Mapping[str, BaseGeometry]]:
    """Where the middles of the bases of some models can end, by mode."""
    return reaches(
        [
            (
                walker(state, settings, table, figure),
                (spot(unit, "start") or spot_of(figure)).xy,
            )
            for unit, figure in movers
        ],
        settings,
    )


def reach_shapes(settings: Settings, areas: Mapping[str, BaseGeometry]) -> tuple[Shape, ...]:
    """Outlines of where the middle of its base can end: with shooting, and without."""
    shoots = [name for name, mode in data().moves.items() if mode.may_shoot and name != "still"]
    near = union_all([areas[name] for name in shoots])
    # Whoever may walk far may walk a normal way: only what is climbed is won besides.
    won = [area for name, area in areas.items() if name != "normal"]
    far = union_all(won)
    normal = data().moves["normal"].max_segments * settings.segment_mm
    longest = data().moves["far"].max_segments * settings.segment_mm
    return (
        *area_shapes(far, "reach_far", f"{cm(longest)} cm without shooting", 1.0),
        *area_shapes(near, "reach", f"{cm(normal)} cm and shoot", 1.0),
    )
