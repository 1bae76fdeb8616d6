"""Options that several commands share."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Reference(StrEnum):
    """What the scale comes from."""

    AUTO = "auto"
    STUDS = "studs"
    RULER = "ruler"
    SHEET = "sheet"
    MARKERS = "markers"
    POINTS = "points"


Source = Annotated[
    str, typer.Argument(metavar="SOURCE", help="Photo, video, folder, camera:N or stream URL.")
]
Json = Annotated[bool, typer.Option("--json", help="Exactly one JSON document on stdout.")]
ReferenceOption = Annotated[
    Reference, typer.Option("--reference", help="What gives the scale (auto: whatever is in view).")
]
PointsFile = Annotated[
    Path | None,
    typer.Option("--points", help='{"points": [{"px": [x, y], "mm": [x, y]}]}, four or more.'),
]
SheetSize = Annotated[
    str | None,
    typer.Option("--sheet", metavar="SIZE", help="A4 (default), A3, letter, card or WxH in mm."),
]
SquareSide = Annotated[
    float | None,
    typer.Option("--square", metavar="MM", help="Side of a square of the board or chessboard."),
]
RulerUnit = Annotated[
    str | None,
    typer.Option(
        "--unit", metavar="UNIT", help="Of a ruler: mm, cm, inch, or mm from stroke to stroke."
    ),
]
StudPitch = Annotated[float, typer.Option("--stud-pitch", metavar="MM", help="Stud to stud.")]
Fov = Annotated[
    float | None, typer.Option("--fov", metavar="DEG", help="Horizontal field of view.")
]
IntrinsicsFile = Annotated[
    Path | None, typer.Option("--intrinsics", help="JSON with fx_px, fy_px, cx_px, cy_px.")
]
CameraHeight = Annotated[
    float | None,
    typer.Option("--camera-height", metavar="MM", help="Camera over the table."),
]
TableSize = Annotated[
    str | None, typer.Option("--table", metavar="WxH", help="Size of the table in mm.")
]
CalibrationFile = Annotated[
    Path, typer.Option("--calibration", help="File written by calibrate --out.")
]
OptionalCalibrationFile = Annotated[
    Path | None, typer.Option("--calibration", help="File written by calibrate --out.")
]
Height = Annotated[
    float, typer.Option("--height", metavar="MM", help="Height over the table's z = 0.")
]
Port = Annotated[int, typer.Option("--port", min=0, max=65535, help="0 takes any free port.")]
NoBrowser = Annotated[bool, typer.Option("--no-browser", help="Do not open the page.")]
