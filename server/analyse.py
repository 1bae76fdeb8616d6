"""Footage after the game: the recording a table would have made, and a report."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from calibration.errors import NotFound
from calibration.plane import Calibration
from calibration.store import load
from engine.codec import Input
from engine.errors import Refused, Stale
from engine.log import LogLine
from engine.referee import Referee
from engine.rulesets import by_id
from engine.table import TableState
from server.calibrating import CalibrationOptions
from server.console import Fault, note, progress, write_atomically
from server.feeds import PipelineFeed
from server.files import read_json
from server.recorder import Recorder
from server.report import Paths, report
from server.roster import base_height_mm
from server.schema import TerrainBody
from server.script import GameFile, Script, load_game, rehearse
from server.session import Item, Session
from server.stopwatch import Stopwatch
from vision.detection import Detector
from vision.footage import RestWatch
from vision.frames import Frame, FrameSource, Image
from vision.look import Look
from vision.overlay import Label, draw
from vision.pipeline import Pipeline
from vision.recording.overlay_video import OverlayVideo


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be analysed, and how.

    Attributes:
        footage: As the user named it.
        out: Folder for the recording.
        calibration: File, if one is given.
        reference: How to calibrate otherwise.
        terrain: File with terrain, if any.
        ruleset: Id of the game that is played, if any.
        army: Its game file.
        video: Draw the overlay video as well.
        model: The detector's weights, for the recording's head.
    """

    footage: str
    out: Path
    calibration: Path | None = None
    reference: CalibrationOptions = field(default_factory=CalibrationOptions)
    terrain: Path | None = None
    ruleset: str | None = None
    army: Path | None = None
    video: bool = False
    model: Path | None = None


class Watch:
    """A listener that counts and remembers what the report tells."""

    def __init__(self) -> None:
        self.rests = RestWatch()
        self.paths = Paths()

    def looked(self, look: Look, table: TableState) -> None:
        """See :class:`server.session.Listener`."""
        self.rests.step(look)
        self.paths.step(table)

    def took(
        self, item: Input | LogLine, lines: tuple[LogLine, ...], error: Refused | Stale | None
    ) -> None:
        """See :class:`server.session.Listener`."""


def analyse(
    order: Order, source: FrameSource, load_detector: Callable[[], Detector]
) -> dict[str, Any]:
    """Work through footage, one picture in memory at a time.

    Args:
        order: What to do; checked here before anything is written.
        source: The footage; closed here.
        load_detector: Called once everything else is known to be right.

    Returns:
        The document that the command prints.

    Raises:
        Fault: A file or option is wrong.
        vision.errors.BadSource: The footage cannot be used.
    """
    script = _script(order)
    Recorder.check(order.out, "--out")
    warnings: list[str] = []
    with closing(source):
        frames = iter(source)
        first = next(frames, None)
        if first is None:
            raise Fault(order.footage, "holds no picture")
        calibration = _calibration(order, first, warnings)
        detector = load_detector()
        with _whole_or_nothing(order.out):
            work = _Run(order, detector, calibration, script, warnings)
            return work.through(first, frames, source)


@contextmanager
def _whole_or_nothing(folder: Path) -> Iterator[None]:
    """Leave a folder as it was, missing or empty, when the work in it fails.

    Only an interruption by the user keeps what is there: every line of it is whole.
    """
    was_there = folder.is_dir()
    try:
        yield
    except Exception:
        if was_there:
            for file in folder.iterdir():
                file.unlink()
        else:
            shutil.rmtree(folder, ignore_errors=True)
        raise


class _Run:
    """One pass through the footage."""

    def __init__(
        self,
        order: Order,
        detector: Detector,
        calibration: Calibration | None,
        script: Script | None,
        warnings: list[str],
    ) -> None:
        self._order = order
        self._calibration = calibration
        self._warnings = warnings
        self._feed = PipelineFeed(Pipeline(detector, calibration))
        self._watch = Watch()
        self._referee = Referee()
        self._recorder = Recorder(
            order.out,
            order.footage,
            ruleset=order.ruleset,
            model=order.model,
            pictures=False,
        )
        self._session = Session(
            self._referee,
            size_mm=None if calibration is None else calibration.size_mm,
            script=script,
            listeners=(self._watch, self._recorder),
        )
        self._recorder.sides = self._session.sides
        self._recorder.begin(self._referee.lines)
        if calibration is not None:
            self._recorder.calibrated(calibration)
        self._frames, self._last_ns = 0, 0

    def through(self, first: Frame, rest: Iterator[Frame], source: FrameSource) -> dict[str, Any]:
        order, watch = self._order, Stopwatch()
        try:
            self._session.run(self._items(first, rest, source))
        finally:
            self._recorder.close()
        self._warnings += [*getattr(source, "warnings", ()), *self._session.notes]
        for warning in self._warnings:
            note(f"minimarshal: warning: {warning}")
        duration = self._last_ns / 1e9
        rests = self._watch.rests
        page = report(order.footage, self._watch.paths, self._referee, self._calibration)
        write_atomically(order.out / "report.html", page.encode(), "--out")
        return {
            "ok": True,
            "calibrated": self._calibration is not None,
            "frames": self._frames,
            "duration_s": round(duration, 3),
            "speed_x_realtime": round(duration / max(watch.seconds, 1e-9), 3),
            "figures": rests.figures,
            "moves": rests.moves,
            "out": str(order.out),
            "warnings": self._warnings,
        }

    def _items(self, first: Frame, rest: Iterator[Frame], source: FrameSource) -> Iterator[Item]:
        total: int | None = getattr(source, "expected_frames", None)
        video = OverlayVideo(self._order.out) if self._order.video else None
        try:
            with progress("analyse", total) as done:
                for frame in _chain(first, rest):
                    referee = self._referee
                    self._feed.adapt(
                        self._calibration,
                        referee.facts.terrain,
                        base_height_mm(referee.ruleset.info),
                    )
                    for item in self._feed.items(frame):
                        yield item
                        if video is not None and isinstance(item, Look):
                            video.write(self._drawn(frame, item), frame.t_ns)
                    self._frames, self._last_ns = self._frames + 1, frame.t_ns
                    done(self._frames)
        finally:
            if video is not None:
                video.close()

    def _drawn(self, frame: Frame, look: Look) -> Image:
        labels = [
            Label(
                track.box_px,
                f"{track.track_id}"
                if track.state == "standing"
                else f"{track.track_id} {track.state}",
                position_mm=track.position_mm,
                facing_deg=track.facing_deg,
            )
            for track in look.tracks
            if track.box_px is not None
        ]
        return draw(frame.image, labels, hands=look.hands, calibration=self._calibration)


def _chain(first: Frame, rest: Iterator[Frame]) -> Iterator[Frame]:
    yield first
    yield from rest


def _calibration(order: Order, first: Frame, warnings: list[str]) -> Calibration | None:
    if order.calibration is not None:
        known = load(order.calibration)
        if known.image_size_px != first.size_px:
            sizes = "{}x{}, the footage {}x{}".format(*known.image_size_px, *first.size_px)
            raise Fault(str(order.calibration), f"is for pictures of {sizes}")
        return known
    try:
        return order.reference.calibrate(first.image)
    except NotFound as error:
        warnings.append(f"not calibrated, so nothing is in millimetres: {error}")
        return None


def _script(order: Order) -> Script | None:
    if (order.ruleset is None) != (order.army is None):
        option = "--army" if order.army is None else "--ruleset"
        raise Fault(option, "missing (--ruleset and --army go together)")
    pieces = [] if order.terrain is None else _terrain(order.terrain)
    if order.army is None or order.ruleset is None:
        return Script(GameFile(ruleset="", terrain=pieces)) if pieces else None
    if by_id(order.ruleset) is None:
        raise Fault("--ruleset", f"no rule set {order.ruleset!r}")
    game = load_game(order.army)
    if game.ruleset != order.ruleset:
        raise Fault(str(order.army), f"is for {game.ruleset}, not {order.ruleset}")
    return Script(game.model_copy(update={"terrain": [*game.terrain, *pieces]}))


def _terrain(path: Path) -> list[TerrainBody]:
    pieces = read_json(path, TypeAdapter(list[TerrainBody]), "terrain")
    rehearse(GameFile(ruleset="", terrain=pieces), str(path))
    return pieces
