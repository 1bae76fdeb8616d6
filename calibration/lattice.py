"""A square lattice of like things on a plane, grown from one seed through the picture."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.homography import fit_homography
from calibration.peaks import peak_shifts
from calibration.rays import homogeneous
from calibration.stud_look import PLAIN, Look
from calibration.stud_pool import pooled_shifts
from calibration.stud_seeds import Gray, Seed

CELL = 16
"""Rectified pixels a step."""

SEARCH = 0.3
"""How far from its expected place a copy is looked for, in steps."""

LEAST_SHARE = 0.2
"""What is scattered more thinly over its own bounds is no lattice, once it is large."""

FAR, FAR_MARGIN = 0.45, 2
"""How far a copy is looked for to see whether the others foretell it, in steps."""

LEAST_HALF = 8
"""So few copies foretell nothing."""

FIT = 0.12
"""Copies this near to where the lattice has them are part of it, in steps."""


@dataclass(frozen=True, slots=True, eq=False)
class Lattice:
    """Copies of one pattern at whole-numbered places of a plane.

    Attributes:
        image_H_lattice: (3, 3) from lattice steps to undistorted pixels.
        nodes: Whole-numbered places of the copies, (N, 2).
        px: Where they are seen, (N, 2).
        pattern: Mean copy, (CELL, CELL), the place itself at its centre.
        alike: Correlation of every copy with the mean, (N,).
        share: Copies found over places looked at inside their bounds.
    """

    image_H_lattice: NDArray[np.float64]
    nodes: NDArray[np.int64]
    px: NDArray[np.float64]
    pattern: NDArray[np.float32]
    alike: NDArray[np.float64]
    share: float


def rectify(
    flat: Gray, image_H_lattice: NDArray[np.float64], bounds: NDArray[np.int64], margin: int = 1
) -> Gray:
    """The picture with lattice steps as squares of CELL pixels.

    Args:
        flat: Flattened brightness, (H, W).
        image_H_lattice: (3, 3).
        bounds: Lowest and highest place, (2, 2).
        margin: Steps around these.

    Returns:
        Rectified picture; place p has its centre at (p - bounds[0] + margin) * CELL.
    """
    low = bounds[0] - margin
    size = np.round((bounds[1] - bounds[0] + 2 * margin) * CELL).astype(int) + 1
    lattice_H_rect = np.array([[1 / CELL, 0, low[0]], [0, 1 / CELL, low[1]], [0, 0, 1.0]])
    warp = image_H_lattice @ lattice_H_rect
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpPerspective(flat, warp, (int(size[0]), int(size[1])), flags=flags, borderValue=0),
        dtype=np.float32,
    )


def _patches(rect: Gray, places: NDArray[np.int64], margin: int, half: int) -> NDArray[np.float32]:
    """Windows around places given from the low bound on, (N, 2 half + 1, 2 half + 1)."""
    views = np.lib.stride_tricks.sliding_window_view(rect, (2 * half + 1, 2 * half + 1))
    at = (places + margin) * CELL - half
    return np.asarray(views[at[:, 1], at[:, 0]], dtype=np.float32)


def _crowd(keep: NDArray[np.bool_], shape: tuple[int, int]) -> NDArray[np.bool_]:
    """Those kept whose neighbours are mostly kept: chance finds off the plate stand alone.

    Args:
        keep: Of all places row by row, (N,).
        shape: Places along x and y.

    Returns:
        (N,).
    """
    field = keep.reshape(shape[1], shape[0]).astype(np.float32)
    near = cv2.boxFilter(field, -1, (3, 3), normalize=False, borderType=cv2.BORDER_CONSTANT)
    wide = cv2.boxFilter(field, -1, (7, 7), normalize=False, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(keep & (near.ravel() >= 4) & (wide.ravel() >= 9))


def _search(
    rect: Gray,
    pattern: NDArray[np.float32],
    shape: tuple[int, int],
    margin: int,
    pool: bool = False,
    search: float = SEARCH,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Best match of the pattern near every place.

    Args:
        rect: Rectified picture.
        pattern: Mean copy, odd side.
        shape: Places along x and y.
        margin: Steps around them in ``rect``.
        pool: Every place is matched together with its neighbours.
        search: How far to look, in steps.

    Returns:
        Correlations, (nx * ny,), and shifts in steps, (nx * ny, 2), row by row.
    """
    half = pattern.shape[0] // 2
    score = cv2.matchTemplate(rect, pattern, cv2.TM_CCOEFF_NORMED)
    np.nan_to_num(score, copy=False, nan=-1.0, posinf=-1.0, neginf=-1.0)
    reach = round(search * CELL)
    every = np.stack(np.meshgrid(np.arange(shape[0]), np.arange(shape[1])), -1).reshape(-1, 2)
    size = 2 * reach + 3
    views = np.lib.stride_tricks.sliding_window_view(score, (size, size))
    at = (every + margin) * CELL - half - reach - 1
    fields = views[at[:, 1], at[:, 0]]
    shifts, alike = pooled_shifts(fields, shape) if pool else peak_shifts(fields)
    return alike, shifts / CELL


def _inside(
    image_H_lattice: NDArray[np.float64], places: NDArray[np.float64], shape: tuple[int, ...]
) -> NDArray[np.bool_]:
    """Whether places are in front of the camera and in the picture."""
    depth = np.column_stack([places, np.ones(len(places))]) @ image_H_lattice[2]
    px = homogeneous(image_H_lattice, places)
    with np.errstate(invalid="ignore"):
        return np.asarray(
            (depth > 0)
            & (px[:, 0] >= 0)
            & (px[:, 1] >= 0)
            & (px[:, 0] <= shape[1] - 1)
            & (px[:, 1] <= shape[0] - 1)
        )


def _fit_lattice(
    nodes: NDArray[np.int64], px: NDArray[np.float64], affine: bool
) -> NDArray[np.float64]:
    """Homography from places to pixels, affine where there is too little for more."""
    if affine:
        rows = np.column_stack([nodes, np.ones(len(nodes))])
        solved = np.linalg.lstsq(rows, px, rcond=None)[0].T
        return np.vstack([solved, [0, 0, 1]])
    return fit_homography(nodes.astype(np.float64), px)[0]


def _grown(
    matrix: NDArray[np.float64], bounds: NDArray[np.int64], shape: tuple[int, ...], most: int
) -> NDArray[np.int64]:
    """Bounds pushed out by half of their size on every side, kept near the picture."""
    reach = np.maximum((bounds[1] - bounds[0]) // 3, 2)
    low, high = bounds[0] - reach, bounds[1] + reach
    grid = np.stack(np.meshgrid(np.arange(low[0], high[0] + 1), np.arange(low[1], high[1] + 1)), -1)
    places = grid.reshape(-1, 2)
    seen = places[_inside(matrix, places.astype(np.float64), shape)]
    if not len(seen):
        return bounds
    low, high = seen.min(axis=0), seen.max(axis=0)
    middle = (bounds[0] + bounds[1]) // 2
    return np.stack([np.maximum(low, middle - most), np.minimum(high, middle + most)])


def grow(flat: Gray, seed: Seed, most: int = 60, look: Look = PLAIN) -> Lattice | None:
    """Follow a repeating pattern from a seed as far as it goes.

    Each round looks for the mean copy at the places around those found, fits the plane to all
    that agree with it and goes on from there.

    Args:
        flat: Flattened brightness, (H, W).
        seed: Where to start.
        most: Farthest place from the start in steps.
        look: What makes a copy.

    Returns:
        The lattice, None where the pattern does not hold.
    """
    matrix = np.eye(3)
    matrix[:2, :2] = seed.basis_px
    matrix[:2, 2] = seed.middle_px
    bounds = np.array([[-2, -2], [2, 2]])
    half = CELL * 5 // 8
    pattern: NDArray[np.float32] | None = None
    last, best = 0, None
    for _ in range(14):
        rect = rectify(flat, matrix, bounds)
        nx, ny = (int(value) for value in bounds[1] - bounds[0] + 1)
        every = np.stack(np.meshgrid(np.arange(nx), np.arange(ny)), -1).reshape(-1, 2)
        if pattern is None:
            pattern = np.median(_patches(rect, every, 1, half), axis=0).astype(np.float32)
        alike, shifts = _search(rect, pattern, (nx, ny), 1, look.pooled)
        seen = _inside(matrix, (every + bounds[0]).astype(np.float64), flat.shape)
        good = seen & (alike > look.seed_alike)
        if good.sum() < 8:
            return best
        nodes = every + bounds[0]
        px = homogeneous(matrix, nodes + shifts)
        keep = good
        for _ in range(3):
            matrix_new = _fit_lattice(nodes[keep], px[keep], affine=keep.sum() < 40)
            back = homogeneous(np.linalg.inv(matrix_new).astype(np.float64), px)
            off = np.hypot(*(back - nodes).T)
            keep = good & (off < FIT)
            if keep.sum() < 8:
                return best
        matrix = matrix_new
        keep = _crowd(keep, (nx, ny))
        if keep.sum() < 8:
            return best
        nodes_in = nodes[keep]
        low, high = nodes_in.min(axis=0), nodes_in.max(axis=0)
        area = seen & (nodes >= low).all(axis=1) & (nodes <= high).all(axis=1)
        share = float(keep.sum() / max(area.sum(), 1))
        pattern = _patches(rect, every[keep], 1, half).mean(axis=0)
        if look.pooled and share < LEAST_SHARE and len(nodes_in) > 40:
            return None
        best = Lattice(matrix, nodes_in, px[keep], pattern, alike[keep], share)
        done = len(nodes_in) <= last * 1.01 and len(nodes_in) > 40
        if done:
            return best
        last = len(nodes_in)
        bounds = _grown(matrix, np.stack([low, high]), flat.shape, most)
    return best


def foretold(flat: Gray, lattice: Lattice) -> float:
    """Share of the copies that are seen where the others say.

    Every second pair of copies, along both axes, is left out in turn; those left give the plane
    and the mean copy, which is looked for nearly half a step around the places of those left out.
    By chance one in 18 is where it should be.

    Args:
        flat: Flattened brightness, (H, W).
        lattice: The copies.

    Returns:
        0 to 1.
    """
    nodes = lattice.nodes
    bounds = np.stack([nodes.min(axis=0), nodes.max(axis=0)])
    shape = tuple(int(side) for side in bounds[1] - bounds[0] + 1)
    at = (nodes - bounds[0]) @ np.array([1, shape[0]])
    group = (nodes // 2).sum(axis=1) % 2
    near = 0
    for left_out in (0, 1):
        rest = group != left_out
        if rest.sum() < LEAST_HALF or rest.all():
            return 0.0
        matrix = _fit_lattice(nodes[rest], lattice.px[rest], affine=bool(rest.sum() < 40))
        rect = rectify(flat, matrix, bounds, FAR_MARGIN)
        patches = _patches(rect, nodes[rest] - bounds[0], FAR_MARGIN, CELL * 5 // 8)
        _, shifts = _search(
            rect, patches.mean(axis=0), (shape[0], shape[1]), FAR_MARGIN, search=FAR
        )
        near += int((np.hypot(*shifts[at[~rest]].T) < FIT).sum())
    return near / len(nodes)
