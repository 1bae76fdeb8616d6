"""From a few copies of something to all studs of one plate: camera, growth, centres, edges."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import NotFound
from calibration.fit import Fit
from calibration.stud_border import Extent, PlateColour, find_extent, stud_field
from calibration.stud_camera import LensHints, fit_studs, upright
from calibration.stud_height import Matched, matched_place
from calibration.stud_look import Look
from calibration.stud_points import (
    Placed,
    View,
    mean_cell,
    place_all,
    rectify_view,
    roundness,
    squareness,
    windows,
)
from calibration.stud_seeds import Gray, flatten, flatten_colours
from calibration.stud_set import Studs

GROWTHS = 16
"""So often studs are looked for around those found."""

GROWN = 1.02
STILL = 2
"""After so many rounds that find less than 2 % more, all are found."""

AROUND = 5
"""At most so many steps around those found are looked at."""

MOST_STEPS = 150
"""No plates on a table have so many studs in a row."""

LOOSE_SHIFT = 0.2
"""How far from its place a new stud may be while the camera is not well known, in steps."""

FINEST_PX = 26.0
"""Studs farther apart than this, in px, are looked at in a smaller picture."""

EXACT_DETAIL, EXACT_EVEN = 3.0, 6.0
"""The same to place studs: what is evened out less is pulled less by what stands near."""

EXACT_ALIKE, EXACT_SHIFT = 0.35, 0.2
"""Studs less alike, or farther off in steps, tell nothing of the camera."""

LEAST_ROWS = 8
LEAST_SHARE = 0.22
MANY_STUDS = 150
"""So many in one lattice need no clear rim."""

LEAST_ALIKE = 0.7
"""Share of the studs that must look like one mean stud, for it to place them all."""

MOST_NOISE = 0.08
"""Studs lie where they should within this part of a step; along stripes anything matches."""

MOST_BENT = 0.35
"""A k1 larger than this is no lens: the studs do not lie in one plane."""

LEAST_INNER = 0.3
"""Share of all studs from which on those with neighbours all round are enough for the camera."""

CELL = 24
"""Rectified pixels a step to look at one mean stud."""

MOST_ROUND = 0.94
LEAST_SIDES = 0.012
"""What is so round, and has so little of a lit and a dark side, is printed."""

SHADED_PX = 9.0
"""Nearer together than this, in px, studs are too small to show a lit and a dark side for sure."""

SQUARE = "no stud grid: what repeats is square, not round like studs"
MOST_SQUARE = 0.33
LEAST_RISE = 0.3
"""Sine of the lowest elevation trusted, 17 degrees."""

TOO_LITTLE = (
    "no stud grid: too little of what repeats is there; road plates and raised plates have "
    "studs in parts only, and a crowded plate hides them: lay a plain plate or clear some of it"
)


class FlatPattern(NotFound):
    """What repeats is printed or tiled: no studs whatever size the picture is looked at."""


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """The picture at one size.

    Attributes:
        scale: This size over the picture's.
        image: (H, W, 3) BGR.
        gray: Brightness, (H, W).
    """

    scale: float
    image: NDArray[np.uint8]
    gray: NDArray[np.uint8]

    def to_picture(self, px: NDArray[np.float64]) -> NDArray[np.float64]:
        """Pixels of this size as pixels of the picture."""
        return (px + 0.5) / self.scale - 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """How the studs were looked at.

    Attributes:
        flat: Flattened brightness to find studs in, (H, W).
        exact: The same, evened out less, to place them.
        level: The picture at that size.
        look: What made a stud.
    """

    flat: Gray
    exact: Gray
    level: Level
    look: Look


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Studs in a picture.

    Attributes:
        fit: Camera over them; the table frame starts at the lattice's own zero.
        studs: In pixels of the picture.
        extent: The plate.
        matched: Where what was matched lies against the stud tops.
        assumed: What was assumed.
        sight: What is needed to look at more of the same table.
        others: So many other plates are in view.
    """

    fit: Fit
    studs: Studs
    extent: Extent
    matched: Matched
    assumed: tuple[str, ...]
    sight: Sight
    others: int = 0


@dataclass(frozen=True, slots=True)
class Plane:
    """What is known before looking.

    Attributes:
        hints: Of the lens.
        pitch_mm: Distance of neighbouring studs.
        top_mm: Height of the stud tops over z = 0.
    """

    hints: LensHints
    pitch_mm: float
    top_mm: float

    def view(self, studs: Studs) -> View:
        """The camera as far as these studs tell it."""
        fit, _ = fit_studs(studs, self.hints, self.pitch_mm, self.top_mm)
        return View(fit.intrinsics, fit.camera_T_table, self.pitch_mm, self.top_mm)


def level_of(image: NDArray[np.uint8], scale: float) -> Level:
    """The picture at a size not above its own."""
    small = image
    if scale < 1:
        shrunk = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        small = np.asarray(shrunk, dtype=np.uint8)
    # The strongest channel: in a plain mixture the studs of a blue plate all but vanish.
    return Level(scale, small, np.asarray(small.max(axis=2), dtype=np.uint8))


def settle(image: NDArray[np.uint8], level: Level, some: Studs, plane: Plane, look: Look) -> Found:
    """From some studs to exact stud centres, the camera and the plate.

    Args:
        image: (H, W, 3) BGR.
        level: The picture at the size they were found in.
        some: What repeats, in any basis of its lattice.
        plane: What is known before looking.
        look: What makes a stud.

    Raises:
        NotFound: It is no stud grid, or not clear enough.
    """
    studs = Studs(upright(some.nodes, some.px, plane.hints), some.px, some.alike)
    view = plane.view(studs.some())
    scale = min(1.0, FINEST_PX / view.pitch_px(studs.nodes))
    if scale > 1.2 * level.scale:
        level = level_of(image, scale)
    step = view.pitch_px(studs.nodes) * level.scale
    flat = _flat(level, step, look)
    studs = _grow(flat, level, studs, plane, look)
    placed, extent, view = _whole_plate(flat, level, studs, plane, look)
    studs = placed.studs(extent.good)
    if len(studs.nodes) < look.least_studs:
        raise NotFound("no stud grid: too few studs are clear")
    if len(studs.nodes) < LEAST_SHARE * float(np.prod(extent.high - extent.low + 1)):
        raise NotFound(TOO_LITTLE)
    if np.ptp(studs.nodes, axis=0).min() + 1 < LEAST_ROWS:
        raise NotFound(f"no stud grid: fewer than {LEAST_ROWS} rows of what repeats")
    if abs(view.camera_T_table[2, 2]) < LEAST_RISE:
        raise NotFound("no stud grid: it is seen too flat")
    exact = flatten(level.gray, EXACT_DETAIL * step, EXACT_EVEN * step)
    for _ in range(2):
        studs = exactly(exact, level, view, studs)
        if (
            len(studs.nodes) < look.least_exact
            or np.ptp(studs.nodes, axis=0).min() + 1 < LEAST_ROWS
        ):
            raise NotFound("no stud grid: too few studs are clear")
        view = plane.view(studs)
    if look.pooled and len(studs.nodes) < LEAST_SHARE * float(np.prod(np.ptp(studs.nodes, 0) + 1)):
        raise NotFound(TOO_LITTLE)
    if abs(view.intrinsics.distortion[0] - plane.hints.start.distortion[0]) > MOST_BENT:
        raise NotFound("no stud grid: what repeats is not flat")
    clear = studs.inner(max(look.least_studs, LEAST_INNER * len(studs.nodes)))
    matched = matched_place(exact, view.scaled(level.scale), clear.nodes)
    check_mean_stud(exact, view, level.scale, clear.nodes)
    height_mm = plane.top_mm - matched.drop_mm
    fit, assumed = fit_studs(studs, plane.hints, plane.pitch_mm, height_mm, matched.offset_mm)
    if fit.noise_px > MOST_NOISE * view.pitch_px(studs.nodes):
        raise NotFound("no stud grid: what repeats does not lie on a grid")
    return Found(fit, studs, extent, matched, assumed, Sight(flat, exact, level, look))


def _flat(level: Level, step: float, look: Look) -> Gray:
    """The picture to find studs in that are so many px apart."""
    if look.pooled:
        smooth = look.smooth * step
        return flatten_colours(level.image, look.detail * step, look.even * step, smooth)
    return flatten(level.gray, look.detail * step, look.even * step)


def _look(
    flat: Gray, level: Level, view: View, studs: Studs, margin: int, local: bool, look: Look
) -> Placed:
    """Look at every place around some studs; pixels are those of the picture."""
    placed = place_all(flat, view.scaled(level.scale), studs.nodes, margin, local, pool=look.pooled)
    return placed.moved_to(level.to_picture(placed.px))


def exactly(flat: Gray, level: Level, view: View, studs: Studs) -> Studs:
    """Place studs once more, all by one mean stud in a picture that is evened out less."""
    own = view.scaled(level.scale)
    placed = place_all(flat, own, studs.nodes, 0, local=False, exact=True)
    placed = placed.moved_to(level.to_picture(placed.px))
    low, width = placed.nodes[0], int(np.ptp(placed.nodes[:, 0])) + 1
    at = (studs.nodes - low) @ np.array([1, width])
    good = np.zeros(len(placed.nodes), dtype=bool)
    good[at] = True
    return placed.studs(good & (placed.alike > EXACT_ALIKE) & (placed.off < EXACT_SHIFT))


def _grow(flat: Gray, level: Level, studs: Studs, plane: Plane, look: Look) -> Studs:
    """Follow the studs over the plate with the camera that those found so far tell.

    Raises:
        NotFound: They get lost.
    """
    still = 0
    colour = PlateColour(level.image, plane.view(studs.some()).scaled(level.scale), studs.nodes)
    for _ in range(GROWTHS):
        # The fewer there are, the less far they tell where the next ones lie.
        around = int(np.clip(np.ptp(studs.nodes, axis=0).min() // 4, 2, AROUND))
        view = plane.view(studs.some())
        placed = _look(flat, level, view, studs, around, True, look)
        good = stud_field(placed, LOOSE_SHIFT, look).ravel() > 0
        if look.pooled:
            good &= colour.like(placed.nodes, studs.nodes, view.scaled(level.scale))
        if good.sum() < min(look.least_studs, 0.7 * len(studs.nodes)):
            raise NotFound("no stud grid: what repeats does not go on far enough")
        last, studs = len(studs.nodes), placed.studs(good)
        if np.ptp(studs.nodes, axis=0).max() > MOST_STEPS:
            raise FlatPattern("no stud grid: what repeats goes on and on, like stripes")
        still = still + 1 if len(studs.nodes) <= GROWN * last else 0
        if still == STILL:
            break
    if len(studs.nodes) < look.least_studs:
        raise NotFound("no stud grid: what repeats does not go on far enough")
    return studs


def _whole_plate(
    flat: Gray, level: Level, studs: Studs, plane: Plane, look: Look
) -> tuple[Placed, Extent, View]:
    """Look at every place of the plate once more, now that the camera is known.

    Returns:
        All places around the plate, the plate, and the camera they were looked at with.

    Raises:
        NotFound: They do not look like studs.
    """
    view = plane.view(studs.some())
    colour = PlateColour(level.image, view.scaled(level.scale), studs.nodes)
    for local in (False, True):
        placed = _look(flat, level, view, studs, 3, local, look)
        _check_looks(placed, len(studs.nodes), look)
        extent = find_extent(placed, colour, look)
        if extent.good.sum() <= LEAST_ALIKE * len(studs.nodes):
            continue
        view = plane.view(placed.studs(extent.good).some())
        placed = _look(flat, level, view, studs, 3, local, look)
        extent = find_extent(placed, colour, look)
        break
    return placed, extent, view


def _check_looks(placed: Placed, count: int, look: Look) -> None:
    """See whether what repeats looks like studs.

    Raises:
        NotFound: It does not.
    """
    if placed.squareness > MOST_SQUARE:
        raise FlatPattern(SQUARE)
    if placed.rim < look.least_rim and count < MANY_STUDS:
        raise NotFound("no stud grid: what repeats is not round like studs")


def check_mean_stud(flat: Gray, view: View, scale: float, nodes: NDArray[np.int64]) -> None:
    """See whether the mean of all is round, and has a lit and a dark side as what stands up has.

    Many studs together show it where it is lost in the grain of those that were seen first.

    Args:
        flat: Flattened brightness, evened out little, (H, W).
        view: The camera, in pixels of the picture.
        scale: Size of ``flat`` over the picture's.
        nodes: The studs, (N, 2).

    Raises:
        FlatPattern: It is not round, has no two sides, or is too small to tell.
    """
    low = nodes.min(axis=0) - 2
    extent = (nodes.max(axis=0) - low + 3) * CELL + 1
    shape = (int(extent[0]), int(extent[1]))
    rect = rectify_view(flat, view.scaled(scale), low.astype(np.float64), shape, CELL)
    cell = mean_cell(windows(rect, (nodes - low) * CELL, CELL // 2)[:, :CELL, :CELL])
    if squareness(cell) > MOST_SQUARE:
        raise FlatPattern(SQUARE)
    same, sides = roundness(cell)
    if same > MOST_ROUND and sides < LEAST_SIDES:
        if view.pitch_px(nodes) < SHADED_PX:
            raise FlatPattern(
                "no stud grid: what repeats is too small to tell studs from printed dots; "
                "move closer"
            )
        raise FlatPattern("no stud grid: what repeats is flat, like printed dots, not raised")
