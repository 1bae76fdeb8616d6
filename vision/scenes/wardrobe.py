"""Random figures from the parts of a split."""

import numpy as np

from vision.scenes.figure import Figure, Outfit, Part, Pose, assemble
from vision.scenes.ldraw import Library
from vision.scenes.recipe import Split

CLOTHES = (
    4,
    1,
    15,
    0,
    14,
    2,
    71,
    72,
    19,
    70,
    28,
    25,
    320,
    272,
    288,
    10,
    7,
    8,
    6,
    308,
    84,
    379,
    5,
    73,
)
HAIR = (0, 70, 6, 308, 19, 14, 25, 71, 320, 226)
SKIN = (14, 14, 14, 14, 78, 78, 92, 84, 70, 15, 71)
METAL = (0, 72, 71, 7, 8, 70, 80, 297, 148, 6)


def random_figures(
    library: Library, split: Split, count: int, rng: np.random.Generator
) -> list[Figure]:
    """Figures with parts, colours and poses drawn from rng.

    Raises:
        SceneError: a part of the split is not in the library.
    """
    return [assemble(library, outfit(split, rng), _pose(rng)) for _ in range(count)]


def _pick(rng: np.random.Generator, values: tuple[int, ...]) -> int:
    return int(values[int(rng.integers(len(values)))])


def outfit(split: Split, rng: np.random.Generator) -> Outfit:
    """Parts and colours drawn from a split."""
    skin, clothes = _pick(rng, SKIN), _pick(rng, CLOTHES)
    plain = rng.random() < 0.12
    torso = "973.dat" if plain else str(rng.choice(split.torsos))
    headgear = None
    if rng.random() < 0.88:
        colours = HAIR if rng.random() < 0.5 else CLOTHES
        headgear = Part(str(rng.choice(split.headgear)), _pick(rng, colours))
    items: list[Part | None] = [None, None]
    for side, chance in ((0, 0.55), (1, 0.25)):
        if rng.random() < chance:
            items[side] = Part(str(rng.choice(split.items)), _pick(rng, METAL + CLOTHES[:6]))
    legs = _pick(rng, CLOTHES)
    return Outfit(
        Part(torso, clothes),
        Part(str(rng.choice(split.heads)), skin),
        headgear,
        Part("3815b.dat", legs if rng.random() < 0.7 else _pick(rng, CLOTHES)),
        Part("3816c.dat", legs),
        clothes if rng.random() < 0.8 else _pick(rng, CLOTHES),
        skin if rng.random() < 0.8 else _pick(rng, CLOTHES),
        (items[0], items[1]),
    )


def _pose(rng: np.random.Generator) -> Pose:
    arms = [float(rng.normal(15, 35)) if rng.random() < 0.8 else 0.0 for _ in range(2)]
    legs = (0.0, 0.0)
    if rng.random() < 0.15:
        step = float(rng.normal(0, 18))
        legs = (step, -step)
    elif rng.random() < 0.03:
        legs = (80.0, 80.0)
    head = float(rng.normal(0, 25)) if rng.random() < 0.5 else 0.0
    return Pose(arms[0], arms[1], legs[0], legs[1], head)
