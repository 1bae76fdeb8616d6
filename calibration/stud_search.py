"""Where in a picture studs may be: seeds at several sizes, lattices from them, the best one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import NotFound
from calibration.homography import hull
from calibration.lattice import Lattice, foretold, grow
from calibration.stud_camera import LensHints, fit_studs
from calibration.stud_look import PLAIN, POOLED, Look
from calibration.stud_plates import LEAST_STUDS, follow, gathered, like_studs
from calibration.stud_points import View
from calibration.stud_proof import check_proof
from calibration.stud_seeds import Gray, find_seeds, flatten, flatten_colours
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

POOLED_EFFORTS = (Effort(96, 48, 9, 11, 16, 40),)
"""Where these find nothing: what is faint, matched together with its neighbours."""

LEAST_FORETOLD = 0.55
"""Of the copies of such a lattice this share must be seen where the others say: in wood, grass or
cloth it is a third."""

BLUR_SIDE_PX = 1280
BLURRED, VERY_BLURRED = 0.75, 0.93
"""From here on it explains why nothing was found; from there on nothing found can be exact."""

SHARES_JUDGED = (99.0, 99.98)
"""Both the steepest hundredth and the steepest few pixels must be blurred: where little lies on a
table, a hundredth of the picture is bare table, which is smooth however sharp the picture is."""

LEAST_SLOPE = 1.0
"""Grey levels a px; what is less steep after blurring it is light that changes, and no outline."""

BLURRED_PICTURE = "no stud grid: the picture is blurred; hold the camera still or focus it"

SETTLED = 4
"""So many lattices are followed to the end, the largest first."""

SURE, TRIES = 0.004, 6
"""Where the first plate leaves focal length or k1 less sure than this (relative; absolute), so many
lattices are looked for beside it."""

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

    @property
    def studs(self) -> Studs:
        """Its copies, in pixels of the picture."""
        px = self.level.to_picture(self.lattice.px)
        return Studs(self.lattice.nodes, px, self.lattice.alike)


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
    try:
        return _search(image, sizes, EFFORTS, PLAIN, plane)
    except FlatPattern:
        raise
    except NotFound as fault:
        try:
            return _search(image, sizes, POOLED_EFFORTS, POOLED, plane)
        except NotFound:
            if blur > BLURRED:
                raise NotFound(BLURRED_PICTURE) from None
            raise fault from None


def look_again(
    image: NDArray[np.uint8], found: Found, hints: LensHints, pitch_mm: float, top_mm: float
) -> Found:
    """Look for the fainter studs of a plate too, once some are known.

    Args:
        image: (H, W, 3) BGR.
        found: What was found in it.
        hints: What is known of the lens.
        pitch_mm: Distance of neighbouring studs.
        top_mm: Height of the stud tops over z = 0.

    Raises:
        NotFound: They do not prove to be one grid.
    """
    plane = Plane(hints, pitch_mm, top_mm)
    again = settle(image, found.sight.level, found.studs, plane, POOLED)
    check_proof(again, plane)
    return _with_others(again, [], plane)


def _search(
    image: NDArray[np.uint8],
    sizes: list[Level],
    efforts: tuple[Effort, ...],
    look: Look,
    plane: Plane,
) -> Found:
    """Look ever harder, in one way.

    Raises:
        NotFound: There is none, or it is not clear enough.
    """
    fault = NotFound("no stud grid: nothing repeats regularly in the picture")
    refused: list[NDArray[np.float64]] = []
    for effort in efforts:
        candidates = _candidates(sizes, effort, look)
        for candidate in candidates[:SETTLED]:
            if any(_covers(shape, candidate.outline_px.mean(axis=0)) for shape in refused):
                continue
            try:
                found = settle(image, candidate.level, candidate.studs, plane, look)
                check_proof(found, plane)
            except FlatPattern as flat:
                fault = flat
                refused.append(candidate.outline_px)  # a shrunk picture would hide its corners
            except NotFound as other:
                fault = fault if isinstance(fault, FlatPattern) else other
            else:
                return _with_others(found, candidates, plane)
        if refused:
            break  # smaller windows would only find the same print again, in pieces
    raise fault


def blur_of(gray: NDArray[np.uint8]) -> float:
    """How much of the slope of a picture's sharpest edges is left when it is blurred again.

    Args:
        gray: Brightness, (H, W).

    Returns:
        0.4 to 0.6 for a sharp picture, up to 1; 0 where nothing is in it that could be sharp.
    """
    height, width = gray.shape
    scale = min(1.0, BLUR_SIDE_PX / max(height, width))
    small = cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    fine = cv2.GaussianBlur(small.astype(np.float32), (0, 0), 1.0)
    sharp, soft = (
        _steepest(np.asarray(one, dtype=np.float32))
        for one in (fine, cv2.GaussianBlur(fine, (0, 0), 3.0))
    )
    if soft.max() < LEAST_SLOPE:
        return 0.0
    left, left_of_few = (float(one) for one in soft / np.maximum(sharp, 1e-6))
    return left if left_of_few > BLURRED else min(left, left_of_few)


def _steepest(smooth: Gray) -> NDArray[np.float64]:
    """Slopes that the steepest parts of a picture reach, grey levels a px, by ``SHARES_JUDGED``."""
    dx, dy = (cv2.Sobel(smooth, cv2.CV_32F, *way, scale=1 / 8) for way in ((1, 0), (0, 1)))
    return np.asarray(np.percentile(cv2.magnitude(dx, dy), SHARES_JUDGED), dtype=np.float64)


def _candidates(sizes: list[Level], effort: Effort, look: Look) -> list[Candidate]:
    """Lattices in a picture, the largest first."""
    found: list[Candidate] = []
    for level in sizes:
        if look.pooled:
            flat = flatten_colours(level.image, effort.detail, effort.level)
        else:
            flat = flatten(level.gray, effort.detail, effort.level)
        for seed in find_seeds(flat, effort.window, effort.step)[: effort.tries]:
            middle = level.to_picture(seed.middle_px)
            if any(
                _covers(other.outline_px, middle)
                for other in found
                if len(other.lattice.nodes) >= COVERING
            ):
                continue
            lattice = grow(flat, seed, look=look)
            if lattice is not None and _worth(flat, lattice, effort, look):
                found.append(Candidate(level, lattice, hull(level.to_picture(lattice.px))))
    return sorted(found, key=lambda one: -_weight(one.lattice, look))


def _weight(lattice: Lattice, look: Look) -> float:
    """Copies that make up a lattice; pooled ones are also seen by chance, and scattered then."""
    return len(lattice.nodes) * (lattice.share if look.pooled else 1.0)


def _worth(flat: Gray, lattice: Lattice, effort: Effort, look: Look) -> bool:
    """Whether a lattice is worth following to the end, which takes a hundred times as long."""
    if len(lattice.nodes) < effort.least:
        return False
    return not look.pooled or foretold(flat, lattice) >= LEAST_FORETOLD


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
    for lattice in _elsewhere(found, view, height_mm, candidates, shapes):
        studs = follow(found.sight, view, lattice, height_mm)
        if studs is None:
            others += len(lattice.nodes) >= COVERING
            shapes.append(hull(lattice.px))
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


def _elsewhere(
    found: Found,
    view: View,
    height_mm: float,
    candidates: list[Candidate],
    shapes: list[NDArray[np.float64]],
) -> Iterator[Studs]:
    """Lattices beside the plates found so far: those seen before, then those looked for now.

    Args:
        found: The first plate.
        view: Its camera.
        height_mm: Height of what was matched over z = 0.
        candidates: Lattices seen before.
        shapes: Outlines of what has been dealt with; the caller adds to them.
    """
    for candidate in candidates:
        if not any(_covers(shape, candidate.outline_px.mean(axis=0)) for shape in shapes):
            yield candidate.studs
    if found.fit.focal_sigma < SURE and found.fit.covariance[7, 7] < SURE**2:
        return  # they would tell nothing new
    sight, tries = found.sight, 0
    level = sight.level
    for seed in like_studs(sight, view, found.studs.nodes, height_mm):
        middle = level.to_picture(seed.middle_px)
        if any(_covers(shape, middle) for shape in shapes):
            continue
        tries += 1
        lattice = grow(sight.flat, seed, look=sight.look)
        if lattice is not None and len(lattice.nodes) >= LEAST_STUDS:
            yield Studs(lattice.nodes, level.to_picture(lattice.px), lattice.alike)
        if tries == TRIES:
            return


def _covers(shape: NDArray[np.float64], middle: NDArray[np.float64]) -> bool:
    """Whether a point lies in a convex shape, both in px."""
    at = (float(middle[0]), float(middle[1]))
    return bool(cv2.pointPolygonTest(shape.astype(np.float32), at, False) >= 0)
