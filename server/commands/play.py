"""``minimarshal serve`` and ``minimarshal demo``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from server import options
from server.camera_lens import CameraLens
from server.console import Fault, note
from server.demo import demo_calibration, demo_game, demo_pictures
from server.feeds import PipelineFeed
from server.hub import Hub
from server.live import LiveTable
from server.recorder import Recorder
from server.script import Script
from server.serving import open_port, serve_table
from server.setting import Setting
from vision.data import data_path
from vision.errors import BadSource
from vision.frames import FrameSource
from vision.onnx_detector import SHIPPED, load_detector
from vision.pipeline import Pipeline
from vision.sources import PacedSource, is_live, open_source

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
    recorder: Recorder | None = None
    try:
        detector = load_detector()
        pictures = _pictures(source)
        if data is not None:
            recorder = Recorder(data, source or DEFAULT_CAMERA, model=data_path(SHIPPED))
        setting = Setting(
            make_feed=lambda calibration: PipelineFeed(
                Pipeline(detector, calibration, mode="live")
            ),
            recorder=recorder,
            lens=_lens(source, pictures),
        )
        table = LiveTable(pictures, None, setting, Hub())
        finish = (lambda: None) if recorder is None else recorder.close
        serve_table(table, listener, lan, not no_browser, finish)
    finally:
        listener.close()
        if recorder is not None:
            recorder.close()


def demo(port: options.Port = 8000, no_browser: options.NoBrowser = False) -> None:
    """Watch a small recorded game: figures are found and judged from its pictures."""
    listener = open_port(port, False)
    try:
        game = demo_game()
        detector = load_detector()
        setting = Setting(
            make_feed=lambda calibration: PipelineFeed(
                Pipeline(detector, calibration, mode="live")
            ),
            make_script=lambda: Script(game),
            loop=True,
        )
        table = LiveTable(demo_pictures(), demo_calibration(), setting, Hub())
        serve_table(table, listener, False, not no_browser)
    finally:
        listener.close()


def _lens(source: str | None, pictures: FrameSource | None) -> CameraLens | None:
    """The kept lens of a camera; footage may come from any."""
    if pictures is None or (source is not None and not is_live(source)):
        return None
    return CameraLens.of(pictures.source_id)


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
    if next(iter(opened), None) is None:
        raise Fault(source, "holds no picture")
    return PacedSource(opened)
