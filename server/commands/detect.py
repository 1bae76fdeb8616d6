"""``minimarshal detect``."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from calibration.store import load
from server import options
from server.console import check_writable, emit, note, progress, say, write_atomically
from server.drawing import png
from server.parsing import within
from vision.detect import Found, detect_source
from vision.onnx_detector import load_detector
from vision.overlay import detection_labels, draw
from vision.sources import open_source


def detect(
    source: options.Source,
    calibration: options.OptionalCalibrationFile = None,
    min_score: Annotated[
        float | None, typer.Option("--min-score", metavar="S", help="0 to 1.")
    ] = None,
    overlay: Annotated[
        Path | None, typer.Option("--overlay", help="Write the last picture, drawn on (PNG).")
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Find the figures and hands in every picture, each scanned whole."""
    within(min_score, 0.0, 1.0, "--min-score")
    check_writable(overlay, "--overlay")
    known = load(calibration) if calibration is not None else None
    opened = open_source(source)
    last: Found | None = None
    with closing(opened), progress("detect", opened.expected_frames) as done:
        detector = load_detector(min_score=min_score)
        for count, (document, found) in enumerate(detect_source(opened, detector, known), 1):
            if as_json:
                emit(document)
            elif found is None:
                say(f"{document['image']}: {document['error']}")
            else:
                figures = f"{len(found.detections)} figures, {len(found.hands)} hands"
                say(f"{document['image']} {document['frame']}: {figures}")
            last = found or last
            done(count)
    for warning in opened.warnings:
        note(f"minimarshal: warning: {warning}")
    if overlay is not None and last is not None:
        labels = detection_labels(last.detections, [str(state) for state in last.states])
        picture = draw(last.frame.image, labels, last.detections, last.hands, known)
        write_atomically(overlay, png(picture), "--overlay")
