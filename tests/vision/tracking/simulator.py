"""A small table with figures and hands, seen by a camera and a detector with faults."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Intrinsics
from calibration.plane import Calibration
from engine.table import FigureState
from tests.calibration.views import look_at
from vision.detection import BoxPx, Detection, Hand
from vision.evaluation.mot import Item

SIZE = (480, 270)
TABLE = (600.0, 400.0)
FPS = 10
SECOND_NS = 1_000_000_000
HEIGHT = 39.0
HALF = 8.0
SKIN = (140, 170, 220)

PALETTE = {
    "red": ((40, 40, 200), (60, 60, 60)),
    "blue": ((190, 80, 30), (60, 60, 60)),
    "green": ((60, 150, 40), (40, 60, 110)),
    "yellow": ((40, 200, 230), (170, 70, 20)),
    "white": ((220, 220, 220), (30, 30, 160)),
    "black": ((40, 40, 40), (120, 120, 120)),
}
"""Upper and lower colour, BGR."""


@dataclass
class Toy:
    """A figure of the truth."""

    name: str
    colour: str
    at: tuple[float, float]
    lift: float = 0.0
    lying: bool = False
    held: bool = False
    on_table: bool = True


@dataclass
class Carry:
    """A hand that takes a figure from where it stands to another place."""

    name: str
    start_s: float
    end_s: float
    to: tuple[float, float]
    lay_down: bool = False
    lift: float = 45.0
    width_mm: float = 60.0
    over_mm: float = 10.0
    remove: bool = False
    _from: tuple[float, float] | None = None


@dataclass
class Cover:
    """A hand that rests over a place."""

    start_s: float
    end_s: float
    at: tuple[float, float]
    width_mm: float = 100.0


@dataclass
class Faults:
    """What the detector gets wrong."""

    jitter_px: float = 0.4
    miss: float = 0.03
    false: float = 0.03
    double: float = 0.03
    soles: bool = True
    unseen_below: float = 0.45


@dataclass
class Shot:
    """One picture with its truth."""

    index: int
    t_ns: int
    image: NDArray[np.uint8]
    detections: list[Detection]
    hands: list[Hand]
    truth: list[Item]
    visible: dict[str, float]


@dataclass
class World:
    """A scripted clip."""

    toys: list[Toy]
    seconds: float
    acts: list[Carry | Cover] = field(default_factory=list)
    jumps: list[tuple[float, str, tuple[float, float]]] = field(default_factory=list)
    arrivals: list[tuple[float, str]] = field(default_factory=list)
    faults: Faults = field(default_factory=Faults)
    seed: int = 1
    fps: int = FPS
    hands_seen: bool = True

    def __post_init__(self) -> None:
        self.calibration = camera()
        self.by_name = {toy.name: toy for toy in self.toys}
        random = np.random.default_rng(self.seed + 1000)
        self._noise = [
            random.integers(0, 12, (SIZE[1], SIZE[0], 3), dtype=np.uint8) for _ in range(4)
        ]

    def play(self) -> Iterator[Shot]:
        """All pictures in order."""
        random = np.random.default_rng(self.seed)
        ground = _ground(random)
        for index in range(round(self.seconds * self.fps)):
            t = index / self.fps
            hands = self._act(t)
            yield self._shoot(index, hands, ground, random)

    def _act(self, t: float) -> list[BoxPx]:
        hands: list[BoxPx] = []
        for when, name, to in self.jumps:
            if when <= t < when + 1 / self.fps:
                self.by_name[name].at = to
        for when, name in self.arrivals:
            if when <= t < when + 1 / self.fps:
                self.by_name[name].on_table = True
        for act in self.acts:
            if isinstance(act, Cover):
                if act.start_s <= t <= act.end_s:
                    hands.append(self._hand(act.at, 10.0, act.width_mm, 0.0))
                continue
            toy = self.by_name[act.name]
            reach = 0.5
            if not act.start_s - reach <= t <= act.end_s + reach:
                continue
            if act._from is None:
                act._from = toy.at
            share = np.clip((t - act.start_s) / (act.end_s - act.start_s), 0.0, 1.0)
            here = tuple(a + share * (b - a) for a, b in zip(act._from, act.to, strict=True))
            toy.held = 0.0 < share < 1.0
            if toy.held:
                toy.on_table = True
            toy.at = (float(here[0]), float(here[1]))
            toy.lift = act.lift * min(1.0, 5 * share, 5 * (1 - share))
            if share >= 1.0:
                toy.lying = toy.lying or act.lay_down
                toy.on_table = not act.remove
            out = 0.0
            if t < act.start_s:
                out = (act.start_s - t) / reach
            if t > act.end_s:
                out = (t - act.end_s) / reach
            hands.append(self._hand(toy.at, toy.lift, act.width_mm, out, act.over_mm))
        return hands

    def _hand(
        self,
        at: tuple[float, float],
        lift: float,
        width: float,
        out: float,
        over: float = 30.0,
    ) -> BoxPx:
        """A hand above the place, with its arm to the lower edge of the picture."""
        y = at[1] - out * (at[1] + 60.0)
        corners = np.array(
            [[at[0] + dx, y, lift + HEIGHT + dz] for dx in (-width / 2, width / 2) for dz in (0, 1)]
        )
        px = self.calibration.to_image(corners)
        scale = (px[:, 0].max() - px[:, 0].min()) / width
        top = float(px[:, 1].min()) - 15 * scale
        # The palm hides the upper part of what it holds; the arm comes from the right below.
        low = float(px[:, 1].max()) + over * scale
        x0, x1 = float(px[:, 0].min()), float(px[:, 0].max())
        return (x0, top, x1 + 2.0 * width * scale * 0.2, low)

    def _shoot(
        self,
        index: int,
        hands: list[BoxPx],
        ground: NDArray[np.uint8],
        random: np.random.Generator,
    ) -> Shot:
        toys = [toy for toy in self.toys if toy.on_table]
        owner = np.zeros((SIZE[1], SIZE[0]), dtype=np.int16)
        image = ground.copy()
        depth = [self._depth(toy) for toy in toys]
        boxes: dict[str, BoxPx] = {}
        areas: dict[str, int] = {}
        for order in np.argsort(-np.array(depth)):
            toy = toys[int(order)]
            box = self._box(toy)
            boxes[toy.name] = box
            x0, y0, x1, y1 = (round(edge) for edge in box)
            x0, y0 = max(0, x0), max(0, y0)
            upper, lower = PALETTE[toy.colour]
            half = (y0 + y1) // 2
            image[y0:half, x0:x1] = upper
            image[half:y1, x0:x1] = lower
            owner[y0:y1, x0:x1] = int(order) + 1
            areas[toy.name] = max(1, (y1 - y0) * (x1 - x0))
        for x0, y0, x1, y1 in hands:
            image[max(0, round(y0)) : max(0, round(y1)), max(0, round(x0)) : round(x1)] = SKIN
            owner[max(0, round(y0)) : max(0, round(y1)), max(0, round(x0)) : round(x1)] = -1
        image = cv2.add(image, self._noise[index % len(self._noise)])
        visible = {
            toy.name: float((owner == order + 1).sum()) / areas[toy.name]
            for order, toy in enumerate(toys)
        }
        detections = []
        for toy in toys:
            seen = visible[toy.name]
            if seen < self.faults.unseen_below or random.random() < self.faults.miss:
                continue
            detections.append(self._detect(toy, boxes[toy.name], random))
            if random.random() < self.faults.double:
                detections.append(self._detect(toy, boxes[toy.name], random, spoiled=True))
        if random.random() < self.faults.false:
            x, y = random.uniform(25, SIZE[0] - 25), random.uniform(75, SIZE[1] - 40)
            detections.append(Detection("minifig", 0.4, (x, y, x + 9, y + 22)))
        truth = [
            Item(toy.name, toy.at, ignore=toy.held, measured=visible[toy.name] > 0.5)
            for toy in toys
        ]
        found = [Hand(box, 0.9) for box in hands] if self.hands_seen else []
        t_ns = round(index * SECOND_NS / self.fps)
        return Shot(index, t_ns, image, detections, found, truth, visible)

    def _depth(self, toy: Toy) -> float:
        return float(np.hypot(*(np.array(toy.at) - self.calibration.camera_position_mm[:2])))

    def _corners(self, toy: Toy) -> NDArray[np.float64]:
        x, y = toy.at
        if toy.lying:
            return np.array(
                [
                    [x + dx, y + dy, toy.lift + dz]
                    for dx in (-HEIGHT / 2, HEIGHT / 2)
                    for dy in (-HALF, HALF)
                    for dz in (0, 11.0)
                ]
            )
        return np.array(
            [
                [x + dx, y + dy, toy.lift + dz]
                for dx in (-HALF, HALF)
                for dy in (-6.0, 6.0)
                for dz in (0, HEIGHT)
            ]
        )

    def _box(self, toy: Toy) -> BoxPx:
        px = self.calibration.to_image(self._corners(toy))
        x0, y0 = px.min(axis=0)
        x1, y1 = px.max(axis=0) + 1
        return (float(x0), float(y0), float(x1), float(y1))

    def _detect(
        self, toy: Toy, box: BoxPx, random: np.random.Generator, spoiled: bool = False
    ) -> Detection:
        sigma = self.faults.jitter_px * (4 if spoiled else 1)
        jitter = random.normal(0, sigma, 10)
        x0, y0, x1, y1 = (edge + float(j) for edge, j in zip(box, jitter[:4], strict=True))
        x, y = toy.at
        if toy.lying:
            keys = np.array(
                [
                    [x - HEIGHT / 2, y + 4, 5.5],
                    [x - HEIGHT / 2, y - 4, 5.5],
                    [x + HEIGHT / 2, y, 5.5],
                ]
            )
        else:
            keys = np.array(
                [
                    [x - 4, y, toy.lift],
                    [x + 4, y, toy.lift],
                    [x, y, toy.lift + HEIGHT],
                ]
            )
        px = self.calibration.to_image(keys) + jitter[4:10].reshape(3, 2)
        left, right, head = ((float(p[0]), float(p[1])) for p in px)
        return Detection(
            "minifig",
            float(np.clip(0.8 + random.normal(0, 0.05), 0.3, 0.99)) - (0.3 if spoiled else 0.0),
            (x0, y0, x1, y1),
            soles_px=(left, right) if self.faults.soles else None,
            head_px=head if self.faults.soles else None,
            soles_score=0.8,
        )


def camera() -> Calibration:
    """A camera at 50 degrees in front of the table, about 0.6 px a mm."""
    pose = look_at((TABLE[0] / 2, TABLE[1] / 2), 820.0, 50.0)
    lens = Intrinsics(480.0, 480.0, (SIZE[0] - 1) / 2, (SIZE[1] - 1) / 2)
    return Calibration(
        "points",
        "first point",
        SIZE,
        lens,
        pose,
        size_mm=TABLE,
        # Only the height of the camera is in doubt: each further parameter costs time.
        covariance=np.diag([0.0, 0.0, 0.0, 0.0, 0.0, 1.0]),
    )


def _ground(random: np.random.Generator) -> NDArray[np.uint8]:
    """A green plate with patches of light."""
    small = random.uniform(0.9, 1.1, (9, 16, 1))
    patches = np.kron(small, np.ones((30, 30, 1)))
    return np.clip(np.array([70, 120, 60]) * patches, 0, 255).astype(np.uint8)


def distance(a: tuple[float, float], b: tuple[float, float]) -> float:
    return math.dist(a, b)


def state_of(tracks: object, track_id: int) -> FigureState:
    for track in tracks:  # type: ignore[attr-defined]
        if track.track_id == track_id:
            return FigureState(track.state)
    raise KeyError(track_id)
