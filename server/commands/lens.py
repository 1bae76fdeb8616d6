"""``minimarshal lens``."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from calibration.calibrate import calibrate
from calibration.camera import Intrinsics
from calibration.errors import NotFound
from calibration.lenses import FILE_NAME, LensStore
from calibration.many_views import MOST_VIEWS, differs, lens_of
from calibration.plane import Calibration
from server import options
from server.console import Fault, check_writable, emit, note, progress, say, write_atomically
from server.datafolder import data_folder
from server.parsing import within
from vision.sources import is_live, open_source

_LOOK_NS = 500_000_000
"""A board is not turned faster than it is worth looking anew."""


def lens(
    source: options.Source,
    reference: options.ReferenceOption = options.Reference.MARKERS,
    square: options.SquareSide = None,
    seconds: Annotated[
        float, typer.Option("--seconds", metavar="S", help="How long to look at most.")
    ] = 60.0,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write a file for --intrinsics here.")
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Measure a camera's lens while the camera, or a printed board, is turned about."""
    within(square, 1.0, 1000.0, "--square")
    within(seconds, 1.0, 3600.0, "--seconds")
    check_writable(out, "--out")
    if reference is options.Reference.POINTS:
        raise Fault("--reference", "points are no reference for a lens; go by one that is in view")
    store = LensStore(data_folder() / FILE_NAME) if is_live(source) else None
    if store is not None:
        store.find(source, (1, 1))  # a broken file is said before any work
    camera, views = _views(source, str(reference), square, seconds)
    found = lens_of(views)
    size = views[0].image_size_px
    kept = store is not None and store.keep(
        camera, size, found, f"{len(views)} views of {reference}"
    )
    result = _document(found, size, len(views))
    if out is not None:
        write_atomically(out, (json.dumps(result, indent=1) + "\n").encode(), "--out")
    if as_json:
        emit({"ok": True, **result, "kept": kept})
        return
    say(
        f"Focal length {found.fx_px:.1f} px ± {100 * found.focal_doubt:.1f} %, "
        f"by {len(views)} views."
    )
    if kept:
        say(f"Kept for {camera} at {size[0]} x {size[1]}; the page uses it from now on.")


def _views(
    source: str, reference: str, square: float | None, seconds: float
) -> tuple[str, list[Calibration]]:
    """Calibrations from pictures that differ, and the camera's name.

    Raises:
        NotFound: The reference is in no picture; the message says why not in the last.
    """
    views: list[Calibration] = []
    camera, last_ns, first_ns = source, None, None
    fault = NotFound("no picture was looked at")
    opened = open_source(source)
    with closing(opened), progress("lens", opened.expected_frames) as done:
        for frame in opened:
            camera, first_ns = frame.source_id, frame.t_ns if first_ns is None else first_ns
            done(frame.index + 1)
            if frame.t_ns - first_ns > seconds * 1e9 or len(views) == MOST_VIEWS:
                break
            soon = last_ns is not None and 0 < frame.t_ns - last_ns < _LOOK_NS
            if soon or (views and frame.size_px != views[0].image_size_px):
                continue
            last_ns = frame.t_ns
            try:
                found = calibrate(frame.image, reference=reference, square_mm=square)
            except NotFound as error:
                fault = error
                continue
            if differs(found, views):
                views.append(found)
                note(f"minimarshal: view {len(views)}")
    if not views:
        raise NotFound(f"no lens: {fault}")
    return camera, views


def _document(found: Intrinsics, size: tuple[int, int], views: int) -> dict[str, object]:
    return {
        "image_size_px": list(size),
        "views": views,
        "intrinsics": {
            "fx_px": found.fx_px,
            "fy_px": found.fy_px,
            "cx_px": found.cx_px,
            "cy_px": found.cy_px,
            "distortion": list(found.distortion),
            "focal_doubt": found.focal_doubt,
            "k1_doubt": found.k1_doubt,
        },
    }
