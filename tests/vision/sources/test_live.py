"""The reader thread against a scripted device and a clock that the test turns."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from vision.errors import BadSource
from vision.frames import Image
from vision.sources import LiveSource, LiveTiming, SourceState, is_live

TIMING = LiveTiming(
    stale_ns=1_000,
    reopen_ns=3_000,
    opening_ns=6_000,
    lost_ns=10_000,
    first_s=2.0,
    back_off_s=(0.01,),
    tick_s=0.01,
)
PATIENCE_S = 5.0


def picture(number: int) -> Image:
    return np.full((48, 64, 3), number % 256, dtype=np.uint8)


class Turned:
    """A clock that stands still until the test moves it."""

    def __init__(self) -> None:
        self.now = 0

    def __call__(self) -> int:
        return self.now


class Device:
    """Delivers what the test puts in; blocks while it has nothing, like a camera."""

    def __init__(self) -> None:
        self.next: Image | None = None
        self.ends = False
        self.repeats = False
        self.fault: str | None = None
        self.opened = 0
        self.closed = 0
        self.reads = 0
        self.hangs = threading.Event()
        self.hangs.set()

    def open(self) -> Device:
        self.opened += 1
        if self.fault:
            raise BadSource("camera:0", self.fault)
        return self

    def read(self) -> Image | None:
        self.hangs.wait()
        while self.next is None and not self.ends:
            time.sleep(0.001)
            if not self.hangs.is_set():
                self.hangs.wait()
        if self.ends:
            return None
        image = self.next
        if not self.repeats:
            self.next = None
        else:
            time.sleep(0.001)
        self.reads += 1
        return image

    def close(self) -> None:
        self.closed += 1


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.002)


@pytest.fixture
def device() -> Iterator[Device]:
    device = Device()
    yield device
    device.ends = True
    device.hangs.set()


@pytest.fixture
def clock() -> Turned:
    return Turned()


@pytest.fixture
def source(device: Device, clock: Turned) -> Iterator[LiveSource]:
    source = LiveSource("camera:0", device.open, clock, TIMING)
    yield source
    source.close()


def test_only_the_newest_picture_is_kept(source: LiveSource, device: Device, clock: Turned) -> None:
    device.next = picture(1)
    source.start()
    frames = iter(source)
    first = next(frames)
    assert (first.index, first.t_ns, first.image[0, 0, 0]) == (0, 0, 1)
    for number in (2, 3, 4):
        clock.now += 100
        device.next = picture(number)
        until(lambda: device.next is None)
        until(lambda n=number: source.status().age_ms == pytest.approx(0.0))  # type: ignore[misc]
    newest = next(frames)
    assert (newest.index, newest.t_ns, newest.image[0, 0, 0]) == (1, 300, 4)
    assert newest.source_id == "camera:0"


def test_state_goes_from_live_to_stale_to_lost_and_back(
    source: LiveSource, device: Device, clock: Turned
) -> None:
    assert source.status().state is SourceState.NONE
    device.next = picture(1)
    source.start()
    assert source.status().state is SourceState.LIVE
    clock.now = 1_500
    assert source.status().state is SourceState.STALE
    assert source.status().age_ms == pytest.approx(0.0015)
    device.ends = True
    until(lambda: source.status().state is SourceState.RECONNECTING)
    clock.now = 20_000
    assert source.status().state is SourceState.LOST
    device.ends, device.next = False, picture(2)
    until(lambda: source.status().state is SourceState.LIVE)
    assert device.opened >= 2
    assert device.closed >= 1
    source.close()
    assert source.status().state is SourceState.NONE


def test_a_frozen_device_gives_no_frames_and_is_opened_again(
    source: LiveSource, device: Device, clock: Turned
) -> None:
    device.next, device.repeats = picture(7), True
    source.start()
    frames = iter(source)
    next(frames)
    before = device.reads
    clock.now = 2_000
    until(lambda: device.reads > before + 5)
    assert source.status().state is SourceState.STALE
    assert source.status().fps == 0.0
    clock.now = 4_000
    until(lambda: device.opened >= 2)
    device.next = picture(8)
    assert next(frames).image[0, 0, 0] == 8
    assert source.status().state is SourceState.LIVE


def test_a_device_that_hangs_is_replaced(source: LiveSource, device: Device, clock: Turned) -> None:
    device.next = picture(1)
    source.start()
    until(lambda: device.next is None)
    device.hangs.clear()
    clock.now = 4_000
    until(lambda: source.status() and device.opened >= 2)
    device.hangs.set()

    def live() -> bool:
        # The reader left behind wakes too, and may take a picture with it.
        device.next = device.next if device.next is not None else picture(2)
        return source.status().state is SourceState.LIVE

    until(live)


def test_readers_left_behind_stay_few(source: LiveSource, device: Device, clock: Turned) -> None:
    device.next = picture(1)
    source.start()
    device.hangs.clear()
    for _ in range(20):
        clock.now += 10_000
        source.status()
        time.sleep(0.002)
    alive = [t for t in threading.enumerate() if t.name == "reader of camera:0"]
    assert len(alive) <= 4


def test_close_does_not_wait_for_a_hanging_device(source: LiveSource, device: Device) -> None:
    device.next = picture(1)
    source.start()
    device.hangs.clear()
    began = time.monotonic()
    source.close()
    source.close()
    assert time.monotonic() - began < 3.0
    assert list(source) == []


def test_close_ends_a_waiting_reader_of_frames(source: LiveSource, device: Device) -> None:
    device.next = picture(1)
    source.start()
    seen: list[int] = []
    reader = threading.Thread(target=lambda: seen.extend(f.index for f in source))
    reader.start()
    until(lambda: seen == [0])
    source.close()
    reader.join(PATIENCE_S)
    assert not reader.is_alive()


def test_a_device_that_cannot_be_opened_is_bad_at_once(source: LiveSource, device: Device) -> None:
    device.fault = "no such camera"
    with pytest.raises(BadSource, match="camera:0: no such camera"):
        source.start()


def test_a_device_that_shows_nothing_is_bad_in_the_end(device: Device) -> None:
    timing = LiveTiming(first_s=0.05, tick_s=0.01)
    source = LiveSource("camera:0", device.open, Turned(), timing)
    with pytest.raises(BadSource, match="shows no picture"):
        source.start()


def test_frame_rate(source: LiveSource, device: Device, clock: Turned) -> None:
    device.next = picture(0)
    source.start()
    for number in range(1, 11):
        until(lambda: device.next is None)
        clock.now += 500
        device.next = picture(number)
        until(lambda: source.status().age_ms == 0.0)
    assert source.status().fps == pytest.approx(2_000_000)


@pytest.mark.parametrize(
    ("text", "live"),
    [
        ("camera:0", True),
        ("rtsp://host/x", True),
        ("HTTP://host/video", True),
        ("https://host/video", True),
        ("film.mp4", False),
        ("camera.mp4", False),
    ],
)
def test_what_is_live(text: str, live: bool) -> None:
    assert is_live(text) is live
