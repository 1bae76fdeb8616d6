"""Random pictures of figures of all kinds: LEGO, Playmobil, animals, vehicles, players' hands."""

from dataclasses import replace

import numpy as np

from vision.scenes import rigs
from vision.scenes.camera import Camera, look_at
from vision.scenes.figure import Figure, move, turn
from vision.scenes.ground import Support, build, ground
from vision.scenes.hand import Grip
from vision.scenes.lens import possible
from vision.scenes.lighting import sensor
from vision.scenes.plan import PlacedFigure, PlacedHand, Plan, Prop
from vision.scenes.props import PROPS
from vision.scenes.recipe import Emphasis, Mix, Split
from vision.scenes.scatter import HANDS, Scatter

WIDE_HANDS = 12
"""Hands opened for something broader than a LEGO figure, numbered after the HANDS others."""
_TALL_MM = {"minifig": 40.0, "playmobil": 75.0}
_Taken = list[tuple[float, float, float]]


def wide_grips(rng: np.random.Generator) -> list[Grip]:
    """Hands that hold a Playmobil figure, a horse or a cart."""
    grips = []
    for _ in range(WIDE_HANDS):
        elbow = (float(rng.normal(0, 110)), -620.0, float(rng.uniform(90, 420)))
        sleeve = float(rng.uniform(0.15, 0.7)) if rng.random() < 0.5 else 1.0
        grips.append(
            Grip(1.0, float(rng.uniform(7, 14)), float(rng.uniform(0.5, 3)), elbow, sleeve)
        )
    return grips


class Tabletop(Scatter):
    """Draws the plans of a split with a mix, with its own random numbers."""

    def __init__(
        self,
        rng: np.random.Generator,
        company: list[Figure],
        split: Split,
        size_px: tuple[int, int],
        has_part: frozenset[str],
        emphasis: Emphasis,
        mix: Mix,
    ) -> None:
        super().__init__(rng, company, split.tables, size_px, has_part, emphasis)
        names = [f"{n}.dat" for n in split.kinds["loose"]]
        self._loose = [name for name in names if name in has_part]
        self._split = split
        self._mix = mix
        self._order = [int(i) for i in rng.permutation(len(company))]
        self._uniform = float(rng.uniform(0, 360))

    def plan(self) -> Plan:
        """One picture."""
        rng, mix = self._rng, self._mix
        share = self._family()
        camera, target, distance, size_px = self._camera(share)
        reach = distance * camera.width_px / 2 / camera.focal_px
        bricks, supports = ground(rng, reach)
        taken: _Taken = []
        if rng.random() < 0.65:
            build(rng, bricks, supports, taken, reach)
        count = 0
        if rng.random() > mix.empty:
            count = int(np.clip(rng.integers(9, 21) * min(1.0, 110 / size_px), 2, 20))
        figures: list[PlacedFigure] = []
        for chance, kind, most in ((mix.vehicles, "vehicle", 3), (mix.animals, "animal", 5)):
            if rng.random() < chance:
                wanted = int(rng.integers(1, most)) if size_px < 120 else 1
                for _ in range(wanted):
                    figures += self._mount(kind, share, camera, distance, supports, taken)
        figures += self._crowd(share, camera, distance, supports, taken, count)
        hands: list[PlacedHand] = []
        if rng.random() < mix.hands:
            self._reach_in(share, camera, distance, supports, taken, figures, hands)
        self._litter(camera, distance, supports, taken, bricks, mix)
        solids = self._solids(camera, distance, supports, taken)
        props = self._props(camera, distance, supports, taken)
        name = self._rig()
        rig = rigs.RIGS[name](rng, max(distance, 500))
        side = float(max(2.6 * reach, 500) * rng.uniform(0.9, 2.5))
        return Plan(
            camera,
            target,
            str(rng.choice(self._tables)),
            (side, side * float(rng.uniform(0.6, 1))),
            rig.lamps,
            rig.sky_rgb,
            rig.sky,
            replace(rigs.dimmed(sensor(rng), rig), motion_px=self._shake()),
            0.0,
            tuple(bricks),
            tuple(solids),
            tuple(figures),
            tuple(hands),
            tuple(props),
            name,
            camera.k1,
        )

    def _family(self) -> float:
        """Share of Playmobil in this picture: often one maker's figures alone."""
        share, dice = self._mix.playmobil, self._rng.random()
        if dice < 0.7:
            return 1.0 if dice < 0.7 * share else 0.0
        return share

    def _rig(self) -> str:
        names = self._split.kinds["rigs"]
        hard = self._rng.random() < self._mix.hard_light
        fitting = [n for n in names if (rigs.word(n) != "plain") == hard]
        return str(self._rng.choice(fitting or list(names)))

    def _shake(self) -> tuple[float, float]:
        """How far the picture moves while it is taken: mostly not at all."""
        rng = self._rng.spawn(1)[0]  # numbers of its own, so that the scene does not depend on it
        if rng.random() > 0.15:
            return 0.0, 0.0
        way, angle = float(rng.uniform(1, 5)), float(rng.uniform(0, np.pi))
        return way * float(np.cos(angle)), way * float(np.sin(angle))

    def _camera(self, share: float) -> tuple[Camera, tuple[float, float, float], float, float]:
        """Camera, where it looks, its distance, and the height in px of a figure in the middle."""
        rng = self._rng
        width, height = self._size_px
        low, high = self._emphasis.elevation_deg
        elevation = float(rng.uniform(low, high) if rng.random() < 0.7 else rng.uniform(35, 65))
        hfov = float(rng.uniform(50, 95))
        focal = width / 2 / np.tan(np.radians(hfov) / 2)
        body = _TALL_MM["playmobil"] * share + _TALL_MM["minifig"] * (1 - share)
        tall = body * np.cos(np.radians(elevation)) + 16 * np.sin(np.radians(elevation))
        # the range counts for a picture 360 high: a larger one shows the same from as far
        wanted = float(np.exp(rng.uniform(*np.log(self._emphasis.figure_px)))) * height / 360
        distance = float(np.clip(focal * tall / wanted, self._emphasis.nearest_mm, 2200))
        reach = distance * float(np.tan(np.radians(hfov) / 2))
        target = (float(rng.normal(0, 0.1) * reach), float(rng.normal(0, 0.1) * reach), 15.0)
        azimuth, roll = float(rng.uniform(0, 360)), float(rng.normal(0, 4))
        camera = look_at(width, height, hfov, target, distance, elevation, azimuth, roll)
        k1 = float(rng.uniform(*self._mix.k1))
        # half of the cameras straighten their pictures themselves
        if rng.random() < 0.5 and possible(width, height, camera.focal_px, k1):
            camera = replace(camera, k1=k1)
        return camera, target, distance, focal * tall / distance * 360 / height

    # Figures -----------------------------------------------------------------------------

    def _take(self, kind: str, riding: str = "", takes: str | None = None) -> int | None:
        """The next figure of a kind that is not in the picture yet."""
        for place, look in enumerate(self._order):
            figure = self._wardrobe[look]
            if figure.kind == kind and figure.riding == riding:
                if takes is not None and figure.takes not in ("", takes):
                    continue
                return self._order.pop(place)
        return None

    def _someone(self, share: float) -> str:
        return "playmobil" if self._rng.random() < share else "minifig"

    def _place(
        self, camera: Camera, distance: float, supports: list[Support], taken: _Taken, radius: float
    ) -> tuple[float, float, Support] | None:
        """A free spot for something of a radius; close behind another if the mix says so."""
        rng = self._rng
        for _ in range(12):
            x, y = self._spot(camera, distance)
            if taken and rng.random() < self._mix.crowded:
                cx, cy, r = taken[int(rng.integers(len(taken)))]
                sight = camera.camera_T_table[2, :2]
                away = float(np.arctan2(sight[1], sight[0]) + rng.normal(0, 0.9))
                gap = r + radius + float(rng.exponential(8)) + 0.5
                x, y = cx + gap * float(np.cos(away)), cy + gap * float(np.sin(away))
            support = self._support(supports, x, y)
            if support is not None and self._free(x, y, radius, taken):
                return x, y, support
        return None

    def _mount(
        self,
        kind: str,
        share: float,
        camera: Camera,
        distance: float,
        supports: list[Support],
        taken: _Taken,
    ) -> list[PlacedFigure]:
        """An animal or a vehicle, with a rider if chance and its saddle will have it."""
        rng = self._rng
        maker = self._someone(share)
        look = self._take(kind, takes=maker)
        if look is None:
            return []
        mount = self._wardrobe[look]
        spot = self._place(camera, distance, supports, taken, mount.radius_mm)
        if spot is None:
            return []
        x, y, support = spot
        z = support.z + (1.6 if support.studs else 0.0)
        yaw = float(rng.uniform(0, 360))
        matrix = move(x, y, z) @ turn("z", yaw)
        taken.append((x, y, mount.radius_mm))
        if rng.random() < 0.06:
            return [self._lying(look, x, y, support)]
        placed = [PlacedFigure(look, "standing", yaw, z, matrix)]
        if not mount.takes or rng.random() < 0.4:
            return placed
        rider = self._take(mount.takes, "astride" if kind == "animal" else "sitting")
        if rider is None:
            return placed
        up = mount.seat_mm - self._wardrobe[rider].seat_mm
        seat = matrix @ move(mount.seat_x_mm, 0, up)
        level = float(seat[2, 3]) + float(self._wardrobe[rider].keypoints[:2, 2].mean())
        return [*placed, PlacedFigure(rider, "rider", yaw, level, seat)]

    def _crowd(
        self,
        share: float,
        camera: Camera,
        distance: float,
        supports: list[Support],
        taken: _Taken,
        count: int,
    ) -> list[PlacedFigure]:
        rng = self._rng
        figures: list[PlacedFigure] = []
        for _ in range(count):
            look = self._take(self._someone(share))
            if look is None:
                continue
            figure, kind = self._wardrobe[look], rng.random()
            radius = figure.radius_mm * (2.0 if kind < 0.16 else 1.0)
            spot = self._place(camera, distance, supports, taken, radius)
            if spot is None:
                continue
            x, y, support = spot
            if kind < 0.16:
                placed = self._lying(look, x, y, support)
            elif kind < 0.22:
                placed = self._tilted(look, x, y, support)
            else:
                placed = self._standing(look, x, y, support, self._uniform)
                x, y = float(placed.matrix[0, 3]), float(placed.matrix[1, 3])
            taken.append((x, y, radius))
            figures.append(placed)
        return figures

    def _standing(
        self, look: int, x: float, y: float, support: Support, uniform: float
    ) -> PlacedFigure:
        if self._wardrobe[look].kind == "minifig":
            return super()._standing(look, x, y, support, uniform)
        rng = self._rng
        yaw = float(rng.uniform(0, 360))
        if rng.random() < 0.3:
            yaw = uniform + float(rng.normal(0, 20))
        z = support.z + (1.6 if support.studs else 0.0)
        return PlacedFigure(look, "standing", yaw % 360, z, move(x, y, z) @ turn("z", yaw))

    def _tilted(self, look: int, x: float, y: float, support: Support) -> PlacedFigure:
        """A figure that leans or is falling: turned about a level axis, its lowest point down."""
        rng = self._rng
        yaw, axis = (float(v) for v in rng.uniform(0, 360, 2))
        lean = float(rng.uniform(10, 38))
        spin = turn("z", axis) @ turn("x", lean) @ turn("z", -axis) @ turn("z", yaw)
        points = self._wardrobe[look].body.triangles.reshape(-1, 3)
        z = support.z + (1.6 if support.studs else 0.0)
        matrix = move(x, y, z - float((points @ spin[:3, :3].T)[:, 2].min())) @ spin
        forward = spin[:2, 0]
        facing = float(np.degrees(np.arctan2(forward[1], forward[0]))) % 360
        return PlacedFigure(look, "tilted", facing, z, matrix)

    def _middle_mm(self, look: int) -> float:
        return float(self._wardrobe[look].body.triangles[:, :, 2].max()) / 2

    # Hands -------------------------------------------------------------------------------

    def _gripping(self, look: int) -> int:
        if self._wardrobe[look].kind == "minifig":
            return super()._gripping(look)
        return HANDS + int(self._rng.integers(0, WIDE_HANDS))

    def _reach_in(
        self,
        share: float,
        camera: Camera,
        distance: float,
        supports: list[Support],
        taken: _Taken,
        figures: list[PlacedFigure],
        hands: list[PlacedHand],
    ) -> None:
        """One hand or two, about half of them with a figure."""
        rng = self._rng
        for _ in range(1 + int(rng.random() < 0.25)):
            if rng.random() < 0.5:
                kind = self._someone(share)
                if rng.random() < 0.12:
                    kind = "animal" if rng.random() < 0.6 else "vehicle"
                look = self._take(kind)
                if look is None:
                    continue
                x, y = self._spot(camera, distance, 0.06)
                support = self._support(supports, x, y)
                if support is None or not self._free(x, y, 5.0, taken):
                    support = supports[0]
                placed, hand = self._held(look, x, y, support, camera)
                taken.append((x, y, self._wardrobe[look].radius_mm))
                figures.append(placed)
                hands.append(hand)
            else:
                hands.append(self._reach(camera, distance, supports))

    # Things ------------------------------------------------------------------------------

    def _props(
        self, camera: Camera, distance: float, supports: list[Support], taken: _Taken
    ) -> list[Prop]:
        rng = self._rng
        props = []
        names = self._split.kinds["props"]
        for _ in range(int(rng.integers(0, 7))):
            x, y = self._spot(camera, distance, -0.05)
            support = self._support(supports, x, y)
            if support is None:
                continue
            shape = PROPS[str(rng.choice(names))](rng)
            points = shape.triangles.reshape(-1, 3)
            radius = float(np.hypot(points[:, 0], points[:, 1]).max())
            # nothing as large as half the picture right under the lens
            if radius > 0.3 * distance or not self._free(x, y, 0.8 * radius, taken):
                continue
            taken.append((x, y, 0.8 * radius))
            z = support.z + (1.7 if support.studs else 0.0)
            props.append(Prop(shape, move(x, y, z) @ turn("z", float(rng.uniform(0, 360)))))
        return props
