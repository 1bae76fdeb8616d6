"""Simple carts, wagons, guns and cars: our own boxes on wheels, and some built of LDraw parts.

A vehicle looks along +x; its soles are where the middles of its left and right side meet the
ground, the rest of its keypoints mean nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from vision.scenes.bricks import BRICK_MM, PLATE_MM, part_matrix
from vision.scenes.figure import Figure, move, turn
from vision.scenes.ldraw import Geometry, Library, joined, placed
from vision.scenes.shapes import Ring, ball, box, loft, rgb, skin, tube

KNOWN = (True, True, False, False, False)
_IRON = rgb(60, 60, 64)


@dataclass(frozen=True, slots=True)
class Paint:
    """Colours of a vehicle: body, wheels, trim; and its size against a Playmobil cart's."""

    body: int
    wheels: int
    trim: int
    size: float = 1.0


def wheel(radius: float, width: float, colour: int, hub: int, spokes: int = 8) -> Geometry:
    """A spoked wheel (0 spokes: a solid one) about the origin, its axle along y."""
    a = np.linspace(0, 2 * np.pi, 33)
    circle = np.stack([np.cos(a), 0 * a, np.sin(a)], axis=1)
    if spokes == 0:
        disc = loft(
            [
                Ring(-width / 2, radius * 0.86, radius * 0.86),
                Ring(-width * 0.36, radius, radius),
                Ring(width * 0.36, radius, radius),
                Ring(width / 2, radius * 0.86, radius * 0.86),
            ],
            colour,
            steps=1,
        )
        cover = loft(
            [
                Ring(-width * 0.54, radius * 0.5, radius * 0.5),
                Ring(width * 0.54, radius * 0.5, radius * 0.5),
            ],
            hub,
            steps=1,
        )
        return placed(joined([disc, cover]), turn("x", 90), 0)
    rim = tube(circle * (radius - width * 0.4), [width * 0.4] * 33, colour, 8)
    pieces = [rim, ball((0, 0, 0), (radius * 0.2, width * 0.8, radius * 0.2), hub, 14)]
    for angle in a[:-1:4] if spokes == 8 else np.linspace(0, 2 * np.pi, spokes + 1)[:-1]:
        end = np.array([np.cos(angle), 0, np.sin(angle)]) * (radius - width * 0.4)
        pieces.append(tube(np.array([end * 0.1, end * 0.5, end]), [width * 0.28] * 3, colour, 8))
    return joined(pieces)


def _wheels(
    places: list[tuple[float, float]], radius: float, half: float, paint: Paint, spokes: int = 8
) -> list[Geometry]:
    """Pairs of wheels at (x, radius share) and their axles; the wheels' foot is at z = 0."""
    pieces = []
    for x, share in places:
        r = radius * share
        axle = np.array([(x, -half, r), (x, 0, r), (x, half, r)])
        pieces.append(tube(axle, [1.4] * 3, _IRON, 8))
        pieces += [
            placed(wheel(r, 4.0, paint.wheels, paint.trim, spokes), move(x, s * half, r), 0)
            for s in (-1, 1)
        ]
    return pieces


def _sides(x0: float, x1: float, half: float, z: float, high: float, colour: int) -> list[Geometry]:
    """Floor and four boards of a tray, each side of two planks."""
    long, mid = x1 - x0, (x0 + x1) / 2
    pieces = [box((long, 2 * half, 2.4), (mid, 0, z), colour, 0.4)]
    for k in range(2):
        at = z + 1 + high * (k + 0.5) / 2
        tall = high / 2 - 0.7
        pieces += [box((long, 1.8, tall), (mid, s * half, at), colour, 0.4) for s in (-1, 1)]
        pieces += [box((1.8, 2 * half, tall), (x, 0, at), colour, 0.4) for x in (x0, x1)]
    return pieces


def _shafts(x0: float, length: float, half: float, z: float, colour: int) -> list[Geometry]:
    """Two shafts ahead, sloping to the ground."""
    return [
        tube(
            np.array(
                [
                    (x0, s * half, z),
                    (x0 + length / 2, s * half, z * 0.75),
                    (x0 + length, s * half, 1.6),
                ]
            ),
            [1.6] * 3,
            colour,
            8,
        )
        for s in (-1, 1)
    ]


def cart(paint: Paint, rng: np.random.Generator) -> Geometry:
    """Cart on two wheels with shafts."""
    high = float(rng.uniform(10, 20))
    return joined(
        [
            *_sides(-30, 26, 17, 20, high, paint.body),
            *_wheels([(-2, 1.0)], 19, 22, paint),
            *_shafts(24, 46, 10, 20, paint.body),
        ]
    )


def wagon(paint: Paint, rng: np.random.Generator) -> Geometry:
    """Wagon on four wheels with a bench."""
    pieces = [
        *_sides(-44, 40, 19, 21, float(rng.uniform(9, 18)), paint.body),
        *_wheels([(-28, 1.0), (28, 0.8)], 17, 23, paint),
        box((9, 36, 2.4), (32, 0, 36), paint.trim, 0.4),
    ]
    if rng.random() < 0.5:
        pieces += [box((16, 15, 14), (-24 + 18 * k, 0, 29), paint.trim, 1.0) for k in range(2)]
    return joined([*pieces, *_shafts(44, 36, 3, 14, paint.body)])


def covered(paint: Paint, rng: np.random.Generator) -> Geometry:
    """Wagon under a canvas."""
    angle = np.linspace(-0.2, np.pi + 0.2, 22)
    rows = []
    for x, grow in ((-46, 1.12), (-30, 1.0), (-12, 1.05), (6, 1.0), (22, 1.12)):
        outer = np.stack(
            [np.full(22, x), 20 * grow * np.cos(angle), 40 + 24 * grow * np.sin(angle)], axis=1
        )
        rows.append(np.concatenate([outer, outer[::-1] * [1, 0.95, 1] - [0, 0, 1.2]]))
    hood = skin(np.array(rows), paint.trim, closed=False)
    return joined([wagon(Paint(paint.body, paint.wheels, paint.body), rng), hood])


def gun(paint: Paint, rng: np.random.Generator) -> Geometry:
    """Cannon on its carriage."""
    barrel = [
        Ring(-18, 2.5, 2.5),
        Ring(-15, 6.5, 6.5),
        Ring(8, 5.6, 5.6),
        Ring(30, 4.4, 4.4),
        Ring(31, 5.4, 5.4),
        Ring(35, 5.2, 5.2),
        Ring(35.4, 2.6, 2.6),
    ]
    tilt = move(4, 0, 21) @ turn("y", 90 - float(rng.uniform(0, 14)))
    return joined(
        [
            placed(loft(barrel, paint.trim), tilt, 0),
            *(box((30, 3, 9), (-2, s * 7.5, 16), paint.body, 0.8) for s in (-1, 1)),
            tube(np.array([(-10, 0, 14), (-30, 0, 8), (-46, 0, 2.5)]), [4, 3, 2.4], paint.body),
            *_wheels([(2, 1.0)], 17, 14, paint, 12),
        ]
    )


def barrow(paint: Paint, rng: np.random.Generator) -> Geometry:
    """Handcart with solid wheels and a pile on it."""
    pile = [
        ball(
            tuple(float(v) for v in rng.uniform((-18, -8, 22), (16, 8, 28))),
            (7, 7, 5),
            paint.trim,
            12,
        )
        for _ in range(7)
    ]
    return joined(
        [
            *_sides(-24, 20, 13, 15, 9, paint.body),
            *_wheels([(2, 1.0)], 12, 16, paint, 0),
            *_shafts(18, 34, 11, 17, paint.body),
            *pile,
        ]
    )


def car(paint: Paint, rng: np.random.Generator) -> Geometry:
    """Motor car or van of simple shape."""
    van = rng.random() < 0.4
    glass = rgb(40, 52, 62)
    body = [
        Ring(9, 46, 19, 0, 0, 5),
        Ring(12, 48, 20.5, 0, 0, 5),
        Ring(22, 48, 20.5, 0, 0, 5),
        Ring(25, 46, 19.5, 0, 0, 5),
    ]
    x, long = (-12.0, 36.0) if van else (-6.0, 24.0)
    tall = 52.0 if van else 42.0
    cabin = [
        Ring(24.5, long, 18.5, x, 0, 5),
        Ring(27, long - 1, 18.3, x, 0, 5),
        Ring(tall - 4, long - 5, 16.6, x - 2, 0, 5),
    ]
    roof = [
        Ring(tall - 4.2, long - 4.6, 16.9, x - 2, 0, 5),
        Ring(tall - 1, long - 6, 16, x - 2, 0, 5),
        Ring(tall, long - 9, 13, x - 2, 0, 5),
    ]
    lights = [ball((47, s * 13, 18), (2.2, 3.4, 2.8), rgb(250, 245, 210), 12) for s in (-1, 1)]
    tyres = Paint(paint.body, rgb(25, 25, 27), rgb(170, 172, 176))
    return joined(
        [
            loft(body, paint.body),
            loft(cabin, paint.body if van else glass),
            loft(roof, paint.trim),
            *lights,
            *_wheels([(-28, 1), (28, 1)], 11, 18.5, tyres, 0),
        ]
    )


CARTS: dict[str, Callable[[Paint, np.random.Generator], Geometry]] = {
    "cart": cart,
    "wagon": wagon,
    "covered": covered,
    "gun": gun,
    "barrow": barrow,
    "car": car,
}
_SEATS = {"cart": (24.0, -4.0), "wagon": (38.0, 32.0), "covered": (38.0, 32.0)}


def vehicle(style: str, paint: Paint, library: Library, rng: np.random.Generator) -> Figure:
    """A vehicle of one of CARTS, or of LDraw parts ("brick_cart", "brick_wagon", "brick_car").

    Raises:
        SceneError: a part is missing.
    """
    seat, seat_x, takes = 0.0, 0.0, ""
    if style.startswith("brick_"):
        shape = _bricks(style, paint, library, rng)
        if style != "brick_car":
            seat, seat_x, takes = float(_bed_mm(style)), -4.0, "minifig"
    else:
        shape = placed(CARTS[style](paint, rng), np.diag([paint.size] * 3 + [1.0]), 0)
        if style in _SEATS:
            seat, seat_x = (v * paint.size for v in _SEATS[style])
            takes = "playmobil" if paint.size > 0.8 else "minifig"
    return set_down(shape, style, seat, seat_x, takes)


def set_down(
    shape: Geometry, name: str, seat_mm: float = 0.0, seat_x_mm: float = 0.0, takes: str = ""
) -> Figure:
    """A vehicle of a shape that looks along x: on z = 0, the middle of its body at the origin."""
    points = shape.triangles.reshape(-1, 3)
    low = points[points[:, 2] < float(points[:, 2].min()) + 2.5]
    across = np.abs(low[:, 1])
    half = float(across[across > 0.8 * across.max()].mean())
    # shafts and trails rest on the ground too: the middle is that of the body over the wheels
    wide = points[np.abs(points[:, 1]) > 0.8 * float(np.abs(points[:, 1]).max())]
    x = float(wide[:, 0].min() + wide[:, 0].max()) / 2
    shift = move(-x, 0, -float(points[:, 2].min()))
    settled = placed(shape, shift, 0)
    keypoints = np.zeros((5, 3))
    keypoints[0, 1], keypoints[1, 1] = half, -half
    return Figure(
        settled,
        joined([]),
        keypoints,
        kind="vehicle",
        name=name,
        known=KNOWN,
        grip_mm=0.6 * float(np.ptp(points[:, 2])),
        radius_mm=0.42 * float(np.ptp(points[:, 0])),
        seat_mm=seat_mm,
        seat_x_mm=seat_x_mm - x,
        takes=takes,
    )


def _bed_mm(style: str) -> float:
    return 13.5 + PLATE_MM if style == "brick_cart" else 10.0 + PLATE_MM


def _bricks(style: str, paint: Paint, library: Library, rng: np.random.Generator) -> Geometry:
    """A tray of plates and bricks; LDraw wheels where the library's turn upright on an axle."""

    def part(name: str, x: float, y: float, top: float, colour: int, yaw: float = 0.0) -> Geometry:
        return placed(library.geometry(name), part_matrix(x, y, top, yaw), colour)

    bed = _bed_mm(style)
    pieces: list[Geometry] = []
    spoked = style != "brick_car"
    long = 2 if style == "brick_cart" else 4
    for k in range(long):
        x = (k - (long - 1) / 2) * 16.0
        pieces += [part("3020.dat", x, 0, bed, paint.body, 90)]
        if spoked:
            pieces += [part("3004.dat", x, s * 12.0, bed + BRICK_MM, paint.trim) for s in (-1, 1)]
    ends = 16.0 * long / 2
    if spoked:
        rear = part("3005.dat", -ends + 4, 0, bed + BRICK_MM, paint.trim)
        shaft = tube(
            np.array([(ends, 0, bed - 2), (ends + 12, 0, bed - 4), (ends + 26, 0, bed - 6)]),
            [1.7] * 3,
            paint.trim,
            8,
        )
        pieces += [rear, shaft]
        name, radius = ("4489a.dat", 17.0) if style == "brick_cart" else ("2470.dat", 13.5)
        places = [0.0] if style == "brick_cart" else [-ends + 12, ends - 12]
        for x in places:
            pieces += [
                _ldraw_wheel(library, name, x, s * 20.5, radius, paint.wheels) for s in (-1, 1)
            ]
        return joined(pieces)
    for x, rows in ((-ends + 8, 1), (ends - 16, 1), (-8.0, 2)):
        for row in range(rows):
            top = bed + (row + 1) * BRICK_MM
            name = "3001.dat"
            pieces.append(part(name, x, 0, top, paint.body if row == 0 else paint.trim, 90))
    pieces.append(part("3020.dat", -8.0, 0, bed + 2 * BRICK_MM + PLATE_MM, paint.body, 90))
    tyres = Paint(paint.body, rgb(25, 25, 27), rgb(170, 172, 176))
    return joined([*pieces, *_wheels([(-ends + 14, 1), (ends - 14, 1)], 9.0, 18.5, tyres, 0)])


def _ldraw_wheel(
    library: Library, name: str, x: float, y: float, radius: float, colour: int
) -> Geometry:
    """An LDraw wheel stood upright beside the bed: its thinnest axis along y, its foot at z = 0."""
    part = library.geometry(name)
    points = part.triangles.reshape(-1, 3)
    low, high = points.min(axis=0), points.max(axis=0)
    thin = int((high - low).argmin())
    order = [i for i in range(3) if i != thin]
    rotation = np.zeros((4, 4))
    rotation[3, 3] = 1.0
    rotation[0, order[0]] = rotation[2, order[1]] = rotation[1, thin] = 0.4
    middle = (low + high) / 2
    matrix = move(x, y, 0.2 * float((high - low)[order[1]])) @ rotation @ move(*(-middle))
    return placed(part, matrix, colour)
