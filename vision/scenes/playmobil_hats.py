"""Hats and helmets of the Playmobil models, in the frame of `playmobil_head`."""

from collections.abc import Callable

import numpy as np

from vision.scenes.ldraw import Geometry, joined
from vision.scenes.playmobil_head import CENTRE_Z, MIDDLE, hair_cap, reach
from vision.scenes.shapes import Ring, ball, box, cap, loft, rgb, skin, tube


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
    return joined([hair_cap(66, 84, 92, colour, 11.9), visor])


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
            cap(MIDDLE, (12.2, 12.2, 12.2), reach(58, 112, 124), colour, 1.8),
            box((1.4, 2.2, 8.0), (11.6, 0, 13.6), colour),
            _plume(trim),
        ]
    )


def closed(colour: int, trim: int) -> Geometry:
    """Knight's helmet with the visor shut."""
    slit = rgb(12, 12, 12)
    return joined(
        [
            cap(MIDDLE, (12.2, 12.2, 12.2), reach(128, 122, 124), colour, 1.8),
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
    return joined([cap(MIDDLE, (12.0, 12.0, 12.4), reach(62, 82, 92), colour, 1.6), *horns])


def kettle(colour: int, trim: int) -> Geometry:
    """Iron hat with a brim."""
    return joined(
        [
            cap(MIDDLE, (11.8, 11.8, 12.0), reach(66, 68, 70), colour),
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
            cap(MIDDLE, (12.4, 12.2, 13.0), reach(56, 126, 136), colour, 1.8),
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
    return joined([cap(MIDDLE, (11.5, 11.5, 11.3), reach(60, 84, 100), colour), knot, *dots])


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
            cap(MIDDLE, (12.2, 12.2, 12.2), reach(70, 76, 88), colour, 1.6),
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
