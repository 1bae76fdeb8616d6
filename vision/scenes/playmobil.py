"""Our own parametric models in the style of Playmobil figures: adults of 75 mm, children of 55 mm.

Figure frame as in `figure`: mm, x forward, y to the figure's left, z up, origin on the ground.
The sizes are read off photographs and a ruler; no drawing or scan of the maker is used.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.scenes import invented
from vision.scenes import playmobil_gear as gear
from vision.scenes import playmobil_hats as hats
from vision.scenes import playmobil_head as heads
from vision.scenes.figure import Figure, Matrix, move, turn
from vision.scenes.ldraw import Geometry, joined, placed
from vision.scenes.playmobil_prints import Cloth, chest
from vision.scenes.shapes import Ring, loft, tube

ADULT_MM, CHILD_MM = 75.0, 55.0
_FOOT_X, _FOOT_Y = 2.2, 5.9


@dataclass(frozen=True, slots=True)
class Build:
    """Sizes of a body: share of the adult's for legs, torso (height and girth) and head."""

    legs: float = 1.0
    torso: float = 1.0
    girth: float = 1.0
    head: float = 1.0


ADULT = Build()
CHILD = Build(0.61, 0.72, 0.84, 0.95)


@dataclass(frozen=True, slots=True)
class Outfit:
    """What a figure looks like; colours are codes, styles are names of the modules beside.

    Attributes:
        skin: Face and hands.
        print: Style of the chest.
        cloth: Its three colours.
        arms: Arms.
        cuffs: Cuffs, or None.
        legs: Trousers.
        shoes: Feet.
        skirt: Long skirt instead of trousers to be seen.
        hair: Style and colour.
        hat: Style, colour and colour of its trim, or None.
        beard: Whether it wears one in the colour of its hair.
        extras: Styles of `playmobil_gear.EXTRAS`.
        tools: In the right and in the left hand.
        boots: Share of the leg that has the colour of the shoes.
        sleeves: Share of the arm that is clothed; the rest is skin.
    """

    skin: int
    print: str
    cloth: Cloth
    arms: int
    cuffs: int | None
    legs: int
    shoes: int
    skirt: bool
    hair: tuple[str, int]
    hat: tuple[str, int, int] | None
    beard: bool = False
    extras: tuple[str, ...] = ()
    tools: tuple[str | None, str | None] = (None, None)
    boots: float = 0.0
    sleeves: float = 1.0


@dataclass(frozen=True, slots=True)
class Pose:
    """Angles in degrees; arms and bend positive forward, wrists and head about their own axis.

    Attributes:
        arm_right: Arm.
        arm_left: Arm.
        wrist_right: Hand about the forearm.
        wrist_left: Hand about the forearm.
        bend: Upper body at the hips.
        legs: Legs forward at the hips, 90 = sitting.
        apart: Each leg outwards, for a rider.
        head: Head.
    """

    arm_right: float = 0.0
    arm_left: float = 0.0
    wrist_right: float = 0.0
    wrist_left: float = 0.0
    bend: float = 0.0
    legs: float = 0.0
    apart: float = 0.0
    head: float = 0.0


def assemble(outfit: Outfit, pose: Pose, build: Build = ADULT) -> Figure:
    """Join a figure in a pose; its lowest point touches z = 0."""
    hip = 30.5 * build.legs
    shoulder = hip + 18.2 * build.torso
    neck = hip + 22.0 * build.torso
    hinge = move(0, 0, hip)
    upper = hinge @ turn("y", pose.bend) @ move(0, 0, -hip)
    pieces = [placed(_torso(outfit, build, hip), upper, 0)]
    soles = {}
    for side in (-1.0, 1.0):
        leg = hinge @ turn("y", -pose.legs) @ turn("x", side * pose.apart) @ move(0, 0, -hip)
        pieces.append(placed(_leg(outfit, build, hip, side), leg, 0))
        soles[side] = _point(leg, (_FOOT_X * build.girth, side * _FOOT_Y * build.girth, 0.0))
    if outfit.skirt:
        leg = hinge @ turn("y", -pose.legs) @ move(0, 0, -hip)
        pieces.append(placed(_skirt(outfit, build, hip), leg, 0))
    hands: dict[float, Matrix] = {}
    for side, angle, wrist in (
        (-1.0, pose.arm_right, pose.wrist_right),
        (1.0, pose.arm_left, pose.wrist_left),
    ):
        joint = (
            upper
            @ move(0, side * 11.9 * build.girth, shoulder)
            @ turn("y", -angle)
            @ turn("x", side * 7)
        )
        pieces.append(placed(_arm(outfit, build), joint, 0))
        hands[side] = joint @ move(0, 0, -23.0 * build.torso) @ turn("z", wrist)
        pieces.append(placed(gear.hand(outfit.skin), hands[side], 0))
    head = upper @ move(0, 0, neck) @ turn("z", pose.head) @ _scale(build.head)
    pieces.append(placed(_head(outfit), head, 0))
    worn = upper @ move(0, 0, hip) @ _scale(build.girth, build.torso)
    pieces += [placed(gear.EXTRAS[name](outfit.cloth), worn, 0) for name in outfit.extras]
    held = [
        placed(gear.TOOLS[tool](outfit.cloth), hands[side], 0)
        for tool, side in zip(outfit.tools, (-1.0, 1.0), strict=True)
        if tool is not None
    ]
    body, items = joined(pieces), joined(held)
    drop = move(0, 0, -float(body.triangles[:, :, 2].min()))
    keypoints = np.array(
        [
            soles[1.0],
            soles[-1.0],
            _point(head, (0.0, 0.0, heads.TOP_MM)),
            *(_point(hands[side], (0.0, 0.0, -2.5)) for side in (1.0, -1.0)),
        ]
    )
    keypoints[:, 2] += drop[2, 3]
    return Figure(
        placed(body, drop, 0),
        placed(items, drop, 0),
        keypoints,
        outfit.legs,
        kind="playmobil",
        name="child" if build is CHILD else "adult",
        grip_mm=float(hip + 12 * build.torso + drop[2, 3]),
        radius_mm=13.0 * build.girth,
        seat_mm=float(hip - 3.0 + drop[2, 3]) if pose.apart else 0.0,
        riding="astride" if pose.apart else "sitting" if pose.legs > 45 else "",
    )


def _leg(outfit: Outfit, build: Build, hip: float, side: float) -> Geometry:
    g, y = build.girth, side * _FOOT_Y * build.girth
    leg = [
        Ring(2.0, 5.6 * g, 5.5 * g, 0.4, y, 4.2),
        Ring(hip * 0.35, 5.4 * g, 5.6 * g, 0.0, y * 0.98, 4.6),
        Ring(hip * 0.75, 5.8 * g, 5.7 * g, 0.0, y * 0.97, 4.6),
        Ring(hip - 0.6, 6.2 * g, 5.7 * g, 0.0, y * 0.96, 4.2),
        Ring(hip + 1.2, 5.2 * g, 5.0 * g, 0.0, y * 0.92, 3.0),
    ]
    foot = [
        Ring(0.0, 7.9 * g, 5.0 * g, _FOOT_X * g, y, 3.0),
        Ring(0.6, 8.5 * g, 5.7 * g, _FOOT_X * g, y, 3.2),
        Ring(3.0, 8.3 * g, 5.7 * g, _FOOT_X * g - 0.1, y, 3.0),
        Ring(5.2, 7.0 * g, 5.3 * g, _FOOT_X * g - 1.1, y, 2.5),
        Ring(6.6, 5.4 * g, 5.0 * g, _FOOT_X * g - 2.0, y, 2.4),
    ]
    top = outfit.boots * hip

    def paint(middles: NDArray[np.float64]) -> NDArray[np.int64]:
        return np.where(middles[:, 2] < top, outfit.shoes, outfit.legs)

    shown = paint if outfit.boots else None
    return joined(
        [loft(leg, outfit.legs, shown, steps=8 if shown else 3), loft(foot, outfit.shoes)]
    )


def _skirt(outfit: Outfit, build: Build, hip: float) -> Geometry:
    g, low = build.girth, 1.6
    rings = [
        Ring(low, 12.2 * g, 14.4 * g, 0.6, 0, 2.4),
        Ring(low + 0.8, 12.8 * g, 15.0 * g, 0.6, 0, 2.4),
        Ring(hip * 0.5, 10.2 * g, 13.2 * g, 0.4, 0, 2.5),
        Ring(hip, 7.4 * g, 11.4 * g, 0, 0, 2.7),
        Ring(hip + 1.5, 6.6 * g, 10.6 * g, 0, 0, 2.7),
    ]
    hem = low + 4.0

    def paint(middles: NDArray[np.float64]) -> NDArray[np.int64]:
        return np.where(middles[:, 2] < hem, outfit.cloth.trim, outfit.legs)

    return loft(rings, outfit.legs, paint, fine=48)


def _torso(outfit: Outfit, build: Build, hip: float) -> Geometry:
    g, t = build.girth, build.torso
    rings = [
        Ring(hip - 0.8, 6.6 * g, 11.0 * g, 0, 0, 3.2),
        Ring(hip + 0.4, 7.2 * g, 11.7 * g, 0, 0, 3.2),
        Ring(hip + 8 * t, 6.9 * g, 10.9 * g, 0, 0, 3.0),
        Ring(hip + 15 * t, 6.5 * g, 10.0 * g, 0, 0, 2.8),
        Ring(hip + 19 * t, 6.0 * g, 9.2 * g, 0, 0, 2.6),
        Ring(hip + 21.4 * t, 4.8 * g, 6.8 * g, 0, 0, 2.3),
        Ring(hip + 22.6 * t, 3.6 * g, 4.2 * g, 0, 0, 2.0),
    ]
    paint = chest(outfit.print, outfit.cloth, (hip, hip + 22.0 * t, 11.0 * g))
    return loft(rings, outfit.cloth.main, paint, fine=96, steps=6)


def _arm(outfit: Outfit, build: Build) -> Geometry:
    """Straight arm that hangs from the shoulder at the origin along -z, with its cuff."""
    reach = 19.5 * build.torso
    g = 0.5 + 0.5 * build.girth
    z = np.array([3.4, 2.6, 0.0, -0.3 * reach, -0.8 * reach, -reach, -reach - 0.4])
    r = np.array([1.2, 2.8, 3.9, 3.8, 3.3, 3.2, 2.6]) * g
    path = np.stack([0 * z, 0 * z, z], axis=1)
    arm = tube(path, list(r), outfit.arms, 20)
    if outfit.sleeves < 1:
        hem = -outfit.sleeves * reach
        fine = np.linspace(z[0], z[-1], 28)
        path = np.stack([0 * fine, 0 * fine, fine], axis=1)
        arm = tube(path, list(np.interp(-fine, -z, r)), outfit.arms, 20)
        bare = arm.triangles[:, :, 2].mean(axis=1) < hem
        arm = Geometry(arm.triangles, np.where(bare, outfit.skin, arm.colours))
    pieces = [arm]
    if outfit.cuffs is not None:
        z = np.array([-0.76, -0.78, -0.98, -1.0]) * reach
        path = np.stack([0 * z, 0 * z, z - 0.3], axis=1)
        pieces.append(tube(path, [3.3 * g, 3.9 * g, 4.1 * g, 3.3 * g], outfit.cuffs, 20))
    return joined(pieces)


def _head(outfit: Outfit) -> Geometry:
    """Head with hair or hat; its origin is the top of the neck's seat."""
    pieces = [heads.face(outfit.skin, outfit.hair[1], outfit.beard)]
    style, colour = outfit.hair
    if outfit.hat is None:
        pieces.append(_hair(style, colour))
        return joined(pieces)
    hat, own, trim = outfit.hat
    pieces.append(heads.under(style, colour))
    pieces.append(
        invented.hat_of(hat, own, trim) if invented.is_invented(hat) else hats.HATS[hat](own, trim)
    )
    return joined(pieces)


def _hair(style: str, colour: int) -> Geometry:
    return (
        invented.hair_of(style, colour)
        if invented.is_invented(style)
        else heads.HAIR[style](colour)
    )


def _scale(across: float, up: float | None = None) -> Matrix:
    return np.diag([across, across, across if up is None else up, 1.0])


def _point(matrix: Matrix, point: tuple[float, float, float]) -> NDArray[np.float64]:
    moved: NDArray[np.float64] = (matrix @ np.array([*point, 1.0]))[:3]
    return moved
