"""Animals: LDraw's moulded ones, and what every animal's keypoints are.

An animal has no hands; its soles are the middles of its left and its right feet on the ground and
its head top is its highest point. LDraw animals look along -z like figures.
"""

import numpy as np
from numpy.typing import NDArray

from vision.scenes.figure import Figure, figure_from_ldraw, move
from vision.scenes.ldraw import Geometry, Library, joined, placed
from vision.scenes.mesh import surface_points

KNOWN = (True, True, True, False, False)
_COLOURS = (70, 0, 15, 308, 28, 19, 71, 72, 6, 8, 84, 320, 25)
_TOUCH_MM = 2.0


def feet(points: NDArray[np.float64], touch_mm: float = _TOUCH_MM) -> NDArray[np.float64]:
    """(2, 3) middles of the left and the right side's outline on the ground.

    Args:
        points: (N, 3) surface points of a thing that stands on z = 0, looking along x.
        touch_mm: What is this low touches the ground.
    """
    low = points[points[:, 2] < float(points[:, 2].min()) + touch_mm]
    middle = (low[:, 1].min() + low[:, 1].max()) / 2
    soles = []
    for side in (1, -1):
        own = low[side * (low[:, 1] - middle) >= 0]
        soles.append([*((own[:, :2].min(axis=0) + own[:, :2].max(axis=0)) / 2), 0.0])
    return np.array(soles)


def animal(
    shape: Geometry, name: str, seat_mm: float = 0.0, seat_x_mm: float = 0.0, takes: str = ""
) -> Figure:
    """A figure of a shape that looks along x: on z = 0, the middle of its feet at the origin."""
    points = shape.triangles.reshape(-1, 3)
    soles = feet(points)
    x, y = soles[:, :2].mean(axis=0)
    shift = move(-float(x), -float(y), -float(points[:, 2].min()))
    settled = placed(shape, shift, 0)
    points = settled.triangles.reshape(-1, 3)
    keypoints = np.zeros((5, 3))
    keypoints[:2] = soles - np.array([x, y, 0.0])
    keypoints[2] = points[int(points[:, 2].argmax())]
    keypoints[3:] = keypoints[:2].mean(axis=0)
    return Figure(
        settled,
        joined([]),
        keypoints,
        kind="animal",
        name=name,
        known=KNOWN,
        grip_mm=0.6 * float(points[:, 2].max()),
        radius_mm=0.45 * float(np.ptp(points[:, 0])),
        seat_mm=seat_mm,
        seat_x_mm=seat_x_mm - float(x),
        takes=takes,
    )


def ldraw_animal(library: Library, name: str, rng: np.random.Generator) -> Figure:
    """A moulded animal in a random colour of the kind animals have.

    Raises:
        SceneError: there is no such part.
    """
    colour = _COLOURS[int(rng.integers(len(_COLOURS)))]
    shape = placed(library.geometry(name), figure_from_ldraw(), colour)
    if "Horse" not in library.title(name):
        return animal(shape, name.removesuffix(".dat"))
    return animal(shape, name.removesuffix(".dat"), *_saddle(shape), "minifig")


def _saddle(shape: Geometry) -> tuple[float, float]:
    """Height over the ground and x of the gap in a horse's back that a rider's legs go into."""
    points = surface_points(shape, 60000, np.random.default_rng(0))
    points = points[np.abs(points[:, 1]) < 3.0]
    ground, (x0, x1) = (
        float(shape.triangles[:, :, 2].min()),
        (points[:, 0].min(), points[:, 0].max()),
    )
    places = np.linspace(x0 + 0.35 * (x1 - x0), x0 + 0.65 * (x1 - x0), 41)
    tops = np.array([points[np.abs(points[:, 0] - x) < 0.6, 2].max(initial=ground) for x in places])
    gap = tops < tops.min() + 2.0
    return float(np.median(tops[gap])) - ground, float(places[gap].mean())
