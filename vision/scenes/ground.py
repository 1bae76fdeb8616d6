"""What the figures of a random picture stand on: baseplates, walls, blocks."""

from dataclasses import dataclass

import numpy as np

from vision.scenes.bricks import (
    BASEPLATE_MM,
    BRICK_MM,
    PLATE_MM,
    STUD_MM,
    baseplate,
    block,
    tiled,
    wall,
)
from vision.scenes.plan import Brick

PLATE_COLOURS = (2, 2, 10, 19, 71, 72, 1, 4, 15, 0, 70, 28, 14, 288, 378, 25, 8, 7)
BRICK_COLOURS = (4, 1, 15, 0, 14, 2, 71, 72, 19, 70, 28, 25, 320, 308, 288, 10, 7, 8)


@dataclass(frozen=True, slots=True)
class Support:
    """A level surface: middle and half sizes in mm, height, whether it has studs."""

    x: float
    y: float
    half_x: float
    half_y: float
    z: float
    studs: bool

    def holds(self, x: float, y: float, margin: float) -> bool:
        """Whether a point lies on it, at least a margin inside."""
        return abs(x - self.x) <= self.half_x - margin and abs(y - self.y) <= self.half_y - margin


def ground(rng: np.random.Generator, reach: float) -> tuple[list[Brick], list[Support]]:
    """Baseplates, or none, with the table they lie on as the first support."""
    supports = [Support(0, 0, 4000, 4000, 0.0, False)]
    bricks: list[Brick] = []
    if rng.random() < 0.27:
        return bricks, supports
    kinds = [48, 48, 32, 32, 16] if reach > 120 else [48, 32, 16]
    size = int(rng.choice(kinds))
    tiles = int(rng.integers(1, 4)) if size < 48 else 1
    colour = int(rng.choice(PLATE_COLOURS))
    half = size * STUD_MM / 2
    shift = 0.0 if half > reach else float(rng.uniform(-0.3, 0.3) * reach)
    x0 = STUD_MM * round(shift / STUD_MM)
    for tile in range(tiles):
        x = x0 + (tile - (tiles - 1) / 2) * 2 * half
        if rng.random() < 0.5:
            colour = int(rng.choice(PLATE_COLOURS))
        bricks.append(baseplate(size, x, 0.0, BASEPLATE_MM, colour))
        supports.append(Support(x, 0.0, half, half, BASEPLATE_MM, True))
    return bricks, supports


def build(
    rng: np.random.Generator,
    bricks: list[Brick],
    supports: list[Support],
    taken: list[tuple[float, float, float]],
    reach: float,
) -> None:
    """Add walls and blocks to bricks; what nothing can stand on goes into taken."""
    far = max(4, int(min(reach, 350) / STUD_MM * 0.8))
    z = supports[-1].z
    for _ in range(int(rng.integers(1, 5))):
        colours = [int(c) for c in rng.choice(BRICK_COLOURS, int(rng.integers(1, 4)))]
        x, y = (int(v) for v in rng.integers(-far, far, 2))
        rows = int(rng.integers(1, 9))
        if rng.random() < 0.6:
            along, length = bool(rng.random() < 0.5), int(rng.integers(4, 15))
            bricks += wall(x, y, length, rows, along, z, colours)
            wide, deep = (length, 1) if along else (1, length)
        else:
            wide, deep = (int(v) for v in rng.choice([2, 4, 6], 2))
            rows = min(rows, 5)
            bricks += block(x, y, wide, deep, rows, z, colours)
            top, studs = z + rows * BRICK_MM, True
            if rng.random() < 0.4:
                bricks += tiled(x, y, wide, deep, top, colours[0])
                top, studs = top + PLATE_MM, False
            if min(wide, deep) >= 4:
                supports.append(
                    Support(
                        (x + wide / 2) * STUD_MM,
                        (y + deep / 2) * STUD_MM,
                        wide * STUD_MM / 2,
                        deep * STUD_MM / 2,
                        top,
                        studs,
                    )
                )
                continue
        taken += [
            ((x + i + 0.5) * STUD_MM, (y + j + 0.5) * STUD_MM, 4.5)
            for i in range(wide)
            for j in range(deep)
        ]
