"""What a cheap camera adds to a clean picture: blur, noise, white balance, exposure."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Sensor:
    """Faults of one picture; the JPEG quality is applied by whoever writes it.

    `motion_px` is how far (right, down) the picture moved while the shutter was open.
    """

    blur_px: float = 0.0
    noise: float = 0.0
    gain: tuple[float, float, float] = (1.0, 1.0, 1.0)
    gamma: float = 1.0
    quality: int = 90
    motion_px: tuple[float, float] = (0.0, 0.0)


def expose(
    pixels: NDArray[np.float32], sensor: Sensor, rng: np.random.Generator
) -> NDArray[np.float32]:
    """(H, W, 3) linear light to sRGB 0..1 with the faults."""
    light = np.clip(pixels * np.array(sensor.gain, dtype=np.float32), 0, None)
    if any(sensor.motion_px):
        light = _smear(light, sensor.motion_px)
    # a soft shoulder above 0.8: cameras do not clip as hard as a plain sRGB curve
    light = np.where(light > 0.8, 1.0 - 0.2 * np.exp(-(light - 0.8) / 0.2), light)
    image = np.where(
        light <= 0.0031308, light * 12.92, 1.055 * np.maximum(light, 1e-8) ** (1 / 2.4) - 0.055
    )
    image = np.clip(image, 0, 1).astype(np.float32) ** np.float32(sensor.gamma)
    if sensor.blur_px > 0.05:
        image = _blur(image, sensor.blur_px)
    if sensor.noise > 0:
        grain = rng.standard_normal(image.shape, dtype=np.float32)
        coarse = _blur(rng.standard_normal(image.shape, dtype=np.float32), 0.8) * 2.0
        image = image + sensor.noise * (0.7 * grain + 0.7 * coarse) * (0.4 + 0.6 * np.sqrt(image))
    clipped: NDArray[np.float32] = np.clip(image, 0, 1).astype(np.float32)
    return clipped


def _smear(image: NDArray[np.float32], motion: tuple[float, float]) -> NDArray[np.float32]:
    """Mean of the picture along a straight way about where it is."""
    steps = max(3, 2 * int(np.ceil(max(abs(v) for v in motion))) + 1)
    taps: dict[tuple[int, int], float] = {}
    for share in np.linspace(-0.5, 0.5, steps):
        x, y = share * motion[0], share * motion[1]
        left, top = int(np.floor(x)), int(np.floor(y))
        for i, wide in ((left, 1 - (x - left)), (left + 1, x - left)):
            for j, high in ((top, 1 - (y - top)), (top + 1, y - top)):
                if wide * high > 1e-6:
                    taps[i, j] = taps.get((i, j), 0.0) + float(wide * high) / steps
    reach = max(max(abs(i), abs(j)) for i, j in taps)
    height, width = image.shape[:2]
    padded = np.pad(image, [(reach, reach), (reach, reach), (0, 0)], mode="edge")
    smeared = np.zeros_like(image)
    for (i, j), weight in taps.items():
        rows, columns = slice(reach - j, reach - j + height), slice(reach - i, reach - i + width)
        smeared += np.float32(weight) * padded[rows, columns]
    return smeared


def _blur(image: NDArray[np.float32], sigma: float) -> NDArray[np.float32]:
    reach = max(1, int(np.ceil(2.5 * sigma)))
    taps = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2).astype(np.float32)
    taps /= taps.sum()
    for axis in (0, 1):
        pads = [(0, 0)] * 3
        pads[axis] = (reach, reach)
        padded = np.pad(image, pads, mode="edge")
        length = image.shape[axis]
        image = sum(
            tap * np.take(padded, np.arange(i, i + length), axis=axis) for i, tap in enumerate(taps)
        )
    return image
