"""Tables with painted arms that reach over them."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np

from vision.frames import Image

SIZE = (960, 540)
SKINS = {
    "pale": (185, 205, 236),
    "light": (150, 180, 224),
    "tan": (105, 145, 198),
    "brown": (66, 98, 150),
    "dark": (44, 60, 92),
}
"""Blue, green, red."""
TABLES = {
    "green": (70, 130, 80),
    "grey": (150, 152, 150),
    "white": (225, 228, 226),
    "blue": (150, 90, 40),
    "black": (30, 30, 32),
    "wood": (60, 95, 145),
}


def table(name: str, seed: int = 0) -> Image:
    """A table with some texture, toys and lines."""
    rng = np.random.default_rng(seed)
    rough = rng.normal(0, 6, (SIZE[1] // 6, SIZE[0] // 6, 1)).astype(np.float32)
    texture = cv2.resize(rough, SIZE, interpolation=cv2.INTER_CUBIC)[..., None]
    image = np.array(TABLES[name], dtype=np.float32) + texture
    for _ in range(14):
        x, y = rng.integers(150, SIZE[0] - 150), rng.integers(100, SIZE[1] - 100)
        colour = tuple(int(v) for v in rng.choice([[40, 40, 190], [190, 90, 30], [40, 190, 220]]))
        cv2.rectangle(image, (int(x), int(y)), (int(x) + 14, int(y) + 30), colour, -1)
    return np.clip(image, 0, 255).astype(np.uint8)


def with_arm(
    image: Image,
    start: tuple[int, int],
    tip: tuple[int, int],
    skin: tuple[int, int, int],
    sleeve: tuple[int, int, int] | None = None,
) -> tuple[Image, tuple[int, int, int, int] | None]:
    """The table with an arm from a place outside the picture to the tip of its fingers.

    Returns:
        The picture and the box of what is seen of the arm, None when nothing is.
    """
    out = image.copy()
    mask = np.zeros(image.shape[:2], dtype=np.uint8)
    a, b = np.array(start, dtype=float), np.array(tip, dtype=float)
    along = (b - a) / np.linalg.norm(b - a)
    wrist = b - along * 70
    cv2.line(mask, tuple(a.astype(int)), tuple(wrist.astype(int)), 1, 46)
    if sleeve is not None:
        mask[mask > 0] = 2
    cv2.circle(mask, tuple((wrist + along * 14).astype(int)), 36, 1, -1)
    side = np.array([-along[1], along[0]])
    for spread in (-24, -8, 8, 24):
        knuckle = wrist + along * 30 + side * spread
        end = b - along * abs(spread) * 0.5 + side * spread * 0.8
        cv2.line(mask, tuple(knuckle.astype(int)), tuple(end.astype(int)), 1, 13)
    shade = cv2.GaussianBlur((mask > 0).astype(np.float32), (0, 0), 9)[..., None]
    for value, colour in ((1, skin), (2, sleeve)):
        if colour is not None:
            part = np.clip(np.array(colour) * (0.65 + 0.4 * shade), 0, 255)
            out[mask == value] = part[mask == value].astype(np.uint8)
    if not mask.any():
        return out, None
    x, y, w, h = cv2.boundingRect((mask > 0).astype(np.uint8))
    return out, (x, y, x + w, y + h)


@cache
def _noise(sigma: float) -> np.ndarray:
    """One field of noise, larger than a picture; drawing a new one each time takes too long."""
    field = np.random.default_rng(9).normal(0, sigma, (SIZE[1] + 64, SIZE[0] + 64, 3))
    return field.astype(np.float32)


def noisy(image: Image, seed: int, light: float = 1.0, sigma: float = 2.5) -> Image:
    """As a camera would see it: light first, then sensor noise."""
    y, x = seed * 37 % 61, seed * 23 % 59
    part = _noise(sigma)[y : y + image.shape[0], x : x + image.shape[1]]
    lit = cv2.addWeighted(image.astype(np.float32), light, part, 1.0, 0.0)
    return np.clip(lit, 0, 255).astype(np.uint8)
