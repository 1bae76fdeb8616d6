"""A table that needs no camera and no weights: ten drawn figures and scripted moves.

``python -m tests.simulated --port 8000`` shows the page on it.
"""

from __future__ import annotations

import argparse
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.camera import Intrinsics
from calibration.plane import Calibration
from engine.table import FigureState, Terrain
from server.hub import Hub
from server.live import LiveTable
from server.recorder import Recorder
from server.script import GameFile, Script
from server.serving import open_port, serve_table
from server.session import Item
from server.setting import Setting
from vision.detection import Hand
from vision.frames import Frame
from vision.look import Look
from vision.sources import SourceState, SourceStatus
from vision.track import Track

SIZE_MM = (512.0, 344.0)
SIZE_PX = (960, 540)
STEP_NS = 100_000_000
RED, BLUE = (40, 40, 200), (200, 90, 30)


@dataclass(frozen=True)
class Move:
    """One figure carried from where it is to another place."""

    start_s: float
    end_s: float
    track_id: int
    to_mm: tuple[float, float]


def start_positions() -> dict[int, tuple[float, float]]:
    """Five figures near each long edge."""
    red = {i + 1: (96.0 + 80.0 * i, 30.0) for i in range(5)}
    blue = {i + 6: (96.0 + 80.0 * i, 314.0) for i in range(5)}
    return red | blue


def camera() -> Calibration:
    """A camera in front of the table, looking down at it."""
    lens = Intrinsics.from_fov(60.0, SIZE_PX)
    eye, target = np.array([256.0, -260.0, 560.0]), np.array([256.0, 180.0, 0.0])
    forward = (target - eye) / np.linalg.norm(target - eye)
    right = np.cross(forward, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    pose = np.eye(4)
    pose[:3, :3] = np.stack([right, down, forward])
    pose[:3, 3] = -pose[:3, :3] @ eye
    covariance = np.diag([1e-4, 1e-4, 1e-4, 0.2, 0.2, 0.2]) ** 2
    return Calibration(
        "points", "corner", SIZE_PX, lens, pose, size_mm=SIZE_MM, covariance=covariance
    )


class SimulatedTable:
    """Where everything is at any time."""

    def __init__(self, moves: tuple[Move, ...] = ()) -> None:
        self.moves = moves
        self.lying: dict[int, float] = {}

    def position(self, track_id: int, t_s: float) -> tuple[tuple[float, float], bool]:
        """Place in mm, and whether it is being carried."""
        place = start_positions()[track_id]
        for move in self.moves:
            if move.track_id != track_id or t_s < move.start_s:
                continue
            if t_s >= move.end_s:
                place = move.to_mm
                continue
            share = (t_s - move.start_s) / (move.end_s - move.start_s)
            x = place[0] + share * (move.to_mm[0] - place[0])
            y = place[1] + share * (move.to_mm[1] - place[1])
            return (x, y), True
        return place, False

    def look(self, frame: Frame, calibration: Calibration | None) -> Look:
        """What a perfect pipeline would see."""
        tracks, hands = [], []
        t_s = frame.t_ns / 1e9
        for track_id in start_positions():
            place, carried = self.position(track_id, t_s)
            box = figure_box(place)
            if carried:
                x0, y0, x1, y1 = box
                hands.append(Hand((x0 - 20, y0 - 20, x1 + 20, y1 + 20), 0.9))
            state = FigureState.IN_HAND if carried else FigureState.STANDING
            if t_s >= self.lying.get(track_id, float("inf")):
                state = FigureState.LYING
            tracks.append(
                Track(
                    track_id=track_id,
                    label="minifig",
                    position_mm=place if calibration is not None else None,
                    sigma_mm=0.6 if calibration is not None else None,
                    facing_deg=90.0 if track_id <= 5 else 270.0,
                    state=state,
                    level_mm=0.0,
                    box_px=box,
                    last_seen_ns=frame.t_ns,
                    score=0.9,
                )
            )
        return Look(
            index=frame.index,
            t_ns=frame.t_ns,
            detections=(),
            hands=tuple(hands),
            tracks=tuple(tracks),
            settled=not hands,
            cut=False,
        )

    def picture(self, t_s: float) -> np.ndarray:
        """What the camera shows."""
        image = np.full((SIZE_PX[1], SIZE_PX[0], 3), (96, 110, 120), np.uint8)
        corners = [(0, 0), (SIZE_MM[0], 0), SIZE_MM, (0, SIZE_MM[1])]
        plate = CAMERA.to_image(np.array(corners, dtype=float))
        cv2.fillPoly(image, [plate.astype(np.int32)], (70, 140, 70))
        order = sorted(start_positions(), key=lambda i: -self.position(i, t_s)[0][1])
        for track_id in order:
            place, _ = self.position(track_id, t_s)
            x0, y0, x1, y1 = (round(v) for v in figure_box(place))
            colour = RED if track_id <= 5 else BLUE
            cv2.rectangle(image, (x0, y0 + 6), (x1, y1), colour, -1)
            cv2.circle(image, ((x0 + x1) // 2, y0 + 5), 6, (40, 200, 240), -1)
        return image


CAMERA = camera()


def figure_box(place: tuple[float, float]) -> tuple[float, float, float, float]:
    """Box of a standing figure in the picture."""
    x, y = place
    points = np.array([(x - 8, y, 0.0), (x + 8, y, 0.0), (x - 8, y, 40.0), (x + 8, y, 40.0)])
    px = CAMERA.to_image(points)
    low, high = px.min(axis=0), px.max(axis=0)
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


class SimulatedSource:
    """Pictures of the simulated table in real time, or as fast as wanted."""

    source_id = "simulated"

    def __init__(self, table: SimulatedTable, length_s: float | None, real_time: bool) -> None:
        self.table = table
        self.state = SourceState.LIVE
        self._length_s = length_s
        self._real_time = real_time
        self._closing = threading.Event()

    def __iter__(self) -> Iterator[Frame]:
        start, index = time.monotonic(), 0
        while not self._closing.is_set():
            t_ns = index * STEP_NS
            if self._length_s is not None and t_ns > self._length_s * 1e9:
                return
            if self._real_time:
                self._closing.wait(max(0.0, start + t_ns / 1e9 - time.monotonic()))
            yield Frame(index, t_ns, self.source_id, self.table.picture(t_ns / 1e9))
            index += 1

    def status(self) -> SourceStatus:
        return SourceStatus(self.state, 10.0, 50.0)

    def close(self) -> None:
        self._closing.set()


class SimulatedFeed:
    """Perfect looks at the simulated table."""

    def __init__(self, table: SimulatedTable) -> None:
        self._table = table
        self._calibration: Calibration | None = None

    def items(self, frame: Frame) -> Iterator[Item]:
        yield self._table.look(frame, self._calibration)

    def adapt(
        self, calibration: Calibration | None, terrain: tuple[Terrain, ...], base_height_mm: float
    ) -> None:
        self._calibration = calibration


def simulated(
    *,
    moves: tuple[Move, ...] = (),
    length_s: float | None = None,
    loop: bool = False,
    calibrated: bool = True,
    game: GameFile | None = None,
    real_time: bool = True,
    recorder: Recorder | None = None,
) -> LiveTable:
    """A table ready to be started."""
    table = SimulatedTable(moves)
    setting = Setting(
        make_feed=lambda _calibration: SimulatedFeed(table),
        make_script=lambda: None if game is None else Script(game),
        recorder=recorder,
        loop=loop,
        search=False,
    )
    source = SimulatedSource(table, length_s, real_time)
    return LiveTable(source, CAMERA if calibrated else None, setting, Hub())


def by_hand(recorder: Recorder | None = None) -> LiveTable:
    """A table at which no camera looks, ready to be started."""
    setting = Setting(
        make_feed=lambda _calibration: SimulatedFeed(SimulatedTable()), recorder=recorder
    )
    return LiveTable(None, None, setting, Hub())


def opening(seed: int = 1) -> GameFile:
    """Both teams assigned as the rules want them."""
    weapons = [["small", "small"]] * 2 + [["large"]] * 3
    sides = []
    for name, first, edge in (("red", 1, "south"), ("blue", 6, "north")):
        units = [
            {
                "name": f"{name.capitalize()} {i + 1}",
                "weapons": weapons[i],
                "at_mm": start_positions()[first + i],
            }
            for i in range(5)
        ]
        sides.append({"side": name, "edge": edge, "units": units})
    return GameFile.model_validate({"ruleset": "figurslag", "seed": seed, "sides": sides})


def main() -> None:
    """Serve the simulated table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--bare", action="store_true", help="no calibration")
    parser.add_argument("--game", action="store_true", help="teams assigned")
    parser.add_argument("--loop", type=float, help="start again after so many seconds")
    chosen = parser.parse_args()
    moves = (Move(8.0, 10.0, 1, (100.0, 110.0)), Move(14.0, 16.0, 2, (180.0, 190.0)))
    table = simulated(
        moves=moves if chosen.loop else (),
        length_s=chosen.loop,
        loop=chosen.loop is not None,
        calibrated=not chosen.bare,
        game=opening() if chosen.game else None,
    )
    serve_table(table, open_port(chosen.port, False), False, False)


if __name__ == "__main__":
    main()
