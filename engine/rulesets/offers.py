"""Options every rule system offers alike: to answer, to accept, to say why somebody lies."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray
from shapely import (
    GeometryType,
    Polygon,
    get_coordinates,
    get_num_interior_rings,
    get_parts,
    get_rings,
    get_type_id,
    polygons,
    simplify,
)
from shapely import area as measured
from shapely.geometry.base import BaseGeometry

from engine.actions import Action
from engine.announce import Shape
from engine.errors import Refused
from engine.ruleset import InputKind, Option, Target
from engine.spots import side_name, word
from engine.state import GameState, Unit

_SIMPLE_MM: Final = 0.5
"""Outlines are drawn this exactly."""
_SPECK_MM2: Final = 1.0
_SMALL_MM2: Final = 1000.0
_POLYGON: Final = GeometryType.POLYGON.value


def question_options(state: GameState) -> Iterator[Option]:
    """The answers to the open question, if there is one."""
    question = state.question
    if question is not None:
        yield Option(
            "answer",
            question.text,
            InputKind.CHOICE,
            question.side,
            question.figure_id,
            question.choices,
            rule=question.rule,
        )


def ready_or_why(
    options: Iterable[Option], state: GameState, resolve: Callable[[Action], object]
) -> tuple[Option, ...]:
    """The same options; where being ready would be refused, what must be done first is said.

    Args:
        options: What is offered.
        state: The game.
        resolve: Tries an action without keeping what comes of it.
    """
    found = []
    for option in options:
        if option.kind == "ready":
            try:
                resolve(Action("ready", basis_seq=state.seq, side=option.side, value=option.value))
            except Refused as refused:
                words = f"First: {refused.reason}"
                found.append(
                    Option("not_ready", words, InputKind.SHOW, option.side,
                           rule=refused.rule or option.rule, hint=f"{words}.")
                )  # fmt: skip
                continue
        found.append(option)
    return tuple(found)


def accept_options(flagged: Iterable[Unit]) -> Iterator[Option]:
    """To let those with an open flag stay where they stand."""
    for unit in flagged:
        yield Option(
            "accept",
            f"Accept where {unit.name} stands",
            InputKind.CONFIRM,
            unit.side,
            unit.figure_id,
            rule=word(unit, "open_rule"),
            hint="Or put it back.",
        )


def down_options(
    units: Iterable[Unit], out: tuple[str, str], stays: str, rule_down: str, rule_missing: str
) -> Iterator[Option]:
    """To say what is the matter with those that lie or are not seen: only the players know.

    Args:
        units: Those still in the game.
        out: Value and words for one that is out of it.
        stays: Words for one that lies and plays on.
        rule_down: Rule item about a lying one.
        rule_missing: Rule item about one not seen.
    """
    for unit in units:
        down = bool(unit.mark("down"))
        if down or unit.mark("missing") is not None:
            yield Option(
                "fallen",
                f"{unit.name} is lying" if down else f"{unit.name} is not seen",
                InputKind.CHOICE,
                unit.side,
                unit.figure_id,
                (("stays", stays if down else "Hidden or carried: it stays"), out),
                rule=rule_down if down else rule_missing,
            )


def concede_options(sides: Iterable[str], rule: str, *, minor: bool = False) -> Iterator[Option]:
    """To give up, confirmed."""
    for side in sides:
        text = f"{side_name(side)} gives up"
        yield Option("concede", text, InputKind.CONFIRM, side, rule=rule, minor=minor)


def join_option(figure_id: str, question: str, sides: Iterable[str], rule: str) -> Option:
    """To say whose a figure is that belongs to nobody yet."""
    choices = tuple((side, side_name(side)) for side in sides)
    return Option("join", question, InputKind.CHOICE, None, figure_id, choices, rule=rule)


def figure_option(
    kind: str,
    text: str,
    unit: Unit,
    rule: str,
    targets: tuple[Target, ...] | None = None,
    hint: str = "",
) -> Option:
    """Something a figure may do, by a tap, or at another figure where ``targets`` are given."""
    how = InputKind.TAP if targets is None else InputKind.FIGURE
    return Option(
        kind,
        text,
        how,
        unit.side,
        unit.figure_id,
        targets=targets or (),
        rule=rule,
        hint=hint,
    )


def area_shapes(
    area: BaseGeometry, role: str = "reach", text: str = "", least_mm2: float = 0.0
) -> Iterator[Shape]:
    """The outlines of an area with its holes, simplified for drawing.

    Args:
        area: In mm.
        role: What it shows.
        text: Words beside it.
        least_mm2: Parts of no more than this are left out.
    """
    for part in simplified(get_parts(area)):
        if part.area > least_mm2:
            yield polygon_shape(part, role, text)


def simplified(parts: NDArray[np.object_]) -> list[Polygon]:
    """Polygons with as few points as drawing needs, each with all its holes.

    Keeping the order of all edges in view takes ten times as long and is seldom needed.
    """
    drawn = simplify(parts, _SIMPLE_MM, preserve_topology=False)
    wrong = get_num_interior_rings(drawn) != get_num_interior_rings(parts)
    wrong |= (get_type_id(drawn) != _POLYGON) | (measured(parts) < _SMALL_MM2)
    drawn[wrong] = simplify(parts[wrong], _SIMPLE_MM)
    return [part for part in drawn.tolist() if isinstance(part, Polygon)]


def polygon_shape(area: Polygon, role: str = "reach", text: str = "") -> Shape:
    """One polygon with its holes, to tenths of a millimetre; holes too small to see are filled."""
    rings = get_rings(area)
    kept = np.asarray(measured(polygons(rings)) > _SPECK_MM2)
    kept[0] = True
    points, ring = get_coordinates(rings[kept], return_index=True)
    ends = np.flatnonzero(np.diff(ring, append=-1)).tolist()
    every = list(map(tuple, np.round(points, 1).tolist()))
    # A ring ends where it begins.
    outer, *inner = (tuple(every[last + 1 : end]) for last, end in pairwise([-1, *ends]))
    return Shape("polygon", outer, role=role, text=text, holes_mm=tuple(inner))
