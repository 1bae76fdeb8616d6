"""Random pictures: figures in all states on tables, plates and buildings, hands among them."""

import numpy as np

from vision.scenes.bricks import BRICK_MM, PLATE_MM, STUD_MM, part_matrix, plate_base
from vision.scenes.camera import Camera, look_at
from vision.scenes.figure import Figure, lying, move, turn
from vision.scenes.ground import BRICK_COLOURS, Support, build, ground
from vision.scenes.lighting import lamps, sensor, warmth
from vision.scenes.plan import Brick, Matrix, PlacedFigure, PlacedHand, Plan, Solid
from vision.scenes.recipe import Emphasis, Mix

_USUAL = Mix(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, (0.0, 0.0))
"""For what scatters without a mix: LEGO figures alone."""

SKIN_TONES = (
    (0.62, 0.36, 0.26),
    (0.72, 0.46, 0.36),
    (0.55, 0.28, 0.18),
    (0.42, 0.21, 0.12),
    (0.26, 0.12, 0.065),
    (0.13, 0.06, 0.035),
    (0.8, 0.58, 0.48),
)
HANDS = 24
_LOOSE = (
    "3001",
    "3002",
    "3003",
    "3004",
    "3005",
    "3010",
    "3008",
    "3020",
    "3022",
    "3023b",
    "3034",
    "3666",
    "3460",
    "3032",
    "3039",
    "3040b",
    "3298",
    "3062b",
    "3941",
    "3942c",
    "4589",
    "3470",
    "3471",
    "2435",
    "6064",
    "3741ac01",
    "2417",
    "2423",
    "4032a",
    "3068b",
    "87079",
    "98138",
    "6141",
    "4740",
    "3464c01",
    "3037",
    "3957",
)


class Scatter:
    """Draws the random plans of one split with its own random numbers."""

    def __init__(
        self,
        rng: np.random.Generator,
        wardrobe: list[Figure],
        tables: tuple[str, ...],
        size_px: tuple[int, int],
        has_part: frozenset[str],
        emphasis: Emphasis,
    ) -> None:
        self._rng = rng
        self._emphasis = emphasis
        self._wardrobe = wardrobe
        self._tables = tables
        self._size_px = size_px
        self._loose = [f"{n}.dat" for n in _LOOSE if f"{n}.dat" in has_part]

    def plan(self) -> Plan:
        """One picture."""
        rng = self._rng
        size_px = float(np.exp(rng.uniform(*np.log(self._emphasis.figure_px))))
        low, high = self._emphasis.elevation_deg
        elevation = float(rng.uniform(low, high) if rng.random() < 0.7 else rng.uniform(35, 70))
        hfov = float(rng.uniform(50, 95))
        focal = self._size_px[0] / 2 / np.tan(np.radians(hfov) / 2)
        tall = 40 * np.cos(np.radians(elevation)) + 16 * np.sin(np.radians(elevation))
        distance = float(np.clip(focal * tall / size_px, self._emphasis.nearest_mm, 2200))
        size_px = focal * tall / distance
        reach = distance * float(np.tan(np.radians(hfov) / 2))
        target = (float(rng.normal(0, 0.1) * reach), float(rng.normal(0, 0.1) * reach), 15.0)
        camera = look_at(
            *self._size_px,
            hfov,
            target,
            distance,
            elevation,
            float(rng.uniform(0, 360)),
            float(rng.normal(0, 4)),
        )
        bricks, supports = ground(rng, reach)
        taken: list[tuple[float, float, float]] = []
        if rng.random() < 0.65:
            build(rng, bricks, supports, taken, reach)
        count = 0
        if rng.random() > 0.08:
            count = int(np.clip(rng.integers(9, 21) * min(1.0, 110 / size_px), 2, 20))
        figures, hands = self._figures(camera, distance, supports, taken, count)
        if rng.random() < 0.3:
            hands.append(self._reach(camera, distance, supports))
        self._litter(camera, distance, supports, taken, bricks)
        solids = self._solids(camera, distance, supports, taken)
        side = float(max(2.6 * reach, 500) * rng.uniform(0.9, 2.5))
        return Plan(
            camera,
            target,
            str(rng.choice(self._tables)),
            (side, side * float(rng.uniform(0.6, 1))),
            lamps(rng, max(distance, 500)),
            warmth(rng, 0.12),
            float(rng.uniform(0.1, 0.7)),
            sensor(rng),
            0.0,
            tuple(bricks),
            tuple(solids),
            tuple(figures),
            tuple(hands),
        )

    def _support(self, supports: list[Support], x: float, y: float) -> Support | None:
        under = [s for s in supports if s.holds(x, y, -9.0)]
        best = max(under, key=lambda s: s.z)
        return best if best.holds(x, y, 9.0) else None

    # Figures and hands -------------------------------------------------------------------

    def _spot(self, camera: Camera, distance: float, margin: float = -0.02) -> tuple[float, float]:
        """A table point under a random pixel, not too far beyond the middle."""
        rng = self._rng
        while True:
            u, v = rng.uniform(margin, 1 - margin, 2) * (camera.width_px, camera.height_px)
            ray = np.linalg.inv(camera.K) @ (u, v, 1.0)
            ray = camera.camera_T_table[:3, :3].T @ ray
            if ray[2] > -0.05:
                continue
            hit = camera.eye_mm - ray * (camera.eye_mm[2] / ray[2])
            if np.linalg.norm(hit - camera.eye_mm) < 2.2 * distance:
                return float(hit[0]), float(hit[1])

    def _figures(
        self,
        camera: Camera,
        distance: float,
        supports: list[Support],
        taken: list[tuple[float, float, float]],
        count: int,
    ) -> tuple[list[PlacedFigure], list[PlacedHand]]:
        rng = self._rng
        figures: list[PlacedFigure] = []
        hands: list[PlacedHand] = []
        looks = rng.permutation(len(self._wardrobe))
        uniform = float(rng.uniform(0, 360))
        for _ in range(count * 6):
            if len(figures) >= count:
                break
            x, y = self._spot(camera, distance)
            if taken and rng.random() < 0.4:
                cx, cy, _ = taken[int(rng.integers(len(taken)))]
                x, y = cx + float(rng.normal(0, 20)), cy + float(rng.normal(0, 20))
            support = self._support(supports, x, y)
            if support is None:
                continue
            look = int(looks[len(figures)])
            kind = rng.random()
            if kind < 0.14:
                placed, radius = self._lying(look, x, y, support), 17.0
            elif kind < 0.20:
                placed, hand = self._held(look, x, y, support, camera)
                radius = 4.0
                if self._free(x, y, radius, taken):
                    hands.append(hand)
            else:
                placed, radius = self._standing(look, x, y, support, uniform), 8.5
                x, y = float(placed.matrix[0, 3]), float(placed.matrix[1, 3])
            if self._free(x, y, radius, taken):
                taken.append((x, y, radius))
                figures.append(placed)
        return figures, hands

    def _free(
        self, x: float, y: float, radius: float, taken: list[tuple[float, float, float]]
    ) -> bool:
        return all((x - a) ** 2 + (y - b) ** 2 > (radius + r) ** 2 for a, b, r in taken)

    def _standing(
        self, look: int, x: float, y: float, support: Support, uniform: float
    ) -> PlacedFigure:
        rng = self._rng
        z, yaw = support.z, float(rng.uniform(0, 360))
        if rng.random() < 0.3:
            yaw = uniform + float(rng.normal(0, 20))
        base: tuple[Brick, ...] = ()
        on_studs = support.studs and rng.random() < 0.85
        if on_studs:
            yaw = 90.0 * round(yaw / 90)
        if rng.random() < self._emphasis.base_share:
            colour = int(rng.choice(BRICK_COLOURS))
            if self._emphasis.same_colour and rng.random() < self._emphasis.same_colour:
                colour = self._wardrobe[look].legs_colour
            base = (
                plate_base(colour)
                if rng.random() < 0.6
                else (
                    Brick(
                        "3022.dat", colour, part_matrix(float(rng.choice([-4.0, 4.0])), 0.0, 0.0)
                    ),
                )
            )
            z += PLATE_MM
            if on_studs:
                shift = 4.0 if base[0].name == "3022.dat" else 0.0
                x, y = (STUD_MM * round(v / STUD_MM) for v in (x, y))
                if shift:
                    dx = float(base[0].matrix[0, 3])
                    x += -dx * float(np.cos(np.radians(yaw)))
                    y += -dx * float(np.sin(np.radians(yaw)))
        elif on_studs:
            across_x = round(yaw / 90) % 2 == 1
            x, y = (
                STUD_MM * (round(v / STUD_MM) + (0.0 if across else 0.5))
                for v, across in ((x, across_x), (y, not across_x))
            )
        elif support.studs:
            z += 1.6
        matrix = move(x, y, z) @ turn("z", yaw)
        if rng.random() < 0.04:
            matrix = (
                matrix @ turn("x", float(rng.normal(0, 6))) @ turn("y", float(rng.normal(0, 6)))
            )
        return PlacedFigure(look, "standing", yaw % 360, z, matrix, base)

    def _lying(self, look: int, x: float, y: float, support: Support) -> PlacedFigure:
        rng = self._rng
        roll, pitch = ((0, -90), (0, 90), (90, 0), (-90, 0))[int(rng.integers(4))]
        down = lying(self._wardrobe[look], roll + float(rng.normal(0, 4)), pitch)
        z = support.z + (1.6 if support.studs else 0.0)
        middle = down @ np.array([0.0, 0.0, self._middle_mm(look), 1.0])
        yaw = float(rng.uniform(0, 360))
        matrix = move(x, y, z) @ turn("z", yaw) @ move(-middle[0], -middle[1], 0.0) @ down
        up = matrix[:3, :3] @ np.array([0.0, 0.0, 1.0])
        facing = float(np.degrees(np.arctan2(up[1], up[0]))) % 360
        return PlacedFigure(look, "lying", facing, support.z, matrix)

    def _middle_mm(self, look: int) -> float:
        """Height of the middle of a standing figure's body."""
        return 20.0

    def _held(
        self, look: int, x: float, y: float, support: Support, camera: Camera
    ) -> tuple[PlacedFigure, PlacedHand]:
        rng = self._rng
        lift = float(rng.uniform(0, 90) if rng.random() < 0.7 else 0.0)
        tilt = float(rng.normal(0, 16)) if lift > 5 else 0.0
        z = support.z + lift
        yaw = float(rng.uniform(0, 360))
        spin = turn("z", yaw) @ turn("x", tilt) @ turn("y", float(rng.normal(0, 16)) * (lift > 5))
        height = self._wardrobe[look].grip_mm
        grip = np.array([x, y, z + height])
        matrix = move(*grip) @ spin @ move(0, 0, -height)
        hand = self._hand(grip, camera, self._gripping(look))
        return PlacedFigure(look, "in_hand", yaw, z, matrix), hand

    def _gripping(self, look: int) -> int:
        """A hand that holds a figure."""
        return int(self._rng.integers(0, HANDS // 2))

    def _reach(self, camera: Camera, distance: float, supports: list[Support]) -> PlacedHand:
        rng = self._rng
        x, y = self._spot(camera, distance, -0.05)
        support = self._support(supports, x, y)
        z = 0.0 if support is None else support.z
        look = int(rng.integers(0, HANDS))
        height = 30.0 if look < HANDS // 2 else -28.0
        return self._hand(np.array([x, y, z + height + rng.exponential(20)]), camera, look)

    def _hand(self, grip: Matrix, camera: Camera, look: int) -> PlacedHand:
        rng = self._rng
        sight = camera.camera_T_table[2, :2]
        yaw = float(np.degrees(np.arctan2(sight[1], sight[0]))) - 90 + float(rng.normal(0, 75))
        matrix = move(*grip) @ turn("z", yaw) @ turn("x", float(rng.normal(0, 6)))
        shade = float(rng.uniform(0.85, 1.1))
        tone = SKIN_TONES[int(rng.integers(len(SKIN_TONES)))]
        red, green, blue = (min(1.0, shade * c) for c in tone)
        matrix[:3, :3] *= float(rng.uniform(0.72, 1.05))
        return PlacedHand(look, bool(rng.random() < 0.35), (red, green, blue), matrix)

    # Things that are no figures ----------------------------------------------------------

    def _litter(
        self,
        camera: Camera,
        distance: float,
        supports: list[Support],
        taken: list[tuple[float, float, float]],
        bricks: list[Brick],
        mix: Mix = _USUAL,
    ) -> None:
        rng = self._rng
        one = rng.random() < mix.one_colour if mix.one_colour else False
        only = int(rng.choice(BRICK_COLOURS)) if one else None
        for _ in range(int(rng.integers(0, mix.loose + 1))):
            x, y = self._spot(camera, distance)
            support = self._support(supports, x, y)
            if support is None or not self._free(x, y, 12.0, taken):
                continue
            taken.append((x, y, 12.0))
            colour = int(rng.choice(BRICK_COLOURS)) if only is None else only
            if rng.random() < 0.2:
                for level in range(int(rng.integers(2, 6))):
                    top = support.z + (level + 1) * BRICK_MM
                    colour = int(rng.choice(BRICK_COLOURS))
                    bricks.append(Brick("3062b.dat", colour, part_matrix(x, y, top)))
                continue
            matrix = part_matrix(0.0, 0.0, 0.0, float(rng.uniform(0, 360)))
            if rng.random() < mix.turned:
                matrix = turn("x", 90.0 * float(rng.integers(1, 4))) @ matrix
            name = str(rng.choice(self._loose))
            rests = rng.random() < mix.rests if mix.rests else False
            bricks.append(Brick(name, colour, move(x, y, support.z) @ matrix, rests))

    def _solids(
        self,
        camera: Camera,
        distance: float,
        supports: list[Support],
        taken: list[tuple[float, float, float]],
    ) -> list[Solid]:
        rng = self._rng
        solids = []
        for _ in range(int(rng.integers(0, 5))):
            x, y = self._spot(camera, distance, -0.15)
            support = self._support(supports, x, y)
            if support is None:
                continue
            shape = str(rng.choice(["box", "cylinder", "sheet"]))
            size = np.exp(rng.uniform(np.log(8), np.log(max(20.0, min(0.35 * distance, 160))), 3))
            if shape == "sheet":
                size = np.array([size[0] * 2, size[1] * 2, 0.4])
            if shape == "cylinder":
                size[1] = size[0]
            radius = float(max(size[0], size[1])) / 2
            if shape != "sheet" and not self._free(x, y, radius, taken):
                continue
            if shape != "sheet":
                taken.append((x, y, radius))
            rgb = None if rng.random() < 0.4 else tuple(float(c) for c in rng.random(3) ** 1.5)
            matrix = move(x, y, support.z + (1.7 if support.studs else 0.0))
            spun = matrix @ turn("z", float(rng.uniform(0, 360)))
            solids.append(Solid(shape, (float(size[0]), float(size[1]), float(size[2])), rgb, spun))  # type: ignore[arg-type]
        return solids
