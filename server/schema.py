"""What comes in over the border, checked before anything else sees it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from engine.actions import Action
from engine.table import Terrain, TerrainMark

Coordinate = Annotated[float, Field(ge=-1e5, le=1e5, allow_inf_nan=False)]
"""Millimetres on the table."""
Pixel = Annotated[float, Field(ge=-1e5, le=1e5, allow_inf_nan=False)]
Number = Annotated[float, Field(ge=-1e9, le=1e9, allow_inf_nan=False, strict=True)]
Die = Annotated[int, Field(ge=-1_000_000, le=1_000_000, strict=True)]
"""Strict, as a truth value is neither a number nor a die."""
Id = Annotated[str, Field(min_length=1, max_length=64)]
Word = Annotated[str, Field(max_length=200)]
Outline = Annotated[list[tuple[Coordinate, Coordinate]], Field(min_length=3, max_length=64)]


class Body(BaseModel):
    """A request body: unknown keys are refused, so a misspelt one is noticed."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class MarkBody(Body):
    """A part of a terrain piece."""

    kind: Word
    footprint_mm: Outline


class TerrainBody(Body):
    """A piece of terrain."""

    terrain_id: Id
    kind: Word
    footprint_mm: Outline
    height_mm: Annotated[float, Field(ge=0, le=5000, allow_inf_nan=False)]
    standable: bool = False
    lego: bool = True
    marks: Annotated[list[MarkBody], Field(max_length=32)] = []

    def terrain(self) -> Terrain:
        """As the engine knows it."""
        return Terrain(
            terrain_id=self.terrain_id,
            kind=self.kind,
            footprint_mm=tuple(self.footprint_mm),
            height_mm=self.height_mm,
            standable=self.standable,
            lego=self.lego,
            marks=tuple(TerrainMark(mark.kind, tuple(mark.footprint_mm)) for mark in self.marks),
        )


class ActionBody(Body):
    """One tap, with the last log line its player had seen."""

    kind: Id
    basis_seq: Annotated[int, Field(ge=0)]
    side: Id | None = None
    figure_id: Id | None = None
    target_id: Id | None = None
    terrain_id: Id | None = None
    point_mm: tuple[Coordinate, Coordinate] | None = None
    value: Word | None = None
    numbers: Annotated[list[Number], Field(max_length=16)] = []
    items: Annotated[list[Word], Field(max_length=128)] = []
    dice: Annotated[list[Die], Field(max_length=64)] = []
    terrain: TerrainBody | None = None

    def action(self) -> Action:
        """As the engine knows it; its time is stamped when its turn comes."""
        return Action(
            kind=self.kind,
            side=self.side,
            basis_seq=self.basis_seq,
            figure_id=self.figure_id,
            target_id=self.target_id,
            terrain_id=self.terrain_id,
            point_mm=self.point_mm,
            value=self.value,
            numbers=tuple(self.numbers),
            items=tuple(self.items),
            dice=tuple(self.dice),
            terrain=self.terrain.terrain() if self.terrain is not None else None,
        )


class EndBody(Body):
    """One end of a measurement: exactly one of a pixel, a place or a figure."""

    px: tuple[Pixel, Pixel] | None = None
    mm: tuple[Coordinate, Coordinate] | None = None
    figure_id: Id | None = None

    @model_validator(mode="after")
    def _exactly_one(self) -> EndBody:
        if sum(value is not None for value in (self.px, self.mm, self.figure_id)) != 1:
            raise ValueError("give exactly one of px, mm, figure_id")
        return self


class MeasureBody(Body):
    """A measurement between two ends."""

    start: Annotated[EndBody, Field(alias="from")]
    end: Annotated[EndBody, Field(alias="to")]


class PointBody(Body):
    """A pixel whose place on the table is known."""

    px: tuple[Pixel, Pixel]
    mm: tuple[Coordinate, Coordinate]


class CalibrateBody(Body):
    """Exactly one way to calibrate.

    ``reference`` looks for studs in the newest picture. ``points`` are four or more known
    places. ``corners_px`` are the table's corners, counter-clockwise seen from above, the first
    one the origin and the second one along +x: with ``size_mm`` they give the scale as well,
    without it they only say where the edges of the calibrated table are.
    """

    reference: Annotated[str, Field(pattern="^(auto|studs)$")] | None = None
    points: Annotated[list[PointBody], Field(min_length=4, max_length=64)] | None = None
    corners_px: Annotated[list[tuple[Pixel, Pixel]], Field(min_length=4, max_length=4)] | None = (
        None
    )
    size_mm: tuple[Coordinate, Coordinate] | None = None

    @model_validator(mode="after")
    def _exactly_one(self) -> CalibrateBody:
        given = (self.reference, self.points, self.corners_px)
        if sum(value is not None for value in given) != 1:
            raise ValueError("give exactly one of reference, points, corners_px")
        if self.size_mm is not None and min(self.size_mm) <= 0:
            raise ValueError("size_mm must be positive")
        return self


Length = Annotated[float, Field(gt=0, le=1e4, allow_inf_nan=False)]
"""Millimetres that something is long."""


class TryBody(Body):
    """What a calibration is to be tried by, on the newest picture.

    ``sheet``, ``unit``, ``square_mm``, ``stud_pitch_mm`` and ``fov_deg`` are the options of the
    command ``calibrate``. ``corners`` takes ``corners_px`` as :class:`CalibrateBody` does; without
    ``size_mm`` they are put on the trial ``basis``, or on the calibration in use. ``quick`` looks
    for studs and the board first and for the rest only where neither is seen.
    """

    reference: Literal["auto", "studs", "ruler", "sheet", "markers", "points", "corners"] = "auto"
    stud_pitch_mm: Annotated[Length, Field(ge=1, le=100)] | None = None
    unit: Annotated[str, Field(max_length=16)] | None = None
    sheet: Annotated[str, Field(max_length=32)] | None = None
    square_mm: Length | None = None
    fov_deg: Annotated[float, Field(ge=5, le=150, allow_inf_nan=False)] | None = None
    points: Annotated[list[PointBody], Field(min_length=4, max_length=64)] | None = None
    corners_px: Annotated[list[tuple[Pixel, Pixel]], Field(min_length=4, max_length=4)] | None = (
        None
    )
    size_mm: tuple[Length, Length] | None = None
    basis: Annotated[int, Field(ge=1)] | None = None
    quick: bool = False

    @model_validator(mode="after")
    def _fitting(self) -> TryBody:
        if (self.points is not None) != (self.reference == "points"):
            raise ValueError("points goes with the reference points, and only with it")
        if (self.corners_px is not None) != (self.reference == "corners"):
            raise ValueError("corners_px goes with the reference corners, and only with it")
        return self


class AcceptBody(Body):
    """The trial that is to be used from now on."""

    trial: Annotated[int, Field(ge=1)]
