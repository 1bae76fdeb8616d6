"""A page that tells a recording: who moved where, and what there was to say."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape
from typing import Final

from calibration.plane import Calibration
from engine.announce import Announcement
from engine.referee import Referee
from engine.table import FigureState, PointMm, TableState

_MOVE_MM: Final = 8.0
_COLOURS: Final = ("#c01818", "#1d4ed8", "#166534", "#8a6100")
_NOBODY: Final = "#5b6660"
_MAX_MOVES: Final = 2000
_STYLE: Final = (
    "body{font:18px/1.4 system-ui,sans-serif;margin:24px auto;max-width:960px;padding:0 16px;"
    "color:#101814;background:#fff}svg{width:100%;background:#e3efe6;border-radius:12px}"
    "table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:6px 10px;"
    "border-bottom:1px solid #9aa8a0}li.warn,li.error{font-weight:700}"
)


@dataclass(frozen=True, slots=True)
class Step:
    """One figure that came to stand elsewhere; ``sigma_mm`` is the doubt of how far."""

    t_ns: int
    figure_id: str
    start_mm: PointMm
    end_mm: PointMm
    sigma_mm: float | None = None


@dataclass(slots=True)
class Paths:
    """Where figures stood, from settled table to settled table.

    Attributes:
        steps: Moves in order.
        last: The last settled table.
        left_out: Moves beyond the most that are kept.
    """

    steps: list[Step] = field(default_factory=list)
    last: TableState | None = None
    left_out: int = 0
    _places: dict[str, tuple[PointMm, float | None]] = field(default_factory=dict)

    def step(self, table: TableState) -> None:
        """Take one table."""
        if not table.settled:
            return
        self.last = table
        for figure in table.figures:
            if figure.state in (FigureState.HIDDEN, FigureState.IN_HAND):
                continue
            here = (figure.position_mm, figure.sigma_mm)
            start, before = self._places.setdefault(figure.figure_id, here)
            if math.dist(start, figure.position_mm) > _MOVE_MM:
                self._places[figure.figure_id] = here
                if len(self.steps) < _MAX_MOVES:
                    doubt = _doubt(before, figure.sigma_mm)
                    move = Step(table.t_ns, figure.figure_id, start, figure.position_mm, doubt)
                    self.steps.append(move)
                else:
                    self.left_out += 1


def report(title: str, paths: Paths, referee: Referee, calibration: Calibration | None) -> str:
    """The whole page; it loads nothing from anywhere.

    Args:
        title: Of the footage.
        paths: Who moved.
        referee: What was said.
        calibration: How it was measured, None where it was not.
    """
    name = escape(title)
    measured = "The table was not measured: nothing is in millimetres."
    if calibration is not None:
        measured = (
            f"Measured by {escape(calibration.reference)}; origin: {escape(calibration.origin)}."
        )
    parts = [
        "<!doctype html><html lang=en><head><meta charset=utf-8>",
        "<meta name=viewport content='width=device-width, initial-scale=1'>",
        f"<title>{name}</title><style>{_STYLE}</style></head><body>",
        f"<h1>{name}</h1><p>{measured}</p>",
        _map(paths, referee),
        "<h2>Moves</h2>",
        _moves(paths, referee),
        "<h2>Announcements</h2>",
        _said(referee),
        "</body></html>\n",
    ]
    return "\n".join(parts)


def _doubt(start_mm: float | None, end_mm: float | None) -> float | None:
    """Doubt of a length between two places whose errors are taken as free of each other."""
    return None if start_mm is None or end_mm is None else math.hypot(start_mm, end_mm)


def _length(step: Step) -> str:
    told = f"{math.dist(step.start_mm, step.end_mm) / 10:.1f} cm"
    return told if step.sigma_mm is None else f"{told} ± {max(step.sigma_mm, 0.1):.1f} mm"


def _name(referee: Referee, figure_id: str) -> str:
    return referee.facts.names.get(figure_id) or figure_id


def _colour(referee: Referee, figure_id: str) -> str:
    side = referee.facts.sides.get(figure_id)
    sides = referee.state.sides
    return _COLOURS[sides.index(side) % len(_COLOURS)] if side in sides else _NOBODY


def _map(paths: Paths, referee: Referee) -> str:
    table = paths.last
    if table is None or not table.figures:
        return "<p>No figure has a place on the table.</p>"
    x0, y0, x1, y1 = _bounds(table, paths.steps)
    shapes = []
    for piece in table.terrain:
        outline = " ".join(f"{x:.1f},{y1 - y:.1f}" for x, y in piece.footprint_mm)
        shapes.append(f"<polygon points='{outline}' fill='#b9b3a6' stroke='#101814'/>")
    for step in paths.steps:
        (ax, ay), (bx, by) = step.start_mm, step.end_mm
        colour = _colour(referee, step.figure_id)
        shapes.append(
            f"<path d='M{ax:.1f} {y1 - ay:.1f}L{bx:.1f} {y1 - by:.1f}' stroke='{colour}' "
            "stroke-width='2' stroke-dasharray='5 3' fill='none'/>"
        )
    for figure in table.figures:
        x, y = figure.position_mm[0], y1 - figure.position_mm[1]
        half = figure.base.size_mm / 2
        shapes.append(
            f"<rect x='{x - half:.1f}' y='{y - half:.1f}' width='{2 * half:g}' "
            f"height='{2 * half:g}' fill='{_colour(referee, figure.figure_id)}'/>"
            f"<text x='{x:.1f}' y='{y + half + 11:.1f}' font-size='11' text-anchor='middle'>"
            f"{escape(_name(referee, figure.figure_id))}</text>"
        )
    ruler = (
        f"<path d='M{x0 + 10:.1f} {y1 - y0 - 8:.1f}h100' stroke='#101814' stroke-width='2'/>"
        f"<text x='{x0 + 114:.1f}' y='{y1 - y0 - 4:.1f}' font-size='11'>10 cm</text>"
    )
    view = f"{x0:.1f} 0 {x1 - x0:.1f} {y1 - y0:.1f}"
    head = f"<svg viewBox='{view}' role='img' aria-label='Table from above'>"
    return f"{head}{''.join(shapes)}{ruler}</svg>"


def _bounds(table: TableState, steps: Iterable[Step]) -> tuple[float, float, float, float]:
    if table.size_mm is not None:
        return -20.0, -20.0, table.size_mm[0] + 20.0, table.size_mm[1] + 20.0
    places = [figure.position_mm for figure in table.figures]
    places += [point for piece in table.terrain for point in piece.footprint_mm]
    places += [point for step in steps for point in (step.start_mm, step.end_mm)]
    xs, ys = [p[0] for p in places], [p[1] for p in places]
    return min(xs) - 40, min(ys) - 40, max(xs) + 40, max(ys) + 40


def _clock(t_ns: int) -> str:
    seconds = t_ns / 1e9
    return f"{int(seconds // 60)}:{seconds % 60:04.1f}"


def _moves(paths: Paths, referee: Referee) -> str:
    if not paths.steps:
        return "<p>Nobody moved.</p>"
    rows = [
        f"<tr><td>{_clock(step.t_ns)}</td><td>{escape(_name(referee, step.figure_id))}</td>"
        f"<td>{_length(step)}</td></tr>"
        for step in paths.steps
    ]
    more = f"<p>and {paths.left_out} more</p>" if paths.left_out else ""
    head = "<tr><th>Time</th><th>Figure</th><th>Straight distance</th></tr>"
    return f"<table>{head}{''.join(rows)}</table>{more}"


def _said(referee: Referee) -> str:
    said: tuple[Announcement, ...] = referee.announcements()
    if not said:
        return "<p>Nothing was said.</p>"
    times = {line.seq: line.t_ns for line in referee.lines}
    items = [
        f"<li class='{escape(str(one.level))}'>{_clock(times.get(one.seq, 0))} "
        f"{escape(one.text)}{f' <small>{escape(one.rule)}</small>' if one.rule else ''}</li>"
        for one in said
    ]
    return f"<ol>{''.join(items)}</ol>"
