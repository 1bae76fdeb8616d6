"""``minimarshal board``."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from calibration.board import COLUMNS, ROWS, SQUARE_MM, board_page
from server import options
from server.console import check_writable, emit, say, write_atomically


class Paper(StrEnum):
    """What the printer holds."""

    A4 = "A4"
    LETTER = "letter"


def board(
    out: Annotated[Path, typer.Option("--out", help="Write the page here (PDF).")],
    paper: Annotated[
        Paper, typer.Option("--paper", case_sensitive=False, help="What it is printed on.")
    ] = Paper.A4,
    as_json: options.Json = False,
) -> None:
    """Write a page with a board to print, by which calibrate --reference markers goes."""
    check_writable(out, "--out")
    write_atomically(out, board_page(str(paper)), "--out")
    if as_json:
        emit(
            {
                "ok": True,
                "out": str(out),
                "paper": str(paper),
                "squares": [COLUMNS, ROWS],
                "square_mm": SQUARE_MM,
            }
        )
        return
    say(f"{out}: print it at 100 %, and check the ruler on the page before you use it.")
