"""Random calibration scenes: baseplates or flat printed things on a table, partly covered."""

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.scenes.bricks import BASEPLATE_MM, BRICK_MM, STUD_MM, block, part_matrix
from vision.scenes.camera import Camera, look_at
from vision.scenes.errors import SceneError
from vision.scenes.figure import move, turn
from vision.scenes.lens import possible
from vision.scenes.lighting import lamps, sensor, warmth
from vision.scenes.plan import Brick, Lamp, Matrix, PlacedFigure, Plan
from vision.scenes.recipe import CalibrationRecipe, Group

PLATES = {
    "4186.dat": (48, 48),
    "3811.dat": (32, 32),
    "3867.dat": (16, 16),
    "3857.dat": (32, 16),
    "3334.dat": (24, 16),
    "10b.dat": (32, 24),
    "3645.dat": (40, 24),
}
"""Flat baseplates full of studs: studs along their own x and y."""

COLOURS = (2, 10, 19, 71, 72, 1, 4, 15, 0)
_BRICKS = (4, 1, 15, 0, 14, 2, 71, 72, 19, 25)
_LEAST_SEEN = 12
_TRIES = 300
STUD_TOP_MM = 1.6
"""Height of LDraw's studs (4 LDU)."""


@dataclass(frozen=True, slots=True)
class Reference:
    """One thing to calibrate by.

    Attributes:
        kind: "studs" or "texture".
        name: Part name or picture file.
        colour: LDraw colour of a plate, -1 for a picture.
        size_mm: Size along its own x and y.
        thickness_mm: How far its upper face lies above the table top.
        table_T_reference: (4, 4), origin in the middle of its upper face, z up.
    """

    kind: str
    name: str
    colour: int
    size_mm: tuple[float, float]
    thickness_mm: float
    table_T_reference: Matrix = field(repr=False)

    def samples(self) -> NDArray[np.float64]:
        """(N, 3) table points to judge by how much of it is seen: studs' tops or 8 mm cells."""
        counts = [max(2, round(s / STUD_MM)) for s in self.size_mm]
        x, y = (
            (np.arange(n) - (n - 1) / 2) * s / n for n, s in zip(counts, self.size_mm, strict=True)
        )
        top = STUD_TOP_MM if self.kind == "studs" else 0.0
        own = np.stack(np.meshgrid(x, y, [top], [1.0]), axis=-1).reshape(-1, 4)
        points: NDArray[np.float64] = (own @ self.table_T_reference.T)[:, :3]
        return points


@dataclass(frozen=True, slots=True)
class ReferenceScene:
    """A whole picture: the plan holds everything but the references."""

    plan: Plan
    k1: float
    references: tuple[Reference, ...]


def draw(recipe: CalibrationRecipe, number: int, wardrobe: int) -> ReferenceScene:
    """Scene `number`; the camera depends on the seed, the ranges and the number alone.

    Args:
        recipe: What to draw from.
        number: Which scene.
        wardrobe: How many figures there are to place.

    Raises:
        SceneError: The recipe's ranges exclude each other.
    """
    camera, k1, target = _camera(recipe, np.random.default_rng((recipe.seed, 1, number)))
    rng = np.random.default_rng((recipe.seed, 2, number))
    if recipe.reference == "studs":
        references = _plates(rng, camera, k1, number)
        level = -BASEPLATE_MM
    else:
        references = _laid(recipe.groups[number % len(recipe.groups)], rng)
        level = 0.0
    bricks, figures = _cover(rng, camera, references, recipe.cover, wardrobe)
    eye = camera.eye_mm
    distance = float(np.linalg.norm(eye - target))
    lights = list(lamps(rng, max(distance, 500.0)))
    if rng.random() < recipe.glare:
        lights.append(_glare(rng, eye - target))
    side = float(rng.uniform(1.3, 3.0)) * max(distance, 700)
    plan = Plan(
        camera,
        target,
        str(rng.choice(recipe.tables)),
        (side, side * float(rng.uniform(0.7, 1.0))),
        tuple(lights),
        warmth(rng, 0.12),
        float(rng.uniform(0.1, 0.7)),
        sensor(rng),
        level,
        tuple(bricks),
        (),
        tuple(figures),
    )
    return ReferenceScene(plan, k1, references)


def pitch_px(camera: Camera, target: tuple[float, float, float]) -> float:
    """Side in px of a square as large as a stud's cell is seen at a place."""
    corners = np.array(target) + np.array([[0, 0, 0], [STUD_MM, 0, 0], [0, STUD_MM, 0]])
    a, b, c = camera.project(corners)
    return math.sqrt(abs(float((b - a)[0] * (c - a)[1] - (b - a)[1] * (c - a)[0])))


def _camera(
    recipe: CalibrationRecipe, rng: np.random.Generator
) -> tuple[Camera, float, tuple[float, float, float]]:
    size = recipe.sizes_px[int(rng.integers(len(recipe.sizes_px)))]
    wanted = 0.0
    for attempt in range(100 * _TRIES):
        if attempt % _TRIES == 0:  # not every pitch is possible at every size
            wanted = float(np.exp(rng.uniform(*np.log(recipe.pitch_px))))
        target = (float(rng.normal(0, 25)), float(rng.normal(0, 25)), 0.0)
        camera = look_at(
            *size,
            float(rng.uniform(*recipe.hfov_deg)),
            target,
            float(rng.uniform(*recipe.distance_mm)),
            float(rng.uniform(*recipe.elevation_deg)),
            float(rng.uniform(0, 360)),
            float(rng.normal(0, 5)),
        )
        k1 = float(rng.uniform(*recipe.k1))
        pitch = pitch_px(camera, target)
        near = abs(math.log(pitch / wanted)) < 0.08
        near = near and recipe.pitch_px[0] <= pitch <= recipe.pitch_px[1]
        if near and possible(*size, camera.focal_px, k1):
            return camera, k1, target
    raise SceneError("recipe", "no camera of its ranges sees studs of its pitch_px")


def _plates(
    rng: np.random.Generator, camera: Camera, k1: float, number: int
) -> tuple[Reference, ...]:
    """One to three plates, side by side or at angles; 12 x 12 studs of one in the picture."""
    while True:
        names = list(PLATES)
        weights = np.array([4, 4, 3, 1, 1, 1, 1.0])
        count = int(rng.choice([1, 1, 1, 2, 2, 3]))
        name = str(rng.choice(names, p=weights / weights.sum()))
        yaw = float(rng.uniform(0, 360))
        first = _plate(name, COLOURS[number % len(COLOURS)], move(0, 0, 0) @ turn("z", yaw))
        plates = [first]
        angled = bool(rng.random() < 0.5)
        for side in range(1, count):
            colour = int(rng.choice(COLOURS))
            other = str(rng.choice(names, p=weights / weights.sum())) if angled else name
            away = (first.size_mm[0] + PLATES[other][0] * STUD_MM) / 2
            sign = 1 if side == 1 else -1
            if angled:
                spread = max(first.size_mm) * 0.72 + max(PLATES[other]) * STUD_MM * 0.72
                place = move(sign * spread, float(rng.uniform(-60, 60)), 0)
                place = place @ turn("z", float(rng.uniform(0, 360)))
            else:
                place = move(sign * away, 0, 0)
            plates.append(_plate(other, colour, first.table_T_reference @ place))
        if any(_shown(plate, camera) for plate in plates):
            return tuple(plates)


def _plate(name: str, colour: int, matrix: Matrix) -> Reference:
    studs = PLATES[name]
    size = (studs[0] * STUD_MM, studs[1] * STUD_MM)
    return Reference("studs", name, colour, size, BASEPLATE_MM, matrix)


def _shown(plate: Reference, camera: Camera) -> bool:
    """Whether enough studs of a plate are in the picture."""
    px = camera.project(plate.samples())
    seen = np.all((px > 8) & (px < np.array([camera.width_px, camera.height_px]) - 9), axis=1)
    rows = seen.reshape(round(plate.size_mm[1] / STUD_MM), -1)
    lines = [(rows.sum(axis=i) >= _LEAST_SEEN).sum() for i in (0, 1)]
    return bool(min(lines) >= _LEAST_SEEN)


def _laid(group: Group, rng: np.random.Generator) -> tuple[Reference, ...]:
    """Flat things as a group lies, turned and shifted as one."""
    place = move(float(rng.normal(0, group.shift_mm)), float(rng.normal(0, group.shift_mm)), 0)
    place = place @ turn("z", float(rng.uniform(0, 360)))
    return tuple(
        Reference(
            "texture",
            thing.file,
            -1,
            thing.size_mm,
            thing.thickness_mm,
            place @ move(*thing.place_mm, thing.thickness_mm) @ turn("z", thing.angle_deg),
        )
        for thing in group.things
    )


def part(reference: Reference) -> Brick:
    """The LDraw part of a plate in its place."""
    upright = part_matrix(0, 0, 0)
    return Brick(reference.name, reference.colour, reference.table_T_reference @ upright)


def _glare(rng: np.random.Generator, towards: NDArray[np.float64]) -> Lamp:
    """A lamp that mirrors into the camera from the plate."""
    far = float(np.linalg.norm(towards))
    azimuth = math.degrees(math.atan2(-towards[1], -towards[0])) + float(rng.normal(0, 6))
    up = math.degrees(math.asin(towards[2] / far)) + float(rng.normal(0, 5))
    watts = float(rng.uniform(2, 8)) * (far / 100) ** 2
    return Lamp(azimuth, up, far, far * float(rng.uniform(0.1, 0.4)), watts, (1.0, 1.0, 1.0))


def _cover(
    rng: np.random.Generator,
    camera: Camera,
    references: tuple[Reference, ...],
    cover: tuple[float, float],
    wardrobe: int,
) -> tuple[list[Brick], list[PlacedFigure]]:
    """Blocks of bricks and figures until a drawn share of the points in view is hidden."""
    wanted = float(rng.uniform(*cover))
    points = np.concatenate([r.samples() for r in references])
    px = camera.project(points)
    inside = np.all((px >= 0) & (px < [camera.width_px, camera.height_px]), axis=1)
    points = points[inside & (camera.depth_mm(points) > 0)]
    hidden = np.zeros(len(points), dtype=bool)
    bricks: list[Brick] = []
    figures: list[PlacedFigure] = []
    taken: list[tuple[float, float, float]] = []
    for _ in range(400):
        if not len(points) or hidden.mean() >= wanted - 0.02:
            break
        on = references[int(rng.integers(len(references)))]
        half = [max(1, int(s / STUD_MM / 2)) for s in on.size_mm]
        figure = bool(wardrobe and len(figures) < wardrobe and rng.random() < 0.5)
        wide, deep = (2, 2) if figure else (int(v) for v in rng.choice([2, 4, 6, 8], 2))
        rows = int(rng.integers(1, 5))
        x = int(rng.integers(-half[0], max(half[0] - wide, 1 - half[0]) + 1))
        y = int(rng.integers(-half[1], max(half[1] - deep, 1 - half[1]) + 1))
        tall = 42.0 if figure else rows * BRICK_MM
        middle = on.table_T_reference @ [(x + wide / 2) * 8, (y + deep / 2) * 8, 0, 1]
        radius = math.hypot(wide, deep) * STUD_MM / 2
        if any(math.hypot(middle[0] - a, middle[1] - b) < radius + r for a, b, r in taken):
            continue
        box = np.array([[x, y], [x + wide, y + deep]]) * STUD_MM
        if figure:  # narrower than its footing is
            box += [[1.0, 3.0], [-1.0, -3.0]]
        now = hidden | _behind(points, camera.eye_mm, on.table_T_reference, box, tall)
        if now.mean() > min(wanted + 0.03, cover[1]):
            continue
        hidden = now
        taken.append((float(middle[0]), float(middle[1]), radius))
        if figure:
            stand = on.table_T_reference @ move((x + 1) * 8, (y + 1) * 8, 0)
            stand = stand @ turn("z", 90.0 * float(rng.integers(4)))
            figures.append(PlacedFigure(len(figures), "standing", 0.0, 0.0, stand))
            continue
        dyes = [int(c) for c in rng.choice(_BRICKS, 2)]
        bricks += [
            Brick(b.name, b.colour, on.table_T_reference @ b.matrix)
            for b in block(x, y, wide, deep, rows, 0.0, dyes)
        ]
    return bricks, figures


def _behind(
    points: NDArray[np.float64],
    eye: NDArray[np.float64],
    table_T_box: Matrix,
    box: NDArray[np.float64],
    tall: float,
) -> NDArray[np.bool_]:
    """Which table points a box on a reference hides: (N,), by cutting each line of sight."""
    back = np.linalg.inv(table_T_box)
    start = points @ back[:3, :3].T + back[:3, 3]
    along = (back[:3, :3] @ eye + back[:3, 3]) - start
    low, high = np.array([*box[0], 0.0]), np.array([*box[1], tall])
    with np.errstate(divide="ignore", invalid="ignore"):
        a, b = (low - start) / along, (high - start) / along
    enter, leave = np.minimum(a, b).max(axis=1), np.maximum(a, b).min(axis=1)
    hit: NDArray[np.bool_] = (enter < leave) & (leave > 0) & (enter < 1)
    return hit
