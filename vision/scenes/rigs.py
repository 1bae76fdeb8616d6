"""Named lights of a room: which lamps shine, how bright, and how the camera copes.

Each rig is plain, dim or side-lit (KINDS); splits name the rigs they use, so that a test can be
lit in ways training never was.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from vision.scenes.lighting import lamps, warmth
from vision.scenes.plan import Lamp
from vision.scenes.sensor import Sensor

_FULL = 11.0


@dataclass(frozen=True, slots=True)
class Rig:
    """Lamps, even light from all round, and what the camera makes of it.

    Attributes:
        lamps: Lamps.
        sky_rgb: Colour of the even light.
        sky: Its strength.
        gain: Factor of the exposure.
        noise: Sensor noise added.
    """

    lamps: tuple[Lamp, ...]
    sky_rgb: tuple[float, float, float]
    sky: float
    gain: float = 1.0
    noise: float = 0.0


def _lamp(
    rng: np.random.Generator,
    distance: float,
    elevation: tuple[float, float],
    size: tuple[float, float],
    share: float,
    warm: float,
    azimuth: float | None = None,
) -> Lamp:
    """A lamp whose light is a share of a well-lit table's; size in shares of its distance."""
    far = distance * float(rng.uniform(0.8, 1.5))
    return Lamp(
        float(rng.uniform(0, 360)) if azimuth is None else azimuth,
        float(rng.uniform(*elevation)),
        far,
        far * float(np.exp(rng.uniform(*np.log(size)))),
        _FULL * share * (far / 100) ** 2,
        (1.0, 1.0 - 0.45 * max(warm, 0), float(np.clip(1 - warm, 0.25, 1.3))),
    )


def _lamps(rng: np.random.Generator, d: float) -> Rig:
    """One to three lamps of any kind."""
    return Rig(lamps(rng, d), warmth(rng, 0.12), float(rng.uniform(0.1, 0.7)))


def _window(rng: np.random.Generator, d: float) -> Rig:
    """A large cool window."""
    light = _lamp(rng, d, (25, 50), (0.7, 1.4), float(rng.uniform(0.7, 1.3)), -0.08)
    return Rig((light,), (0.92, 0.96, 1.0), float(rng.uniform(0.3, 0.7)))


def _ceiling(rng: np.random.Generator, d: float) -> Rig:
    """A warm lamp overhead."""
    light = _lamp(rng, d, (65, 88), (0.15, 0.5), float(rng.uniform(0.7, 1.3)), 0.2)
    return Rig((light,), (1.0, 0.93, 0.82), float(rng.uniform(0.15, 0.4)))


def _sun(rng: np.random.Generator, d: float) -> Rig:
    """Hard sun and a bright sky."""
    light = _lamp(rng, 2 * d, (30, 65), (0.01, 0.03), float(rng.uniform(0.7, 1.2)), 0.08)
    return Rig((light,), (0.8, 0.9, 1.0), float(rng.uniform(0.2, 0.45)))


def _evening(rng: np.random.Generator, d: float) -> Rig:
    """One weak warm lamp, the camera noisy."""
    light = _lamp(rng, d, (30, 75), (0.06, 0.4), float(rng.uniform(0.12, 0.28)), 0.35)
    return Rig((light,), (1.0, 0.85, 0.7), 0.05, float(rng.uniform(1.0, 1.6)), 0.012)


def _low(rng: np.random.Generator, d: float) -> Rig:
    """Hard light that comes in flat from one side."""
    light = _lamp(rng, d, (8, 18), (0.03, 0.2), float(rng.uniform(1.3, 2.4)), 0.1)
    return Rig((light,), (0.95, 0.97, 1.0), float(rng.uniform(0.03, 0.14)))


def _overcast(rng: np.random.Generator, d: float) -> Rig:
    """Almost no shadows."""
    light = _lamp(rng, d, (50, 85), (1.0, 1.6), 0.4, -0.05)
    return Rig((light,), (0.95, 0.98, 1.0), float(rng.uniform(0.7, 1.1)))


def _desk(rng: np.random.Generator, d: float) -> Rig:
    """A small lamp near by and a weak one far off."""
    return Rig(
        (
            _lamp(rng, 0.7 * d, (35, 60), (0.1, 0.25), 0.9, 0.15),
            _lamp(rng, 1.5 * d, (40, 80), (0.3, 0.6), 0.2, 0.0),
        ),
        (1.0, 0.95, 0.9),
        0.12,
    )


def _bulbs(rng: np.random.Generator, d: float) -> Rig:
    """A row of hard bulbs: several shadows of everything."""
    first = float(rng.uniform(0, 360))
    row = tuple(
        _lamp(rng, d, (45, 70), (0.03, 0.08), 1.0 / n, 0.22, first + 110.0 * k)
        for n in (int(rng.integers(3, 5)),)
        for k in range(n)
    )
    return Rig(row, (1.0, 0.92, 0.8), float(rng.uniform(0.15, 0.3)))


def _skylight(rng: np.random.Generator, d: float) -> Rig:
    """A wide cold light from straight above, a warm one from the side."""
    return Rig(
        (
            _lamp(rng, d, (75, 90), (0.8, 1.2), float(rng.uniform(0.6, 1.1)), -0.2),
            _lamp(rng, d, (22, 40), (0.1, 0.2), 0.3, 0.3),
        ),
        (0.85, 0.92, 1.0),
        float(rng.uniform(0.25, 0.5)),
    )


def _candle(rng: np.random.Generator, d: float) -> Rig:
    """Two weak orange flames, the camera very noisy."""
    pair = tuple(_lamp(rng, 0.8 * d, (20, 45), (0.03, 0.08), 0.11, 0.55) for _ in range(2))
    return Rig(pair, (1.0, 0.8, 0.6), 0.035, float(rng.uniform(0.9, 1.5)), 0.018)


def _sidewindow(rng: np.random.Generator, d: float) -> Rig:
    """A window low at one side of a dark room."""
    light = _lamp(rng, d, (10, 20), (0.5, 0.9), float(rng.uniform(1.2, 2.0)), -0.12)
    return Rig((light,), (0.9, 0.95, 1.0), float(rng.uniform(0.02, 0.08)))


def _mixed(rng: np.random.Generator, d: float) -> Rig:
    """One to four lamps of any size, height and colour, any sky, exposure and noise."""
    count, total = int(rng.integers(1, 5)), float(rng.uniform(0.45, 1.6))
    tint = rng.random() < 0.25
    shining = []
    for share in rng.dirichlet(np.full(count, 1.2)):
        lamp = _lamp(
            rng, d, (10, 90), (0.02, 1.5), total * float(share), float(rng.normal(0.1, 0.2))
        )
        if tint and rng.random() < 0.6:
            red, green, blue = (float(v) for v in 0.35 + 0.65 * rng.random(3))
            lamp = replace(lamp, rgb=(red, green, blue))
        shining.append(lamp)
    warm = float(rng.normal(0.04, 0.15))
    sky = (1.0, 1.0 - 0.4 * max(warm, 0.0), float(np.clip(1 - warm, 0.4, 1.3)))
    noise = float(rng.exponential(0.006))
    return Rig(
        tuple(shining),
        sky,
        float(np.exp(rng.uniform(np.log(0.05), np.log(1.0)))),
        float(np.exp(rng.uniform(np.log(0.5), np.log(1.8)))),
        noise,
    )


RIGS: dict[str, Callable[[np.random.Generator, float], Rig]] = {
    "lamps": _lamps,
    "window": _window,
    "ceiling": _ceiling,
    "sun": _sun,
    "evening": _evening,
    "low": _low,
    "overcast": _overcast,
    "desk": _desk,
    "bulbs": _bulbs,
    "skylight": _skylight,
    "candle": _candle,
    "sidewindow": _sidewindow,
    "mixed": _mixed,
}
DIM, SIDE = ("evening", "candle"), ("low", "sidewindow")


def word(name: str) -> str:
    """Kind of light of a rig, or of no rig at all: "dim", "side" or "plain"."""
    return "dim" if name in DIM else "side" if name in SIDE else "plain"


def dimmed(sensor: Sensor, rig: Rig) -> Sensor:
    """The camera's faults under a rig."""
    red, green, blue = (g * rig.gain for g in sensor.gain)
    return replace(sensor, gain=(red, green, blue), noise=sensor.noise + rig.noise)
