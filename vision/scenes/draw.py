"""A plan onto the Blender stage."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.scenes import surfaces
from vision.scenes.bricks import at_rest
from vision.scenes.figure import Figure, move, turn
from vision.scenes.hand import NAIL, SKIN, SLEEVE, Grip, build
from vision.scenes.ldraw import Colour, Geometry, Library, joined
from vision.scenes.mesh import weld
from vision.scenes.plan import Brick, Lamp, PlacedHand, Plan, Solid
from vision.scenes.stage import Stage, linear

HAND_ID = 200
"""Id of all hands, or of the first one where each has its own."""
_MIRROR = np.diag([-1.0, 1.0, 1.0, 1.0])


class Artist:
    """Keeps the meshes and materials that come again, and draws plans with them."""

    def __init__(self, stage: Stage, library: Library) -> None:
        self._stage = stage
        self._library = library
        self._colours = library.colours()
        self._plastics: dict[int, Any] = {}
        self._parts: dict[tuple[str, int], Any] = {}
        self._figures: list[tuple[Any, Any]] = []
        self._hands: list[tuple[Any, Any]] = []
        self.hand_shapes: list[Geometry] = []
        self._passing: list[Any] = []
        self._lamps: list[Any] = []
        self._shown: list[Any] = []

    def dress(self, figures: list[Figure]) -> None:
        """Make the meshes of a new wardrobe, forgetting the old one."""
        for pair in self._figures:
            for data in pair:
                if data is not None:
                    self._stage.drop(data)
        self._figures = [(self._mesh(f.body), self._mesh(f.items)) for f in figures]

    def raise_hands(self, grips: list[Grip], rng: np.random.Generator) -> None:
        """Make the hand meshes once."""
        plain, _ = self._stage.principled((0.5, 0.3, 0.2), 0.5)
        for grip in grips:
            skin, loose = build(grip, rng)
            fused = self._stage.fuse(weld(skin), [plain], 2.5)
            self.hand_shapes.append(joined([skin, loose]))
            welded = weld(loose)
            self._hands.append(
                (fused, (self._stage.mesh(welded, [plain] * len(welded.colours)), welded.colours))
            )

    def show(self, plan: Plan, rng: np.random.Generator) -> None:
        """Draw a plan; figure number i gets the id i + 1, hand number i HAND_ID + i."""
        stage = self._stage
        stage.look(plan.camera)
        stage.sky(plan.sky_rgb, plan.sky_strength)
        for lamp in plan.lamps:
            self._lamps.append(self._lamp(lamp, plan.target_mm))
        self._table(plan, rng)
        for brick in plan.bricks:
            self.brick(brick)
        for solid in plan.solids:
            self._solid(solid, rng)
        for number, placed in enumerate(plan.figures, 1):
            body, items = self._figures[placed.look]
            self._put(body, placed.matrix, number)
            if items is not None:
                self._put(items, placed.matrix, 0)
            for brick in placed.base:
                self._put(self._part(brick), placed.matrix @ brick.matrix, 0)
        for prop in plan.props:
            data = self._mesh(prop.shape)
            self._passing.append(data)
            self._put(data, prop.matrix, 0)
        for number, hand in enumerate(plan.hands):
            self.hand(hand, rng, HAND_ID + number)

    def clear(self) -> None:
        """Take everything off that `show` put on."""
        for thing in self._shown:
            self._stage.remove(thing, keep_mesh=True)
        for lamp in self._lamps:
            self._stage.remove_light(lamp)
        for passing in self._passing:
            self._stage.drop(passing)
        self._shown, self._lamps, self._passing = [], [], []

    def brick(self, brick: Brick, index: int = 0) -> Any:
        """Put a part down under an id."""
        matrix = brick.matrix
        if brick.rests:
            matrix = at_rest(self._library.geometry(brick.name), matrix)
        return self._put(self._part(brick), matrix, index)

    def flat(
        self,
        picture: Path,
        size_mm: tuple[float, float, float],
        matrix: NDArray[np.float64],
        index: int,
    ) -> Any:
        """Put a flat printed thing down, the middle of its upper face at a matrix's origin.

        Raises:
            SceneError: the picture cannot be read.
        """
        material = self._stage.printed(picture)
        data = self._stage.sheet(size_mm, material)
        self._passing += [data, material]
        return self._put(data, matrix, index)

    def hand(self, hand: PlacedHand, rng: np.random.Generator, index: int = HAND_ID) -> list[Any]:
        """Put a hand down under an id."""
        fused, (loose, colours) = self._hands[hand.look]
        tone = surfaces.skin(hand.tone, rng)
        red, green, blue = hand.tone
        nail, _ = self._stage.principled((min(1, red * 1.15), green, blue), 0.25)
        cloth, _ = self._stage.principled(tuple(float(c) for c in rng.random(3) ** 2 * 0.7), 0.95)
        dyes = {SKIN: tone, NAIL: nail, SLEEVE: cloth}
        self._passing += [tone, nail, cloth]
        matrix = hand.matrix @ _MIRROR if hand.mirrored else hand.matrix
        things = []
        for data, codes in ((fused, (SKIN,)), (loose, colours)):
            own = data.copy()
            self._passing.insert(0, own)
            for slot, code in enumerate(codes):
                own.materials[slot] = dyes[code]
            things.append(self._put(own, matrix, index))
        return things

    def _put(self, data: Any, matrix: NDArray[np.float64], index: int) -> Any:
        thing = self._stage.add(data, matrix, index)
        self._shown.append(thing)
        return thing

    def _plastic(self, code: int) -> Any:
        if code not in self._plastics:
            direct = ((code >> 16 & 255) / 255, (code >> 8 & 255) / 255, (code & 255) / 255)
            colour = self._colours.get(code) or Colour(direct, 1.0, "solid")
            self._plastics[code] = self._stage.plastic(colour, 0.22 + 0.02 * (code % 8))
        return self._plastics[code]

    def _mesh(self, geometry: Geometry) -> Any:
        if len(geometry.triangles) == 0:
            return None
        welded = weld(geometry)
        return self._stage.mesh(welded, [self._plastic(c) for c in welded.colours])

    def _part(self, brick: Brick) -> Any:
        key = (brick.name, brick.colour)
        if key not in self._parts:
            part = self._library.geometry(brick.name)
            dyed = np.where(part.colours == 16, brick.colour, part.colours)
            self._parts[key] = self._mesh(Geometry(part.triangles, dyed))
        return self._parts[key]

    def _table(self, plan: Plan, rng: np.random.Generator) -> None:
        material = surfaces.table(plan.table, rng)
        wide, deep = plan.table_size_mm
        data = self._stage.box((wide, deep, 20.0), material)
        self._passing += [data, material]
        x, y, _ = plan.target_mm
        self._put(data, move(x, y, plan.table_level_mm - 20.0), 0)
        floor, _ = self._stage.principled(tuple(float(c) for c in rng.random(3) * 0.4), 0.9)
        under = self._stage.box((30000.0, 30000.0, 20.0), floor)
        self._passing += [under, floor]
        self._put(under, move(x, y, -720.0), 0)

    def _solid(self, solid: Solid, rng: np.random.Generator) -> None:
        if solid.rgb is None:
            material = surfaces.printed(rng, float(rng.uniform(1, 12)))
        else:
            material, _ = self._stage.principled(linear(solid.rgb), float(rng.uniform(0.1, 0.8)))
        if solid.shape == "cylinder":
            data = self._stage.cylinder(solid.size_mm[0] / 2, solid.size_mm[2], material)
        else:
            data = self._stage.box(solid.size_mm, material)
        self._passing += [data, material]
        self._put(data, solid.matrix, 0)

    def _lamp(self, lamp: Lamp, target: tuple[float, float, float]) -> Any:
        matrix = (
            move(*target) @ turn("z", lamp.azimuth_deg) @ turn("y", 90 - lamp.elevation_deg)
        ) @ move(0, 0, lamp.distance_mm)
        return self._stage.area_light(matrix, lamp.size_mm, lamp.watts, lamp.rgb)
