"""The camera that sees four edges as a sheet of known size, and which way round the sheet lies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Intrinsics
from calibration.homography import fit_homography, focal_of, pose_of
from calibration.line_fit import LineFit, Lines, Marks, Prior, fit_lines
from calibration.sheet_edges import Edge
from calibration.stud_camera import LONGEST_FOCAL, SHORTEST_FOCAL, LensHints

Floats = NDArray[np.float64]

EDGE_SAMPLES = 12.0
"""So many independent points an edge counts for: its neighbours are off alike."""

EDGE_BIAS_PX = 0.02
"""How far blur and gamma may put a whole edge off."""

FOCAL_GUESS_DOUBT = 0.3
"""Phones and webcams see between 50 and 95 degrees; 70 is taken as the middle."""

MOST_STRAIN = 8.0
"""Squared sigmas: a camera more unusual than this is a shape misread."""

USUAL_K1, USUAL_K1_DOUBT = -0.05, 0.09
"""Phones and webcams bend lines outwards, or hardly at all; few bend them inwards."""

FOV_DOUBT = 0.01
USUAL_NOISE_PX = 0.2
LEAST_NOISE_PX = 0.15
"""Edges are believed to be no better placed than this, whatever their scatter."""


@dataclass(frozen=True, slots=True, eq=False)
class SheetView:
    """A sheet as one camera sees it.

    Attributes:
        fitted: The camera, with z = 0 in the sheet and its origin at the first corner.
        size_mm: Sides along x and y.
        marks: The points it stands on.
    """

    fitted: LineFit
    size_mm: tuple[float, float]
    marks: Marks


def prior_of(hints: LensHints) -> Prior:
    """What the hints say about the lens, as doubts."""
    height = hints.camera_height_mm
    start = hints.start
    if hints.intrinsics is not None:
        return Prior(start.fx_px, start.focal_doubt, start.distortion[0], start.k1_doubt, height)
    doubt = FOV_DOUBT if hints.fov_deg is not None else FOCAL_GUESS_DOUBT
    return Prior(start.fx_px, doubt, USUAL_K1, USUAL_K1_DOUBT, height)


def marks_of(edges: Sequence[Edge]) -> Marks:
    """The points of edges, line by line."""
    counts = [len(edge.px) for edge in edges]
    return Marks(
        np.concatenate([edge.px for edge in edges]),
        np.repeat(np.arange(len(edges)), counts),
        np.concatenate([np.full(count, EDGE_SAMPLES / count) for count in counts]),
    )


def rectangle(size_mm: tuple[float, float]) -> Lines:
    """Sides of a rectangle from its first corner round, nothing free."""
    width, depth = size_mm
    sides = np.array(
        [[0, 1, 0, 0], [1, 0, width, 0], [0, 1, depth, 0], [1, 0, 0, 0]], dtype=np.float64
    )
    return lambda _shape: sides


def starts(image_H_table: Floats, hints: LensHints) -> list[Intrinsics]:
    """Lenses to begin a fit with."""
    if hints.known:
        return [hints.start]
    width = hints.image_size_px[0]
    found = [hints.start]
    closed = focal_of(image_H_table, (found[0].cx_px, found[0].cy_px))
    if closed is not None and SHORTEST_FOCAL * width < closed < LONGEST_FOCAL * width:
        found.insert(0, Intrinsics.centred(closed, hints.image_size_px))
    return found


def fit_sheet(
    corners_px: Floats, marks: Marks, size_mm: tuple[float, float], hints: LensHints
) -> SheetView | None:
    """Fit the camera for one way round.

    Args:
        corners_px: Corners in the order of (0, 0), (W, 0), (W, D), (0, D), original pixels, (4, 2).
        marks: Points of the sides, line 0 from the first corner to the second and so on.
        size_mm: W and D.
        hints: What is known of the lens.

    Returns:
        The view; None where no camera above the table sees it so.
    """
    width, depth = size_mm
    places = np.array([[0, 0], [width, 0], [width, depth], [0, depth]], dtype=np.float64)
    prior = prior_of(hints)
    best: LineFit | None = None
    for lens in starts(fit_homography(places, corners_px)[0], hints):
        matrix, _ = fit_homography(places, lens.undistort(corners_px))
        if not np.isfinite(matrix).all():
            continue
        pose = pose_of(matrix, lens)
        fitted = fit_lines(
            marks, rectangle(size_mm), np.zeros(0), lens, pose, prior, noise_px=USUAL_NOISE_PX
        )
        if best is None or fitted.cost < best.cost:
            best = fitted
    if best is None:
        return None
    first = best.fit
    again = fit_lines(
        marks,
        rectangle(size_mm),
        np.zeros(0),
        first.intrinsics,
        first.camera_T_table,
        prior,
        noise_px=max(first.noise_px, LEAST_NOISE_PX),
        bias_px=EDGE_BIAS_PX * float(np.sqrt(EDGE_SAMPLES)),
    )
    # How well it fits is judged by what edges do, not by what this one did.
    best = replace(again, cost=best.cost)
    pose = best.fit.camera_T_table
    above = float(-(pose[:3, :3].T @ pose[:3, 3])[2])
    if above <= 0 or best.strain > MOST_STRAIN:
        return None
    return SheetView(best, size_mm, marks)
