"""Random light and camera faults."""

import numpy as np

from vision.scenes.plan import Lamp
from vision.scenes.sensor import Sensor


def warmth(rng: np.random.Generator, spread: float) -> tuple[float, float, float]:
    """Colour of light: white, made warmer or colder by chance."""
    warm = float(rng.normal(0.03, spread))
    return (
        1.0,
        1.0 - max(0.0, warm) * 0.5 - max(0.0, -warm) * 0.1,
        float(np.clip(1 - warm, 0.3, 1.4)),
    )


def lamps(rng: np.random.Generator, distance: float) -> tuple[Lamp, ...]:
    """One to three lamps, about right for a camera at a distance in mm."""
    count = int(rng.choice([1, 1, 2, 2, 3]))
    total = 11.0 * float(rng.uniform(0.5, 1.6))
    lamps = []
    for share in rng.dirichlet(np.full(count, 1.5)):
        far = distance * float(rng.uniform(0.7, 1.6))
        lamps.append(
            Lamp(
                float(rng.uniform(0, 360)),
                float(rng.uniform(18, 85)),
                far,
                far * float(np.exp(rng.uniform(np.log(0.04), np.log(1.2)))),
                total * float(share) * (far / 100) ** 2,
                warmth(rng, 0.15),
            )
        )
    return tuple(lamps)


def sensor(rng: np.random.Generator) -> Sensor:
    """Faults of one picture."""
    bright = float(np.exp(rng.normal(0, 0.18)))
    red, blue = (float(v) for v in np.exp(rng.normal(0, 0.06, 2)))
    return Sensor(
        float(rng.choice([0.0, rng.uniform(0.3, 0.7), rng.uniform(0.5, 1.3)], p=[0.4, 0.4, 0.2])),
        float(rng.exponential(0.018)),
        (bright * red, bright, bright * blue),
        float(np.exp(rng.normal(0, 0.12))),
        int(rng.integers(60, 96)),
    )
