"""Heads of the Playmobil models: face, beard and hair; `playmobil_hats` has what is worn.

Head frame: mm, x forward, y left, z up, origin on the neck's seat; HEAD is the round head.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from vision.scenes.ldraw import Geometry, joined
from vision.scenes.shapes import Ring, ball, cap, curve, decal, loft, rgb, tube

CENTRE_Z, RADIUS, HALF_HEIGHT = 10.6, 10.2, 10.4
TOP_MM = CENTRE_Z + HALF_HEIGHT
_DARK = rgb(28, 18, 14)
MIDDLE = (0.0, 0.0, CENTRE_Z)
Points = NDArray[np.float64]
_ROUND = (
    Ring(-1.0, 4.6, 4.6),
    Ring(0.8, 5.2, 5.2),
    Ring(1.0, 6.6, 6.6),
    Ring(3.2, 9.1, 8.9, 0, 0, 2.1),
    Ring(7.0, RADIUS, 9.9, 0, 0, 2.15),
    Ring(12.0, RADIUS, RADIUS, 0, 0, 2.1),
    Ring(16.5, 8.6, 8.6),
    Ring(19.6, 5.0, 5.0),
    Ring(TOP_MM, 0.4, 0.4),
)


def face(flesh: int, hair: int, beard: bool) -> Geometry:
    """Round head without a nose: two dots of eyes, a smile, brows, perhaps a beard."""
    pieces = [loft(_ROUND, flesh, fine=44)]
    pieces += [_eye(side * 3.5) for side in (-1, 1)]
    pieces.append(
        decal(
            _front,
            lambda y, z: (np.abs(z - (5.2 + 0.085 * y * y)) < 0.48) & (np.abs(y) < 3.9),
            (-4.2, 4.2, 4.0, 7.4),
            rgb(150, 40, 30),
        )
    )
    if beard:
        pieces.append(
            decal(
                lambda y, z: _front(y, z) + 0.7,
                lambda y, z: (
                    (z < 3.4 + 0.09 * y * y) & (np.abs(y) < 8.2)
                    | (np.abs(z - 7.4 + 0.03 * y * y) < 0.8) & (np.abs(y) < 4.6)
                ),
                (-8.6, 8.6, 0.9, 9.6),
                hair,
            )
        )
        pieces.append(ball((6.4, 0.0, 1.2), (3.2, 6.0, 3.0), hair, 16))
    return joined(pieces)


def _eye(middle: float) -> Geometry:
    """A dark dot."""
    return decal(
        _front,
        lambda y, z: ((y - middle) / 0.95) ** 2 + ((z - 10.6) / 1.55) ** 2 < 1,
        (middle - 1.2, middle + 1.2, 8.8, 12.4),
        _DARK,
    )


def _front(y: Points, z: Points) -> Points:
    """X of the face at (y, z)."""
    rows = curve(_ROUND, 12)
    deep, wide, power = (np.interp(z, rows[:, 0], rows[:, i]) for i in (1, 2, 5))
    inside = np.maximum(1 - (np.abs(y) / wide) ** power, 0.0)
    x: Points = deep * inside ** (1 / power)
    return x


def reach(front: float, side: float, back: float) -> Callable[[Points], Points]:
    """How far hair comes down at the front, the sides and the back, degrees from the top."""

    def degrees(turn: Points) -> Points:
        c = np.cos(turn)
        low = side + np.where(c > 0, front - side, back - side) * np.abs(c) ** 1.6
        reach: Points = low
        return reach

    return degrees


def hair_cap(front: float, side: float, back: float, colour: int, size: float = 11.6) -> Geometry:
    """Combed hair that comes down so far, in degrees from the top."""
    return cap(MIDDLE, (size, size, size - 0.4), reach(front, side, back), colour, wave=(18, 0.025))


def short(colour: int) -> Geometry:
    """Short hair, the usual one."""
    return hair_cap(48, 92, 118, colour)


def pageboy(colour: int) -> Geometry:
    """Hair down to the jaw with a straight fringe."""
    return hair_cap(64, 118, 140, colour, 12.0)


def quiff(colour: int) -> Geometry:
    """Short hair with a raised front."""
    return joined([hair_cap(42, 88, 112, colour), ball((6.5, 0, 19.0), (4.5, 6.5, 3.2), colour)])


def long(colour: int) -> Geometry:
    """Long hair down the back."""
    back = [
        Ring(-9.0, 1.6, 6.5, -8.2, 0, 2.5),
        Ring(-7.0, 2.6, 8.5, -8.0, 0, 2.5),
        Ring(0.0, 3.8, 10.2, -7.0, 0, 2.4),
        Ring(9.0, 4.6, 10.6, -6.0, 0, 2.2),
        Ring(15.0, 3.0, 6.0, -5.0, 0, 2.0),
    ]
    return joined([hair_cap(50, 112, 138, colour), loft(back, colour)])


def ponytail(colour: int) -> Geometry:
    """Hair tied at the back."""
    path = np.array([(-9, 0, 15), (-13, 0, 14), (-15.5, 0, 9), (-15.5, 0, 2), (-14, 0, -4.0)])
    return joined([hair_cap(50, 94, 116, colour), tube(path, [2.2, 3.4, 3.8, 3.0, 0.8], colour)])


def bun(colour: int) -> Geometry:
    """Hair in a bun on top."""
    return joined([hair_cap(52, 96, 120, colour), ball((-4.5, 0, 21.5), (4.6, 4.8, 4.0), colour)])


def plaits(colour: int) -> Geometry:
    """Two plaits."""
    tails = [
        tube(
            np.array([(0, s * 9.5, 8), (1, s * 12, 4), (1.5, s * 12.2, -3), (1.5, s * 11.5, -9.0)]),
            [2.2, 2.9, 2.6, 0.9],
            colour,
        )
        for s in (-1, 1)
    ]
    return joined([hair_cap(52, 100, 124, colour), *tails])


def curls(colour: int) -> Geometry:
    """Curly hair."""
    pieces = [hair_cap(46, 96, 122, colour)]
    for i in range(26):
        turn, tilt = i * 2.399963, np.radians(14 + 84 * i / 26)
        if np.cos(turn) > 0.35 and tilt > 0.95:
            continue
        out = np.array([np.sin(tilt) * np.cos(turn), np.sin(tilt) * np.sin(turn), np.cos(tilt)])
        pieces.append(ball(out * 11.0 + np.array(MIDDLE), (3.1, 3.1, 2.9), colour, 12))
    return joined(pieces)


def bald(colour: int) -> Geometry:
    """A wreath of hair round a bald head."""
    path = [
        (10.3 * np.cos(a), 10.3 * np.sin(a), 11.5 - 1.5 * np.cos(a))
        for a in np.linspace(1.3, 2 * np.pi - 1.3, 20)
    ]
    return tube(np.array(path), [0.6, *([2.2] * 18), 0.6], colour)


def topknot(colour: int) -> Geometry:
    """A warrior's tied tuft and shaved temples."""
    tuft = np.array([(-3, 0, 20), (-5, 0, 24), (-10, 0, 25), (-13, 0, 22.0)])
    return joined([hair_cap(44, 62, 100, colour), tube(tuft, [2.4, 2.8, 2.6, 0.8], colour)])


def bob(colour: int) -> Geometry:
    """Hair parted in the middle, to the shoulders at both sides."""
    sides = [
        loft(
            [
                Ring(-4.0, 4.0, 1.8, -2.0, s * 10.2, 2.4),
                Ring(4.0, 6.4, 2.8, -2.5, s * 10.4, 2.4),
                Ring(13.0, 6.0, 2.4, -2.5, s * 10.0, 2.2),
            ],
            colour,
        )
        for s in (-1, 1)
    ]
    return joined([hair_cap(42, 108, 136, colour, 11.9), *sides])


HAIR: dict[str, Callable[[int], Geometry]] = {
    "short": short,
    "pageboy": pageboy,
    "quiff": quiff,
    "long": long,
    "ponytail": ponytail,
    "bun": bun,
    "plaits": plaits,
    "curls": curls,
    "bald": bald,
    "topknot": topknot,
    "bob": bob,
}


def under(style: str, colour: int) -> Geometry:
    """What is seen of the hair under a hat."""
    if style in ("long", "plaits", "ponytail"):
        return HAIR[style](colour)
    return hair_cap(62, 98, 116, colour, 11.0)
