"""The printed board laid over its picture: camera and lens by all of its black and white.

Corners are few, and found to a tenth of a pixel only. Here the whole pattern is drawn as a camera
would see it, blurred alike, and the camera is moved until drawing and picture agree (Lucas and
Kanade 1981). The pattern reaches the board's own border, where the lens bends most.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import COLUMNS, ROWS, SQUARE_MM, marker_cells
from calibration.camera import Intrinsics
from calibration.fit import Fit, moved, project_with_jacobian
from calibration.line_fit import Prior, known_of
from calibration.rays import meet_plane

Floats = NDArray[np.float64]
Image = NDArray[np.float32]

TEXELS = 6
"""Of the drawn pattern for every mm: sides of squares and of markers' cells lie between two."""

MARGIN_MM = 3.0
"""So far round the board the page is white for certain."""

USUAL_SIDE_PX = 42.0
"""Pictures in which squares are larger are shrunk: more tells hardly more."""

LEAST_SIDE_PX = 8.0
FINER, COARSER = 3, 2
"""The pattern is drawn in parts of a pixel; where its points lie is reckoned every few pixels."""

ROUNDS = 16
STILL_PX = 0.003
BLUR_PX = (0.35, 3.0)
FIRST_BLUR_PX = 0.6
MOST_BLOOM_PX = 1.0
RIM_MM, RIM_DOUBT_PX = 1.5, 0.05
"""At the board's border black ends on one side only: it may grow by so much more or less there than
elsewhere, where that would not shift anything."""

LEAST_CONTRAST = 0.25
"""Squares with less than this part of the usual contrast are covered or in deep shade."""

LEAST_PIXELS = 300
FIRST_OFF, LAST_OFF, CLOSER = 0.7, 0.15, 0.75
"""Pixels farther off than this part of black to white show something else; at first
and last, and by what the limit becomes narrower each time."""

ALIKE = 14.0
"""So many neighbouring pixels count as one: what puts them off, they have in common."""

CALM, CURL = 0.6, 4.0
"""Squares of a flat page are no more restless than the first; beyond it the page is bent, which
shifts all of a side alike: doubts grow by so much for every one more."""

LEAST_NOISE = 0.02
"""No pixel is believed to be told better than this part of black to white."""


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """A camera under which the drawn board and the picture agree.

    Attributes:
        fit: The camera; its residuals are empty.
        log_focal_sigma: Relative doubt of the focal length.
        blur_px: How blurred the picture is.
        bloom_px: How much black has grown.
        unrest: How much more squares are shifted, each by itself, than pixels explain; below 1 on
            a flat page.
    """

    fit: Fit
    log_focal_sigma: float
    blur_px: float
    bloom_px: float
    unrest: float


@cache
def _pattern() -> Image:
    """White is 1, with the margin round it; rows run up from the board's lower left corner."""
    edge = round(MARGIN_MM * 2 * TEXELS)
    height, width = (round(count * SQUARE_MM * TEXELS) + 2 * edge for count in (ROWS, COLUMNS))
    drawn = np.ones((height, width), dtype=np.float32)
    for x, y, side in marker_cells():
        left, low, right, high = (
            round(value * TEXELS) + edge for value in (x, y, x + side, y + side)
        )
        drawn[low:high, left:right] = 0.0
    return drawn


@dataclass(frozen=True, slots=True, eq=False)
class _Drawn:
    """The board as one camera sees it.

    Attributes:
        white: How white each pixel is, (H, W).
        places: Table points in squares of the board, (H, W, 2).
        inside: Pixels that the board and its margin cover, (H, W).
        rim: 1 at the board's border, 0 elsewhere, (H, W).
    """

    white: Image
    places: Image
    inside: NDArray[np.bool_]
    rim: Image


def _draw(
    lens: Intrinsics, pose: Floats, corner: tuple[int, int], size: tuple[int, int], square_mm: float
) -> _Drawn:
    """Draw the board into a part of the picture, without blur.

    Args:
        lens: The camera's lens.
        pose: (4, 4) camera_T_table.
        corner: x and y of the part's first pixel.
        size: Its width and height, multiples of ``COARSER``.
        square_mm: Side of a square.
    """
    columns, rows = size[0] // COARSER + 2, size[1] // COARSER + 2
    x = corner[0] + COARSER * (np.arange(columns) - 0.5) - 0.5
    y = corner[1] + COARSER * (np.arange(rows) - 0.5) - 0.5
    px = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    table = meet_plane(lens, pose, lens.undistort(px), 0.0).reshape(rows, columns, 2)
    coarse = np.nan_to_num(table / square_mm, nan=-1e3).astype(np.float32)

    def finer(times: int) -> Image:
        whole = cv2.resize(coarse, (columns * times, rows * times), interpolation=cv2.INTER_LINEAR)
        return np.asarray(whole[times:-times, times:-times], dtype=np.float32)

    edge, texels = MARGIN_MM * 2 * TEXELS, SQUARE_MM * TEXELS
    spots = finer(COARSER * FINER) * np.float32(texels) + np.float32(edge - 0.5)
    seen = cv2.remap(
        _pattern(),
        spots[..., 0],
        spots[..., 1],
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=(1.0,),
    )
    white = cv2.resize(seen, size, interpolation=cv2.INTER_AREA)
    places = finer(COARSER)
    margin = MARGIN_MM / SQUARE_MM
    limit = np.array([COLUMNS + margin, ROWS + margin], dtype=np.float32)
    inside = np.asarray(((places > -margin) & (places < limit)).all(axis=2), dtype=np.bool_)
    deep = np.minimum(places, np.array([COLUMNS, ROWS], dtype=np.float32) - places).min(axis=2)
    rim = np.asarray(deep < RIM_MM / SQUARE_MM, dtype=np.float32)
    return _Drawn(np.asarray(white, dtype=np.float32), places, inside, rim)


def _levels(shown: Image, white: Image, drawn: _Drawn, most_off: float) -> tuple[Floats, Floats]:
    """The picture in parts of each square's own black to white, (H, W), and what each weighs."""
    shape = (ROWS + 2, COLUMNS + 2)
    cell = np.floor(drawn.places).astype(np.int64) + 1
    number = np.clip(cell[..., 1], 0, ROWS + 1) * shape[1] + np.clip(cell[..., 0], 0, COLUMNS + 1)
    count = shape[0] * shape[1]
    inside = drawn.inside
    number, seen, model = number[inside], shown[inside].astype(np.float64), white[inside]
    weight = np.ones(len(seen))
    part = np.zeros(len(seen))
    usual = max(float(np.percentile(seen, 90) - np.percentile(seen, 10)), 1e-3)
    for _ in range(3):
        sums = [
            np.bincount(number, weight * values, count).reshape(shape)
            for values in (np.ones(len(seen)), model, seen, model * model, model * seen)
        ]
        # A square is told with its neighbours: one that is all black says nothing of white.
        total, m, s, mm, ms = (
            cv2.blur(each, (3, 3), borderType=cv2.BORDER_CONSTANT) * 9 for each in sums
        )
        spread = mm * total - m * m
        gain = (ms * total - m * s) / np.maximum(spread, 1e-9)
        gain = np.where(spread > 1e-6 * np.maximum(total, 1) ** 2, gain, 0.0)
        base = (s - gain * m) / np.maximum(total, 1e-9)
        clear = gain > LEAST_CONTRAST * usual
        part = (seen - base.ravel()[number]) / np.maximum(gain, 1e-6).ravel()[number]
        off = np.abs(part - model)
        weight = np.where(clear.ravel()[number], np.clip(1 - (off / most_off) ** 2, 0, 1) ** 2, 0.0)
    parts, weights = np.zeros(inside.shape), np.zeros(inside.shape)
    parts[inside], weights[inside] = part, weight
    return parts, weights


def _rise(values: Image) -> tuple[Image, Image]:
    """Derivatives downwards and to the right, (H, W) each."""
    down, right = np.gradient(values)
    return np.asarray(down, dtype=np.float32), np.asarray(right, dtype=np.float32)


def _second(soft: Image, rise_x: Image, rise_y: Image, steep: Image) -> Image:
    """Second derivative of brightness along its own slope, (H, W)."""
    twice_y, mixed = _rise(rise_y)
    _, twice_x = _rise(rise_x)
    bent = rise_x**2 * twice_x + 2 * rise_x * rise_y * mixed + rise_y**2 * twice_y
    return np.asarray(bent / np.maximum(steep**2, 1e-4), dtype=np.float32)


def _unrest(places: Image, rise_x: Image, rise_y: Image, off: Floats, root: Floats) -> float:
    """How much more squares are shifted against the fit, each by itself, than pixels explain.

    A page that is not flat shifts neighbouring squares by much more than noise would. The mean
    square of their shifts in sigmas; 1 where each pixel is what the weights say.

    Args:
        places: Of pixels, in squares of the board, (N, 2).
        rise_x: Slope of the model to the right, (N,).
        rise_y: Slope downwards, (N,).
        off: What is left over, (N,).
        root: Square roots of the pixels' weights, (N,).
    """
    cell = np.floor(places).astype(np.int64) + 1
    number = cell[:, 1] * (COLUMNS + 2) + cell[:, 0]
    count = (ROWS + 2) * (COLUMNS + 2)
    x, y, left = root * rise_x, root * rise_y, root * off
    xx, xy, yy, bx, by = (
        np.bincount(number, values, count) for values in (x * x, x * y, y * y, x * left, y * left)
    )
    told = xx * yy - xy**2
    sure = told > 0.01 * (xx + yy) ** 2
    squares = (yy * bx**2 - 2 * xy * bx * by + xx * by**2)[sure] / told[sure]
    return float(squares.mean() / 2) if sure.any() else 1.0


def match_board(
    light: Image, lens: Intrinsics, pose: Floats, prior: Prior, square_mm: float
) -> Match | None:
    """Move a camera that is nearly right until the board it sees agrees with the picture.

    Args:
        light: Brightness, (H, W), 0 to 1.
        lens: Start.
        pose: (4, 4) camera_T_table, start, the board's lower left corner at the origin.
        prior: What is known of the camera.
        square_mm: Side of a square.

    Returns:
        The camera; None where the board is too small or too much of it is covered.
    """
    frame = np.array([[0, 0], [COLUMNS, 0], [COLUMNS, ROWS], [0, ROWS]]) * square_mm
    outline = lens.project(np.column_stack([frame, np.zeros(4)]) @ pose[:3, :3].T + pose[:3, 3])
    if not np.isfinite(outline).all():
        return None
    sides = np.hypot(*(np.roll(outline, -1, axis=0) - outline).T) / [COLUMNS, ROWS, COLUMNS, ROWS]
    if sides.min() < LEAST_SIDE_PX:
        return None
    times = max(1, round(float(np.median(sides)) / USUAL_SIDE_PX))
    size = light.shape[1] // times, light.shape[0] // times
    small = cv2.resize(
        light[: size[1] * times, : size[0] * times], size, interpolation=cv2.INTER_AREA
    )
    part = lens.scaled(1 / times) if times > 1 else lens
    low = np.clip(np.floor(outline.min(axis=0) / times - 6), 0, None).astype(int)
    high = np.minimum(np.ceil(outline.max(axis=0) / times + 6), size).astype(int)
    extent = (high - low) // COARSER * COARSER
    if (extent < 4 * LEAST_SIDE_PX).any():
        return None
    shown = small[low[1] : low[1] + extent[1], low[0] : low[0] + extent[0]]
    corner, box = (int(low[0]), int(low[1])), (int(extent[0]), int(extent[1]))
    blur, bloom, more = FIRST_BLUR_PX, 0.0, 0.0
    information = np.zeros((8, 8))
    free = np.array([True] * 6 + [prior.focal_doubt > 0, prior.k1_doubt > 0] + [True] * 3)
    for turn in range(ROUNDS):
        most_off = max(LAST_OFF, FIRST_OFF * CLOSER**turn)
        drawn = _draw(part, pose, corner, box, square_mm)
        soft = np.asarray(cv2.GaussianBlur(drawn.white, (0, 0), blur), dtype=np.float32)
        rise_y, rise_x = _rise(soft)
        steep = np.asarray(np.hypot(rise_x, rise_y), dtype=np.float32)
        # White that shrinks by the bloom on all sides, to the second order.
        across = _second(soft, rise_x, rise_y, steep)
        grown = bloom + more * drawn.rim
        model = np.asarray(soft - grown * steep + 0.5 * grown**2 * across, dtype=np.float32)
        values, weight = _levels(np.asarray(shown, dtype=np.float32), model, drawn, most_off)
        bent = np.asarray(cv2.Laplacian(soft, cv2.CV_32F), dtype=np.float32)
        rise_y, rise_x = _rise(model)
        use = (weight > 0) & (steep > 0.01)
        if use.sum() < LEAST_PIXELS:
            return None
        places = np.column_stack([drawn.places[use] * square_mm, np.zeros(int(use.sum()))])
        _, by_camera = project_with_jacobian(part, pose, places)
        # A point that moves right shows here what was to its left.
        slope = -(rise_x[use][:, None] * by_camera[:, 0] + rise_y[use][:, None] * by_camera[:, 1])
        by_bloom = grown[use] * across[use] - steep[use]
        slope = np.column_stack([slope, by_bloom, by_bloom * drawn.rim[use], blur * bent[use]])
        off = values[use] - model[use]
        noise = max(1.48 * float(np.median(np.abs(off))), LEAST_NOISE)
        whole = lens.with_lens(part.fx_px * times, part.distortion[0])
        known, by_known = known_of(prior, whole, pose)
        root = np.sqrt(weight[use]) / (noise * np.sqrt(ALIKE))
        sure = np.pad(by_known, ((0, 1), (0, 3)))
        sure[-1, 9] = 1 / RIM_DOUBT_PX
        rows = np.vstack([slope * root[:, None], sure])[:, free]
        left = np.concatenate([off * root, -known, [-more / RIM_DOUBT_PX]])
        information = rows.T @ rows
        scale = np.sqrt(np.diag(information)) + 1e-30
        step = np.zeros(11)
        step[free] = (
            np.linalg.solve(
                information / np.outer(scale, scale) + 1e-9 * np.eye(len(scale)),
                rows.T @ left / scale,
            )
            / scale
        )
        part, pose = moved(part, pose, step[:8])
        bloom = float(np.clip(bloom + step[8], -MOST_BLOOM_PX, MOST_BLOOM_PX))
        more += float(step[9])
        blur = float(np.clip(blur + blur * step[10], *BLUR_PX))
        shift = np.abs(by_camera @ step[:8]).max()
        if most_off == LAST_OFF and shift < STILL_PX:
            break
    unrest = _unrest(drawn.places[use], rise_x[use], rise_y[use], off, root)
    covariance = np.zeros((11, 11))
    inner = np.linalg.pinv(information / np.outer(scale, scale), hermitian=True, rcond=1e-14)
    covariance[np.ix_(free, free)] = inner / np.outer(scale, scale)
    camera = covariance[:8, :8] * (1 + (CURL * max(0.0, unrest - CALM)) ** 2)
    log_focal_sigma = float(np.sqrt(max(camera[6, 6], 0.0)))
    final = lens.with_lens(part.fx_px * times, part.distortion[0])
    camera[6] *= final.fx_px
    camera[:, 6] *= final.fx_px
    fit = Fit(final, pose, camera, np.zeros((0, 2)), noise)
    return Match(fit, log_focal_sigma, blur * times, bloom * times, unrest)
