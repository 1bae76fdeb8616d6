"""Backgrounds without figures: drawn table tops and crops of photographs that may be trained on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.random import Generator
    from numpy.typing import NDArray

    Picture = NDArray[np.uint8]
    Plane = NDArray[np.float32]


def noise(rng: Generator, height: int, width: int, cells: tuple[int, int], octaves: int) -> Plane:
    """Return smooth noise in 0..1 of shape (height, width).

    Args:
        rng: source of randomness.
        height: rows.
        width: columns.
        cells: rows and columns of the coarsest random grid; unequal ones give streaks.
        octaves: how many times the grid is refined by two and halved in strength.
    """
    total = np.zeros((height, width), np.float32)
    weight = 1.0
    rows, columns = cells
    for _ in range(octaves):
        grid = rng.random((max(2, rows), max(2, columns)), dtype=np.float32)
        total += weight * cv2.resize(grid, (width, height), interpolation=cv2.INTER_CUBIC)
        weight /= 2
        rows, columns = min(rows * 2, height), min(columns * 2, width)
    low, high = float(total.min()), float(total.max())
    return np.asarray((total - low) / max(high - low, 1e-6), np.float32)


def _blend(mix: Plane, first: NDArray[np.float32], second: NDArray[np.float32]) -> Plane:
    return np.asarray(first * (1 - mix[..., None]) + second * mix[..., None], np.float32)


def _colour(rng: Generator, low: float = 20, high: float = 235) -> NDArray[np.float32]:
    colour = rng.uniform(low, high, 3)
    # Tables and bricks are seldom as loud as evenly drawn colours.
    muted = colour.mean() + (colour - colour.mean()) * rng.uniform(0.0, 1.0)
    return np.asarray(muted, np.float32)


def wood(rng: Generator, height: int, width: int) -> Plane:
    """Draw a wooden table, from near black mahogany to pale birch, grain at any angle."""
    size = int(np.hypot(height, width)) + 2
    along = int(rng.integers(2, 6))
    grain = noise(rng, size, size, (int(rng.integers(40, 160)), along), 3)
    rings = noise(rng, size, size, (int(rng.integers(4, 14)), along), 2)
    bands = 0.5 + 0.5 * np.sin(rings * rng.uniform(10, 60))
    mix = np.clip(0.6 * grain + 0.4 * bands, 0, 1).astype(np.float32)
    tone = rng.uniform(0.12, 1.0)
    base = np.array([60, 105, 160], np.float32) * tone + rng.uniform(-12, 12, 3)
    grey = rng.random() < 0.35
    if grey:
        base = np.full(3, 175, np.float32) * tone + rng.uniform(-8, 8, 3)
    dark = base * rng.uniform(0.45, 0.85)
    board = _blend(mix, base.astype(np.float32), dark.astype(np.float32))
    if rng.random() < 0.5:
        step = int(rng.integers(40, 220))
        for y in range(int(rng.integers(0, step)), size, step):
            board[y : y + int(rng.integers(1, 3))] *= 0.55
    turn = cv2.getRotationMatrix2D((size / 2, size / 2), rng.uniform(0, 360), 1.0)
    board = np.asarray(cv2.warpAffine(board, turn, (size, size), borderMode=cv2.BORDER_REFLECT))
    y0, x0 = (size - height) // 2, (size - width) // 2
    return np.asarray(board[y0 : y0 + height, x0 : x0 + width], np.float32)


def cloth(rng: Generator, height: int, width: int) -> Plane:
    """Draw a woven or flocked cloth with folds of light and dark."""
    ys, xs = np.mgrid[:height, :width].astype(np.float32)
    angle = rng.uniform(0, np.pi)
    u, v = xs * np.cos(angle) + ys * np.sin(angle), ys * np.cos(angle) - xs * np.sin(angle)
    pitch = rng.uniform(2.2, 9)
    weave = 0.25 * (np.sin(u * 2 * np.pi / pitch) + np.sin(v * 2 * np.pi / pitch)) + 0.5
    folds = noise(rng, height, width, (3, 4), 3)
    speck = rng.random((height, width), dtype=np.float32)
    mix = np.clip(0.5 * weave + 0.3 * folds + 0.2 * speck, 0, 1).astype(np.float32)
    first = _colour(rng)
    second = first * rng.uniform(0.5, 0.9) if rng.random() < 0.7 else _colour(rng)
    return _blend(mix, first, second.astype(np.float32))


def mottled(rng: Generator, height: int, width: int) -> Plane:
    """Draw marble, carpet, grass mats, tiles: noise between two colours."""
    cells = int(rng.integers(3, 60))
    mix = noise(rng, height, width, (cells, cells), int(rng.integers(2, 6)))
    if rng.random() < 0.3:
        mix = (mix > rng.uniform(0.3, 0.7)).astype(np.float32)
        mix = np.asarray(cv2.GaussianBlur(mix, (0, 0), rng.uniform(0.5, 2)), np.float32)
    return _blend(mix, _colour(rng), _colour(rng))


def plain(rng: Generator, height: int, width: int) -> Plane:
    """Draw paper, a wall or a desk: one colour, lit unevenly."""
    mix = noise(rng, height, width, (2, 2), 1)
    first = _colour(rng, 10, 250)
    return _blend(mix, first, np.asarray(first * rng.uniform(0.6, 0.98), np.float32))


def studded(rng: Generator, height: int, width: int) -> Plane:
    """Draw a studded plate seen obliquely, of one colour or patched from several."""
    pitch, count = 16, 44
    size = pitch * count
    tile = np.zeros((pitch, pitch), np.float32)
    cv2.circle(tile, (8, 9), 5, -0.35, -1, cv2.LINE_AA)
    cv2.circle(tile, (8, 8), 5, 0.12, -1, cv2.LINE_AA)
    cv2.ellipse(tile, (8, 8), (4, 4), 0, 190, 280, 0.45, 1, cv2.LINE_AA)
    relief = np.tile(tile, (count, count))
    sheet = np.ones((size, size, 3), np.float32) * _colour(rng, 15, 240)
    for _ in range(int(rng.integers(0, 12))):
        a, b = rng.integers(0, count - 4, 2) * pitch
        h, w = rng.integers(1, 10, 2) * pitch
        sheet[a : a + h, b : b + w] = _colour(rng, 10, 245)
    sheet *= (1 + relief * rng.uniform(0.3, 1.0))[..., None]
    corners = np.array([[0, 0], [size, 0], [size, size], [0, size]], np.float32)
    far = rng.uniform(0.0, 0.32) * width
    target = np.array(
        [[far, -10], [width - far, -10], [width + far, height + 10], [-far, height + 10]],
        np.float32,
    )
    target += rng.uniform(-60, 60, (4, 2)).astype(np.float32)
    turn = cv2.getRotationMatrix2D((size / 2, size / 2), rng.uniform(0, 360), 1.5)
    sheet = np.asarray(cv2.warpAffine(sheet, turn, (size, size), borderMode=cv2.BORDER_WRAP))
    warp = cv2.getPerspectiveTransform(corners, target)
    under = plain(rng, height, width)
    cv2.warpPerspective(sheet, warp, (width, height), dst=under, borderMode=cv2.BORDER_TRANSPARENT)
    return under


DRAWN: tuple[Callable[[Generator, int, int], Plane], ...] = (
    wood,
    wood,
    cloth,
    mottled,
    plain,
    studded,
)


def light(rng: Generator, plane: Plane) -> Plane:
    """Lay a slope of light, a lamp's glare or a window's reflection over a table."""
    height, width = plane.shape[:2]
    ys, xs = np.mgrid[:height, :width].astype(np.float32)
    angle = rng.uniform(0, 2 * np.pi)
    slope = (xs / width - 0.5) * np.cos(angle) + (ys / height - 0.5) * np.sin(angle)
    lit = plane * (1 + rng.uniform(0, 0.7) * slope)[..., None]
    if rng.random() < 0.35:
        x, y = rng.uniform(0, width), rng.uniform(0, height)
        rx, ry = rng.uniform(0.05, 0.5) * width, rng.uniform(0.05, 0.4) * height
        glare = np.exp(-(((xs - x) / rx) ** 2) - ((ys - y) / ry) ** 2)
        glare *= 0.5 + 0.5 * noise(rng, height, width, (20, 20), 2)
        lit = lit + rng.uniform(20, 170) * glare[..., None]
    return np.asarray(lit, np.float32)


def clutter(rng: Generator, plane: Plane, count: int) -> None:
    """Paint things that are no figures in place: bricks, columns, boxes, discs, sticks."""
    height, width = plane.shape[:2]
    for _ in range(count):
        colour = _colour(rng, 5, 250)
        x, y = rng.uniform(0, width), rng.uniform(0, height)
        size = float(np.exp(rng.uniform(np.log(8), np.log(130))))
        w, h = size * rng.uniform(0.3, 1.6), size * rng.uniform(0.3, 1.6)
        shape = int(rng.integers(0, 5))
        top, side = [tuple(float(c) for c in colour * k) for k in (1.0, rng.uniform(0.4, 0.85))]
        if shape <= 1:  # a block: a front and a lighter top with studs
            lean, deep = rng.uniform(-0.5, 0.5) * w, rng.uniform(0.2, 0.7) * h
            front = [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]
            lid = [(x, y), (x + w, y), (x + w + lean, y - deep), (x + lean, y - deep)]
            cv2.fillPoly(plane, [np.array(front, np.int32)], side, cv2.LINE_AA)
            cv2.fillPoly(plane, [np.array(lid, np.int32)], top, cv2.LINE_AA)
            studs = max(1, int(w / max(4.0, size / 4)))
            for i in range(studs):
                at = (int(x + (i + 0.5) * w / studs + lean / 2), int(y - deep / 2))
                axes = (max(1, int(w / studs * 0.3)), max(1, int(deep * 0.25)))
                cv2.ellipse(plane, at, axes, 0, 0, 360, side, 1, cv2.LINE_AA)
        elif shape == 2:  # a column or a bottle
            cv2.rectangle(plane, (int(x), int(y)), (int(x + w / 2), int(y + h)), side, -1)
            cv2.ellipse(
                plane,
                (int(x + w / 4), int(y)),
                (max(1, int(w / 4)), max(1, int(w / 8))),
                0,
                0,
                360,
                top,
                -1,
                cv2.LINE_AA,
            )
        elif shape == 3:  # a disc, ball or die
            axes = (max(1, int(w / 2)), max(1, int(h / 2)))
            turn = rng.uniform(0, 180)
            cv2.ellipse(plane, (int(x), int(y)), axes, turn, 0, 360, top, -1, cv2.LINE_AA)
            small = (max(1, axes[0] // 2), max(1, axes[1] // 2))
            cv2.ellipse(plane, (int(x), int(y)), small, turn, 0, 360, side, -1, cv2.LINE_AA)
        else:  # a stick, pen or ruler's edge
            bend = rng.uniform(0, 2 * np.pi)
            end = (int(x + 2 * w * np.cos(bend)), int(y + 2 * w * np.sin(bend)))
            cv2.line(plane, (int(x), int(y)), end, top, max(1, int(size / 12)), cv2.LINE_AA)


def crop(rng: Generator, photo: Picture, height: int, width: int) -> Plane:
    """Cut a random window of a photograph, at a random scale, to the size asked for."""
    limit = min(photo.shape[0] / height, photo.shape[1] / width)
    scale = float(np.exp(rng.uniform(np.log(min(0.8, limit)), np.log(limit))))
    h, w = min(int(height * scale), photo.shape[0]), min(int(width * scale), photo.shape[1])
    y, x = rng.integers(0, photo.shape[0] - h + 1), rng.integers(0, photo.shape[1] - w + 1)
    window = photo[y : y + h, x : x + w]
    if rng.random() < 0.5:
        window = window[:, ::-1]
    size = cv2.resize(np.ascontiguousarray(window), (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(size, np.float32)


def surroundings(photo: Picture, box: NDArray[np.float32]) -> Picture:
    """Return a photograph's wider side beside its one figure, mirrored out to a whole picture."""
    _height, width = photo.shape[:2]
    x0, x1 = int(max(0, box[0] - 12)), int(min(width, box[2] + 12))
    side = photo[:, :x0] if x0 >= width - x1 else photo[:, x1:]
    doubled = np.hstack([side, side[:, ::-1]])
    times = int(np.ceil(width * 1.4 / doubled.shape[1]))
    return np.ascontiguousarray(np.hstack([doubled] * times)[:, : int(width * 1.4)])


def background(rng: Generator, height: int, width: int, photos: list[Picture]) -> Plane:
    """Return a lit (height, width, 3) float32 background, drawn or from a photograph.

    Args:
        rng: source of randomness.
        height: rows.
        width: columns.
        photos: pictures without figures to crop from, may be empty.
    """
    if photos and rng.random() < 0.5:
        plane = crop(rng, photos[int(rng.integers(len(photos)))], height, width)
    else:
        plane = DRAWN[int(rng.integers(len(DRAWN)))](rng, height, width)
    if rng.random() < 0.6:
        clutter(rng, plane, int(rng.integers(1, 14)))
    return light(rng, plane)
