"""Which steps of a found lattice are the sides of its squares, and the camera that sees it so."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Intrinsics
from calibration.errors import NotFound
from calibration.fit import Fit, Freedom, fit_camera
from calibration.homography import fit_homography, focal_of, pose_of
from calibration.points import ASSUMED_FOCAL_DOUBT, ASSUMED_FOV_DEG, FOCAL_LIMIT, GIVEN_FOCAL_DOUBT
from calibration.rays import homogeneous
from calibration.stud_set import Studs

NO_CAMERA = "no stud grid: no camera would see a square grid like this"

SHORTEST_FOCAL, LONGEST_FOCAL = 0.45, 4.0
"""Focal lengths in picture widths: from 96 degrees of view down to 14."""

FOCAL_MIDDLE, FOCAL_GUESS = 0.72, 0.25
"""Focal lengths of phones and webcams in picture widths, and how far, relatively, they differ."""

STUDS_ALIKE, ALL_ALIKE = 1.5, 200
"""So many neighbouring studs count as one, and one more for every so many on the table: light and
lens put them off alike, and what all of a region share does not average out."""

K1_LIMIT = 0.05
"""A k1 less sure than this is mostly a guess."""

K1_MIDDLE, K1_GUESS = -0.04, 0.09
"""k1 of phones and webcams before anything is seen: most bend lines outwards a little."""

FIRST_NOISE = 0.6
"""How far off studs are, px, before anything is known; then their own residuals tell."""

NOISE_FLOOR = 0.2
"""No usual stud is believed to be better than this, px: shading pulls at all of them."""

ROBUST = 1.0
"""A stud this many times farther off than usual for one like it pulls only linearly."""

ROUNDS = 3

SAMPLE = 120


@dataclass(frozen=True, slots=True, eq=False)
class LensHints:
    """What is known of the lens before looking.

    Attributes:
        image_size_px: Width and height.
        fov_deg: Horizontal field of view.
        intrinsics: The whole lens.
        camera_height_mm: Height of the camera over z = 0.
    """

    image_size_px: tuple[int, int]
    fov_deg: float | None = None
    intrinsics: Intrinsics | None = None
    camera_height_mm: float | None = None

    @property
    def start(self) -> Intrinsics:
        """Best lens known so far."""
        if self.intrinsics is not None:
            return self.intrinsics
        return Intrinsics.from_fov(self.fov_deg or ASSUMED_FOV_DEG, self.image_size_px)

    @property
    def known(self) -> bool:
        """The focal length was given."""
        return self.intrinsics is not None or self.fov_deg is not None


@dataclass(frozen=True, slots=True, eq=False)
class More:
    """Studs of other plates on the same table.

    Attributes:
        points_mm: Roughly where they are on the table, exactly where against each other, (M, 3).
        px: Where they are seen, (M, 2).
        spread: How many times less sure each is than a usual stud, (M,).
        plate: Whose each is, 1 and up, (M,).
    """

    points_mm: NDArray[np.float64]
    px: NDArray[np.float64]
    spread: NDArray[np.float64]
    plate: NDArray[np.int64]


def bases() -> list[NDArray[np.int64]]:
    """Whole-numbered pairs of steps that span the same lattice, columns of (2, 2)."""
    steps = [(1, 0), (0, 1), (1, 1), (1, -1), (2, 1), (2, -1), (1, 2), (1, -2)]
    pairs = []
    for a, b in combinations(steps, 2):
        determinant = a[0] * b[1] - a[1] * b[0]
        if abs(determinant) == 1:
            sign = determinant
            pairs.append(np.array([[a[0], sign * b[0]], [a[1], sign * b[1]]]))
    return pairs


def _sample(count: int) -> NDArray[np.int64]:
    """At most SAMPLE indices spread evenly over so many."""
    return np.unique(np.linspace(0, count - 1, min(count, SAMPLE)).astype(int))


def fit_studs(
    studs: Studs,
    hints: LensHints,
    pitch_mm: float,
    height_mm: float,
    offset_mm: NDArray[np.float64] | None = None,
    more: More | None = None,
) -> tuple[Fit, tuple[str, ...]]:
    """Camera over a plane of studs.

    Args:
        studs: With their places right-handed seen from above.
        hints: What is known of the lens.
        pitch_mm: One step.
        height_mm: Height over z = 0 of what was matched.
        offset_mm: How far beside the studs' centres that lies, (2,).
        more: Studs of other plates on the table.

    Returns:
        The fit and what was assumed.

    Raises:
        NotFound: No camera above the plane sees the studs so.
    """
    beside = np.zeros(2) if offset_mm is None else offset_mm
    px = studs.px
    points = np.column_stack([studs.nodes * pitch_mm + beside, np.full(len(px), height_mm)])
    width = hints.image_size_px[0]
    start = hints.start
    flat = start.undistort(px)
    matrix, _ = fit_homography(points[:, :2], flat)
    if not np.isfinite(matrix).all() or np.linalg.det(matrix) >= 0:
        raise NotFound(NO_CAMERA)
    assumed: tuple[str, ...] = (
        () if hints.intrinsics else ("square pixels", "centre principal point")
    )
    if not hints.known:
        closed = focal_of(matrix, (start.cx_px, start.cy_px))
        if closed is not None and SHORTEST_FOCAL * width < closed < LONGEST_FOCAL * width:
            start = Intrinsics.centred(closed, hints.image_size_px)
    pose = pose_of(matrix, start)
    pose[:3, 3] -= pose[:3, 2] * height_mm

    def run(lens: Intrinsics, k1: bool, focal: bool, noise_px: float) -> Fit:
        given = hints.intrinsics
        doubt = given.focal_doubt if given else GIVEN_FOCAL_DOUBT if hints.known else 0.0
        freedom = Freedom(
            focal=focal,
            k1=k1,
            focal_doubt=0.0 if focal else doubt or (0.0 if hints.known else ASSUMED_FOCAL_DOUBT),
            camera_height_mm=hints.camera_height_mm,
            k1_doubt=given.k1_doubt if given else K1_GUESS,
            k1_guess=0.0 if given else K1_MIDDLE,
            focal_guess_px=FOCAL_MIDDLE * width,
            focal_guess_doubt=FOCAL_GUESS,
            alike=STUDS_ALIKE + len(all_px) / ALL_ALIKE,
            noise_px=noise_px,
            floor_px=NOISE_FLOOR,
        )
        return fit_camera(
            all_points,
            all_px,
            lens,
            pose,
            freedom,
            robust_px=ROBUST * noise_px,
            thing=thing,
            spread=spread,
        )

    all_points, all_px, spread, thing = points, px, studs.spread, None
    if more is not None:
        all_points = np.concatenate([points, more.points_mm])
        all_px = np.concatenate([px, more.px])
        spread = np.concatenate([spread, more.spread])
        thing = np.concatenate([np.zeros(len(px), dtype=np.int64), more.plate])

    free = not hints.known
    fit = run(start, hints.intrinsics is None, free, FIRST_NOISE)
    for _ in range(ROUNDS):
        pose = fit.camera_T_table
        fit = run(fit.intrinsics, hints.intrinsics is None, free, fit.noise_px)
    if free and not (SHORTEST_FOCAL * width < fit.intrinsics.fx_px < LONGEST_FOCAL * width):
        fit = run(hints.start, True, False, fit.noise_px)
        assumed += (f"horizontal field of view {ASSUMED_FOV_DEG:.0f} degrees",)
    elif free and fit.focal_sigma > FOCAL_LIMIT:
        assumed += (f"horizontal field of view about {ASSUMED_FOV_DEG:.0f} degrees",)
    if hints.intrinsics is None and float(np.sqrt(fit.covariance[7, 7])) > K1_LIMIT:
        assumed += ("little lens distortion",)
    return fit, assumed


def upright(
    nodes: NDArray[np.int64], px: NDArray[np.float64], hints: LensHints
) -> NDArray[np.int64]:
    """Express a lattice in steps along the sides of its squares, right-handed from above.

    Seen at a slant, the shortest two steps in the picture need not be the sides. Of all pairs
    that span the lattice only the right one makes a square lattice for a camera with square
    pixels, once perspective shows which way the plane leans.

    Args:
        nodes: Places in any basis of the lattice, (N, 2).
        px: Where they are seen, (N, 2).
        hints: What is known of the lens.

    Returns:
        Places in the upright basis, (N, 2).

    Raises:
        NotFound: No camera sees a square lattice so.
    """
    some = _sample(len(nodes))
    best: tuple[float, NDArray[np.int64]] | None = None
    tries = []
    for basis in bases():
        change = np.round(np.linalg.inv(basis)).astype(np.int64)
        matrix, _ = fit_homography((nodes[some] @ change.T).astype(np.float64), px[some])
        if np.linalg.det(matrix) > 0:
            change = np.array([[0, 1], [1, 0]]) @ change
        tries.append((_slant(nodes, px, some, change, hints), change))
    tries.sort(key=lambda entry: entry[0])
    for slant, change in tries[:4]:
        if slant > 3 * tries[0][0] + 1.0:
            break
        turned = nodes[some] @ change.T
        fit, _ = fit_studs(Studs(turned, px[some], np.ones(len(some))), hints, 1.0, 0.0)
        rise = float(abs(fit.camera_T_table[2, 2]))
        # Fits within the noise of each other are told apart by how steep the view is.
        cost = max(fit.rms_px, 0.3) / max(rise, 0.2)
        if best is None or cost < best[0]:
            best = (cost, change)
    if best is None:
        raise NotFound(NO_CAMERA)
    return np.asarray(nodes @ best[1].T)


def _slant(
    nodes: NDArray[np.int64],
    px: NDArray[np.float64],
    some: NDArray[np.int64],
    change: NDArray[np.int64],
    hints: LensHints,
) -> float:
    """How far the nearest square-pixel camera is from seeing these steps as squares, px rms."""
    turned = (nodes[some] @ change.T).astype(np.float64)
    start = hints.start
    flat = start.undistort(px[some])
    matrix, _ = fit_homography(turned, flat)
    width = hints.image_size_px[0]
    focals = [start.fx_px]
    if not hints.known:
        closed = focal_of(matrix, (start.cx_px, start.cy_px)) or 0.0
        focals = [float(np.clip(closed, SHORTEST_FOCAL * width, LONGEST_FOCAL * width)), width]
    least = np.inf
    for focal in focals:
        lens = start if hints.known else Intrinsics.centred(focal, hints.image_size_px)
        pose = pose_of(matrix, lens)
        plane = lens.matrix @ pose[:3, [0, 1, 3]]
        off = homogeneous(plane, turned) - flat
        rise = max(abs(float(pose[2, 2])), 0.2)
        least = min(least, float(np.sqrt((off**2).sum(axis=1).mean())) / rise)
    return least
