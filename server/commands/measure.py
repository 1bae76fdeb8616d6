"""``minimarshal map`` and ``minimarshal measure``."""

from __future__ import annotations

from typing import Annotated

import typer

from calibration.store import load
from server import options
from server.console import NoAnswer, emit, say
from server.measuring import in_all_units, map_document, measure_pixels
from server.parsing import pair, within


def map_pixels(
    calibration: options.CalibrationFile,
    px: Annotated[list[str], typer.Option("--px", metavar="X,Y", help="May be repeated.")],
    height: options.Height = 0.0,
    as_json: options.Json = False,
) -> None:
    """Tell the table points under pixels."""
    points = [pair(text, "--px") for text in px]
    within(height, -1e4, 1e4, "--height")
    rows = map_document(load(calibration), points, height)
    if as_json:
        emit(rows)
        return
    for row in rows:
        place = row["table_mm"]
        if place is None:
            say(f"{row['px'][0]:g},{row['px'][1]:g}: above the horizon")
        else:
            say(f"{place[0]:.1f}, {place[1]:.1f} mm ± {row['sigma_mm']:.1f}")


def measure(
    calibration: options.CalibrationFile,
    from_px: Annotated[str, typer.Option("--from-px", metavar="X,Y")],
    to_px: Annotated[str, typer.Option("--to-px", metavar="X,Y")],
    height: options.Height = 0.0,
    as_json: options.Json = False,
) -> None:
    """Measure between two pixels, in every unit."""
    start, end = pair(from_px, "--from-px"), pair(to_px, "--to-px")
    within(height, -1e4, 1e4, "--height")
    length = measure_pixels(load(calibration), start, end, height)
    if length is None:
        raise NoAnswer("a pixel lies above the horizon")
    result = in_all_units(*length)
    if as_json:
        emit(result)
    else:
        mm, sigma_mm = length
        doubt = "" if sigma_mm is None else f" ± {sigma_mm / 10:.2f}"
        say(f"{mm / 10:.2f} cm{doubt}")
