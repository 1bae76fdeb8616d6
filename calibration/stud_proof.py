"""Whether faint studs are studs: half of them foretell where the other half is seen."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.errors import NotFound
from calibration.stud_points import (
    CLOSE_WINDOW,
    View,
    cell_size,
    mean_cell,
    place_studs,
    rectify_view,
    windows,
)
from calibration.stud_seeds import Gray
from calibration.stud_settle import Found, Plane

FAR = 0.45
"""How far around its foretold place a stud of the other half is looked for, in steps: nearly
half way to the next one, so that by chance few are seen where they should be."""

NEAR = 0.12
"""Within so many steps of it, it is where it should be; by chance one in 18 is."""

LEAST_FORETOLD = 0.6
"""Of real plates it is four fifths or more in all but the most crowded pictures."""

MOST_OFF = 0.12
"""Studs are off their places by no more than this part of a step (root mean square): what is
matched by chance, within the 0.2 steps that are allowed to one stud, is off by 0.16."""

CERTAIN = 500
"""So many studs in one grid need not be foretold, which would take as long as to place them."""

BLOCK_PX, BLOCK_ALIKE = 8.0, 0.9
"""JPEG squares a picture into blocks; studs that all stand alike in them are its own pattern."""

MARGIN = 2


def check_proof(found: Found, plane: Plane) -> None:
    """See whether what was found proves to be a grid of studs.

    Args:
        found: The studs.
        plane: What is known before looking.

    Raises:
        NotFound: It does not.
    """
    view = View(found.fit.intrinsics, found.fit.camera_T_table, plane.pitch_mm, plane.top_mm)
    off = found.fit.rms_px / view.pitch_px(found.studs.nodes)
    few = len(found.studs.nodes) < CERTAIN
    if off > MOST_OFF or (few and foretold(found, plane) < LEAST_FORETOLD):
        raise NotFound("no stud grid: too few studs are clear")
    if in_blocks(found.studs.px):
        raise NotFound("no stud grid: what repeats are the squares of the picture's compression")


def in_blocks(px: NDArray[np.float64]) -> bool:
    """Whether points, (N, 2), lie alike in the squares of a JPEG picture along both axes."""
    turns = np.exp(2j * np.pi * px / BLOCK_PX).mean(axis=0)
    return bool((np.abs(turns) > BLOCK_ALIKE).all())


def foretold(found: Found, plane: Plane) -> float:
    """Share of the studs that are seen where the others say.

    Every second pair of studs, along both axes, is left out in turn: those left give a camera and
    a mean stud, and the mean stud is looked for wide around the places of those left out. Wood,
    cloth or noise in which some lattice was seen repeats nothing at places it was not chosen for.

    Args:
        found: The studs.
        plane: What is known before looking.

    Returns:
        0 to 1.

    Raises:
        NotFound: Half of the studs give no camera.
    """
    studs, sight = found.studs, found.sight
    group = (studs.nodes // 2).sum(axis=1) % 2
    near = 0
    for left_out in (0, 1):
        rest = studs.only(group != left_out)
        if not 0 < len(rest.nodes) < len(studs.nodes):
            return 0.0
        view = plane.view(rest.some()).scaled(sight.level.scale)
        near += _near(sight.exact, view, rest.nodes, studs.nodes[group == left_out])
    return near / len(studs.nodes)


def _near(flat: Gray, view: View, known: NDArray[np.int64], wanted: NDArray[np.int64]) -> int:
    """How many of the wanted studs are where the known ones say."""
    cell = cell_size(view, known)
    low = np.minimum(known.min(axis=0), wanted.min(axis=0)) - MARGIN
    high = np.maximum(known.max(axis=0), wanted.max(axis=0)) + MARGIN
    size = (high - low) * cell + 1
    rect = rectify_view(flat, view, low.astype(np.float64), (int(size[0]), int(size[1])), cell)
    mean = mean_cell(windows(rect, (known - low) * cell, round(CLOSE_WINDOW * cell)))
    at = (wanted - low) * cell
    shifts, _ = place_studs(rect, mean[None, None], at, np.zeros_like(at), round(FAR * cell))
    return int((np.hypot(*shifts.T) < NEAR * cell).sum())
