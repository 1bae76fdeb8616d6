"""Things that lie about on a kitchen table: dice, mugs, books, cards, rulers, pencils, tins."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from vision.scenes.figure import turn
from vision.scenes.ldraw import Geometry, joined, placed
from vision.scenes.shapes import Points, Ring, ball, box, loft, painted, rgb, tube

_INK, _PAPER = rgb(30, 28, 28), rgb(238, 234, 222)
_PIPS = {1: ((0, 0),), 2: ((1, 1), (-1, -1)), 3: ((1, 1), (0, 0), (-1, -1))}
_PIPS[4] = ((1, 1), (-1, -1), (1, -1), (-1, 1))
_PIPS[5] = (*_PIPS[4], (0, 0))
_PIPS[6] = (*_PIPS[4], (0, 1), (0, -1))


def _bright(rng: np.random.Generator) -> int:
    red, green, blue = (int(255 * v) for v in rng.random(3) ** 1.2)
    return rgb(red, green, blue)


def die(rng: np.random.Generator) -> Geometry:
    """A die with its pips, one face up by chance."""
    side = float(rng.uniform(10, 18))
    colour = _PAPER if rng.random() < 0.5 else _bright(rng)
    ink = _INK if colour == _PAPER or rng.random() < 0.3 else _PAPER
    cube = box((side, side, side), (0, 0, 0), colour, 1.4)
    pieces = [cube]
    for value, pips in _PIPS.items():
        face = {
            1: ("x", 0),
            6: ("x", 180),
            2: ("x", 90),
            5: ("x", -90),
            3: ("y", 90),
            4: ("y", -90),
        }
        for u, v in pips:
            dot = ball(
                (u * side * 0.27, v * side * 0.27, side / 2),
                (side * 0.09, side * 0.09, 0.15),
                ink,
                8,
            )
            pieces.append(placed(dot, turn(*face[value]), 0))
    lay = turn(str(rng.choice(["x", "y"])), 90.0 * float(rng.integers(0, 4)))
    lay[2, 3] = side / 2
    return placed(joined(pieces), lay, 0)


def mug(rng: np.random.Generator) -> Geometry:
    """A mug with its handle, something in it."""
    r, h = float(rng.uniform(30, 44)), float(rng.uniform(60, 105))
    colour, band = _bright(rng), _bright(rng)
    rings = [
        Ring(0, r * 0.86, r * 0.86),
        Ring(2, r * 0.95, r * 0.95),
        Ring(h * 0.9, r, r),
        Ring(h, r, r),
        Ring(h + 0.5, r - 3, r - 3),
        Ring(h * 0.8 + 18, r - 3.5, r - 3.5),
    ]
    low, high = float(rng.uniform(0.2, 0.5)) * h, float(rng.uniform(0.55, 0.85)) * h

    def paint(middles: Points) -> NDArray[np.int64]:
        z = middles[:, 2]
        inner = np.hypot(middles[:, 0], middles[:, 1]) < 0.55 * r
        return np.where(inner, rgb(60, 36, 20), np.where((z > low) & (z < high), band, colour))

    body = loft(rings[:5], colour, paint)
    drink = loft(
        [Ring(h * 0.8, r - 3, r - 3), Ring(h * 0.8 + 1, r - 3, r - 3)], rgb(60, 36, 20), steps=1
    )
    a = np.linspace(-1.4, 1.4, 12)
    handle = tube(
        np.stack([r * 0.95 + 20 * np.cos(a), 0 * a, h * 0.5 + h * 0.28 * np.sin(a)], axis=1),
        [4.0] * 12,
        colour,
    )
    return joined([body, drink, handle])


def book(rng: np.random.Generator) -> Geometry:
    """A closed book."""
    x, y, z = (float(rng.uniform(a, b)) for a, b in ((110, 190), (150, 260), (8, 42)))
    cover, title = _bright(rng), _bright(rng)
    pages = box((x - 6, y - 6, z - 4), (0, 0, z / 2), _PAPER, 0.3)
    boards = [box((x, y, 2), (0, 0, h), cover, 0.5) for h in (1.0, z - 1)]
    spine = box((3, y, z), (-x / 2, 0, z / 2), cover, 1.2)
    bars = [
        box((x * w, y * d, 0.2), (0, y * at, z + 0.05), title, 0.05)
        for w, d, at in ((0.7, 0.1, 0.25), (0.5, 0.05, 0.1), (0.6, 0.25, -0.22))
    ]
    return joined([pages, *boards, spine, *bars])


def card(rng: np.random.Generator) -> Geometry:
    """Playing cards: one, or a few spread."""
    suit = rgb(190, 30, 40) if rng.random() < 0.5 else _INK
    back = _bright(rng)
    pieces = []
    for k in range(int(rng.integers(1, 5))):
        up = rng.random() < 0.7
        sheet = box((63, 88, 0.35), (0, 0, 0.2), _PAPER if up else back, 0.1)
        marks = (
            [
                ball((u, v, 0.42), (4.5, 6, 0.05), suit, 10)
                for u in (-14, 14)
                for v in np.linspace(-28, 28, int(rng.integers(1, 5)))
            ]
            if up
            else [box((54, 79, 0.1), (0, 0, 0.42), _bright(rng), 0.05)]
        )
        at = turn("z", float(rng.normal(0, 20)))
        at[:3, 3] = (*rng.normal(0, 14, 2), 0.4 * k)
        pieces.append(placed(joined([sheet, *marks]), at, 0))
    return joined(pieces)


def ruler(rng: np.random.Generator) -> Geometry:
    """A ruler with its strokes."""
    long, wide = float(rng.choice([155, 210, 310])), float(rng.uniform(22, 36))
    colour = int(
        rng.choice([rgb(222, 190, 120), rgb(235, 235, 240), rgb(190, 195, 200), rgb(240, 210, 60)])
    )
    body = box((long, wide, 2.2), (0, 0, 1.1), colour, 0.4)
    strokes = []
    for k in range(int(long) - 8):
        tall = 8.0 if k % 10 == 0 else 5.5 if k % 5 == 0 else 3.5
        x, y = 4 - long / 2 + k, wide / 2 - 0.5
        a, b, c, d = ((x - 0.18, y - tall), (x + 0.18, y - tall), (x + 0.18, y), (x - 0.18, y))
        strokes += [[(*a, 2.25), (*b, 2.25), (*c, 2.25)], [(*a, 2.25), (*c, 2.25), (*d, 2.25)]]
    return joined([body, painted(np.array(strokes), _INK)])


def pencil(rng: np.random.Generator) -> Geometry:
    """A pencil."""
    colour = _bright(rng)
    path = np.array([(-85, 0, 3.8), (70, 0, 3.8), (71, 0, 3.8), (86, 0, 3.8), (87, 0, 3.8)])
    return joined(
        [
            tube(path[:2], [3.8, 3.8], colour, 6),
            tube(path[1:4], [3.7, 3.6, 1.0], rgb(215, 175, 120), 10),
            tube(path[3:], [1.0, 0.2], _INK, 8),
        ]
    )


def tin(rng: np.random.Generator) -> Geometry:
    """A tin, jar or bottle."""
    r, h = float(rng.uniform(18, 42)), float(rng.uniform(40, 140))
    colour, label = _bright(rng), _bright(rng)
    neck = float(rng.uniform(0.3, 1.0))
    rings = [
        Ring(0, r * 0.95, r * 0.95),
        Ring(1.5, r, r),
        Ring(h * 0.62, r, r),
        Ring(h * 0.75, r, r),
        Ring(h * 0.9, r * neck, r * neck),
        Ring(h, r * neck, r * neck),
        Ring(h + 0.4, r * neck * 0.8, r * neck * 0.8),
    ]

    def paint(middles: Points) -> NDArray[np.int64]:
        z = middles[:, 2] / h
        return np.where((z > 0.15) & (z < 0.6), label, colour)

    return loft(rings, colour, paint)


def fruit(rng: np.random.Generator) -> Geometry:
    """An apple, an orange or a lemon."""
    r = float(rng.uniform(25, 40))
    colour = int(
        rng.choice([rgb(190, 30, 30), rgb(240, 140, 30), rgb(240, 210, 60), rgb(110, 160, 50)])
    )
    stalk = tube(
        np.array([(0, 0, 1.8 * r), (1, 0, 2.0 * r), (3, 0, 2.2 * r)]), [1.4] * 3, rgb(80, 55, 30)
    )
    return joined([ball((0, 0, r * 0.92), (r, r, r * 0.92), colour), stalk])


def plate(rng: np.random.Generator) -> Geometry:
    """A plate with a coloured rim."""
    r, colour, band = float(rng.uniform(55, 110)), _PAPER, _bright(rng)
    rings = [
        Ring(0, r * 0.6, r * 0.6),
        Ring(1, r * 0.64, r * 0.64),
        Ring(6, r * 0.8, r * 0.8),
        Ring(9, r, r),
        Ring(10, r * 0.98, r * 0.98),
    ]

    def paint(middles: Points) -> NDArray[np.int64]:
        out = np.hypot(middles[:, 0], middles[:, 1]) / r
        return np.where((out > 0.8) & (out < 0.93), band, colour)

    inside = [Ring(8.0, r * 0.6, r * 0.6), Ring(9.5, r * 0.93, r * 0.93)]
    return joined([loft(rings, colour, paint), loft(inside, colour, paint)])


def phone(rng: np.random.Generator) -> Geometry:
    """A telephone, its screen dark or lit."""
    case = _INK if rng.random() < 0.5 else _bright(rng)
    screen = rgb(14, 15, 18) if rng.random() < 0.6 else _bright(rng)
    return joined(
        [
            box((72, 150, 8), (0, 0, 4), case, 2.0),
            box((66, 142, 0.3), (0, 0, 8.1), screen, 0.1),
        ]
    )


PROPS: dict[str, Callable[[np.random.Generator], Geometry]] = {
    "die": die,
    "mug": mug,
    "book": book,
    "card": card,
    "ruler": ruler,
    "pencil": pencil,
    "tin": tin,
    "fruit": fruit,
    "plate": plate,
    "phone": phone,
}
