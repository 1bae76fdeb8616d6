"""Tables of recall and precision by kind, size, view, light and state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from vision.evaluation.labelled import ANY_FIGURE
from vision.evaluation.rows import FigureRow, FindRow
from vision.evaluation.stats import Summary, share

LEAST_HEIGHT_PX = 20.0
"""Figures under it count only in the tables by size."""
HEIGHTS_PX = (0, 20, 30, 60)
WIDTHS_PX = (0, 10, 15, 21, 40)
"""A minifigure of 18 px across is 1.2 m from a camera of 1080 lines: the class from 15 to 21."""
VISIBLE_PERCENT = (25, 50, 70, 90)
ELEVATIONS_DEG = (0, 30, 45, 60, 75)


@dataclass(frozen=True, slots=True)
class Breakdown:
    """A table of recall, and of precision where a false find has a class too.

    Attributes:
        name: Key of the table.
        figure: Class of a figure, None to leave it out.
        find: Class of a find that is false, None where it has none.
        small: Whether figures under ``LEAST_HEIGHT_PX`` count.
    """

    name: str
    figure: Callable[[FigureRow], str | None]
    find: Callable[[FindRow], str | None] | None = None
    small: bool = False


def class_of(value: float | None, limits: Sequence[int]) -> str | None:
    """Name of the class of a value: ``under 20``, ``20-30``, ``60 and more``.

    Args:
        value: None has no class.
        limits: Lower ends, rising; the first is the least there can be.
    """
    if value is None or value < limits[0]:
        return None
    for low, high in pairwise(limits):
        if value < high:
            return f"{low}-{high}" if low else f"under {high}"
    return f"{limits[-1]} and more"


BREAKDOWNS = (
    Breakdown("kind", lambda row: row.figure.kind, lambda row: _kind(row)),
    Breakdown(
        "height_px",
        lambda row: class_of(row.figure.height_px, HEIGHTS_PX),
        lambda row: class_of(row.find.box_px[3] - row.find.box_px[1], HEIGHTS_PX),
        small=True,
    ),
    Breakdown(
        "width_px",
        lambda row: class_of(row.figure.width_px, WIDTHS_PX),
        lambda row: class_of(row.find.box_px[2] - row.find.box_px[0], WIDTHS_PX),
        small=True,
    ),
    Breakdown(
        "elevation_deg",
        lambda row: class_of(row.picture.elevation_deg, ELEVATIONS_DEG),
        lambda row: class_of(row.picture.elevation_deg, ELEVATIONS_DEG),
    ),
    Breakdown("light", lambda row: row.picture.light, lambda row: row.picture.light),
    Breakdown(
        "visible_percent",
        lambda row: class_of(_percent(row.figure.visible), VISIBLE_PERCENT),
    ),
    Breakdown("state", lambda row: row.figure.state),
)


def counts_of(rows: Sequence[FigureRow], false: int) -> Summary:
    """Figures, found and false, and the shares; none of either without figures."""
    found = sum(row.found for row in rows)
    return {
        "figures": len(rows),
        "found": found,
        "false": false,
        "recall": share(found, len(rows)),
        "precision": share(found, found + false) if rows else None,
    }


def _kind(row: FindRow) -> str:
    """Kind of a false find, as the labels of its picture name kinds."""
    any_figure = any(figure.kind == ANY_FIGURE for figure in row.picture.figures)
    return ANY_FIGURE if any_figure else row.find.label


def table_of(
    breakdown: Breakdown, rows: Sequence[FigureRow], false: Sequence[FindRow]
) -> list[Summary]:
    """One row a class, in order of the classes' names as numbers, empty with one class or none."""
    classes: dict[str, list[FigureRow]] = {}
    for row in rows:
        name = breakdown.figure(row)
        if name is not None:
            classes.setdefault(name, []).append(row)
    wrong: dict[str, int] = {}
    if breakdown.find is not None:
        for find in false:
            name = breakdown.find(find)
            if name is not None:
                wrong[name] = wrong.get(name, 0) + 1
    table = []
    for name in sorted({*classes, *wrong}, key=_order):
        counts = counts_of(classes.get(name, []), wrong.get(name, 0))
        if breakdown.find is None:
            del counts["false"], counts["precision"]
        table.append({"class": name, **counts})
    return table


def _order(name: str) -> tuple[float, str]:
    if name.startswith("under "):
        return -1.0, name
    digits = name.split("-")[0].split(" ")[0]
    return (float(digits), name) if digits.isdigit() else (float("inf"), name)


def _percent(visible: float | None) -> float | None:
    return None if visible is None else 100 * visible
