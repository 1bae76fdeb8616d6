"""Where a straight edge of the table runs in a picture, to a fraction of a pixel."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import correlate1d

Floats = NDArray[np.float64]

STEP_PX = 0.25
"""Profiles across an edge are sampled this densely."""

ALONG_PX = (-1.5, -0.5, 0.5, 1.5)
"""A profile is the mean of neighbours along the edge, against sensor noise."""


@dataclass(frozen=True, slots=True, eq=False)
class Edge:
    """Points of one edge.

    Attributes:
        px: Sub-pixel points on the edge, (N, 2).
        support: Part of the edge that shows, 0 to 1.
        contrast: Step of linear brightness across it, of full scale 1.
        bow_px: How far its middle stands off the chord of its ends.
        rising: Brighter to the right of the way along it.
    """

    px: Floats
    support: float
    contrast: float
    bow_px: float
    rising: bool


def linear_light(image: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Colours before the camera's gamma, 0 to 1, from (H, W, 3) BGR.

    Optics and pixels blend light, not its code: half-way across an edge is right only here.
    """
    code = np.arange(256) / 255.0
    table = np.where(code <= 0.04045, code / 12.92, ((code + 0.055) / 1.055) ** 2.4)
    return np.asarray(cv2.LUT(image, table.astype(np.float32)))


def contrast_light(linear: NDArray[np.float32], corners_px: Floats) -> NDArray[np.float32]:
    """The mixture of colours in which the inside of a shape differs most from its surroundings.

    Args:
        linear: (H, W, 3), see ``linear_light``.
        corners_px: Corners of the shape, (4, 2).

    Returns:
        (H, W), lighter inside.
    """
    middle = corners_px.mean(axis=0)
    step = max(1, round(max(linear.shape) / 640))
    small = linear[::step, ::step]
    masks = []
    for size in (0.9, 1.1, 1.35):
        mask = np.zeros(small.shape[:2], np.uint8)
        shape = (middle + size * (corners_px - middle)) / step
        cv2.fillConvexPoly(mask, np.round(shape).astype(np.int32), (1,))
        masks.append(mask > 0)
    inside, ring = masks[0], masks[2] & ~masks[1]
    grey = np.array([0.11, 0.59, 0.30], dtype=np.float32)
    if inside.sum() < 20 or ring.sum() < 20:
        return np.asarray(linear @ grey)
    apart = np.median(small[inside], axis=0) - np.median(small[ring], axis=0)
    total = float(np.abs(apart).sum())
    weights = apart / total if total > 0.01 else grey
    return np.asarray(linear @ weights.astype(np.float32))


def profiles(
    light: NDArray[np.float32], path: Floats, reach_px: float
) -> tuple[Floats, Floats, Floats]:
    """Brightness across a path.

    Args:
        light: (H, W).
        path: Points in order, (N, 2), N at least 2.
        reach_px: How far to either side.

    Returns:
        Profiles, (N, P), the places of their samples across, (P,), and the normals, (N, 2);
        positive places lie on the right of the way along the path.
    """
    along = np.gradient(path, axis=0)
    along /= np.maximum(np.hypot(*along.T), 1e-9)[:, None]
    normal = np.column_stack([-along[:, 1], along[:, 0]])
    places = np.arange(-reach_px, reach_px + STEP_PX / 2, STEP_PX)
    total = np.zeros((len(path), len(places)), dtype=np.float64)
    for shift in ALONG_PX:
        start = path + shift * along
        grid = start[:, None, :] + places[None, :, None] * normal[:, None, :]
        total += cv2.remap(
            light,
            grid[:, :, 0].astype(np.float32),
            grid[:, :, 1].astype(np.float32),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_CONSTANT,
            borderValue=(float("nan"),),
        )
    return total / len(ALONG_PX), places, normal


def _steps(profile: Floats, blur_px: float) -> Floats:
    """Slope of each profile, smoothed, (N, P)."""
    half = int(np.ceil(2.5 * blur_px / STEP_PX))
    at = np.arange(-half, half + 1) * STEP_PX
    kernel = -at * np.exp(-(at**2) / (2 * blur_px**2))
    kernel /= np.abs(kernel * at).sum()
    slope = np.asarray(
        correlate1d(np.nan_to_num(profile), kernel, axis=1, mode="nearest"), dtype=np.float64
    )
    slope[~np.isfinite(profile)] = 0.0
    return slope


def find_edge(
    light: NDArray[np.float32], path: Floats, reach_px: float, rounded: float = 0.08
) -> Edge | None:
    """Follow an edge near a path that is roughly known.

    Args:
        light: Linear brightness, (H, W).
        path: Points from one corner to the next in order, (N, 2).
        reach_px: How far off the edge may be.
        rounded: Part of the path at each end that is passed over.

    Returns:
        The edge; None where no step runs along the path.
    """
    count = len(path)
    inner = path[int(count * rounded) : count - int(count * rounded)]
    if len(inner) < 8:
        return None
    profile, places, normal = profiles(light, inner, reach_px)
    slope = _steps(profile, 1.0)
    size = np.abs(np.clip(slope, 0, None)).max(axis=1), np.abs(np.clip(slope, None, 0)).max(axis=1)
    sign = 1.0 if np.median(size[0]) >= np.median(size[1]) else -1.0
    slope = np.clip(sign * slope, 0, None)
    peak = slope.argmax(axis=1)
    strength = slope[np.arange(len(slope)), peak]
    usable = strength > max(0.25 * float(np.percentile(strength, 75)), 1e-4)
    usable &= (peak > 2) & (peak < len(places) - 3)
    if usable.sum() < 8:
        return None
    # The centre of the slope's own hump, not of its highest sample.
    window = np.abs(np.arange(len(places))[None, :] - peak[:, None]) <= round(1.75 / STEP_PX)
    hump = np.where(window, np.clip(slope - 0.1 * strength[:, None], 0, None), 0.0)
    off = (hump * places).sum(axis=1) / np.maximum(hump.sum(axis=1), 1e-12)
    at = np.linspace(-1, 1, len(inner))
    bend = _robust_bend(at[usable], off[usable])
    if bend is None:
        return None
    near = usable
    for _ in range(4):
        left = np.abs(off - np.polyval(bend, at))
        spread = 1.48 * float(np.median(left[near]))
        near = usable & (left < min(max(0.25, 3 * spread), 1.5))
        if near.sum() < 8:
            return None
        bend = np.polyfit(at[near], off[near], 2)
    contrast = float(np.median(strength[near]) * 2.5)
    return Edge(
        inner[near] + off[near, None] * normal[near],
        float(near.mean()),
        contrast,
        float(abs(bend[0])),
        sign > 0,
    )


def _robust_bend(at: Floats, off: Floats) -> Floats | None:
    """Parabola through most of the points: their places along (-1 to 1) and across, (N,) each."""
    count = len(at)
    rng = np.random.default_rng(count)
    order = np.argsort(at)
    at, off = at[order], off[order]
    picks = []
    for _ in range(60):
        low, middle, high = (
            int(rng.integers(0, max(count // 3, 1))),
            int(rng.integers(count // 3, max(2 * count // 3, count // 3 + 1))),
            int(rng.integers(2 * count // 3, count)),
        )
        if not at[low] < at[middle] < at[high]:
            continue
        picks.append((low, middle, high))
    if not picks:
        return None
    # All parabolas through three points at once.
    chosen = np.array(picks)
    x, y = at[chosen], off[chosen]
    first = (y[:, 1] - y[:, 0]) / (x[:, 1] - x[:, 0])
    second = (y[:, 2] - y[:, 1]) / (x[:, 2] - x[:, 1])
    square = (second - first) / (x[:, 2] - x[:, 0])
    slope = first - square * (x[:, 0] + x[:, 1])
    base = y[:, 0] - x[:, 0] * (slope + square * x[:, 0])
    bends = np.column_stack([square, slope, base])
    curves = (bends[:, :1] * at + bends[:, 1:2]) * at + bends[:, 2:]
    near = (np.abs(curves - off) < 0.7).sum(axis=1)
    return np.asarray(bends[int(near.argmax())])
