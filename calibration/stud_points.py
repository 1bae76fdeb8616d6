"""Where exactly the stud tops are: one mean stud, its centre, and every stud placed by it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Intrinsics
from calibration.peaks import peak_shifts
from calibration.stud_pool import pooled_shifts
from calibration.stud_seeds import Gray
from calibration.stud_set import Studs

WIDE_WINDOW, CLOSE_WINDOW = 0.5, 0.4
"""Half sides of what is matched, in steps: a whole period to tell studs from other things; less
to place them, as things that stand near pull at the match."""

BLOCK = 8
"""Places a side of a block that has a mean stud of its own."""

LEAST_IN_BLOCK = 24

RIM = 2.4 / 8.0
"""Radius of a stud in steps: 6 of the 20 LDraw units between studs."""


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A camera over the plane of the stud tops.

    Attributes:
        intrinsics: The lens.
        camera_T_table: (4, 4) pose, mm.
        pitch_mm: One step.
        height_mm: Height of the stud tops over z = 0.
    """

    intrinsics: Intrinsics
    camera_T_table: NDArray[np.float64]
    pitch_mm: float
    height_mm: float

    def project(self, places: NDArray[np.float64]) -> NDArray[np.float64]:
        """Pixels of places in steps, (N, 2), NaN behind the camera."""
        points = np.column_stack([places * self.pitch_mm, np.full(len(places), self.height_mm)])
        camera = points @ self.camera_T_table[:3, :3].T + self.camera_T_table[:3, 3]
        return self.intrinsics.project(camera)

    @property
    def centre_mm(self) -> NDArray[np.float64]:
        """Camera centre in the table frame, (3,)."""
        return np.asarray(-self.camera_T_table[:3, :3].T @ self.camera_T_table[:3, 3])

    def pitch_px(self, nodes: NDArray[np.int64]) -> float:
        """Median of the longer side of cells in the picture, px."""
        some = nodes[:: max(1, len(nodes) // 50)].astype(np.float64)
        sides = [
            np.hypot(*(self.project(some + half) - self.project(some - half)).T)
            for half in (np.array([0.5, 0.0]), np.array([0.0, 0.5]))
        ]
        return float(np.nanmedian(np.maximum(*sides)))

    def scaled(self, scale: float) -> View:
        """The same view in a picture shrunk by a factor."""
        return replace(self, intrinsics=self.intrinsics.scaled(scale))


def rectify_view(
    flat: Gray, view: View, low: NDArray[np.float64], shape: tuple[int, int], cell: int
) -> Gray:
    """The plane of the stud tops seen from straight above.

    Args:
        flat: Flattened brightness, (H, W).
        view: The camera.
        low: Place of the first pixel's centre, (2,).
        shape: Width and height of the result in px.
        cell: Pixels a step.

    Returns:
        (height, width); 0 where the picture ends.
    """
    coarse = 4
    xs = np.arange(0, shape[0] + coarse, coarse)
    ys = np.arange(0, shape[1] + coarse, coarse)
    grid = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    px = view.project(low + grid / cell).reshape(len(ys), len(xs), 2).astype(np.float32)
    # Between every fourth pixel the map is straight enough; the grid starts half a cell early.
    big = (len(xs) * coarse, len(ys) * coarse)
    shift = np.array([[1 / coarse, 0, 0], [0, 1 / coarse, 0]], dtype=np.float32)
    maps = [
        cv2.warpAffine(
            np.ascontiguousarray(px[:, :, axis]), shift, big,
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE,
        )[: shape[1], : shape[0]]
        for axis in range(2)
    ]  # fmt: skip
    return np.asarray(cv2.remap(flat, maps[0], maps[1], cv2.INTER_CUBIC, borderValue=0))


def windows(rect: Gray, at: NDArray[np.int64], half: int) -> NDArray[np.float32]:
    """Square windows around pixels, (N, 2) to (N, 2 half + 1, 2 half + 1)."""
    views = np.lib.stride_tricks.sliding_window_view(rect, (2 * half + 1, 2 * half + 1))
    return np.asarray(views[at[:, 1] - half, at[:, 0] - half], dtype=np.float32)


def mean_cell(patches: NDArray[np.float32]) -> NDArray[np.float32]:
    """Mean of windows with outliers left out, (N, S, S) to (S, S)."""
    mean = patches.mean(axis=0)
    off = ((patches - mean) ** 2).mean(axis=(1, 2))
    return np.asarray(patches[off <= np.median(off) * 1.5].mean(axis=0), dtype=np.float32)


def rim_centre(cell: NDArray[np.float32], upsample: int = 4) -> tuple[NDArray[np.float64], float]:
    """Where the centre of the round top is in a mean stud.

    The rim of a stud top is an edge all round it, whatever the light makes of it: bright against
    a shadow on one side, dark against a highlight on the other. So the strength of the edge
    across a circle is summed, not its sign, and side light does not pull the centre. A top lies
    as the plate does and is lit as it is: what is round but dark inside is a shadow.

    Args:
        cell: Mean stud over one period, (S, S), periodic.
        upsample: Finer pixels to search at.

    Returns:
        Shift of the rim's centre from the middle of the cell in steps, (2,), and its contrast:
        edge strength on the rim over the mean edge strength.
    """
    size = cell.shape[0] * upsample
    middle = slice(size, 2 * size)
    fine = np.asarray(
        cv2.resize(
            np.tile(cell, (3, 3)), None, fx=upsample, fy=upsample, interpolation=cv2.INTER_CUBIC
        ),
        dtype=np.float32,
    )
    dx = np.gradient(fine, axis=1)[middle, middle]
    dy = np.gradient(fine, axis=0)[middle, middle]
    votes = np.zeros((size, size))
    for angle in np.linspace(0, 2 * np.pi, 32, endpoint=False):
        c, s = np.cos(angle), np.sin(angle)
        x, y = round(RIM * size * c), round(RIM * size * s)
        votes += np.sqrt(np.roll(np.abs(dx * c + dy * s), (-y, -x), axis=(0, 1)))
    votes = cv2.GaussianBlur(np.tile(votes, (3, 3)), (0, 0), upsample * 0.75)[middle, middle]
    reach = round(0.8 * RIM * size)
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
    disc = disc.astype(np.float64) / disc.sum()
    inside = cv2.filter2D(fine.astype(np.float64), -1, disc)[middle, middle]
    own = fine[middle, middle]
    # Shadows pull the mean down, so the plate itself is above it.
    lightness = (inside - own.mean()) / max(float(own.std()), 1e-9)
    score = votes * (0.4 + 0.6 / (1 + np.exp(-6 * lightness)))
    y, x = np.unravel_index(int(score.argmax()), score.shape)
    contrast = votes[y, x] / max(float(votes.mean()), 1e-9)
    around = np.roll(score, (2 - y, 2 - x), axis=(0, 1))[:5, :5].astype(np.float32)
    between, _ = peak_shifts(around[None])
    centre = (np.array([x, y]) + between[0] + 0.5) / size - 0.5
    return centre, float(contrast)


def squareness(cell: NDArray[np.float32]) -> float:
    """How much the edges in a mean cell run along two crossed directions only.

    Tiles, mats with a printed grid and chessboards repeat like studs, but their edges are
    straight: the fourth harmonic of the directions is strong and the second is not. Round rims
    have neither, a crescent of shadow mostly the second.

    Args:
        cell: Mean over one period, (S, S), periodic.

    Returns:
        Fourth less second harmonic, -1 to 1.
    """
    size = cell.shape[0]
    middle = slice(size, 2 * size)
    smooth = cv2.GaussianBlur(np.tile(cell, (3, 3)), (0, 0), size / 24)
    dx = np.gradient(smooth, axis=1)[middle, middle]
    dy = np.gradient(smooth, axis=0)[middle, middle]
    energy, turn = dx * dx + dy * dy, np.arctan2(dy, dx)
    second, fourth = (abs((energy * np.exp(1j * k * turn)).sum()) for k in (2, 4))
    return float((fourth - second) / max(float(energy.sum()), 1e-9))


def _blocks(
    patches: NDArray[np.float32], places: NDArray[np.int64], shape: tuple[int, int]
) -> NDArray[np.float32]:
    """The mean stud of every block of a rectangle of places.

    Light and view change over a plate, and the looks of studs with them.

    Args:
        patches: Windows around known studs, (N, S, S).
        places: Their places counted from the rectangle's first, (N, 2).
        shape: Blocks along x and y.

    Returns:
        (BY, BX, S, S); where a block has too few studs around it, that of the nearest one.
    """
    every = np.stack(np.meshgrid(np.arange(shape[0]), np.arange(shape[1])), -1)
    middles = (every + 0.5) * BLOCK - 0.5
    whole = mean_cell(patches)
    means = np.broadcast_to(whole, (shape[1], shape[0], *whole.shape)).copy()
    own = np.zeros((shape[1], shape[0]), dtype=bool)
    for row, column in np.ndindex(shape[1], shape[0]):
        far = np.abs(places - middles[row, column]).max(axis=1)
        near = far <= BLOCK
        if near.sum() >= LEAST_IN_BLOCK:
            means[row, column] = mean_cell(patches[near])
            own[row, column] = True
    if own.any():
        known = middles[own]
        for row, column in np.argwhere(~own):
            nearest = np.hypot(*(known - middles[row, column]).T).argmin()
            means[row, column] = means[own][nearest]
    return means


def place_studs(
    rect: Gray,
    means: NDArray[np.float32],
    at: NDArray[np.int64],
    block: NDArray[np.int64],
    reach: int,
    pool: tuple[int, int] | None = None,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Find the mean stud near every expected place.

    Args:
        rect: Rectified picture.
        means: Mean studs by block, (BY, BX, S, S), S odd.
        at: Expected pixels, (N, 2), far enough inside.
        block: Column and row of everyone's block, (N, 2).
        reach: How far to look in px.
        pool: Places along x and y, if ``at`` is a whole rectangle row by row and every stud is
            to be matched together with its neighbours.

    Returns:
        Shifts from there in px, (N, 2), and correlations, (N,).
    """
    half = means.shape[-1] // 2
    wide = half + reach + 1
    fields = np.full((len(at), 2 * reach + 3, 2 * reach + 3), -1.0, dtype=np.float32)
    for row, column in np.ndindex(*means.shape[:2]):
        own = np.nonzero((block[:, 0] == column) & (block[:, 1] == row))[0]
        if not len(own):
            continue
        low, high = at[own].min(axis=0) - wide, at[own].max(axis=0) + wide + 1
        part = np.ascontiguousarray(rect[low[1] : high[1], low[0] : high[0]])
        match = cv2.matchTemplate(part, means[row, column], cv2.TM_CCOEFF_NORMED)
        score = np.asarray(match, dtype=np.float32)
        np.nan_to_num(score, copy=False, nan=-1.0, posinf=-1.0, neginf=-1.0)
        fields[own] = windows(score, at[own] - low - half, reach + 1)
    return peak_shifts(fields) if pool is None else pooled_shifts(fields, pool)


def roundness(cell: NDArray[np.float32]) -> tuple[float, float]:
    """How much a mean cell looks the same all round some centre, and how much it has two sides.

    A printed dot is nothing but round. A stud is lit from somewhere, has a wall that is seen
    from one side only, and casts a shadow.

    Args:
        cell: Mean over one period, (S, S), periodic, S even.

    Returns:
        Share of the contrast that depends on the distance from the centre alone, and share that
        changes sign through the centre, 0 to 1 each, for the centre that makes most of the first.
    """
    size = cell.shape[0]
    own = cell.astype(np.float64) - float(cell.mean())
    energy = max(float((own**2).sum()), 1e-9)
    # How like the cell is to itself turned half round a centre is its convolution with itself,
    # at twice the centre; that leaves open half a period along both axes.
    turned = np.fft.ifft2(np.fft.fft2(own) ** 2).real / energy
    row, column = np.unravel_index(int(turned.argmax()), turned.shape)
    y, x = np.mgrid[:size, :size].astype(np.float64)
    best = 0.0
    for dy, dx in np.ndindex(2, 2):
        off_x = (x - (column + dx * size) / 2 + size / 2) % size - size / 2
        off_y = (y - (row + dy * size) / 2 + size / 2) % size - size / 2
        ring = (np.hypot(off_x, off_y) * 20 / size).astype(np.int64).ravel()
        count = np.maximum(np.bincount(ring), 1)
        mean = np.bincount(ring, weights=own.ravel()) / count
        best = max(best, 1 - float(((own.ravel() - mean[ring]) ** 2).sum()) / energy)
    return best, (1 - float(turned.max())) / 2


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """Every place of a rectangle of the grid, looked at.

    Attributes:
        nodes: Places row by row, (N, 2).
        px: Where the best match is seen, (N, 2).
        alike: Its correlation with the mean stud, (N,).
        off: How far it is from where the camera has it, in steps, (N,).
        rim: Contrast of the mean stud's rim.
        squareness: How square the mean stud looks.
    """

    nodes: NDArray[np.int64]
    px: NDArray[np.float64]
    alike: NDArray[np.float64]
    off: NDArray[np.float64]
    rim: float
    squareness: float

    def moved_to(self, px: NDArray[np.float64]) -> Placed:
        """The same with other pixels, (N, 2)."""
        return replace(self, px=px)

    def studs(self, good: NDArray[np.bool_]) -> Studs:
        """Those that are studs, by mask, (N,)."""
        return Studs(self.nodes[good], self.px[good], self.alike[good])


def place_all(
    flat: Gray,
    view: View,
    known: NDArray[np.int64],
    margin: int,
    local: bool,
    exact: bool = False,
    pool: bool = False,
) -> Placed:
    """Look at every place around the known studs for the centre of a stud top.

    Args:
        flat: Flattened brightness, (H, W).
        view: Camera in the pixels of ``flat``.
        known: Studs found before, (N, 2).
        margin: Steps around these.
        local: Every block is matched with a mean stud of its own: finds studs whatever light
            and view make of them, but places them only against their neighbours.
        exact: To place studs, not to find them.
        pool: Every stud is matched together with its neighbours.

    Returns:
        All places.
    """
    low, high = known.min(axis=0) - margin - 1, known.max(axis=0) + margin + 1
    cell = cell_size(view, known)
    shape = (int(high[0] - low[0]) * cell + 1, int(high[1] - low[1]) * cell + 1)
    rect = rectify_view(flat, view, low.astype(np.float64), shape, cell)
    at = (known - low) * cell
    period = mean_cell(windows(rect, at, cell // 2))[:cell, :cell]
    phase, rim = rim_centre(period)
    # The middle of an even number of pixels lies half a pixel before the one in the middle.
    phase = phase - 0.5 / cell
    rect = rectify_view(flat, view, low + phase, shape, cell)
    every = np.stack(np.meshgrid(*(np.arange(low[k] + 1, high[k]) for k in range(2))), -1)
    nodes = every.reshape(-1, 2)
    block = (nodes - low) // BLOCK
    blocks = block.max(axis=0) + 1
    patches = windows(rect, at, round((CLOSE_WINDOW if exact else WIDE_WINDOW) * cell))
    if local:
        means = _blocks(patches, known - low, (int(blocks[0]), int(blocks[1])))
    else:
        means, block = mean_cell(patches)[None, None], np.zeros_like(block)
    size = (int(high[0] - low[0]) - 1, int(high[1] - low[1]) - 1) if pool else None
    shifts, alike = place_studs(rect, means, (nodes - low) * cell, block, cell // 6, size)
    px = view.project(nodes + phase + shifts / cell)
    return Placed(nodes, px, alike, np.hypot(*shifts.T) / cell, rim, squareness(period))


def cell_size(view: View, nodes: NDArray[np.int64]) -> int:
    """Rectified pixels a step at which the studs keep their detail: a multiple of four."""
    return int(np.clip(4 * round(view.pitch_px(nodes) * 1.1 / 4), 12, 28))
