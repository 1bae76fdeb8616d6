"""What one picture shows, before anything is drawn: plain data in table mm."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.scenes.camera import Camera
from vision.scenes.ldraw import Geometry
from vision.scenes.sensor import Sensor

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Brick:
    """An LDraw part lying about: its name, colour code and matrix from its own LDU frame.

    With `rests` it is lifted or lowered until its lowest point is as high as the matrix puts its
    origin: whoever draws the plan need not know how tall each part is.
    """

    name: str
    colour: int
    matrix: Matrix = field(repr=False)
    rests: bool = False


@dataclass(frozen=True, slots=True)
class Solid:
    """A plain prop: "box", "cylinder" or "sheet" of a size in mm, centred on its foot."""

    shape: str
    size_mm: tuple[float, float, float]
    rgb: tuple[float, float, float] | None
    matrix: Matrix = field(repr=False)


@dataclass(frozen=True, slots=True)
class Prop:
    """A thing of its own shape, in mm."""

    shape: Geometry = field(repr=False)
    matrix: Matrix = field(repr=False)


@dataclass(frozen=True, slots=True)
class PlacedFigure:
    """Number `look` of the wardrobe, placed.

    Its state is "standing", "lying", "in_hand", "tilted" or "rider".

    Attributes:
        look: Which figure of the wardrobe.
        state: How it is.
        facing_deg: Where the chest looks, counter-clockwise from +x (lying: feet to head).
        level_mm: Height of what it stands on.
        matrix: Figure frame to table.
        base: Small base under its feet, if any.
    """

    look: int
    state: str
    facing_deg: float
    level_mm: float
    matrix: Matrix = field(repr=False)
    base: tuple[Brick, ...] = ()


@dataclass(frozen=True, slots=True)
class PlacedHand:
    """Number `look` of the hands, mirrored for a left one."""

    look: int
    mirrored: bool
    tone: tuple[float, float, float]
    matrix: Matrix = field(repr=False)


@dataclass(frozen=True, slots=True)
class Lamp:
    """Square light that shines at the middle of the picture."""

    azimuth_deg: float
    elevation_deg: float
    distance_mm: float
    size_mm: float
    watts: float
    rgb: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Plan:
    """A whole picture; the table top's upper face is at table_level_mm.

    `rig` names the light (of `rigs`), k1 is the lens's first radial term.
    """

    camera: Camera
    target_mm: tuple[float, float, float]
    table: str
    table_size_mm: tuple[float, float]
    lamps: tuple[Lamp, ...]
    sky_rgb: tuple[float, float, float]
    sky_strength: float
    sensor: Sensor
    table_level_mm: float = 0.0
    bricks: tuple[Brick, ...] = ()
    solids: tuple[Solid, ...] = ()
    figures: tuple[PlacedFigure, ...] = ()
    hands: tuple[PlacedHand, ...] = ()
    props: tuple[Prop, ...] = ()
    rig: str = ""
    k1: float = 0.0
