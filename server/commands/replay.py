"""``minimarshal replay``."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from server import options
from server.console import Fault, emit, say
from server.feeds import InputFeed, PipelineFeed
from server.hub import Hub
from server.live import LiveTable, Setting
from server.replay import (
    RecordedFrames,
    check_frames,
    check_inputs,
    open_recording,
    recorded_actions,
    recorded_calibration,
    recorded_inputs,
)
from server.serving import open_port, serve_table
from vision.onnx_detector import load_detector
from vision.pipeline import Pipeline
from vision.sources import PacedSource


class Stage(StrEnum):
    """Where a replay begins."""

    FRAMES = "frames"
    INPUTS = "inputs"


def replay(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A recording.")],
    stage: Annotated[
        Stage, typer.Option("--from", help="Look at the pictures again, or take the inputs.")
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
    if stage is Stage.FRAMES and not reader.has_frames:
        raise Fault("--from", "this recording holds no pictures")
    if check:
        if stage is Stage.FRAMES:
            count = check_frames(reader, load_detector())
        else:
            count = check_inputs(reader)
        if as_json:
            emit({"ok": True, "lines": count})
        else:
            say(f"All {count} lines are the same.")
        return
    listener = open_port(port, False)
    try:
        calibration = recorded_calibration(reader)
        if stage is Stage.FRAMES:
            detector = load_detector()
            setting = Setting(
                make_feed=lambda known: PipelineFeed(
                    Pipeline(detector, known, mode="live"), recorded_actions(reader)
                ),
                loop=True,
                search=False,
                read_only=True,
            )
        else:
            setting = Setting(
                make_feed=lambda _known: InputFeed(recorded_inputs(reader)),
                loop=True,
                search=False,
                read_only=True,
            )
        source = PacedSource(RecordedFrames(reader))
        table = LiveTable(source, calibration, setting, Hub())
    except BaseException:
        listener.close()
        raise
    serve_table(table, listener, False, not no_browser)
