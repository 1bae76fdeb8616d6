"""Smooth closed surfaces for our own models: lofts, shells and caps, in mm, as coloured triangles.

Colours are direct LDraw codes (0x2RRGGBB), so that the models go where parts go.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.scenes.ldraw import Geometry

DIRECT = 0x2000000
Points = NDArray[np.float64]
Paint = Callable[[Points], NDArray[np.int64]]


@dataclass(frozen=True, slots=True)
class Ring:
    """One cross-section of a loft: height, half sizes, middle and squareness.

    Attributes:
        z: Height.
        rx: Half size along x.
        ry: Half size along y.
        x: Middle.
        y: Middle.
        power: 2 = ellipse, 4 = rounded box.
    """

    z: float
    rx: float
    ry: float
    x: float = 0.0
    y: float = 0.0
    power: float = 2.0


def rgb(red: int, green: int, blue: int) -> int:
    """Direct colour code of sRGB 0..255."""
    return DIRECT | red << 16 | green << 8 | blue


def loft(
    rings: Sequence[Ring], colour: int, paint: Paint | None = None, fine: int = 36, steps: int = 3
) -> Geometry:
    """A closed skin through rings, from the lowest up, smooth between them.

    Args:
        rings: Two or more, z rising.
        colour: Colour code.
        paint: Gives each triangle's colour by its middle instead.
        fine: Corners of a ring.
        steps: Rings put between two neighbours.
    """
    rows = curve(rings, steps)
    angle = np.linspace(0, 2 * np.pi, fine, endpoint=False)
    c, s = np.cos(angle), np.sin(angle)
    grid = np.empty((len(rows), fine, 3))
    for row, (z, rx, ry, x, y, power) in zip(grid, rows, strict=True):
        row[:, 0] = x + max(rx, 0.01) * np.sign(c) * np.abs(c) ** (2 / power)
        row[:, 1] = y + max(ry, 0.01) * np.sign(s) * np.abs(s) ** (2 / power)
        row[:, 2] = z
    return skin(grid, colour, paint)


def curve(rings: Sequence[Ring], steps: int) -> Points:
    """(N, 6) rows of z, rx, ry, x, y, power along rings, steps - 1 between two neighbours."""
    table = np.array([(r.z, r.rx, r.ry, r.x, r.y, r.power) for r in rings])
    at = np.linspace(0, len(rings) - 1, (len(rings) - 1) * steps + 1)
    return np.stack([_curve(table[:, i], at) for i in range(table.shape[1])], axis=1)


def skin(grid: Points, colour: int, paint: Paint | None = None, closed: bool = True) -> Geometry:
    """Triangles of a tube of rings (rows, corners, 3), its ends closed by fans."""
    after = np.roll(grid, -1, axis=1)
    quads = np.stack([grid[:-1], after[:-1], after[1:], grid[1:]], axis=2).reshape(-1, 4, 3)
    pieces = [quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]]
    if closed:
        for row, flip in ((0, True), (-1, False)):
            middle = np.broadcast_to(grid[row].mean(axis=0), grid[row].shape)
            fan = np.stack([middle, grid[row], after[row]], axis=1)
            pieces.append(fan[:, ::-1] if flip else fan)
    return painted(np.concatenate(pieces), colour, paint)


def painted(triangles: Points, colour: int, paint: Paint | None = None) -> Geometry:
    """Triangles with one colour, or each with that of its middle."""
    codes = np.full(len(triangles), colour, dtype=np.int64)
    return Geometry(triangles, codes if paint is None else paint(triangles.mean(axis=1)))


def ball(middle: Sequence[float], radii: Sequence[float], colour: int, fine: int = 24) -> Geometry:
    """An ellipsoid."""
    tilt = np.linspace(-np.pi / 2, np.pi / 2, fine // 2 + 1)
    turn = np.linspace(0, 2 * np.pi, fine, endpoint=False)
    grid = np.stack(
        [
            np.cos(tilt)[:, None] * np.cos(turn),
            np.cos(tilt)[:, None] * np.sin(turn),
            np.broadcast_to(np.sin(tilt)[:, None], (len(tilt), len(turn))),
        ],
        axis=2,
    )
    return skin(grid * np.asarray(radii) + np.asarray(middle), colour, closed=False)


def cap(
    middle: Sequence[float],
    radii: Sequence[float],
    reach_deg: Callable[[Points], Points],
    colour: int,
    thick_mm: float = 1.2,
    wave: tuple[int, float] = (0, 0.0),
) -> Geometry:
    """A shell over the upper part of an ellipsoid, as hair and helmets are.

    Args:
        middle: Middle of the ellipsoid.
        radii: Its outer half sizes.
        reach_deg: How far it comes down from the top at an azimuth in radians (0 = front, x).
        colour: Colour code.
        thick_mm: Thickness of the rim.
        wave: Count and share of the radius of grooves, as strands of hair make them.
    """
    turn = np.linspace(0, 2 * np.pi, 56, endpoint=False)
    reach = np.radians(reach_deg(turn))
    share = np.linspace(0.02, 1, 14)[:, None]
    tilt = share * reach
    groove = 1 + wave[1] * np.cos(wave[0] * turn) * np.sqrt(share)
    outer = np.stack(
        [
            groove * np.sin(tilt) * np.cos(turn),
            groove * np.sin(tilt) * np.sin(turn),
            np.cos(tilt),
        ],
        axis=2,
    ) * np.asarray(radii)
    inner = outer[-1] * (1 - thick_mm / float(np.mean(radii)))
    deep = inner * 0.8
    grid = np.concatenate([deep[None], inner[None], outer[::-1]])
    return skin(grid + np.asarray(middle), colour)


def tube(path: Points, radii: Sequence[float], colour: int, fine: int = 14) -> Geometry:
    """A round tube along a path (N, 3), with a radius at each point."""
    ahead = np.gradient(path, axis=0)
    ahead /= np.maximum(np.linalg.norm(ahead, axis=1, keepdims=True), 1e-9)
    start = np.array([0.0, 0.0, 1.0]) if abs(ahead[0, 2]) < 0.9 else np.array([1.0, 0.0, 0.0])
    rings = []
    side = np.cross(ahead[0], start)
    angle = np.linspace(0, 2 * np.pi, fine, endpoint=False)
    for point, along, radius in zip(path, ahead, radii, strict=True):
        side = side - along * (side @ along)
        side /= np.linalg.norm(side)
        up = np.cross(along, side)
        rings.append(point + radius * (np.cos(angle)[:, None] * side + np.sin(angle)[:, None] * up))
    return skin(np.array(rings), colour)


def decal(
    over: Callable[[Points, Points], Points],
    inside: Callable[[Points, Points], NDArray[np.bool_]],
    span: tuple[float, float, float, float],
    colour: int,
    cell_mm: float = 0.25,
) -> Geometry:
    """A print on the front of a surface.

    Args:
        over: x of the surface at (y, z).
        inside: Whether the print covers (y, z).
        span: y0, y1, z0, z1 of the print.
        colour: Colour code.
        cell_mm: Size of its cells.
    """
    y0, y1, z0, z1 = span
    y, z = np.meshgrid(
        np.arange(y0, y1 + cell_mm, cell_mm), np.arange(z0, z1 + cell_mm, cell_mm), indexing="ij"
    )
    grid = np.stack([over(y, z) + 0.06, y, z], axis=2)
    keep = inside(y[:-1, :-1] + cell_mm / 2, z[:-1, :-1] + cell_mm / 2)
    a, b, c, d = (g[keep] for g in (grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]))
    triangles = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
    return painted(triangles, colour)


def box(
    size: Sequence[float], middle: Sequence[float], colour: int, bevel: float = 0.6
) -> Geometry:
    """A box with rounded upright edges and bevelled rims, about a middle."""
    x, y, z = (v / 2 for v in size)
    e = min(bevel, x, y, z)
    cx, cy, cz = middle
    return loft(
        [
            Ring(cz - z, x - e, y - e, cx, cy, 9),
            Ring(cz - z + e, x, y, cx, cy, 14),
            Ring(cz + z - e, x, y, cx, cy, 14),
            Ring(cz + z, x - e, y - e, cx, cy, 9),
        ],
        colour,
        fine=40,
        steps=1,
    )


def _curve(values: Points, at: Points) -> Points:
    """Catmull-Rom through values at 0, 1, 2 ..., held within their neighbours."""
    low = np.clip(at.astype(int), 0, len(values) - 2)
    t = at - low
    padded = np.concatenate([[2 * values[0] - values[1]], values, [2 * values[-1] - values[-2]]])
    a, b, c, d = (padded[low + i] for i in range(4))
    curve = 0.5 * (
        2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3
    )
    smooth: Points = np.clip(curve, np.minimum(b, c), np.maximum(b, c))
    return smooth
