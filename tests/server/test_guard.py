"""The camera is bumped while a table is running."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import lru_cache

import cv2
import numpy as np
import pytest

from calibration.plane import Calibration
from engine.table import Terrain
from server.demo import demo_calibration, demo_source
from server.guard import Guard
from server.hub import Hub
from server.live import LiveTable
from server.session import Item
from server.setting import Setting
from tests.server.conftest import client_of, wait_for
from vision.frames import Frame, Image
from vision.look import Look
from vision.sources import SourceState, SourceStatus

STEP_NS = 100_000_000


@lru_cache(maxsize=1)
def first_picture() -> Image:
    return next(iter(demo_source())).image


@lru_cache(maxsize=12)
def seen_from(degrees: float) -> Image:
    """The same table from a turned camera."""
    K = demo_calibration().intrinsics.matrix
    rotation, _ = cv2.Rodrigues(np.radians(degrees) * np.array([0.3, 0.9, 0.1]))
    height, width = first_picture().shape[:2]
    mapping = K @ rotation @ np.linalg.inv(K)
    return cv2.warpPerspective(  # type: ignore[return-value]
        first_picture(), mapping, (width, height), borderMode=cv2.BORDER_REPLICATE
    )


class Tripod:
    """A camera that can be bumped."""

    source_id = "tripod"

    def __init__(self) -> None:
        self.degrees = 0.0
        self.size = 1.0
        self._closing = threading.Event()

    def __iter__(self) -> Iterator[Frame]:
        index = 0
        while not self._closing.wait(0.01):
            image = seen_from(self.degrees)
            if self.size != 1.0:
                image = cv2.resize(image, None, fx=self.size, fy=self.size)  # type: ignore[assignment]
            yield Frame(index, index * STEP_NS, self.source_id, image)
            index += 1

    def status(self) -> SourceStatus:
        return SourceStatus(SourceState.LIVE, 10.0, 50.0)

    def close(self) -> None:
        self._closing.set()


class Bare:
    """Nothing stands on the table."""

    calibration: Calibration | None = None
    looks = 0

    def items(self, frame: Frame) -> Iterator[Item]:
        self.looks += 1
        yield Look(frame.index, frame.t_ns, (), (), (), True, False)

    def adapt(
        self, calibration: Calibration | None, terrain: tuple[Terrain, ...], base_height_mm: float
    ) -> None:
        self.calibration = calibration


@pytest.fixture
def running() -> Iterator[tuple[LiveTable, Tripod, Bare]]:
    source, feed = Tripod(), Bare()
    table = LiveTable(source, demo_calibration(), Setting(lambda _known: feed), Hub())
    table.start()
    wait_for(lambda: feed.looks > 8)
    yield table, source, feed
    table.stop()


def test_a_bumped_table_is_found_again(running: tuple[LiveTable, Tripod, Bare]) -> None:
    table, source, feed = running
    before = demo_calibration()
    with client_of(table) as client:
        ask = {"from": {"mm": [100, 100]}, "to": {"mm": [200, 100]}}
        assert client.post("/api/measure", json=ask).status_code == 200
        source.degrees = 0.8
        wait_for(lambda: table.camera().moved)
        looks = feed.looks
        answer = client.post("/api/measure", json=ask)
        if table.camera().moved:
            assert answer.status_code == 422
            assert "camera moved" in answer.json()["reason"]
        wait_for(lambda: not table.camera().moved)
        assert table.calibration is not None
        turned = table.calibration.camera_T_table[:3, :3] @ before.camera_T_table[:3, :3].T
        assert np.degrees(np.arccos((np.trace(turned) - 1) / 2)) == pytest.approx(0.77, abs=0.05)
        assert table.calibration.size_mm == before.size_mm
        wait_for(lambda: feed.looks > looks + 3)
        assert feed.calibration is table.calibration
        assert client.get("/api/snapshot").json()["camera"]["moved"] is False


def test_another_resolution_is_found_again(running: tuple[LiveTable, Tripod, Bare]) -> None:
    table, source, feed = running
    before = demo_calibration()
    for size in (0.5, 1.0):
        source.size = size
        wide = round(size * before.image_size_px[0])
        wait_for(lambda wide=wide: table.calibration.image_size_px[0] == wide)  # type: ignore[misc, union-attr]
        found = table.calibration
        assert found is not None and found.size_mm == before.size_mm
        looks = feed.looks
        wait_for(lambda looks=looks: feed.looks > looks + 2)  # type: ignore[misc]
        assert feed.calibration is found
        places = np.array([(40.0, 40.0), (300.0, 60.0), (300.0, 220.0), (60.0, 220.0)])
        px = (before.to_image(places) + 0.5) * size - 0.5
        assert np.hypot(*(found.to_table(px) - places).T).max() < 0.7


@pytest.mark.parametrize("cut", ["sides", "top and bottom"])
def test_a_mode_that_cuts_the_picture_is_found_again(cut: str) -> None:
    calibration = demo_calibration()
    image = first_picture()
    height, width = image.shape[:2]
    x, y = (width // 8, 0) if cut == "sides" else (0, height // 8)
    part = image[y : height - y, x : width - x]
    guard = Guard()
    assert guard.step(Frame(0, 0, "x", image), calibration) is None
    other = cv2.resize(part, None, fx=1.25, fy=1.25)
    found = guard.step(Frame(1, STEP_NS, "x", np.asarray(other, dtype=np.uint8)), calibration)
    assert found is not None and not guard.moved
    places = np.array([(100.0, 100.0), (280.0, 100.0), (280.0, 220.0), (100.0, 220.0)])
    px = (calibration.to_image(places) - [x, y] + 0.5) * 1.25 - 0.5
    assert np.hypot(*(found.to_table(px) - places).T).max() < 0.7
    assert guard.step(Frame(2, 2 * STEP_NS, "x", np.asarray(other, dtype=np.uint8)), found) is None
    assert not guard.moved


def test_another_table_in_another_size_is_not_taken_for_this_one() -> None:
    guard = Guard()
    calibration = demo_calibration()
    guard.step(Frame(0, 0, "x", first_picture()), calibration)
    rng = np.random.default_rng(1)
    other = rng.integers(0, 255, (270, 480, 3), dtype=np.uint8)
    for index in range(1, 30):
        assert guard.step(Frame(index, index * STEP_NS, "x", other), calibration) is None
        assert guard.moved


def test_a_table_measured_anew_is_watched_from_there() -> None:
    guard = Guard()
    calibration = demo_calibration()
    for index in range(20):
        guard.step(Frame(index, index * STEP_NS, "x", seen_from(0.0)), calibration)
    for index in range(20, 26):
        guard.step(Frame(index, index * STEP_NS, "x", seen_from(1.2)), calibration)
    assert guard.moved
    guard.step(Frame(26, 26 * STEP_NS, "x", seen_from(1.2)), demo_calibration())
    assert not guard.moved


def test_without_a_calibration_nothing_is_watched() -> None:
    guard = Guard()
    for index, degrees in enumerate((0.0, 0.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0)):
        assert guard.step(Frame(index, index * STEP_NS, "x", seen_from(degrees)), None) is None
        assert not guard.moved


@pytest.mark.parametrize("degrees", [9.0, 14.0])
def test_a_camera_turned_far_finds_the_table_once_it_stands_still(degrees: float) -> None:
    truth = demo_calibration()
    guard, used, moved = Guard(), truth, False
    for index in range(60):
        # It is turned in half a second; nothing is believed while it still moves.
        turn = degrees * min(max(index - 10, 0) / 5, 1.0)
        found = guard.step(Frame(index, index * STEP_NS, "x", seen_from(turn)), used)
        if found is not None:
            assert index > 20
            used = found
        moved = moved or guard.moved
    assert moved and not guard.moved and used is not truth
    K = truth.intrinsics.matrix
    rotation, _ = cv2.Rodrigues(np.radians(degrees) * np.array([0.3, 0.9, 0.1]))
    places = np.array([[40.0, 40], [200, 200], [60, 340], [200, 40]])
    px = truth.to_image(places)
    px = cv2.perspectiveTransform(px[:, None], K @ rotation @ np.linalg.inv(K))[:, 0]
    assert np.abs(used.to_table(px) - places).max() < 0.5
    # And from there it is watched on.
    again = [
        guard.step(Frame(60 + n, (60 + n) * STEP_NS, "x", seen_from(degrees - 1.0)), used)
        for n in range(25)
    ]
    assert sum(one is not None for one in again) == 1


def test_another_table_is_not_taken_for_a_far_turn() -> None:
    guard, truth = Guard(), demo_calibration()
    guard.step(Frame(0, 0, "x", first_picture()), truth)
    other = np.random.default_rng(3).integers(0, 255, first_picture().shape, dtype=np.uint8)
    for index in range(1, 40):
        assert guard.step(Frame(index, index * STEP_NS, "x", other), truth) is None
    assert guard.moved
