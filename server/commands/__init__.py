"""One module a command: options in, one call below, one document out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from server.commands.analyse import analyse
from server.commands.army import army
from server.commands.bench import bench
from server.commands.board import board
from server.commands.calibrate import calibrate
from server.commands.detect import detect
from server.commands.evaluate import evaluate
from server.commands.export import export
from server.commands.lens import lens
from server.commands.measure import map_pixels, measure
from server.commands.play import demo, serve
from server.commands.render import render
from server.commands.replay import replay
from server.commands.rules import check_rules, explain_rule, list_options, list_rules
from server.commands.train import train

COMMANDS: Final[dict[str, Callable[..., Any]]] = {
    "demo": demo,
    "serve": serve,
    "calibrate": calibrate,
    "board": board,
    "lens": lens,
    "map": map_pixels,
    "measure": measure,
    "detect": detect,
    "analyse": analyse,
    "replay": replay,
    "bench": bench,
    "evaluate": evaluate,
    "render": render,
    "army": army,
    "train": train,
    "export": export,
}
RULES_COMMANDS: Final[dict[str, Callable[..., Any]]] = {
    "list": list_rules,
    "check": check_rules,
    "explain": explain_rule,
    "options": list_options,
}
