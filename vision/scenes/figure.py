"""A minifigure from its parts: joined triangles and keypoints in the figure's own frame.

Figure frame: mm, x forward (where the chest looks), y to the figure's left, z up, origin on the
ground midway between the hip joints' footprints. Assembly offsets are LDraw's standard ones.
"""

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.scenes.ldraw import LDU_MM, Geometry, Library, joined, placed

SOLE_Y_LDU = 72.0
LEG_LENGTH_LDU = 28.0
_SOLE_OFFSET_LDU = (10.25, 28.0, -1.25)  # middle of the sole's outline in the leg's own frame
_HEAD_TOP_LDU = (0.0, -4.0, 0.0)
_HAND_CENTRE_LDU = (0.0, 0.0, -8.0)
KEYPOINTS = ("left_sole", "right_sole", "head_top", "left_hand", "right_hand")

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Part:
    """A part file and the colour code it is moulded in."""

    name: str
    colour: int


@dataclass(frozen=True, slots=True)
class Outfit:
    """What a figure is made of; `items` are held in the right and the left hand."""

    torso: Part
    head: Part
    headgear: Part | None
    hips: Part
    legs: Part
    arms: int
    hands: int
    items: tuple[Part | None, Part | None] = (None, None)


@dataclass(frozen=True, slots=True)
class Pose:
    """Joint angles in degrees; positive lifts an arm or a leg forward."""

    arm_right: float = 0.0
    arm_left: float = 0.0
    leg_right: float = 0.0
    leg_left: float = 0.0
    head: float = 0.0


@dataclass(frozen=True, slots=True)
class Figure:
    """A joined figure.

    Attributes:
        body: Figure with headgear and without what it holds, triangles in mm.
        items: What it holds, triangles in mm.
        keypoints: (5, 3) float64 mm in the order of KEYPOINTS.
        legs_colour: LDraw colour of the legs.
        kind: "minifig", "playmobil", "animal" or "vehicle".
        name: What it is among its kind.
        known: Whether each keypoint means something (an animal has no hands).
        grip_mm: Height at which a hand holds it.
        radius_mm: Half of what it covers on the ground.
        seat_mm: Rider: height of its seat in its own frame. Mount: height of its saddle above
            the ground.
        seat_x_mm: Mount: how far the saddle is in front of the middle.
        takes: Mount: kind of figure that may ride it, "" = none.
        riding: Rider: "astride" or "sitting"; "" for those who stand.
    """

    body: Geometry
    items: Geometry
    keypoints: NDArray[np.float64] = field(repr=False)
    legs_colour: int = 0
    kind: str = "minifig"
    name: str = "minifig"
    known: tuple[bool, ...] = (True,) * 5
    grip_mm: float = 31.0
    radius_mm: float = 8.5
    seat_mm: float = 0.0
    seat_x_mm: float = 0.0
    takes: str = ""
    riding: str = ""


def figure_from_ldraw() -> Matrix:
    """4x4 matrix from LDraw's torso frame (LDU) to the figure frame (mm)."""
    matrix = np.eye(4)
    matrix[:3, :3] = LDU_MM * np.array([[0.0, 0.0, -1.0], [1.0, 0.0, 0.0], [0.0, -1.0, 0.0]])
    matrix[2, 3] = LDU_MM * SOLE_Y_LDU
    return matrix


def assemble(library: Library, outfit: Outfit, pose: Pose, riding: str = "") -> Figure:
    """Join the parts of an outfit in a pose.

    The figure is lifted or lowered so that its lowest sole touches z = 0. `riding` says how it
    sits if it is to ride ("astride", "sitting").

    Raises:
        SceneError: a part is missing or cannot be read.
    """
    head = move(0, -24, 0) @ turn("y", pose.head)
    legs = {side: _leg(pose, side) for side in ("right", "left")}
    arms = {side: _arm(pose, side) for side in ("right", "left")}
    hands = {side: arms[side] @ _hand(side) for side in ("right", "left")}
    placing: list[tuple[Part, Matrix]] = [
        (outfit.torso, np.eye(4)),
        (outfit.head, head),
        (outfit.hips, move(0, 32, 0)),
        (Part(outfit.legs.name, outfit.legs.colour), legs["right"]),
        (Part(_left_leg(outfit.legs.name), outfit.legs.colour), legs["left"]),
        (Part("3818.dat", outfit.arms), arms["right"]),
        (Part("3819.dat", outfit.arms), arms["left"]),
        (Part("3820.dat", outfit.hands), hands["right"]),
        (Part("3820.dat", outfit.hands), hands["left"]),
    ]
    if outfit.headgear is not None:
        placing.append((outfit.headgear, head))
    held = [
        (item, hands[side] @ move(0, 0, -10))
        for item, side in zip(outfit.items, ("right", "left"), strict=True)
        if item is not None
    ]
    soles = {side: _point(legs[side], _sole(side)) for side in legs}
    drop = np.eye(4)
    drop[2, 3] = -LDU_MM * (SOLE_Y_LDU - max(soles["right"][1], soles["left"][1]))
    to_figure = drop @ figure_from_ldraw()
    points = [
        soles["left"],
        soles["right"],
        _point(head, _HEAD_TOP_LDU),
        _point(hands["left"], _HAND_CENTRE_LDU),
        _point(hands["right"], _HAND_CENTRE_LDU),
    ]
    keypoints = np.array([_point(to_figure, tuple(p)) for p in points])
    body, items = _join(library, placing, to_figure), _join(library, held, to_figure)
    return Figure(
        body,
        items,
        keypoints,
        outfit.legs.colour,
        seat_mm=float(body.triangles[:, :, 2].min()) if riding == "sitting" else 0.0,
        riding=riding,
    )


def lying(figure: Figure, roll_deg: float, pitch_deg: float) -> Matrix:
    """Matrix that lays a figure on the ground: turned about x (roll) and y (pitch), then set down.

    pitch -90 lays it on its back, 90 on its face; roll 90 or -90 on a side.
    """
    spin = turn("x", roll_deg) @ turn("y", pitch_deg)
    points = np.concatenate([figure.body.triangles, figure.items.triangles]).reshape(-1, 3)
    matrix = np.array(spin)
    matrix[2, 3] = -float((points @ spin[:3, :3].T)[:, 2].min())
    return matrix


def move(x: float, y: float, z: float) -> Matrix:
    """4x4 translation."""
    matrix = np.eye(4)
    matrix[:3, 3] = (x, y, z)
    return matrix


def turn(axis: str, degrees: float) -> Matrix:
    """4x4 right-handed rotation about an axis."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    i, j = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
    matrix = np.eye(4)
    matrix[i, i] = matrix[j, j] = c
    matrix[i, j], matrix[j, i] = -s, s
    return matrix


def _join(library: Library, placing: list[tuple[Part, Matrix]], to_figure: Matrix) -> Geometry:
    pieces = [placed(library.geometry(p.name), to_figure @ m, p.colour) for p, m in placing]
    return joined(pieces)


def _side(side: str) -> float:
    return -1.0 if side == "right" else 1.0


def _leg(pose: Pose, side: str) -> Matrix:
    angle = pose.leg_right if side == "right" else pose.leg_left
    return move(0, 44, 0) @ turn("x", -angle)


def _left_leg(right: str) -> str:
    return right.replace("3816", "3817", 1)


def _arm(pose: Pose, side: str) -> Matrix:
    angle = pose.arm_right if side == "right" else pose.arm_left
    sign = _side(side)
    return move(sign * 15.552, 9, 0) @ turn("z", -sign * 9.782) @ turn("x", -angle)


def _hand(side: str) -> Matrix:
    return move(_side(side) * 5.2, 19, -10) @ turn("x", 45)


def _sole(side: str) -> tuple[float, float, float]:
    x, y, z = _SOLE_OFFSET_LDU
    return (_side(side) * x, y, z)


def _point(matrix: Matrix, point: tuple[float, ...]) -> NDArray[np.float64]:
    moved: NDArray[np.float64] = (matrix @ np.array([*point, 1.0]))[:3]
    return moved
