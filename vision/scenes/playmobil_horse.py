"""Our own parametric horse in the style of Playmobil: standing, with or without a saddle.

Frame as in `figure`: mm, x forward, y to the animal's left, z up, origin on the ground.
"""

from dataclasses import dataclass

import numpy as np

from vision.scenes.animals import animal
from vision.scenes.figure import Figure, Matrix, turn
from vision.scenes.ldraw import Geometry, joined, placed
from vision.scenes.shapes import Ring, ball, box, loft, rgb, skin, tube

_SEAT_MM = 57.0
_LEGS = ((25.0, 7.2), (25.0, -7.2), (-25.0, 7.2), (-25.0, -7.2))


@dataclass(frozen=True, slots=True)
class Coat:
    """Colours of a horse and what it wears.

    Attributes:
        body: Coat.
        mane: Mane and tail.
        hoof: Hooves.
        socks: Colour of the lower legs.
        saddle: Colour of saddle and bridle, or None.
        blanket: Colour of a blanket that covers the body as knights' horses wear it, or None.
    """

    body: int
    mane: int
    hoof: int
    socks: int
    saddle: int | None
    blanket: int | None


@dataclass(frozen=True, slots=True)
class Gait:
    """Angles in degrees: neck down positive, head down positive, one per leg forward."""

    neck: float = 0.0
    head: float = 0.0
    legs: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)


def _along_x(rings: list[Ring], colour: int, fine: int = 32) -> Geometry:
    """A loft whose axis lies along x: its z becomes x, its x becomes -z."""
    matrix = np.eye(4)
    matrix[:3, :3] = np.array([[0.0, 0, 1], [0, 1, 0], [-1, 0, 0]])
    return placed(loft(rings, colour, fine=fine), matrix, 0)


def horse(coat: Coat, gait: Gait) -> Figure:
    """A horse about 95 mm long and 88 mm high."""
    trunk = [
        Ring(-39, 3, 3, -50, 0, 2.2),
        Ring(-36, 10, 8.5, -47, 0, 2.3),
        Ring(-24, 14, 12.2, -45, 0, 2.3),
        Ring(-6, 11.5, 10.4, -45, 0, 2.3),
        Ring(6, 11.5, 10.2, -45, 0, 2.3),
        Ring(24, 14.5, 11.4, -45, 0, 2.3),
        Ring(35, 11.5, 8.6, -47, 0, 2.2),
        Ring(39, 4, 4, -49, 0, 2.0),
    ]
    pieces = [_along_x(trunk, coat.body)]
    for (x, y), angle in zip(_LEGS, gait.legs, strict=True):
        pieces.append(placed(_leg(coat, x < 0), _hinged(x, y, 40.0, -angle), 0))
    pieces.append(placed(_neck(coat, gait.head), _hinged(29, 0, 50.0, gait.neck), 0))
    tail = np.array([(-37, 0, 54), (-44, 0, 52), (-48, 0, 42), (-48, 0, 28), (-46, 0, 16.0)])
    pieces.append(tube(tail, [2.2, 4.2, 5.0, 4.4, 0.8], coat.mane))
    if coat.blanket is not None:
        pieces.append(_blanket(coat.blanket, coat.saddle or coat.mane))
    if coat.saddle is not None:
        pieces += _saddle(coat.saddle)
    if coat.saddle is None:
        return animal(joined(pieces), "horse")
    return animal(joined(pieces), "horse", _SEAT_MM, 0.0, "playmobil")


def _hinged(x: float, y: float, z: float, degrees: float) -> Matrix:
    matrix = turn("y", degrees)
    matrix[:3, 3] = (x, y, z)
    return matrix


def _leg(coat: Coat, hind: bool) -> Geometry:
    """A leg that hangs from the shoulder or hip at the origin, 40 mm long."""
    back = -1.6 if hind else 0.0
    upper = [
        Ring(-24, 4.0, 3.8, back),
        Ring(-14, 5.4, 4.6, back * 0.5),
        Ring(-4, 8.0, 5.2, 0),
        Ring(5, 8.5, 4.6, -back),
        Ring(9, 4.0, 2.0, -back),
    ]
    lower = [Ring(-36, 4.3, 4.1, back), Ring(-32, 3.6, 3.5, back), Ring(-23, 4.1, 3.9, back)]
    hoof = [Ring(-40, 5.6, 5.0, back + 0.8), Ring(-36.5, 4.8, 4.6, back + 0.2), Ring(-35, 3.6, 3.6)]
    return joined([loft(upper, coat.body), loft(lower, coat.socks), loft(hoof, coat.hoof)])


def _neck(coat: Coat, nod: float) -> Geometry:
    """Neck and head from the withers at the origin."""
    neck = [
        Ring(-8, 11.5, 7.6, -1),
        Ring(4, 10.0, 6.4, 3),
        Ring(14, 8.4, 5.6, 7.5),
        Ring(23, 7.0, 5.2, 11.5),
        Ring(28, 5.2, 4.4, 13),
    ]
    skull = [
        Ring(-7, 4.5, 3.5, 0, 0, 2.2),
        Ring(-4, 7.2, 5.4, 0.5, 0, 2.2),
        Ring(4, 7.4, 5.6, 1.0, 0, 2.3),
        Ring(14, 5.2, 4.2, 2.0, 0, 2.4),
        Ring(20, 5.4, 4.4, 2.2, 0, 2.4),
        Ring(23.5, 3.4, 3.0, 2.6, 0, 2.2),
    ]
    head: list[Geometry] = [_along_x(skull, coat.body)]
    for side in (-1, 1):
        head.append(ball((5, side * 5.2, 2.0), (1.3, 0.9, 1.6), rgb(20, 15, 12), 12))
        ear = np.array([(-4, side * 2.6, 5), (-3.5, side * 3.2, 10), (-2.5, side * 3.4, 13.5)])
        head.append(tube(ear, [2.2, 2.0, 0.3], coat.body))
        head.append(ball((22, side * 2.4, -0.8), (1.0, 0.8, 0.7), rgb(60, 40, 40), 8))
    if coat.saddle is not None:
        for x, size in ((15.0, 5.6), (2.0, 7.7)):
            angle = np.linspace(0, 2 * np.pi, 26)
            path = np.stack(
                [
                    np.full(26, x),
                    size * 0.86 * np.cos(angle),
                    size * np.sin(angle) - 2.0 * x / 15,
                ],
                axis=1,
            )
            head.append(tube(path, [0.8] * 26, coat.saddle, 8))
    mane = [
        ball((4.0 + 11 * t - 7.5, 0, 4 + 27 * t), (4.2, 2.6, 5.4), coat.mane, 14)
        for t in np.linspace(0, 1, 7)
    ]
    mane.append(ball((11.5, 0, 35), (6.5, 2.8, 2.6), coat.mane, 14))
    tilted = np.array(turn("y", 42 + nod))
    tilted[:3, 3] = (14.5, 0, 27)
    return joined([loft(neck, coat.body), *mane, placed(joined(head), tilted, 0)])


def _saddle(colour: int) -> list[Geometry]:
    seat = _along_x(
        [
            Ring(-12, 2.0, 6.0, -58.5, 0, 2.4),
            Ring(-9, 3.4, 8.6, -56.5, 0, 2.4),
            Ring(0, 3.0, 8.0, -55.0, 0, 2.4),
            Ring(8, 3.4, 7.6, -56.0, 0, 2.4),
            Ring(11, 2.0, 5.0, -58.5, 0, 2.4),
        ],
        colour,
    )
    girth = _along_x([Ring(-3, 12.0, 10.9, -45, 0, 2.3), Ring(3, 12.0, 10.8, -45, 0, 2.3)], colour)
    flaps = [box((15, 1.4, 16), (0, s * 10.6, 47), colour, 0.7) for s in (-1, 1)]
    return [seat, girth, *flaps]


def _blanket(colour: int, trim: int) -> Geometry:
    """Cloth over back and flanks, open below."""
    angle = np.linspace(np.radians(-112), np.radians(112), 30)
    rows = []
    for x, half, low in (
        (-36, 13.0, 24),
        (-20, 14.5, 20),
        (0, 13.0, 24),
        (20, 14.0, 20),
        (36, 11, 26),
    ):
        y = half * np.sin(angle)
        z = np.where(
            np.abs(angle) < np.pi / 2,
            47 + 13.5 * np.cos(angle),
            47 - (np.abs(angle) - np.pi / 2) / (np.radians(112) - np.pi / 2) * (47 - low),
        )
        outer = np.stack([np.full(30, x), y, z], axis=1)
        inner = outer * np.array([1, 0.94, 1]) - np.array([0, 0, 0.8])
        rows.append(np.concatenate([outer, inner[::-1]]))

    def paint(
        middles: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    ) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
        rim = (middles[:, 2] < 29) | (np.abs(middles[:, 0]) > 31)
        return np.where(rim, trim, colour)

    return skin(np.array(rows), colour, paint)
