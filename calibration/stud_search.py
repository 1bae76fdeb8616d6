"""The way from a picture to the studs of one plate: seeds, lattice, camera, centres, edges."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import NotFound
from calibration.fit import Fit
from calibration.homography import hull
from calibration.lattice import Lattice, grow
from calibration.stud_border import Extent, PlateColour, find_extent
from calibration.stud_camera import LensHints, fit_studs, upright
from calibration.stud_height import Matched, matched_place
from calibration.stud_points import Placed, View, place_all
from calibration.stud_seeds import Gray, find_seeds, flatten

LONGEST_SIDE_PX = 2000
SHORTEST_SIDE_PX = 150
WINDOW_PX = 64
TRIES = 4
"""Seeds followed at every size of the picture."""

ROUNDS = 2
LEAST_STUDS = 100
LEAST_SHARE = 0.3
LEAST_RIM = 1.15
MANY_STUDS = 150
"""So many in one lattice need no clear rim."""

MOST_SQUARE = 0.33
LEAST_RISE = 0.3
"""Sine of the lowest elevation trusted, 17 degrees."""


class SquarePattern(NotFound):
    """What repeats has straight edges: tiles, a printed grid, a chessboard."""


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """The picture at one size.

    Attributes:
        scale: This size over the picture's.
        image: (H, W, 3) BGR.
        flat: Flattened brightness, (H, W).
    """

    scale: float
    image: NDArray[np.uint8]
    flat: Gray

    def to_picture(self, px: NDArray[np.float64]) -> NDArray[np.float64]:
        """Pixels of this size as pixels of the picture."""
        return (px + 0.5) / self.scale - 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Studs in a picture.

    Attributes:
        fit: Camera over them; the table frame starts at the lattice's own zero.
        nodes: Stud places in steps, (N, 2).
        px: Where each was matched, pixels of the picture, (N, 2).
        extent: The plate.
        matched: Where what was matched lies against the stud tops.
        assumed: What was assumed.
    """

    fit: Fit
    nodes: NDArray[np.int64]
    px: NDArray[np.float64]
    extent: Extent
    matched: Matched
    assumed: tuple[str, ...]


def levels(image: NDArray[np.uint8]) -> Iterator[Level]:
    """The picture at sizes among which studs are 5 to 25 px apart, largest first."""
    sides = image.shape[:2]
    scale = min(1.0, LONGEST_SIDE_PX / max(sides))
    while min(sides) * scale >= SHORTEST_SIDE_PX:
        small = image
        if scale < 1:
            shrunk = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            small = np.asarray(shrunk, dtype=np.uint8)
        gray = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
        yield Level(scale, small, flatten(gray, WINDOW_PX * 2 / 3))
        scale /= 2


def find_studs(image: NDArray[np.uint8], hints: LensHints, pitch_mm: float, top_mm: float) -> Found:
    """Look for a stud grid.

    Args:
        image: (H, W, 3) BGR.
        hints: What is known of the lens.
        pitch_mm: Distance of neighbouring studs.
        top_mm: Height of the stud tops over z = 0.

    Raises:
        NotFound: There is none, or it is not clear enough.
    """
    faults: list[NotFound] = []
    refused: list[NDArray[np.float64]] = []
    for level in levels(image):
        tried: list[NDArray[np.float64]] = []
        for seed in find_seeds(level.flat, WINDOW_PX)[:TRIES]:
            middle = level.to_picture(seed.middle_px)
            if any(_covers(shape, middle) for shape in (*tried, *refused)):
                continue
            lattice = grow(level.flat, seed)
            if lattice is None or len(lattice.nodes) < LEAST_STUDS:
                faults.append(NotFound("no stud grid: what repeats does not go on far enough"))
                continue
            tried.append(hull(level.to_picture(lattice.px)))
            try:
                return _settle(level, lattice, hints, pitch_mm, top_mm)
            except SquarePattern as fault:
                faults.append(fault)
                refused.append(tried[-1])  # a shrunk picture would only hide its corners
            except NotFound as fault:
                faults.append(fault)
    square = [fault for fault in faults if isinstance(fault, SquarePattern)]
    if square or faults:
        raise (square or faults)[-1]
    raise NotFound("no stud grid: nothing repeats regularly in the picture")


def _covers(shape: NDArray[np.float64], middle: NDArray[np.float64]) -> bool:
    """Whether a point lies in a convex shape, both in px."""
    at = (float(middle[0]), float(middle[1]))
    return bool(cv2.pointPolygonTest(shape.astype(np.float32), at, False) >= 0)


def _settle(
    level: Level, lattice: Lattice, hints: LensHints, pitch_mm: float, top_mm: float
) -> Found:
    """From a lattice to exact stud centres, the camera and the plate.

    Args:
        level: The picture at the size the lattice was found in.
        lattice: What repeats.
        hints: What is known of the lens.
        pitch_mm: Distance of neighbouring studs.
        top_mm: Height of the stud tops over z = 0.

    Raises:
        NotFound: It is no stud grid, or not clear enough.
    """
    if lattice.share < LEAST_SHARE:
        raise NotFound("no stud grid: too little of what repeats is there")
    px = level.to_picture(lattice.px)
    nodes = upright(lattice.nodes, px, hints)
    nodes, px, extent = _look_again(level, nodes, px, hints, pitch_mm, top_mm)
    for _ in range(ROUNDS - 1):
        nodes, px, extent = _look_again(level, nodes, px, hints, pitch_mm, top_mm)
    fit, _ = fit_studs(nodes, px, hints, pitch_mm, top_mm)
    if len(nodes) < LEAST_SHARE * float(np.prod(extent.high - extent.low + 1)):
        raise NotFound("no stud grid: too little of what repeats is there")
    if abs(fit.camera_T_table[2, 2]) < LEAST_RISE:
        raise NotFound("no stud grid: it is seen too flat")
    view = View(fit.intrinsics, fit.camera_T_table, pitch_mm, top_mm).scaled(level.scale)
    matched = matched_place(level.flat, view, nodes)
    height_mm = top_mm - matched.drop_mm
    fit, assumed = fit_studs(nodes, px, hints, pitch_mm, height_mm, matched.offset_mm)
    return Found(fit, nodes, px, extent, matched, assumed)


def _look_again(
    level: Level,
    nodes: NDArray[np.int64],
    px: NDArray[np.float64],
    hints: LensHints,
    pitch_mm: float,
    top_mm: float,
) -> tuple[NDArray[np.int64], NDArray[np.float64], Extent]:
    """Fit the camera, look at every place of the plate through it, and keep what are studs.

    Args:
        level: The picture.
        nodes: Studs so far, (N, 2).
        px: Where they are in the whole picture, (N, 2).
        hints: What is known of the lens.
        pitch_mm: Distance of neighbouring studs.
        top_mm: Height of the stud tops over z = 0.

    Returns:
        Studs, their pixels and the plate.

    Raises:
        NotFound: They do not look like studs, or there are too few.
    """
    fit, _ = fit_studs(nodes, px, hints, pitch_mm, top_mm)
    view = View(fit.intrinsics, fit.camera_T_table, pitch_mm, top_mm).scaled(level.scale)
    placed = place_all(level.flat, view, nodes)
    _check_looks(placed, len(nodes))
    extent = find_extent(placed, PlateColour(level.image, view, nodes))
    if extent.good.sum() < LEAST_STUDS:
        raise NotFound("no stud grid: too few studs are clear")
    return placed.nodes[extent.good], level.to_picture(placed.px[extent.good]), extent


def _check_looks(placed: Placed, count: int) -> None:
    """See whether what repeats looks like studs.

    Raises:
        NotFound: It does not.
    """
    if placed.squareness > MOST_SQUARE:
        raise SquarePattern("no stud grid: what repeats is square, not round like studs")
    if placed.rim < LEAST_RIM and count < MANY_STUDS:
        raise NotFound("no stud grid: what repeats is not round like studs")
