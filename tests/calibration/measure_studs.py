"""Measures studs on rendered scenes, beside OpenCV's circle grid and a ChArUco board.

    python -m tests.calibration.measure_studs FOLDER [--limit N] [--no-rivals] [--noise PX]

FOLDER holds the pictures of ``datasets/recipes/studs-calibration.toml``, rendered as its README
says. The circle grid is told the true number of studs. The board is drawn, not rendered: a flat
print of the first plate's size in its place, under the same camera, with nothing on it and the
picture's own noise; it has it easier than the plates.

``bound`` is how exact lengths could be at best (``stud_bound.py``): 95 % of the errors of a perfect
reader of the scenes that were found stay below it.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Intrinsics
from calibration.errors import NotFound
from calibration.fit import Freedom, fit_camera
from calibration.homography import fit_homography, focal_of, pose_of
from calibration.plane import Calibration
from calibration.studs import calibrate_studs
from tests.calibration.stud_bound import NOISE_PX, quantile, relative_sigma, visible

Image = NDArray[np.uint8]
Points = NDArray[np.float64]
NEAR_MM = 400.0
PRINT_PX_MM = 4.0
AIM = 0.004
"""95 % of lengths are to be more exact than this."""


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A rendered picture and its truth; the table frame is that of the first plate."""

    number: str
    image: Image
    truth: Calibration
    size_mm: tuple[float, float]
    pitch_px: float


def scenes(folder: Path) -> list[Path]:
    """The truth files of a folder."""
    return sorted(folder.glob("[0-9]*.json"))


def load(path: Path) -> Scene:
    """One scene."""
    told: dict[str, Any] = json.loads(path.read_text())
    lens = told["intrinsics"]
    intrinsics = Intrinsics(
        lens["fx_px"], lens["fy_px"], lens["cx_px"], lens["cy_px"], tuple(lens["distortion"])
    )
    plate = told["references"][0]
    pose = np.array(told["camera_T_table"]) @ np.array(plate["table_T_reference"])
    image = np.asarray(cv2.imread(str(path.with_suffix(".jpg"))), dtype=np.uint8)
    size = (int(told["image_size_px"][0]), int(told["image_size_px"][1]))
    truth = Calibration("points", "truth", size, intrinsics, pose)
    width, depth = (float(side) for side in plate["size_mm"])
    return Scene(path.stem, image, truth, (width, depth), float(told["pitch_px"]))


def lengths(scene: Scene, count: int = 200) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Ends in px, (N, 2, 2), and true lengths of 100 to 800 mm within 400 mm of the plate."""
    rng = np.random.default_rng(1)
    reach = np.array(scene.size_mm) / 2 + NEAR_MM
    edge = np.array(scene.truth.image_size_px) - 1
    ends, true = [], []
    for _ in range(20000):
        places = rng.uniform(-1, 1, (2, 2)) * reach
        length = float(np.hypot(*(places[1] - places[0])))
        px = scene.truth.to_image(places)
        if not 100 <= length <= 800 or not ((px >= 0) & (px <= edge)).all():
            continue
        if np.abs(scene.truth.to_table(px) - places).max() > 0.1:
            continue  # so far outside that the lens folds it back into the picture
        ends.append(px)
        true.append(length)
        if len(true) == count:
            break
    return np.array(ends), np.array(true)


def calibrated(
    places: Points, px: Points, scene: Scene, height_mm: float = 0.0
) -> Calibration | None:
    """The camera that sees points of a plane, (N, 2) mm, at pixels, (N, 2); focal length free."""
    size = scene.truth.image_size_px
    matrix, _ = fit_homography(places, px)
    focal = focal_of(matrix, (size[0] / 2, size[1] / 2)) or 0.7 * size[0]
    lens = Intrinsics.centred(float(np.clip(focal, 0.4 * size[0], 4 * size[0])), size)
    pose = pose_of(matrix, lens)
    pose[:3, 3] -= pose[:3, 2] * height_mm
    points = np.column_stack([places, np.full(len(places), height_mm)])
    fit = fit_camera(points, px, lens, pose, Freedom(k1=True, k1_doubt=0.12), robust_px=1.0)
    return Calibration(
        "points", "fit", size, fit.intrinsics, fit.camera_T_table, covariance=fit.covariance
    )


def by_circles(scene: Scene) -> Calibration | None:
    """OpenCV's circle grid, told how many studs the first plate has."""
    count = (round(scene.size_mm[0] / 8), round(scene.size_mm[1] / 8))
    gray = cv2.cvtColor(scene.image, cv2.COLOR_BGR2GRAY)
    settings = cv2.SimpleBlobDetector.Params()
    settings.minArea, settings.maxArea = 6.0, 2000.0
    settings.filterByColor = False
    settings.minDistBetweenBlobs = 3.0
    found, centres = cv2.findCirclesGrid(
        gray, count, flags=cv2.CALIB_CB_SYMMETRIC_GRID,
        blobDetector=cv2.SimpleBlobDetector.create(settings),
    )  # fmt: skip
    if not found:
        return None
    grid = np.stack(np.meshgrid(np.arange(count[0]), np.arange(count[1])), -1).reshape(-1, 2)
    return calibrated(grid * 8.0, np.asarray(centres, np.float64).reshape(-1, 2), scene, 1.6)


def by_board(scene: Scene) -> Calibration | None:
    """A ChArUco board of the first plate's size, drawn in its place."""
    columns, rows = (max(3, round(side / 16)) for side in scene.size_mm)
    square = scene.size_mm[0] / columns
    words = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_1000)
    board = cv2.aruco.CharucoBoard((columns, rows), square, square * 0.75, words)
    size_px = (round(columns * square * PRINT_PX_MM), round(rows * square * PRINT_PX_MM))
    flat = np.asarray(board.generateImage(size_px), dtype=np.float32) * 0.8 + 25
    width, height = scene.truth.image_size_px
    fine = 2
    y, x = np.mgrid[: height * fine, : width * fine].astype(np.float64)
    px = (np.column_stack([x.ravel(), y.ravel()]) + 0.5) / fine - 0.5
    whole = np.array([columns, rows]) * square
    places = scene.truth.to_table(px) + whole / 2
    places[:, 1] = whole[1] - places[:, 1]  # a board's rows count downwards
    at = (places * PRINT_PX_MM - 0.5).reshape(height * fine, width * fine, 2).astype(np.float32)
    seen = cv2.remap(flat, at[..., 0], at[..., 1], cv2.INTER_AREA, borderValue=(110.0,))
    seen = cv2.resize(seen, (width, height), interpolation=cv2.INTER_AREA)
    grain = np.random.default_rng(int(scene.number)).normal(0, 2, seen.shape)
    image = np.clip(cv2.GaussianBlur(seen, (0, 0), 0.7) + grain, 0, 255).astype(np.uint8)
    corners, ids, _, _ = cv2.aruco.CharucoDetector(board).detectBoard(image)
    if ids is None or len(ids) < 6:
        return None
    known = np.asarray(board.getChessboardCorners(), dtype=np.float64)[ids.ravel(), :2]
    known[:, 1] = whole[1] - known[:, 1]
    return calibrated(known, np.asarray(corners, np.float64).reshape(-1, 2), scene)


def by_studs(scene: Scene) -> Calibration | None:
    """This program."""
    try:
        return calibrate_studs(scene.image)
    except NotFound as error:
        print(f"  {scene.number} ({scene.pitch_px:.1f} px): {error}", flush=True)
        return None


@dataclass
class Tally:
    """What came out for one way."""

    tried: int = 0
    found: int = 0
    errors: list[NDArray[np.float64]] = field(default_factory=list)
    pulls: list[NDArray[np.float64]] = field(default_factory=list)
    bounds: list[NDArray[np.float64]] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def add(
        self, scene: Scene, way: Callable[[Scene], Calibration | None], bound: NDArray[np.float64]
    ) -> None:
        """Try a way on a scene; ``bound`` are the least relative sigmas of its lengths."""
        start = time.process_time()
        calibration = way(scene)
        self.seconds.append(time.process_time() - start)
        self.tried += 1
        if calibration is None:
            return
        self.found += 1
        ends, true = lengths(scene)
        told = np.array([calibration.length(a, b, 0.0, 0.0) for a, b in ends])
        off = np.abs(told[:, 0] - true)
        self.errors.append(np.nan_to_num(off / true, nan=1.0))
        self.pulls.append(np.nan_to_num(off / told[:, 1], nan=99.0))
        self.bounds.append(bound)
        if np.median(self.errors[-1]) > 0.005:
            middle = 100 * np.median(self.errors[-1])
            print(f"  {scene.number} ({scene.pitch_px:.1f} px): {way.__name__} {middle:.2f} % off")

    def row(self, name: str) -> str:
        """One line of the table."""
        if not self.found:
            return f"| {name} | 0 of {self.tried} | | | | | | {np.median(self.seconds):.2f} |"
        off, pull = np.concatenate(self.errors), np.concatenate(self.pulls)
        worst = max(float(np.median(one)) for one in self.errors)
        wrong = sum(float(np.median(one)) > 0.02 for one in self.errors)
        return (
            f"| {name} | {self.found} of {self.tried} | {100 * np.median(off):.2f} / "
            f"{100 * np.percentile(off, 95):.2f} | {100 * worst:.2f} | {wrong} | "
            f"{100 * (pull < 1).mean():.0f} / {100 * (pull < 2).mean():.0f} | "
            f"{100 * quantile(np.concatenate(self.bounds), 0.95):.2f} | "
            f"{np.median(self.seconds):.2f} |"
        )

    def row_within(self, name: str) -> str:
        """Errors in those scenes that allow as exact an answer as is aimed at."""
        able = [quantile(bound, 0.95) <= AIM for bound in self.bounds]
        if not any(able):
            return f"{name}: none found where the bound is within {AIM:.1%}"
        off = np.concatenate([e for e, ok in zip(self.errors, able, strict=True) if ok])
        return (
            f"{name}, {sum(able)} found where the bound is within {AIM:.1%}: "
            f"{np.median(off):.2%} / {np.percentile(off, 95):.2%}"
        )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--no-rivals", action="store_true")
    parser.add_argument("--noise", type=float, default=NOISE_PX, help="of a stud, px")
    wanted = parser.parse_args()
    ways: dict[str, Callable[[Scene], Calibration | None]] = {"studs": by_studs}
    if not wanted.no_rivals:
        ways |= {"ChArUco board": by_board, "`findCirclesGrid`": by_circles}
    tallies = {name: Tally() for name in ways}
    all_bounds: list[NDArray[np.float64]] = []
    print("name | found | median / 95 % | worst median | wrong | 1 / 2 sigma | bound 95 % | s")
    for path in scenes(wanted.folder)[: wanted.limit]:
        scene = load(path)
        ends, _ = lengths(scene)
        seen = visible(path, scene.truth)
        bound = relative_sigma(scene.truth, seen, ends, noise_px=wanted.noise)
        all_bounds.append(bound)
        if quantile(bound, 0.95) > AIM:
            print(f"  {scene.number}: no way is sure to {100 * AIM:.1f} %, bound "
                  f"{100 * quantile(bound, 0.95):.2f} %", flush=True)  # fmt: skip
        for name, way in ways.items():
            tallies[name].add(scene, way, bound)
    for name, tally in tallies.items():
        print(tally.row(name))
    beyond = sum(quantile(bound, 0.95) > AIM for bound in all_bounds)
    least = quantile(np.concatenate(all_bounds), 0.95)
    print(f"bound: over {AIM:.1%} in {beyond} of {len(all_bounds)} scenes, {least:.2%} over all")
    for name, tally in tallies.items():
        print(tally.row_within(name))


if __name__ == "__main__":
    main()
