"""A file played in real time, by a clock that moves only when the player waits."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np

from vision.frames import Frame
from vision.sources import PacedSource, SourceState

TIMES_MS = (0, 100, 250, 300)
MS = 1_000_000


class Film:
    source_id = "film"
    closed = 0

    def __iter__(self) -> Iterator[Frame]:
        for index, at in enumerate(TIMES_MS):
            yield Frame(index, at * MS, "film", np.full((32, 32, 3), index, dtype=np.uint8))

    def close(self) -> None:
        self.closed += 1


class Watch:
    def __init__(self) -> None:
        self.now = 7_000

    def __call__(self) -> int:
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += round(seconds * 1e9)


def test_frames_come_when_they_are_due() -> None:
    watch = Watch()
    source = PacedSource(Film(), clock=watch, wait=watch.wait)
    arrivals = [(f.index, f.t_ns // MS, (watch.now - 7_000) // MS) for f in source]
    assert arrivals == [(0, 0, 0), (1, 100, 100), (2, 250, 250), (3, 300, 300)]


def test_late_frames_are_passed_over() -> None:
    watch = Watch()
    seen = []
    for frame in PacedSource(Film(), clock=watch, wait=watch.wait):
        seen.append(frame.index)
        watch.now += 260 * MS  # the viewer is slow
    assert seen == [0, 2, 3]


def test_a_loop_goes_on_counting() -> None:
    watch = Watch()
    source = PacedSource(Film(), loop=True, clock=watch, wait=watch.wait)
    frames = list(islice(source, 10))
    assert [frame.index for frame in frames] == list(range(10))
    assert [frame.t_ns // MS for frame in frames] == [
        0, 100, 250, 300, 350, 450, 600, 650, 700, 800,
    ]  # fmt: skip
    assert [int(frame.image[0, 0, 0]) for frame in frames] == [0, 1, 2, 3, 0, 1, 2, 3, 0, 1]
    assert source.lap == 2


def test_a_playing_file_is_live_until_its_end() -> None:
    watch = Watch()
    film = Film()
    source = PacedSource(film, clock=watch, wait=watch.wait)
    frames = iter(source)
    next(frames)
    next(frames)
    assert source.status().state is SourceState.LIVE
    assert source.status().fps == 10.0
    assert list(frames)
    assert source.status().state is SourceState.NONE


def test_close_stops_it() -> None:
    watch = Watch()
    film = Film()
    source = PacedSource(film, loop=True, clock=watch, wait=watch.wait)
    frames = iter(source)
    next(frames)
    source.close()
    assert list(frames) == []
    assert film.closed == 1
    assert source.status().state is SourceState.NONE


def test_a_patient_player_leaves_nothing_out_and_runs_slower() -> None:
    watch = Watch()
    source = PacedSource(Film(), clock=watch, wait=watch.wait, patient=True)
    arrivals = []
    for frame in source:
        arrivals.append((frame.index, (watch.now - 7_000) // MS))
        if frame.index == 0:
            watch.now += 260 * MS  # the viewer is slow once
    # Later frames keep their distance to the late one instead of catching up.
    assert arrivals == [(0, 0), (1, 260), (2, 410), (3, 460)]
