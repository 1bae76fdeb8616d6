"""Where in a picture studs may be: seeds at several sizes, lattices from them, the best one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import NotFound
from calibration.homography import hull
from calibration.lattice import Lattice, grow
from calibration.stud_camera import LensHints, fit_studs
from calibration.stud_plates import follow, gathered
from calibration.stud_points import View
from calibration.stud_seeds import Gray, find_seeds, flatten
from calibration.stud_set import Studs
from calibration.stud_settle import FlatPattern, Found, Level, Plane, level_of, settle

LONGEST_SIDE_PX = 2000
SHORTEST_SIDE_PX = 150


@dataclass(frozen=True, slots=True)
class Effort:
    """How hard to look.

    Attributes:
        window: Side of the windows in px; several studs must fit in.
        step: From one window to the next, px.
        detail: Larger things are taken away, px.
        level: Over how much contrast is evened out, px.
        tries: Seeds followed at every size of the picture.
        least: Copies that make a lattice worth following.
    """

    window: int
    step: int
    detail: float
    level: float
    tries: int
    least: int


EFFORTS = (
    Effort(64, 64, 43, 87, 8, 60),
    Effort(64, 32, 43, 21, 24, 24),
    Effort(48, 24, 15, 11, 40, 24),
)
"""Quick for plain plates; then ever smaller windows for small and crowded ones."""

BLUR_SIDE_PX = 1280
BLURRED, VERY_BLURRED = 0.75, 0.93
"""From here on it explains why nothing was found; from there on nothing found can be exact."""

BLURRED_PICTURE = "no stud grid: the picture is blurred; hold the camera still or focus it"

SETTLED = 4
"""So many lattices are followed to the end, the largest first."""

COVERING = 60
"""A lattice of so many copies keeps others from starting inside it."""


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A lattice at one size of the picture.

    Attributes:
        level: The picture at that size.
        lattice: What repeats.
        outline_px: Hull of it, pixels of the picture, (M, 2).
    """

    level: Level
    lattice: Lattice
    outline_px: NDArray[np.float64]


def levels(image: NDArray[np.uint8]) -> Iterator[Level]:
    """The picture at sizes among which studs are 5 to 25 px apart, largest first."""
    sides = image.shape[:2]
    scale = min(1.0, LONGEST_SIDE_PX / max(sides))
    while min(sides) * scale >= SHORTEST_SIDE_PX:
        yield level_of(image, scale)
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
    plane = Plane(hints, pitch_mm, top_mm)
    sizes = list(levels(image))
    blur = blur_of(sizes[0].gray) if sizes else 0.0
    if blur > VERY_BLURRED:
        raise NotFound(BLURRED_PICTURE)
    fault = NotFound("no stud grid: nothing repeats regularly in the picture")
    refused: list[NDArray[np.float64]] = []
    for effort in EFFORTS:
        candidates = _candidates(sizes, effort)
        for candidate in candidates[:SETTLED]:
            if any(_covers(shape, candidate.outline_px.mean(axis=0)) for shape in refused):
                continue
            try:
                found = settle(image, candidate.level, candidate.lattice, plane)
            except FlatPattern as flat:
                fault = flat
                refused.append(candidate.outline_px)  # a shrunk picture would hide its corners
            except NotFound as other:
                fault = fault if isinstance(fault, FlatPattern) else other
            else:
                return _with_others(found, candidates, plane)
        if refused:
            break  # smaller windows would only find the same print again, in pieces
    if blur > BLURRED:
        raise NotFound(BLURRED_PICTURE)
    raise fault


def blur_of(gray: NDArray[np.uint8]) -> float:
    """How much of the slope of a picture's sharpest edges is left when it is blurred again.

    Args:
        gray: Brightness, (H, W).

    Returns:
        0.4 to 0.6 for a sharp picture, up to 1.
    """
    height, width = gray.shape
    scale = min(1.0, BLUR_SIDE_PX / max(height, width))
    small = cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    fine = cv2.GaussianBlur(small.astype(np.float32), (0, 0), 1.0)
    sharp, soft = (
        _steepest(np.asarray(one, dtype=np.float32))
        for one in (fine, cv2.GaussianBlur(fine, (0, 0), 3.0))
    )
    return soft / max(sharp, 1e-6)


def _steepest(smooth: Gray) -> float:
    """Slope of the steepest hundredth of a picture."""
    dx, dy = cv2.Sobel(smooth, cv2.CV_32F, 1, 0), cv2.Sobel(smooth, cv2.CV_32F, 0, 1)
    return float(np.percentile(cv2.magnitude(dx, dy), 99))


def _candidates(sizes: list[Level], effort: Effort) -> list[Candidate]:
    """Lattices in a picture, the largest first."""
    found: list[Candidate] = []
    for level in sizes:
        flat = flatten(level.gray, effort.detail, effort.level)
        for seed in find_seeds(flat, effort.window, effort.step)[: effort.tries]:
            middle = level.to_picture(seed.middle_px)
            if any(
                _covers(other.outline_px, middle)
                for other in found
                if len(other.lattice.nodes) >= COVERING
            ):
                continue
            lattice = grow(flat, seed)
            if lattice is not None and len(lattice.nodes) >= effort.least:
                found.append(Candidate(level, lattice, hull(level.to_picture(lattice.px))))
    return sorted(found, key=lambda one: -len(one.lattice.nodes))


def _with_others(found: Found, candidates: list[Candidate], plane: Plane) -> Found:
    """Let other plates on the table tell the camera too.

    Args:
        found: The largest plate.
        candidates: Every lattice seen.
        plane: What is known before looking.

    Returns:
        The same plate, its camera fitted over all plates.
    """
    fit, matched = found.fit, found.matched
    height_mm = plane.top_mm - matched.drop_mm
    view = View(fit.intrinsics, fit.camera_T_table, plane.pitch_mm, plane.top_mm)
    shapes = [hull(found.studs.px)]
    plates: list[Studs] = []
    others = 0
    for candidate in candidates:
        middle = candidate.outline_px.mean(axis=0)
        if any(_covers(shape, middle) for shape in shapes):
            continue
        px = candidate.level.to_picture(candidate.lattice.px)
        lattice = Studs(candidate.lattice.nodes, px, candidate.lattice.alike)
        studs = follow(found.sight, view, lattice, height_mm)
        if studs is None:
            others += len(lattice.nodes) >= COVERING
            shapes.append(candidate.outline_px)
        else:
            plates.append(studs)
            shapes.append(hull(studs.px))
    more = gathered(plates, view, height_mm)
    if more is None:
        return replace(found, others=others)
    fit, assumed = fit_studs(
        found.studs, plane.hints, plane.pitch_mm, height_mm, matched.offset_mm, more
    )
    return replace(found, fit=fit, assumed=assumed, others=others + len(plates))


def _covers(shape: NDArray[np.float64], middle: NDArray[np.float64]) -> bool:
    """Whether a point lies in a convex shape, both in px."""
    at = (float(middle[0]), float(middle[1]))
    return bool(cv2.pointPolygonTest(shape.astype(np.float32), at, False) >= 0)
