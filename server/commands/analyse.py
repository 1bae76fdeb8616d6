"""``minimarshal analyse``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from server import options
from server.analyse import Order
from server.analyse import analyse as work
from server.calibrating import CalibrationOptions
from server.console import emit, say
from vision.data import data_path
from vision.onnx_detector import SHIPPED, load_detector
from vision.sources import open_source


def analyse(
    footage: Annotated[str, typer.Argument(metavar="FOOTAGE", help="Video, folder or photo.")],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="New folder for the result.")],
    calibration: options.OptionalCalibrationFile = None,
    reference: options.ReferenceOption = options.Reference.AUTO,
    points: options.PointsFile = None,
    stud_pitch: options.StudPitch = 8.0,
    fov: options.Fov = None,
    intrinsics: options.IntrinsicsFile = None,
    camera_height: options.CameraHeight = None,
    table: options.TableSize = None,
    sheet: options.SheetSize = None,
    square: options.SquareSide = None,
    unit: options.RulerUnit = None,
    terrain: Annotated[
        Path | None, typer.Option("--terrain", help='{"terrain": [...]} in table mm.')
    ] = None,
    ruleset: Annotated[
        str | None, typer.Option("--ruleset", metavar="ID", help="Game that is played.")
    ] = None,
    army: Annotated[
        Path | None, typer.Option("--army", metavar="FILE", help="Game file for --ruleset.")
    ] = None,
    video: Annotated[bool, typer.Option("--video", help="Write overlay.mp4 as well.")] = False,
    as_json: options.Json = False,
) -> None:
    """Find out from footage what happened on the table."""
    wanted = CalibrationOptions(
        reference, points, stud_pitch, fov, intrinsics, camera_height, table, sheet, square, unit
    )
    wanted.check()
    opened = open_source(footage)
    order = Order(
        footage, out, calibration, wanted, terrain, ruleset, army, video, data_path(SHIPPED)
    )
    result = work(order, opened, load_detector)
    if as_json:
        emit(result)
        return
    say(f"{result['figures']} figures, {result['moves']} moves in {result['duration_s']:.1f} s.")
    say(f"Report: {out / 'report.html'}")
