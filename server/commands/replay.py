"""``minimarshal replay``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from calibration.plane import Calibration
from server import options
from server.console import Fault, emit, note, say
from server.feeds import DetectionFeed, Feed, InputFeed, LogFeed, PipelineFeed
from server.hub import Hub
from server.live import LiveTable
from server.replay import (
    RecordedFrames,
    open_recording,
    recorded_actions,
    recorded_calibration,
    recorded_inputs,
    recorded_lines,
    seen_size_px,
    told_again,
)
from server.replay import check as check_log
from server.serving import open_port, serve_table
from server.setting import Setting
from server.views import ViewedFeed, recorded_views
from vision.data import data_path
from vision.model_card import digest
from vision.onnx_detector import SHIPPED, load_detector
from vision.pipeline import Pipeline
from vision.recording import RecordingReader, names
from vision.scripted import ScriptedDetector
from vision.sources import PacedSource


class Stage(StrEnum):
    """Where a replay begins."""

    FRAMES = "frames"
    DETECTIONS = "detections"
    INPUTS = "inputs"
    LOG = "log"


def replay(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A recording.")],
    stage: Annotated[
        Stage,
        typer.Option(
            "--from",
            help="Look at the pictures again, follow what was found in them again, "
            "judge the inputs again, or only tell the log.",
        ),
    ] = Stage.INPUTS,
    check: Annotated[
        bool, typer.Option("--check", help="Only compare the log, byte for byte.")
    ] = False,
    port: options.Port = 8000,
    no_browser: options.NoBrowser = False,
    as_json: options.Json = False,
) -> None:
    """Open the page on a recording, or check that it replays to the same log."""
    reader = open_recording(folder)
    calibration = recorded_calibration(reader)
    _verify(reader, stage)
    for warning in (*reader.warnings, *_other_model(reader, stage)):
        note(f"minimarshal: warning: {warning}")
    make_feed = _feeds(reader, stage)
    source = _pictures(reader, stage, calibration)
    if check:
        direct = stage is Stage.INPUTS
        count = check_log(reader, None if direct else make_feed(calibration), source)
        if as_json:
            emit({"ok": True, "lines": count})
        else:
            say(f"All {count} lines are the same.")
        return
    listener = open_port(port, False)
    try:
        setting = Setting(make_feed=make_feed, loop=True, search=False, read_only=True)
        table = LiveTable(PacedSource(source), calibration, setting, Hub())
    except BaseException:
        listener.close()
        raise
    serve_table(table, listener, False, not no_browser)


def _verify(reader: RecordingReader, stage: Stage) -> None:
    """Read once what will be replayed, since a page that is open can name no damaged file.

    Raises:
        Fault: Something is damaged or missing.
        vision.errors.BadSource: The detections are damaged.
    """
    if stage is Stage.LOG:
        told_again(reader)
        return
    for _input in recorded_inputs(reader):
        pass
    if stage is Stage.DETECTIONS and sum(1 for _seen in reader.detections()) == 0:
        raise Fault("--from", "this recording holds no detections")
    if stage is Stage.FRAMES and not reader.has_frames:
        raise Fault("--from", "this recording holds no pictures")


def _other_model(reader: RecordingReader, stage: Stage) -> Iterator[str]:
    """What to know before pictures are looked at again with another model than then."""
    then = reader.meta.model_sha256
    if stage is Stage.FRAMES and then is not None and then != digest(data_path(SHIPPED)):
        yield (
            f"{reader.folder / names.META}: recorded with another detector or second look than "
            "this program's: what is found may differ"
        )


def _feeds(reader: RecordingReader, stage: Stage) -> Callable[[Calibration | None], Feed]:
    """What makes a fresh feed for every run through the recording."""
    if stage is Stage.INPUTS:
        return lambda _known: InputFeed(recorded_inputs(reader))
    if stage is Stage.LOG:
        return lambda _known: LogFeed(recorded_lines(reader))
    if stage is Stage.DETECTIONS:
        # The pictures are not searched: what was found in them is given again.
        blind = ScriptedDetector({})
        return _viewed(
            reader,
            lambda known: DetectionFeed(
                Pipeline(blind, known), reader.detections(), recorded_actions(reader)
            ),
        )
    detector = load_detector()
    return _viewed(
        reader,
        lambda known: PipelineFeed(
            Pipeline(detector, known, mode="live"), recorded_actions(reader)
        ),
    )


def _viewed(
    reader: RecordingReader, make: Callable[[Calibration | None], Feed]
) -> Callable[[Calibration | None], Feed]:
    """The same feed, seeing the table as it was seen then."""
    views = recorded_views(reader)
    if not views:
        return make
    return lambda _known: ViewedFeed(make(views[0].calibration), views)


def _pictures(
    reader: RecordingReader, stage: Stage, calibration: Calibration | None
) -> RecordedFrames:
    """The recording's pictures, or blank ones at the times of what is replayed."""
    if stage is Stage.LOG:
        return RecordedFrames(
            reader, lambda: (line.t_ns for line in recorded_lines(reader)), pictures=False
        )
    if stage is Stage.DETECTIONS:
        size_px = seen_size_px(reader, calibration)
        return RecordedFrames(reader, lambda: (seen.t_ns for seen in reader.detections()), size_px)
    return RecordedFrames(reader, lambda: (item.t_ns for item in recorded_inputs(reader)))
