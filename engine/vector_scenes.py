"""Small scenes that test vectors describe by numbers: discs, walls, eyes and bodies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from shapely import box

from engine.geometry.bases import Outline, outer
from engine.geometry.interval import Verdict
from engine.geometry.samples import Body, Figurine
from engine.geometry.sight import Eye
from engine.table import Base, BaseShape, Figure, FigureState, PointMm, Seen, Terrain
from engine.vector_args import Given, numbers


def round_base(radius_mm: float) -> Base:
    """A round base of that radius."""
    return Base(BaseShape.CIRCLE, 2.0 * radius_mm)


CLOSE_WORDS: Final = {Verdict.YES: "YES", Verdict.NO: "NO", Verdict.BORDERLINE: "CLOSE"}


def closeness(args: Given, close: Callable[[float, float, float, float], Verdict]) -> str:
    """How ``measured_mm`` keeps ``limit_mm``, with ``sigma1`` and ``sigma2``, in a word.

    Args:
        args: The arguments of the vector.
        close: How the rule system holds a length against a limit.
    """
    measured, limit = args.number("measured_mm"), args.number("limit_mm")
    return CLOSE_WORDS[close(measured, limit, args.length("sigma1"), args.length("sigma2"))]


def walk_past_wall(
    args: Given, tall_mm: float, height_mm: float
) -> tuple[Figure, Terrain, PointMm, PointMm]:
    """A walker and a wall from ``from``, ``to``, ``r`` and ``wall``.

    Args:
        args: The arguments of the vector.
        tall_mm: Height of the wall.
        height_mm: Height of the walker.

    Returns:
        The walker, the wall, where the walk starts and where it ends.
    """
    start, goal = args.point("from"), args.point("to")
    x0, y0, x1, y1 = args.numbers("wall", 4)
    wall = Terrain("wall", "wall", ((x0, y0), (x1, y0), (x1, y1), (x0, y1)), tall_mm)
    walker = Figure(
        "",
        "",
        None,
        "",
        start,
        None,
        round_base(args.length("r")),
        height_mm,
        0.0,
        FigureState.STANDING,
        Seen.SEEN,
        0.0,
    )
    return walker, wall, start, goal


def look_past_bodies(args: Given) -> tuple[Eye, Figurine, list[Body]]:
    """An eye, who is looked at, and what stands between.

    From ``eye``, ``target``, ``r``, ``height``, ``boxes`` and ``cylinders``.
    """
    x, y, z = args.numbers("eye", 3)
    shown = Figurine(args.point("target"), args.length("r"), 0.0, args.length("height"))
    bodies = []
    for each in args.listed("boxes") if "boxes" in args.values else []:
        x0, y0, x1, y1, top = numbers("boxes", each, 5)
        bodies.append(Body(Outline(box(x0, y0, x1, y1)), top))
    for each in args.listed("cylinders") if "cylinders" in args.values else []:
        cx, cy, radius, top = numbers("cylinders", each, 4)
        bodies.append(Body(outer(round_base(radius), (cx, cy)), top))
    return Eye((x, y), z), shown, bodies
