"""What the Playmobil models hold and wear: C-shaped hands, weapons and tools, collars, capes.

Hand frame: mm, origin at the wrist, the hand hangs along -z, what it holds points along x.
Wear frame: origin at the hips, z up, sizes of an adult.
"""

from collections.abc import Callable

import numpy as np

from vision.scenes.ldraw import Geometry, joined
from vision.scenes.playmobil_prints import Cloth
from vision.scenes.shapes import Ring, ball, box, loft, rgb, skin, tube

_STEEL, _WOOD, _GOLD, _BLACK = (
    rgb(168, 172, 178),
    rgb(112, 70, 36),
    rgb(200, 158, 60),
    rgb(30, 30, 32),
)
_HOLD = np.array([0.0, 0.0, -3.4])


def hand(flesh: int) -> Geometry:
    """A C-shaped hand, open away from the wrist."""
    angle = np.radians(np.linspace(-50, 230, 15))
    path = np.stack([0 * angle, 2.75 * np.cos(angle), -3.4 + 2.75 * np.sin(angle)], axis=1)
    grip = tube(path, [0.9, *([1.35] * 13), 0.9], flesh, 12)
    wide = grip.triangles * np.array([1.7, 1.0, 1.0])
    wrist = tube(np.array([(0, 0, 3.0), (0, 0, -0.6)]), [2.6, 2.2], flesh, 16)
    return joined([Geometry(wide, grip.colours), wrist])


def _rod(x0: float, x1: float, radius: float, colour: int) -> Geometry:
    path = np.array([(x0, 0, 0), (x0 * 0.6 + x1 * 0.4, 0, 0), (x1, 0, 0.0)]) + _HOLD
    return tube(path, [radius] * 3, colour, 12)


def _blade(x0: float, x1: float, width: float, colour: int, bend: float = 0.0) -> Geometry:
    t = np.linspace(0, 1, 12)
    half = width / 2 * np.sqrt(np.clip((1 - t) * 6, 0.02, 1))
    grid = np.empty((12, 4, 3))
    grid[:, :, 0] = (x0 + (x1 - x0) * t)[:, None]
    grid[:, :, 2] = (bend * t**2)[:, None] + half[:, None] * np.array([1, 0, -1, 0])
    grid[:, :, 1] = np.array([0, -0.5, 0, 0.5])
    return skin(grid + _HOLD, colour)


def sword(cloth: Cloth) -> Geometry:
    """Straight sword."""
    guard = box((1.6, 2.0, 10.0), (4.5, 0, -3.4), _GOLD)
    return joined([_rod(-4, 5, 1.2, _BLACK), guard, _blade(5, 38, 4.2, _STEEL)])


def sabre(cloth: Cloth) -> Geometry:
    """Bent sabre."""
    guard = ball((3.5, 0, -4.5), (2.6, 2.4, 3.4), _GOLD, 12)
    return joined([_rod(-3, 5, 1.2, _WOOD), guard, _blade(5, 36, 3.4, _STEEL, 6.0)])


def axe(cloth: Cloth) -> Geometry:
    """Axe."""
    head = box((8.0, 1.4, 9.0), (26, 0, -8.5), _STEEL, 0.5)
    return joined([_rod(-12, 30, 1.2, _WOOD), head])


def spear(cloth: Cloth) -> Geometry:
    """Long spear."""
    return joined([_rod(-32, 48, 1.1, _WOOD), _blade(48, 60, 4.5, _STEEL)])


def halberd(cloth: Cloth) -> Geometry:
    """Pole with an axe and a point."""
    head = box((10.0, 1.2, 8.0), (46, 0, -8.5), _STEEL, 0.4)
    return joined([_rod(-30, 52, 1.1, _WOOD), head, _blade(52, 64, 3.5, _STEEL)])


def musket(cloth: Cloth) -> Geometry:
    """Long gun."""
    stock = box((18, 2.2, 4.6), (-9, 0, -4.6), _WOOD, 0.8)
    return joined([_rod(-6, 38, 1.1, _STEEL), _rod(-4, 24, 1.5, _WOOD), stock])


def pistol(cloth: Cloth) -> Geometry:
    """Pistol."""
    return joined([_rod(-2, 17, 1.2, _BLACK), box((3.5, 2.2, 8), (-2, 0, -6.0), _WOOD, 0.7)])


def staff(cloth: Cloth) -> Geometry:
    """Walking stick or wizard's staff."""
    return joined([_rod(-36, 34, 1.2, _WOOD), ball((35, 0, -3.4), (3, 3, 3), cloth.trim, 14)])


def flag(cloth: Cloth) -> Geometry:
    """Flag on a pole."""
    sheet = np.empty((2, 14, 3))
    t = np.linspace(0, 2 * np.pi, 14, endpoint=False)
    sheet[:, :, 0] = 42 + 12 * np.cos(t)
    sheet[:, :, 2] = -20 + 15 * np.sin(t)
    sheet[0, :, 1], sheet[1, :, 1] = -0.3, 0.3
    return joined([_rod(-34, 56, 1.1, _WOOD), skin(sheet, cloth.second)])


def bucket(cloth: Cloth) -> Geometry:
    """Bucket that hangs from the hand."""
    rings = [Ring(-18, 5, 5), Ring(-8, 6.5, 6.5), Ring(-7.6, 5.6, 5.6), Ring(-7.5, 1, 1)]
    return joined([loft(rings, cloth.second, steps=1), _rod(-5, 5, 0.8, _STEEL)])


def torch(cloth: Cloth) -> Geometry:
    """Burning torch."""
    flame = ball((19, 0, -3.4), (5, 3, 3), rgb(255, 150, 30), 12)
    return joined([_rod(-8, 16, 1.4, _WOOD), flame])


def hammer(cloth: Cloth) -> Geometry:
    """Hammer."""
    return joined([_rod(-8, 16, 1.1, _WOOD), box((4.5, 4.5, 12), (17, 0, -3.4), _STEEL)])


def _disc(radius_y: float, radius_z: float, cloth: Cloth, point: float) -> Geometry:
    angle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    y, z = radius_y * np.cos(angle), radius_z * np.sin(angle)
    z = np.where(z < 0, z * point * (1 - 0.25 * np.abs(np.cos(angle))), z)
    rows = [
        np.stack([np.full(40, x), y * s, z * s - 3.0], axis=1)
        for s, x in ((0.1, 5.0), (0.96, 4.2), (1.0, 5.0), (0.9, 6.0), (0.45, 6.6), (0.05, 6.8))
    ]

    def paint(
        middles: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    ) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
        y, z = middles[:, 1] / radius_y, (middles[:, 2] + 3) / radius_z
        rim = np.hypot(y, z) > 0.88
        bars = (np.abs(y) < 0.14) | (np.abs(z) < 0.12)
        return np.where(rim, cloth.trim, np.where(bars, cloth.second, cloth.main))

    shape = skin(np.array(rows), cloth.main, paint)
    # held across the forearm: its face looks away from the body, out of the hand
    turned = shape.triangles[:, :, [0, 1, 2]]
    return Geometry(turned, shape.colours)


def round_shield(cloth: Cloth) -> Geometry:
    """Round shield."""
    return _disc(13, 13, cloth, 1.0)


def kite_shield(cloth: Cloth) -> Geometry:
    """Shield with a point."""
    return _disc(11.5, 12, cloth, 1.8)


TOOLS: dict[str, Callable[[Cloth], Geometry]] = {
    "sword": sword,
    "sabre": sabre,
    "axe": axe,
    "spear": spear,
    "halberd": halberd,
    "musket": musket,
    "pistol": pistol,
    "staff": staff,
    "flag": flag,
    "bucket": bucket,
    "torch": torch,
    "hammer": hammer,
    "round_shield": round_shield,
    "kite_shield": kite_shield,
}


def collar(cloth: Cloth) -> Geometry:
    """Broad round collar."""
    rings = [Ring(19.6, 7.6, 9.6), Ring(20.2, 8.0, 10.0), Ring(22.2, 4.8, 5.2)]
    return loft(rings, cloth.trim)


def ruff(cloth: Cloth) -> Geometry:
    """Pleated ruff."""
    angle = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    rows = [
        np.stack([r * np.cos(angle), r * np.sin(angle), z + 0.5 * np.sin(14 * angle)], axis=1)
        for r, z in ((4, 21.0), (10.5, 21.2), (10.8, 22.0), (10.5, 22.8), (4, 23.0))
    ]
    return skin(np.array(rows), rgb(240, 240, 236))


def cape(cloth: Cloth) -> Geometry:
    """Cape down the back."""
    rings = [
        Ring(-22, 1.0, 15.0, -11.5, 0, 2.2),
        Ring(-10, 1.2, 13.5, -10.0, 0, 2.2),
        Ring(8, 1.3, 11.5, -8.0, 0, 2.2),
        Ring(19, 2.2, 9.5, -5.0, 0, 2.2),
        Ring(21.5, 3.0, 6.0, -2.0, 0, 2.2),
    ]
    return loft(rings, cloth.second)


def epaulettes(cloth: Cloth) -> Geometry:
    """Epaulettes."""
    return joined([ball((0, s * 10.6, 20.4), (4.4, 4.4, 1.6), cloth.trim, 16) for s in (-1, 1)])


def belt(cloth: Cloth) -> Geometry:
    """Belt with its buckle."""
    rings = [Ring(1.2, 7.6, 12.1, 0, 0, 3.2), Ring(4.2, 7.5, 11.9, 0, 0, 3.2)]
    return joined([loft(rings, _BLACK, steps=1), box((1.2, 4, 3.2), (7.5, 0, 2.7), _GOLD)])


def breastplate(cloth: Cloth) -> Geometry:
    """Armour on the chest."""
    rings = [
        Ring(1.0, 7.6, 12.0, 0.3, 0, 3.0),
        Ring(9, 8.2, 11.6, 0.5, 0, 2.8),
        Ring(16, 7.6, 10.4, 0.3, 0, 2.7),
        Ring(20, 6.0, 8.0, 0, 0, 2.5),
    ]
    return loft(rings, _STEEL)


def backpack(cloth: Cloth) -> Geometry:
    """Knapsack."""
    return box((6.5, 15, 14), (-10.0, 0, 12), cloth.trim, 1.6)


def quiver(cloth: Cloth) -> Geometry:
    """Quiver with arrows."""
    path = np.array([(-9, -4, 2), (-9.5, 0, 12), (-10, 4, 22.0)])
    return joined([tube(path, [2.6, 3.0, 3.2], _WOOD), ball((-10, 4.5, 24), (2, 2, 3), cloth.trim)])


EXTRAS: dict[str, Callable[[Cloth], Geometry]] = {
    "collar": collar,
    "ruff": ruff,
    "cape": cape,
    "epaulettes": epaulettes,
    "belt": belt,
    "breastplate": breastplate,
    "backpack": backpack,
    "quiver": quiver,
}
