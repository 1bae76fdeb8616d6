"""The pipeline on pictures of a simulated table, with scripted detections."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from engine.table import FigureState, Terrain
from tests.vision.tracking.simulator import SIZE, Carry, Faults, Shot, Toy, World
from vision.detection import BoxPx, Detection
from vision.footage import analyse_frames
from vision.frames import Frame, Image
from vision.pipeline import Mode, Pipeline
from vision.recording import Meta, RecordingReader, RecordingWriter
from vision.scripted import ScriptedDetector

CLEAN = Faults(0.3, 0.0, 0.0, 0.0)


class Watched(ScriptedDetector):
    """Notes what it was asked to look at."""

    def __init__(self, shots: list[Shot]) -> None:
        super().__init__({shot.index: shot.detections for shot in shots})
        self.asked: dict[int, list[BoxPx] | None] = {}

    def detect(self, image: Image, regions: Sequence[BoxPx] | None = None) -> list[Detection]:
        self.asked[self.frame] = None if regions is None else list(regions)
        return super().detect(image, regions)


def clip(seconds: float = 7.0) -> tuple[World, list[Shot]]:
    toys = [
        Toy("a", "red", (120.0, 120.0)),
        Toy("b", "blue", (300.0, 260.0)),
        Toy("c", "yellow", (480.0, 150.0)),
    ]
    world = World(toys, seconds, [Carry("a", 2.0, 4.0, (250.0, 80.0))], faults=CLEAN)
    return world, list(world.play())


def frames(shots: list[Shot]) -> list[Frame]:
    return [Frame(shot.index, shot.t_ns, "clip", shot.image) for shot in shots]


class Clip:
    """Frames as a source."""

    source_id = "clip"

    def __init__(self, shots: list[Shot]) -> None:
        self._frames = frames(shots)

    def __iter__(self):  # type: ignore[no-untyped-def]
        return iter(self._frames)

    def close(self) -> None:
        pass


@pytest.mark.parametrize("mode", ["full", "live"])
def test_a_carried_figure_from_pictures(mode: Mode) -> None:
    world, shots = clip()
    pipeline = Pipeline(Watched(shots), world.calibration, mode=mode)
    looks = []
    for shot, frame in zip(shots, frames(shots), strict=True):
        pipeline._detector.frame = shot.index  # type: ignore[attr-defined]
        looks.append(pipeline.step(frame))
    before = {t.track_id: t for t in looks[13].tracks}
    after = {t.track_id: t for t in looks[-1].tracks}
    assert set(before) == set(after)
    places = sorted(tuple(round(v) for v in t.position_mm or ()) for t in after.values())
    for place, expected in zip(places, [(250, 80), (300, 260), (480, 150)], strict=True):
        assert place == pytest.approx(expected, abs=3)
    assert looks[13].settled
    assert looks[-1].settled
    assert any(look.hands for look in looks[20:40])
    assert not any(look.settled for look in looks[22:38])


def test_live_looks_only_where_something_changed() -> None:
    world, shots = clip()
    detector = Watched(shots)
    pipeline = Pipeline(detector, world.calibration, mode="live")
    looks = []
    for shot, frame in zip(shots, frames(shots), strict=True):
        detector.frame = shot.index
        looks.append(pipeline.step(frame))
    assert detector.asked[0] is None
    whole = SIZE[0] * SIZE[1]
    still = [
        sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in detector.asked.get(n) or [])
        for n in range(5, 15)
    ]
    assert max(still) < 0.35 * whole
    # Figures in unchanged parts are carried over, not forgotten.
    assert all(len(look.detections) == 3 for look in looks[5:14])


def test_same_frames_same_looks() -> None:
    world, shots = clip(4.0)
    runs = []
    for _ in range(2):
        pipeline = Pipeline(Watched(shots), world.calibration)
        runs.append([pipeline.step(frame) for frame in frames(shots)])
    assert runs[0] == runs[1]


def test_without_calibration_boxes_only_then_calibrated_while_running() -> None:
    world, shots = clip(1.5)
    pipeline = Pipeline(Watched(shots))
    looks = [pipeline.step(frame) for frame in frames(shots)[:10]]
    assert len(looks[-1].tracks) == 3
    assert all(t.position_mm is None and t.box_px is not None for t in looks[-1].tracks)
    ids = [t.track_id for t in looks[-1].tracks]
    pipeline.calibration = world.calibration
    look = pipeline.step(frames(shots)[10])
    assert [t.track_id for t in look.tracks] == ids
    assert look.tracks[0].position_mm is not None
    nearest = min(abs(t.position_mm[0] - 120) for t in look.tracks if t.position_mm)
    assert nearest < 3


def test_a_figure_on_a_roof_gets_its_level() -> None:
    world, shots = clip(1.0)
    roof = Terrain(
        "t1", "building", ((430.0, 100.0), (530.0, 100.0), (530.0, 200.0), (430.0, 200.0)),
        28.8, standable=True,
    )  # fmt: skip
    world.by_name["c"].lift = 28.8
    shots = list(world.play())
    pipeline = Pipeline(Watched(shots), world.calibration, terrain=[roof])
    look = [pipeline.step(frame) for frame in frames(shots)][-1]
    on_roof = [t for t in look.tracks if t.level_mm > 0]
    assert len(on_roof) == 1
    assert on_roof[0].level_mm == 28.8
    assert on_roof[0].position_mm == pytest.approx((480, 150), abs=2)


def test_a_cut_starts_anew_and_knows_unique_figures_again() -> None:
    first = World(
        [Toy("a", "red", (120.0, 120.0)), Toy("b", "blue", (300.0, 260.0))], 2, faults=CLEAN
    )
    second = World(
        [Toy("b", "blue", (200.0, 100.0)), Toy("c", "yellow", (420.0, 220.0))],
        2,
        faults=CLEAN,
        seed=9,
    )
    shots = list(first.play())
    count = len(shots)
    random = np.random.default_rng(5)
    texture = np.kron(
        random.integers(0, 130, (6, 12, 3), dtype=np.uint8), np.ones((45, 40, 1), np.uint8)
    )
    for shot in second.play():
        plain = np.all(np.abs(shot.image.astype(int) - (75, 125, 65)) < 30, axis=2)
        shot.image[plain] = 255 - texture[plain]
        shot.index += count
        shot.t_ns += 2_000_000_000
        shots.append(shot)
    pipeline = Pipeline(Watched(shots), first.calibration)
    looks = [pipeline.step(frame) for frame in frames(shots)]
    assert [look.index for look in looks if look.cut] == [count]
    blue = next(t for t in looks[count - 1].tracks if t.position_mm[1] > 200)  # type: ignore[index]
    again = {t.track_id: t.position_mm for t in looks[-1].tracks}
    assert len(again) == 2
    assert again[blue.track_id] == pytest.approx((200, 100), abs=3)
    assert max(again) > max(t.track_id for t in looks[count - 1].tracks)


def test_stages_are_timed_by_the_given_clock_only() -> None:
    _, shots = clip(0.3)
    ticks = iter(range(0, 10**6, 7))
    pipeline = Pipeline(Watched(shots), clock=lambda: next(ticks))
    look = pipeline.step(frames(shots)[0])
    assert look.stages_ns == {"detect": 7, "hands": 7, "geometry": 7, "track": 7}
    assert Pipeline(Watched(shots)).step(frames(shots)[0]).stages_ns is None


def test_analyse_counts_and_writes(tmp_path: Path) -> None:
    world, shots = clip()
    pipeline = Pipeline(Watched(shots), world.calibration)
    done = []
    with RecordingWriter(tmp_path / "out", Meta("clip", "0.1.0")) as writer:
        summary = analyse_frames(Clip(shots), pipeline, writer, progress=done.append)
    assert (summary.frames, summary.figures, summary.moves) == (len(shots), 3, 1)
    assert summary.duration_s == pytest.approx(shots[-1].t_ns / 1e9)
    assert done == list(range(1, len(shots) + 1))
    lines = list(RecordingReader(tmp_path / "out").tracks())
    assert [line["frame"] for line in lines] == list(range(len(shots)))
    assert {t["state"] for line in lines for t in line["tracks"]} >= {"standing"}
    assert not (tmp_path / "out" / "frames.mkv").exists()
    assert FigureState.STANDING.value == "standing"
