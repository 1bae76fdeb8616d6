"""Where models are put down: in their strip, on the table, not on each other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from engine.events import Event, results
from engine.geometry import bases
from engine.geometry.interval import Interval, Verdict
from engine.rulesets.figurslag.marks import Spot
from engine.rulesets.figurslag.measures.distances import measured, within
from engine.rulesets.figurslag.measures.teams import deploy_limit_mm, deploy_mm
from engine.rulesets.figurslag.settings import Settings
from engine.spots import SAME_LEVEL_MM
from engine.state import Unit
from engine.table import Figure, FigureState, TableState

UPRIGHT: Final = (FigureState.STANDING, FigureState.RIDER)
_NO_BASE_MM: Final = 14.0
"""A base narrower than this is no 2x2 plate but a pair of feet."""


@dataclass(frozen=True, slots=True)
class Strip:
    """How a model stands to its strip.

    Attributes:
        verdict: Inside, outside, or too close to call.
        length_mm: How far in it counts as standing.
        limit_mm: Depth of the strip.
    """

    verdict: Verdict
    length_mm: float
    limit_mm: float


def strip(figure: Figure, edge: str, table: TableState, settings: Settings) -> Strip:
    """Hold a model against the strip along ``edge``; inside where the table has no known edge."""
    limit = deploy_limit_mm(settings)
    if table.size_mm is None:
        return Strip(Verdict.YES, 0.0, limit)
    model = measured(figure, settings)
    sure = bases.inner(model.base, figure.position_mm).polygon().bounds
    widest = bases.outer(model.base, figure.position_mm).polygon().bounds
    lengths = sorted(
        deploy_mm(*_from_edge(box, edge, table.size_mm), settings) for box in (sure, widest)
    )
    length = Interval(lengths[0], lengths[1], figure.sigma_mm)
    return Strip(within(length, limit, settings), length.middle, limit)


def off_table(figure: Figure, table: TableState, settings: Settings) -> bool:
    """Whether the middle of the base is over the edge of the table for certain."""
    if table.size_mm is None:
        return False
    x, y = figure.position_mm
    width, depth = table.size_mm
    slack = max(settings.measure_tol_mm, 2.0 * figure.sigma_mm)
    return not (-slack <= x <= width + slack and -slack <= y <= depth + slack)


def overlapped(figure: Figure, others: Iterable[Figure], settings: Settings) -> Figure | None:
    """A standing figure whose base ``figure`` overlaps for certain, measuring error included."""
    mine = _sure_base(figure, settings)
    for other in others:
        if other.figure_id == figure.figure_id or other.state not in UPRIGHT:
            continue
        if abs(other.level_mm - figure.level_mm) > figure.height_mm / 2:
            continue
        if bases.overlap(mine, _sure_base(other, settings)) is Verdict.YES:
            return other
    return None


def without_base(figure: Figure) -> bool:
    """Whether it stands on its feet instead of a 2x2 base (FS-FLAG-18, FS-SET-04)."""
    return figure.profile == "lego_model" and figure.base.size_mm < _NO_BASE_MM


def same(here: Spot, there: Spot, settings: Settings, figure: Figure) -> bool:
    """Whether a model has not moved, as far as anyone can tell."""
    quiet = max(settings.still_tol_mm, 2.0 * figure.sigma_mm)
    return here.away(there) <= quiet and abs(here.z - there.z) <= SAME_LEVEL_MM


def told(
    kind: str,
    unit: Unit,
    here: Spot,
    rule: str | None = None,
    **values: str | float | bool,
) -> Event:
    """An event about a model at a place."""
    return Event(
        kind,
        rule,
        unit.side,
        unit.figure_id,
        values=results(x_mm=here.x, y_mm=here.y, z_mm=here.z, **values),
    )


def _sure_base(figure: Figure, settings: Settings) -> Figure:
    """The figure with its base reduced by half the tolerance a side."""
    slack = max(settings.measure_tol_mm, 2.0 * figure.sigma_mm)
    size = max(1.0, figure.base.size_mm - slack)
    return replace(figure, base=replace(figure.base, size_mm=size))


def _from_edge(
    box: tuple[float, float, float, float], edge: str, size_mm: tuple[float, float]
) -> tuple[float, float]:
    """Distances from an edge to the nearest and farthest point of a box."""
    x0, y0, x1, y1 = box
    width, depth = size_mm
    return {
        "south": (y0, y1),
        "north": (depth - y1, depth - y0),
        "west": (x0, x1),
        "east": (width - x1, width - x0),
    }[edge]
