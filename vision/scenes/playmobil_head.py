"""Heads of the Playmobil models: face, hair, beards, hats and helmets.

Head frame: mm, x forward, y left, z up, origin on the neck's seat; HEAD is the round head.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from vision.scenes.ldraw import Geometry, joined
from vision.scenes.shapes import Ring, ball, box, cap, curve, decal, loft, rgb, skin, tube

CENTRE_Z, RADIUS, HALF_HEIGHT = 10.6, 10.2, 10.4
TOP_MM = CENTRE_Z + HALF_HEIGHT
_DARK = rgb(28, 18, 14)
_MIDDLE = (0.0, 0.0, CENTRE_Z)
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


def _reach(front: float, side: float, back: float) -> Callable[[Points], Points]:
    """How far hair comes down at the front, the sides and the back, degrees from the top."""

    def degrees(turn: Points) -> Points:
        c = np.cos(turn)
        low = side + np.where(c > 0, front - side, back - side) * np.abs(c) ** 1.6
        reach: Points = low
        return reach

    return degrees


def _cap(front: float, side: float, back: float, colour: int, size: float = 11.6) -> Geometry:
    return cap(
        _MIDDLE, (size, size, size - 0.4), _reach(front, side, back), colour, wave=(18, 0.025)
    )


def short(colour: int) -> Geometry:
    """Short hair, the usual one."""
    return _cap(48, 92, 118, colour)


def pageboy(colour: int) -> Geometry:
    """Hair down to the jaw with a straight fringe."""
    return _cap(64, 118, 140, colour, 12.0)


def quiff(colour: int) -> Geometry:
    """Short hair with a raised front."""
    return joined([_cap(42, 88, 112, colour), ball((6.5, 0, 19.0), (4.5, 6.5, 3.2), colour)])


def long(colour: int) -> Geometry:
    """Long hair down the back."""
    back = [
        Ring(-9.0, 1.6, 6.5, -8.2, 0, 2.5),
        Ring(-7.0, 2.6, 8.5, -8.0, 0, 2.5),
        Ring(0.0, 3.8, 10.2, -7.0, 0, 2.4),
        Ring(9.0, 4.6, 10.6, -6.0, 0, 2.2),
        Ring(15.0, 3.0, 6.0, -5.0, 0, 2.0),
    ]
    return joined([_cap(50, 112, 138, colour), loft(back, colour)])


def ponytail(colour: int) -> Geometry:
    """Hair tied at the back."""
    path = np.array([(-9, 0, 15), (-13, 0, 14), (-15.5, 0, 9), (-15.5, 0, 2), (-14, 0, -4.0)])
    return joined([_cap(50, 94, 116, colour), tube(path, [2.2, 3.4, 3.8, 3.0, 0.8], colour)])


def bun(colour: int) -> Geometry:
    """Hair in a bun on top."""
    return joined([_cap(52, 96, 120, colour), ball((-4.5, 0, 21.5), (4.6, 4.8, 4.0), colour)])


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
    return joined([_cap(52, 100, 124, colour), *tails])


def curls(colour: int) -> Geometry:
    """Curly hair."""
    pieces = [_cap(46, 96, 122, colour)]
    for i in range(26):
        turn, tilt = i * 2.399963, np.radians(14 + 84 * i / 26)
        if np.cos(turn) > 0.35 and tilt > 0.95:
            continue
        out = np.array([np.sin(tilt) * np.cos(turn), np.sin(tilt) * np.sin(turn), np.cos(tilt)])
        pieces.append(ball(out * 11.0 + np.array(_MIDDLE), (3.1, 3.1, 2.9), colour, 12))
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
    return joined([_cap(44, 62, 100, colour), tube(tuft, [2.4, 2.8, 2.6, 0.8], colour)])


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
    return joined([_cap(42, 108, 136, colour, 11.9), *sides])


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
    return _cap(62, 98, 116, colour, 11.0)


def _brim(z: float, radius: float, colour: int, curl: float = 0.0, x: float = 0.0) -> Geometry:
    """A round brim; curl lifts its sides."""
    angle = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    c, s = np.cos(angle), np.sin(angle)
    rows = []
    for r, dz in ((9.0, -0.6), (radius, -0.6), (radius + 0.5, 0.0), (radius, 0.6), (9.0, 0.8)):
        lift = curl * (s * r / radius) ** 2 * (r / radius) ** 2
        rows.append(np.stack([x + r * c, r * s, z + dz + lift], axis=1))
    return skin(np.array(rows), colour)


def _crown(z: float, height: float, low: float, high: float, colour: int) -> Geometry:
    return loft(
        [
            Ring(z, low, low),
            Ring(z + height * 0.6, (low + high) / 2, (low + high) / 2),
            Ring(z + height * 0.93, high, high),
            Ring(z + height, high * 0.75, high * 0.75),
        ],
        colour,
    )


def _plume(colour: int, x: float = -3.0, y: float = 0.0, z: float = 21.0) -> Geometry:
    path = np.array([(0, 0, 0), (-2, 0, 5), (-6, 0, 8.5), (-11, 0, 8.0), (-14.5, 0, 4.0)])
    return tube(path + np.array([x, y, z]), [0.9, 2.6, 3.2, 2.8, 0.6], colour)


def cowboy(colour: int, trim: int) -> Geometry:
    """Hat with a broad curled brim."""
    return joined(
        [
            _brim(15.5, 18.0, colour, 4.0),
            _crown(15.0, 10.0, 10.6, 8.6, colour),
            loft([Ring(15.8, 10.9, 10.9), Ring(17.8, 10.6, 10.6)], trim, steps=1),
        ]
    )


def feathered(colour: int, trim: int) -> Geometry:
    """Musketeer's hat."""
    return joined(
        [
            _brim(15.0, 17.0, colour, 2.2),
            _crown(14.6, 7.0, 10.8, 9.8, colour),
            _plume(trim, 2, 9, 17),
        ]
    )


def tricorne(colour: int, trim: int) -> Geometry:
    """Three-cornered hat."""
    angle = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    out = 15.5 + 3.5 * np.cos(3 * angle)
    rows = []
    for share, dz in ((0.6, -0.8), (1.0, 4.6), (1.03, 5.4), (0.98, 5.6), (0.62, 1.2)):
        r = np.where(share > 0.8, out * share, 10.4)
        rows.append(
            np.stack([r * np.cos(angle), r * np.sin(angle), np.full(60, 15.2 + dz)], axis=1)
        )
    edge = np.array(rows)[2:4]
    return joined(
        [
            skin(np.array(rows), colour),
            skin(edge + np.array([0, 0, 0.3]), trim),
            _crown(15, 7.0, 10.4, 9.0, colour),
        ]
    )


def cylinder(colour: int, trim: int) -> Geometry:
    """Top hat."""
    return joined(
        [
            _brim(16.0, 14.5, colour, 1.5),
            _crown(16, 13.0, 10.0, 10.8, colour),
            loft([Ring(16.6, 10.4, 10.4), Ring(19.0, 10.5, 10.5)], trim, steps=1),
        ]
    )


def peaked(colour: int, trim: int) -> Geometry:
    """Cap with a visor."""
    visor = ball((9.5, 0, 14.6), (6.8, 7.2, 1.2), trim)
    return joined([_cap(66, 84, 92, colour, 11.9), visor])


def officer(colour: int, trim: int) -> Geometry:
    """Flat uniform cap."""
    return joined(
        [
            loft([Ring(14.5, 11.2, 11.2), Ring(17.5, 11.2, 11.2)], trim, steps=1),
            loft(
                [
                    Ring(17.5, 11.0, 11.0),
                    Ring(20.5, 13.4, 13.4),
                    Ring(22, 13.0, 13.0),
                    Ring(22.6, 8, 8),
                ],
                colour,
            ),
            ball((10.8, 0, 14.8), (5.0, 7.6, 0.9), rgb(20, 20, 22)),
        ]
    )


def helmet(colour: int, trim: int) -> Geometry:
    """Knight's helmet, open at the face, with a plume."""
    return joined(
        [
            cap(_MIDDLE, (12.2, 12.2, 12.2), _reach(58, 112, 124), colour, 1.8),
            box((1.4, 2.2, 8.0), (11.6, 0, 13.6), colour),
            _plume(trim),
        ]
    )


def closed(colour: int, trim: int) -> Geometry:
    """Knight's helmet with the visor shut."""
    slit = rgb(12, 12, 12)
    return joined(
        [
            cap(_MIDDLE, (12.2, 12.2, 12.2), _reach(128, 122, 124), colour, 1.8),
            *(box((1.0, 5.6, 1.0), (11.9, s * 4, 12.0), slit, 0.3) for s in (-1, 1)),
            *(box((0.8, 0.9, 3.4), (11.0, s * 1.6, 6.2), slit, 0.3) for s in (-2, -1, 0, 1, 2)),
            _plume(trim),
        ]
    )


def horned(colour: int, trim: int) -> Geometry:
    """Helmet with two horns."""
    horns = [
        tube(
            np.array([(0, s * 11, 15), (0, s * 15, 17), (0, s * 17, 21), (0, s * 16.2, 25.5)]),
            [2.6, 2.3, 1.6, 0.4],
            trim,
        )
        for s in (-1, 1)
    ]
    return joined([cap(_MIDDLE, (12.0, 12.0, 12.4), _reach(62, 82, 92), colour, 1.6), *horns])


def kettle(colour: int, trim: int) -> Geometry:
    """Iron hat with a brim."""
    return joined(
        [
            cap(_MIDDLE, (11.8, 11.8, 12.0), _reach(66, 68, 70), colour),
            _brim(15.0, 15.5, colour, -2.0),
            ball((0, 0, 22.6), (1.4, 1.4, 1.2), trim, 12),
        ]
    )


def crown(colour: int, trim: int) -> Geometry:
    """A king's crown."""
    angle = np.linspace(0, 2 * np.pi, 64, endpoint=False)
    spikes = 22.0 + 2.2 * np.cos(8 * angle)
    rows = [
        np.stack([r * np.cos(angle), r * np.sin(angle), z * np.ones(64)], axis=1)
        for r, z in ((9.6, 16.0), (10.2, 16.0), (11.2, spikes), (10.4, spikes), (9.4, 17.0))
    ]
    gems = [
        ball((10.8 * np.cos(a), 10.8 * np.sin(a), 18.4), (1, 1, 1), trim, 8)
        for a in np.linspace(0, 2 * np.pi, 9)[:-1]
    ]
    return joined([skin(np.array(rows), colour), *gems])


def hood(colour: int, trim: int) -> Geometry:
    """A hood round the face."""
    return joined(
        [
            cap(_MIDDLE, (12.4, 12.2, 13.0), _reach(56, 126, 136), colour, 1.8),
            ball((-9, 0, 17), (4.5, 5, 5), colour),
            loft([Ring(-3.5, 8.5, 11.5), Ring(1.5, 6.6, 8.0)], trim, steps=2),
        ]
    )


def turban(colour: int, trim: int) -> Geometry:
    """Wound cloth."""
    pieces = [ball((0, 0, 18.5), (10.0, 10.0, 6.0), colour)]
    for i, tilt in enumerate((0.18, -0.16, 0.1)):
        a = np.linspace(0, 2 * np.pi, 40)
        path = np.stack([11 * np.cos(a), 11 * np.sin(a), 15 + 2 * i + 8 * tilt * np.sin(a)], axis=1)
        pieces.append(tube(path, [2.2] * 40, colour if i != 1 else trim))
    return joined(pieces)


def headscarf(colour: int, trim: int) -> Geometry:
    """Pirate's scarf with its knot."""
    knot = tube(np.array([(-10, 4, 11), (-12.5, 6, 7), (-13, 7, 2.0)]), [1.8, 2.2, 0.8], colour)
    dots = [
        ball(
            (
                11.4 * np.sin(t) * np.cos(a),
                11.4 * np.sin(t) * np.sin(a),
                CENTRE_Z + 11.2 * np.cos(t),
            ),
            (0.9, 0.9, 0.9),
            trim,
            8,
        )
        for t in (0.45, 0.9)
        for a in np.linspace(0, 2 * np.pi, 7)[:-1]
    ]
    return joined([cap(_MIDDLE, (11.5, 11.5, 11.3), _reach(60, 84, 100), colour), knot, *dots])


def straw(colour: int, trim: int) -> Geometry:
    """Flat straw hat."""
    return joined(
        [
            _brim(16.4, 15.5, colour),
            _crown(16, 6.0, 10.2, 9.6, colour),
            loft([Ring(17, 10.5, 10.5), Ring(19, 10.3, 10.3)], trim, steps=1),
        ]
    )


def hardhat(colour: int, trim: int) -> Geometry:
    """Helmet of a worker or fireman, with a ridge."""
    return joined(
        [
            cap(_MIDDLE, (12.2, 12.2, 12.2), _reach(70, 76, 88), colour, 1.6),
            box((20, 2.4, 2.4), (0, 0, 22.0), trim, 1.0),
            ball((10.0, 0, 14.4), (5.5, 7.0, 1.0), colour),
        ]
    )


HATS: dict[str, Callable[[int, int], Geometry]] = {
    "cowboy": cowboy,
    "feathered": feathered,
    "tricorne": tricorne,
    "cylinder": cylinder,
    "peaked": peaked,
    "officer": officer,
    "helmet": helmet,
    "closed": closed,
    "horned": horned,
    "kettle": kettle,
    "crown": crown,
    "hood": hood,
    "turban": turban,
    "headscarf": headscarf,
    "straw": straw,
    "hardhat": hardhat,
}
