"""``minimarshal serve`` and ``minimarshal demo``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from calibration.plane import Calibration
from calibration.store import load
from server import options
from server.console import Fault, note
from server.feeds import PipelineFeed
from server.hub import Hub
from server.live import LiveTable, Setting
from server.recorder import Recorder
from server.script import Script, load_game
from server.serving import open_port, serve_table
from vision.data import data_path
from vision.errors import BadSource
from vision.frames import FrameSource
from vision.onnx_detector import load_detector
from vision.pipeline import Pipeline
from vision.sources import PacedSource, is_live, open_source

DEMO = "datasets/demo"
DEFAULT_CAMERA = "camera:0"


def serve(
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="[SOURCE]",
            help="Camera, stream or file (default: the first camera, if there is one).",
        ),
    ] = None,
    port: options.Port = 8000,
    lan: Annotated[
        bool, typer.Option("--lan", help="Let other devices of the home network in, by token.")
    ] = False,
    data: Annotated[
        Path | None, typer.Option("--data", metavar="DIR", help="Record pictures, inputs and log.")
    ] = None,
    no_browser: options.NoBrowser = False,
) -> None:
    """Play at a table: open the page on a camera or on footage."""
    if data is not None:
        Recorder.check(data, "--data")
    listener = open_port(port, lan)
    try:
        pictures = _pictures(source)
        recorder = Recorder(data, source or DEFAULT_CAMERA) if data is not None else None
        detector = load_detector()
        setting = Setting(
            make_feed=lambda calibration: PipelineFeed(Pipeline(detector, calibration)),
            listeners=() if recorder is None else (recorder,),
        )
        table = LiveTable(pictures, None, setting, Hub())
    except BaseException:
        listener.close()
        raise
    try:
        serve_table(table, listener, lan, not no_browser)
    finally:
        if recorder is not None:
            recorder.close()


def demo(port: options.Port = 8000, no_browser: options.NoBrowser = False) -> None:
    """Watch a small recorded game: figures are found and judged from its pictures."""
    listener = open_port(port, False)
    try:
        folder = data_path(DEMO)
        game = load_game(folder / "actions.json")
        detector = load_detector()
        setting = Setting(
            make_feed=lambda calibration: PipelineFeed(Pipeline(detector, calibration)),
            make_script=lambda: Script(game),
            loop=True,
        )
        video = PacedSource(open_source(str(folder / "demo.mp4")))
        table = LiveTable(video, _stored_calibration(folder), setting, Hub())
    except BaseException:
        listener.close()
        raise
    serve_table(table, listener, False, not no_browser)


def _pictures(source: str | None) -> FrameSource | None:
    """Pictures at their own pace, None where no camera was asked for and none is there."""
    if source is None:
        try:
            return open_source(DEFAULT_CAMERA)
        except BadSource as error:
            note(f"minimarshal: no camera ({error.fault}); the page opens without one")
            return None
    opened = open_source(source)
    if is_live(source):
        return opened
    try:
        next(iter(opened))
    except StopIteration:
        raise Fault(source, "holds no picture") from None
    return PacedSource(opened)


def _stored_calibration(folder: Path) -> Calibration | None:
    path = folder / "calibration.json"
    return load(path) if path.exists() else None
