"""How fast the whole chain is: from a coded picture to what the page is sent."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from contextlib import closing
from typing import Any, Final

from calibration.calibrate import calibrate
from calibration.errors import NotFound
from calibration.plane import Calibration
from engine.codec import Input
from engine.errors import Refused, Stale
from engine.log import LogLine
from engine.referee import Referee
from engine.table import TableState
from server.console import Fault, dump, progress
from server.documents import table_document
from server.drawing import jpeg
from server.feeds import PipelineFeed
from server.guard import Guard
from server.roster import base_height_mm
from server.script import Script
from server.session import Item, Session
from server.stopwatch import now_ns, peak_rss_mb
from vision.detection import Detector
from vision.frames import Frame, FrameSource
from vision.look import Look
from vision.pipeline import Pipeline

STAGES: Final = ("decode", "watch", "detect", "track", "geometry", "rules", "encode")
THREADS: Final = 2
_PREVIEW_WIDTH: Final = 960


class _Encoding:
    """A listener that encodes what pages are sent, and times it."""

    def __init__(self, referee: Referee) -> None:
        self._referee = referee
        self.frame: Frame | None = None
        self.spent_ns = 0

    def looked(self, look: Look, table: TableState) -> None:
        start = now_ns()
        if self.frame is not None:
            jpeg(self.frame.image, _PREVIEW_WIDTH, 75)
        dump({"type": "table", **table_document(table, self._referee.facts, look)})
        self.spent_ns = now_ns() - start

    def took(
        self, item: Input | LogLine, lines: tuple[LogLine, ...], error: Refused | Stale | None
    ) -> None:
        """Nothing: lines are few."""


class Bench:
    """One pass over a source, every stage timed for every picture.

    Args:
        detector: Finds figures.
        calibration: If known; otherwise studs are looked for in the first picture.
        script: Game file to be played along.
    """

    def __init__(
        self, detector: Detector, calibration: Calibration | None, script: Script | None
    ) -> None:
        self._detector = detector
        self._calibration = calibration
        self._referee = Referee()
        self._guard = Guard()
        self._encoding = _Encoding(self._referee)
        self._session = Session(self._referee, script=script, listeners=(self._encoding,))
        self._times: dict[str, list[int]] = {stage: [] for stage in STAGES}
        self._totals: list[int] = []

    def run(self, name: str, source: FrameSource) -> dict[str, Any]:
        """Time it.

        Args:
            name: Of the source, for errors.
            source: Read once, as fast as it goes; closed here.

        Returns:
            The document that the command prints.

        Raises:
            Fault: The source holds no picture.
        """
        with closing(source), progress("bench", getattr(source, "expected_frames", None)) as done:
            self._session.run(self._items(source, done))
        totals = sorted(self._totals)
        if not totals:
            raise Fault(name, "holds no picture")
        stages = {
            stage: round(statistics.mean(values) / 1e6, 3) for stage, values in self._times.items()
        }
        return {
            "frames": len(totals),
            "fps": round(len(totals) / (sum(totals) / 1e9), 2),
            "latency_ms": {"p50": _ms(totals, 0.50), "p95": _ms(totals, 0.95)},
            "stages_ms": stages,
            "peak_rss_mb": round(peak_rss_mb(), 1),
            "threads": THREADS,
        }

    def _items(self, source: FrameSource, done: Any) -> Iterator[Item]:
        feed: PipelineFeed | None = None
        frames = iter(source)
        while True:
            start = now_ns()
            frame = next(frames, None)
            decoded = now_ns()
            if frame is None:
                return
            if feed is None:
                self._find(frame)
                pipeline = Pipeline(self._detector, self._calibration, mode="live", clock=now_ns)
                feed = PipelineFeed(pipeline)
            info = self._referee.ruleset.info
            feed.adapt(self._calibration, self._referee.facts.terrain, base_height_mm(info))
            self._encoding.frame = frame
            watching = now_ns()
            # As on a live table, but what is shown here is taken as it comes.
            self._guard.step(frame, self._calibration)
            began = now_ns()
            for item in feed.items(frame):
                seen = now_ns()
                yield item
                judged = now_ns()
                if isinstance(item, Look):
                    spent = decoded - start, began - watching, seen - began, judged - seen
                    self._note(item, *spent)
            done(len(self._totals))

    def _note(self, look: Look, decode_ns: int, watch_ns: int, look_ns: int, judge_ns: int) -> None:
        stages = look.stages_ns or {}
        encode_ns = self._encoding.spent_ns
        geometry = stages.get("geometry", 0)
        track = stages.get("track", 0)
        spent = {
            "decode": decode_ns,
            # Ten times a second at most; the mean is over all pictures.
            "watch": watch_ns,
            # Hands are found in the same pictures as figures, and belong to looking.
            "detect": look_ns - geometry - track,
            "track": track,
            "geometry": geometry,
            "rules": judge_ns - encode_ns,
            "encode": encode_ns,
        }
        for stage, value in spent.items():
            self._times[stage].append(value)
        self._totals.append(sum(spent.values()))

    def _find(self, frame: Frame) -> None:
        if self._calibration is None:
            try:
                self._calibration = calibrate(frame.image, reference="studs")
            except NotFound:
                return


def _ms(sorted_ns: list[int], share: float) -> float:
    index = min(len(sorted_ns) - 1, round(share * (len(sorted_ns) - 1)))
    return round(sorted_ns[index] / 1e6, 2)
