"""A ruler's strokes and outline once more, where a first camera says that they must be.

The first look follows strokes in steps along the picture and is drawn off by whatever stands beside
them. With a camera in hand every stroke is looked for on its own line alone, over its whole length,
and so are the ruler's other edges, which run along it or at right angles to it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.ruler_lines import Ruler
from calibration.ruler_outline import outline
from calibration.ruler_view import RulerView, look_up

Floats = NDArray[np.float64]

WINDOW_SPACES, LEAST_WINDOW_PX, MOST_WINDOW_PX = 0.42, 1.2, 2.6
"""How far beside its line a stroke is looked for, to either side."""

WINDOW_STEPS = 13
ROW_PX = 0.6
MOST_ROWS = 40
TIP_PX = 0.7
"""So much of a stroke at either tip is passed over: there it blurs into what is beside it."""

STANDS_OUT = 0.5
"""Rows in which strokes are fainter than this part of the usual are none of theirs."""

LEAST_ROWS = 3
LEAST_STROKES = 8
LONGEST_SPACES, LENGTH_STEP = 14.0, 0.25
"""How far strokes are followed either way to tell their lengths, in spaces."""

FAR_OFF = 3.5
"""So many usual deviations off, a row or a stroke is left out."""


def sharpen(
    gray: NDArray[np.float32], light: NDArray[np.float32], ruler: Ruler, view: RulerView
) -> Ruler:
    """Look again at a ruler.

    Args:
        gray: Brightness, (H, W).
        light: Linear brightness, (H, W).
        ruler: As seen so far.
        view: The camera that fits it so far.

    Returns:
        The ruler with two points on every stroke that is clear and with its other edges; as it
        was where too few strokes are clear.
    """
    places = view.to_ruler(ruler.px)
    deep = places[:, 1][np.isfinite(places[:, 1])]
    if len(deep) < LEAST_STROKES:
        return ruler
    low, high = (float(value) for value in np.percentile(deep, [2, 98]))
    found = _strokes(gray, ruler, view, (low, high))
    if found is None:
        return ruler
    number, px = found
    inside = 1.0 if low + high > 0 else -1.0
    depth = (low, high) if inside > 0 else (-high, -low)
    ends = float(number.min()) * ruler.space_mm, float(number.max()) * ruler.space_mm
    front, sides = outline(light, view, ends, inside, depth)
    edge = ruler.edge_px if front is None else front.px
    middle = float(np.nanmedian(view.to_ruler(px)[:, 1]))
    return replace(ruler, number=number, px=px, edge_px=edge, sides=sides, deep_mm=middle)


def _strokes(
    gray: NDArray[np.float32], ruler: Ruler, view: RulerView, depth_mm: tuple[float, float]
) -> tuple[NDArray[np.int64], Floats] | None:
    """Numbers of strokes and points on them, two on each."""
    numbers = np.arange(ruler.number.min(), ruler.number.max() + 1)
    x = numbers * ruler.space_mm
    tips = view.to_image(x[:, None], np.array(depth_mm)[None, :])
    tall = float(np.nanmedian(np.hypot(*(tips[:, 1] - tips[:, 0]).T)))
    if not np.isfinite(tall) or tall < 2:
        return None
    rows = int(np.clip(tall / ROW_PX, 4, MOST_ROWS))
    y = np.linspace(*depth_mm, rows)
    spot = view.to_image(x[:, None], y[None, :])
    ahead = view.to_image(x[:, None] + 0.02, y[None, :])
    below = view.to_image(x[:, None], y[None, :] + 0.02)
    # At right angles to a stroke in the picture: cut along the ruler, its tips would lean.
    down = below - spot
    across = np.stack([down[..., 1], -down[..., 0]], axis=-1)
    across /= np.maximum(np.linalg.norm(across, axis=2), 1e-12)[:, :, None]
    per_mm = np.abs(((ahead - spot) / 0.02 * across).sum(axis=2))
    window = np.clip(WINDOW_SPACES * ruler.space_mm * per_mm, LEAST_WINDOW_PX, MOST_WINDOW_PX)
    steps = np.linspace(-1, 1, WINDOW_STEPS)
    off = np.zeros(spot.shape[:2])
    contrast = np.zeros_like(off)
    for _ in range(2):
        at = off[:, :, None] + steps * window[:, :, None]
        grid = spot[:, :, None, :] + at[..., None] * across[:, :, None, :]
        values = look_up(gray, grid)
        off, contrast = _centres(values, at, window)
        off = np.clip(np.nan_to_num(off), -0.5 * window, 0.5 * window)
    number, points = [], []
    tip = round(TIP_PX * rows / tall)
    usual = float(np.nanpercentile(np.abs(contrast), 75))
    sign = 1.0 if np.nansum(contrast) >= 0 else -1.0
    clear = (sign * contrast > STANDS_OUT * usual) & (np.abs(off) < 0.45 * window)
    for index in range(len(numbers)):
        row = np.flatnonzero(clear[index])
        row = row[tip : len(row) - tip]
        ends = _line(row.astype(np.float64), off[index, row])
        if ends is None:
            continue
        for at_row, beside in ends:
            low = int(np.clip(at_row, 0, rows - 2))
            part = at_row - low
            middle = (1 - part) * spot[index, low] + part * spot[index, low + 1]
            points.append(middle + beside * across[index, low])
            number.append(numbers[index])
    if len(number) < 2 * LEAST_STROKES:
        return None
    return np.array(number, dtype=np.int64), np.array(points)


def stroke_lengths(
    gray: NDArray[np.float32], ruler: Ruler, view: RulerView
) -> tuple[NDArray[np.int64], Floats]:
    """How far each stroke reaches, in spaces.

    Args:
        gray: Brightness, (H, W).
        ruler: The ruler, its strokes sharp.
        view: The camera that fits it; its scale does not matter.

    Returns:
        Numbers of the strokes that are seen, (N,), and lengths, (N,).
    """
    space = ruler.space_mm
    numbers = np.arange(ruler.number.min(), ruler.number.max() + 1)
    x = numbers * space
    middle = np.median(view.to_ruler(ruler.px)[:, 1])
    y = middle + np.arange(-LONGEST_SPACES, LONGEST_SPACES, LENGTH_STEP) * space
    rows = [
        look_up(gray, view.to_image((x + part * space)[:, None], y[None, :]))
        for part in (-0.5, 0.0, 0.5)
    ]
    contrast = (rows[0] + rows[2]) / 2 - rows[1]
    at = len(y) // 2
    near = contrast[:, at - 2 : at + 3]
    if not np.isfinite(near).any():
        return numbers[:0], np.zeros(0)
    sign = 1.0 if np.nanmedian(near) >= 0 else -1.0
    usual = float(np.nanmedian(sign * near))
    if not usual > 0:
        return numbers[:0], np.zeros(0)
    part = np.clip(np.nan_to_num(sign * contrast / usual), 0, 1)
    there = part > 0.4
    inward = np.logical_and.accumulate(there[:, at:], axis=1)
    outward = np.logical_and.accumulate(there[:, at - 1 :: -1], axis=1)
    length = (part[:, at:] * inward).sum(axis=1) + (part[:, at - 1 :: -1] * outward).sum(axis=1)
    seen = np.isfinite(contrast[:, at])
    return numbers[seen], length[seen] * LENGTH_STEP


def _centres(values: Floats, at: Floats, window: Floats) -> tuple[Floats, Floats]:
    """Middle of what stands out in each profile, and how much darker it is, (N, R) each.

    Args:
        values: Brightness, (N, R, S).
        at: Where, px off the expected line, (N, R, S).
        window: Half of the profile, px, (N, R).
    """
    ends = (values[..., :2].mean(axis=2) + values[..., -2:].mean(axis=2)) / 2
    slope = (values[..., -2:].mean(axis=2) - values[..., :2].mean(axis=2)) / (2 * window)
    middle = at.mean(axis=2, keepdims=True)
    ground = ends[..., None] + slope[..., None] * (at - middle)
    dark = ground - values
    total = dark.sum(axis=2)
    with np.errstate(divide="ignore", invalid="ignore"):
        centre = (dark * at).sum(axis=2) / total
    half = values.shape[2] // 2
    return centre, dark[..., half - 1 : half + 2].mean(axis=2)


def _line(row: Floats, off: Floats) -> list[tuple[float, float]] | None:
    """Two points that stand for a stroke: rows and places off the expected line."""
    keep = np.ones(len(row), dtype=bool)
    bend = np.zeros(2)
    for _ in range(3):
        if keep.sum() < LEAST_ROWS:
            return None
        bend = np.polyfit(row[keep], off[keep], 1)
        left = np.abs(off - np.polyval(bend, row))
        new = left < max(FAR_OFF * 1.48 * float(np.median(left[keep])), 0.05)
        if (new == keep).all():
            break
        keep = new
    if keep.sum() < LEAST_ROWS:
        return None
    middle, spread = float(row[keep].mean()), float(row[keep].std())
    return [(at, float(np.polyval(bend, at))) for at in (middle - spread, middle + spread)]
