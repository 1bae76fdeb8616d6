"""Studs at another height than those that were measured: a raised baseplate, or a wide roof."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import NotFound
from calibration.plane import Calibration

Floats = NDArray[np.float64]

STEP = 0.4
"""Heights are tried so far apart, in pitches: LEGO stands whole plates of 3.2 mm higher."""

LOWEST_STEPS, HIGHEST_STEPS = 2, 24
"""Nearer than 6.4 mm it is a plate of bricks; higher than 77 mm no baseplate is raised."""

CELL = 6
"""Pixels that a stud and what is round it are looked at with, a side."""

ALIKE = 0.55
"""A place so much like the measured studs is one."""

BESIDE = 5
"""Of its eight neighbours so many are studs too."""

MARGIN = 6
"""So many studs beyond the measured ones are looked at."""

LEAST = 60
"""Fewer studs at another height are bricks on the plate."""

PART = 0.4
"""With so many raised ones, in parts of those measured, nobody can say which are the table."""


INSTEAD = "lay a flat baseplate, a sheet or a ruler on the table"


@dataclass(frozen=True, slots=True)
class Level:
    """Studs at one other height.

    Attributes:
        height_mm: Above those measured, negative below.
        count: How many are seen side by side.
    """

    height_mm: float
    count: int


def checked(image: NDArray[np.uint8], found: Calibration) -> Calibration:
    """See whether the measured studs are those of the table.

    Args:
        image: (H, W, 3) BGR, the picture that was calibrated.
        found: By studs, as it comes from the picture.

    Returns:
        The same, with a warning where a smaller part of the studs stands higher.

    Raises:
        NotFound: Many studs stand lower or higher, and either could be the table.
    """
    other = other_level(image, found)
    if other is None or found.studs is None:
        return found
    high = abs(other.height_mm)
    if other.height_mm < 0:
        raise NotFound(
            f"no stud grid: the clearest studs stand about {high:.0f} mm higher than "
            f"{other.count} others, as on a raised baseplate; {INSTEAD}"
        )
    if other.count > PART * found.studs.count:
        raise NotFound(
            f"no stud grid: {other.count} studs stand about {high:.0f} mm higher than the rest, "
            f"as on a raised baseplate; {INSTEAD}"
        )
    words = (
        f"{other.count} studs stand about {high:.0f} mm higher than the plate that was measured; "
        "say how high the ground is up there, or it is measured too long"
    )
    return replace(found, warnings=(*found.warnings, words))


def other_level(image: NDArray[np.uint8], found: Calibration) -> Level | None:
    """Studs on the same lattice at another height.

    Args:
        image: (H, W, 3) BGR.
        found: By studs, with its points.

    Returns:
        The height at which most are seen side by side; None where there are hardly any.
    """
    if found.studs is None or not len(found.seen_mm):
        return None
    pitch = found.studs.pitch_mm
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32)
    nodes = np.round(found.seen_mm[:, :2] / pitch - 0.5)
    offset = np.median(found.seen_mm[:, :2] - (nodes + 0.5) * pitch, axis=0)
    first = nodes.min(axis=0) - MARGIN
    shape = (nodes.max(axis=0) + MARGIN - first + 1).astype(int)
    top = float(np.median(found.seen_mm[:, 2]))
    at = (nodes - first).astype(int)
    origin = first * pitch + offset
    flat = _cells(gray, found, origin, shape, top)
    model = flat[at[:, 1], at[:, 0]].mean(axis=0)
    model /= max(float(np.linalg.norm(model)), 1e-9)
    taken = _drawn(gray.shape, found)
    best: Level | None = None
    for steps in range(-HIGHEST_STEPS, HIGHEST_STEPS + 1):
        if abs(steps) < LOWEST_STEPS:
            continue
        height = steps * STEP * pitch
        if top + height > 0.5 * found.camera_position_mm[2]:
            break
        like = _cells(gray, found, origin, shape, top + height, taken) @ model
        count = _together(like > ALIKE)
        if count >= LEAST and (best is None or count > best.count):
            best = Level(height, count)
    return best


def _cells(
    gray: NDArray[np.float32],
    found: Calibration,
    origin: Floats,
    shape: NDArray[np.int64],
    height_mm: float,
    taken: NDArray[np.uint8] | None = None,
) -> Floats:
    """What stands at each place of the lattice at a height.

    Args:
        gray: Brightness, (H, W).
        found: The camera.
        origin: Lower left corner of the first cell, (2,) mm.
        shape: Cells across and deep.
        height_mm: Over z = 0.
        taken: (H, W), 255 where something is measured already; cells on it are left empty.

    Returns:
        (deep, across, CELL * CELL), each without its mean and of length 1, or 0 outside.
    """
    pitch = found.studs.pitch_mm if found.studs is not None else 8.0
    across, deep = int(shape[0]), int(shape[1])
    corners = np.stack(np.meshgrid(np.arange(across + 1), np.arange(deep + 1)), axis=-1)
    places = np.column_stack(
        [corners.reshape(-1, 2) * pitch + origin, np.full(corners.size // 2, height_mm)]
    )
    px = found.to_image(places).reshape(deep + 1, across + 1, 2).astype(np.float32)
    px = np.nan_to_num(px, nan=-1e4)
    # Within a cell the picture runs straight on.
    x, y = ((np.arange(count * CELL) + 0.5) / CELL for count in (across, deep))
    right, up = (one.astype(np.float32) for one in np.meshgrid(x, y))
    across_px, down_px = (
        cv2.remap(np.ascontiguousarray(px[..., axis]), right, up, cv2.INTER_LINEAR)
        for axis in (0, 1)
    )
    edge = cv2.BORDER_CONSTANT
    seen = cv2.remap(gray, across_px, down_px, cv2.INTER_LINEAR, borderMode=edge, borderValue=-1.0)
    cells = seen.reshape(deep, CELL, across, CELL).transpose(0, 2, 1, 3).reshape(deep, across, -1)
    whole = cells.min(axis=2) >= 0
    if taken is not None:
        covered = cv2.remap(taken, across_px, down_px, cv2.INTER_NEAREST, borderMode=edge)
        part = covered.reshape(deep, CELL, across, CELL).transpose(0, 2, 1, 3)
        whole &= part.reshape(deep, across, -1).mean(axis=2) < 64
    cells = cells - cells.mean(axis=2, keepdims=True)
    length = np.linalg.norm(cells, axis=2, keepdims=True)
    return np.asarray(np.where(whole[..., None] & (length > 1e-3), cells / (length + 1e-9), 0.0))


def _drawn(shape: tuple[int, ...], found: Calibration) -> NDArray[np.uint8]:
    """Where measured studs are, 255, with all that is round each as far as half a step."""
    mask = np.zeros(shape, np.uint8)
    half = (found.studs.pitch_mm if found.studs is not None else 8.0) / 2
    round_it = np.array([[-half, -half, 0], [half, -half, 0], [half, half, 0], [-half, half, 0]])
    corners = (found.seen_mm[:, None] + round_it[None]).reshape(-1, 3)
    px = np.round(found.to_image(corners)).astype(np.int32).reshape(-1, 4, 2)
    for one in px:
        cv2.fillConvexPoly(mask, one, (255,))
    return mask


def _together(studs: NDArray[np.bool_]) -> int:
    """How many places of the largest patch are studs with neighbours that are, too."""
    kernel = np.ones((3, 3), np.float32)
    kernel[1, 1] = 0
    beside = cv2.filter2D(studs.astype(np.float32), -1, kernel, borderType=cv2.BORDER_CONSTANT)
    patch = (studs & (beside >= BESIDE)).astype(np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(patch, connectivity=8)
    return int(stats[1:, cv2.CC_STAT_AREA].max()) if count > 1 else 0
