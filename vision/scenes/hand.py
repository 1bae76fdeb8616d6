"""A human hand with forearm: capsules along its bones, to be fused into one skin.

Hand frame: mm, origin at the point it grips (between thumb and fingers), z up, the forearm comes
from -y; a right hand, palm down. A left hand is its mirror image in x.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from vision.scenes.ldraw import Geometry, joined

Point = tuple[float, float, float]
SKIN, NAIL, SLEEVE = 0, 1, 2

_KNUCKLES: dict[str, Point] = {
    "index": (-20, -50, 60),
    "middle": (0, -46, 64),
    "ring": (19, -51, 60),
    "little": (34, -63, 52),
}
_PINCH: dict[str, tuple[Point, Point, Point]] = {
    "index": ((-9, -9, 54), (5, 14, 32), (10, 10, 5)),
    "middle": ((14, -5, 57), (23, 13, 33), (19, 3, 8)),
    "ring": ((35, -13, 54), (38, -5, 30), (31, -19, 21)),
    "little": ((47, -33, 46), (48, -31, 27), (42, -45, 23)),
}
_FLAT: dict[str, tuple[Point, Point, Point]] = {
    "index": ((-25, -6, 60), (-27, 18, 56), (-28, 39, 51)),
    "middle": ((0, 2, 64), (1, 29, 60), (1, 52, 54)),
    "ring": ((24, -7, 60), (27, 19, 56), (28, 40, 51)),
    "little": ((42, -28, 52), (46, -8, 49), (48, 10, 46)),
}
_THUMB_PINCH: tuple[Point, Point, Point] = ((-37, -60, 44), (-27, -28, 24), (-11, -11, 5))
_THUMB_FLAT: tuple[Point, Point, Point] = ((-42, -70, 50), (-54, -42, 46), (-60, -18, 45))
_RADII = {"index": (9.5, 8.2, 7.0), "middle": (9.8, 8.5, 7.2), "ring": (9.2, 8.0, 6.8)}
_LITTLE = (8.2, 7.0, 6.0)
_THUMB_ROOT: Point = (-22, -98, 64)
_WRIST: Point = (0, -122, 76)


@dataclass(frozen=True, slots=True)
class Grip:
    """How a hand is held.

    Attributes:
        spread: 0 = a stretched hand, 1 = pinched shut on something 20 mm wide.
        opening_mm: How much farther apart the finger tips are than when pinched.
        jitter_mm: Random shift of the middle joints.
        elbow: Elbow in the hand frame.
        sleeve_from: Share of the forearm where a sleeve begins; 1 = no sleeve.
    """

    spread: float = 1.0
    opening_mm: float = 0.0
    jitter_mm: float = 0.0
    elbow: Point = (0, -400, 150)
    sleeve_from: float = 1.0


def capsule(a: NDArray[np.float64], b: NDArray[np.float64], ra: float, rb: float) -> Geometry:
    """Closed surface round the segment a-b, radius ra at a and rb at b."""
    axis = (b - a) / max(float(np.linalg.norm(b - a)), 1e-9)
    side = np.cross(axis, (1.0, 0.0, 0.0) if abs(axis[0]) < 0.8 else (0.0, 1.0, 0.0))
    side /= np.linalg.norm(side)
    other = np.cross(axis, side)
    bend = np.radians(np.linspace(-90, 0, 5))
    along = np.concatenate([ra * np.sin(bend), rb * -np.sin(bend[::-1])])
    out = np.concatenate([ra * np.cos(bend), rb * np.cos(bend[::-1])])
    base = np.concatenate([np.repeat(a[None], 5, 0), np.repeat(b[None], 5, 0)])
    angle = np.linspace(0, 2 * np.pi, 15)[:-1]
    ring = np.cos(angle)[:, None] * side + np.sin(angle)[:, None] * other
    grid = (base + along[:, None] * axis)[:, None] + out[:, None, None] * ring
    after = np.roll(grid, -1, axis=1)
    quads = np.stack([grid[:-1], after[:-1], after[1:], grid[1:]], axis=2).reshape(-1, 4, 3)
    triangles = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    return Geometry(triangles, np.full(len(triangles), SKIN, dtype=np.int64))


def build(grip: Grip, rng: np.random.Generator) -> tuple[Geometry, Geometry]:
    """Skin capsules (overlapping, to be fused) and the loose pieces (nails, sleeve)."""
    skin: list[Geometry] = []
    loose: list[Geometry] = []
    wrist = np.array(_WRIST, dtype=float)
    for name, knuckle in _KNUCKLES.items():
        radii = _RADII.get(name, _LITTLE)
        joints = _mix(_FLAT[name], _PINCH[name], grip, rng)
        joints[-1] += np.array([0.75, 0.66, 0.0]) * grip.opening_mm * (name in ("index", "middle"))
        _finger(skin, loose, np.array(knuckle, dtype=float), joints, radii)
        root = wrist + np.array([knuckle[0] * 0.55, 4.0, 0.0])
        skin.append(capsule(root, np.array(knuckle, dtype=float), 14.0, radii[0] + 2.5))
    thumb = _mix(_THUMB_FLAT, _THUMB_PINCH, grip, rng)
    thumb[-1] -= np.array([0.75, 0.66, 0.0]) * grip.opening_mm
    root = np.array(_THUMB_ROOT, dtype=float)
    skin.append(capsule(root, thumb[0], 15.0, 11.0))
    _finger(skin, loose, thumb[0], thumb[1:], (11.0, 8.2))
    skin.append(capsule(thumb[0] * 0.8 + root * 0.2, np.array([0.0, -62.0, 58.0]), 9.0, 13.0))
    elbow = np.array(grip.elbow, dtype=float)
    across = np.array([11.0, 0.0, 0.0])
    skin += [
        capsule(wrist + shift, elbow + 2 * shift, 18.0, 30.0)
        for shift in (-across, 0 * across, across)
    ]
    if grip.sleeve_from < 1:
        start = wrist + grip.sleeve_from * (elbow - wrist)
        loose += [
            _dyed(capsule(start + 1.2 * shift, elbow + 2 * shift, 32.0, 46.0), SLEEVE)
            for shift in (-across, across)
        ]
    return joined(skin), joined(loose)


def _mix(
    flat: tuple[Point, ...], pinch: tuple[Point, ...], grip: Grip, rng: np.random.Generator
) -> NDArray[np.float64]:
    joints = (1 - grip.spread) * np.array(flat, float) + grip.spread * np.array(pinch, float)
    joints[:-1] += rng.normal(0, 1, joints[:-1].shape) * grip.jitter_mm
    mixed: NDArray[np.float64] = joints
    return mixed


def _finger(
    skin: list[Geometry],
    loose: list[Geometry],
    start: NDArray[np.float64],
    joints: NDArray[np.float64],
    radii: tuple[float, ...],
) -> None:
    chain = [start, *joints]
    sizes = [radii[0] + 0.8, *radii[-len(joints) :]]
    for (a, b), (ra, rb) in zip(
        pairwise(chain),
        pairwise(sizes),
        strict=True,
    ):
        skin.append(capsule(a, b, ra, rb))
    along = chain[-1] - chain[-2]
    along /= np.linalg.norm(along)
    inner = chain[-3] - chain[-2]
    outward = -(inner - inner @ along * along)
    outward -= outward @ along * along
    length = float(np.linalg.norm(outward))
    outward = -outward / length if length < 1e-6 else outward / length
    centre = chain[-1] + 0.86 * sizes[-1] * outward + 1.5 * along
    across = np.cross(along, outward)
    nail = capsule(centre - 3.5 * along, centre + 3.5 * along, 1.0, 1.0)
    local = nail.triangles - centre
    wide = (
        local
        + (local @ across)[..., None] * across * 3.4
        - (local @ outward)[..., None] * (outward * 0.2)
    )
    loose.append(_dyed(Geometry(wide + centre, nail.colours), NAIL))


def _dyed(piece: Geometry, colour: int) -> Geometry:
    return Geometry(piece.triangles, np.full(len(piece.triangles), colour, dtype=np.int64))
