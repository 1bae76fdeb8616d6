"""What looking costs beside its networks: ``python -m tests.benchmarks.tile [PICTURE ...]``.

A picture (of the demo, unless named) is looked at whole: tiles are cut out, fed, read and merged,
and each find gets its second look. The same batches then go through the bare networks. ``ratio``
is the processor time of the one against the other, ``ratio_to_tiles`` against the detector alone,
``tile_ms`` that of one tile.
"""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from time import process_time

import numpy as np
from numpy.typing import NDArray

from server.demo import demo_source
from vision.data import data_path
from vision.frames import Image
from vision.model_card import read_card, read_weights
from vision.onnx_detector import SHIPPED, OnnxDetector
from vision.second_look import SecondLook
from vision.session import Session, open_session
from vision.sources import read_picture

TIMES = 7
FRAME = 60
"""Of the demo: all of its figures stand."""

Batch = NDArray[np.float32]


class Kept:
    """A network that keeps what it is asked."""

    def __init__(self, session: Session) -> None:
        """Take a network."""
        self.session = session
        self.asked: list[Batch] = []

    def run(self, batch: Batch) -> Batch:
        """Ask it."""
        self.asked.append(batch)
        return self.session.run(batch)

    def bare(self) -> None:
        """Ask the same again."""
        for batch in self.asked:
            self.session.run(batch)


def taken_ms(work: Callable[[], object]) -> float:
    """Processor time of a piece of work, ms."""
    start = process_time()
    work()
    return 1000.0 * (process_time() - start)


def measured(picture: Image, second: bool) -> dict[str, float]:
    """Medians for one picture, looking and bare by turns."""
    path = data_path(SHIPPED)
    card = read_card(path.with_suffix(".json"))
    first = Kept(open_session(read_weights(path, card), str(path)))
    other: Kept | None = None
    judge = None
    if second and card.second_look is not None:
        own = path.with_name(card.second_look.model)
        other = Kept(open_session(card.second_look.read(own), str(own)))
        judge = SecondLook(other, card.second_look, card.nms_iou)
    detector = OnnxDetector(first, card, None, judge)
    networks = [first] if other is None else [first, other]

    def look() -> None:
        for network in networks:
            network.asked.clear()
        detector.detect(picture)

    def bare() -> None:
        for network in networks:
            network.bare()

    look()
    bare()
    rows = [(taken_ms(look), taken_ms(bare), taken_ms(first.bare)) for _ in range(TIMES)]
    whole, plain, tiles = (statistics.median(column) for column in zip(*rows, strict=True))
    count = sum(len(batch) for batch in first.asked)
    return {
        "tiles": count,
        "squares": 0 if other is None else sum(len(batch) for batch in other.asked),
        "tile_ms": round(whole / count, 2),
        "bare_tile_ms": round(tiles / count, 2),
        "ratio": round(whole / plain, 3),
        "ratio_to_tiles": round(whole / tiles, 3),
    }


def demo_picture() -> Image:
    """One of the demo's."""
    with closing(demo_source()) as frames:
        return next(frame.image for frame in frames if frame.index == FRAME)


def main(names: Sequence[str]) -> None:
    """Print one line of JSON a picture, with and without the second look."""
    pictures = {name: read_picture(Path(name)) for name in names} or {"demo": demo_picture()}
    for name, picture in pictures.items():
        for second in (False, True):
            told = {"picture": name, "second_look": second, **measured(picture, second)}
            sys.stdout.write(json.dumps(told) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
