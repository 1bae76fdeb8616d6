"""``minimarshal calibrate``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from calibration.overlay import grid_overlay
from calibration.store import document, save
from server import options
from server.calibrating import CalibrationOptions
from server.camera_lens import CameraLens
from server.console import check_writable, emit, note, say, write_atomically
from server.drawing import png
from server.sourcing import first_picture
from vision.sources import is_live


def calibrate(
    source: options.Source,
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
    out: Annotated[Path | None, typer.Option("--out", help="Write the calibration here.")] = None,
    overlay: Annotated[
        Path | None, typer.Option("--overlay", help="Write the picture with the grid here (PNG).")
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Find the table's millimetres in a picture."""
    wanted = CalibrationOptions(
        reference, points, stud_pitch, fov, intrinsics, camera_height, table, sheet, square, unit
    )
    wanted.check()
    for option, path in (("--out", out), ("--overlay", overlay)):
        check_writable(path, option)
    frame = first_picture(source)
    found = wanted.calibrate(
        frame.image, CameraLens.of(frame.source_id) if is_live(source) else None
    )
    picture = b""
    if overlay is not None:
        picture = png(grid_overlay(frame.image, found))
    if out is not None:
        save(found, out)
    if overlay is not None:
        write_atomically(overlay, picture, "--overlay")
    result = document(found)
    for warning in found.warnings:
        note(f"minimarshal: warning: {warning}")
    if as_json:
        emit(json.loads(json.dumps(result, allow_nan=False)))
        return
    sigma = result["sigma_mm"]["median"]
    say(f"Calibrated by {found.reference}, origin: {found.origin}.")
    say(f"Residual {found.rms_px:.2f} px; a point is known to about ±{sigma:.1f} mm.")
