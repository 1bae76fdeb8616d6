"""Other plates on the table, at any place and angle: they tell the same camera more."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.rays import meet_plane
from calibration.stud_border import PlateColour, stud_field
from calibration.stud_camera import More, bases
from calibration.stud_points import View, place_all
from calibration.stud_seeds import Seed, find_seeds
from calibration.stud_set import Studs
from calibration.stud_settle import LEAST_SHARE, Sight, exactly

PITCH_OFF = 0.04
"""Steps of another plate seen by the camera of the first differ by no more than this."""

WINDOW_STEPS, WINDOW_PX = 5.0, (48.0, 112.0)
"""Other plates are looked for in windows of so many steps, within these sides in px."""

CELL_OFF = 0.15
"""Logarithm of how much larger or smaller than on this table their cells may be."""

FARTHEST_SHIFT = 0.2
ROUNDS = 5
AROUND = 4
LEAST_STUDS = 40
LEAST_ALIKE = 0.5
"""Half of another plate's studs must be as like as this."""


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """Where another plate lies.

    Attributes:
        table_R_plate: (2, 2).
        shift_mm: Of the plate's zero, (2,).
    """

    table_R_plate: NDArray[np.float64]
    shift_mm: NDArray[np.float64]

    @property
    def table_T_plate(self) -> NDArray[np.float64]:
        """(4, 4)."""
        pose = np.eye(4)
        pose[:2, :2] = self.table_R_plate
        pose[:2, 3] = self.shift_mm
        return pose


def rigid(places: NDArray[np.float64], table: NDArray[np.float64]) -> Place:
    """The turn and shift that bring points nearest to others, (N, 2) each, mm."""
    middle, target = places.mean(axis=0), table.mean(axis=0)
    u, _, v = np.linalg.svd((places - middle).T @ (table - target))
    flip = np.diag([1.0, float(np.sign(np.linalg.det(v.T @ u.T)))])
    turn = v.T @ flip @ u.T
    return Place(turn, target - turn @ middle)


def _upright(
    nodes: NDArray[np.int64], table: NDArray[np.float64], pitch_mm: float
) -> NDArray[np.int64] | None:
    """A lattice in steps along the sides of its squares, by where a known camera sees it.

    Args:
        nodes: Places in any basis, (N, 2).
        table: Where they are on the table, mm, (N, 2).
        pitch_mm: One step.

    Returns:
        Places in the upright, right-handed basis, (N, 2); None where it is no such square lattice.
    """
    rows = np.column_stack([nodes, np.ones(len(nodes))])
    steps = np.linalg.lstsq(rows, table, rcond=None)[0][:2].T
    best: tuple[float, NDArray[np.int64]] | None = None
    for basis in bases():
        columns = steps @ basis
        off = float(np.abs(np.linalg.svd(columns / pitch_mm, compute_uv=False) - 1).max())
        if best is None or off < best[0]:
            change = np.round(np.linalg.inv(basis)).astype(np.int64)
            if np.linalg.det(columns) < 0:
                change = np.array([[0, 1], [1, 0]]) @ change
            best = (off, change)
    if best is None or best[0] > PITCH_OFF:
        return None
    return np.asarray(nodes @ best[1].T)


def like_studs(sight: Sight, view: View, known: NDArray[np.int64], height_mm: float) -> list[Seed]:
    """Where something repeats as studs on this table would, best first.

    Args:
        sight: The picture.
        view: The camera, in pixels of the picture.
        known: Studs of the first plate, (N, 2).
        height_mm: Height of what is matched over z = 0.

    Returns:
        Seeds in pixels of the sight's level, all over the picture.
    """
    level, step = sight.level, view.pitch_mm
    window = int(np.clip(WINDOW_STEPS * view.pitch_px(known) * level.scale, *WINDOW_PX))
    seeds = find_seeds(sight.flat, window, window)
    if not seeds:
        return []
    px = level.to_picture(np.array([seed.middle_px for seed in seeds]))
    straight = view.intrinsics.undistort(px)
    places = meet_plane(view.intrinsics, view.camera_T_table, straight, height_mm) / step
    own = View(view.intrinsics, view.camera_T_table, step, height_mm)
    here, right, up = (own.project(places + np.array(way)) for way in ((0, 0), (1, 0), (0, 1)))
    (ax, ay), (bx, by) = (right - here).T, (up - here).T
    cells = np.abs(ax * by - ay * bx) * level.scale**2
    seen = np.array([abs(float(np.linalg.det(seed.basis_px))) for seed in seeds])
    with np.errstate(invalid="ignore"):
        alike = np.abs(np.log(seen / cells)) < CELL_OFF
    return [seed for seed, good in zip(seeds, alike, strict=True) if good]


def follow(sight: Sight, view: View, lattice: Studs, height_mm: float) -> Studs | None:
    """Follow another plate with the camera that the first one told.

    Args:
        sight: The picture.
        view: The camera, in pixels of the picture.
        lattice: Some of the plate's studs in any basis.
        height_mm: Height of what is matched over z = 0.

    Returns:
        Its studs; None where it is no plate on the same table.
    """

    def on_table(px: NDArray[np.float64]) -> NDArray[np.float64]:
        straight = view.intrinsics.undistort(px)
        return meet_plane(view.intrinsics, view.camera_T_table, straight, height_mm)

    def own(studs: Studs) -> View:
        place = rigid(studs.nodes.astype(np.float64) * view.pitch_mm, on_table(studs.px))
        pose = view.camera_T_table @ place.table_T_plate
        return View(view.intrinsics, pose, view.pitch_mm, height_mm)

    nodes = _upright(lattice.nodes, on_table(lattice.px), view.pitch_mm)
    if nodes is None:
        return None
    level = sight.level
    studs = Studs(nodes, lattice.px, lattice.alike)
    look = sight.look
    colour = PlateColour(level.image, own(studs).scaled(level.scale), studs.nodes)
    for _ in range(ROUNDS):
        seen = own(studs).scaled(level.scale)
        placed = place_all(sight.flat, seen, studs.nodes, AROUND, local=True, pool=look.pooled)
        good = stud_field(placed, FARTHEST_SHIFT, look).ravel() > 0
        if look.pooled:
            good &= colour.like(placed.nodes, studs.nodes, seen)
        if good.sum() < 0.7 * len(studs.nodes):
            return None
        last, studs = len(studs.nodes), placed.moved_to(level.to_picture(placed.px)).studs(good)
        if len(studs.nodes) <= 1.02 * last:
            break
    studs = exactly(sight.exact, level, own(studs), studs)
    rectangle = float(np.prod(np.ptp(studs.nodes, axis=0) + 1)) if len(studs.nodes) else 0.0
    if len(studs.nodes) < max(LEAST_STUDS, LEAST_SHARE * rectangle):
        return None
    return studs if np.median(studs.alike) > LEAST_ALIKE else None


def gathered(plates: list[Studs], view: View, height_mm: float) -> More | None:
    """Studs of other plates as table points for one fit over all.

    Args:
        plates: Theirs.
        view: The camera so far, in pixels of the picture.
        height_mm: Height of what was matched over z = 0.

    Returns:
        None without plates.
    """
    if not plates:
        return None
    points = []
    for studs in plates:
        straight = view.intrinsics.undistort(studs.px)
        table = meet_plane(view.intrinsics, view.camera_T_table, straight, height_mm)
        flat = studs.nodes.astype(np.float64) * view.pitch_mm
        place = rigid(flat, table)
        points.append(flat @ place.table_R_plate.T + place.shift_mm)
    flat = np.concatenate(points)
    return More(
        np.column_stack([flat, np.full(len(flat), height_mm)]),
        np.concatenate([studs.px for studs in plates]),
        np.concatenate([studs.spread for studs in plates]),
        np.repeat(np.arange(1, len(plates) + 1), [len(studs.px) for studs in plates]),
    )
