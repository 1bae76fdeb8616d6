"""``minimarshal bench``."""

from __future__ import annotations

from typing import Annotated

import typer

from server import options
from server.bench import THREADS, Bench
from server.console import emit, say
from server.demo import demo_calibration, demo_game, demo_source
from server.script import Script
from server.threads import limit_threads
from vision.onnx_detector import load_detector
from vision.sources import open_source


def bench(
    source: Annotated[
        str | None, typer.Argument(metavar="[SOURCE]", help="Footage (default: the demo).")
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Measure how fast this machine is, stage by stage, on two threads."""
    limit_threads(THREADS)
    if source is None:
        opened, name = demo_source(), "demo"
        calibration, script = demo_calibration(), Script(demo_game())
    else:
        opened, name = open_source(source), source
        calibration, script = None, None
    result = Bench(load_detector(), calibration, script).run(name, opened)
    if as_json:
        emit(result)
        return
    say(f"{result['fps']} pictures a second over {result['frames']} pictures.")
    for stage, value in result["stages_ms"].items():
        say(f"  {stage:9} {value:8.2f} ms")
    say(f"  memory    {result['peak_rss_mb']:8.1f} MB")
