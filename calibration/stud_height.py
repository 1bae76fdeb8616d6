"""How high over the plate what was matched lies: between the stud tops and their shadows.

The mean stud that is matched everywhere is a mixture: the rim of the top, the wall under it and
the shadow beside it. Seen from another side the mixture shifts against the top, just as a point
lower than the top would. Its height follows from how far the rim of the top, found in the mean of
many studs of one region, stands from the matched place, region by region.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.stud_points import View, mean_cell, rectify_view, rim_centre, windows
from calibration.stud_seeds import Gray

CELL = 24
REGION = 8
"""Studs a side of a region."""

LEAST_IN_REGION = 12

USUAL_DROP, DROP_DOUBT = 0.8, 0.35
"""Where the mixture mostly lies under the tops, mm: from rendered plates in many lights."""

RIM_DROP_DOUBT = 0.4
"""How far off the rims may tell it: the wall beneath pulls at them, most in flat views."""

RIM_DOUBT = 0.15
"""Doubt of the rim's place that all regions share, mm: dark sides push it where light is low."""


@dataclass(frozen=True, slots=True, eq=False)
class Matched:
    """Where what was matched lies against the centres of the stud tops.

    Attributes:
        drop_mm: How far below.
        drop_sigma: Doubt of that.
        offset_mm: How far beside, in the plane, (2,).
    """

    drop_mm: float
    drop_sigma: float
    offset_mm: NDArray[np.float64]


def matched_place(flat: Gray, view: View, nodes: NDArray[np.int64]) -> Matched:
    """Measure it by the rims of the tops.

    Args:
        flat: Flattened brightness, (H, W).
        view: Camera in the pixels of ``flat``, fitted as if tops had been matched.
        nodes: The studs, (N, 2).

    Returns:
        Where the matched mixture lies.
    """
    low = nodes.min(axis=0) - 2
    extent = (nodes.max(axis=0) - low + 3) * CELL + 1
    rect = rectify_view(flat, view, low.astype(np.float64), (int(extent[0]), int(extent[1])), CELL)
    patches = windows(rect, (nodes - low) * CELL, CELL // 2)[:, :CELL, :CELL]
    eye = view.centre_mm
    regions, inverse = np.unique(nodes // REGION, axis=0, return_inverse=True)
    shifts, slants = [], []
    for region in range(len(regions)):
        own = inverse.ravel() == region
        if own.sum() < LEAST_IN_REGION:
            continue
        shift, _ = rim_centre(mean_cell(patches[own]))
        shifts.append(((shift - 0.5 / CELL + 0.5) % 1 - 0.5) * view.pitch_mm)
        place = nodes[own].mean(axis=0) * view.pitch_mm
        slants.append((eye[:2] - place) / max(float(eye[2]) - view.height_mm, 1.0))
    if len(shifts) < 3:
        return Matched(USUAL_DROP, DROP_DOUBT, np.zeros(2))
    return _regress(np.array(shifts), np.array(slants))


def _regress(shifts: NDArray[np.float64], slants: NDArray[np.float64]) -> Matched:
    """Fit shift = offset - drop * slant over the regions.

    Args:
        shifts: Rim against the matched place in the plane, mm, (R, 2).
        slants: Horizontal over vertical way to the camera, (R, 2).

    Returns:
        The drop with its usual value as one more observation; the offset.
    """
    count = len(shifts)
    seen = shifts.T.ravel()
    rows = np.zeros((2 * count, 3))
    rows[:count, 0] = 1
    rows[count:, 1] = 1
    rows[:, 2] = -slants.T.ravel()
    solved = np.array([*np.median(shifts + USUAL_DROP * slants, axis=0), USUAL_DROP])
    normal = np.eye(3)
    for _ in range(8):
        off = seen - rows @ solved
        noise = 1.48 * float(np.median(np.abs(off))) + 0.05
        weight = np.minimum(1, 1.5 * noise / np.maximum(np.abs(off), 1e-9))
        normal = (rows * weight[:, None]).T @ rows / noise**2 + np.diag([0, 0, 1e-4])
        right = (rows * weight[:, None]).T @ seen / noise**2 + np.array([0, 0, 1e-4 * USUAL_DROP])
        solved = np.linalg.solve(normal, right)
    # Light that changes over the plate shifts rims too; regions do not average that out.
    variance = float(np.linalg.inv(normal)[2, 2]) + RIM_DROP_DOUBT**2
    trust = DROP_DOUBT**2 / (DROP_DOUBT**2 + variance)
    drop = USUAL_DROP + trust * (float(solved[2]) - USUAL_DROP)
    offset = np.median(shifts + drop * slants, axis=0)
    return Matched(drop, float(np.sqrt(trust * variance)), -offset)
