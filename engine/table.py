"""What lies and stands on the table: physical facts only, in millimetres.

The table frame is right-handed with z up; angles are degrees counter-clockwise from +x.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

PointMm: TypeAlias = tuple[float, float]
PolygonMm: TypeAlias = tuple[PointMm, ...]


class FigureState(StrEnum):
    """How a figure is."""

    STANDING = "standing"
    LYING = "lying"
    IN_HAND = "in_hand"
    RIDER = "rider"
    HIDDEN = "hidden"


class Seen(StrEnum):
    """Where a figure's position comes from."""

    SEEN = "seen"
    HIDDEN = "hidden"
    CORRECTED = "corrected"


class BaseShape(StrEnum):
    """Outline of a base on the table."""

    SQUARE = "square"
    CIRCLE = "circle"
    OBLONG = "oblong"


@dataclass(frozen=True, slots=True)
class Base:
    """Base outline around the figure's position.

    Attributes:
        shape: Square, circle or oblong.
        size_mm: Side of the square, diameter of the circle or width of the oblong.
        rotation_deg: Turn against the table axes, None when unknown: of a square (0 to 90), or of
            the length of an oblong, which lies along its facing (0 to 360).
        height_mm: Thickness of the base under the soles.
        length_mm: Length of an oblong; 0 for the other shapes.
    """

    shape: BaseShape = BaseShape.SQUARE
    size_mm: float = 16.0
    rotation_deg: float | None = None
    height_mm: float = 0.0
    length_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of the game, the same from set-up to the end.

    Attributes:
        figure_id: Name for the whole game, for example ``"f3"``.
        label: What the camera calls it (``minifig``, ``playmobil``, ``animal``, ``vehicle``).
        side: Team it belongs to, None while nobody has said.
        profile: Size class, for example ``"lego_model"``.
        position_mm: Centre of the base.
        facing_deg: The way the chest looks, None when unknown.
        base: Outline of the base.
        height_mm: Height of the bare-headed figure over its base.
        level_mm: Height of the surface the base stands on.
        state: Standing, lying, in hand or hidden.
        seen: Seen now, remembered, or put right by a human.
        sigma_mm: One standard deviation of the position along its worst direction.
    """

    figure_id: str
    label: str
    side: str | None
    profile: str
    position_mm: PointMm
    facing_deg: float | None
    base: Base
    height_mm: float
    level_mm: float
    state: FigureState
    seen: Seen
    sigma_mm: float


@dataclass(frozen=True, slots=True)
class TerrainMark:
    """A part of a terrain piece with a use of its own.

    Attributes:
        kind: ``stairs``, ``ladder`` or ``door``.
        footprint_mm: Its outline.
    """

    kind: str
    footprint_mm: PolygonMm


@dataclass(frozen=True, slots=True)
class Terrain:
    """A piece of terrain. What a wood *does* is in the rule set.

    Attributes:
        terrain_id: Name, for example ``"t2"``.
        kind: ``wall``, ``building``, ``stairs``, ``hill``, ``wood``, ``water``, ``other``.
        footprint_mm: Outline, at least three points.
        height_mm: Height of its top over z = 0, without knobs. For stairs the highest step.
        standable: Figures may stand on its top.
        lego: Height comes in whole plates.
        marks: Stairs, ladders and doors on it.
    """

    terrain_id: str
    kind: str
    footprint_mm: PolygonMm
    height_mm: float
    standable: bool = False
    lego: bool = True
    marks: tuple[TerrainMark, ...] = ()


@dataclass(frozen=True, slots=True)
class TableState:
    """The whole table at one moment.

    Attributes:
        t_ns: Time from the start of the recording.
        size_mm: Width and depth of the table, None when its edges are unknown. Its lower left
            corner is the frame's origin.
        figures: Ordered by ``figure_id``.
        terrain: Ordered by ``terrain_id``.
        settled: No hand is over the table and nothing has moved for a moment.
        doubts: What the camera is not sure of, in words.
    """

    t_ns: int
    size_mm: tuple[float, float] | None
    figures: tuple[Figure, ...]
    terrain: tuple[Terrain, ...]
    settled: bool
    doubts: tuple[str, ...] = ()

    def figure(self, figure_id: str) -> Figure:
        """The figure of that name.

        Raises:
            KeyError: No such figure on the table.
        """
        for figure in self.figures:
            if figure.figure_id == figure_id:
                return figure
        raise KeyError(figure_id)
