"""Triangles to an indexed mesh: equal corners welded, colours to material slots."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.scenes.ldraw import Geometry


@dataclass(frozen=True, slots=True)
class Mesh:
    """Indexed triangles.

    Attributes:
        vertices: (V, 3) float64.
        faces: (F, 3) int64 vertex indices.
        slots: (F,) int64 index into colours.
        colours: Colour codes, one a material slot.
    """

    vertices: NDArray[np.float64]
    faces: NDArray[np.int64]
    slots: NDArray[np.int64]
    colours: tuple[int, ...]


def weld(geometry: Geometry, grid: float = 0.004) -> Mesh:
    """Weld corners that fall on the same point of a fine grid; drops triangles that collapse."""
    corners = geometry.triangles.reshape(-1, 3)
    keys = np.round(corners / grid).astype(np.int64) + (1 << 20)
    packed = (keys[:, 0] << 42) | (keys[:, 1] << 21) | keys[:, 2]
    _, first, index = np.unique(packed, return_index=True, return_inverse=True)
    faces = index.reshape(-1, 3).astype(np.int64)
    a, b, c = faces.T
    whole = (a != b) & (b != c) & (c != a)
    colours, slots = np.unique(geometry.colours[whole], return_inverse=True)
    return Mesh(
        corners[first], faces[whole], slots.astype(np.int64), tuple(int(v) for v in colours)
    )


def surface_points(geometry: Geometry, count: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """(count, 3) random points spread evenly over the surface."""
    a, b, c = (geometry.triangles[:, i] for i in range(3))
    areas = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    pick = rng.choice(len(areas), size=count, p=areas / areas.sum())
    u, v = rng.random(count), rng.random(count)
    fold = u + v > 1
    u[fold], v[fold] = 1 - u[fold], 1 - v[fold]
    points: NDArray[np.float64] = a[pick] + u[:, None] * (b - a)[pick] + v[:, None] * (c - a)[pick]
    return points
