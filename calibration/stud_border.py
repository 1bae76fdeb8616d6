"""Where the plate ends: which places of the grid have studs, and whether all edges are seen."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.spatial import KDTree

from calibration.errors import NotFound
from calibration.stud_look import Look
from calibration.stud_points import Placed, View

SHIFT = 0.12
"""A stud this far from its place, in steps, is none of the plate's."""

EDGE_SHARE = 0.3
"""An edge row has at least this share of studs of what the plate has elsewhere."""

EDGE_IN_VIEW = 0.6
"""Share of an edge that must be in the picture."""

USUAL = (16, 24, 32, 48, 64, 96)
"""Studs of plates sold, and of two side by side; preferred where studs are not clear."""

MOST_MISSING = 3
"""So many lines may be added for that."""

COLOUR_NOISE = 8.0
"""Colours (CIE Lab in 8 bits) nearer than this are one colour in any picture."""

NEIGHBOURS = 5
PAINT = (40.0, 16.0, 16.0)
"""How far the colour of a stud may be from its neighbours': light changes more than colour."""

LIKE = 0.5
"""Share of an edge's cells that makes the edge."""


@dataclass(frozen=True, slots=True, eq=False)
class Extent:
    """A plate in its own grid.

    Attributes:
        low: First place along both axes, (2,).
        high: Last place along both axes, (2,).
        closed: All four edges are in the picture.
        good: Which of the places looked at are studs of the plate, (N,).
    """

    low: NDArray[np.int64]
    high: NDArray[np.int64]
    closed: bool
    good: NDArray[np.bool_]


class PlateColour:
    """Colours of whole cells, to see where a plate goes on although its studs are not clear."""

    def __init__(self, image: NDArray[np.uint8], view: View, nodes: NDArray[np.int64]) -> None:
        """Prepare a picture.

        Args:
            image: (H, W, 3) BGR at the size ``view`` projects to.
            view: The camera.
            nodes: Some studs of the plate, (N, 2).
        """
        self.view = view
        size = max(1, round(0.7 * view.pitch_px(nodes)))
        lab = cv2.cvtColor(image, cv2.COLOR_BGR2LAB)
        self.lab = cv2.blur(lab, (size, size)).astype(np.float32)

    def at(self, places: NDArray[np.int64]) -> NDArray[np.float64]:
        """Colour of cells, (N, 2) to (N, 3), NaN outside the picture."""
        px = self.view.project(places.astype(np.float64))
        height, width = self.lab.shape[:2]
        with np.errstate(invalid="ignore"):
            inside = np.all(
                (px >= 0) & (px <= np.array([width, height]) - 1), axis=1, keepdims=True
            )
        at = np.round(np.where(inside, px, 0)).astype(np.int64)
        colours = np.asarray(self.lab[at[:, 1], at[:, 0]], dtype=np.float64)
        colours[~inside[:, 0]] = np.nan
        return colours

    def like(
        self, places: NDArray[np.int64], known: NDArray[np.int64], view: View
    ) -> NDArray[np.bool_]:
        """Whether places have the colour of the studs nearest to them.

        Args:
            places: (N, 2).
            known: Studs so far, (M, 2), M at least 5.
            view: The camera as far as these tell it.

        Returns:
            (N,), False outside the picture.
        """
        self.view = view
        colours = self.at(known)
        seen = np.isfinite(colours).all(axis=1)
        if seen.sum() < NEIGHBOURS:
            return np.zeros(len(places), dtype=bool)
        _, nearest = KDTree(known[seen]).query(places, NEIGHBOURS)
        usual = np.median(colours[seen][nearest], axis=1)
        return np.asarray((np.abs(self.at(places) - usual) < PAINT).all(axis=1))

    def goes_on(self, edge: NDArray[np.int64], outwards: NDArray[np.int64]) -> float:
        """Share of an edge's cells whose outer neighbour looks like the plate.

        Args:
            edge: Cells of the outermost line, (N, 2).
            outwards: Step out of the plate, (2,).

        Returns:
            0 to 1; NaN where the outer line is not in the picture.
        """
        own, outer = self.at(edge), self.at(edge + outwards)
        inner = self.at(edge - outwards)
        off = np.linalg.norm(own - outer, axis=1)
        within = np.linalg.norm(own - inner, axis=1)
        seen = np.isfinite(off) & np.isfinite(within)
        if seen.mean() < EDGE_IN_VIEW:
            return float("nan")
        usual = float(np.median(within[seen]))
        return float((off[seen] < max(COLOUR_NOISE, 2 * usual)).mean())


def stud_field(placed: Placed, shift: float, look: Look) -> NDArray[np.float32]:
    """Which places have studs that stand in company.

    Args:
        placed: A rectangle of places, looked at.
        shift: How far from its place a stud may be, in steps.
        look: What makes a stud.

    Returns:
        1 and 0 by row and column, (NY, NX).
    """
    size = placed.nodes.max(axis=0) - placed.nodes.min(axis=0) + 1
    stud = (placed.alike > look.alike) & (placed.off < shift)
    field = stud.reshape(size[1], size[0]).astype(np.float32)
    near = cv2.boxFilter(field, -1, (3, 3), normalize=False, borderType=cv2.BORDER_CONSTANT)
    wide = cv2.boxFilter(field, -1, (7, 7), normalize=False, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(field * (near >= look.near) * (wide >= look.wide), dtype=np.float32)


def find_extent(placed: Placed, colour: PlateColour, look: Look) -> Extent:
    """Decide where the plate ends.

    Args:
        placed: A rectangle of places, looked at.
        colour: The picture they were looked at in.
        look: What makes a stud.

    Returns:
        The plate.

    Raises:
        NotFound: No studs stand together.
    """
    low = placed.nodes.min(axis=0)
    field = stud_field(placed, SHIFT, look)
    if not field.any():
        raise NotFound("no stud grid: too few studs are clear")
    lines = (field.sum(axis=0), field.sum(axis=1))
    first = low + np.array([_run(line)[0] for line in lines])
    last = low + np.array([_run(line)[1] for line in lines])
    for axis in range(2):
        _towards_usual(first, last, axis, colour)
    (x0, y0), (x1, y1) = first - low, last - low
    mask = np.zeros_like(field)
    mask[max(y0, 0) : y1 + 1, max(x0, 0) : x1 + 1] = 1
    return Extent(
        low=first,
        high=last,
        closed=all(_ends(first, last, axis, side, colour) for axis in (0, 1) for side in (0, 1)),
        good=(field * mask).ravel() > 0,
    )


def _edge(
    first: NDArray[np.int64], last: NDArray[np.int64], axis: int, side: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Cells of an outermost line and the step out of the plate.

    Args:
        first: First place along both axes, (2,).
        last: Last place along both axes, (2,).
        axis: Which axis the line stands across.
        side: 0 for the first line, 1 for the last.

    Returns:
        (N, 2) and (2,).
    """
    along = np.arange(first[1 - axis], last[1 - axis] + 1)
    cells = np.zeros((len(along), 2), dtype=np.int64)
    cells[:, 1 - axis] = along
    cells[:, axis] = (first, last)[side][axis]
    step = np.zeros(2, dtype=np.int64)
    step[axis] = (-1, 1)[side]
    return cells, step


def _towards_usual(
    first: NDArray[np.int64], last: NDArray[np.int64], axis: int, colour: PlateColour
) -> None:
    """Move an axis' ends, in place, to a plate that is sold where the colours allow it."""
    for _ in range(MOST_MISSING):
        count = int(last[axis] - first[axis] + 1)
        missing = [usual - count for usual in USUAL if -1 <= usual - count <= MOST_MISSING]
        if not missing or 0 in missing:
            return
        sides = [_edge(first, last, axis, side) for side in (0, 1)]
        if missing[0] == -1:
            inside = [colour.goes_on(cells - step, step) for cells, step in sides]
            worst = int(np.argmin(np.nan_to_num(inside, nan=1.0)))
            if not inside[worst] < LIKE:
                return
            (first, last)[worst][axis] -= sides[worst][1][axis]
            continue
        outside = [colour.goes_on(cells, step) for cells, step in sides]
        best = int(np.argmax(np.nan_to_num(outside, nan=-1.0)))
        if not outside[best] >= LIKE:
            return
        (first, last)[best][axis] += sides[best][1][axis]


def _ends(
    first: NDArray[np.int64],
    last: NDArray[np.int64],
    axis: int,
    side: int,
    colour: PlateColour,
) -> bool:
    """Whether one edge of the plate is in the picture and really its edge."""
    likeness = colour.goes_on(*_edge(first, last, axis, side))
    usual = int(last[axis] - first[axis] + 1) in USUAL
    return bool(np.isfinite(likeness)) and (usual or likeness < LIKE)


def _run(lines: NDArray[np.floating]) -> tuple[int, int]:
    """First and last line that belongs to the plate, by the studs in every line."""
    usual = float(np.median(lines[lines > 0.2 * lines.max()]))
    strong = np.nonzero(lines >= EDGE_SHARE * usual)[0]
    return int(strong[0]), int(strong[-1])
