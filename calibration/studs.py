"""The reference ``studs``: a toy baseplate, whose studs stand 8 mm apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Intrinsics
from calibration.errors import BadReference, NotFound
from calibration.fit import Fit
from calibration.homography import hull
from calibration.lattice import Lattice, grow
from calibration.plane import Calibration, Studs
from calibration.stud_border import Extent, find_extent
from calibration.stud_camera import LensHints, fit_studs, upright
from calibration.stud_points import (
    CELL,
    View,
    mean_cell,
    place_studs,
    rectify_view,
    rim_centre,
    windows,
)
from calibration.stud_seeds import Gray, Seed, find_seeds, flatten

STUD_PITCH_MM = 8.0
STUD_TOP_MM = 1.7
"""Height of stud tops over the plate: 1.7 to 1.8 mm on real ones, 1.6 (4 units) in LDraw."""

PITCH_DOUBT = 0.0015
"""Relative doubt of the pitch: builders measured 7.986 mm on long walls, drawings say 8."""

LONGEST_SIDE_PX = 2000
LEAST_STUDS = 60
LEAST_SHARE = 0.35
LEAST_RIM = 1.18
TRIES = 5


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Studs in a picture.

    Attributes:
        fit: Camera over them, in steps times pitch from the lattice's own zero.
        nodes: Stud places in steps, (N, 2).
        px: Their centres, (N, 2).
        extent: The plate.
        assumed: What was assumed.
    """

    fit: Fit
    nodes: NDArray[np.int64]
    px: NDArray[np.float64]
    extent: Extent
    assumed: tuple[str, ...]


def calibrate_studs(
    image: NDArray[np.uint8],
    *,
    stud_pitch_mm: float = STUD_PITCH_MM,
    fov_deg: float | None = None,
    intrinsics: Intrinsics | None = None,
    camera_height_mm: float | None = None,
    table_size_mm: tuple[float, float] | None = None,
) -> Calibration:
    """Calibrate by the studs of one baseplate.

    Args:
        image: (H, W, 3) BGR.
        stud_pitch_mm: Distance of neighbouring studs.
        fov_deg: Horizontal field of view, if known.
        intrinsics: The whole lens, if known.
        camera_height_mm: Height of the camera over the plate, if known.
        table_size_mm: Width and depth of the table, if it is not the plate.

    Returns:
        The calibration with z = 0 on the plate between the studs.

    Raises:
        NotFound: No stud grid is seen clearly enough; the message says why.
        BadReference: The pitch is no length.
    """
    if not 1.0 <= stud_pitch_mm <= 100.0:
        raise BadReference("--stud-pitch", "must be between 1 and 100 mm")
    size_px = (image.shape[1], image.shape[0])
    hints = LensHints(size_px, fov_deg, intrinsics, camera_height_mm)
    found = find_studs(image, hints, stud_pitch_mm)
    return _calibration(found, size_px, stud_pitch_mm, table_size_mm, intrinsics is not None)


def _levels(image: NDArray[np.uint8]) -> Iterator[tuple[float, Gray]]:
    """The picture's brightness, flattened, at sizes where studs are 5 to 25 px apart.

    Yields:
        Scale against the picture, and (H, W).
    """
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    scale = min(1.0, LONGEST_SIDE_PX / max(gray.shape))
    for _ in range(4):
        small = gray
        if scale < 1:
            small = cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        if min(small.shape) < 150:
            return
        yield scale, flatten(small, 41)
        scale /= 2


def to_level(px: NDArray[np.float64], scale: float) -> NDArray[np.float64]:
    """Pixels of the picture as pixels of its shrunk copy."""
    return (px + 0.5) * scale - 0.5


def from_level(px: NDArray[np.float64], scale: float) -> NDArray[np.float64]:
    """Pixels of a shrunk copy as pixels of the picture."""
    return (px + 0.5) / scale - 0.5


def find_studs(image: NDArray[np.uint8], hints: LensHints, pitch_mm: float) -> Found:
    """Look for a stud grid.

    Args:
        image: (H, W, 3) BGR.
        hints: What is known of the lens.
        pitch_mm: Distance of neighbouring studs.

    Raises:
        NotFound: There is none, or it is not clear enough.
    """
    levels = dict(_levels(image))
    seeds: list[tuple[Seed, float]] = []
    for scale, flat in levels.items():
        seeds += [(seed, scale) for seed in find_seeds(flat, 64)]
    seeds.sort(key=lambda entry: -entry[0].score)
    reasons: list[str] = []
    tried: list[tuple[Lattice, float]] = []
    for seed, scale in seeds:
        if len(tried) + len(reasons) >= TRIES or seed.score < 0.35:
            break
        if any(_covers(lattice, at, seed, scale) for lattice, at in tried):
            continue
        lattice = grow(levels[scale], seed)
        if lattice is None or len(lattice.nodes) < LEAST_STUDS:
            reasons.append("the pattern does not go on")
            continue
        tried.append((lattice, scale))
        if lattice.share < LEAST_SHARE:
            reasons.append("too little of the pattern is there")
            continue
        found = _settle(levels[scale], lattice, scale, hints, pitch_mm)
        if isinstance(found, Found):
            return found
        reasons.append(found)
    if not seeds:
        raise NotFound("no stud grid: nothing repeats regularly in the picture")
    reason = reasons[0] if reasons else "nothing repeats clearly enough"
    raise NotFound(f"no stud grid: {reason}")


def _covers(lattice: Lattice, lattice_scale: float, seed: Seed, scale: float) -> bool:
    """Whether a seed lies on a lattice that was tried before."""
    shape = hull(from_level(lattice.px, lattice_scale)).astype(np.float32)
    x, y = from_level(seed.middle_px, scale)
    return bool(cv2.pointPolygonTest(shape, (float(x), float(y)), False) >= 0)


def _settle(
    flat: Gray, lattice: Lattice, scale: float, hints: LensHints, pitch_mm: float
) -> Found | str:
    """From a lattice to exact stud centres, the camera and the plate.

    Returns:
        What was found, or why it is no stud grid.
    """
    px = from_level(lattice.px, scale)
    turned = upright(lattice.nodes, px, hints)
    if turned is None:
        return "no camera would see a square grid like this"
    nodes = turned[0]
    phase = np.zeros(2)
    assumed: tuple[str, ...] = ()
    fit: Fit | None = None
    extent: Extent | None = None
    for turn in range(3):
        fitted = fit_studs(nodes.astype(np.float64), px, hints, pitch_mm, STUD_TOP_MM)
        if fitted is None:
            return "no camera would see a square grid like this"
        fit, assumed = fitted
        if turn == 2:
            break
        view = View(fit.intrinsics, fit.camera_T_table, pitch_mm, STUD_TOP_MM)
        low, high = nodes.min(axis=0) - 4, nodes.max(axis=0) + 4
        shape = tuple(int(v) for v in (high - low) * CELL + 1)
        shrunk = _ScaledView(view, scale)
        rect = rectify_view(flat, shrunk, low.astype(np.float64), (shape[0], shape[1]))
        at = (nodes - low) * CELL
        if turn == 0:
            cell = mean_cell(windows(rect, at, CELL // 2))[:CELL, :CELL]
            phase, rim = rim_centre(cell)
            if rim < LEAST_RIM:
                return "what repeats is not round like studs"
            at = np.round(at + phase * CELL).astype(np.int64)
            rest = phase * CELL - np.round(phase * CELL)
        else:
            rest = np.zeros(2)
        pattern = mean_cell(windows(rect, at, CELL * 2 // 5))
        grid = np.stack(np.meshgrid(*(np.arange(low[a] + 2, high[a] - 1) for a in range(2))), -1)
        every = grid.reshape(-1, 2)
        start = (every - low) * CELL + (np.round(phase * CELL).astype(int) if turn == 0 else 0)
        shifts, alike = place_studs(rect, pattern, start, CELL // 6)
        extent = find_extent(every, alike, shifts / CELL, shrunk, flat.shape)
        good = extent.good
        places = low + (start[good] + shifts[good] + rest * 0) / CELL
        px = from_level(shrunk.project(places + rest / CELL), scale)
        nodes = every[good]
        if len(nodes) < LEAST_STUDS:
            return "too few studs are clear"
    assert fit is not None and extent is not None  # noqa: S101
    return Found(fit, nodes, px, extent, assumed)


class _ScaledView(View):
    """A view in the pixels of a shrunk picture."""

    def __init__(self, view: View, scale: float) -> None:
        super().__init__(view.intrinsics, view.camera_T_table, view.pitch_mm, view.height_mm)
        object.__setattr__(self, "scale", scale)

    def project(self, places: NDArray[np.float64]) -> NDArray[np.float64]:
        return to_level(super().project(places), self.scale)  # type: ignore[attr-defined]


def _calibration(
    found: Found,
    size_px: tuple[int, int],
    pitch_mm: float,
    table_size_mm: tuple[float, float] | None,
    lens_known: bool,
) -> Calibration:
    """Put the table frame at the plate's corner nearest the picture's bottom left."""
    low, high = found.extent.low, found.extent.high
    corners = np.array(
        [[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]]
    ) + np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    pose = found.fit.camera_T_table
    raised = np.column_stack([corners * pitch_mm, np.zeros(4)])
    px = found.fit.intrinsics.project(raised @ pose[:3, :3].T + pose[:3, 3])
    first = int(np.argmin(px[:, 0] - px[:, 1]))
    x_axis = corners[(first + 1) % 4] - corners[first]
    y_axis = corners[(first + 3) % 4] - corners[first]
    counts = np.round([np.abs(x_axis).max(), np.abs(y_axis).max()]).astype(int)
    old_T_new = np.eye(4)
    old_T_new[:2, 0] = x_axis / np.linalg.norm(x_axis)
    old_T_new[:2, 1] = y_axis / np.linalg.norm(y_axis)
    old_T_new[:2, 3] = corners[first] * pitch_mm
    whole = found.extent.closed
    warnings = []
    size: tuple[float, float] | None = table_size_mm
    if size is None and whole:
        size = (float(counts[0] * pitch_mm), float(counts[1] * pitch_mm))
    if not whole:
        warnings.append("not every edge of the plate is in the picture")
    residual = max(found.fit.rms_px, 0.3)
    turn = np.zeros((8, 8))
    del residual, turn, lens_known
    return Calibration(
        reference="studs",
        origin="corner of the stud grid nearest the picture's bottom left, "
        "x to the right, y away from the camera",
        image_size_px=size_px,
        intrinsics=found.fit.intrinsics,
        camera_T_table=pose @ old_T_new,
        size_mm=size,
        rms_px=found.fit.rms_px,
        covariance=_moved_covariance(found.fit, old_T_new),
        scale_sigma=PITCH_DOUBT,
        reference_plane_mm=STUD_TOP_MM,
        studs=Studs(len(found.nodes), pitch_mm),
        assumed=(*found.assumed, f"stud pitch {pitch_mm:g} mm"),
        warnings=tuple(warnings),
        outline_px=hull(px),
    )


def _moved_covariance(fit: Fit, old_T_new: NDArray[np.float64]) -> NDArray[np.float64]:
    """Covariance of the pose for a table frame with another origin.

    The new translation is the old one plus the turned way to the new origin, so a small turn
    moves it.
    """
    way = fit.camera_T_table[:3, :3] @ old_T_new[:3, 3]
    cross = np.array([[0, -way[2], way[1]], [way[2], 0, -way[0]], [-way[1], way[0], 0]])
    change = np.eye(8)
    change[3:6, :3] = -cross
    return np.asarray(change @ fit.covariance @ change.T, dtype=np.float64)
