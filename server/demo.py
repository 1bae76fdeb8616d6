"""The recording that comes with the program."""

from __future__ import annotations

from typing import Final

from calibration.plane import Calibration
from calibration.store import load
from server.script import GameFile, load_game
from vision.data import data_path
from vision.sources import OpenedSource, PacedSource, open_source

VIDEO: Final = "datasets/demo/table.mp4"
GAME: Final = "datasets/demo/game.json"
CALIBRATION: Final = "datasets/demo/calibration.json"


def demo_source() -> OpenedSource:
    """Its pictures, as fast as they are asked for.

    Raises:
        vision.errors.BadSource: It is missing from this installation.
    """
    return open_source(str(data_path(VIDEO)))


def demo_pictures() -> PacedSource:
    """Its pictures at their own times; none is left out, since the game told needs them all.

    Raises:
        vision.errors.BadSource: It is missing from this installation.
    """
    return PacedSource(demo_source(), patient=True)


def demo_game() -> GameFile:
    """What its players tapped."""
    return load_game(data_path(GAME))


def demo_calibration() -> Calibration:
    """How its camera saw the table."""
    return load(data_path(CALIBRATION))
