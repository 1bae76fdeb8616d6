"""Films of a table: who stands where, which hand does what when, and the state of every frame.

Table frame: mm, right-handed, z up, origin = outer corner of the stud grid of the baseplate that
is nearest to the picture's bottom left, x along the near edge, z = 0 the baseplate's upper face.
"""

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from vision.scenes.bricks import PLATE_MM
from vision.scenes.figure import Figure, Outfit, Pose, lying, move, turn
from vision.scenes.ldraw import Geometry
from vision.scenes.plan import Matrix

GRIP_MM = 25.0
STUD_TOP_MM = 1.6
OPEN_MM, HALF_MM = 16.0, 7.0
AWAY = move(192.0, 192.0, -3000.0)
FACING = {"red": 90.0, "blue": 270.0}


@dataclass(frozen=True, slots=True)
class Actor:
    """A figure of a film; `start_mm` is None while it is not on the table at the beginning."""

    name: str
    side: str
    weapons: tuple[str, ...]
    outfit: Outfit
    pose: Pose
    base_colour: int
    start_mm: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Act:
    """One thing a hand does: "bring", "move" or "lay" a figure to a place.

    Attributes:
        kind: What.
        actor: Which figure.
        player: Whose hand.
        start_s: When the hand sets out.
        length_s: How long it takes from entering to having left.
        to_mm: Where the base's centre goes (for "lay": the middle of the body).
        lift_mm: How high it is carried.
        slant_deg: From how far aside the forearm comes.
        legal: False for the move that the umpire flags.
    """

    kind: str
    actor: str
    player: str
    start_s: float
    length_s: float
    to_mm: tuple[float, float]
    lift_mm: float = 40.0
    slant_deg: float = 0.0
    legal: bool = True


@dataclass(frozen=True, slots=True)
class Terrain:
    """A piece of terrain: footprint x0, y0, x1, y1 in mm, its height, and what it is."""

    name: str
    kind: str
    footprint_mm: tuple[float, float, float, float]
    height_mm: float
    stairs: bool = False
    standable: bool = False


@dataclass(frozen=True, slots=True)
class Story:
    """A film without its pictures."""

    seconds: float
    actors: tuple[Actor, ...]
    acts: tuple[Act, ...]
    terrain: tuple[Terrain, ...]
    size_mm: tuple[float, float]


@dataclass(frozen=True, slots=True)
class FigureState:
    """A figure in one frame; state standing, lying, in_hand or absent."""

    name: str
    state: str
    position_mm: tuple[float, float]
    level_mm: float
    facing_deg: float
    matrix: Matrix = field(repr=False)


@dataclass(frozen=True, slots=True)
class HandState:
    """A hand in one frame: whose, how open (mm) and where."""

    player: str
    opening_mm: float
    matrix: Matrix = field(repr=False)


@dataclass(frozen=True, slots=True)
class FrameState:
    """One frame."""

    frame: int
    figures: tuple[FigureState, ...]
    hand: HandState | None

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for frames that look the same."""
        parts: list[object] = [f.matrix.round(4).tobytes() for f in self.figures]
        if self.hand is not None:
            parts += [self.hand.player, self.hand.opening_mm, self.hand.matrix.round(4).tobytes()]
        return tuple(parts)


def standing(actor: Actor, at_mm: tuple[float, float]) -> FigureState:
    """A figure on its 2x2 base on the baseplate."""
    facing = FACING[actor.side]
    matrix = move(*at_mm, PLATE_MM) @ turn("z", facing)
    return FigureState(actor.name, "standing", at_mm, 0.0, facing, matrix)


def laid(actor: Actor, figure: Figure, base: Geometry, at_mm: tuple[float, float]) -> FigureState:
    """A figure with its base on its back on the stud tops, the head towards +x.

    The base is wider than the body, so that the figure rests on the base's edge and its head.
    """
    points = np.concatenate([figure.body.triangles, base.triangles]).reshape(-1, 3)
    upper = points[:, 2] > 24
    best = min(np.arange(-106.0, -80.0, 0.5), key=lambda p: _tilt_gap(points, upper, float(p)))
    whole = replace(figure, body=Geometry(points.reshape(-1, 3, 3), base.colours[:0]))
    down = lying(whole, 0.0, float(best))
    middle = down @ np.array([0.0, 0.0, 18.0, 1.0])
    turned = turn("z", 180.0)
    spot = turned @ move(-middle[0], -middle[1], 0.0) @ down
    matrix = move(*at_mm, STUD_TOP_MM) @ spot
    return FigureState(actor.name, "lying", at_mm, 0.0, 0.0, matrix)


def _tilt_gap(points: Matrix, upper: NDArray[np.bool_], pitch_deg: float) -> float:
    z = (points @ turn("y", pitch_deg)[:3, :3].T)[:, 2]
    return abs(float(z[upper].min() - z[~upper].min()))


def play(
    story: Story, figures: dict[str, Figure], bases: dict[str, Geometry], fps: int
) -> list[FrameState]:
    """The state of every frame of a story."""
    now: dict[str, FigureState] = {}
    for actor in story.actors:
        if actor.start_mm is None:
            now[actor.name] = FigureState(actor.name, "absent", (0.0, 0.0), 0.0, 0.0, AWAY)
        else:
            now[actor.name] = standing(actor, actor.start_mm)
    cast = {actor.name: actor for actor in story.actors}
    frames = []
    acts = sorted(story.acts, key=lambda act: act.start_s)
    for frame in range(round(story.seconds * fps)):
        t = frame / fps
        while acts and t >= acts[0].start_s + acts[0].length_s:
            now[acts[0].actor] = _end(acts[0], cast, figures, bases)
            acts.pop(0)
        shown, hand = dict(now), None
        if acts and t >= acts[0].start_s:
            act = acts[0]
            end = _end(act, cast, figures, bases)
            share = (t - act.start_s) / act.length_s
            shown[act.actor], hand = _during(act, now[act.actor], end, share, story)
        frames.append(FrameState(frame, tuple(shown.values()), hand))
    return frames


def _end(
    act: Act, cast: dict[str, Actor], figures: dict[str, Figure], bases: dict[str, Geometry]
) -> FigureState:
    actor = cast[act.actor]
    if act.kind == "lay":
        return laid(actor, figures[act.actor], bases[act.actor], act.to_mm)
    return standing(actor, act.to_mm)


def _ease(share: float, start: float, end: float) -> float:
    x = min(1.0, max(0.0, (share - start) / (end - start)))
    return x * x * (3 - 2 * x)


def _during(
    act: Act, start: FigureState, end: FigureState, share: float, story: Story
) -> tuple[FigureState, HandState]:
    """Figure and hand at a share 0..1 of an act."""
    bring = act.kind == "bring"
    goal = np.array([*end.position_mm, PLATE_MM + GRIP_MM])
    if act.kind == "lay":
        goal[2] = STUD_TOP_MM + 16.0
    yaw = (0.0 if act.player == "red" else 180.0) + act.slant_deg
    back = turn("z", yaw)[:3, :3] @ np.array([0.0, -1.0, 0.0])
    outside = _outside(goal, back, story)
    origin = outside if bring else np.array([*start.position_mm, PLATE_MM + GRIP_MM])
    if not bring:
        outside_first = _outside(origin, back, story)
    grip, release = (0.0, 0.72) if bring else (0.34, 0.78)
    up = np.array([0.0, 0.0, 1.0])
    if share < grip:
        near = _ease(share, 0.0, grip - 0.05)
        over = origin + 14 * up + 6 * back
        place = outside_first + near * (over - outside_first) + 30 * up * near * (1 - near)
        place = place + (origin - over) * _ease(share, grip - 0.05, grip)
        opening = OPEN_MM if share < grip - 0.03 else HALF_MM
        return start, HandState(act.player, opening, move(*place) @ turn("z", yaw))
    if share <= release:
        first, last = (grip, grip + 0.1) if not bring else (0.0, 0.05)
        lift = _ease(share, first, last) * (1 - _ease(share, release - 0.12, release))
        along = _ease(share, grip + (0.0 if bring else 0.06), release - 0.08)
        place = origin + along * (goal - origin)
        height = act.lift_mm if not bring else max(0.0, act.lift_mm - (place - goal)[2])
        place = place + lift * height * up
        sway = float(np.sin(np.pi * min(1.0, lift)) * 3 + 4 * lift * (1 - along))
        hand = move(*place) @ turn("z", yaw) @ turn("x", -sway)
        return _carried(act, start, end, place, along, sway, yaw), HandState(act.player, 0.0, hand)
    gone = _ease(share, release + 0.03, 1.0)
    over = goal + 8 * up + 5 * back
    place = goal + (over - goal) * _ease(share, release, release + 0.05)
    place = place + gone * (outside - over) + 60 * up * gone * (1 - gone)
    opening = HALF_MM if share < release + 0.03 else OPEN_MM
    return end, HandState(act.player, opening, move(*place) @ turn("z", yaw))


def _outside(place: Matrix, back: Matrix, story: Story) -> Matrix:
    """Where the hand waits out of sight, straight back from a place."""
    wide, deep = story.size_mm
    ways = []
    for axis, (low, high) in enumerate(((-230.0, wide + 230.0), (-190.0, deep + 230.0))):
        if abs(back[axis]) > 1e-6:
            ways.append(((low if back[axis] < 0 else high) - place[axis]) / back[axis])
    far: Matrix = place + back * min(ways) + np.array([0.0, 0.0, 40.0])
    return far


def _carried(
    act: Act,
    start: FigureState,
    end: FigureState,
    grip: Matrix,
    along: float,
    sway: float,
    yaw: float,
) -> FigureState:
    """The figure in the hand: turned from how it was to how it will be, about the grip."""
    first = end.matrix if act.kind == "bring" else start.matrix
    spin = _turned(first[:3, :3], end.matrix[:3, :3], along if act.kind == "lay" else 1.0)
    lean = np.eye(4)
    lean[:3, :3] = spin
    lean = turn("z", yaw) @ turn("x", -sway) @ turn("z", -yaw) @ lean
    held = GRIP_MM if act.kind != "lay" else GRIP_MM + along * (18.0 - GRIP_MM)
    matrix = move(*grip) @ lean @ move(0, 0, -held)
    feet = matrix[:3, 3]
    position = (float(feet[0]), float(feet[1]))
    level = max(0.0, float(feet[2]) - PLATE_MM)
    return FigureState(act.actor, "in_hand", position, level, end.facing_deg, matrix)


def _turned(first: Matrix, last: Matrix, share: float) -> Matrix:
    """Rotation a share of the way from one rotation to another, by the shortest turn."""
    delta = last @ first.T
    angle = float(np.arccos(np.clip((np.trace(delta) - 1) / 2, -1, 1)))
    if angle < 1e-6:
        return last
    axis = np.array(
        [delta[2, 1] - delta[1, 2], delta[0, 2] - delta[2, 0], delta[1, 0] - delta[0, 1]]
    ) / (2 * np.sin(angle) if abs(np.sin(angle)) > 1e-6 else 1.0)
    if np.linalg.norm(axis) < 1e-6:
        axis = np.array([0.0, 0.0, 1.0])
    x, y, z = axis / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    a = angle * share
    spin: Matrix = (np.eye(3) + np.sin(a) * cross + (1 - np.cos(a)) * cross @ cross) @ first
    return spin
