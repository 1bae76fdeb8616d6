"""A game in which the camera was bumped replays to the same log from every stage."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.plane import Calibration
from server.cli import run
from server.console import NoAnswer
from server.demo import demo_calibration, demo_source
from server.feeds import DetectionFeed, PipelineFeed
from server.hub import Hub
from server.live import LiveTable
from server.recorder import Recorder
from server.replay import RecordedFrames, check, open_recording, recorded_actions
from server.script import GameFile, Script
from server.setting import Setting
from server.views import ViewedFeed, recorded_views
from tests.server.conftest import wait_for
from vision.boxes import as_boxes
from vision.detection import BoxPx, Detection
from vision.frames import Frame, Image
from vision.pipeline import Pipeline
from vision.recording import names
from vision.scripted import ScriptedDetector
from vision.sources import SourceState, SourceStatus
from vision.tiles import in_regions

STEP_NS = 100_000_000
BUMP, FRAMES = 40, 110
MOVE = (80, 92)
BITS, CELL = 4, 24


@lru_cache(maxsize=2)
def seen_from(bumped: bool) -> tuple[Image, Calibration]:
    image, calibration = next(iter(demo_source())).image, demo_calibration()
    if not bumped:
        return image, calibration
    turn = np.eye(4)
    turn[:3, :3] = cv2.Rodrigues(np.radians(0.9) * np.array([0.3, 0.9, 0.1]))[0]
    K = calibration.intrinsics.matrix
    bent = cv2.warpPerspective(
        image, K @ turn[:3, :3] @ np.linalg.inv(K), image.shape[1::-1],
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    pose = turn @ calibration.camera_T_table
    return np.asarray(bent, dtype=np.uint8), replace(calibration, camera_T_table=pose)


def state(number: int) -> int:
    """What a picture shows: 0 before the bump, then one more for every step of the move."""
    return 0 if number < BUMP else 1 + min(max(number - MOVE[0], 0), MOVE[1] - MOVE[0])


def place(figure: int, shown: int) -> tuple[float, float]:
    """Where a figure stands: the first one is carried forward after the bump."""
    x, y = 72.0 + 60.0 * (figure % 5), 30.0 if figure < 5 else 354.0
    return (x, y + (64.0 * max(shown - 1, 0) / (MOVE[1] - MOVE[0]) if figure == 0 else 0.0))


def picture(number: int) -> Image:
    """The table, with what it shows written as black and white cells in its corner."""
    image = seen_from(number >= BUMP)[0].copy()
    for bit in range(BITS):
        level = 255 if state(number) >> bit & 1 else 0
        image[:CELL, bit * CELL : (bit + 1) * CELL] = level
    for figure in range(10):  # only where something changes is looked
        x0, y0, x1, y1 = (round(value) for value in box_of(figure, state(number)))
        image[y0:y1, x0:x1] = (60, 40, 190)
    return image


def box_of(figure: int, shown: int) -> BoxPx:
    x, y = place(figure, shown)
    places = [(x - 8, y, 0.0), (x + 8, y, 0.0), (x - 8, y, 40.0), (x + 8, y, 40.0)]
    px = seen_from(shown > 0)[1].to_image(np.array(places))
    low, high = px.min(axis=0).tolist(), px.max(axis=0).tolist()
    return low[0], low[1], high[0], high[1]


class Numbered:
    """A detector that reads what is written in the corner and knows what stands where."""

    labels = ("minifig",)

    def detect(self, image: Image, regions: Sequence[BoxPx] | None = None) -> list[Detection]:
        middle = CELL // 2
        cells = [image[middle, bit * CELL + middle].mean() > 128 for bit in range(BITS)]
        shown = sum(int(cell) << bit for bit, cell in enumerate(cells))
        truth = seen_from(shown > 0)[1]
        found = []
        for figure in range(10):
            x, y = place(figure, shown)
            soles = truth.to_image(np.array([(x - 4, y), (x + 4, y)])).tolist()
            head = truth.to_image(np.array([(x, y, 40.0)])).tolist()[0]
            found.append(
                Detection(
                    "minifig", 0.9, box_of(figure, shown),
                    ((soles[0][0], soles[0][1]), (soles[1][0], soles[1][1])),
                    (head[0], head[1]), soles_score=0.9,
                )
            )  # fmt: skip
        if regions is None:
            return found
        meets = in_regions(as_boxes([one.box_px for one in found]), regions)
        return [one for one, keep in zip(found, meets, strict=True) if keep]


class Tripod:
    """A camera that is bumped once; after its last picture it waits to be closed."""

    source_id = "tripod"

    def __init__(self) -> None:
        self.done = threading.Event()
        self._closing = threading.Event()

    def __iter__(self) -> Iterator[Frame]:
        for number in range(FRAMES):
            if self._closing.is_set():
                return
            yield Frame(number, number * STEP_NS, self.source_id, picture(number))
        self.done.set()
        self._closing.wait()

    def status(self) -> SourceStatus:
        return SourceStatus(SourceState.LIVE, 10.0, 50.0)

    def close(self) -> None:
        self._closing.set()


def game() -> GameFile:
    """Both teams, then the taps up to Red's movement."""
    kinds = [("terrain_done", None, None), ("roster_done", None, None), ("deploy_done", None, None)]
    actions: list[dict[str, object]] = [
        {"t_ms": 1000 + 100 * index, "kind": kind, "side": side, "value": value}
        for index, (kind, side, value) in enumerate([*kinds, ("first", None, "red")])
    ]
    actions.append({"t_ms": 10300, "kind": "done", "side": "red"})
    weapons = [["small", "small"]] * 2 + [["large"]] * 3
    sides = [
        {
            "side": side,
            "edge": edge,
            "units": [
                {"name": f"{side} {i}", "weapons": weapons[i], "at_mm": place(first + i, 0)}
                for i in range(5)
            ],
        }
        for side, first, edge in (("red", 0, "south"), ("blue", 5, "north"))
    ]
    return GameFile.model_validate(
        {"ruleset": "figurslag", "seed": 1, "sides": sides, "actions": actions}
    )


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bumped") / "game"
    recorder = Recorder(folder, "tripod")
    setting = Setting(
        make_feed=lambda known: PipelineFeed(Pipeline(Numbered(), known, mode="live")),
        make_script=lambda: Script(game()),
        recorder=recorder,
        search=False,
    )
    source = Tripod()
    table = LiveTable(source, demo_calibration(), setting, Hub())
    table.start()
    wait_for(source.done.is_set, 120)
    wait_for(lambda: any(line.t_ns > 10e9 for line in table.referee.lines))
    table.stop()
    recorder.close()
    assert table.calibration is not demo_calibration()
    return folder


def test_the_bump_is_in_the_recording(recorded: Path) -> None:
    reader = open_recording(recorded)
    views = recorded_views(reader)
    assert [view.moved for view in views] == [False, True, False]
    before, _, after = (view.calibration for view in views)
    assert before is not None and after is not None
    turned = after.camera_T_table[:3, :3] @ before.camera_T_table[:3, :3].T
    assert np.degrees(np.arccos((np.trace(turned) - 1) / 2)) == pytest.approx(0.86, abs=0.06)
    assert BUMP * STEP_NS < views[1].t_ns < views[2].t_ns < (BUMP + 20) * STEP_NS
    looked = [seen.t_ns for seen in reader.detections()]
    assert not any(views[1].t_ns <= t_ns < views[2].t_ns for t_ns in looked)
    log = (recorded / names.LOG).read_text()
    assert '"red"' in log and "moved" in log


def test_it_replays_to_the_same_log_from_its_pictures(recorded: Path) -> None:
    reader = open_recording(recorded)
    views = recorded_views(reader)

    def feed() -> PipelineFeed:
        pipeline = Pipeline(Numbered(), views[0].calibration, mode="live")
        return PipelineFeed(pipeline, recorded_actions(reader))

    source = RecordedFrames(reader, lambda: iter(()))
    assert check(reader, ViewedFeed(feed(), views), source) > 10
    with pytest.raises(NoAnswer):  # the last calibration alone does not do
        check(reader, feed(), RecordedFrames(reader, lambda: iter(())))


def test_it_replays_to_the_same_log_from_what_was_found(recorded: Path) -> None:
    reader = open_recording(recorded)
    views = recorded_views(reader)
    pipeline = Pipeline(ScriptedDetector({}), views[0].calibration)
    feed = DetectionFeed(pipeline, reader.detections(), recorded_actions(reader))
    times = RecordedFrames(reader, lambda: (seen.t_ns for seen in reader.detections()))
    assert check(reader, ViewedFeed(feed, views), times) > 10


@pytest.mark.parametrize("stage", ["detections", "inputs", "log"])
def test_the_command_replays_it(
    recorded: Path, stage: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["replay", str(recorded), "--from", stage, "--check", "--json"]) == 0
    assert '"ok":true' in capfd.readouterr().out.replace(" ", "")


@pytest.mark.parametrize(
    "line", ['{"t_ns": 1.5, "moved": false}', '{"t_ns": 1, "moved": false, "calibration": {}}']
)
def test_a_damaged_view_is_one_line(
    recorded: Path, tmp_path: Path, line: str, capfd: pytest.CaptureFixture[str]
) -> None:
    for path in recorded.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / names.VIEWS).write_text(line + "\n")
    assert run(["replay", str(tmp_path), "--from", "detections", "--check"]) == 2
    err = capfd.readouterr().err
    assert err.startswith("minimarshal: error: ") and err.count("\n") == 1
    assert names.VIEWS in err
