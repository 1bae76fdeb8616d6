"""Dresses that nobody designed: prints, hair and hats of Playmobil figures drawn from a number.

A split with a dozen named styles teaches those styles; who is drawn from thousands must be known
by build and face. Names are ``invented-N``; one number is one thing for ever.
"""

from collections.abc import Callable

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.scenes.ldraw import Geometry, joined
from vision.scenes.playmobil_head import CENTRE_Z, MIDDLE, hair_cap, reach
from vision.scenes.shapes import Points, Ring, ball, box, cap, loft, skin, tube

WORD = "invented"
"""In a list of a recipe: draw a number instead of a named style."""
Mask = NDArray[np.bool_]
_NUMBERS = 1 << 30


def drawn(word: str, rng: Generator) -> str:
    """Return a style's name: the word itself, or an invented one where it says so."""
    return f"{WORD}-{int(rng.integers(_NUMBERS))}" if word == WORD else word


def is_invented(style: str) -> bool:
    """Return whether a style is drawn from a number."""
    return style.startswith(f"{WORD}-")


def _source(style: str, purpose: int) -> Generator:
    return np.random.default_rng([purpose, int(style.removeprefix(f"{WORD}-"))])


def print_of(style: str) -> Callable[[Points, Points], tuple[Mask, Mask]]:
    """Return an invented print: where a chest has its second colour and where its trim.

    The print is a function of u (-1 right to 1 left) and v (0 foot to 1 neck), see
    ``playmobil_prints``.
    """
    rng = _source(style, 1)
    second = [_shape(rng) for _ in range(int(rng.choice([1, 1, 2, 3])))]
    trim = [_shape(rng) for _ in range(int(rng.choice([0, 1, 1, 2, 2])))]

    def masks(u: Points, v: Points) -> tuple[Mask, Mask]:
        return _together(second, u, v), _together(trim, u, v)

    return masks


def goes_round(style: str) -> bool:
    """Return whether an invented print goes round the body instead of being on its front."""
    return bool(_source(style, 4).random() < 0.5)


Shape = Callable[[Points, Points], Mask]


def _together(shapes: list[Shape], u: Points, v: Points) -> Mask:
    mask = np.zeros(np.shape(u), np.bool_)
    for shape in shapes:
        mask ^= shape(u, v)
    return mask


def _shape(rng: Generator) -> Shape:
    makers = (
        _bands,
        _patch,
        _strip,
        _yoke,
        _hem,
        _spots,
        _blotches,
        _emblem,
        _sides,
        _line,
        _emblem,
    )
    return makers[int(rng.integers(len(makers)))](rng)


def _bands(rng: Generator) -> Shape:
    turn = float(rng.choice([0, 0, np.pi / 2, rng.uniform(0, np.pi)]))
    along, across = np.cos(turn), np.sin(turn)
    count, phase, share = rng.uniform(1.5, 7), rng.random(), rng.uniform(0.15, 0.6)
    return lambda u, v: ((u * across * 0.8 + v * along) * count + phase) % 1 < share


def _patch(rng: Generator) -> Shape:
    cu, cv = rng.uniform(-0.6, 0.6), rng.uniform(0.1, 0.9)
    ru, rv = rng.uniform(0.12, 0.6), rng.uniform(0.08, 0.4)
    power = float(rng.choice([1, 2, 2, 6]))
    return lambda u, v: np.abs((u - cu) / ru) ** power + np.abs((v - cv) / rv) ** power < 1


def _strip(rng: Generator) -> Shape:
    middle, lean = rng.choice([0.0, rng.uniform(-0.6, 0.6)]), rng.normal(0, 0.3)
    wide = rng.uniform(0.05, 0.4)
    return lambda u, v: np.abs(u - middle - lean * (v - 0.5)) < wide


def _yoke(rng: Generator) -> Shape:
    start, slope = rng.uniform(0.35, 0.85), rng.uniform(-0.5, 1.0)
    return lambda u, v: v > start + slope * np.abs(u)


def _hem(rng: Generator) -> Shape:
    height, slope = rng.uniform(0.06, 0.5), rng.normal(0, 0.15)
    return lambda u, v: v < height + slope * np.abs(u)


def _spots(rng: Generator) -> Shape:
    count, size = rng.uniform(2, 7), rng.uniform(0.12, 0.4)
    turn = rng.uniform(0, np.pi)
    c, s = np.cos(turn), np.sin(turn)

    def mask(u: Points, v: Points) -> Mask:
        x, y = (u * 0.8 * c + v * s) * count, (v * c - u * 0.8 * s) * count
        return np.asarray(((x % 1) - 0.5) ** 2 + ((y % 1) - 0.5) ** 2 < size**2)

    return mask


def _blotches(rng: Generator) -> Shape:
    waves = [(rng.normal(0, 5, 2), rng.uniform(0, 6.3)) for _ in range(5)]
    level = rng.uniform(-0.5, 1.2)

    def mask(u: Points, v: Points) -> Mask:
        total = sum(np.sin(k[0] * u + k[1] * v + phase) for k, phase in waves)
        return np.asarray(total > level)

    return mask


def _emblem(rng: Generator) -> Shape:
    """A small figure of cells, as badges, letters, tools and faces look from afar."""
    wide, tall = int(rng.integers(3, 8)), int(rng.integers(3, 8))
    cells = rng.random((tall, wide)) < rng.uniform(0.35, 0.7)
    if rng.random() < 0.6:
        cells |= cells[:, ::-1]
    middle = rng.choice([0.0, 0.0, rng.uniform(-0.5, 0.5)])
    low, height = rng.uniform(0.1, 0.55), rng.uniform(0.2, 0.7)
    half = rng.uniform(0.15, 0.6)

    def mask(u: Points, v: Points) -> Mask:
        column = np.floor((u - middle + half) / (2 * half) * wide).astype(int)
        row = np.floor((v - low) / height * tall).astype(int)
        inside = (column >= 0) & (column < wide) & (row >= 0) & (row < tall)
        return np.asarray(inside & cells[np.clip(row, 0, tall - 1), np.clip(column, 0, wide - 1)])

    return mask


def _sides(rng: Generator) -> Shape:
    inner, slope = rng.uniform(0.3, 0.85), rng.normal(0, 0.4)
    return lambda u, v: np.abs(u) > inner + slope * (v - 0.5)


def _line(rng: Generator) -> Shape:
    """A thin bent line, as seams, chains and necklaces are."""
    height, bend, power = rng.uniform(0.1, 0.95), rng.normal(0, 0.6), rng.choice([1.0, 2.0])
    half = rng.uniform(0.02, 0.08)
    return lambda u, v: np.abs(v - height - bend * np.abs(u) ** power) < half


def hair_of(style: str, colour: int) -> Geometry:
    """Return invented hair: combed some way, with or without tails, buns and locks."""
    rng = _source(style, 2)
    front, side, back = rng.uniform(36, 66), rng.uniform(62, 122), rng.uniform(88, 144)
    size = rng.uniform(11.0, 12.3)
    wave = (int(rng.integers(6, 30)), float(rng.uniform(0, 0.06)))
    pieces = [cap(MIDDLE, (size, size, size - 0.4), reach(front, side, back), colour, wave=wave)]
    for maker, chance in (
        (_tail, 0.3),
        (_bun, 0.25),
        (_sheet, 0.25),
        (_locks, 0.3),
        (_fringe, 0.25),
    ):
        if rng.random() < chance:
            pieces += maker(rng, colour)
    return joined(pieces)


def _tail(rng: Generator, colour: int) -> list[Geometry]:
    """One tail behind, or two at the sides."""
    paired = rng.random() < 0.4
    turn = rng.uniform(1.4, 2.4) if paired else np.pi
    start, long, bow = rng.uniform(8, 20), rng.uniform(6, 26), rng.uniform(1, 6)
    thick = rng.uniform(1.6, 4.0)
    t = np.linspace(0, 1, 6)
    out = 9.5 + bow * np.sin(np.pi * np.minimum(t * 1.3, 1))
    radii = thick * np.array([0.6, 0.9, 1.0, 0.95, 0.7, 0.25])
    return [
        tube(
            np.stack([out * np.cos(a), out * np.sin(a), start - long * t**1.2], axis=1),
            list(radii),
            colour,
        )
        for a in ((turn, -turn) if paired else (turn,))
    ]


def _bun(rng: Generator, colour: int) -> list[Geometry]:
    tilt, radius = rng.uniform(0, 1.7), rng.uniform(2.5, 5.5)
    turns = (np.pi - 0.9, np.pi + 0.9) if rng.random() < 0.3 else (np.pi,)
    return [
        ball(
            (
                12 * np.sin(tilt) * np.cos(a),
                12 * np.sin(tilt) * np.sin(a),
                CENTRE_Z + 12 * np.cos(tilt),
            ),
            (radius, radius, radius * rng.uniform(0.7, 1.1)),
            colour,
        )
        for a in turns
    ]


def _sheet(rng: Generator, colour: int) -> list[Geometry]:
    """Hair that falls over the back and shoulders."""
    low, wide = rng.uniform(-20, 0), rng.uniform(6, 12)
    return [
        loft(
            [
                Ring(low, 1.4, wide * 0.7, -8.4, 0, 2.5),
                Ring(low + 3, 2.6, wide, -8.2, 0, 2.5),
                Ring(max(low + 6, 4.0), 4.0, min(wide, 10.6), -7.0, 0, 2.3),
                Ring(15.0, 3.0, 6.0, -5.0, 0, 2.0),
            ],
            colour,
        )
    ]


def _locks(rng: Generator, colour: int) -> list[Geometry]:
    """Curls, tufts or spikes all over."""
    count, radius = int(rng.integers(8, 30)), rng.uniform(1.8, 3.6)
    far, tall = rng.uniform(10.4, 12.0), rng.uniform(0.8, 1.9)
    pieces = []
    for i in range(count):
        turn, tilt = i * 2.399963, np.radians(10 + 80 * i / count)
        if np.cos(turn) > 0.3 and tilt > 0.95:
            continue
        out = np.array([np.sin(tilt) * np.cos(turn), np.sin(tilt) * np.sin(turn), np.cos(tilt)])
        pieces.append(
            ball(out * far + np.array(MIDDLE), (radius, radius, radius * tall), colour, 10)
        )
    return pieces


def _fringe(rng: Generator, colour: int) -> list[Geometry]:
    side = float(rng.choice([0.0, rng.uniform(-4, 4)]))
    radii = (rng.uniform(2.5, 5), rng.uniform(4, 8.5), rng.uniform(2, 4.5))
    return [ball((rng.uniform(4.5, 8), side, rng.uniform(17, 20.5)), radii, colour)]


def hat_of(style: str, colour: int, trim: int) -> Geometry:
    """Return an invented hat or helmet with or without brim, band and ornaments."""
    rng = _source(style, 3)
    pieces = _crowned(rng, colour, trim) if rng.random() < 0.55 else _shell(rng, colour, trim)
    for maker, chance in ((_feather, 0.35), (_gems, 0.2), (_crest, 0.25), (_badge, 0.3)):
        if rng.random() < chance:
            pieces += maker(rng, trim if rng.random() < 0.8 else colour)
    return joined(pieces)


def _crowned(rng: Generator, colour: int, trim: int) -> list[Geometry]:
    """A crown of any shape, mostly with a round brim."""
    foot = rng.uniform(14.5, 17.0)
    tall = float(rng.choice([rng.uniform(4, 9), rng.uniform(9, 16), rng.uniform(16, 26)]))
    low, high = rng.uniform(9.8, 11.4), rng.uniform(0.8, 12.5)
    lean = rng.normal(0, 2.0)
    rings = [
        Ring(foot, low, low),
        Ring(foot + tall * 0.5, (low + high) / 2, (low + high) / 2, lean * 0.4),
        Ring(foot + tall * 0.92, high, high, lean),
        Ring(foot + tall, high * 0.7, high * 0.7, lean),
    ]
    pieces = [loft(rings, colour)]
    if rng.random() < 0.7:
        pieces.append(_brim(rng, foot + 0.3, colour if rng.random() < 0.75 else trim))
    if rng.random() < 0.6:
        start, wide = foot + rng.uniform(0.4, 1.5), rng.uniform(1.2, 3.5)
        pieces.append(
            loft([Ring(start, low + 0.3, low + 0.3), Ring(start + wide, low, low)], trim, steps=1)
        )
    return pieces


def _brim(rng: Generator, z: float, colour: int) -> Geometry:
    wide, lobes = rng.uniform(12.5, 20.0), int(rng.choice([2, 2, 4, 5]))
    lift, phase = rng.uniform(-3.5, 5.0), rng.choice([0.0, np.pi / 2, rng.uniform(0, 6)])
    angle = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    rows = []
    for share, dz in ((0.0, -0.6), (1.0, -0.6), (1.02, 0.0), (1.0, 0.6), (0.0, 0.8)):
        r = 9.0 + (wide - 9.0) * share
        up = lift * share**2 * (0.5 - 0.5 * np.cos(lobes * angle + phase))
        rows.append(np.stack([r * np.cos(angle), r * np.sin(angle), z + dz + up], axis=1))
    return skin(np.array(rows), colour)


def _shell(rng: Generator, colour: int, trim: int) -> list[Geometry]:
    """A cap, hood or helmet close to the head."""
    front, side, back = rng.uniform(48, 84), rng.uniform(60, 130), rng.uniform(66, 136)
    size, tall = rng.uniform(11.6, 12.8), rng.uniform(0.95, 1.35)
    shape = cap(
        MIDDLE,
        (size, size, size * tall),
        reach(front, side, back),
        colour,
        rng.uniform(1.0, 2.2),
        wave=(int(rng.integers(4, 16)), float(rng.choice([0, 0, rng.uniform(0.01, 0.05)]))),
    )
    pieces = [shape]
    if rng.random() < 0.35:
        visor = (rng.uniform(4, 8), rng.uniform(6, 9), rng.uniform(0.7, 1.6))
        pieces.append(ball((rng.uniform(8, 11), 0, rng.uniform(13.5, 16)), visor, trim))
    if rng.random() < 0.3:
        low = rng.uniform(13.0, 15.5)
        high = low + rng.uniform(1.2, 3.5)
        pieces.append(
            loft([Ring(low, size + 0.3, size + 0.3), Ring(high, size, size)], trim, steps=1)
        )
    if rng.random() < 0.25:
        pieces.append(hair_cap(90, 118, 128, trim, size - 0.4))
    return pieces


def _feather(rng: Generator, colour: int) -> list[Geometry]:
    """Feathers, tails and ribbons that stand off the hat."""
    pieces = []
    for _ in range(int(rng.choice([1, 1, 2, 5]))):
        turn, start = rng.uniform(0, 2 * np.pi), rng.uniform(14, 22)
        rise, away, thick = rng.uniform(-12, 16), rng.uniform(3, 16), rng.uniform(0.8, 3.2)
        t = np.linspace(0, 1, 6)
        out = 8 + away * t**1.3
        path = np.stack(
            [out * np.cos(turn), out * np.sin(turn), start + rise * np.sin(t * 1.9)], axis=1
        )
        pieces.append(tube(path, list(thick * np.array([0.4, 0.9, 1, 1, 0.8, 0.2])), colour, 10))
    return pieces


def _gems(rng: Generator, colour: int) -> list[Geometry]:
    count, z, size = int(rng.integers(3, 10)), rng.uniform(14, 19), rng.uniform(0.8, 1.8)
    turns = np.linspace(0, 2 * np.pi, count + 1)[:-1]
    return [ball((11 * np.cos(a), 11 * np.sin(a), z), (size,) * 3, colour, 8) for a in turns]


def _crest(rng: Generator, colour: int) -> list[Geometry]:
    """A comb from front to back or across, or a knob."""
    if rng.random() < 0.3:
        return [ball((0, 0, rng.uniform(22, 26)), (rng.uniform(1.5, 4),) * 3, colour, 14)]
    along, tall = rng.uniform(8, 24), rng.uniform(2, 9)
    size = (along, rng.uniform(1.2, 4), tall)
    if rng.random() < 0.3:
        size = (size[1], along, tall)
    return [box(size, (rng.uniform(-3, 2), 0, 21.5 + tall / 2 - 1.5), colour, 1.0)]


def _badge(rng: Generator, colour: int) -> list[Geometry]:
    wide, tall = rng.uniform(2, 6), rng.uniform(2, 6)
    return [ball((10.8, 0, rng.uniform(15, 19)), (1.4, wide / 2, tall / 2), colour, 12)]
