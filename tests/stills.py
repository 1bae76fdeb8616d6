"""A table whose camera shows one picture, for looking at calibration alone."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np

from calibration.plane import Calibration
from engine.table import Terrain
from server.camera_lens import CameraLens
from server.hub import Hub
from server.live import LiveTable
from server.session import Item
from server.setting import Setting
from vision.frames import Frame, Image
from vision.look import Look
from vision.sources import SourceState, SourceStatus

STEP_NS = 100_000_000


class Still:
    """Shows a picture ten times a second until it is given another."""

    source_id = "still"

    def __init__(self, image: Image) -> None:
        self.image = image
        self.state = SourceState.LIVE
        self._closing = threading.Event()

    def __iter__(self) -> Iterator[Frame]:
        index = 0
        while not self._closing.wait(0.1):
            yield Frame(index, index * STEP_NS, self.source_id, self.image)
            index += 1

    def status(self) -> SourceStatus:
        return SourceStatus(self.state, 10.0, 50.0)

    def close(self) -> None:
        self._closing.set()


class Bare:
    """Nothing stands on the table."""

    def items(self, frame: Frame) -> Iterator[Item]:
        yield Look(frame.index, frame.t_ns, (), (), (), True, False)

    def adapt(
        self, calibration: Calibration | None, terrain: tuple[Terrain, ...], base_height_mm: float
    ) -> None:
        pass


def still_table(
    image: Image, calibration: Calibration | None = None, lens: CameraLens | None = None
) -> tuple[LiveTable, Still]:
    """A table that looks at one picture, and the camera that shows it."""
    source = Still(np.ascontiguousarray(image))
    setting = Setting(make_feed=lambda _known: Bare(), search=False, lens=lens)
    return LiveTable(source, calibration, setting, Hub()), source
