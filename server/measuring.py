"""Lengths for people: between pixels, places and figures, in every unit, with their doubt."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from shapely import Point

from calibration.plane import Calibration
from engine.geometry.bases import Outline, gap, inner, outer
from engine.table import Figure, PointMm, TableState
from engine.units import from_mm

UNITS: Final = ("cm", "in", "studs", "segments", "feet")


@dataclass(frozen=True, slots=True)
class End:
    """One end of a measurement.

    Attributes:
        place_mm: Where it is on the table.
        sigma_mm: Its own doubt along the worst direction, None when unknown.
        px: The pixel it came from, if it came from one.
        figure: The figure standing there, if one was tapped.
    """

    place_mm: PointMm
    sigma_mm: float | None
    px: tuple[float, float] | None = None
    figure: Figure | None = None


def in_all_units(mm: float, sigma_mm: float | None) -> dict[str, float | None]:
    """A length as the contract writes it."""
    rounded: dict[str, float | None] = {
        "mm": round(mm, 2),
        "sigma_mm": None if sigma_mm is None else round(sigma_mm, 3),
    }
    rounded.update({unit: round(from_mm(mm, unit), 4) for unit in UNITS})
    return rounded


def map_document(
    calibration: Calibration, points: Sequence[tuple[float, float]], height_mm: float
) -> list[dict[str, Any]]:
    """Table points under pixels, in the order given; None above the horizon."""
    px = np.array(points, dtype=np.float64).reshape(-1, 2)
    table = calibration.to_table(px, height_mm)
    sigma = calibration.sigma_mm(px, height_mm)
    rows: list[dict[str, Any]] = []
    for point, place, doubt in zip(points, table.tolist(), sigma.tolist(), strict=True):
        seen = all(math.isfinite(value) for value in place)
        rows.append(
            {
                "px": list(point),
                "table_mm": [round(value, 4) for value in place] if seen else None,
                "sigma_mm": round(doubt, 4) if seen and math.isfinite(doubt) else None,
            }
        )
    return rows


def measure_pixels(
    calibration: Calibration,
    start_px: tuple[float, float],
    end_px: tuple[float, float],
    height_mm: float = 0.0,
) -> tuple[float, float | None] | None:
    """Length and doubt in mm between two pixels, None when one is above the horizon."""
    mm, sigma = calibration.length(start_px, end_px, height_mm)
    if not math.isfinite(mm):
        return None
    return float(mm), float(sigma) if math.isfinite(sigma) else None


def measure_ends(calibration: Calibration | None, start: End, end: End) -> dict[str, Any]:
    """Centre and edge distance of two ends, in every unit.

    The edge distance runs between the bases of figures; a base turned in an unknown way makes
    it an interval, told as its middle with the half width counted in the doubt.
    """
    centre_mm = math.dist(start.place_mm, end.place_mm)
    sigma = _sigma(calibration, start, end)
    low, high = _edge_gap(start, end, centre_mm)
    half = (high - low) / 2
    edge_sigma = None if sigma is None else math.hypot(sigma, half)
    return {
        "centre": in_all_units(centre_mm, sigma),
        "edge": {
            **in_all_units((low + high) / 2, edge_sigma),
            "low_mm": round(low, 2),
            "high_mm": round(high, 2),
        },
        "from_mm": list(start.place_mm),
        "to_mm": list(end.place_mm),
    }


def figure_end(table: TableState, figure_id: str) -> End:
    """A figure as one end.

    Raises:
        KeyError: It is not on the table.
    """
    figure = table.figure(figure_id)
    return End(figure.position_mm, figure.sigma_mm, figure=figure)


def place_end(calibration: Calibration | None, place_mm: PointMm) -> End:
    """A place on the table as one end."""
    if calibration is None:
        return End(place_mm, None)
    px = calibration.to_image(np.array([place_mm], dtype=np.float64))
    sigma = float(calibration.sigma_mm(px)[0])
    return End(place_mm, sigma if math.isfinite(sigma) else None)


def pixel_end(calibration: Calibration, px: tuple[float, float]) -> End | None:
    """The place under a pixel as one end, None above the horizon."""
    row = map_document(calibration, [px], 0.0)[0]
    place = row["table_mm"]
    return None if place is None else End((place[0], place[1]), row["sigma_mm"], px=px)


def _sigma(calibration: Calibration | None, start: End, end: End) -> float | None:
    if calibration is not None and start.px is not None and end.px is not None:
        found = measure_pixels(calibration, start.px, end.px)
        if found is not None:
            return found[1]
    if start.sigma_mm is None or end.sigma_mm is None:
        return None
    # Errors of two places partly cancel; without knowing how far, they are taken as free.
    return math.hypot(start.sigma_mm, end.sigma_mm)


def _edge_gap(start: End, end: End, centre_mm: float) -> tuple[float, float]:
    if start.figure is not None and end.figure is not None:
        between = gap(start.figure, end.figure)
        return between.lo, between.hi
    figure = start.figure or end.figure
    if figure is None:
        return centre_mm, centre_mm
    place = Outline(Point(end.place_mm if start.figure is not None else start.place_mm))
    nearest = outer(figure.base, figure.position_mm).distance(place)
    farthest = inner(figure.base, figure.position_mm).distance(place)
    return nearest, farthest
