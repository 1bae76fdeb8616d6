"""Printed chests of the Playmobil models."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.scenes import invented
from vision.scenes.shapes import Paint, Points

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Cloth:
    """Colours of a garment: its own, a second one, and a trim."""

    main: int
    second: int
    trim: int


def _buttons(u: Points, v: Points) -> tuple[Mask, Mask]:
    rows = np.abs((v * 6) % 1 - 0.5) < 0.22
    return u < -9, (np.abs(u) < 0.09) & rows & (v < 0.9)


def _jacket(u: Points, v: Points) -> tuple[Mask, Mask]:
    opening = 0.10 + 0.34 * np.maximum(v - 0.15, 0)
    return np.abs(u) < opening, np.abs(np.abs(u) - opening - 0.05) < 0.05


def _stripes(u: Points, v: Points) -> tuple[Mask, Mask]:
    return (v * 5) % 1 < 0.5, u < -9


def _cross(u: Points, v: Points) -> tuple[Mask, Mask]:
    bars = (np.abs(u) < 0.12) | ((np.abs(v - 0.62) < 0.07) & (np.abs(u) < 0.55))
    return bars & (v > 0.15), (v < 0.1)


def _halves(u: Points, v: Points) -> tuple[Mask, Mask]:
    return (u > 0) != (v > 0.5), v < 0.08


def _neckline(u: Points, v: Points) -> tuple[Mask, Mask]:
    deep = 0.62 + 0.9 * np.abs(u)
    return v > deep, np.abs(v - deep) < 0.07


def _belt(u: Points, v: Points) -> tuple[Mask, Mask]:
    strap = np.abs(v - 0.16) < 0.09
    return strap, strap & (np.abs(u) < 0.16) & ~((np.abs(u) < 0.08) & (np.abs(v - 0.16) < 0.04))


def _checks(u: Points, v: Points) -> tuple[Mask, Mask]:
    return ((u * 3) % 1 < 0.5) ^ ((v * 4) % 1 < 0.5), u < -9


def _mail(u: Points, v: Points) -> tuple[Mask, Mask]:
    shift = np.where((v * 10) % 2 < 1, 0.0, 0.5)
    return ((u * 6 + shift) % 1 - 0.5) ** 2 + ((v * 10) % 1 - 0.5) ** 2 < 0.13, v < 0.07


def _laces(u: Points, v: Points) -> tuple[Mask, Mask]:
    zigzag = np.abs(np.abs(u) - 0.22 * np.abs((v * 4) % 1 - 0.5) * 2) < 0.05
    return (np.abs(u) < 0.26) & (v > 0.2), zigzag & (v > 0.2)


def _sash(u: Points, v: Points) -> tuple[Mask, Mask]:
    return np.abs(u * 0.6 + v - 0.5) < 0.13, np.abs(np.abs(u * 0.6 + v - 0.5) - 0.15) < 0.03


def _dungarees(u: Points, v: Points) -> tuple[Mask, Mask]:
    bib = (v < 0.55) | ((np.abs(np.abs(u) - 0.5) < 0.11) & (v < 0.97))
    return bib, (np.abs(v - 0.36) < 0.1) & (np.abs(u) < 0.25)


def _suit(u: Points, v: Points) -> tuple[Mask, Mask]:
    return np.abs(u) < 0.42 * (v - 0.2), np.abs(u) < 0.09 - 0.03 * v + 0.0 * v


def _shield(u: Points, v: Points) -> tuple[Mask, Mask]:
    edge = 0.36 * np.sqrt(np.clip((v - 0.22) / 0.3, 0, 1))
    inside = (np.abs(u) < edge) & (v < 0.8)
    return inside, inside & ((np.abs(u) < 0.07) | (np.abs(v - 0.6) < 0.05))


def _dots(u: Points, v: Points) -> tuple[Mask, Mask]:
    return ((u * 3.5) % 1 - 0.5) ** 2 + ((v * 5) % 1 - 0.5) ** 2 < 0.06, v > 0.93


def _frogs(u: Points, v: Points) -> tuple[Mask, Mask]:
    bars = (np.abs((v * 5) % 1 - 0.5) < 0.16) & (np.abs(u) < 0.2 + 0.4 * v)
    return u < -9, bars | (np.abs(np.abs(u) - 0.7) < 0.03)


def _apron(u: Points, v: Points) -> tuple[Mask, Mask]:
    front = (np.abs(u) < 0.55) & (v < 0.75)
    return front, (np.abs(v - 0.1) < 0.05) | (front & (np.abs(np.abs(u) - 0.5) < 0.04))


def _number(u: Points, v: Points) -> tuple[Mask, Mask]:
    return (np.abs(u) > 0.86) & (v > 0.1), (np.abs(np.hypot(u * 1.1, v - 0.58) - 0.2) < 0.06)


def _plain(u: Points, v: Points) -> tuple[Mask, Mask]:
    return u < -9, v > 0.95


PRINTS: dict[str, Callable[[Points, Points], tuple[Mask, Mask]]] = {
    "plain": _plain,
    "buttons": _buttons,
    "jacket": _jacket,
    "stripes": _stripes,
    "cross": _cross,
    "halves": _halves,
    "neckline": _neckline,
    "belt": _belt,
    "checks": _checks,
    "mail": _mail,
    "laces": _laces,
    "sash": _sash,
    "dungarees": _dungarees,
    "suit": _suit,
    "shield": _shield,
    "dots": _dots,
    "frogs": _frogs,
    "apron": _apron,
    "number": _number,
}
_ROUND = ("stripes", "checks", "mail", "belt", "halves", "dots", "dungarees")


def chest(style: str, cloth: Cloth, frame: tuple[float, float, float]) -> Paint:
    """Paint of a torso whose foot, neck and half width in mm are given.

    Each print is a function of u (-1 right to 1 left) and v (0 foot to 1 neck).
    """
    low, high, half = frame
    own = invented.is_invented(style)
    masks = invented.print_of(style) if own else PRINTS[style]
    round_ = invented.goes_round(style) if own else style in _ROUND

    def paint(middles: Points) -> NDArray[np.int64]:
        u, v = middles[:, 1] / half, (middles[:, 2] - low) / (high - low)
        second, trim = masks(u, v)
        shown = np.ones(len(middles), dtype=np.bool_) if round_ else middles[:, 0] > 0.05 * half
        codes = np.full(len(middles), cloth.main, dtype=np.int64)
        codes[second & shown] = cloth.second
        codes[trim & shown] = cloth.trim
        return codes

    return paint
