"""The lines of a ruler on the table, its edges and strokes, and what of them is not sure."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

EDGE_SAMPLES = 12.0
"""So many independent points an edge counts for: its neighbours are off alike."""

BLOCKS, SMOOTH_PX = 12, 0.03
"""An edge whose parts waver by no more than this is a good one."""

STROKE_SAMPLES = 0.05
"""The same for a stroke: print and blur put its points off alike."""

SHARP_SAMPLES = 0.3
"""The same for strokes that were each followed on their own line."""

SKEW_PX = 0.08
"""What stands beside short strokes turns all of them alike by so much over their length."""

OUT_OF_SQUARE = 0.002
"""A ruler's ends are cut square to about a tenth of a degree."""

END_PX = 0.1
"""How far light and shade turn an end, over its length."""

ANYWHERE = 1e6
"""Doubt of what is not known at all, mm."""


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """Another edge of a ruler.

    Attributes:
        px: Points on it, (N, 2).
        along: It runs along the ruler, not across it.
        offset_mm: Roughly where it lies, mm from the ruler's origin.
        darker: It is darker outside than on the ruler.
    """

    px: Floats
    along: bool
    offset_mm: float
    darker: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Ruler:
    """A ruler with its strokes told apart.

    Attributes:
        number: Stroke of each point, (N,).
        px: Points on strokes, (N, 2).
        edge_px: Points on the edge that the strokes start from, (M, 2).
        space_mm: Distance of neighbouring strokes.
        sides: Its other edges as far as they are seen.
        deep_mm: y of the middle of its strokes, once each was followed on its own line; None
            before.
    """

    number: NDArray[np.int64]
    px: Floats
    edge_px: Floats
    space_mm: float
    sides: tuple[Side, ...] = ()
    deep_mm: float | None = None

    def in_spaces_of(self, space_mm: float) -> Ruler:
        """The same ruler with its strokes another distance apart."""
        times = space_mm / self.space_mm
        return replace(
            self,
            space_mm=space_mm,
            sides=tuple(replace(one, offset_mm=one.offset_mm * times) for one in self.sides),
            deep_mm=None if self.deep_mm is None else self.deep_mm * times,
        )


def _samples(px: Floats) -> float:
    """So many independent points an edge counts for: fewer where it is not smooth.

    What stands beside an edge, such as strokes that begin at it, makes it waver. No lens bends an
    edge by more than a cubic.
    """
    if len(px) < 4 * BLOCKS:
        return EDGE_SAMPLES
    chord = px[-1] - px[0]
    way = chord / max(float(np.hypot(*chord)), 1e-9)
    along, off = (px - px[0]) @ way, (px - px[0]) @ np.array([-way[1], way[0]])
    order = np.argsort(along)
    parts = np.array_split(order, BLOCKS)
    at = np.array([np.median(along[part]) for part in parts])
    middle = np.array([np.median(off[part]) for part in parts])
    at = (at - at.mean()) / max(float(np.ptp(at)), 1e-9)
    left = middle - np.polyval(np.polyfit(at, middle, 3), at)
    waver = float(np.sqrt((left**2).sum() / (BLOCKS - 4)))
    return EDGE_SAMPLES * min(1.0, (SMOOTH_PX / max(waver, 1e-9)) ** 2)


class RulerLines:
    """Lines of one ruler: its edge, its strokes, its other sides.

    The shape is (x, y, turn) where it lies, unless it lies at the origin; then, once its strokes
    are sharp, their common turn; then the offset of every side and, of those across, its turn.

    Args:
        ruler: The ruler.
        fixed: It lies at the origin along x.

    Attributes:
        px: Points on its lines, (N, 2).
        line: Which line each lies on, (N,).
        weight: How many independent ones each counts for, (N,).
        count: How many lines there are.
        size: How many parameters the shape has.
    """

    def __init__(self, ruler: Ruler, fixed: bool) -> None:
        self._ruler = ruler
        self._fixed = fixed
        self._numbers, self._line, counts = np.unique(
            ruler.number, return_inverse=True, return_counts=True
        )
        sharp = ruler.deep_mm is not None
        samples = SHARP_SAMPLES if sharp else STROKE_SAMPLES
        edges = [ruler.edge_px, *(side.px for side in ruler.sides)]
        self.px = np.concatenate([edges[0], ruler.px, *edges[1:]])
        first = 1 + len(self._numbers)
        self.line = np.concatenate(
            [np.zeros(len(edges[0])), 1 + self._line]
            + [np.full(len(edge), first + which) for which, edge in enumerate(edges[1:])]
        ).astype(np.int64)
        weights = [np.full(len(edge), _samples(edge) / max(len(edge), 1)) for edge in edges]
        self.weight = np.concatenate([weights[0], samples / counts[self._line], *weights[1:]])
        self.count = first + len(ruler.sides)
        across = sum(not side.along for side in ruler.sides)
        self.size = (0 if fixed else 3) + sharp + len(ruler.sides) + across

    def start(self, place: Floats | None) -> tuple[Floats, Floats, Floats]:
        """First guess of the shape, steps of derivatives by it and its doubts, (E,) each.

        Args:
            place: Where it lies, unless it is fixed.
        """
        rows: list[tuple[float, float, float]] = []
        if not self._fixed and place is not None:
            rows += [
                (float(value), step, ANYWHERE)
                for value, step in zip(place, (1e-2, 1e-2, 1e-5), strict=True)
            ]
        ruler = self._ruler
        if ruler.deep_mm is not None:
            rows.append((0.0, 1e-4, SKEW_PX / self._tall_px()))
        for side in ruler.sides:
            rows.append((side.offset_mm, 1e-2, ANYWHERE))
            if not side.along:
                long_px = float(np.hypot(*(side.px[-1] - side.px[0])))
                rows.append((0.0, 1e-4, float(np.hypot(OUT_OF_SQUARE, END_PX / long_px))))
        table = np.array(rows, dtype=np.float64).reshape(-1, 3)
        return table[:, 0], table[:, 1], table[:, 2]

    def out_of_square(self, shape: Floats) -> list[float]:
        """How far each side across is turned, in its own doubts; 0 for sides along.

        Args:
            shape: Its part of a fitted shape, (E,).
        """
        _, _, doubt = self.start(np.zeros(3))
        at = (0 if self._fixed else 3) + (self._ruler.deep_mm is not None)
        found = []
        for side in self._ruler.sides:
            found.append(0.0 if side.along else float(shape[at + 1] / doubt[at + 1]))
            at += 1 if side.along else 2
        return found

    def _tall_px(self) -> float:
        """How far apart the two points of a sharp stroke are in the picture."""
        order = np.argsort(self._ruler.number, kind="stable")
        px = self._ruler.px[order]
        return max(float(np.median(np.hypot(*(px[1::2] - px[::2]).T))), 0.5)

    def lines(self, shape: Floats) -> Floats:
        """Lines for its part of the shape, (L, 4), see ``line_fit.Lines``."""
        place, rest = (np.zeros(3), shape) if self._fixed else (shape[:3], shape[3:])
        cos, sin = np.cos(place[2]), np.sin(place[2])
        along, across = np.array([cos, sin]), np.array([-sin, cos])
        ruler = self._ruler
        normals, points = [across[None]], [np.zeros((1, 2))]
        skew, deep = 0.0, 0.0
        if ruler.deep_mm is not None:
            skew, deep, rest = float(rest[0]), ruler.deep_mm, rest[1:]
        at = self._numbers * ruler.space_mm
        normals.append(np.tile(along - skew * across, (len(at), 1)))
        points.append(at[:, None] * along + deep * across)
        middle = 0.5 * sum((side.offset_mm for side in ruler.sides if side.along), 0.0)
        for side in ruler.sides:
            if side.along:
                normals.append(across[None])
                points.append(rest[0] * across[None])
                rest = rest[1:]
            else:
                normals.append((along - rest[1] * across)[None])
                points.append((rest[0] * along + middle * across)[None])
                rest = rest[2:]
        normal = np.concatenate(normals)
        normal /= np.hypot(*normal.T)[:, None]
        offset = (normal * (np.concatenate(points) + place[:2])).sum(axis=1)
        return np.column_stack([normal, offset, np.zeros(len(normal))])
